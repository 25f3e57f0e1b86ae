#include "differential/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::test::differential {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json to_json(const std::vector<Trouble>& troubles) {
  json out = json::array();
  for (const Trouble& one : troubles) out.push_back({{"seed", one.seed}, {"what", one.what}});
  return out;
}

std::vector<Trouble> troubles_of(const json& array) {
  std::vector<Trouble> out;
  for (const json& one : array) out.push_back({one.at("seed"), one.at("what")});
  return out;
}

/// Whole lines only.
std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

std::uint64_t sum_of(const Answers& answers, std::initializer_list<const char*> names) {
  std::uint64_t sum = 0;
  for (const char* name : names)
    if (const auto it = answers.find(name); it != answers.end()) sum += it->second;
  return sum;
}

struct KindScore {
  std::uint64_t models = 0, reached = 0, not_reached = 0, conflicts = 0, overdue = 0;
  double cpu_seconds = 0;
  std::map<std::string, Answers> engines;
};

void add(KindScore& score, const BlockRecord& record) {
  score.models += record.models;
  score.reached += record.reached;
  score.not_reached += record.not_reached;
  score.conflicts += record.conflicts.size();
  score.overdue += record.overdue.size();
  score.cpu_seconds += record.cpu_seconds;
  for (const auto& [engine, answers] : record.engines)
    for (const auto& [answer, count] : answers) score.engines[engine][answer] += count;
}

std::string engine_row(const std::string& kind, const std::string& engine, const Answers& answers) {
  std::uint64_t all = 0;
  for (const auto& [answer, count] : answers) all += count;
  const std::uint64_t unknown = sum_of(answers, {"unknown"});
  const std::uint64_t skipped = sum_of(answers, {"skipped"});
  const std::uint64_t conflicts = sum_of(answers, {"conflict"});
  const std::uint64_t safe = sum_of(answers, {"safe"});
  const std::uint64_t unsafe = sum_of(answers, {"unsafe"});
  if (all == skipped) return {};
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", kind, engine, all - skipped,
                     safe, unsafe, all - skipped - safe - unsafe - unknown - conflicts, unknown,
                     conflicts);
}

}  // namespace

std::string to_line(const BlockRecord& record) {
  const json object = {{"kind", record.kind},
                       {"block", record.number},
                       {"models", record.models},
                       {"reached", record.reached},
                       {"not_reached", record.not_reached},
                       {"cpu_seconds", record.cpu_seconds},
                       {"engines", record.engines},
                       {"conflicts", to_json(record.conflicts)},
                       {"overdue", to_json(record.overdue)}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

BlockRecord from_line(const std::string& line) {
  const json object = json::parse(line);
  BlockRecord record{.kind = object.at("kind"),
                     .number = object.at("block"),
                     .models = object.at("models"),
                     .reached = object.at("reached"),
                     .not_reached = object.at("not_reached"),
                     .cpu_seconds = object.at("cpu_seconds"),
                     .engines = object.at("engines"),
                     .conflicts = troubles_of(object.at("conflicts")),
                     .overdue = troubles_of(object.at("overdue"))};
  return record;
}

std::vector<BlockRecord> read_records(const std::string& folder, const std::string& head) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<BlockRecord> records;
  std::set<std::pair<std::string, std::uint64_t>> seen;
  for (const fs::path& file : files) {
    const std::vector<std::string> lines = lines_of(file);
    if (lines.empty()) continue;
    if (!head.empty() && lines[0] != head)
      throw std::runtime_error(file.string() + ": is of another campaign: " + lines[0] +
                               "; this one is " + head);
    for (std::size_t i = 1; i < lines.size(); ++i) try {
        BlockRecord record = from_line(lines[i]);
        if (seen.insert({record.kind, record.number}).second) records.push_back(std::move(record));
      } catch (const json::exception& error) {
        throw std::runtime_error(fmt::format("{}:{}: {}", file.string(), i + 1, error.what()));
      }
  }
  return records;
}

std::string table(const std::vector<BlockRecord>& records) {
  std::map<std::string, KindScore> kinds;
  for (const BlockRecord& record : records) add(kinds[record.kind], record);
  std::string out =
      "| kind | models | reached | not reached | conflicts | overdue | CPU s | ms a model |\n"
      "|---|---|---|---|---|---|---|---|\n";
  KindScore all;
  const auto row = [&](const std::string& name, const KindScore& score) {
    out += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {:.0f} | {:.2f} |\n", name, score.models, score.reached,
        score.not_reached, score.conflicts, score.overdue, score.cpu_seconds,
        1000 * score.cpu_seconds / static_cast<double>(std::max<std::uint64_t>(1, score.models)));
  };
  for (const auto& [name, score] : kinds) row(name, score);
  for (const BlockRecord& record : records) add(all, record);
  row("all", all);
  out +=
      "\n| kind | engine | asked | safe | unsafe | other answers | unknown | conflicts |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, score] : kinds)
    for (const auto& [engine, answers] : score.engines) out += engine_row(name, engine, answers);
  for (const auto& [engine, answers] : all.engines) out += engine_row("all", engine, answers);
  return out;
}

}  // namespace heddle::test::differential
