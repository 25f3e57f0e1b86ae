#include "driver/question.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "base/suggest.hpp"
#include "model/boolean_program/error_label.hpp"

namespace heddle::driver {

namespace {

using base::Diagnostics;
using base::Integer;
using base::Parsed;
using frontend::SourceText;
using model::CounterBound;
using model::Region;

bool is_thread_system(const model::Model& model) {
  return std::holds_alternative<model::ThreadSystem>(model);
}

std::string format_names() {
  std::string out;
  for (const frontend::FormatRow& row : frontend::format_table())
    out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

Parsed<SourceText> read_source(const Disk& disk, const std::string& path) {
  auto text = disk.read(path);
  if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
  return SourceText{path, std::move(*text)};
}

void append(SourcedRegions& all, std::vector<Region> regions, const std::string& from) {
  std::ranges::move(regions, std::back_inserter(all.regions));
  if (all.from == from) return;
  all.from += (all.from.empty() ? "" : " and ") + from;
}

/// `props.xml#Name` is one property of a file: what stands behind the '#' is for the front end,
/// unless there is a file of that whole name.
std::string without_property_name(const Disk& disk, const std::string& path) {
  const std::size_t mark = path.rfind('#');
  return mark == std::string::npos || disk.exists(path) ? path : path.substr(0, mark);
}

/// Adds the targets of a property file.
Parsed<void> add_property_file(const Disk& disk, const std::string& path, const model::Model& model,
                               SourcedRegions& all) {
  auto source = read_source(disk, without_property_name(disk, path));
  if (!source) return std::unexpected(std::move(source.error()));
  source->name = path;
  auto regions = frontend::parse_targets(model, *source);
  if (!regions) return std::unexpected(std::move(regions.error()));
  append(all, std::move(*regions), path);
  return {};
}

/// The first of the file's siblings with one of these extensions, or nothing.
std::optional<std::string> sibling_of(const Disk& disk, const std::string& path,
                                      const std::vector<const char*>& extensions,
                                      frontend::Place place = frontend::Place::Beside) {
  for (const char* extension : extensions)
    for (const std::string& sibling : sibling_names(path, extension, place))
      if (disk.exists(sibling)) return sibling;
  return std::nullopt;
}

/// A run of a Boolean program lists each of its threads.
constexpr unsigned long kMostListedThreads = 1'000'000;

Parsed<void> check_listed(const std::string& option, const Integer& threads) {
  if (threads <= kMostListedThreads) return {};
  return std::unexpected(complaint(
      option,
      "runs of a Boolean program list their threads: " + base::to_string(threads) + " are too many",
      "give at most " + std::to_string(kMostListedThreads) + ", or any"));
}

Diagnostics complain_about_threads(std::string message) {
  return complaint("--threads", std::move(message),
                   "--threads N fixes the number of threads in the one local state that "
                   "--initial 's/l' leaves open");
}

}  // namespace

std::vector<std::string> sibling_names(const std::string& path, const std::string& extension,
                                       frontend::Place place) {
  if (place == frontend::Place::InFile) return {};
  std::vector<std::string> names{path + extension};
  if (place == frontend::Place::BesideLongName) return names;
  std::string short_name = std::filesystem::path(path).replace_extension(extension).string();
  if (short_name != path) names.push_back(std::move(short_name));
  return names;
}

std::vector<std::string> input_files(const Disk& disk, const std::string& path,
                                     const QuestionOptions& options) {
  std::vector<std::string> files{path};
  if (options.property) files.push_back(without_property_name(disk, *options.property));
  for (const char* extension : {".prop", ".prp", ".spec", ".formula", ".init"})
    std::ranges::move(sibling_names(path, extension, frontend::Place::Beside),
                      std::back_inserter(files));
  return files;
}

Diagnostics complaint(std::string file, std::string message, std::string hint) {
  base::Diagnostic diagnostic;
  diagnostic.location.file = std::move(file);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return {std::move(diagnostic)};
}

namespace {

/// The initial states in a file beside the model, if its own file does not say.
Parsed<void> add_sibling_initial(const Disk& disk, const std::string& path, frontend::Place place,
                                 LoadedModel& loaded) {
  if (!loaded.file.initial.empty()) return {};
  const auto sibling = sibling_of(disk, path, {".init"}, place);
  if (!sibling) return {};
  const auto source = read_source(disk, *sibling);
  if (!source) return std::unexpected(source.error());
  auto regions = frontend::parse_initial(loaded.file.model, *source);
  if (!regions) return std::unexpected(std::move(regions.error()));
  loaded.file.initial = std::move(*regions);
  loaded.initial_from = *sibling;
  return {};
}

}  // namespace

Parsed<LoadedModel> load_model(const Disk& disk, const std::string& path,
                               const std::string& format) {
  const auto source = read_source(disk, path);
  if (!source) return std::unexpected(source.error());
  const frontend::FormatRow* row =
      format.empty() ? frontend::guess_format(path, source->text) : frontend::find_format(format);
  if (!row)
    return std::unexpected(complaint(path, "cannot tell the format of this file",
                                     "name it with --format: " + format_names()));
  auto file = row->parse(*source);
  if (!file) return std::unexpected(std::move(file.error()));
  LoadedModel loaded{std::string(row->name), std::move(*file), "the file"};
  if (auto added = add_sibling_initial(disk, path, row->initial, loaded); !added)
    return std::unexpected(std::move(added.error()));
  return loaded;
}

Parsed<void> choose_labels(const std::string& path, const std::vector<std::string>& labels,
                           LoadedModel& loaded) {
  if (labels.empty()) return {};
  auto* program = std::get_if<model::BooleanProgram>(&loaded.file.model);
  if (!program)
    return std::unexpected(complaint(path,
                                     "a " + model::kind_name(loaded.file.model) +
                                         " has no labels: --label is for Boolean programs",
                                     "say with --target what should be unreachable"));
  const std::vector<std::string> known = model::boolean::labels_of(*program);
  for (const std::string& label : labels)
    if (!std::ranges::binary_search(known, label))
      return std::unexpected(complaint(path, "there is no label '" + label + "'",
                                       known.empty() ? "no statement of the program has a label"
                                                     : base::did_you_mean(label, known)));
  const std::set<std::string> chosen(labels.begin(), labels.end());
  program->failure_labels.assign(chosen.begin(), chosen.end());
  loaded.labels = program->failure_labels;
  return {};
}

Parsed<SourcedRegions> find_targets(const Disk& disk, const std::string& path,
                                    const LoadedModel& loaded, const QuestionOptions& options) {
  SourcedRegions found;
  for (const std::string& text : options.targets) {
    auto regions = frontend::parse_targets(loaded.file.model, {"--target", text});
    if (!regions) return std::unexpected(std::move(regions.error()));
    append(found, std::move(*regions), "--target");
  }
  if (options.property) {
    auto added = add_property_file(disk, *options.property, loaded.file.model, found);
    if (!added) return std::unexpected(std::move(added.error()));
  }
  if (!found.regions.empty()) return found;
  if (!loaded.labels.empty()) return SourcedRegions{loaded.file.targets, "--label"};
  if (!loaded.file.targets.empty()) return SourcedRegions{loaded.file.targets, "the file"};
  std::vector<const char*> extensions{".prop", ".prp"};
  if (model::is_pushdown(loaded.file.model)) extensions.push_back(".spec");
  if (std::holds_alternative<model::PetriNet>(loaded.file.model)) extensions.push_back(".formula");
  if (const auto sibling = sibling_of(disk, path, extensions)) {
    auto added = add_property_file(disk, *sibling, loaded.file.model, found);
    if (!added) return std::unexpected(std::move(added.error()));
  }
  return found;
}

Parsed<SourcedRegions> find_initial(const LoadedModel& loaded, const QuestionOptions& options) {
  if (!options.initial && options.any_threads && model::is_program(loaded.file.model))
    return SourcedRegions{*frontend::parse_initial(loaded.file.model, {"--threads", "any"}),
                          "--threads"};
  if (!options.initial) return SourcedRegions{loaded.file.initial, loaded.initial_from};
  auto regions = frontend::parse_initial(loaded.file.model, {"--initial", *options.initial});
  if (!regions) return std::unexpected(std::move(regions.error()));
  if (model::is_program(loaded.file.model))
    for (const Region& region : *regions)
      if (auto listed = check_listed("--initial", model::least_element(region).counts.total());
          !listed)
        return std::unexpected(std::move(listed.error()));
  return SourcedRegions{std::move(*regions), "--initial"};
}

SourcedRegions assumed_initial(const model::Model& model) {
  return {frontend::default_initial(model),
          model::is_program(model) ? "assumed: --threads any starts any number"
                                   : "assumed: any number of threads, all in local state 0"};
}

Parsed<void> fix_thread_count(const model::Model& model, const Integer& threads,
                              std::vector<Region>& initial) {
  if (model::is_program(model)) {
    if (auto listed = check_listed("--threads", threads); !listed) return listed;
    for (Region& region : initial) region.bounds = {{model::Counter(0U), threads, threads}};
    return {};
  }
  if (!is_thread_system(model))
    return std::unexpected(complain_about_threads(
        model::is_pushdown(model) ? "a pushdown system has a fixed number of threads"
                                  : "a Petri net has tokens instead of threads"));
  for (Region& region : initial) {
    CounterBound* open = nullptr;
    for (CounterBound& bound : region.bounds) {
      if (bound.upper) continue;
      if (open)
        return std::unexpected(
            complain_about_threads("several local states may start with any number of threads"));
      open = &bound;
    }
    if (!open)
      return std::unexpected(
          complain_about_threads("the initial state already has an exact number of threads"));
    if (threads < open->lower)
      return std::unexpected(
          complain_about_threads("the initial state has at least " + base::to_string(open->lower) +
                                 " threads in local state " + std::to_string(open->counter.value)));
    open->lower = threads;
    open->upper = threads;
  }
  return {};
}

Diagnostics missing_initial(const std::string& path, const model::Model& model) {
  return complaint(path, "there is no initial state",
                   model::is_pushdown(model)
                       ? "give one with --initial 's|a,b' (a shared state and the top of each "
                         "stack), or in a file beside it that ends in .init"
                       : "give one with --initial 'p>=1, q=0'");
}

Diagnostics missing_target(const std::string& path, const model::Model& model) {
  const std::string example = is_thread_system(model)
                                  ? "--target 's|l' (a thread in local state l while the shared "
                                    "state is s; 's|l,l' for several threads)"
                                  : "--target 'p>=1, q>=2'";
  return complaint(path, "there is no target: what should be unreachable?",
                   "give one with " + example +
                       ", with --property FILE, or in a file beside it "
                       "that ends in .prop");
}

bool same_set(const std::vector<model::Region>& a, const std::vector<model::Region>& b) {
  const auto within = [](const std::vector<model::Region>& some,
                         const std::vector<model::Region>& all) {
    return std::ranges::all_of(some, [&](const model::Region& region) {
      return std::ranges::find(all, region) != all.end();
    });
  };
  return within(a, b) && within(b, a);
}

}  // namespace heddle::driver
