#include "output/bench/result_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

namespace heddle::output::bench {

namespace {

using base::Diagnostic;
using base::Diagnostics;
using base::Parsed;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 12> kColumns{
    "path",   "tool",    "outcome",     "expected",       "verdict",    "evidence",
    "reason", "seconds", "cpu_seconds", "peak_memory_mb", "task_class", "key"};

/// Files of the first versions have so many.
constexpr std::size_t kFirstColumns = 10;

using Fields = std::array<std::string, kColumns.size()>;

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

Fields fields_of(const Record& record) {
  return {one_line(record.path),
          one_line(record.tool),
          std::string(to_string(record.outcome)),
          std::string(to_string(record.expected)),
          std::string(to_string(record.verdict)),
          one_line(record.evidence),
          one_line(record.reason),
          fmt::format("{:.3f}", record.seconds),
          fmt::format("{:.3f}", record.cpu_seconds),
          fmt::format("{:.1f}", record.peak_memory_mb),
          one_line(record.task_class),
          one_line(record.key)};
}

std::string joined(const auto& fields) { return fmt::format("{}\n", fmt::join(fields, "\t")); }

bool take_number(const std::string& text, double& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && number >= 0;
}

/// Nothing if a word or a number is not what it should be.
std::optional<Record> record_of(const Fields& fields) {
  const auto outcome = outcome_of(fields[2]);
  const auto expected = claim_of(fields[3]);
  const auto verdict = claim_of(fields[4]);
  if (!outcome || !expected || !verdict) return std::nullopt;
  Record record{.path = fields[0],
                .tool = fields[1],
                .outcome = *outcome,
                .expected = *expected,
                .verdict = *verdict,
                .evidence = fields[5],
                .reason = fields[6]};
  const bool measured = take_number(fields[7], record.seconds) &&
                        take_number(fields[8], record.cpu_seconds) &&
                        take_number(fields[9], record.peak_memory_mb);
  if (!measured) return std::nullopt;
  record.task_class = fields[10];
  record.key = fields[11];
  return record;
}

Diagnostics bad_line(const std::string& name, std::uint32_t number, std::string_view line,
                     std::string message) {
  return {Diagnostic{.location = {name, number, 1},
                     .message = std::move(message),
                     .offending = std::string(line.substr(0, line.find('\t'))),
                     .line_text = std::string(line.substr(0, 200)),
                     .hint = "only files that 'heddle bench' wrote can be read"}};
}

/// All columns, or those of earlier versions; what is missing stays empty.
std::optional<Fields> split_fields(std::string_view line) {
  Fields fields;
  std::size_t count = 0;
  for (const auto field : std::views::split(line, '\t')) {
    if (count == fields.size()) return std::nullopt;
    fields[count++] = std::string_view(field);
  }
  if (count < kFirstColumns) return std::nullopt;
  return fields;
}

bool are_columns(Fields fields) {
  for (std::size_t i = kFirstColumns; i < fields.size(); ++i)
    if (fields[i].empty()) fields[i] = kColumns[i];
  return std::ranges::equal(fields, kColumns);
}

/// Takes one line of a TSV file into the results; false if it makes no sense.
bool take_line(std::string_view line, bool& columns_seen, Results& results) {
  if (line.starts_with("# ")) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return false;
    results.header.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
    return true;
  }
  const auto fields = split_fields(line);
  if (!fields) return false;
  if (!columns_seen) return columns_seen = are_columns(*fields);
  auto record = record_of(*fields);
  if (record) results.records.push_back(std::move(*record));
  return record.has_value();
}

Parsed<Results> read_tsv(const std::string& name, std::string_view text) {
  Results results;
  bool columns_seen = false;
  std::uint32_t number = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!take_line(line, columns_seen, results))
      return std::unexpected(bad_line(name, number + 1, line, "not a line of a result file"));
    ++number;
  }
  if (!columns_seen)
    return std::unexpected(bad_line(name, 0, {}, "not a result file: it has no columns"));
  return results;
}

Fields json_fields(const ordered_json& object) {
  Fields fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string name(kColumns[i]);
    if (i >= kFirstColumns && !object.contains(name)) continue;
    const ordered_json& value = object.at(name);
    fields[i] =
        value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>());
  }
  return fields;
}

Parsed<Results> read_json(const std::string& name, std::string_view text) {
  try {
    const ordered_json object = ordered_json::parse(text);
    Results results;
    for (const auto& [key, value] : object.at("header").items())
      results.header.emplace_back(key, value.get<std::string>());
    for (const ordered_json& row : object.at("records")) {
      auto record = record_of(json_fields(row));
      if (!record) return std::unexpected(bad_line(name, 0, {}, "a record is malformed"));
      results.records.push_back(std::move(*record));
    }
    return results;
  } catch (const ordered_json::exception& error) {
    return std::unexpected(
        bad_line(name, 0, {}, "not a result file: " + std::string(error.what())));
  }
}

double rounded(double value) { return std::stod(fmt::format("{:.3f}", value)); }

ordered_json json_of(const Record& record) {
  return {{"path", record.path},
          {"tool", record.tool},
          {"outcome", to_string(record.outcome)},
          {"expected", to_string(record.expected)},
          {"verdict", to_string(record.verdict)},
          {"evidence", record.evidence},
          {"reason", record.reason},
          {"seconds", rounded(record.seconds)},
          {"cpu_seconds", rounded(record.cpu_seconds)},
          {"peak_memory_mb", rounded(record.peak_memory_mb)},
          {"task_class", record.task_class},
          {"key", record.key}};
}

/// As a part of a text that is indented so far.
std::string indented(const ordered_json& object, std::size_t depth) {
  const std::string text = object.dump(1, ' ', false, ordered_json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(depth, ' ');
  }
  return out;
}

}  // namespace

std::string tsv_head(const Header& header) {
  std::string out;
  for (const auto& [name, value] : header) out += fmt::format("# {}: {}\n", name, one_line(value));
  return out + joined(kColumns);
}

std::string tsv_line(const Record& record) { return joined(fields_of(record)); }

std::string to_tsv(const Results& results) {
  std::string out = tsv_head(results.header);
  for (const Record& record : results.records) out += tsv_line(record);
  return out;
}

/// Record by record: the whole as one tree of JSON takes two kilobytes of memory for each.
std::string to_json(const Results& results) {
  ordered_json header = ordered_json::object();
  for (const auto& [name, value] : results.header) header[name] = value;
  std::string out = "{\n \"header\": " + indented(header, 1) + ",\n \"records\": [";
  for (const Record& record : results.records) {
    out += &record == &results.records.front() ? "\n  " : ",\n  ";
    out += indented(json_of(record), 2);
  }
  return out + (results.records.empty() ? "]\n}\n" : "\n ]\n}\n");
}

Parsed<Results> read_results(const std::string& name, std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  return is_json ? read_json(name, text) : read_tsv(name, text);
}

}  // namespace heddle::output::bench
