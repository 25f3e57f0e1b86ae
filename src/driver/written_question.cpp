#include "driver/written_question.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "driver/pose.hpp"
#include "driver/scratch_disk.hpp"
#include "frontend/notation.hpp"
#include "model/boolean_program/listed_threads.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::AnyModelFile;
using frontend::FormatRow;
using frontend::ModelFile;
using frontend::Notation;
using frontend::QuestionPlace;

/// In one form for all formats: nothing is listed that goes without saying.
template <class Model>
std::vector<model::InitialOf<Model>> plain_initial(std::vector<model::InitialOf<Model>> initial) {
  if (initial.empty()) initial = Notation<Model>::default_initial();
  for (auto& state : initial) state = Notation<Model>::plain_initial(std::move(state));
  return initial;
}

template <class Model>
std::vector<model::TargetOf<Model>> plain_targets(std::vector<model::TargetOf<Model>> targets) {
  for (auto& target : targets) target = Notation<Model>::plain_target(std::move(target));
  return targets;
}

template <class Model>
bool same_initial(const model::Task<Model>& found, const ModelFile<Model>& file) {
  return same_set(plain_initial<Model>(found.question.initial), plain_initial<Model>(file.initial));
}

template <class Model>
bool same_targets(const model::Task<Model>& found, const ModelFile<Model>& file) {
  return same_set(plain_targets<Model>(found.question.targets), plain_targets<Model>(file.targets));
}

/// What any command finds in the file and beside it.
template <class Model>
Parsed<model::Task<Model>> read_back(const Disk& disk, const std::string& path) {
  auto posed = pose(disk, path, QuestionOptions());
  if (!posed) return std::unexpected(std::move(posed.error()));
  auto* task = std::get_if<model::Task<Model>>(&posed->task);
  if (!task) return std::unexpected(complaint(path, "is read as another kind of model"));
  return std::move(*task);
}

enum class Part { Initial, Targets };

QuestionPlace place_of(const FormatRow& format, Part part) {
  return part == Part::Initial ? format.initial : format.targets;
}

std::string extension_of(Part part) { return part == Part::Initial ? ".init" : ".prop"; }

/// Is there another model of this stem that would take a sibling with the short name for its own?
bool has_namesake(const Disk& disk, const std::string& path, Part part) {
  for (const FormatRow& row : frontend::format_table()) {
    if (place_of(row, part) != QuestionPlace::Beside) continue;
    for (const std::string_view extension : row.extensions) {
      const std::string other = std::filesystem::path(path).replace_extension(extension).string();
      if (other != path && disk.exists(other)) return true;
    }
  }
  return false;
}

/// Where this part of the question goes, unless it is there already.
std::optional<OutputFile> sibling(const Disk& disk, const std::string& path, Part part,
                                  QuestionPlace place, std::string text) {
  const std::vector<std::string> names = sibling_names(path, extension_of(part), place);
  const std::string& long_name = names.front();
  const std::string& short_name = names.back();
  const auto holds_it = [&](const std::string& name) { return disk.peek(name) == text; };
  const bool long_exists = disk.exists(long_name);  // then it is the one that is read
  if (holds_it(long_exists ? long_name : short_name)) return std::nullopt;
  const bool taken = long_exists || disk.exists(short_name) || has_namesake(disk, path, part);
  return OutputFile{taken ? long_name : short_name, std::move(text)};
}

/// Adds what the reader does not find yet.
template <class Model>
void add_siblings(const Disk& disk, const FormatRow& format, const ModelFile<Model>& file,
                  const std::string& path, const Parsed<model::Task<Model>>& found,
                  WrittenModel& out) {
  const auto add = [&](Part part, std::string text, const std::string& what) {
    if (place_of(format, part) == QuestionPlace::InFile) return;
    auto beside = sibling(disk, path, part, place_of(format, part), std::move(text));
    if (!beside) return;
    out.notes.push_back(what + " in " + beside->path);
    out.siblings.push_back(std::move(*beside));
  };
  if (!found || !same_initial(*found, file))
    add(Part::Initial, frontend::print_initial(file.model, plain_initial<Model>(file.initial)),
        "the initial states are");
  if (!file.targets.empty() && (!found || !same_targets(*found, file)))
    add(Part::Targets, frontend::print_targets(file.model, file.targets), "the target is");
}

/// Why the files would not be read as they are meant; nothing if they are.
template <class Model>
std::optional<base::Diagnostics> misread(const Disk& disk, const ModelFile<Model>& file,
                                         const std::string& path) {
  const auto found = read_back<Model>(disk, path);
  if (!found)
    return complaint(path, "would not be read back: " + found.error().at(0).message,
                     "give the output another name, with the extension of its format");
  const std::string hint =
      "a file with the same stem exists beside it; give the output another name";
  if (!same_initial(*found, file))
    return complaint(path, "would be read with other initial states", hint);
  if (!same_targets(*found, file))
    return complaint(path, "would be read with another target", hint);
  return std::nullopt;
}

/// Without the initial states where the model lists its threads: they say nothing there.
template <class Model>
ModelFile<Model> meant(ModelFile<Model> file) {
  if constexpr (requires { model::boolean::lists_threads(file.model); })
    if (model::boolean::lists_threads(file.model)) file.initial.clear();
  return file;
}

std::string option(std::string_view name, std::string regions) {
  if (regions.ends_with('\n')) regions.pop_back();
  std::ranges::replace(regions, '\n', ';');
  return std::string(name) + " '" + regions + "'";
}

template <class Model>
WrittenModel stream(const FormatRow& format, const ModelFile<Model>& file) {
  WrittenModel out{format.print(file), {}, {}, {}};
  const auto parsed = format.parse({"the translation", out.text}, {});
  std::optional<model::Task<Model>> found;
  if (parsed) {
    const auto& typed = std::get<ModelFile<Model>>(*parsed);
    found = model::Task<Model>{{}, {typed.initial, typed.targets}};
  }
  std::string lost;
  if (!found || !same_initial(*found, file))
    lost += option(" --initial", frontend::print_initial(file.model, file.initial));
  if (!file.targets.empty() && (!found || !same_targets(*found, file)))
    lost += option(" --target", frontend::print_targets(file.model, file.targets));
  if (lost.empty()) return out;
  out.warnings = complaint("", "the format " + std::string(format.name) +
                                   " has no place for the whole question: read it with" + lost);
  for (base::Diagnostic& warning : out.warnings) warning.severity = base::Severity::Warning;
  return out;
}

template <class Model>
Parsed<WrittenModel> file_at(const Disk& disk, const FormatRow& format,
                             const ModelFile<Model>& file, const std::string& path) {
  ModelFile<Model> bare = file;
  if (format.initial != QuestionPlace::InFile) bare.initial.clear();
  if (format.targets != QuestionPlace::InFile) bare.targets.clear();
  WrittenModel out{format.print(bare), {}, {}, {}};
  ScratchDisk scratch(disk);
  scratch.write_all(std::vector{OutputFile{path, out.text}});
  add_siblings(disk, format, file, path, read_back<Model>(scratch, path), out);
  scratch.write_all(out.siblings);
  if (auto why = misread(scratch, file, path)) return std::unexpected(std::move(*why));
  return out;
}

}  // namespace

WrittenModel write_to_stream(const FormatRow& format, const AnyModelFile& given) {
  return std::visit([&](const auto& file) { return stream(format, meant(file)); }, given);
}

Parsed<WrittenModel> write_to_file(const Disk& disk, const FormatRow& format,
                                   const AnyModelFile& given, const std::string& path) {
  return std::visit([&](const auto& file) { return file_at(disk, format, meant(file), path); },
                    given);
}

}  // namespace heddle::driver
