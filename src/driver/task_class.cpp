#include "driver/task_class.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "model/boolean_program/listed_threads.hpp"

namespace heddle::driver {

namespace {

using model::boolean::Statement;
using model::boolean::StatementKind;

/// Of transitions, rules or statements.
std::string_view size_word(std::size_t size) {
  constexpr std::size_t kSmall = 100;
  constexpr std::size_t kMedium = 1000;
  if (size < kSmall) return "small";
  return size < kMedium ? "medium" : "large";
}

bool is_bounded(const model::Region& region) {
  return std::ranges::all_of(
      region.bounds, [](const model::CounterBound& bound) { return bound.upper.has_value(); });
}

struct Features {
  std::string threads;
  std::string steps;
  std::size_t size = 0;
};

/// A walk over all statements of a program, those in blocks included.
struct Survey {
  std::size_t statements = 0;
  bool creates_threads = false;
  std::set<std::string> calls;  ///< of the procedure at hand

  void visit(const std::vector<Statement>& block) {
    for (const Statement& statement : block) {
      ++statements;
      if (statement.kind == StatementKind::StartThread || is_asynchronous(statement))
        creates_threads = true;
      if (statement.kind == StatementKind::Call) calls.insert(statement.callee);
      for (const auto& inner : statement.blocks) visit(inner);
    }
  }
};

/// Takes away procedures that call nobody who is left; those on a cycle of calls stay.
bool has_cycle(std::map<std::string, std::set<std::string>> calls) {
  const auto is_leaf = [&](const auto& entry) {
    return std::ranges::none_of(entry.second,
                                [&](const std::string& callee) { return calls.contains(callee); });
  };
  while (std::erase_if(calls, is_leaf) > 0) continue;
  return !calls.empty();
}

struct FeaturesOf {
  const model::Question& question;

  bool starts_bounded() const { return std::ranges::all_of(question.initial, is_bounded); }

  Features operator()(const model::ThreadSystem& system) const {
    const bool spawns = std::ranges::any_of(system.transitions, [](const auto& transition) {
      return transition.kind == model::StepKind::Spawn;
    });
    const bool plain =
        std::ranges::all_of(system.transitions, &model::ThreadTransition::has_constant_effect);
    return {starts_bounded() && !spawns ? "fixed threads" : "any number of threads",
            plain ? "moves only" : "broadcasts", system.transitions.size()};
  }

  Features operator()(const model::PetriNet& net) const {
    const auto is_plain = [](const model::PetriTransition& transition) {
      return std::ranges::all_of(transition.updates, &model::PlaceUpdate::is_shift);
    };
    return {starts_bounded() ? "fixed start" : "any number of tokens",
            std::ranges::all_of(net.transitions, is_plain) ? "plain" : "resets or transfers",
            net.transitions.size()};
  }

  Features operator()(const model::BooleanProgram& program) const {
    Survey survey;
    std::map<std::string, std::set<std::string>> calls;
    for (const model::boolean::Procedure& procedure : program.procedures) {
      survey.visit(procedure.body);
      calls[procedure.name] = std::exchange(survey.calls, {});
    }
    return {std::string(threads_of(program, survey.creates_threads)),
            has_cycle(std::move(calls)) ? "recursive" : "without recursion", survey.statements};
  }

  std::string_view threads_of(const model::BooleanProgram& program, bool creates_threads) const {
    if (creates_threads || !starts_bounded()) return "any number of threads";
    const bool one = std::ranges::all_of(question.initial, [](const model::Region& region) {
      const model::CounterBound* bound = region.find(model::Counter(0U));
      return bound && *bound->upper == 1;
    });
    return one && !model::boolean::lists_threads(program) ? "one thread" : "several threads";
  }

  Features operator()(const model::PushdownSystem& system) const {
    return {system.threads.size() == 1 ? "one thread" : "several threads",
            question.targets.empty() ? "without target" : "with target", system.transitions.size()};
  }
};

}  // namespace

std::string task_class(const model::Task& task) {
  const Features features = std::visit(FeaturesOf{task.question}, task.model);
  std::string out = model::kind_name(task.model) + ", " + features.threads + ", " + features.steps +
                    ", " + std::string(size_word(features.size));
  if (task.question.contexts) out += ", contexts";
  return out;
}

}  // namespace heddle::driver
