#include "output/trace_story.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "answer/thread_naming.hpp"
#include "base/integer.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::NamedStep;
using answer::ThreadMove;
using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;
using model::Counter;
using model::CountingModel;
using model::PetriNet;
using model::StepKind;
using model::ThreadSystem;
using model::ThreadTransition;

constexpr std::size_t kMostNoteLines = 2;
constexpr std::size_t kMostNamedPassive = 4;

std::string line_reference(std::uint32_t line) {
  return line == 0 ? "" : "line " + std::to_string(line);
}

std::vector<std::string> note_lines(std::string_view note) {
  std::vector<std::string> lines;
  while (!note.empty() && lines.size() < kMostNoteLines) {
    const std::size_t end = std::min(note.find('\n'), note.size());
    if (end > 0) lines.emplace_back(note.substr(0, end));
    note.remove_prefix(std::min(end + 1, note.size()));
  }
  return lines;
}

std::string thread_name(answer::ThreadId thread) {
  return "thread " + std::to_string(thread.value);
}

std::string state(model::ThreadState at) {
  return std::to_string(at.shared.value) + "|" + std::to_string(at.local.value);
}

/// `0 (m=0)` only where the file gives a name.
bool is_named(const std::vector<std::string>& names, std::uint32_t number) {
  return number < names.size() && !names[number].empty();
}

std::string arrow(const std::string& from, const std::string& to) {
  return from == to ? from : from + " → " + to;
}

/// Where the active thread stands after the step; the same local state without one.
model::ThreadState after_state(const ThreadTransition& t) {
  const bool moves = t.kind == StepKind::Move;
  return {t.target.shared, moves ? t.target.local : t.source.local};
}

/// What the states that change are called, if the file calls them anything.
void name_changes(const ThreadSystem& system, const CountingModel& model, const ThreadTransition& t,
                  std::vector<std::string>& details) {
  const auto [before, after] = std::pair(t.source, after_state(t));
  const auto named = [](const std::vector<std::string>& names, auto from, auto to) {
    return from != to && (is_named(names, from.value) || is_named(names, to.value));
  };
  if (named(system.shared_names, before.shared, after.shared))
    details.push_back("shared " + arrow(model::shared_name(model, before.shared),
                                        model::shared_name(model, after.shared)));
  if (named(system.local_names, before.local, after.local))
    details.push_back("local " + arrow(model::counter_name(model, before.local),
                                       model::counter_name(model, after.local)));
}

/// How many threads a step moves along without their doing, by where from and to.
using PassiveFlows = std::map<std::pair<Counter, Counter>, Integer>;

PassiveFlows passive_flows(const ThreadTransition& t, const Configuration& before,
                           const TraceStep& step) {
  std::set<Counter> sources;
  if (t.kind == StepKind::Transfer) sources.insert(t.source.local);
  for (const model::PassiveMove& move : t.passive) sources.insert(move.from);

  PassiveFlows flows;
  for (const Counter source : sources) {
    const auto targets = model::passive_targets(t, source);
    const bool active_here = t.kind == StepKind::Move && t.source.local == source;
    const Integer present = before.counts[source] - (active_here ? 1 : 0);
    if (targets.size() == 1 && targets.front() != source)
      flows[{source, targets.front()}] = present;
  }
  for (const model::PassiveFlow& flow : step.flows)
    if (flow.from != flow.to) flows[{flow.from, flow.to}] = flow.count;
  std::erase_if(flows, [](const auto& entry) { return entry.second == 0; });
  return flows;
}

std::string who_moved(const Integer& count, const std::vector<answer::ThreadId>& threads) {
  if (threads.empty() || threads.size() > kMostNamedPassive) return counted(count, "other thread");
  std::string out = threads.size() == 1 ? "thread " : "threads ";
  for (std::size_t i = 0; i < threads.size(); ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(threads[i].value);
  return out;
}

std::string spawned_thread(const NamedStep* names) {
  return names && names->spawned ? thread_name(names->spawned->thread) : "a thread";
}

std::vector<answer::ThreadId> passive_threads(const NamedStep* names,
                                              std::pair<Counter, Counter> move) {
  std::vector<answer::ThreadId> threads;
  if (!names) return threads;
  for (const ThreadMove& passive : names->passive)
    if (passive.from == move.first && passive.to == move.second) threads.push_back(passive.thread);
  return threads;
}

StoryEntry thread_entry(const CountingModel& model, const Configuration& before,
                        const TraceStep& step, const NamedStep* names) {
  const auto& system = std::get<ThreadSystem>(model);
  const ThreadTransition& t = system.transitions[step.transition.index()];
  StoryEntry entry;
  entry.where = line_reference(t.line);
  entry.place.line = t.line;
  entry.notes = note_lines(t.note);
  if (t.kind == StepKind::Transfer) {
    entry.who = "no thread";
    entry.change = "shared " + arrow(std::to_string(t.source.shared.value),
                                     std::to_string(t.target.shared.value));
  } else {
    entry.who = step.thread ? thread_name(*step.thread) : "a thread";
    entry.change = arrow(state(t.source), state(after_state(t)));
  }
  if (t.kind == StepKind::Spawn)
    entry.details.push_back("spawns " + spawned_thread(names) + " in local state " +
                            model::counter_name(model, t.target.local));
  name_changes(system, model, t, entry.details);
  for (const auto& [move, count] : passive_flows(t, before, step))
    entry.details.push_back(
        who_moved(count, passive_threads(names, move)) + ": local " +
        arrow(model::counter_name(model, move.first), model::counter_name(model, move.second)));
  return entry;
}

StoryEntry net_entry(const PetriNet& net, const Configuration& before, const TraceStep& step,
                     const Configuration& after) {
  const model::PetriTransition& t = net.transitions[step.transition.index()];
  StoryEntry entry;
  entry.who = t.name.empty() ? "rule " + std::to_string(step.transition.value) : t.name;
  entry.where = line_reference(t.line);
  entry.place.line = t.line;
  entry.notes = note_lines(t.note);
  for (const model::PlaceUpdate& update : t.updates) {
    const Integer before_value = before.counts[update.place];
    const Integer after_value = after.counts[update.place];
    if (before_value == after_value) continue;
    entry.change += (entry.change.empty() ? "" : ", ") + net.places[update.place.index()] + " " +
                    arrow(base::to_string(before_value), base::to_string(after_value));
  }
  return entry;
}

/// Replays a trace and writes down what happens.
class Teller {
 public:
  Teller(const CountingModel& model, const answer::Trace& trace) : model_(model), trace_(trace) {
    story_.last = trace.initial;
    if (const auto* system = std::get_if<ThreadSystem>(&model))
      named_ = answer::named_steps(*system, trace);
  }

  Story tell() {
    for (const TraceBlock& block : trace_.blocks)
      if (story_.broken.empty()) tell(block);
    return std::move(story_);
  }

 private:
  void tell(const TraceBlock& block) {
    const bool repeated = block.repetitions != 1;
    if (repeated)
      story_.entries.push_back(
          {"", "repeat " + counted(block.repetitions, "time") + ":", "", {}, {}, "", false});
    const Configuration before = story_.last;
    for (const TraceStep& step : block.body) {
      if (!tell(step)) return;
      story_.entries.back().repeated = repeated;
    }
    if (repeated) repeat(before, block);
  }

  /// The body has been run once; its effect is constant, so the rest is a multiplication.
  void repeat(const Configuration& before, const TraceBlock& block) {
    Configuration after{story_.last.shared, {}};
    for (std::size_t i = 0; i < model::counter_count(model_); ++i) {
      const Counter counter(i);
      const Integer start = before.counts[counter];
      const Integer value = start + block.repetitions * (story_.last.counts[counter] - start);
      if (value < 0) return;
      after.counts.set(counter, value);
    }
    story_.last = std::move(after);
    number_ += (block.repetitions - 1) * block.body.size();
  }

  bool tell(const TraceStep& step) {
    const auto after = fire(step);
    if (!after) {
      story_.broken = after.error();
      return false;
    }
    StoryEntry entry = tell_step(model_, story_.last, step, *after, named());
    number_ += 1;
    entry.number = base::to_string(number_);
    story_.entries.push_back(std::move(entry));
    story_.last = *after;
    ++told_;
    return true;
  }

  std::expected<Configuration, std::string> fire(const TraceStep& step) const {
    if (const auto* net = std::get_if<PetriNet>(&model_))
      return model::step(*net, story_.last, step.transition);
    return model::step(std::get<ThreadSystem>(model_), story_.last, step.transition, step.flows);
  }

  const NamedStep* named() const { return told_ < named_.size() ? &named_[told_] : nullptr; }

  const CountingModel& model_;
  const answer::Trace& trace_;
  std::vector<NamedStep> named_;
  std::size_t told_ = 0;  ///< steps written down, those of a repetition once
  Integer number_ = 0;    ///< of the last step
  Story story_;
};

}  // namespace

StoryEntry tell_step(const CountingModel& model, const Configuration& before, const TraceStep& step,
                     const Configuration& after, const NamedStep* names) {
  if (const auto* net = std::get_if<PetriNet>(&model)) return net_entry(*net, before, step, after);
  return thread_entry(model, before, step, names);
}

Story tell(const CountingModel& model, const answer::Trace& trace) {
  return Teller(model, trace).tell();
}

}  // namespace heddle::output
