#include "output/replay_cursor.hpp"

#include <algorithm>

#include "base/invariant.hpp"
#include "output/replay_step.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::TraceBlock;
using answer::TraceStep;
using base::Integer;
using model::Configuration;
using model::Counter;

constexpr std::size_t kMostListed = 4;

/// Lays a trace out as legs.
class Layout {
 public:
  std::vector<Leg> lay_out(const answer::Trace& trace, Blocks blocks) {
    for (block_ = 0; block_ < trace.blocks.size(); ++block_) {
      const TraceBlock& block = trace.blocks[block_];
      body_ = block.body.size();
      if (block.repetitions == 1)
        unfold(0, 1);
      else if (blocks == Blocks::Folded)
        fold(0, block.repetitions);
      else
        unfold_ends(block.repetitions);
      written_ += body_;
    }
    return std::move(legs_);
  }

 private:
  void unfold_ends(const Integer& repetitions) {
    if (repetitions * Integer(body_) <= Integer(kMostUnfolded)) return unfold(0, repetitions);
    const Integer ends = Integer(kShownRepetitions);
    if (repetitions <= 2 * ends) return unfold(0, repetitions);
    unfold(0, ends);
    fold(ends, repetitions - 2 * ends);
    unfold(repetitions - ends, ends);
  }

  void unfold(const Integer& first, const Integer& count) {
    for (Integer r = first; r < first + count; ++r)
      for (std::size_t i = 0; i < body_; ++i) add({block_, i, r, 1, done_, 1, written_ + i});
  }

  void fold(const Integer& first, const Integer& count) {
    add({block_, std::nullopt, first, count, done_, count * Integer(body_), written_});
  }

  void add(Leg leg) {
    done_ += leg.steps;
    legs_.push_back(std::move(leg));
  }

  std::vector<Leg> legs_;
  std::size_t block_ = 0;
  std::size_t body_ = 0;
  std::size_t written_ = 0;
  Integer done_ = 0;
};

Reached run(const model::CountingModel& model, const answer::Trace& trace, const Leg& leg,
            const Configuration& from) {
  const TraceBlock& block = trace.blocks[leg.block];
  if (leg.step) return fire(model, from, block.body[*leg.step]);
  return repeat(model, from, block, leg.repetitions);
}

void list(std::string& out, const std::string& item) { out += (out.empty() ? "" : ", ") + item; }

/// `local 3 +17`, `p -4`: what a repetition did to the counters.
std::string difference(const model::CountingModel& model, const Configuration& before,
                       const Configuration& after) {
  const std::string prefix = std::holds_alternative<model::ThreadSystem>(model) ? "local " : "";
  std::string out;
  for (std::size_t i = 0; i < model::counter_count(model); ++i) {
    const Counter counter(i);
    const Integer change = after.counts[counter] - before.counts[counter];
    if (change == 0) continue;
    list(out, prefix + model::counter_name(model, counter) + (change > 0 ? " +" : " ") +
                  base::to_string(change));
  }
  return out.empty() ? "nothing changes" : out;
}

}  // namespace

std::vector<Leg> legs_of(const answer::Trace& trace, Blocks blocks) {
  return Layout().lay_out(trace, blocks);
}

ReplayCursor::ReplayCursor(const model::CountingModel& model, const answer::Trace& trace,
                           Blocks blocks)
    : model_(model),
      trace_(trace),
      legs_(legs_of(trace, blocks)),
      current_(trace.initial),
      checkpoints_{{0, trace.initial}} {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    named_ = answer::named_steps(*system, trace);
}

Integer ReplayCursor::steps_done() const {
  if (position_ == 0) return 0;
  return legs_[position_ - 1].before + legs_[position_ - 1].steps;
}

bool ReplayCursor::forward() {
  if (at_end()) return false;
  Reached next = run(model_, trace_, legs_[position_], current_);
  if (!next) {
    broken_ = next.error();
    return false;
  }
  previous_ = std::move(current_);
  current_ = std::move(*next);
  ++position_;
  if (position_ == checkpoints_.back().position + kCheckpointDistance)
    checkpoints_.push_back({position_, current_});
  return true;
}

bool ReplayCursor::backward() { return position_ > 0 && move_to(position_ - 1); }

/// To the last checkpoint strictly before the position, so that a leg leads to it.
void ReplayCursor::restore(std::size_t position) {
  const std::size_t wanted = position == 0 ? 0 : (position - 1) / kCheckpointDistance;
  const Checkpoint& nearest = checkpoints_[std::min(wanted, checkpoints_.size() - 1)];
  position_ = nearest.position;
  current_ = nearest.configuration;
}

bool ReplayCursor::move_to(std::size_t position) {
  const std::size_t goal = std::min(position, legs_.size());
  if (goal < position_ || goal > position_ + kCheckpointDistance) restore(goal);
  while (position_ < goal && forward()) continue;
  return position_ == position;
}

std::size_t ReplayCursor::position_of_step(const Integer& step) const {
  const auto ends_by = [&](const Leg& leg) { return leg.before + leg.steps <= step; };
  return static_cast<std::size_t>(std::ranges::partition_point(legs_, ends_by) - legs_.begin());
}

StoryEntry ReplayCursor::last_entry() const {
  HEDDLE_INVARIANT(position_ > 0, "the cursor should have passed a leg");
  const Leg& leg = legs_[position_ - 1];
  if (!leg.step) return repetition_entry(leg);
  const TraceBlock& block = trace_.blocks[leg.block];
  const bool repeated = block.repetitions != 1;
  const bool known = !repeated && leg.written < named_.size();
  StoryEntry entry = tell_step(model_, previous_, block.body[*leg.step], current_,
                               known ? &named_[leg.written] : nullptr);
  entry.number = base::to_string(Integer(leg.before + 1));
  if (repeated)
    entry.details.push_back("repetition " + base::to_string(Integer(leg.first_repetition + 1)) +
                            " of " + base::to_string(block.repetitions));
  return entry;
}

StoryEntry ReplayCursor::repetition_entry(const Leg& leg) const {
  const TraceBlock& block = trace_.blocks[leg.block];
  std::string body;
  Configuration at = previous_;
  for (std::size_t i = 0; i < std::min(block.body.size(), kMostListed); ++i) {
    const Reached next = fire(model_, at, block.body[i]);
    if (!next) break;
    const StoryEntry entry = tell_step(model_, at, block.body[i], *next, nullptr);
    list(body, entry.who == "a thread" ? entry.change : entry.who);
    at = *next;
  }
  if (block.body.size() > kMostListed)
    list(body, "… " + std::to_string(block.body.size() - kMostListed) + " more");
  StoryEntry entry;
  entry.number = base::to_string(Integer(leg.before + leg.steps));
  entry.who = leg.repetitions == block.repetitions
                  ? "repeat " + counted(leg.repetitions, "time") + ":"
                  : "… " + counted(leg.repetitions, "repetition") + " not shown:";
  entry.change = body;
  entry.details.push_back(difference(model_, previous_, current_));
  return entry;
}

}  // namespace heddle::output
