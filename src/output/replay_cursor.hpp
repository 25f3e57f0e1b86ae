#pragma once

/// A position in a trace that can be moved: what `heddle replay` steps with.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "answer/thread_naming.hpp"
#include "answer/trace.hpp"
#include "model/counting.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

/// What one press of "forward" does: one step of the trace, or the body of a block `repetitions`
/// times at once, by arithmetic.
struct Leg {
  std::size_t block = 0;
  std::optional<std::size_t> step;  ///< in the block's body; nothing: whole repetitions
  base::Integer first_repetition = 0;
  base::Integer repetitions = 1;  ///< of a leg without `step`
  base::Integer before = 0;       ///< how many steps of the trace lie before this leg
  base::Integer steps = 1;        ///< how many it stands for
  std::size_t written = 0;        ///< position among the steps as they are written down
};

/// How repetition blocks become legs. A block folded is one leg. A block unfolded is one leg per
/// step if that makes at most kMostUnfolded legs; otherwise its first and last kShownRepetitions
/// are unfolded and one leg stands for what lies between.
enum class Blocks { Folded, Unfolded };
constexpr std::size_t kMostUnfolded = 1000;
constexpr std::size_t kShownRepetitions = 3;

std::vector<Leg> legs_of(const answer::Trace& trace, Blocks blocks);

/// A cursor over the configurations of a trace. Position p is the configuration after p legs.
///
/// Moving forward costs one leg. Moving elsewhere recomputes from the nearest checkpoint, at most
/// kCheckpointDistance legs away among those passed before, so stepping backward through a long
/// trace stays fast and its configurations need not all be kept.
///
/// A trace need not be a right one: where a leg is impossible the cursor stays, and `broken` says
/// why. The model and the trace must outlive the cursor.
class ReplayCursor {
 public:
  static constexpr std::size_t kCheckpointDistance = 64;

  ReplayCursor(const model::CountingModel& model, const answer::Trace& trace, Blocks blocks);

  std::size_t position() const { return position_; }
  std::size_t size() const { return legs_.size(); }
  bool at_end() const { return position_ == legs_.size(); }
  const std::vector<Leg>& legs() const { return legs_; }
  const model::Configuration& configuration() const { return current_; }
  const std::string& broken() const { return broken_; }  ///< empty if no leg has failed yet

  /// How many steps of the trace lie before the cursor, those of repetitions included.
  base::Integer steps_done() const;

  bool forward();   ///< false at the end, or if the next leg is impossible
  bool backward();  ///< false at the start
  /// As near to the position as the trace can be followed; true if it was reached.
  bool move_to(std::size_t position);
  /// The last position with at most that many steps before it.
  std::size_t position_of_step(const base::Integer& step) const;

  /// What the leg before the cursor did, in words. Precondition: not at the start.
  StoryEntry last_entry() const;

 private:
  struct Checkpoint {
    std::size_t position = 0;
    model::Configuration configuration;
  };

  void restore(std::size_t position);
  StoryEntry repetition_entry(const Leg& leg) const;

  const model::CountingModel& model_;
  const answer::Trace& trace_;
  std::vector<Leg> legs_;
  std::vector<answer::NamedStep> named_;
  std::size_t position_ = 0;
  model::Configuration current_;
  model::Configuration previous_;  ///< before the last leg; only if position_ > 0
  std::vector<Checkpoint> checkpoints_;
  std::string broken_;
};

}  // namespace heddle::output
