#include "driver/question.hpp"

#include <filesystem>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "frontend/notation.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
using frontend::SourceText;
using model::CounterBound;
using model::Region;

std::string format_names() {
  std::string out;
  for (const frontend::FormatRow& row : frontend::format_table())
    out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

}  // namespace

Parsed<SourceText> read_source(const Disk& disk, const std::string& path) {
  auto text = disk.read(path);
  if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
  return SourceText{path, std::move(*text)};
}

std::string without_property_name(const Disk& disk, const std::string& path) {
  const std::size_t mark = path.rfind('#');
  return mark == std::string::npos || disk.exists(path) ? path : path.substr(0, mark);
}

std::vector<std::string> sibling_names(const std::string& path, const std::string& extension,
                                       frontend::QuestionPlace place) {
  if (place == frontend::QuestionPlace::InFile) return {};
  std::vector<std::string> names{path + extension};
  if (place == frontend::QuestionPlace::BesideLongName) return names;
  std::string short_name = std::filesystem::path(path).replace_extension(extension).string();
  if (short_name != path) names.push_back(std::move(short_name));
  return names;
}

std::optional<std::string> sibling_of(const Disk& disk, const std::string& path,
                                      const std::string& extension, frontend::QuestionPlace place) {
  for (const std::string& sibling : sibling_names(path, extension, place))
    if (disk.exists(sibling)) return sibling;
  return std::nullopt;
}

std::vector<std::string> input_files(const Disk& disk, const std::string& path,
                                     const QuestionOptions& options) {
  std::vector<std::string> files{path};
  files.insert(files.end(), options.linked_files.begin(), options.linked_files.end());
  if (options.compile_commands) files.push_back(*options.compile_commands);
  if (options.property) files.push_back(without_property_name(disk, *options.property));
  std::set<std::string> extensions{".init"};
  base::for_each_type(model::Kinds(), [&]<class Model>() {
    for (const char* extension : frontend::Notation<Model>::kTargetSiblings)
      extensions.insert(extension);
  });
  for (const std::string& extension : extensions)
    std::ranges::move(sibling_names(path, extension, frontend::QuestionPlace::Beside),
                      std::back_inserter(files));
  return files;
}

Parsed<const frontend::FormatRow*> format_of(const SourceText& source, const std::string& format) {
  const frontend::FormatRow* row = format.empty() ? frontend::guess_format(source.name, source.text)
                                                  : frontend::find_format(format);
  if (row) return row;
  return std::unexpected(complaint(source.name, "cannot tell the format of this file",
                                   "name it with --format: " + format_names()));
}

bool precedes(const Region& a, const Region& b) {
  if (a.shared != b.shared) return a.shared < b.shared;
  if (a.condition != b.condition) return model::precedes(a.condition, b.condition);
  return std::ranges::lexicographical_compare(
      a.bounds, b.bounds, [](const CounterBound& x, const CounterBound& y) {
        return std::tie(x.counter, x.lower, x.upper) < std::tie(y.counter, y.lower, y.upper);
      });
}

bool precedes(const model::ThreadsInMain& a, const model::ThreadsInMain& b) {
  return std::tie(a.least, a.most) < std::tie(b.least, b.most);
}

}  // namespace heddle::driver
