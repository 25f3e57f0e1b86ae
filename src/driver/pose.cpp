#include "driver/pose.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/suggest.hpp"
#include "driver/c_task.hpp"
#include "frontend/notation.hpp"
#include "model/boolean_program/error_label.hpp"
#include "model/boolean_program/listed_threads.hpp"
#include "model/c/violation.hpp"
#include "model/dead_configurations.hpp"

namespace heddle::driver {

namespace {

using base::Diagnostics;
using base::Parsed;
using frontend::ModelFile;
using frontend::Notation;

/// As of C programs.
constexpr std::string_view kNoDeadlock = "no-deadlock";

/// What a part of the question says and where it came from, in words: "--target", "the file",
/// "x.prop".
template <class Item>
struct Sourced {
  std::vector<Item> items;
  std::string from;
  bool are_dead_states = false;  ///< all of them: those in which no transition is enabled
};

template <class Item>
void append(Sourced<Item>& all, std::vector<Item> items, const std::string& from) {
  std::ranges::move(items, std::back_inserter(all.items));
  all.are_dead_states = false;
  if (all.from == from) return;
  all.from += (all.from.empty() ? "" : " and ") + from;
}

/// One question about a file of a known kind, put together part by part.
template <class Model>
class Posing {
 public:
  using Initial = Sourced<model::InitialOf<Model>>;
  using Targets = Sourced<model::TargetOf<Model>>;

  Posing(const Disk& disk, const std::string& path, const QuestionOptions& options,
         const frontend::FormatRow& format, ModelFile<Model> file)
      : disk_(disk), path_(path), options_(options), format_(format), file_(std::move(file)) {}

  Parsed<Posed> run(Asking asking) {
    if (auto added = add_sibling_initial(); !added)
      return std::unexpected(std::move(added.error()));
    if (auto chosen = choose_labels(); !chosen) return std::unexpected(std::move(chosen.error()));
    auto targets = asking == Asking::Cutoff ? Parsed<Targets>() : find_targets();
    if (!targets) return std::unexpected(std::move(targets.error()));
    if (auto fair = assume_fairness(targets->items); !fair)
      return std::unexpected(std::move(fair.error()));
    if (asking == Asking::Reachability && targets->items.empty() && !Notation<Model>::kNeedsTarget)
      targets->from = "none given: all that is reachable is found";
    auto initial = settle_initial();
    if (!initial) return std::unexpected(std::move(initial.error()));
    Posed posed;
    posed.asked = {path_, std::string(format_.name), targets->from, initial->from, asking};
    posed.asked.warnings = std::move(file_.warnings);
    posed.asked.asks_for_dead_states = targets->are_dead_states;
    warn_if_vacuous(targets->items, posed.asked);
    posed.initial_assumed = assumed_;
    posed.task = model::Task<Model>{std::move(file_.model),
                                    question(std::move(initial->items), std::move(targets->items))};
    return posed;
  }

 private:
  model::QuestionOf<Model> question(std::vector<model::InitialOf<Model>> initial,
                                    std::vector<model::TargetOf<Model>> targets) const {
    model::QuestionOf<Model> out{std::move(initial), std::move(targets), options_.contexts};
    if constexpr (requires { out.labels; }) out.labels = labels_;
    return out;
  }

  /// Asks about fair runs only, if the command line says so.
  Parsed<void> assume_fairness(std::vector<model::TargetOf<Model>>& targets) const {
    if (!options_.is_weakly_fair) return {};
    bool is_about_fairness = !targets.empty();
    for (auto& target : targets) {
      if constexpr (requires { Notation<Model>::in_weakly_fair_runs(target); }) {
        const auto fair = Notation<Model>::in_weakly_fair_runs(target);
        is_about_fairness = is_about_fairness && fair;
        target = fair.value_or(target);
      } else {
        is_about_fairness = false;
      }
    }
    if (is_about_fairness) return {};
    return std::unexpected(complaint("--fairness", "fairness matters to termination only",
                                     "ask with --property termination about a C program"));
  }

  /// SAFE says little where nothing can go wrong, whatever the threads do.
  void warn_if_vacuous(const std::vector<model::TargetOf<Model>>& targets,
                       output::Asked& asked) const {
    if constexpr (requires { Notation<Model>::vacuity(file_.model, targets); }) {
      const std::string why = targets.empty() ? "" : Notation<Model>::vacuity(file_.model, targets);
      if (why.empty()) return;
      asked.vacuous = why;
      base::Diagnostic warning;
      warning.severity = base::Severity::Warning;
      warning.location.file = path_;
      warning.message = "nothing can fail: " + why;
      warning.hint = "write what should hold as an assertion";
      asked.warnings.push_back(std::move(warning));
    }
  }

  /// The initial states in a file beside the model, if its own file does not say.
  Parsed<void> add_sibling_initial() {
    if (!file_.initial.empty()) return {};
    const auto sibling = sibling_of(disk_, path_, ".init", format_.initial);
    if (!sibling) return {};
    const auto source = read_source(disk_, *sibling);
    if (!source) return std::unexpected(source.error());
    auto initial = Notation<Model>::parse_initial(file_.model, *source);
    if (!initial) return std::unexpected(std::move(initial.error()));
    file_.initial = std::move(*initial);
    initial_from_ = *sibling;
    return {};
  }

  /// Makes the labels the failures of the program: its own failures do not count any more. Nothing
  /// happens without labels.
  Parsed<void> choose_labels() {
    if (options_.labels.empty()) return {};
    if constexpr (requires { file_.model.failure_labels; }) {
      const std::vector<std::string> known = model::boolean::labels_of(file_.model);
      for (const std::string& label : options_.labels)
        if (!std::ranges::binary_search(known, label))
          return std::unexpected(complaint(path_, "there is no label '" + label + "'",
                                           known.empty() ? "no statement of the program has a label"
                                                         : base::did_you_mean(label, known)));
      const std::set<std::string> chosen(options_.labels.begin(), options_.labels.end());
      labels_.assign(chosen.begin(), chosen.end());
      file_.model.failure_labels = labels_;
      return {};
    } else {
      return std::unexpected(complaint(path_,
                                       "a " + std::string(model::Kind<Model>::kName) +
                                           " has no labels: --label is for Boolean programs",
                                       "say with --target what should be unreachable"));
    }
  }

  /// Adds the targets of a property file, or those of that name, where properties have names.
  Parsed<void> add_property_file(const std::string& name, Targets& all) const {
    if constexpr (requires { Notation<Model>::find_property(name); })
      if (const auto property = Notation<Model>::find_property(name)) {
        append(all, {*property}, "--property");
        return {};
      }
    if constexpr (requires { model::dead_configurations(file_.model); })
      if (name == kNoDeadlock) return add_dead_configurations(all);
    if (model::c::parse_property(name) && !disk_.exists(name))
      return std::unexpected(complaint(
          "--property",
          "'" + name + "' is not a question about a " + std::string(model::Kind<Model>::kName),
          "give a file with targets; " + std::string(kNoDeadlock) +
              " is asked about nets, thread systems and C programs, the others about C programs"));
    auto source = read_source(disk_, without_property_name(disk_, name));
    if (!source) return std::unexpected(std::move(source.error()));
    source->name = name;
    auto targets = Notation<Model>::parse_targets(file_.model, *source);
    if (!targets) return std::unexpected(std::move(targets.error()));
    append(all, std::move(*targets), name);
    return {};
  }

  /// Of models that count: no transition is enabled.
  Parsed<void> add_dead_configurations(Targets& all) const {
    const bool are_all = all.items.empty();
    append(all, model::dead_configurations(file_.model), "--property " + std::string(kNoDeadlock));
    all.are_dead_states = are_all;
    return {};
  }

  /// The targets of the command line (`--target` and `--property` together), else of the file, else
  /// of a file beside it. None if there are none anywhere.
  Parsed<Targets> find_targets() const {
    Targets found;
    for (const std::string& text : options_.targets) {
      auto targets = Notation<Model>::parse_targets(file_.model, {"--target", text});
      if (!targets) return std::unexpected(std::move(targets.error()));
      append(found, std::move(*targets), "--target");
    }
    if (options_.property)
      if (auto added = add_property_file(*options_.property, found); !added)
        return std::unexpected(std::move(added.error()));
    if (!found.items.empty()) return found;
    if (!labels_.empty()) return Targets{file_.targets, "--label"};
    if (!file_.targets.empty()) return Targets{file_.targets, "the file"};
    for (const char* extension : Notation<Model>::kTargetSiblings)
      if (const auto sibling = sibling_of(disk_, path_, extension)) {
        if (auto added = add_property_file(*sibling, found); !added)
          return std::unexpected(std::move(added.error()));
        break;
      }
    return found;
  }

  /// The initial states of the command line, else of the file. None if neither says.
  Parsed<Initial> find_initial() const {
    if constexpr (requires { Notation<Model>::any_threads(); })
      if (!options_.initial && options_.any_threads)
        return Initial{Notation<Model>::any_threads(), "--threads"};
    if (!options_.initial) return Initial{file_.initial, initial_from_};
    auto initial = Notation<Model>::parse_initial(file_.model, {"--initial", *options_.initial});
    if (!initial) return std::unexpected(std::move(initial.error()));
    if constexpr (requires { Notation<Model>::check_initial(*initial); })
      if (auto checked = Notation<Model>::check_initial(*initial); !checked)
        return std::unexpected(std::move(checked.error()));
    return Initial{std::move(*initial), "--initial"};
  }

  /// Those, else the default of the kind, with the number of threads that the command line fixes.
  Parsed<Initial> settle_initial() {
    auto initial = find_initial();
    if (!initial) return initial;
    assumed_ = initial->items.empty();
    if (assumed_)
      initial = Initial{Notation<Model>::default_initial(), std::string(Notation<Model>::kAssumed)};
    if constexpr (requires { model::boolean::lists_threads(file_.model); })
      if (assumed_ && model::boolean::lists_threads(file_.model)) initial->from = "the file";
    if (!options_.threads) return initial;
    auto fixed = Notation<Model>::fix_thread_count(*options_.threads, initial->items);
    if (!fixed) return std::unexpected(std::move(fixed.error()));
    initial->from = (assumed_ ? "" : initial->from + " and ") + "--threads";
    return initial;
  }

  const Disk& disk_;
  const std::string& path_;
  const QuestionOptions& options_;
  const frontend::FormatRow& format_;
  ModelFile<Model> file_;
  std::string initial_from_ = "the file";
  std::vector<std::string> labels_;
  bool assumed_ = false;
};

/// A cutoff is about all thread states, in runs of any length.
Diagnostics foreign_to_cutoff(const QuestionOptions& options) {
  const auto refuse = [](const char* option) {
    return complaint(option, "does not apply to 'heddle cutoff'",
                     "leave out " + std::string(option));
  };
  if (!options.targets.empty()) return refuse("--target");
  if (options.property) return refuse("--property");
  if (!options.labels.empty()) return refuse("--label");
  if (options.contexts) return refuse("--contexts");
  return {};
}

Diagnostics missing_target(const std::string& path, std::string_view example) {
  return complaint(path, "there is no target: what should be unreachable?",
                   "give one with " + std::string(example) +
                       ", with --property FILE, or in a file beside it that ends in .prop");
}

/// The files that a C program has code in; headers that cannot be read again are left out.
std::vector<output::SourceFile> sources_of(const Disk& disk, const model::AnyTask& any) {
  std::vector<output::SourceFile> out;
  if (const auto* task = std::get_if<model::CTask>(&any))
    for (const std::string& name : task->model.files)
      if (auto text = disk.peek(name)) out.push_back({name, std::move(*text)});
  return out;
}

/// The question of a task file, which is about other files.
Parsed<Posed> pose_task(const Disk& disk, const std::string& path, const QuestionOptions& options,
                        Asking asking) {
  auto task = open_task(disk, path, options);
  if (!task) return std::unexpected(std::move(task.error()));
  if (is_task_file(task->file))
    return std::unexpected(complaint(path, "its input file is another task file"));
  auto posed = pose(disk, task->file, task->options, asking);
  if (!posed) return posed;
  posed->asked.file = path;
  std::ranges::move(posed->asked.warnings, std::back_inserter(task->warnings));
  posed->asked.warnings = std::move(task->warnings);
  return posed;
}

}  // namespace

Parsed<Posed> pose(const Disk& disk, const std::string& path, const QuestionOptions& given,
                   Asking asking) {
  QuestionOptions options = given;
  if (asking == Asking::Cutoff)
    if (auto foreign = foreign_to_cutoff(options); !foreign.empty())
      return std::unexpected(std::move(foreign));
  if (is_task_file(path)) return pose_task(disk, path, options, asking);
  const auto source = read_source(disk, path);
  if (!source) return std::unexpected(source.error());
  const auto format = format_of(*source, options.format);
  if (!format) return std::unexpected(format.error());
  if (!(*format)->has_settings && !options.linked_files.empty())
    return std::unexpected(complaint(path, "only C programs consist of several files",
                                     "give one file, or name the format with --format c"));
  frontend::ReadSettings settings;
  if ((*format)->has_settings) {
    // What is asked decides how the program is read: a property beside it is found before.
    if (!options.property && options.targets.empty())
      options.property = sibling_of(disk, path, ".prp");
    auto found = read_settings(disk, path, options);
    if (!found) return std::unexpected(std::move(found.error()));
    settings = std::move(*found);
  }
  auto file = (*format)->parse(*source, settings);
  if (!file) return std::unexpected(std::move(file.error()));
  auto posed = std::visit(
      [&]<class Model>(ModelFile<Model>& typed) {
        return Posing<Model>(disk, path, options, **format, std::move(typed)).run(asking);
      },
      *file);
  if (posed && (*format)->has_settings) {
    posed->asked.program_files = options.linked_files;
    posed->asked.program_files.insert(posed->asked.program_files.begin(), path);
    posed->asked.sources = sources_of(disk, posed->task);
  }
  return posed;
}

bool lacks_target(const model::AnyTask& any) {
  return std::visit(
      []<class Model>(const model::Task<Model>& task) {
        return Notation<Model>::kNeedsTarget && task.question.targets.empty();
      },
      any);
}

Diagnostics missing_part(const Posed& posed) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) -> Diagnostics {
        if (posed.asked.asking == Asking::Reachability && lacks_target(posed.task)) {
          Diagnostics said = posed.asked.warnings;  // perhaps they tell why there is none
          std::ranges::move(missing_target(posed.asked.file, Notation<Model>::kTargetHint),
                            std::back_inserter(said));
          return said;
        }
        if (!task.question.initial.empty()) return {};
        return complaint(posed.asked.file, "there is no initial state",
                         std::string(Notation<Model>::kInitialHint));
      },
      posed.task);
}

Parsed<Posed> pose_whole(const Disk& disk, const std::string& file, const QuestionOptions& options,
                         Asking asking) {
  auto posed = pose(disk, file, options, asking);
  if (!posed) return posed;
  if (auto missing = missing_part(*posed); !missing.empty())
    return std::unexpected(std::move(missing));
  return posed;
}

}  // namespace heddle::driver
