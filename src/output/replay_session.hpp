#pragma once

/// The conversation of `heddle replay`: a command in, a text out. No terminal is needed.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/replay_tape.hpp"
#include "output/style.hpp"

namespace heddle::output {

class ReplaySession {
 public:
  /// The sources are those of a C program.
  ReplaySession(const model::AnyTask& task, const answer::AnyRun& run, Blocks blocks, Style style,
                std::span<const SourceFile> sources = {});

  /// Where the trace starts and how long it is.
  std::string greeting() const;

  /// Obeys one command (`help` lists them; an empty one means forward) and says what there is to
  /// see. Ends with a line break unless empty.
  std::string respond(std::string_view command);

  bool finished() const { return finished_; }

  /// From the start to the end, every leg.
  std::string whole();

  std::string help() const;

 private:
  std::string forward();
  std::string backward();
  std::string jump(std::string_view argument);
  std::string watch(std::string_view argument);
  std::string continue_to_change();
  std::string around();

  std::string view() const;           ///< the last leg in its source, and what it led to
  std::string leg_and_state() const;  ///< the same without the source
  std::string state() const;          ///< the configuration and what is watched
  std::string leg_text() const;       ///< the last leg alone
  std::string stuck() const;          ///< why there is no way forward
  std::vector<std::string> watched_values() const;

  std::unique_ptr<ReplayTape> tape_;
  Style style_;
  std::vector<Watched> watches_;
  bool finished_ = false;
};

}  // namespace heddle::output
