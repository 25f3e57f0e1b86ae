/// The option table. CLI11 knows the options and prints the help; every value is a text to it and
/// is understood in values.cpp, so that all messages are ours.

#include "cli/commands.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <limits>
#include <thread>
#include <utility>

#include "base/suggest.hpp"
#include "cli/bench_command.hpp"
#include "cli/c_options.hpp"
#include "cli/generate.hpp"
#include "cli/help.hpp"
#include "cli/job_options.hpp"
#include "cli/option_builders.hpp"
#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"

namespace heddle::cli {

namespace {

constexpr std::uint64_t kMostContexts = 1'000'000;
constexpr std::uint64_t kMostLoopRounds = 1'000;

/// The words of the command line, not yet understood.
struct Words {
  CWords c;
  std::vector<std::string> files;  ///< the model; several of a C program
  Text engine_name;
  std::deque<std::pair<const driver::OutputRow*, Text>> outputs;
  bool svcomp = false;
  Text format, property, fairness, initial, threads, contexts;
  std::vector<std::string> targets, labels;
  Text engines, timeout, memory, steps, seed, jobs, colour;
  std::deque<std::pair<const engine::OptionRow*, Text>> engine_options;
  bool no_check = false, projection = false, json = false, quiet = false, verbose = false;
  Text output;
  Text via, to, first, unroll, settings;
  bool all = false, expand = false, quotient = false, movers = false;
  Text encoding;
  bool no_reduction = false;
  BenchWords bench;
  JobWords jobs_of_slurm;
  std::vector<std::string> arguments;  ///< all of them
};

/// The file; of a C program several.
void add_files(CLI::App* app, Words& words, const std::string& help) {
  app->add_option("FILE", words.files, help)->type_name("")->expected(1, -1);
}

std::string exit_codes_text() {
  std::string out = "Exit codes:\n";
  for (const driver::ExitCodeRow& row : driver::exit_codes())
    out += (row.code < 10 ? "   " : "  ") + std::to_string(row.code) + "  " +
           std::string(row.meaning) + "\n";
  return out;
}

constexpr const char* kFilesHelp =
    "the model, - for standard input; of a C program one or more .c or .i files, or a .yml";

void add_question_options(CLI::App* app, Words& words) {
  const std::string group = "The question";
  add_texts(app, "--target", words.targets,
            "what should be unreachable: 's|l,l' for thread systems, 'p>=1, q>=2' "
            "for nets, 's|a,-,*' (tops of stacks) for pushdown systems; may be repeated (any of "
            "them)",
            "T", group);
  add_texts(app, "--label", words.labels,
            "the label of a Boolean program that no thread should get to; may be repeated. Then "
            "assertions and SLIC_ERROR do not count: a failing assertion ends its thread",
            "NAME", group);
  add_text(app, "--property", words.property,
           "a file with targets, one a line, or of the Model Checking Contest (XML; FILE#ID takes "
           "one of its properties); of nets and thread systems also no-deadlock; of a C program a "
           "name: reach, no-data-race, no-deadlock, no-overflow, memory, memory-safety, "
           "memory-cleanup, no-fault, termination",
           "FILE|NAME", group);
  add_text(app, "--fairness", words.fairness,
           "of --property termination: weak leaves out runs in which a thread can step from some "
           "moment on and never does (default: none)",
           "none|weak", group);
  add_text(app, "--initial", words.initial,
           "the initial states: 's|l,l' exactly these threads, 's/l' any number in l, 's|l/l' both",
           "I", group);
  add_text(app, "--threads", words.threads,
           "start with exactly N threads where the initial state allows any number (default: any; "
           "for Boolean programs: 1)",
           "N|any", group);
  add_text(
      app, "--contexts", words.contexts,
      "at most K contexts per thread: K rounds in which each thread has its turn (default: any "
      "number)",
      "K", group);
  add_text(app, "--format", words.format, "do not guess the format: see 'heddle formats'", "NAME",
           group);
  add_c_options(app, words.c);
}

void add_settings(CLI::App* app, Words& words) {
  add_text(app, "--settings", words.settings,
           "take defaults of options from this file, or from none (default: heddle.json here or in "
           "the nearest folder above)",
           "FILE|none", "Settings");
}

void add_limits(CLI::App* app, Words& words) {
  const std::string group = "Limits";
  add_text(app, "--timeout", words.timeout,
           "time for everything, the check of the answer included: seconds, or 500ms, 2m, 1h "
           "(default: none)",
           "TIME", group);
  add_text(app, "--memory", words.memory,
           "memory for each process: megabytes, or 2G (default: the memory of the machine)", "SIZE",
           group);
  add_settings(app, words);
}

/// Of commands that read stored evidence.
void add_limits_of_check(CLI::App* app, Words& words) {
  const std::string group = "Limits";
  const auto seconds = std::chrono::seconds(driver::kCheckTime).count();
  add_text(app, "--timeout", words.timeout,
           "time for everything: seconds, or 2m (default: " + std::to_string(seconds) + " s)",
           "TIME", group);
  add_text(app, "--memory", words.memory,
           "of each process: megabytes, or 2G (default: " + std::to_string(driver::kCheckMemoryMb) +
               " MB)",
           "SIZE", group);
  add_settings(app, words);
}

void add_output_options(CLI::App* app, Words& words) {
  const std::string group = "Output";
  app->add_flag("--json", words.json, "print one JSON object")->group(group);
  app->add_flag("-q,--quiet", words.quiet, "print the headline only")->group(group);
  app->add_flag("-v,--verbose", words.verbose, "print every step, state, engine and figure")
      ->group(group);
  add_text(
      app, "--color", words.colour,
      "colours on standard output (default: auto, that is on a terminal unless NO_COLOR is set)",
      "auto|always|never", group);
}

/// What can be stored beside an answer to this question.
void add_outputs(CLI::App* app, Words& words, output::Asking asking) {
  for (const driver::OutputRow& row : driver::output_table()) {
    if (asking == output::Asking::Cutoff && !row.of_cutoffs) continue;
    auto& [output, path] = words.outputs.emplace_back(&row, std::nullopt);
    add_text(app, "--" + std::string(row.name), path, std::string(row.help),
             std::string(row.placeholder), "Output");
  }
}

std::vector<driver::WantedOutput> wanted_outputs(const Words& words) {
  std::vector<driver::WantedOutput> wanted;
  for (const auto& [row, path] : words.outputs)
    if (path) wanted.push_back({row, *path});
  return wanted;
}

void add_engine_options(CLI::App* app, Words& words) {
  const std::string group = "Engines";
  add_text(app, "--engine", words.engines,
           "use only these engines (default: all that accept the task, the first confirmed answer "
           "wins)",
           "NAME[,NAME]", group);
  for (const engine::OptionRow& row : engine::option_table()) {
    auto& [option, text] = words.engine_options.emplace_back(&row, std::nullopt);
    add_text(app, "--" + std::string(option->name), text,
             std::string(row.help) + " (default: " + std::string(row.standard) + ")",
             std::string(row.values), group);
  }
  add_text(app, "--jobs", words.jobs, "engines at once (default: the number of cores)", "N", group);
  add_text(app, "--seed", words.seed, "for engines that draw random numbers (default: 0)", "N",
           group);
}

void add_verify(CLI::App* command, Words& words) {
  add_files(command, words,
            std::string(kFilesHelp) + "; several models are verified one after the other");
  add_question_options(command, words);
  add_engine_options(command, words);
  add_text(command, "--via", words.via,
           "solve on a thread system or on a Petri net, translated if the file's model is another; "
           "the answer is about the file (default: the model as it is)",
           "threads|net", "Engines");
  add_limits(command, words);
  add_text(command, "--steps", words.steps,
           "units of work for each engine; the same on every machine (default: no limit)", "N",
           "Limits");
  add_outputs(command, words, output::Asking::Reachability);
  command
      ->add_flag("--svcomp", words.svcomp,
                 "end with the line that SV-COMP expects: TRUE, FALSE(…), UNKNOWN")
      ->group("Output");
  command->add_flag("--no-check", words.no_check, "do not check the answer")->group("Output");
  command
      ->add_flag("--projection", words.projection,
                 "list a Boolean program or pushdown system with a mark at each statement or "
                 "rule that lies on an error trace (within --contexts)")
      ->group("Output");
  add_output_options(command, words);
  add_job_options(command, words.jobs_of_slurm);
}

void add_races(CLI::App* command, Words& words) {
  add_files(command, words, "a C program: one or more .c or .i files, or a .yml");
  add_c_options(command, words.c);
  add_engine_options(command, words);
  add_limits(command, words);
  add_text(command, "--steps", words.steps,
           "units of work for each engine; the same on every machine (default: no limit)", "N",
           "Limits");
  add_outputs(command, words, output::Asking::Reachability);
  command->add_flag("--no-check", words.no_check, "do not check the answer")->group("Output");
  add_output_options(command, words);
}

void add_cutoff(CLI::App* command, Words& words) {
  command->add_option("FILE", words.files, "the model")->type_name("")->expected(1);
  const std::string group = "The question";
  add_text(command, "--initial", words.initial,
           "the initial states: 's|l,l' exactly these threads, 's/l' any number in l, 's|l/l' both",
           "I", group);
  add_text(command, "--threads", words.threads,
           "start with exactly N threads where the initial state allows any number (default: any)",
           "N|any", group);
  add_text(command, "--format", words.format, "do not guess the format: see 'heddle formats'",
           "NAME", group);
  add_limits(command, words);
  add_text(command, "--steps", words.steps,
           "units of work, the same on every machine; then the two searches take turns "
           "(default: no limit)",
           "N", "Limits");
  add_text(command, "--seed", words.seed, "permutes the transitions (default: 0)", "N", "Limits");
  add_outputs(command, words, output::Asking::Cutoff);
  add_text(command, "-o,--output", words.output, "draw the reachable thread states: .svg or .png",
           "OUT", "Output");
  command->add_flag("--no-check", words.no_check, "do not check the answer")->group("Output");
  add_output_options(command, words);
}

void add_check(CLI::App* command, Words& words) {
  add_files(command, words,
            std::string(kFilesHelp) + "; then EVIDENCE, what 'heddle verify --evidence' wrote");
  add_question_options(command, words);
  add_limits_of_check(command, words);
  add_output_options(command, words);
}

void add_replay(CLI::App* command, Words& words) {
  add_files(command, words,
            std::string(kFilesHelp) + "; then TRACE, what 'heddle verify --evidence' wrote");
  command->add_flag("--all", words.all, "print the whole trace instead")->group("Output");
  command->add_flag("--expand", words.expand, "unfold repetitions")->group("Output");
  add_question_options(command, words);
  add_limits_of_check(command, words);
}

void add_show(CLI::App* command, Words& words) {
  add_files(command, words,
            std::string(kFilesHelp) + "; then, to draw evidence, the file that holds it");
  command
      ->add_flag("--quotient", words.quotient,
                 "draw the expanded diagram of a thread system and its quotient")
      ->group("Output");
  command
      ->add_flag("--movers", words.movers,
                 "list the source of a C program with its movers and blocks, as text")
      ->group("Output");
  add_text(command, "-o,--output", words.output, "where to: .svg, .png, .pdf or .dot", "OUT",
           "Output");
  add_question_options(command, words);
  add_limits_of_check(command, words);
}

void add_translate(CLI::App* command, Words& words) {
  add_files(command, words, kFilesHelp);
  add_text(command, "--to", words.to,
           "the format to write: see 'heddle formats' (default: by the extension of OUT); of a C "
           "program also 'model': what it becomes, as text, 'smt2': its Horn clauses, and, with "
           "--contexts, 'c': a sequential program",
           "NAME", "Output");
  add_text(command, "--encoding", words.encoding,
           "of Horn clauses: one predicate for each thread and boundary of blocks, or for each "
           "tuple of boundaries (default: modular)",
           "modular|product", "Output");
  command
      ->add_flag("--no-reduction", words.no_reduction,
                 "Horn clauses without blocks; sequential C programs with turns before all "
                 "shared accesses")
      ->group("Output");
  add_text(command, "-o,--output", words.output, "where to store it (default: standard output)",
           "OUT", "Output");
  command->add_flag("-q,--quiet", words.quiet, "no notes on standard error")->group("Output");
  add_question_options(command, words);
  add_text(command, "--first", words.first,
           "with --contexts, the thread that has the first turn of each round (default: first)",
           "first|any", "The question");
  add_text(command, "--unroll", words.unroll,
           "of C programs with --contexts: at most U rounds of each loop (default: any number)",
           "U", "The question");
  add_limits(command, words);
}

void add_bench(CLI::App* command, Words& words) { add_bench_options(command, words.bench); }

void add_engines(CLI::App* command, Words& words) {
  command->add_option("NAME", words.engine_name, "show details of this engine")->type_name("");
  command->add_flag("--json", words.json, "print JSON");
}

void add_formats(CLI::App* command, Words& words) {
  command->add_flag("--json", words.json, "print JSON");
}

/// In the order of the help.
struct CommandRow {
  const CommandHelp& help;
  void (*add_options)(CLI::App*, Words&);
};
constexpr CommandRow kCommands[] = {
    {kVerifyHelp, add_verify},   {kRacesHelp, add_races},   {kCutoffHelp, add_cutoff},
    {kCheckHelp, add_check},     {kReplayHelp, add_replay}, {kTranslateHelp, add_translate},
    {kShowHelp, add_show},       {kBenchHelp, add_bench},   {kEnginesHelp, add_engines},
    {kFormatsHelp, add_formats},
};

/// All commands. Options are added where they are needed: those of one command take a tenth of
/// the time of all, which a small task would notice.
class OptionTable {
 public:
  OptionTable(CLI::App& app, Words& words) : app_(app), words_(words) {
    app.footer(exit_codes_text() + "\n" + kToolFooter);
    set_usage(app, "COMMAND [OPTIONS] ...");
    app.set_help_flag("-h,--help", "print this and exit");
    app.set_version_flag("-V,--version", HEDDLE_VERSION, "print the version and exit");
    app.allow_extras();
    app.require_subcommand(0, 1);  // a file may be called like a command
    for (const CommandRow& row : kCommands) pending_.push_back({&row, add_command(app, row.help)});
  }

  void complete(const std::string& name) {
    std::erase_if(pending_, [&](const Pending& pending) {
      if (pending.row->help.name != name) return false;
      pending.row->add_options(pending.command, words_);
      return true;
    });
  }

  const CLI::App& complete_all() {
    for (const CommandRow& row : kCommands) complete(row.help.name);
    return app_;
  }

 private:
  struct Pending {
    const CommandRow* row;
    CLI::App* command;
  };

  CLI::App& app_;
  Words& words_;
  std::vector<Pending> pending_;  ///< without their options
};

bool is_c_file(const std::string& name) { return name.ends_with(".c") || name.ends_with(".i"); }

/// The first file is the model, the others are linked to it.
std::optional<UsageError> take_files(const CommandHelp& help, const Words& words, std::string& file,
                                     driver::QuestionOptions& question) {
  if (words.files.empty()) return missing(help, "file");
  file = words.files.front();
  question.linked_files.assign(words.files.begin() + 1, words.files.end());
  for (const std::string& further : question.linked_files)
    if (!is_c_file(further) && words.format != "c")
      return UsageError{"unexpected argument '" + further + "'",
                        "several files are linked if they are C files (.c, .i)"};
  return std::nullopt;
}

/// The last file is the evidence.
std::optional<UsageError> take_evidence(const CommandHelp& help, const std::string& what,
                                        Words words, driver::RecheckRequest& request) {
  if (words.files.empty()) return missing(help, "file");
  if (words.files.size() == 1) return missing(help, what);
  request.evidence = std::move(words.files.back());
  words.files.pop_back();
  return take_files(help, words, request.file, request.question);
}

std::optional<UsageError> take_question(const Words& words, driver::QuestionOptions& question) {
  if (auto error = take_c_options(words.c, question)) return error;
  question.targets = words.targets;
  question.labels = words.labels;
  question.property = words.property;
  if (words.fairness && *words.fairness != "none" && *words.fairness != "weak")
    return UsageError{"--fairness " + *words.fairness + " is not known", "none or weak"};
  question.is_weakly_fair = words.fairness == "weak";
  question.initial = words.initial;
  question.any_threads = words.threads == "any";
  if (auto error = take<std::string>(words.format, question.format, [](const std::string& text) {
        return format_value("--format", text);
      }))
    return error;
  std::optional<std::uint64_t> contexts;
  if (auto error = take_number("--contexts", words.contexts, contexts, 1, kMostContexts))
    return error;
  if (contexts) question.contexts = static_cast<std::uint32_t>(*contexts);
  return take<std::optional<base::Integer>>(
      words.threads, question.threads,
      [](const std::string& text) { return threads_value("--threads", text); });
}

std::optional<UsageError> take_budget(const Words& words, driver::Budget& budget) {
  auto error = take<std::chrono::duration<double>>(
      words.timeout, budget.time,
      [](const std::string& text) { return seconds_value("--timeout", text); });
  if (!error)
    error = take<std::uint64_t>(words.memory, budget.memory_mb, [](const std::string& text) {
      return megabytes_value("--memory", text, kMostMemoryMb);
    });
  const auto most = std::numeric_limits<std::uint64_t>::max();
  if (!error) error = take_number("--steps", words.steps, budget.steps, 1, most);
  return error;
}

std::optional<UsageError> take_output(const Words& words, OutputChoice& output) {
  ColourChoice colours = ColourChoice::Auto;
  auto error = take<ColourChoice>(
      words.colour, colours, [](const std::string& text) { return colour_value("--color", text); });
  output = {
      words.json, words.quiet, words.verbose, wants_colours(colours), is_terminal(STDERR_FILENO),
      false};
  return error;
}

std::optional<UsageError> take_engine_options(const Words& words, VerifyCommand& command) {
  for (const auto& [row, text] : words.engine_options) {
    if (!text) continue;
    if (auto set = set_engine_option(*row, *text, command.request.options); !set)
      return std::move(set.error());
  }
  const auto all = engine::registry();
  command.engines.assign(all.begin(), all.end());
  return take<std::vector<engine::EngineRow>>(words.engines, command.engines, engines_value);
}

std::expected<Command, UsageError> understand_verify(const Words& words) {
  VerifyCommand command;
  driver::VerifyRequest& request = command.request;
  request.check = !words.no_check;
  request.projection = words.projection;
  request.jobs = std::max(1u, std::thread::hardware_concurrency());
  const auto most = std::numeric_limits<std::uint64_t>::max();
  auto error = take_files(kVerifyHelp, words, request.file, request.question);
  if (!error) error = take_question(words, request.question);
  if (!error) error = take_budget(words, request.budget);
  if (!error) error = take_engine_options(words, command);
  if (!error)
    error = take<model::AnyKind>(words.via, request.via, [](const std::string& text) {
      return model_kind_value("--via", text);
    });
  if (!error) error = take_number("--seed", words.seed, request.seed, 0, most);
  std::optional<std::uint64_t> jobs;
  if (!error) error = take_number("--jobs", words.jobs, jobs, 1, kMostJobs);
  if (!error) error = take_output(words, command.output);
  if (error) return std::unexpected(std::move(*error));
  if (words.svcomp && words.json)
    return std::unexpected(UsageError{"--svcomp and --json at once", "ask for one of them"});
  if (jobs) request.jobs = static_cast<unsigned>(*jobs);
  command.outputs = wanted_outputs(words);
  command.svcomp = words.svcomp;
  auto settings =
      take_job_settings(words.jobs_of_slurm, words.arguments, words.c.clang_flags, words.files);
  if (!settings) return std::unexpected(std::move(settings.error()));
  command.jobs = std::move(*settings);
  if (command.jobs && (words.projection || words.no_check))
    return std::unexpected(
        UsageError{"--slurm with --projection or --no-check",
                   "answers of jobs are always checked, and jobs ask no further questions"});
  return command;
}

/// Several files that are not one C program are several models.
bool are_several_models(const Words& words) {
  return words.files.size() > 1 && words.format != "c" &&
         !std::ranges::all_of(words.files, is_c_file);
}

std::expected<Command, UsageError> understand_batch(const Words& words) {
  if (std::ranges::count_if(words.files, is_c_file) > 1)
    return std::unexpected(
        UsageError{"C files are linked into one program and cannot stand beside other models",
                   "verify the C program by itself"});
  if (words.jobs_of_slurm.slurm)
    return std::unexpected(
        UsageError{"--slurm is about one model", "'heddle bench --slurm' takes many"});
  if (!wanted_outputs(words).empty() || words.svcomp || words.projection)
    return std::unexpected(UsageError{
        "--" +
            (wanted_outputs(words).empty() ? std::string(words.svcomp ? "svcomp" : "projection")
                                           : std::string(wanted_outputs(words)[0].row->name)) +
            " is about one model, but there are " + std::to_string(words.files.size()),
        "verify them one by one"});
  BatchCommand batch;
  for (const std::string& file : words.files) {
    Words one = words;
    one.files = {file};
    auto command = understand_verify(one);
    if (!command) return command;
    auto& verify = std::get<VerifyCommand>(*command);
    verify.output.quiet = true;
    verify.output.names_file = true;
    batch.commands.push_back(std::move(verify));
  }
  return batch;
}

std::expected<Command, UsageError> understand_races(Words words) {
  if (words.files.empty()) return std::unexpected(missing(kRacesHelp, "file"));
  words.property = "no-data-race";
  auto command = understand_verify(words);
  if (command) std::get<VerifyCommand>(*command).races = true;
  return command;
}

std::expected<Command, UsageError> understand_cutoff(const Words& words) {
  VerifyCommand command;
  command.request.asking = output::Asking::Cutoff;
  const auto engines = engine::cutoff_registry();
  command.engines.assign(engines.begin(), engines.end());
  command.request.check = !words.no_check;
  auto error = take_files(kCutoffHelp, words, command.request.file, command.request.question);
  if (!error) error = take_question(words, command.request.question);
  if (!error) error = take_budget(words, command.request.budget);
  const auto most = std::numeric_limits<std::uint64_t>::max();
  if (!error) error = take_number("--seed", words.seed, command.request.seed, 0, most);
  if (!error) error = take<driver::PictureFormat>(words.output, command.format, picture_format);
  if (!error) error = take_output(words, command.output);
  if (error) return std::unexpected(std::move(*error));
  if (command.format == driver::PictureFormat::Dot)
    return std::unexpected(UsageError{"cannot draw a grid as .dot", "use .svg, .png or .pdf"});
  command.outputs = wanted_outputs(words);
  command.picture = words.output.value_or("");
  return command;
}

std::expected<Command, UsageError> understand_check(const Words& words) {
  CheckCommand command;
  auto error = take_evidence(kCheckHelp, "evidence", words, command.request);
  if (!error) error = take_question(words, command.request.question);
  if (!error) error = take_budget(words, command.request.budget);
  if (!error) error = take_output(words, command.output);
  if (error) return std::unexpected(std::move(*error));
  return command;
}

std::expected<Command, UsageError> understand_replay(const Words& words) {
  ReplayCommand command;
  auto error = take_evidence(kReplayHelp, "trace", words, command.request);
  if (!error) error = take_question(words, command.request.question);
  if (!error) error = take_budget(words, command.request.budget);
  if (error) return std::unexpected(std::move(*error));
  command.all = words.all;
  command.expand = words.expand;
  return command;
}

/// The last file; but a program may consist of several files in C.
Text evidence_among(std::vector<std::string>& files) {
  if (files.size() < 2 || files.back().ends_with(".c") || files.back().ends_with(".i"))
    return std::nullopt;
  const std::string last = std::move(files.back());
  files.pop_back();
  return last;
}

std::expected<Command, UsageError> understand_show(Words words) {
  const Text evidence = evidence_among(words.files);
  if (words.movers && (evidence || words.quotient))
    return std::unexpected(
        UsageError{"--movers and a picture at once", "list the movers, then draw the picture"});
  ShowCommand command;
  command.request.quotient = words.quotient;
  command.request.movers = words.movers;
  command.request.evidence = evidence;
  command.output = words.output.value_or("");
  auto error = take_files(kShowHelp, words, command.request.file, command.request.question);
  if (!error && !words.movers)
    error = take<driver::PictureFormat>(words.output, command.request.format, picture_format);
  if (!error) error = take_question(words, command.request.question);
  if (!error) error = take_budget(words, command.request.budget);
  if (error) return std::unexpected(std::move(*error));
  if (command.request.evidence && command.request.format == driver::PictureFormat::Dot)
    return std::unexpected(UsageError{"cannot draw evidence as .dot", "use .svg, .png or .pdf"});
  if (words.quotient && command.request.format == driver::PictureFormat::Dot)
    return std::unexpected(
        UsageError{"the quotient is laid out by Heddle", "use .svg, .png or .pdf"});
  return command;
}

std::expected<Command, UsageError> understand_translate(const Words& words) {
  TranslateCommand command;
  command.request.out = words.output;
  command.quiet = words.quiet;
  auto error = take_files(kTranslateHelp, words, command.request.file, command.request.question);
  if (!error && !words.to && !words.output) error = missing(kTranslateHelp, "output format");
  if (!error) error = take_question(words, command.request.question);
  if (!error) error = take_budget(words, command.budget);
  if (!error)
    error = take<std::string>(
        words.to, command.request.to, [](const std::string& text) -> Value<std::string> {
          const bool is_text = text == driver::kModelText || text == driver::kHornText;
          return is_text ? text : format_value("--to", text);
        });
  if (!error)
    error = take<transform::FirstTurn>(words.first, command.request.first, [](const auto& text) {
      return first_turn_value("--first", text);
    });
  command.request.horn.reduction = !words.no_reduction;
  if (!error && words.encoding) {
    if (*words.encoding != "modular" && *words.encoding != "product")
      error =
          UsageError{"--encoding " + *words.encoding + " does not exist", "use modular or product"};
    command.request.horn.form =
        *words.encoding == "product" ? driver::HornForm::Product : driver::HornForm::Modular;
  }
  std::optional<std::uint64_t> unroll;
  if (!error) error = take_number("--unroll", words.unroll, unroll, 1, kMostLoopRounds);
  if (unroll) command.request.unroll = static_cast<std::uint32_t>(*unroll);
  if (!error && words.unroll && !words.contexts)
    error = UsageError{"--unroll is about C programs within a number of contexts",
                       "give --contexts as well"};
  if (!error && words.first && !words.contexts)
    error = UsageError{"--first is about rounds of turns", "give --contexts as well"};
  if (error) return std::unexpected(std::move(*error));
  return command;
}

std::expected<Command, UsageError> understand(const std::string& command, const Words& words) {
  if (command == "verify")
    return are_several_models(words) ? understand_batch(words) : understand_verify(words);
  if (command == "races") return understand_races(words);
  if (command == "check") return understand_check(words);
  if (command == "replay") return understand_replay(words);
  if (command == "translate") return understand_translate(words);
  if (command == "show") return understand_show(words);
  if (!words.c.clang_flags.empty())
    return std::unexpected(
        UsageError{"unexpected argument '--'", "flags for Clang go with C programs"});
  if (command == "cutoff") return understand_cutoff(words);
  if (command == "bench") return understand_bench(words.bench, words.arguments);
  if (command == "formats") return FormatsCommand{words.json};
  if (words.engine_name)
    if (auto engine = engine_value(*words.engine_name); !engine)
      return std::unexpected(std::move(engine.error()));
  return EnginesCommand{words.engine_name, words.json};
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What to say about words that no option took.
UsageError unexpected_word(const CLI::App& app, const std::string& word) {
  const std::string help =
      "see heddle " + (app.get_parent() ? app.get_name() + " " : "") + "--help";
  if (!word.starts_with('-')) return {"unexpected argument '" + word + "'", help};
  const std::string name = word.substr(0, word.find('='));
  const std::string guess = base::did_you_mean(name, option_names(app));
  return {"there is no option '" + name + "'", guess.empty() ? help : guess};
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

UsageError unknown_command(const CLI::App& app, const std::string& word) {
  const std::string guess = base::did_you_mean(word, command_names(app));
  const bool like_a_file = word.find_first_of("./") != std::string::npos;
  const std::string verify = "to verify a file: heddle verify " + word;
  return {"there is no command '" + word + "'", !guess.empty() ? guess
                                                : like_a_file  ? verify
                                                              : "heddle --help lists the commands"};
}

/// CLI11's own complaints, in our words. With every value a text, what is left to it is a value
/// that is missing or one that a flag cannot take.
UsageError rephrase(const CLI::ParseError& error) {
  const std::string what = error.what();
  if (const auto colon = what.find(':'); error.get_name() == "ArgumentMismatch")
    return {"option " + what.substr(0, colon) + " needs a value", {}};
  return {what, {}};
}

/// CLI11 leaves two empty lines between groups of options; one is enough.
std::string without_gaps(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != '\n' || !out.ends_with("\n\n")) out += c;
  return out;
}

/// What is not on the command line should not come as a surprise.
std::string settings_note(const TakenSettings& taken) {
  std::string names;
  for (const std::string& name : taken.names) names += (names.empty() ? "" : ", ") + name;
  return "heddle: defaults from " + taken.file + ": " + names + "\n";
}

/// What the user typed makes sense without the settings.
UsageError blamed_on(const std::string& file, UsageError error) {
  return {file + ": " + error.message, std::move(error.hint), true};
}

std::expected<Command, UsageError> run_parser(CLI::App& app, OptionTable& table, Words& words,
                                              std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);  // as CLI11 wants them
  const auto chosen = [&] {
    return app.get_subcommands().empty() ? &app : app.get_subcommands()[0];
  };
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return PrintCommand{without_gaps(chosen()->help())};
  } catch (const CLI::CallForVersion&) {
    return PrintCommand{"heddle " + version_text() + "\n"};
  } catch (const CLI::ParseError& error) {
    return std::unexpected(rephrase(error));
  }
  const std::vector<std::string> rest = chosen()->remaining();
  if (!rest.empty()) return std::unexpected(unexpected_word(*chosen(), rest.front()));
  if (chosen() == &app) return understand(chosen()->get_name(), words);
  const Words typed = words;
  const auto taken = take_settings([&]() -> const CLI::App& { return table.complete_all(); },
                                   *chosen(), words.settings);
  if (!taken) return std::unexpected(taken.error());
  if (!taken->names.empty() && !words.quiet) complain(settings_note(*taken));
  words.arguments.insert(words.arguments.end(), taken->words.begin(), taken->words.end());
  auto command = understand(chosen()->get_name(), words);
  if (!command && !taken->names.empty() && understand(chosen()->get_name(), typed))
    return std::unexpected(blamed_on(taken->file, std::move(command.error())));
  return command;
}

/// `heddle help verify` is `heddle verify --help`.
std::vector<std::string> with_help_option(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.push_back("--help");
  return arguments;
}

std::expected<Command, UsageError> generate(const CLI::App& app,
                                            const std::vector<std::string>& arguments) {
  if (arguments.size() != 2)
    return std::unexpected(UsageError{"no folder given", "usage: heddle generate FOLDER"});
  return GenerateCommand{
      generation::generated_files(generation::option_catalogue(app), arguments[1])};
}

}  // namespace

std::expected<Command, UsageError> parse_arguments(const std::vector<std::string>& all) {
  Words words;
  const std::vector<std::string> arguments =
      with_help_option(without_clang_flags(all, words.c.clang_flags));
  words.arguments = arguments;
  CLI::App app{kToolDescription, "heddle"};
  OptionTable table(app, words);
  if (arguments.empty())
    return std::unexpected(
        UsageError{"no command given", "heddle --help shows the commands and examples"});
  const std::string& first = arguments.front();
  if (first == generation::kGenerate) return generate(table.complete_all(), arguments);
  if (!first.starts_with('-') && std::ranges::count(command_names(app), first) == 0)
    return std::unexpected(unknown_command(app, first));
  table.complete(first);
  return run_parser(app, table, words, arguments);
}

}  // namespace heddle::cli
