#include "driver/translate.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "driver/written_question.hpp"
#include "transform/one_marking.hpp"
#include "transform/sequential_program.hpp"
#include "transform/sequential_pushdown.hpp"
#include "transform/translation.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::FormatRow;
using frontend::ModelFile;
using transform::ModelKind;

/// The kind of model that a format holds, found out by asking it.
ModelKind kind_of(const FormatRow& format) {
  if (!format.cannot_print({model::BooleanProgram{}, {}, {}, {}})) return ModelKind::BooleanProgram;
  if (!format.cannot_print({model::PushdownSystem{}, {}, {}, {}})) return ModelKind::PushdownSystem;
  const bool threads = !format.cannot_print({model::ThreadSystem{}, {}, {}, {}});
  return threads ? ModelKind::ThreadSystem : ModelKind::PetriNet;
}

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
Parsed<ModelFile> read(const Disk& disk, const TranslateRequest& request,
                       std::vector<std::string>& notes) {
  auto loaded = load_model(disk, request.file, request.question.format);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  if (auto chosen = choose_labels(request.file, request.question.labels, *loaded); !chosen)
    return std::unexpected(std::move(chosen.error()));
  auto targets = find_targets(disk, request.file, *loaded, request.question);
  if (!targets) return std::unexpected(std::move(targets.error()));
  auto initial = find_initial(*loaded, request.question);
  if (!initial) return std::unexpected(std::move(initial.error()));
  ModelFile file = std::move(loaded->file);
  if (initial->regions.empty()) {
    initial = assumed_initial(file.model);
    if (!initial->regions.empty() && !request.question.threads)
      notes.push_back("initial states " + initial->from);
  }
  if (const auto& threads = request.question.threads) {
    auto fixed = fix_thread_count(file.model, *threads, initial->regions);
    if (!fixed) return std::unexpected(std::move(fixed.error()));
  }
  if (targets->regions.empty()) notes.push_back("there is no target to translate");
  file.initial = std::move(initial->regions);
  file.targets = std::move(targets->regions);
  return file;
}

/// The file as one about the given kind of model.
Parsed<ModelFile> to_kind(const std::string& path, ModelFile file, ModelKind kind) {
  if (transform::kind_of(file.model) == kind) return file;
  auto translation = transform::translate({file.model, {file.initial, file.targets}}, kind);
  if (!translation)
    return std::unexpected(complaint(
        path,
        "this " + model::kind_name(file.model) + " has no counterpart: " + translation.error(),
        "docs/translations.md lists what can be translated"));
  model::Task& task = translation->translated;
  return ModelFile{std::move(task.model), std::move(task.question.initial),
                   std::move(task.question.targets), std::move(file.warnings)};
}

/// More rules than these are no use to any tool.
constexpr std::size_t kMostSequentialRules = 2'000'000;

/// One thread that does what all threads do within so many contexts each.
Parsed<ModelFile> to_one_thread(const TranslateRequest& request, ModelFile file) {
  auto reduction = transform::sequentialise(
      {file.model, {file.initial, file.targets, request.question.contexts}}, kMostSequentialRules,
      request.first);
  if (!reduction)
    return std::unexpected(complaint(request.file,
                                     "there is no sequential system: " + reduction.error(),
                                     "try fewer --contexts"));
  model::Task& task = reduction->sequential;
  return ModelFile{std::move(task.model), std::move(task.question.initial),
                   std::move(task.question.targets), std::move(file.warnings)};
}

Parsed<ModelFile> to_one_thread_program(const TranslateRequest& request, ModelFile file) {
  auto program = transform::sequentialise_program(
      {file.model, {file.initial, file.targets, request.question.contexts}}, request.first);
  if (!program)
    return std::unexpected(complaint(request.file,
                                     "there is no sequential program: " + program.error(),
                                     "docs/translations.md lists what can be translated"));
  ModelFile one{std::move(*program), {}, std::move(file.targets), std::move(file.warnings)};
  one.initial = frontend::default_initial(one.model);
  return one;
}

/// The file as one about the kind of model that the output format holds.
Parsed<ModelFile> convert(const TranslateRequest& request, ModelFile file, ModelKind kind) {
  if (!request.question.contexts) return to_kind(request.file, std::move(file), kind);
  if (model::is_counting(file.model))
    return std::unexpected(complaint(request.file,
                                     "a " + model::kind_name(file.model) + " has no contexts",
                                     "--contexts is for Boolean programs and pushdown systems"));
  if (kind == ModelKind::PushdownSystem) {
    auto threads = to_kind(request.file, std::move(file), kind);
    return threads ? to_one_thread(request, std::move(*threads)) : threads;
  }
  if (!model::is_program(file.model)) return to_kind(request.file, std::move(file), kind);
  auto one = to_one_thread_program(request, std::move(file));
  return one ? to_kind(request.file, std::move(*one), kind) : one;
}

/// The file in a form that the format can hold: a net with one initial marking where it must be.
Parsed<ModelFile> fit(const TranslateRequest& request, const FormatRow& format, ModelFile file,
                      std::vector<std::string>& notes) {
  auto reason = format.cannot_print(file);
  if (!reason) return file;
  if (std::holds_alternative<model::PetriNet>(file.model) && !file.initial.empty()) {
    model::Task task =
        transform::start_in_one_marking({file.model, {file.initial, file.targets}}).translated;
    ModelFile one{std::move(task.model), std::move(task.question.initial),
                  std::move(task.question.targets), std::move(file.warnings)};
    reason = format.cannot_print(one);
    if (!reason) {
      notes.push_back("the format has one initial marking: transitions make the others of it");
      return one;
    }
  }
  return std::unexpected(complaint(
      request.file, "format " + std::string(format.name) + " cannot hold this: " + *reason));
}

std::string size_of(const model::Model& model) {
  const std::string transitions = std::to_string(model::transition_count(model)) + " transitions";
  if (model::is_program(model)) return "a Boolean program";
  if (model::is_pushdown(model))
    return "a pushdown system with " + std::to_string(model::counter_count(model)) +
           (model::counter_count(model) == 1 ? " thread and " : " threads and ") +
           std::to_string(model::transition_count(model)) + " rules";
  if (std::holds_alternative<model::PetriNet>(model))
    return "a Petri net with " + std::to_string(model::counter_count(model)) + " places and " +
           transitions;
  return "a thread system with " + std::to_string(model::shared_count(model)) + " shared states, " +
         std::to_string(model::counter_count(model)) + " local states and " + transitions;
}

}  // namespace

Parsed<TranslatedFile> translate(const Disk& disk, const TranslateRequest& request) {
  const auto format = find_output_format(request);
  if (!format) return std::unexpected(format.error());
  TranslatedFile out;
  auto read_file = read(disk, request, out.notes);
  if (!read_file) return std::unexpected(std::move(read_file.error()));
  const std::string before = size_of(read_file->model);
  auto file = convert(request, std::move(*read_file), kind_of(**format));
  if (file) file = fit(request, **format, std::move(*file), out.notes);
  if (!file) return std::unexpected(std::move(file.error()));
  if (const std::string after = size_of(file->model); after != before)
    out.notes.insert(out.notes.begin(), before + " became " + after);
  auto written = request.out && !disk.is_stream(*request.out)
                     ? write_to_file(disk, **format, *file, *request.out)
                     : write_to_stream(**format, *file);
  if (!written) return std::unexpected(std::move(written.error()));
  out.text = std::move(written->text);
  out.siblings = std::move(written->siblings);
  std::ranges::move(written->notes, std::back_inserter(out.notes));
  out.warnings = file->warnings;
  std::ranges::move(written->warnings, std::back_inserter(out.warnings));
  return out;
}

}  // namespace heddle::driver
