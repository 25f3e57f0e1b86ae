#pragma once

/// The naive truth about a small C program within a number of contexts of each thread: rounds in
/// which threads have their turns in the order of their numbers. A state, a round and whose turn it
/// is; an instruction, or the end of the turn. Shares the interpreter with engines and nothing
/// else. Words are 0 or 1 where they are chosen; where that is not enough the answer is incomplete.

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/c/interpreter.hpp"
#include "support/c_oracle.hpp"

namespace heddle::testing::c {

class ContextOracle {
 public:
  ContextOracle(const model::c::Program& program, model::c::Property property, std::uint32_t rounds)
      : interpreter_(program), property_(property), rounds_(rounds) {}

  COracleAnswer ask(std::uint64_t most_states) {
    visit({interpreter_.initial(), 0, 0});
    while (!pending_.empty() && !answer_.is_violated) {
      if (seen_.size() > most_states) {
        answer_.is_complete = false;
        break;
      }
      const Moment moment = std::move(pending_.back());
      pending_.pop_back();
      step(moment, {});
      Moment next = moment;
      next.turn = moment.turn + 1 == moment.state.threads.size() ? 0 : moment.turn + 1;
      next.round += next.turn == 0 ? 1 : 0;
      if (!moment.state.section_owner && next.round < rounds_) visit(std::move(next));
    }
    answer_.states = seen_.size();
    return answer_;
  }

 private:
  struct Moment {
    model::c::State state;
    std::uint32_t round = 0;
    std::size_t turn = 0;
  };

  void visit(Moment moment) {
    std::string key = std::to_string(moment.round) + "/" + std::to_string(moment.turn) + "/" +
                      text_of(moment.state);
    if (seen_.insert(std::move(key)).second) pending_.push_back(std::move(moment));
  }

  void step(const Moment& moment, const std::vector<std::uint64_t>& choices) {
    using model::c::Outcome;
    Moment next = moment;
    const model::c::StepResult result =
        interpreter_.step(next.state, model::c::ThreadId(moment.turn), choices);
    if (result.outcome == Outcome::NeedsChoice) {
      const bool is_bit = result.request.count == 2 || result.request.width == 1;
      const bool is_undefined = result.request.kind == model::c::ChoiceRequest::Kind::Uninitialised;
      if (!is_bit && !is_undefined) answer_.is_complete = false;
      for (std::uint64_t word = 0; word < (is_bit ? 2u : 1u); ++word) {
        std::vector<std::uint64_t> more = choices;
        more.push_back(word);
        step(moment, more);
      }
      return;
    }
    if (result.violation && violates(property_, result.violation->kind)) answer_.is_violated = true;
    if (result.outcome == Outcome::Continued) visit(std::move(next));
  }

  model::c::Interpreter interpreter_;
  model::c::Property property_;
  std::uint32_t rounds_;
  std::set<std::string> seen_;
  std::vector<Moment> pending_;
  COracleAnswer answer_;
};

}  // namespace heddle::testing::c
