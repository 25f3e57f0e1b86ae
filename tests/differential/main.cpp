/// Random models of every kind through all engines and the naive searches, in any number, on any
/// number of machines. What is compared and what counts as a conflict is the agreement harness's
/// affair (support/agreement.hpp); this program plans, isolates, writes down and sums up.
///
/// A campaign is a folder. Each shard appends to a file of its own, a line per finished block, with
/// one call of write(2) and on the disk before the next block begins: whatever is killed loses at
/// most the block that was running. With --resume, blocks that any file of the folder has are not
/// played again. The same seed gives the same models and, since engines are limited by steps, the
/// same answers on every machine.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "differential/block.hpp"
#include "driver/bench/fingerprint.hpp"
#include "driver/bench/journal.hpp"
#include "driver/bench/shard.hpp"
#include "support/agreement.hpp"
#include "support/shrink.hpp"

namespace heddle::test::differential {
namespace {

namespace fs = std::filesystem;
using driver::bench::Shard;

constexpr int kConflict = 71, kFailure = 3, kUsage = 2;

struct Words {
  std::uint64_t runs = 1'000, seed = 1, model = 0;
  std::string output = "differential-results", shard = "1/1";
  std::vector<std::string> kinds;
  bool resume = false, table = false;
  BlockLimits limits;
};

std::vector<const ModelKind*> chosen_kinds(const std::vector<std::string>& names) {
  std::vector<const ModelKind*> kinds;
  for (const ModelKind& kind : model_kinds())
    if (names.empty() || std::ranges::count(names, kind.name) > 0) kinds.push_back(&kind);
  return kinds;
}

/// The first line of every file of a campaign.
std::string head(const Words& words) {
  const nlohmann::json object = {{"seed", words.seed},
                                 {"build", driver::bench::program_fingerprint()}};
  return object.dump();
}

/// Cuts off what a crash left of the last line. True if nothing is left.
bool cut_torn_line(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t whole = text.find_last_of('\n') + 1;
  if (whole < text.size()) fs::resize_file(path, whole);
  return whole == 0;
}

/// The file of a shard.
class BlockFile {
 public:
  BlockFile(const std::string& path, const std::string& first_line)
      : path_(path), is_new_(cut_torn_line(path)), journal_(path) {
    if (is_new_) add(first_line + "\n");
  }
  void add(const std::string& line) {
    if (const auto added = journal_.add(line); !added)
      throw std::runtime_error(path_ + ": cannot be written: " + added.error());
  }

 private:
  std::string path_;
  bool is_new_;
  driver::bench::Journal journal_;
};

/// One file for each conflict, for a person to read; complete or not there.
void store(const std::string& folder, const BlockRecord& record) {
  const auto keep = [&](const Trouble& trouble, const char* where) {
    const fs::path place = fs::path(folder) / where;
    fs::create_directories(place);
    const fs::path file = place / (record.kind + "-" + std::to_string(trouble.seed) + ".txt");
    const fs::path temporary = file.string() + ".part";
    std::ofstream(temporary) << trouble.what << "\n";
    fs::rename(temporary, file);
    std::cout << where << ": " << record.kind << ", seed " << trouble.seed << ": "
              << trouble.what.substr(0, trouble.what.find('\n')) << std::endl;
  };
  for (const Trouble& trouble : record.conflicts) keep(trouble, "conflicts");
  for (const Trouble& trouble : record.overdue) keep(trouble, "overdue");
}

int print_table(const Words& words) {
  const std::vector<BlockRecord> records = read_records(words.output, {});
  std::cout << table(records);
  const bool conflict = std::ranges::any_of(
      records, [](const BlockRecord& record) { return !record.conflicts.empty(); });
  return conflict ? kConflict : 0;
}

int run_shard(const Words& words, const Shard& shard) {
  fs::create_directories(words.output);
  const std::string first_line = head(words);
  std::set<std::pair<std::string, std::uint64_t>> done;
  for (const BlockRecord& record : read_records(words.output, first_line))
    done.insert({record.kind, record.number});
  if (!done.empty() && !words.resume)
    throw std::runtime_error(words.output +
                             ": has results already; give --resume or another --output");
  const std::string name = std::to_string(shard.part) + "-of-" + std::to_string(shard.of);
  BlockFile file((fs::path(words.output) / ("blocks-" + name + ".jsonl")).string(), first_line);
  const std::vector<Block> blocks = plan(chosen_kinds(words.kinds), words.runs);
  bool conflict = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!shard.has(i) || done.contains({std::string(blocks[i].kind->name), blocks[i].number}))
      continue;
    const BlockRecord record = play(blocks[i], words.seed, words.limits);
    store(words.output, record);
    file.add(to_line(record));
    conflict |= !record.conflicts.empty();
  }
  return conflict ? kConflict : 0;
}

/// One model again: what it is and what each engine says about it.
int show_model(const Words& words, const ModelKind& kind) {
  Random random(words.model);
  const model::AnyTask task = kind.random(random);
  const Truth truth = ask_truth(task);
  static constexpr const char* kOutcomes[] = {"agrees", "skipped", "unknown", "CONFLICT"};
  std::cout << task_text(task) << "\n";
  bool conflict = false;
  for (const Contestant& contestant : contestants(engine::registry())) {
    const Finding finding = examine(contestant, task, truth, kind.steps);
    if (finding.outcome == Outcome::Skipped) continue;
    std::cout << contestant.name << ": " << kOutcomes[static_cast<std::size_t>(finding.outcome)]
              << ": " << finding.what << std::endl;
    conflict |= finding.outcome == Outcome::Conflict;
  }
  return conflict ? kConflict : 0;
}

int run(const Words& words, bool one_model) {
  const auto shard = driver::bench::shard_of(words.shard);
  const auto kinds = chosen_kinds(words.kinds);
  if (!shard || kinds.size() < words.kinds.size() || (one_model && kinds.size() != 1)) {
    std::cerr << "differential: "
              << (!shard ? "--shard: '" + words.shard + "' is not I/N with 1 <= I <= N"
                  : one_model && kinds.size() != 1 ? "--model needs one --kind"
                                                   : "--kind: unknown; the kinds are:")
              << "\n";
    if (shard)
      for (const ModelKind& kind : model_kinds()) std::cerr << "  " << kind.name << "\n";
    return kUsage;
  }
  try {
    if (one_model) return show_model(words, *kinds[0]);
    return words.table ? print_table(words) : run_shard(words, *shard);
  } catch (const std::exception& error) {
    std::cerr << "differential: " << error.what() << "\n";
    return kFailure;
  }
}

}  // namespace
}  // namespace heddle::test::differential

int main(int argc, char** argv) {
  heddle::test::differential::Words words;
  CLI::App app("random models of every kind through all engines and the naive searches");
  app.add_option("--runs", words.runs,
                 "models in all, over the kinds; whole blocks, so a few more");
  app.add_option("--seed", words.seed, "of the campaign");
  app.add_option("--kind", words.kinds, "only this kind of model; may be repeated");
  app.add_option("--output", words.output, "the campaign's folder");
  app.add_option("--shard", words.shard, "play part I of N: every Nth block")->type_name("I/N");
  app.add_flag("--resume", words.resume, "do not play again what the folder has");
  app.add_flag("--table", words.table, "play nothing; sum up what the folder has");
  CLI::Option* model =
      app.add_option("--model", words.model, "play the model of this seed alone, and tell all");
  app.add_option("--limit", words.limits.model_seconds, "CPU seconds for one model");
  app.add_option("--memory", words.limits.memory_mb, "megabytes");
  CLI11_PARSE(app, argc, argv);
  return heddle::test::differential::run(words, model->count() > 0);
}
