/// What `translate` writes, read back: random models of each kind in every format that they can
/// become, and the verdict about what was read held against the oracle and against the verdict
/// about the original.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "driver/pose.hpp"
#include "driver/scratch_disk.hpp"
#include "driver/translate.hpp"
#include "engine/backward/backward.hpp"
#include "frontend/notation.hpp"
#include "frontend/pushdown/format.hpp"
#include "model/counting.hpp"
#include "support/agreement.hpp"
#include "support/builders.hpp"
#include "support/random_models.hpp"
#include "support/random_programs.hpp"
#include "support/random_pushdown.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"
#include "transform/one_marking.hpp"
#include "transform/translation.hpp"

namespace heddle::test::written_models_test {
namespace {

model::OracleLimits oracle_limits() {
  model::OracleLimits limits;
  limits.max_unbounded = 2;
  limits.max_total = 6;
  limits.max_configurations = 300;
  return limits;
}

/// Nets from here on start in several boxes: exact numbers, ranges and any numbers of tokens.
model::CountingTask with_several_starts(Random& random, model::CountingTask task) {
  const auto places = static_cast<unsigned>(model::counter_count(task.model));
  for (unsigned i = random.between(0, 2); i > 0; --i) {
    model::Region region;
    for (unsigned p = 0; p < places; ++p) {
      const unsigned lower = random.between(0, 2);
      if (random.one_in(3)) continue;
      if (random.one_in(4))
        region.bounds.push_back({model::Counter(p), lower, std::nullopt});
      else if (const unsigned upper = lower + random.between(0, 1); upper > 0)
        region.bounds.push_back({model::Counter(p), lower, base::Integer(upper)});
    }
    if (random.one_in(2)) task.question.initial.clear();
    task.question.initial.push_back(std::move(region));
  }
  if (random.one_in(10)) task.question.targets.push_back({});
  return task;
}

// ------------------------------------------------------------------------- one initial marking

std::array<engine::EngineRow, 1> engine_on_one_marking() {
  engine::EngineRow row = *engine::find_engine("backward");
  row.name = "one marking";
  row.accepts = [](const model::AnyTask& task) {
    return engine::find_engine("backward")
        ->accepts(transform::start_in_one_marking(std::get<model::NetTask>(task)).translated);
  };
  row.run = [](const model::AnyTask& task, const engine::Options& given,
               base::RunContext& context) {
    engine::Options options = given;
    auto& own = options.of<engine::backward::BackwardOptions>();
    own.use_invariants = own.learn_invariants = false;  // they are not translated back
    const auto one = transform::start_in_one_marking(std::get<model::NetTask>(task));
    return transform::translate_back(
        one, engine::find_engine("backward")->run(one.translated, options, context));
  };
  return {row};
}

TEST(OneMarking, HasTheAnswersOfAllMarkings) {
  const auto engines = engine_on_one_marking();
  for (const bool ordinary : {true, false}) {
    TruthLimits limits;
    limits.counting = oracle_limits();
    Agreement agreement(engines, limits);
    for (unsigned i = 0; i < random_cases(400); ++i) {
      Random random(61'000'000 + i);
      const NetFlavour flavour{.ordinary = ordinary};
      agreement.compare(with_several_starts(random, random_net_task(random, flavour)));
    }
    std::cout << agreement.summary() << "\n";
    for (const std::string& conflict : agreement.conflicts()) ADD_FAILURE() << conflict;
    EXPECT_EQ(agreement.count(Outcome::Conflict), 0u);
    EXPECT_GT(agreement.count(Outcome::Agree), 10 * agreement.count(Outcome::Unknown));
  }
}

/// Upper bounds in targets are kept: the same markings are reached, not only covered.
TEST(OneMarking, ReachesTheSameMarkings) {
  std::map<bool, unsigned> seen;
  for (unsigned i = 0; i < random_cases(600); ++i) {
    Random random(62'000'000 + i);
    const NetFlavour flavour{.ordinary = random.one_in(2), .upper_bounds = true};
    model::CountingTask task = with_several_starts(random, random_net_task(random, flavour));
    for (model::Region& region : task.question.initial)  // the oracle is exact without these
      for (model::CounterBound& bound : region.bounds)
        if (!bound.upper) bound.upper = bound.lower + 1;
    const model::CountingTask one =
        transform::start_in_one_marking({std::get<model::PetriNet>(task.model), task.question})
            .translated;
    model::OracleLimits limits = oracle_limits();
    const auto truth =
        model::Oracle(task.model, task.question.initial, limits).ask(task.question.targets);
    limits.max_total = 12;
    limits.max_configurations = 3000;
    const auto said =
        model::Oracle(one.model, one.question.initial, limits).ask(one.question.targets);
    const auto* not_reached = std::get_if<model::NotReached>(&truth);
    const auto* not_said = std::get_if<model::NotReached>(&said);
    if ((not_reached && !not_reached->exact()) || (not_said && !not_said->exact())) continue;
    EXPECT_EQ(not_reached == nullptr, not_said == nullptr) << "seed " << 62'000'000 + i;
    ++seen[not_reached == nullptr];
  }
  std::cout << seen[true] << " reached, " << seen[false] << " not\n";
  EXPECT_TRUE(are_enough(seen[true], 30));
  EXPECT_TRUE(are_enough(seen[false], 30));
}

// --------------------------------------------------------------------------------- read back

/// Files in memory, and none beside them.
class NoDisk final : public driver::Disk {
 public:
  std::expected<std::string, std::string> read(const std::string&) const override {
    return std::unexpected("no such file or folder");
  }
  bool exists(const std::string&) const override { return false; }
  bool is_stream(const std::string& path) const override { return path == "stream"; }
  void protect(const std::string&) override {}
  bool is_protected(const std::string&) const override { return false; }
  std::expected<void, std::string> probe(const std::string&) override { return {}; }
  std::expected<void, driver::WriteFailure> write_all(
      std::span<const driver::OutputFile>) override {
    return {};
  }
};

base::Parsed<model::AnyTask> load(const driver::Disk& disk, const std::string& path) {
  auto posed = driver::pose(disk, path, driver::QuestionOptions());
  if (!posed) return std::unexpected(posed.error());
  return std::move(posed->task);
}

/// The format that holds any model of the kind; the question is put on the command line.
std::string home_format(const model::AnyTask& task) {
  return std::visit(base::Overloaded{[](const model::ThreadTask&) { return "tts"; },
                                     [](const model::NetTask&) { return "spec"; },
                                     [](const model::ProgramTask&) { return "bp"; },
                                     [](const model::CTask&) { return "c"; },
                                     [](const model::PushdownTask&) { return "pds"; }},
                    task);
}

struct Reading {
  std::string format;
  model::AnyTask task;
};

/// The task's model as a file, without the question.
frontend::AnyModelFile bare_file(const model::AnyTask& task) {
  return std::visit(
      []<class Model>(const model::Task<Model>& typed) -> frontend::AnyModelFile {
        return frontend::ModelFile<Model>{typed.model, {}, {}, {}};
      },
      task);
}

/// Everything that the task can become, through a file with siblings and through a stream.
std::vector<Reading> readings(const model::AnyTask& task) {
  const NoDisk nothing;
  driver::ScratchDisk disk(nothing);
  const std::string home = home_format(task);
  const std::string file = "in." + home;
  disk.write(file, frontend::find_format(home)->print(bare_file(task)));
  driver::TranslateRequest request;
  request.file = file;
  std::visit(
      [&]<class Model>(const model::Task<Model>& typed) {
        if (frontend::Notation<Model>::kWritesTargets)
          request.question.targets = {frontend::print_targets(typed.model, typed.question.targets)};
        request.question.initial = frontend::print_initial(typed.model, typed.question.initial);
      },
      task);
  std::vector<Reading> out;
  const auto again = frontend::find_format(home)->parse({file, *disk.read(file)}, {});
  if (!again) {
    ADD_FAILURE() << base::render(again.error()) << *disk.read(file);
    return out;
  }
  const std::size_t warnings = frontend::warnings_of(*again).size();
  for (const frontend::FormatRow& row : frontend::format_table())
    for (const bool stream : {false, true}) {
      request.to = row.name;
      const std::string path = "out." + std::string(row.name);
      request.out = stream ? std::nullopt : std::optional(path);
      const auto written = driver::translate(disk, request);
      if (!written) continue;
      EXPECT_EQ(written->warnings.size(), warnings) << base::render(written->warnings);
      driver::ScratchDisk later(nothing);
      later.write_all(written->siblings);
      later.write(path, written->text);
      auto read = load(later, path);
      if (!read)
        ADD_FAILURE() << base::render(read.error()) << written->text;
      else
        out.push_back({std::string(row.name), std::move(*read)});
    }
  return out;
}

enum class Said { Safe, Unsafe, Unknown };

Said backward_says(const model::AnyTask& task) {
  const engine::EngineRow* backward = engine::find_engine("backward");
  base::Limits limits;
  limits.steps = 20'000;
  base::RunContext context(limits);
  const auto verdict = verdict_of({backward, {}, "backward"}, task, context);
  if (std::holds_alternative<answer::Safe>(verdict)) return Said::Safe;
  return std::holds_alternative<answer::Unsafe>(verdict) ? Said::Unsafe : Said::Unknown;
}

/// The verdict about a program is that about its thread system.
std::optional<Said> truth(const model::AnyTask& task) {
  if (model::counting_task(task)) return backward_says(task);
  const auto threads = transform::translate(task, model::Tag<model::ThreadSystem>());
  if (!threads) return std::nullopt;
  return backward_says(threads->translated);
}

/// How often a format was read, and that it never changed the answer.
class ReadingScore {
 public:
  void compare(const model::AnyTask& task) {
    const auto known = truth(task);
    for (const Reading& reading : readings(task)) {
      ++read_[reading.format];
      const auto said = truth(reading.task);
      if (!known || !said || *known == Said::Unknown || *said == Said::Unknown) continue;
      EXPECT_EQ(*known, *said) << home_format(task) << " as " << reading.format << "\n"
                               << task_text(reading.task);
      ++compared_;
      if (*said == Said::Unsafe) ++unsafe_;
    }
  }
  std::string summary() const {
    std::string out =
        std::to_string(compared_) + " compared, " + std::to_string(unsafe_) + " unsafe;";
    for (const auto& [format, count] : read_) out += " " + format + " " + std::to_string(count);
    return out + "\n";
  }
  bool has_read(const std::string& format) const { return read_.contains(format); }
  unsigned compared() const { return compared_; }
  unsigned unsafe() const { return unsafe_; }

 private:
  std::map<std::string, unsigned> read_;
  unsigned compared_ = 0;
  unsigned unsafe_ = 0;
};

void expect_all(const ReadingScore& score, const std::vector<std::string>& formats) {
  std::cout << score.summary();
  for (const std::string& format : formats)
    EXPECT_TRUE(are_enough(score.has_read(format), 0)) << format;
  EXPECT_TRUE(are_enough(score.unsafe(), 50));
  EXPECT_TRUE(are_enough(score.compared() - score.unsafe(), 50));
}

TEST(WrittenModels, MeanTheSameForThreadSystems) {
  ReadingScore score;
  for (unsigned i = 0; i < random_cases(100); ++i) {
    Random random(63'000'000 + i);
    score.compare(random_thread_task(random));
  }
  expect_all(score, {"tts", "spec", "pnet", "lola", "net", "pnml"});
}

TEST(WrittenModels, MeanTheSameForNets) {
  ReadingScore score;
  for (unsigned i = 0; i < random_cases(150); ++i) {
    Random random(64'000'000 + i);
    const NetFlavour flavour{.ordinary = random.one_in(2), .upper_bounds = random.one_in(4)};
    score.compare(with_several_starts(random, random_net_task(random, flavour)));
  }
  expect_all(score, {"tts", "spec", "pnet", "lola", "net", "pnml"});
}

TEST(WrittenModels, MeanTheSameForPrograms) {
  ReadingScore score;
  for (unsigned i = 0; i < random_cases(150); ++i) {
    Random random(65'000'000 + i);
    model::ProgramTask task{random_program(random, {}), {{}, {{}}}};
    const base::Integer threads = random.between(1, 2);
    const auto upper = random.one_in(3) ? std::nullopt : std::optional(threads);
    const base::Integer lower = upper ? threads : base::Integer(1);
    task.question.initial = {{lower, upper}};
    score.compare(task);
  }
  expect_all(score, {"tts", "spec", "bp", "rem", "pds"});
}

std::string pds_text(const model::AnyTask& task) {
  return frontend::find_format("pds")->print(bare_file(task));
}

TEST(WrittenModels, AreTheSameForPushdownSystems) {
  for (unsigned i = 0; i < random_cases(100); ++i) {
    Random random(66'000'000 + i);
    const model::AnyTask task = random_pushdown(random, 3);
    const auto read = readings(task);
    EXPECT_EQ(read.size(), 2u) << "in a file and in a stream";
    for (const Reading& reading : read) {
      EXPECT_EQ(pds_text(reading.task), pds_text(task));
      EXPECT_EQ(model::question_of(reading.task), model::question_of(task));
    }
  }
}

}  // namespace
}  // namespace heddle::test::written_models_test
