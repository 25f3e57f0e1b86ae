#include "driver/written_question.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "driver/question.hpp"
#include "driver/scratch_disk.hpp"
#include "model/boolean_program/listed_threads.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::FormatRow;
using frontend::ModelFile;
using frontend::Place;
using model::CounterBound;
using model::Region;

/// In one form for all formats: nothing is listed that goes without saying.
std::vector<Region> plain_initial(const model::Model& model, std::vector<Region> regions) {
  if (regions.empty()) regions = frontend::default_initial(model);
  for (Region& region : regions)
    std::erase_if(region.bounds, [](const CounterBound& bound) { return bound.upper == 0; });
  return regions;
}

std::vector<Region> plain_targets(std::vector<Region> regions) {
  for (Region& region : regions)
    std::erase_if(region.bounds,
                  [](const CounterBound& bound) { return bound.lower == 0 && !bound.upper; });
  return regions;
}

/// As a rule in the same order, which is found out faster.
bool same_regions(const std::vector<Region>& a, const std::vector<Region>& b) {
  return a == b || same_set(a, b);
}

bool same_initial(const ModelFile& a, const ModelFile& b) {
  return same_regions(plain_initial(a.model, a.initial), plain_initial(b.model, b.initial));
}

bool same_targets(const ModelFile& a, const ModelFile& b) {
  return same_regions(plain_targets(a.targets), plain_targets(b.targets));
}

/// What any command finds in the file and beside it.
Parsed<ModelFile> read_back(const Disk& disk, const std::string& path) {
  auto loaded = load_model(disk, path, "");
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  auto targets = find_targets(disk, path, *loaded, {});
  if (!targets) return std::unexpected(std::move(targets.error()));
  loaded->file.targets = std::move(targets->regions);
  return std::move(loaded->file);
}

enum class Part { Initial, Targets };

Place place_of(const FormatRow& format, Part part) {
  return part == Part::Initial ? format.initial : format.targets;
}

std::string extension_of(Part part) { return part == Part::Initial ? ".init" : ".prop"; }

/// Is there another model of this stem that would take a sibling with the short name for its own?
bool has_namesake(const Disk& disk, const std::string& path, Part part) {
  for (const FormatRow& row : frontend::format_table()) {
    if (place_of(row, part) != Place::Beside) continue;
    for (const std::string_view extension : row.extensions) {
      const std::string other = std::filesystem::path(path).replace_extension(extension).string();
      if (other != path && disk.exists(other)) return true;
    }
  }
  return false;
}

/// Where this part of the question goes, unless it is there already.
std::optional<OutputFile> sibling(const Disk& disk, const std::string& path, Part part, Place place,
                                  std::string text) {
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
void add_siblings(const Disk& disk, const FormatRow& format, const ModelFile& file,
                  const std::string& path, const Parsed<ModelFile>& found, WrittenModel& out) {
  const auto add = [&](Part part, std::string text, const std::string& what) {
    if (place_of(format, part) == Place::InFile) return;
    auto beside = sibling(disk, path, part, place_of(format, part), std::move(text));
    if (!beside) return;
    out.notes.push_back(what + " in " + beside->path);
    out.siblings.push_back(std::move(*beside));
  };
  if (!found || !same_initial(*found, file))
    add(Part::Initial, frontend::print_initial(file.model, plain_initial(file.model, file.initial)),
        "the initial states are");
  if (!file.targets.empty() && (!found || !same_targets(*found, file)))
    add(Part::Targets, frontend::print_targets(file.model, file.targets), "the target is");
}

/// Why the files would not be read as they are meant; nothing if they are.
std::optional<base::Diagnostics> misread(const Disk& disk, const ModelFile& file,
                                         const std::string& path) {
  const auto found = read_back(disk, path);
  if (!found)
    return complaint(path, "would not be read back: " + found.error().at(0).message,
                     "give the output another name, with the extension of its format");
  const std::string hint =
      "a file beside it with the same stem is in the way; give the output another name";
  if (!same_initial(*found, file))
    return complaint(path, "would be read with other initial states", hint);
  if (!same_targets(*found, file))
    return complaint(path, "would be read with another target", hint);
  return std::nullopt;
}

/// Without the initial states where the program lists its threads: they say nothing there.
ModelFile meant(ModelFile file) {
  const auto* program = std::get_if<model::BooleanProgram>(&file.model);
  if (program && model::boolean::lists_threads(*program)) file.initial.clear();
  return file;
}

std::string option(std::string_view name, std::string regions) {
  if (regions.ends_with('\n')) regions.pop_back();
  std::ranges::replace(regions, '\n', ';');
  return std::string(name) + " '" + regions + "'";
}

}  // namespace

WrittenModel write_to_stream(const FormatRow& format, const ModelFile& given) {
  const ModelFile file = meant(given);
  WrittenModel out{format.print(file), {}, {}, {}};
  const auto found = format.parse({"the translation", out.text});
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

Parsed<WrittenModel> write_to_file(const Disk& disk, const FormatRow& format,
                                   const ModelFile& given, const std::string& path) {
  const ModelFile file = meant(given);
  ModelFile bare = file;
  if (format.initial != Place::InFile) bare.initial.clear();
  if (format.targets != Place::InFile) bare.targets.clear();
  WrittenModel out{format.print(bare), {}, {}, {}};
  ScratchDisk scratch(disk);
  scratch.write_all(std::vector{OutputFile{path, out.text}});
  add_siblings(disk, format, file, path, read_back(scratch, path), out);
  scratch.write_all(out.siblings);
  if (auto why = misread(scratch, file, path)) return std::unexpected(std::move(*why));
  return out;
}

}  // namespace heddle::driver
