#include "driver/translate.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "driver/pose.hpp"
#include "driver/written_question.hpp"
#include "frontend/notation.hpp"
#include "model/c/print.hpp"
#include "model/counting.hpp"
#include "transform/one_marking.hpp"
#include "transform/sequential_c/quiet.hpp"
#include "transform/sequential_c/sequential_c.hpp"
#include "transform/sequential_program.hpp"
#include "transform/sequential_pushdown.hpp"
#include "transform/translation.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::AnyModelFile;
using frontend::FormatRow;
using model::AnyKind;
using model::AnyTask;

std::string formats_with_extensions() {
  std::string out;
  for (const FormatRow& row : frontend::format_table())
    out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

Parsed<const FormatRow*> find_output_format(const TranslateRequest& request) {
  if (!request.to.empty()) return frontend::find_format(request.to);
  const std::string extension = std::filesystem::path(*request.out).extension().string();
  for (const FormatRow& row : frontend::format_table())
    if (std::ranges::find(row.extensions, extension) != row.extensions.end()) return &row;
  return std::unexpected(complaint(*request.out, "this extension belongs to no format",
                                   "name the format with --to: " + formats_with_extensions()));
}

/// The file's model with what is asked about it; targets may be missing.
Parsed<Posed> read(const Disk& disk, const TranslateRequest& request,
                   std::vector<std::string>& notes) {
  auto posed = pose(disk, request.file, request.question);
  if (!posed) return posed;
  const auto [no_initial, no_target] = std::visit(
      [](const auto& task) {
        return std::pair(task.question.initial.empty(), task.question.targets.empty());
      },
      posed->task);
  if (posed->initial_assumed && !no_initial && !request.question.threads)
    notes.push_back("initial states " + posed->asked.initial_from);
  if (no_target) notes.push_back("there is no target to translate");
  return posed;
}

/// The task as one about the given kind of model.
Parsed<AnyTask> to_kind(const std::string& path, AnyTask task, const AnyKind& kind) {
  if (model::kind_of(task) == kind) return task;
  auto translation = transform::translate(task, kind);
  if (!translation)
    return std::unexpected(complaint(
        path, "this " + model::kind_name(task) + " has no counterpart: " + translation.error(),
        "docs/translations.md lists what can be translated"));
  return std::move(translation->translated);
}

/// More rules than these are no use to any tool.
constexpr std::size_t kMostSequentialRules = 2'000'000;

/// One thread that does what all threads do within so many contexts each.
Parsed<AnyTask> to_one_thread(const TranslateRequest& request, const model::PushdownTask& task) {
  auto reduction = transform::sequentialise(task, kMostSequentialRules, request.first);
  if (!reduction)
    return std::unexpected(complaint(request.file,
                                     "there is no sequential system: " + reduction.error(),
                                     "try fewer --contexts"));
  return std::move(reduction->sequential);
}

Parsed<AnyTask> to_one_thread(const TranslateRequest& request, const model::ProgramTask& task) {
  auto program = transform::sequentialise_program(task, request.first);
  if (!program)
    return std::unexpected(complaint(request.file,
                                     "there is no sequential program: " + program.error(),
                                     "docs/translations.md lists what can be translated"));
  return model::ProgramTask{
      std::move(*program),
      {frontend::Notation<model::BooleanProgram>::default_initial(), task.question.targets}};
}

/// Within a number of contexts: threads become one thread, where the output can hold one.
Parsed<AnyTask> within_contexts(const TranslateRequest& request, const model::PushdownTask& task,
                                const AnyKind& kind) {
  if (kind != AnyKind(model::Tag<model::PushdownSystem>()))
    return to_kind(request.file, task, kind);
  return to_one_thread(request, task);
}

Parsed<AnyTask> within_contexts(const TranslateRequest& request, const model::ProgramTask& task,
                                const AnyKind& kind) {
  if (kind == AnyKind(model::Tag<model::PushdownSystem>())) {
    auto threads = to_kind(request.file, task, kind);
    if (!threads) return threads;
    return to_one_thread(request, std::get<model::PushdownTask>(*threads));
  }
  auto one = to_one_thread(request, task);
  return one ? to_kind(request.file, std::move(*one), kind) : one;
}

template <class Model>
Parsed<AnyTask> within_contexts(const TranslateRequest& request, const model::Task<Model>&,
                                const AnyKind&) {
  return std::unexpected(
      complaint(request.file, "a " + std::string(model::Kind<Model>::kName) + " has no contexts",
                "--contexts is for C programs, Boolean programs and pushdown systems"));
}

/// The task as one about the kind of model that the output format holds.
Parsed<AnyTask> convert(const TranslateRequest& request, const AnyTask& any, const AnyKind& kind) {
  if (!request.question.contexts) return to_kind(request.file, any, kind);
  return std::visit([&](const auto& task) { return within_contexts(request, task, kind); }, any);
}

AnyModelFile file_of(const AnyTask& any) {
  return std::visit(
      []<class Model>(const model::Task<Model>& task) -> AnyModelFile {
        return frontend::ModelFile<Model>{
            task.model, task.question.initial, task.question.targets, {}};
      },
      any);
}

/// A form that a format of its kind may hold where it cannot hold the task itself, with what was
/// done: a net with one initial marking. Nothing if there is none.
struct Fitted {
  AnyTask task;
  std::string note;
};
std::optional<Fitted> other_form(const model::NetTask& task) {
  if (task.question.initial.empty()) return std::nullopt;
  return Fitted{transform::start_in_one_marking(task).translated,
                "the format has one initial marking: transitions make the others of it"};
}
template <class Model>
std::optional<Fitted> other_form(const model::Task<Model>&) {
  return std::nullopt;
}

/// The task as a file that the format can hold.
Parsed<AnyModelFile> fit(const TranslateRequest& request, const FormatRow& format,
                         const AnyTask& any, std::vector<std::string>& notes) {
  AnyModelFile file = file_of(any);
  auto reason = format.cannot_print(file);
  if (!reason) return file;
  if (auto other = std::visit([](const auto& task) { return other_form(task); }, any)) {
    file = file_of(other->task);
    reason = format.cannot_print(file);
    if (!reason) {
      notes.push_back(other->note);
      return file;
    }
  }
  return std::unexpected(complaint(
      request.file, "format " + std::string(format.name) + " cannot hold this: " + *reason));
}

template <class Model>
std::string size_text(const Model&) {
  return "a " + std::string(model::Kind<Model>::kName);
}
std::string size_text(const model::PushdownSystem& system) {
  return "a pushdown system with " + base::counted(system.threads.size(), "thread") + " and " +
         base::counted(system.transitions.size(), "rule");
}
std::string size_text(const model::PetriNet& net) {
  return "a Petri net with " + base::counted(net.places.size(), "place") + " and " +
         base::counted(net.transitions.size(), "transition");
}
std::string size_text(const model::ThreadSystem& system) {
  return "a thread system with " + base::counted(system.shared_count, "shared state") + ", " +
         base::counted(system.local_count, "local state") + " and " +
         base::counted(system.transitions.size(), "transition");
}

std::string size_of(const AnyModelFile& any) {
  return std::visit([](const auto& file) { return size_text(file.model); }, any);
}

std::string size_of(const AnyTask& any) {
  return std::visit([](const auto& task) { return size_text(task.model); }, any);
}

/// `--to model`: the model of a C program as text, for people. No format reads it.
Parsed<TranslatedFile> model_text(const Disk& disk, const TranslateRequest& request) {
  auto posed = pose(disk, request.file, request.question);
  if (!posed) return std::unexpected(std::move(posed.error()));
  const auto* task = std::get_if<model::CTask>(&posed->task);
  if (!task)
    return std::unexpected(
        complaint(request.file,
                  "is a " + model::kind_name(posed->task) + ", which every format shows as it is",
                  "--to model is for C programs"));
  TranslatedFile out;
  out.text = model::c::print(task->model);
  out.warnings = std::move(posed->asked.warnings);
  return out;
}

/// More copies of all that is shared are no use to any tool.
constexpr std::uint32_t kMostSequentialContexts = 256;
/// More pairs of accesses are not looked at: turns may end before each of them.
constexpr std::uint64_t kMostPairs = 100'000;

/// `--to c`: the threads of a C program as one.
Parsed<TranslatedFile> sequential_c(const TranslateRequest& request, Posed posed) {
  const auto& task = std::get<model::CTask>(posed.task);
  const auto refuse = [&](std::string why, std::string hint) {
    return std::unexpected(complaint(request.file, std::move(why), std::move(hint)));
  };
  if (!task.question.contexts)
    return refuse("a C program becomes a sequential one within a number of contexts only",
                  "give --contexts");
  if (*task.question.contexts > kMostSequentialContexts)
    return refuse("more than " + std::to_string(kMostSequentialContexts) + " contexts",
                  "try fewer --contexts");
  if (request.first != transform::FirstTurn::First)
    return refuse("the first turn of a C program is that of main", "leave out --first");
  if (task.question.targets.size() != 1 ||
      !transform::has_sequential_c(task.question.targets.front()))
    return refuse("the property has no counterpart in a sequential program",
                  "give --property reach or memory");
  transform::SequentialCOptions options;
  options.contexts = *task.question.contexts;
  options.unroll = request.unroll;
  transform::sequential_c::QuietAccesses quiet;
  if (request.horn.reduction) {
    base::Limits limits;
    limits.steps = kMostPairs;
    base::RunContext context(limits);
    quiet = transform::sequential_c::quiet_accesses(task.model, context);
  }
  options.is_quiet = [&](model::c::FunctionId function, model::c::Location at) {
    return quiet.contains({function, at});
  };
  auto made = transform::sequentialise(task.model, task.question.targets.front(), options);
  if (!made) {
    const model::c::Position& at = made.error().position;
    const std::string line = at.line == 0 ? "" : " (line " + std::to_string(at.line) + ")";
    return refuse("there is no sequential program: " + made.error().why + line,
                  "docs/translations.md lists what can be translated");
  }
  TranslatedFile out;
  out.text = std::move(made->text);
  out.notes.push_back("a sequential program of " + base::counted(made->threads, "thread") +
                      " at most, within " + base::counted(options.contexts, "context") +
                      " per thread");
  out.warnings = std::move(posed.asked.warnings);
  return out;
}

}  // namespace

Parsed<TranslatedFile> translate(const Disk& disk, const TranslateRequest& request) {
  if (request.to == kModelText) return model_text(disk, request);
  if (request.to == kHornText || (request.to.empty() && request.out->ends_with(".smt2"))) {
    auto clauses = horn_clauses(disk, request.file, request.question, request.horn);
    if (!clauses) return std::unexpected(std::move(clauses.error()));
    TranslatedFile out;
    out.text = std::move(*clauses);
    const bool is_exact = request.horn.form == HornForm::Product;
    out.notes.push_back(is_exact ? "sat: no error is reachable"
                                 : "sat: no error is reachable; unsat: nothing is known");
    return out;
  }
  const auto format = find_output_format(request);
  if (!format) return std::unexpected(format.error());
  TranslatedFile out;
  auto posed = read(disk, request, out.notes);
  if (!posed) return std::unexpected(std::move(posed.error()));
  if (std::holds_alternative<model::CTask>(posed->task) && (*format)->name == "c")
    return sequential_c(request, std::move(*posed));
  const std::string before = size_of(posed->task);
  const auto task = convert(request, posed->task, (*format)->kind);
  if (!task) return std::unexpected(task.error());
  const auto file = fit(request, **format, *task, out.notes);
  if (!file) return std::unexpected(file.error());
  if (const std::string after = size_of(*file); after != before)
    out.notes.insert(out.notes.begin(), before + " became " + after);
  auto written = request.out && !disk.is_stream(*request.out)
                     ? write_to_file(disk, **format, *file, *request.out)
                     : write_to_stream(**format, *file);
  if (!written) return std::unexpected(std::move(written.error()));
  out.text = std::move(written->text);
  out.siblings = std::move(written->siblings);
  std::ranges::move(written->notes, std::back_inserter(out.notes));
  out.warnings = posed->asked.warnings;
  std::ranges::move(written->warnings, std::back_inserter(out.warnings));
  return out;
}

}  // namespace heddle::driver
