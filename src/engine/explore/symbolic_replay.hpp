#pragma once

/// A run executed once more, with terms beside the words: which words, and which decisions, depend
/// on the words that the run chose, and how. The terms say what the interpreter would compute for
/// other choices along the same path, as far as linear arithmetic can say it (word_terms.hpp); a
/// word without a term counts as the number that it is. Hence the terms are hints, not facts:
/// whoever solves them executes the program with the solution.

#include <compare>
#include <optional>
#include <vector>

#include "model/c/run.hpp"
#include "term/term.hpp"

namespace heddle::engine::explore {

/// The instruction at which a word is chosen.
struct ChoiceSite {
  model::c::FunctionId function;
  model::c::Location at;
  friend auto operator<=>(const ChoiceSite&, const ChoiceSite&) = default;
};

struct ChosenWord {
  ChoiceSite site;
  term::Term variable;  ///< Boolean for 1 bit, otherwise an integer in the range of the word
  std::uint8_t width = 32;
  bool is_signed = false;
};

struct SymbolicRun {
  std::vector<ChosenWord> chosen;
  std::vector<term::Term> conditions;  ///< that hold on the run, in their order
  /// What would make the instruction before which the run ends decide otherwise (take the other
  /// branch, fulfil the assumption, overflow, access another address). Empty: no choice matters to
  /// it.
  std::vector<term::Term> goals;
};

/// The address that an instruction accesses or synchronises at; null if there is none.
const model::c::Operand* address_operand(const model::c::Effect& effect);

/// The run ends before the decision of `thread`. `addresses` are those of interest if it is an
/// access.
SymbolicRun replay_symbolically(const model::c::Interpreter& interpreter, const model::c::Run& run,
                                model::c::ThreadId thread,
                                const std::vector<std::uint64_t>& addresses);

}  // namespace heddle::engine::explore
