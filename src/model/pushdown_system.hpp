#pragma once

/// Concurrent pushdown systems: threads with a stack each, over finitely many shared states. A
/// fixed number of threads; each has rules of its own. (papers: Qadeer and Rehof, TACAS 2005.)

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "model/configuration.hpp"
#include "model/kind.hpp"

namespace heddle::model {

struct StackTag;
/// A stack symbol of one thread, by the number that the file gives it.
using StackSymbol = base::Id<StackTag>;

/// A step of thread `thread`: in shared state `from` with `top` on top of its stack, that symbol
/// is replaced by `pushed` (topmost first, at most two symbols) and the shared state becomes `to`.
/// Without `top` the rule acts on the empty stack, and at most one symbol is pushed.
struct PushdownRule {
  std::uint32_t thread = 0;
  SharedState from;
  std::optional<StackSymbol> top;
  SharedState to;
  std::vector<StackSymbol> pushed;
  std::uint32_t line = 0;  ///< in the file; 0 if there is none

  /// The line does not count.
  friend bool operator==(const PushdownRule& a, const PushdownRule& b) {
    return a.thread == b.thread && a.from == b.from && a.top == b.top && a.to == b.to &&
           a.pushed == b.pushed;
  }
};

/// The symbols that a thread is declared to use. Rules may use others all the same.
struct PushdownThread {
  StackSymbol first;
  StackSymbol last;
  /// What the symbols from the first on stand for, in words; may be empty.
  std::vector<std::string> symbol_names = {};

  /// Names do not count.
  friend bool operator==(const PushdownThread& a, const PushdownThread& b) {
    return a.first == b.first && a.last == b.last;
  }
};

/// See above. Configurations have one stack per thread.
struct PushdownSystem {
  std::uint32_t shared_count = 1;
  std::vector<PushdownThread> threads;
  std::vector<PushdownRule> transitions;  ///< of all threads, in the order of the file
  /// What the shared states stand for, in words; may be empty.
  std::vector<std::string> shared_names = {};

  /// Names do not count.
  friend bool operator==(const PushdownSystem& a, const PushdownSystem& b) {
    return a.shared_count == b.shared_count && a.threads == b.threads &&
           a.transitions == b.transitions;
  }
};

/// Top of the stack last.
using Stack = std::vector<StackSymbol>;

struct PushdownConfiguration {
  SharedState shared;
  std::vector<Stack> stacks;  ///< one per thread
  friend auto operator<=>(const PushdownConfiguration&, const PushdownConfiguration&) = default;
};

/// What is visible of a stack: its top, or nothing if it is empty.
using Top = std::optional<StackSymbol>;
Top top_of(const Stack& stack);

struct ThreadTop {
  std::uint32_t thread = 0;
  Top top;
  friend auto operator<=>(const ThreadTop&, const ThreadTop&) = default;
};

/// What is visible of a configuration: the shared state and the tops of stacks. An unlisted thread
/// has an empty stack in an initial state and any stack in a target. Sorted by thread, one each.
struct VisibleState {
  SharedState shared;
  std::vector<ThreadTop> tops;

  const ThreadTop* find(std::size_t thread) const;  ///< null if the thread is not listed
  friend auto operator<=>(const VisibleState&, const VisibleState&) = default;
};

/// Can the configuration of an initial state, with stacks of at most one symbol, reach one of which
/// a target is visible?
struct PushdownQuestion {
  std::vector<VisibleState> initial;
  std::vector<VisibleState> targets;  ///< none: all that is reachable is asked for
  /// At most so many contexts per thread, at least 1: a run is cut into rounds, and in each round
  /// every thread, in the order of their numbers, makes any number of steps in a row. Nothing: any
  /// number of rounds.
  std::optional<std::uint32_t> contexts = std::nullopt;
  friend bool operator==(const PushdownQuestion&, const PushdownQuestion&) = default;
};

template <>
struct Kind<PushdownSystem> {
  using Question = PushdownQuestion;
  using Initial = VisibleState;
  using Target = VisibleState;
  static constexpr std::string_view kName = "pushdown system";
};

/// `0|1,-,4`: the shared state and what is visible of each stack.
std::string initial_to_string(const PushdownSystem& system, const VisibleState& state);
/// `0|1,-,*`
std::string target_to_string(const PushdownSystem& system, const VisibleState& target);

/// The configuration after the step, or why it cannot be taken.
std::expected<PushdownConfiguration, std::string> step(const PushdownSystem& system,
                                                       const PushdownConfiguration& before,
                                                       TransitionId rule);

/// The configuration that an initial state stands for. Nothing if a thread does not exist.
std::optional<PushdownConfiguration> initial_configuration(const PushdownSystem& system,
                                                           const VisibleState& initial);

/// Do these two, read as initial states, mean the same?
bool same_initial_state(const VisibleState& a, const VisibleState& b);

/// Is the target visible of the configuration?
bool meets(const VisibleState& target, const PushdownConfiguration& configuration);

/// `0 1 -> 2 3 4` as in a file; `-` for nothing.
std::string to_string(const PushdownRule& rule);
/// `0|1.2.2,-`: stacks from the top down.
std::string to_string(const PushdownConfiguration& configuration);

}  // namespace heddle::model
