#include "driver/bench/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "driver/question.hpp"
#include "frontend/frontend.hpp"
#include "frontend/notation.hpp"

namespace heddle::driver::bench {

namespace {

namespace fs = std::filesystem;

using base::Diagnostic;
using base::Diagnostics;
using base::Parsed;

constexpr std::string_view kInFile = "in file";

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t end = line.find('\t');
    fields.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// One line of the index with the columns' names.
struct Row {
  const std::vector<std::string>& columns;
  std::vector<std::string> fields;

  std::string operator[](std::string_view name) const {
    const auto column = std::ranges::find(columns, name);
    const auto i = static_cast<std::size_t>(column - columns.begin());
    return i < fields.size() ? fields[i] : std::string();
  }
};

/// `name` in the folder of the case's file.
std::string beside(const std::string& file, const std::string& name) {
  return (fs::path(file).parent_path() / name).string();
}

/// Can models of this kind be asked for a property of that name?
bool has_property(const model::AnyKind& kind, std::string_view name) {
  return std::visit(
      [&]<class Model>(model::Tag<Model>) {
        if constexpr (requires { frontend::Notation<Model>::find_property(name); })
          return frontend::Notation<Model>::find_property(name).has_value();
        else
          return false;
      },
      kind);
}

class IndexReader {
 public:
  IndexReader(const Disk& disk, std::string name, const PathFilter& takes)
      : disk_(disk), name_(std::move(name)), takes_(takes) {}

  Parsed<Suite> read(std::string_view text) {
    while (!text.empty() && problems_.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++number_;
      if (!line.empty()) take_line(line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (columns_.empty() && problems_.empty()) complain({}, "the index is empty", {});
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    name_apart();
    return std::move(suite_);
  }

 private:
  void complain(std::string_view line, std::string message, std::string hint) {
    problems_.push_back(Diagnostic{.location = {name_, number_, 1},
                                   .message = std::move(message),
                                   .offending = {},
                                   .line_text = std::string(line.substr(0, 200)),
                                   .hint = std::move(hint)});
  }

  void take_line(std::string_view line) {
    if (columns_.empty()) {
      columns_ = split(line);
      if (std::ranges::count(columns_, "path") != 1)
        complain(line, "the first line does not name the columns",
                 "a line like: path, format, property, target, initial, expected; with tabs");
      return;
    }
    const Row row{columns_, split(line)};
    if (row.fields.size() > columns_.size())
      return complain(line, "there are more fields than columns", {});
    if (row["path"].empty()) return complain(line, "the path is empty", {});
    ++lines_about_[row["path"]];
    if (takes_(row["path"])) take_row(line, row);
  }

  void take_row(std::string_view line, const Row& row) {
    const std::string expected = row["expected"];
    const auto claim = output::bench::claim_of(expected.empty() ? "unknown" : expected);
    if (!claim)
      return complain(line, "'" + expected + "' is no verdict", "there is: safe, unsafe, unknown");
    const std::string format = row["format"];
    const frontend::FormatRow* known = format.empty() ? nullptr : frontend::find_format(format);
    if (!format.empty() && !known) return skip("format " + format + " is not read");
    Case entry{row["path"], beside(name_, row["path"]), format, {}, {}, *claim};
    if (const std::string property = row["property"]; !property.empty() && property != "reach") {
      if (!known || !has_property(known->kind, property))
        return skip("property " + property + " is not decided");
      entry.target = property;  // its task file says the same
    } else if (const std::string target = row["target"]; !target.empty() && target != kInFile) {
      entry.target = beside(entry.file, target);
      if (!disk_.exists(entry.target)) return skip("the target's file does not exist");
    }
    entry.initial = initial_of(entry.file, row["initial"]);
    suite_.cases.push_back(std::move(entry));
    questions_.push_back(question_of(row));
  }

  /// "no-data-race, 0|0".
  static std::string question_of(const Row& row) {
    std::string out;
    for (const char* column : {"property", "target", "initial"})
      if (const std::string field = row[column]; !field.empty())
        out += (out.empty() ? "" : ", ") + field;
    return out;
  }

  /// Results are told apart by the names of their cases. Lines about the same file get their
  /// questions added, whichever of them take part.
  void name_apart() {
    std::set<std::string> names;
    std::vector<Case> cases;
    for (std::size_t i = 0; i < suite_.cases.size(); ++i) {
      Case& one = suite_.cases[i];
      if (lines_about_[one.path] > 1 && !questions_[i].empty())
        one.path += " [" + questions_[i] + "]";
      if (names.insert(one.path).second)
        cases.push_back(std::move(one));
      else
        skip("the same question stands in an earlier line");
    }
    suite_.cases = std::move(cases);
  }

  /// A notation stands for itself, a file beside the input for what it says.
  std::string initial_of(const std::string& file, const std::string& field) const {
    if (field.empty()) return {};
    const auto text = disk_.read(beside(file, field));
    return text ? trimmed(*text) : field;
  }

  void skip(const std::string& reason) { ++suite_.skipped[reason]; }

  const Disk& disk_;
  std::string name_;
  const PathFilter& takes_;
  std::vector<std::string> columns_;
  std::uint32_t number_ = 0;
  Suite suite_;
  std::vector<std::string> questions_;                ///< of the cases, in words
  std::map<std::string, std::size_t> lines_about_{};  ///< by path
  Diagnostics problems_;
};

bool has_known_extension(const fs::path& path) {
  return std::ranges::any_of(frontend::format_table(), [&](const frontend::FormatRow& row) {
    return std::ranges::count(row.extensions, path.extension().string()) > 0;
  });
}

}  // namespace

Parsed<Suite> read_index(const Disk& disk, const std::string& index, const PathFilter& takes) {
  const auto text = disk.read(index);
  if (!text) return std::unexpected(complaint(index, "cannot be read: " + text.error()));
  return IndexReader(disk, index, takes).read(*text);
}

Parsed<Suite> read_folder(const Disk& disk, const std::string& folder, const PathFilter& takes) {
  Suite suite;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file(error) || !has_known_extension(entry->path())) continue;
    const std::string path = entry->path().lexically_relative(folder).string();
    if (!takes(path)) continue;
    const std::string file = entry->path().string();
    const auto text = disk.read(file);
    if (!text || !frontend::guess_format(file, *text))
      ++suite.skipped["the content does not match the extension"];
    else
      suite.cases.push_back({path, file, {}, {}, {}, Claim::Unknown});
  }
  if (error) return std::unexpected(complaint(folder, "cannot be listed: " + error.message()));
  std::ranges::sort(suite.cases, {}, &Case::path);
  return suite;
}

std::string to_plan(const std::vector<Case>& cases) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Case& one : cases)
    rows.push_back({one.path, one.file, one.format, one.target, one.initial,
                    std::string(to_string(one.expected))});
  return nlohmann::json{{"heddle_cases", rows}}.dump() + "\n";
}

Parsed<Suite> read_plan(const std::string& name, std::string_view text, const PathFilter& takes) {
  try {
    Suite suite;
    const nlohmann::json plan = nlohmann::json::parse(text);
    for (const auto& row : plan.at("heddle_cases")) {
      const auto expected = output::bench::claim_of(row.at(5).get<std::string>());
      Case one{row.at(0), row.at(1), row.at(2),
               row.at(3), row.at(4), expected.value_or(Claim::Unknown)};
      if (takes(one.path)) suite.cases.push_back(std::move(one));
    }
    return suite;
  } catch (const nlohmann::json::exception& error) {
    return std::unexpected(complaint(name, std::string("not a list of cases: ") + error.what()));
  }
}

Parsed<Suite> read_suite(const Disk& disk, const std::string& path, const PathFilter& takes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return read_folder(disk, path, takes);
  const auto text = disk.read(path);
  if (text && text->starts_with("{")) return read_plan(path, *text, takes);
  return read_index(disk, path, takes);
}

}  // namespace heddle::driver::bench
