#pragma once

/// Words that can be anything, for the plain search of check_safe.cpp. Where the program chooses a
/// word among too many to try them all, the register is *unknown* instead. An unknown word may be
/// copied, extended, truncated, handed to functions and returned: the copies are unknown, too. A
/// comparison with an unknown word has every result that some word gives it; if it shows that the
/// word is equal to a known one, the register is known from then on; likewise a switch. Whatever
/// else depends on an unknown word ends the check.
///
/// This forgets which unknown words are equal, and what else comparisons have shown. Hence
/// the search sees every execution and perhaps more: if it finds nothing bad, there is nothing bad;
/// what it finds after a comparison may not exist.

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/c/interpreter.hpp"

namespace heddle::check::c {

class UnknownWords {
 public:
  bool is_empty() const { return registers_.empty(); }
  /// Whether the instruction that a thread executes next depends on an unknown word.
  bool matter_to(const model::c::Interpreter& interpreter, const model::c::State& state,
                 model::c::ThreadId thread) const;

  /// A register of a thread's top frame.
  void add(const model::c::State& state, model::c::ThreadId thread, model::c::Register to);

  /// After a step: what it wrote is known, or unknown where it is a copy of something unknown; what
  /// is gone is forgotten. The contents of unknown registers are 0.
  void follow(const model::c::Interpreter& interpreter, const model::c::State& before,
              model::c::State& after, model::c::ThreadId thread);

  /// Whether the next instruction copies unknown words and does nothing else with them.
  bool are_only_copied(const model::c::Interpreter& interpreter, const model::c::State& before,
                       model::c::ThreadId thread) const;

  struct Trial {
    model::c::State state;                   ///< with contents for the unknown operands
    std::optional<model::c::Operand> known;  ///< of which there is no other with that result
  };
  /// For a comparison or a switch: one trial for each result at least. Empty for other
  /// instructions.
  std::vector<Trial> trials(const model::c::Interpreter& interpreter, const model::c::State& state,
                            model::c::ThreadId thread) const;
  static std::vector<Trial> case_trials(const model::c::State& state, model::c::ThreadId thread,
                                        const model::c::Switch& effect);
  void remove(const model::c::State& state, model::c::ThreadId thread,
              const model::c::Operand& operand);

  /// A register that nothing reads any more.
  void forget(model::c::ThreadId thread, std::uint32_t index) {
    if (!registers_.empty()) registers_.erase({thread.value, index});
  }

  /// Appends what distinguishes these from others.
  void write(std::vector<std::uint32_t>& row) const;

 private:
  bool has(const model::c::State& state, model::c::ThreadId thread,
           const model::c::Operand& operand) const;
  std::vector<model::c::Register> copies(const model::c::Effect& effect,
                                         const model::c::State& before,
                                         model::c::ThreadId thread) const;

  std::set<std::pair<std::uint32_t, std::uint32_t>> registers_;  ///< of threads, by their index
};

}  // namespace heddle::check::c
