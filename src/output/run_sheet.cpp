#include "output/run_sheet.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "answer/thread_naming.hpp"
#include "output/kinds.hpp"
#include "output/replay_cursor.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using base::Integer;

/// Slots by owner and name, and what they hold now.
class Slots {
 public:
  explicit Slots(RunSheet& sheet) : sheet_(sheet) {}

  /// The value at this moment. Before the first row it is the initial one.
  void set(std::optional<std::uint32_t> lane, const std::string& name, const std::string& value) {
    const auto next = static_cast<std::uint32_t>(sheet_.slots.size());
    const auto known = known_.find({lane, name});
    if (known == known_.end() && value.empty()) return;
    const std::uint32_t slot = known == known_.end() ? next : known->second;
    if (slot == next) {
      known_.emplace(std::pair(lane, name), slot);
      sheet_.slots.push_back({lane, name, {}});
      values_.emplace_back();
      seen_.push_back(0);
    }
    seen_[slot] = moment_;
    assign(slot, value);
  }

  /// What is not set between the two is not there any more.
  void begin_moment() { ++moment_; }
  void end_moment() {
    for (std::uint32_t slot = 0; slot < seen_.size(); ++slot)
      if (seen_[slot] != moment_) assign(slot, {});
  }

  /// The values so far are the initial ones.
  void begin() { begun_ = true; }
  std::vector<SheetChange> take_changes() { return std::exchange(changes_, {}); }

 private:
  void assign(std::uint32_t slot, const std::string& value) {
    if (values_[slot] == value) return;
    values_[slot] = value;
    if (begun_) {
      changes_.push_back({slot, value});
    } else {
      sheet_.slots[slot].initial = value;
    }
  }

  RunSheet& sheet_;
  std::map<std::pair<std::optional<std::uint32_t>, std::string>, std::uint32_t> known_;
  std::vector<std::string> values_;
  std::vector<std::size_t> seen_;  ///< in which moment a slot was set
  std::size_t moment_ = 0;
  std::vector<SheetChange> changes_;
  bool begun_ = false;
};

/// Adds rows, but for those in the middle of a long run.
class Rows {
 public:
  Rows(RunSheet& sheet, std::size_t count, std::size_t most) : sheet_(sheet) {
    if (count <= most) return;
    first_left_out_ = most / 2;
    first_of_end_ = count - most / 2;
  }

  void add(SheetRow row) {
    const std::size_t at = added_++;
    if (at < first_left_out_ || at >= first_of_end_) return sheet_.rows.push_back(std::move(row));
    if (at == first_left_out_) {
      sheet_.rows.emplace_back().first = row.first;
      changed_.clear();
    }
    for (SheetChange& change : row.changes) changed_[change.slot] = std::move(change.value);
    SheetRow& gap = sheet_.rows.back();
    gap.last = row.last;
    if (at + 1 < first_of_end_) return;
    gap.entry.who = "…";
    gap.entry.change = counted(Integer(gap.last - gap.first + 1), "step") + " not shown";
    for (auto& [slot, value] : changed_) gap.changes.push_back({slot, std::move(value)});
  }

 private:
  RunSheet& sheet_;
  std::size_t added_ = 0;
  std::size_t first_left_out_ = static_cast<std::size_t>(-1), first_of_end_ = 0;
  std::map<std::uint32_t, std::string> changed_;
};

// ------------------------------------------------------------ threads that are told apart

void set_moment(const Moment& moment, Slots& slots) {
  slots.begin_moment();
  if (moment.values.empty() && !moment.shared.empty())
    slots.set(std::nullopt, "shared state", moment.shared);
  for (const auto& [name, value] : moment.values) slots.set(std::nullopt, name, value);
  for (std::uint32_t i = 0; i < moment.threads.size(); ++i) {
    const ListedThread& thread = moment.threads[i];
    slots.set(i, "at", thread.state);
    slots.set(i, "holds", thread.locks);
    for (const auto& [name, value] : thread.values) slots.set(i, name, value);
  }
  slots.end_moment();
}

RunSheet sheet_of(ListedRun run, std::size_t most_rows) {
  RunSheet sheet;
  sheet.broken = std::move(run.broken);
  sheet.reached = std::move(run.reached);
  sheet.steps = Integer(run.steps.size());
  if (run.moments.empty()) return sheet;
  for (const ListedThread& thread : run.moments.back().threads) sheet.lanes.push_back(thread.name);
  Slots slots(sheet);
  set_moment(run.moments.front(), slots);
  slots.begin();
  Rows rows(sheet, run.steps.size(), most_rows);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    set_moment(run.moments[i + 1], slots);
    const Integer number(i + 1);
    rows.add(
        {std::move(run.steps[i].entry), number, number, run.steps[i].thread, slots.take_changes()});
  }
  return sheet;
}

template <class Model>
  requires(!base::kContains<Model, model::CountingKinds>)
RunSheet sheet_of_kind(const model::Task<Model>& task, const answer::RunOf<Model>& run,
                       std::span<const SourceFile> sources, std::size_t most_rows) {
  return sheet_of(list_run(task, run, sources), most_rows);
}

// ------------------------------------------------------------ threads or tokens that are counted

/// The threads of a thread system that have names, as far as names go.
class Lanes {
 public:
  Lanes(const model::CountingModel& model, const answer::Trace& trace, RunSheet& sheet)
      : model_(model) {
    const auto* system = std::get_if<model::ThreadSystem>(&model);
    if (!system) return;
    steps_ = answer::named_steps(*system, trace);
    for (const answer::NamedStep& step : steps_) {
      if (step.active) add(step.active->thread);
      if (step.spawned) add(step.spawned->thread);
      for (const answer::ThreadMove& move : step.passive) add(move.thread);
    }
    std::uint32_t next = 0;
    for (auto& [thread, lane] : lanes_) {
      lane = next++;
      sheet.lanes.push_back("thread " + std::to_string(thread.value));
    }
  }

  void set_initial(const answer::Trace& trace, Slots& slots) const {
    if (lanes_.empty()) return;
    const answer::NamedThreads threads(trace.initial);
    for (const auto& [thread, lane] : lanes_)
      if (thread.index() < threads.locals().size())
        slots.set(lane, "local", model::counter_name(model_, threads.locals()[thread.index()]));
  }

  /// After this leg; the lane of who made it.
  std::optional<std::uint32_t> follow(const Leg& leg, bool is_repeated, Slots& slots) {
    if (is_repeated || !leg.step || leg.written >= steps_.size() || lost_) return lose(slots);
    const answer::NamedStep& step = steps_[leg.written];
    if (step.active) move(*step.active, slots);
    if (step.spawned) move(*step.spawned, slots);
    for (const answer::ThreadMove& passive : step.passive) move(passive, slots);
    return step.active ? lane_of(step.active->thread) : std::nullopt;
  }

 private:
  void add(answer::ThreadId thread) {
    if (lanes_.size() < kMostLanes) lanes_.try_emplace(thread, 0);
  }
  std::optional<std::uint32_t> lane_of(answer::ThreadId thread) const {
    const auto found = lanes_.find(thread);
    return found == lanes_.end() ? std::nullopt : std::optional(found->second);
  }
  void move(const answer::ThreadMove& move, Slots& slots) const {
    if (const auto lane = lane_of(move.thread))
      slots.set(lane, "local", model::counter_name(model_, move.to));
  }
  std::optional<std::uint32_t> lose(Slots& slots) {
    if (!lost_)
      for (const auto& [thread, lane] : lanes_) slots.set(lane, "local", "not told apart any more");
    lost_ = true;
    return std::nullopt;
  }

  const model::CountingModel& model_;
  std::vector<answer::NamedStep> steps_;
  std::map<answer::ThreadId, std::uint32_t> lanes_;
  bool lost_ = false;
};

/// Counters that are not zero, and those that have become zero.
class CounterValues {
 public:
  explicit CounterValues(const model::CountingModel& model) : model_(model) {}

  void set(const model::Configuration& now, Slots& slots) {
    const bool is_system = std::holds_alternative<model::ThreadSystem>(model_);
    if (is_system) slots.set(std::nullopt, "shared state", model::shared_name(model_, now.shared));
    for (const auto& [counter, ignored] : before_.counts.entries())
      if (now.counts[counter] == 0) slots.set(std::nullopt, name(counter, is_system), "0");
    for (const auto& [counter, value] : now.counts.entries())
      if (before_.counts[counter] != value)
        slots.set(std::nullopt, name(counter, is_system), base::to_string(value));
    before_ = now;
  }

 private:
  std::string name(model::Counter counter, bool is_system) const {
    const std::string own = model::counter_name(model_, counter);
    return is_system ? "threads in " + own : own;
  }

  const model::CountingModel& model_;
  model::Configuration before_;
};

std::string reached_text(const model::CountingTask& task, const model::Configuration& last) {
  for (const model::Region& target : task.question.targets)
    if (model::target_region_contains(target, last))
      return "reaches " + model::target_to_string(task.model, target);
  return {};
}

RunSheet sheet_of_kind(const model::CountingTask& task, const answer::Trace& trace,
                       std::span<const SourceFile>, std::size_t most_rows) {
  RunSheet sheet;
  const bool unfolds = legs_of(trace, Blocks::Unfolded).size() <= most_rows;
  ReplayCursor cursor(task.model, trace, unfolds ? Blocks::Unfolded : Blocks::Folded);
  sheet.steps = step_count(trace);
  Lanes lanes(task.model, trace, sheet);
  Slots slots(sheet);
  CounterValues counters(task.model);
  counters.set(cursor.configuration(), slots);
  lanes.set_initial(trace, slots);
  slots.begin();
  Rows rows(sheet, cursor.size(), most_rows);
  while (cursor.forward()) {
    const Leg& leg = cursor.legs()[cursor.position() - 1];
    counters.set(cursor.configuration(), slots);
    const auto lane = lanes.follow(leg, trace.blocks[leg.block].repetitions != 1, slots);
    rows.add(
        {cursor.last_entry(), leg.before + 1, leg.before + leg.steps, lane, slots.take_changes()});
  }
  sheet.broken = cursor.broken();
  if (sheet.broken.empty()) sheet.reached = reached_text(task, cursor.configuration());
  return sheet;
}

}  // namespace

RunSheet sheet_of(const model::AnyTask& any, const answer::AnyRun& run,
                  std::span<const SourceFile> sources, std::size_t most_rows) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        return sheet_of_kind(task, std::get<answer::RunOf<Model>>(run), sources, most_rows);
      },
      any);
}

}  // namespace heddle::output
