#pragma once

/// What `heddle replay` steps through: a trace of any kind of model, as a row of legs with a state
/// behind each.

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/replay_cursor.hpp"
#include "output/source_lines.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

/// Something that a person wants to see after each leg.
struct Watched {
  std::string name;
  std::function<std::string()> value;  ///< where the tape is
};

/// A tape need not be a right one: where a leg is impossible it stays, and `broken` says why.
class ReplayTape {
 public:
  virtual ~ReplayTape() = default;

  virtual std::size_t position() const = 0;  ///< how many legs were passed
  virtual std::size_t size() const = 0;
  bool at_end() const { return position() == size(); }
  virtual const std::string& broken() const = 0;

  /// In steps; a leg may stand for many.
  virtual base::Integer steps_done() const = 0;
  virtual base::Integer steps() const = 0;

  virtual bool forward() = 0;  ///< false at the end, or if the next leg is impossible
  bool backward() { return position() > 0 && move_to(position() - 1); }
  /// As near to the position as the trace can be followed; true if it was reached.
  virtual bool move_to(std::size_t position) = 0;
  /// The last position with at most that many steps before it.
  virtual std::size_t position_of_step(const base::Integer& step) const = 0;

  /// What the last leg did, in words. Precondition: not at the start.
  virtual StoryEntry last_entry() const = 0;
  /// The source around the last leg, for who steps through it; may be empty.
  virtual std::string listing() const { return {}; }
  virtual std::string state() const = 0;    ///< in words
  virtual std::string reached() const = 0;  ///< what was asked for, if it is here; else empty

  /// The error says what can be watched instead.
  virtual std::expected<Watched, std::string> watch(std::string_view text) const = 0;
  virtual std::string watchable() const = 0;  ///< a line of help
};

/// Precondition: the run is one of the task's kind.
std::unique_ptr<ReplayTape> make_tape(const model::AnyTask& task, const answer::AnyRun& run,
                                      Blocks blocks, std::span<const SourceFile> sources);

}  // namespace heddle::output
