#include "driver/translate.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "transform/sequential_program.hpp"
#include "transform/sequential_pushdown.hpp"
#include "transform/translation.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::FormatRow;
using frontend::ModelFile;
using model::Region;
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
  return ModelFile{std::move(*program), {}, std::move(file.targets), std::move(file.warnings)};
}

/// The file as the output format holds it.
Parsed<ModelFile> convert(const TranslateRequest& request, ModelFile file, ModelKind kind) {
  const auto& contexts = request.question.contexts;
  if (contexts && kind == ModelKind::PushdownSystem) {
    auto threads = to_kind(request.file, std::move(file), kind);
    return threads ? to_one_thread(request, std::move(*threads)) : threads;
  }
  if (contexts && kind == ModelKind::BooleanProgram && model::is_program(file.model))
    return to_one_thread_program(request, std::move(file));
  return to_kind(request.file, std::move(file), kind);
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

template <class Show>
std::string lines(const model::Model& model, const std::vector<Region>& regions, Show show,
                  const std::string& before, const std::string& after) {
  std::string out;
  for (const Region& region : regions) out.append(before).append(show(model, region)).append(after);
  return out;
}

/// The notation of thread systems knows exact numbers and any number, and nothing between.
bool has_range(const Region& region) {
  return std::ranges::any_of(region.bounds, [](const model::CounterBound& bound) {
    return bound.upper && *bound.upper != bound.lower;
  });
}

/// Names the initial states of a thread or pushdown system: their formats have no place for them.
Parsed<void> add_initial(const TranslateRequest& request, const ModelFile& file,
                         TranslatedFile& out) {
  if (std::ranges::any_of(file.initial, has_range))
    return std::unexpected(complaint(request.file,
                                     "a range of initial tokens has no notation for threads",
                                     "give exact numbers with --initial"));
  const auto show = model::initial_to_string;
  out.text = lines(file.model, file.initial, show, "# initial states: ", "\n") + out.text;
  if (file.initial == frontend::default_initial(file.model)) return {};
  const std::string initial = lines(file.model, file.initial, show, "", "; ");
  out.notes.push_back("give the initial states with --initial '" +
                      initial.substr(0, std::max<std::size_t>(initial.size(), 2) - 2) + "'");
  return {};
}

/// Puts the targets beside a model whose format has no place for them.
Parsed<void> add_targets(const Disk& disk, const TranslateRequest& request, const ModelFile& file,
                         TranslatedFile& out) {
  const auto show = model::target_to_string;
  std::string text = lines(file.model, file.targets, show, "", "\n");
  if (!request.out) {
    out.notes.push_back("the format has no target; it is\n" + text.substr(0, text.size() - 1));
    if (transform::kind_of(file.model) == ModelKind::ThreadSystem)
      out.text = lines(file.model, file.targets, show, "# target: ", "\n") + out.text;
    return {};
  }
  const std::string path = std::filesystem::path(*request.out).replace_extension(".prop").string();
  if (path == *request.out || (disk.exists(path) && disk.read(path) != text))
    return std::unexpected(complaint(path, "the target would go here, but this file exists",
                                     "choose another name for the output"));
  out.notes.push_back("the target is in " + path);
  out.property = OutputFile{path, std::move(text)};
  return {};
}

/// Does the printed text lack the targets?
bool lost_targets(const FormatRow& format, const ModelFile& file, const std::string& text) {
  if (file.targets.empty()) return false;
  const auto read_again = format.parse({"the translation", text});
  return !read_again || read_again->targets.empty();
}

}  // namespace

Parsed<TranslatedFile> translate(const Disk& disk, const TranslateRequest& request) {
  const auto format = find_output_format(request);
  if (!format) return std::unexpected(format.error());
  TranslatedFile out;
  auto read_file = read(disk, request, out.notes);
  if (!read_file) return std::unexpected(std::move(read_file.error()));
  const std::string before = size_of(read_file->model);
  const auto file = convert(request, std::move(*read_file), kind_of(**format));
  if (!file) return std::unexpected(file.error());
  if (const std::string after = size_of(file->model); after != before)
    out.notes.insert(out.notes.begin(), before + " became " + after);
  if (const auto reason = (*format)->cannot_print(*file))
    return std::unexpected(complaint(
        request.file, "format " + std::string((*format)->name) + " cannot hold this: " + *reason));
  out.warnings = file->warnings;
  out.text = (*format)->print(*file);
  const bool lost = lost_targets(**format, *file, out.text);
  const ModelKind kind = kind_of(**format);
  if (kind == ModelKind::ThreadSystem || kind == ModelKind::PushdownSystem)
    if (auto added = add_initial(request, *file, out); !added)
      return std::unexpected(std::move(added.error()));
  if (lost)
    if (auto added = add_targets(disk, request, *file, out); !added)
      return std::unexpected(std::move(added.error()));
  return out;
}

}  // namespace heddle::driver
