#pragma once

/// What a campaign has seen: a record for each block, a line of JSON in a file, and the table of
/// all.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test::differential {

/// A disagreement, a crash, or a model that took too long.
struct Trouble {
  std::uint64_t seed = 0;  ///< of the model
  std::string what;        ///< who said what, and the shrunk model
};

/// Of one engine on the models of one kind, over all settings of its options: how often it gave
/// which answer; "skipped", "unknown" and "conflict" are among them.
using Answers = std::map<std::string, std::uint64_t>;

struct BlockRecord {
  std::string kind;
  std::uint64_t number = 0;
  std::uint64_t models = 0;
  std::uint64_t reached = 0;      ///< models whose target the naive search reaches
  std::uint64_t not_reached = 0;  ///< models of which it knows that no target is reachable
  double cpu_seconds = 0;
  std::map<std::string, Answers> engines{};
  std::vector<Trouble> conflicts{};
  /// Took longer than the limit: no answer is wrong, but somebody is slow
  std::vector<Trouble> overdue{};
};

std::string to_line(const BlockRecord& record);  ///< with its line break
/// Throws nlohmann::json::exception if it is not such a line.
BlockRecord from_line(const std::string& line);

/// The records of all `*.jsonl` in a folder. A last line without its line break is what a crash
/// left of a record: it is passed over. Throws std::runtime_error if a file is not one of ours, or
/// is one of another campaign than `head` describes.
std::vector<BlockRecord> read_records(const std::string& folder, const std::string& head);

/// A line for each kind and engine, and one for each kind as a whole.
std::string table(const std::vector<BlockRecord>& records);

}  // namespace heddle::test::differential
