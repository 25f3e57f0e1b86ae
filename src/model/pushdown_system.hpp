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

/// Regions of a pushdown system (model/configuration.hpp) are about what is visible: counter i is
/// the top of thread i's stack as a number, 0 for the empty stack and σ + 1 for symbol σ. So an
/// unlisted thread has an empty stack in an initial region, and any stack in a target region.
/// Initial stacks have at most one symbol.
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

/// The number that stands for a top in regions.
base::Integer top_value(const std::optional<StackSymbol>& top);
std::optional<StackSymbol> top_of(const Stack& stack);

/// The configuration after the step, or why it cannot be taken.
std::expected<PushdownConfiguration, std::string> step(const PushdownSystem& system,
                                                       const PushdownConfiguration& before,
                                                       TransitionId rule);

/// The configuration whose stacks are at most the tops that are given. Nothing if a number is none
/// of a top or a thread does not exist.
std::optional<PushdownConfiguration> with_tops(const PushdownSystem& system,
                                               const Configuration& tops);

/// What regions speak of: the shared state and the tops.
Configuration visible(const PushdownConfiguration& configuration);

/// `0 1 -> 2 3 4` as in a file; `-` for nothing.
std::string to_string(const PushdownRule& rule);
/// `0|1,-,4`: the shared state and what is visible of each stack.
std::string visible_to_string(const PushdownSystem& system, const Configuration& tops);
/// `0|1.2.2,-`: stacks from the top down.
std::string to_string(const PushdownConfiguration& configuration);

}  // namespace heddle::model
