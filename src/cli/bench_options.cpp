/// The words of `heddle bench`. Whatever can be wrong with them is found before the first case
/// runs.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <regex>
#include <thread>

#include "cli/bench_command.hpp"

namespace heddle::cli {

namespace {

using driver::bench::OtherTool;
using driver::bench::OwnTool;
using driver::bench::Tool;
using driver::bench::VerdictRules;
using Failure = std::optional<UsageError>;

constexpr std::chrono::duration<double> kUsualTimeout{60};
constexpr std::uint64_t kMostExitCode = 255;
constexpr const char* kSafeWords = R"(\bsafe\b)";
constexpr const char* kUnsafeWords = R"(\bunsafe\b|\bnot safe\b)";

void add_run_options(CLI::App* app, BenchWords& words) {
  const std::string run = "The run";
  add_text(app, "--filter", words.filter, "only cases whose path this is found in", "REGEX", run);
  add_text(app, "--timeout", words.timeout, "seconds for each case (default: 60)", "S", run);
  add_text(app, "--memory", words.memory, "megabytes for each process (default: none)", "MB", run);
  add_text(app, "--jobs", words.jobs,
           "cases at once (default: the number of cores; 1 for each job with --slurm)", "N", run);
  add_text(app, "--output", words.output, "where the results go (default: bench-results)", "FOLDER",
           run);
  app->add_flag("--resume", words.resume,
                "resume after an interruption: cases already run with the same version, "
                "options and limits are not run again")
      ->group(run);
}

void add_engine_options(CLI::App* app, BenchWords& words) {
  const std::string group = "Handed on to 'heddle verify'";
  add_text(app, "--engine", words.engines, "use only these engines", "NAME[,NAME]", group);
  for (const engine::OptionRow& row : engine::option_table()) {
    auto& [option, text] = words.engine_options.emplace_back(&row, std::nullopt);
    add_text(app, "--" + std::string(option->name), text,
             std::string(row.help) + " (default: " + std::string(row.standard) + ")",
             std::string(row.values), group);
  }
  add_text(app, "--steps", words.steps, "units of work for each engine", "N", group);
  add_text(app, "--seed", words.seed, "for engines that draw random numbers", "N", group);
}

void add_other_tools(CLI::App* app, BenchWords& words) {
  const std::string group = "Other tools";
  app->add_option("--against", words.against,
                  "run this shell command on the same cases, with {file}, {target}, "
                  "{initial}, {timeout}, {memory} put in; may be repeated")
      ->type_name("[NAME=]CMD")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
  const auto add_rule = [&](const char* name, std::vector<std::string>& rules, const char* help,
                            const char* type) {
    app->add_option(name, rules, help)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
  };
  add_rule("--unsafe-regex", words.unsafe_regex,
           "a line of output that says unsafe, looked for first; letter case does not matter "
           "(default: the word unsafe, or not safe); given once it is for all tools, else "
           "once for each --against, in order",
           "REGEX");
  add_rule("--safe-regex", words.safe_regex,
           "a line that says safe (default: the word safe), likewise", "REGEX");
  add_rule("--unsafe-exit", words.unsafe_exit, "an exit code that says unsafe, likewise", "N");
  add_rule("--safe-exit", words.safe_exit, "an exit code that says safe, likewise", "N");
}

void add_comparison(CLI::App* app, BenchWords& words) {
  const std::string group = "Comparing two runs";
  app->add_option("--compare", words.compare,
                  "two result files: what got solved, lost, faster, slower")
      ->type_name("OLD NEW")
      ->expected(2)
      ->group(group);
  add_text(app, "--cutoffs", words.cutoffs,
           "print a table of the nets below SUITE that this file lists with published cutoffs, "
           "beside ours",
           "FILE", "Cutoffs");
  add_text(app, "--factor", words.factor, "by what factor a time must change (default: 1.5)", "F",
           group);
  add_text(app, "--least", words.least, "and by how many seconds (default: 0.1)", "S", group);
}

/// Appends `option value` if there is a value.
void hand_on(std::vector<std::string>& arguments, const std::string& option, const Text& text) {
  if (text) arguments.insert(arguments.end(), {option, *text});
}

/// The options of `verify`, understood here so that a mistake is found before the first case.
std::expected<OwnTool, UsageError> own_tool(const BenchWords& words) {
  OwnTool own{"/proc/self/exe", {}};
  std::vector<engine::EngineRow> engines;
  Failure error = take<std::vector<engine::EngineRow>>(words.engines, engines, engines_value);
  hand_on(own.arguments, "--engine", words.engines);
  for (const auto& [row, text] : words.engine_options) {
    engine::Options ignored;
    if (!text || error) continue;
    if (auto set = set_engine_option(*row, *text, ignored); !set) error = std::move(set.error());
    hand_on(own.arguments, "--" + std::string(row->name), text);
  }
  std::optional<std::uint64_t> number;
  const auto most = std::numeric_limits<std::uint64_t>::max();
  if (!error) error = take_number("--steps", words.steps, number, 1, most);
  if (!error) error = take_number("--seed", words.seed, number, 0, most);
  if (error) return std::unexpected(std::move(*error));
  hand_on(own.arguments, "--steps", words.steps);
  hand_on(own.arguments, "--seed", words.seed);
  return own;
}

Value<std::regex> regex_value(const std::string& option, const std::string& text,
                              std::regex::flag_type flags) {
  try {
    return std::regex(text, std::regex::ECMAScript | flags);
  } catch (const std::regex_error& error) {
    return std::unexpected(
        UsageError{option + ": '" + text + "' is not a regular expression: " + error.what(), {}});
  }
}

/// The value for one of the tools: the only one, or the one in its place.
Text rule_for(const std::vector<std::string>& given, std::size_t tool) {
  if (given.empty()) return std::nullopt;
  return given[given.size() == 1 ? 0 : tool];
}

/// A rule is given never, once, or once for each other tool.
Failure check_rule_counts(const BenchWords& words) {
  for (const auto& [name, given] : {std::pair{"--unsafe-regex", &words.unsafe_regex},
                                    {"--safe-regex", &words.safe_regex},
                                    {"--unsafe-exit", &words.unsafe_exit},
                                    {"--safe-exit", &words.safe_exit}})
    if (given->size() > 1 && given->size() != words.against.size())
      return UsageError{std::string(name) + " is given " + std::to_string(given->size()) +
                            " times for " + std::to_string(words.against.size()) + " other tools",
                        "give it once for all tools, or once for each --against"};
  return std::nullopt;
}

Failure take_rules(const BenchWords& words, std::size_t tool, VerdictRules& rules) {
  const Text unsafe_exit = rule_for(words.unsafe_exit, tool);
  const Text safe_exit = rule_for(words.safe_exit, tool);
  const Text unsafe = rule_for(words.unsafe_regex, tool);
  const Text safe = rule_for(words.safe_regex, tool);
  const auto pattern = [](const std::string& option, const Text& text, const char* standard,
                          std::regex& place) {
    return take<std::regex>(Text(text.value_or(standard)), place, [&](const std::string& t) {
      return regex_value(option, t, std::regex::icase);
    });
  };
  Failure error = pattern("--unsafe-regex", unsafe, kUnsafeWords, rules.unsafe);
  if (!error) error = pattern("--safe-regex", safe, kSafeWords, rules.safe);
  if (!error)
    error = take_number("--unsafe-exit", unsafe_exit, rules.unsafe_exit, 0, kMostExitCode);
  if (!error) error = take_number("--safe-exit", safe_exit, rules.safe_exit, 0, kMostExitCode);
  rules.words = "unsafe: " + unsafe_exit.value_or("") + " /" + unsafe.value_or(kUnsafeWords) +
                "/, safe: " + safe_exit.value_or("") + " /" + safe.value_or(kSafeWords) + "/";
  return error;
}

/// `mist` for `mist=…` and for `/opt/mist --backward {file}`.
Tool named_tool(const std::string& text, const VerdictRules& rules) {
  static const std::regex named(R"(^([A-Za-z0-9_.+-]+)=)");
  std::smatch match;
  if (std::regex_search(text, match, named)) return {match[1], OtherTool{match.suffix(), rules}};
  const std::string program = text.substr(0, text.find(' '));
  return {std::filesystem::path(program).filename().string(), OtherTool{text, rules}};
}

/// Names head columns and files: each tool gets one of its own.
void make_name_unique(const std::vector<Tool>& tools, Tool& tool) {
  const std::string name = tool.name.empty() ? "other" : tool.name;
  tool.name = name;
  for (int i = 2; std::ranges::count(tools, tool.name, &Tool::name) > 0; ++i)
    tool.name = name + "-" + std::to_string(i);
}

Failure take_tools(const BenchWords& words, std::vector<Tool>& tools) {
  auto own = own_tool(words);
  if (!own) return std::move(own.error());
  tools.push_back({driver::bench::kOwnName, std::move(*own)});
  if (Failure error = check_rule_counts(words)) return error;
  if (words.against.empty()) {  // the rules are of no use, but mistakes in them are mistakes
    VerdictRules rules;
    return take_rules(words, 0, rules);
  }
  for (std::size_t i = 0; i < words.against.size(); ++i) {
    VerdictRules rules;
    if (Failure error = take_rules(words, i, rules)) return error;
    Tool tool = named_tool(words.against[i], rules);
    make_name_unique(tools, tool);
    tools.push_back(std::move(tool));
  }
  return std::nullopt;
}

Failure take_limits(const BenchWords& words, driver::bench::BenchRequest& request) {
  request.limits.time = kUsualTimeout;
  request.jobs = words.slurm ? 1 : std::max(1u, std::thread::hardware_concurrency());
  Failure error = take<std::chrono::duration<double>>(
      words.timeout, request.limits.time,
      [](const std::string& text) { return seconds_value("--timeout", text); });
  if (!error)
    error = take_number("--memory", words.memory, request.limits.memory_mb, 1, kMostMemoryMb);
  std::optional<std::uint64_t> jobs;
  if (!error) error = take_number("--jobs", words.jobs, jobs, 1, kMostJobs);
  if (jobs) request.jobs = static_cast<unsigned>(*jobs);
  return error;
}

Failure take_filter(const BenchWords& words, driver::bench::BenchRequest& request) {
  std::regex pattern;
  Failure error = take<std::regex>(words.filter, pattern, [](const std::string& text) {
    return regex_value("--filter", text, std::regex::flag_type{});
  });
  if (!error && words.filter)
    request.takes = [pattern](const std::string& path) { return std::regex_search(path, pattern); };
  return error;
}

std::expected<Command, UsageError> understand_cutoff_table(const BenchWords& words) {
  driver::bench::BenchRequest limits;
  if (Failure error = take_limits(words, limits)) return std::unexpected(std::move(*error));
  return CutoffTableCommand{
      {*words.suite, *words.cutoffs, {limits.limits.time, limits.limits.memory_mb, std::nullopt}}};
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string out = "heddle";
  for (const std::string& word : arguments)
    out +=
        word.find_first_of(" \t'\"{}$|&;*") == std::string::npos ? " " + word : " '" + word + "'";
  return out;
}

std::expected<Command, UsageError> understand_comparison(const BenchWords& words) {
  CompareCommand command{words.compare[0], words.compare[1], {}};
  using Seconds = std::chrono::duration<double>;
  Seconds factor(command.threshold.factor);
  Seconds least(command.threshold.seconds);
  Failure error = take<Seconds>(words.factor, factor, [](const std::string& text) {
    auto value = seconds_value("--factor", text);
    if (value && value->count() >= 1) return value;
    return Value<Seconds>(
        std::unexpected(UsageError{"--factor: '" + text + "' is not a number from 1 on", {}}));
  });
  if (!error)
    error = take<Seconds>(words.least, least,
                          [](const std::string& text) { return seconds_value("--least", text); });
  if (error) return std::unexpected(std::move(*error));
  command.threshold = {factor.count(), least.count()};
  return command;
}

}  // namespace

void add_bench_options(CLI::App* command, BenchWords& words) {
  command->add_option("SUITE", words.suite, "a folder of models, or an index of cases")
      ->type_name("");
  add_run_options(command, words);
  add_cluster_options(command, words);
  add_engine_options(command, words);
  add_other_tools(command, words);
  add_comparison(command, words);
}

std::expected<Command, UsageError> understand_bench(const BenchWords& words,
                                                    const std::vector<std::string>& arguments) {
  if (!words.compare.empty()) {
    if (words.suite)
      return std::unexpected(UsageError{"unexpected argument '" + *words.suite + "'",
                                        "--compare takes two result files and runs nothing"});
    return understand_comparison(words);
  }
  if (!words.merge.empty()) {
    if (words.suite)
      return std::unexpected(UsageError{"unexpected argument '" + *words.suite + "'",
                                        "--merge takes result files or folders and runs nothing"});
    return MergeCommand{{words.merge, words.output.value_or("bench-results")}};
  }
  if (!words.suite) return std::unexpected(missing(kBenchHelp, "suite"));
  if (words.cutoffs) return understand_cutoff_table(words);
  BenchCommand command;
  driver::bench::BenchRequest& request = command.request;
  request.suite = *words.suite;
  request.output = words.output.value_or("bench-results");
  request.resume = words.resume;
  Failure error = take_filter(words, request);
  if (!error) error = take_limits(words, request);
  if (!error) error = take_tools(words, request.tools);
  if (!error) error = take<driver::bench::Shard>(words.shard, request.shard, shard_value);
  if (error) return std::unexpected(std::move(*error));
  if (const char* job = std::getenv("SLURM_JOB_ID"); job && request.shard) request.job = job;
  auto cluster = take_cluster(words, request);
  if (!cluster) return std::unexpected(std::move(cluster.error()));
  command.cluster = std::move(*cluster);
  request.header = {{"version", HEDDLE_VERSION}, {"command", command_line(arguments)}};
  return command;
}

}  // namespace heddle::cli
