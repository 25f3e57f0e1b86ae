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

/// Takes away procedures that call nobody who is left, by counting; those on a cycle of calls stay.
bool has_cycle(const std::map<std::string, std::set<std::string>>& calls) {
  std::map<std::string_view, std::vector<std::string_view>> callers;
  std::map<std::string_view, std::size_t> open;  // calls of procedures that are left
  for (const auto& [caller, callees] : calls) {
    std::size_t& count = open[caller];
    for (const std::string& callee : callees) {
      if (!calls.contains(callee)) continue;
      callers[callee].push_back(caller);
      ++count;
    }
  }
  std::vector<std::string_view> leaves;
  for (const auto& [procedure, count] : open)
    if (count == 0) leaves.push_back(procedure);
  std::size_t left = calls.size();
  for (; !leaves.empty(); --left) {
    const std::string_view leaf = leaves.back();
    leaves.pop_back();
    for (const std::string_view caller : callers[leaf])
      if (--open[caller] == 0) leaves.push_back(caller);
  }
  return left > 0;
}

struct FeaturesOf {
  static bool starts_bounded(const model::CountingQuestion& question) {
    return std::ranges::all_of(question.initial, is_bounded);
  }

  Features operator()(const model::ThreadTask& task) const {
    const model::ThreadSystem& system = task.model;
    const bool spawns = std::ranges::any_of(system.transitions, [](const auto& transition) {
      return transition.kind == model::StepKind::Spawn;
    });
    const bool plain =
        std::ranges::all_of(system.transitions, &model::ThreadTransition::has_constant_effect);
    return {starts_bounded(task.question) && !spawns ? "fixed threads" : "any number of threads",
            plain ? "moves only" : "broadcasts", system.transitions.size()};
  }

  Features operator()(const model::NetTask& task) const {
    const model::PetriNet& net = task.model;
    const auto is_plain = [](const model::PetriTransition& transition) {
      return std::ranges::all_of(transition.updates, &model::PlaceUpdate::is_shift);
    };
    return {starts_bounded(task.question) ? "fixed start" : "any number of tokens",
            std::ranges::all_of(net.transitions, is_plain) ? "plain" : "resets or transfers",
            net.transitions.size()};
  }

  Features operator()(const model::ProgramTask& task) const {
    const model::BooleanProgram& program = task.model;
    Survey survey;
    std::map<std::string, std::set<std::string>> calls;
    for (const model::boolean::Procedure& procedure : program.procedures) {
      survey.visit(procedure.body);
      calls[procedure.name] = std::exchange(survey.calls, {});
    }
    return {std::string(threads_of(task, survey.creates_threads)),
            has_cycle(calls) ? "recursive" : "without recursion", survey.statements};
  }

  static std::string_view threads_of(const model::ProgramTask& task, bool creates_threads) {
    const auto is_fixed = [](const model::ThreadsInMain& threads) {
      return threads.most.has_value();
    };
    const auto is_one = [](const model::ThreadsInMain& threads) { return threads.most == 1; };
    const auto& initial = task.question.initial;
    if (creates_threads || !std::ranges::all_of(initial, is_fixed)) return "any number of threads";
    const bool one = std::ranges::all_of(initial, is_one);
    return one && !model::boolean::lists_threads(task.model) ? "one thread" : "several threads";
  }

  Features operator()(const model::PushdownTask& task) const {
    const model::PushdownSystem& system = task.model;
    return {system.threads.size() == 1 ? "one thread" : "several threads",
            task.question.targets.empty() ? "without target" : "with target",
            system.transitions.size()};
  }

  /// Of other kinds only the name is known.
  template <class Model>
  Features operator()(const model::Task<Model>&) const {
    return {"any threads", "any steps", 0};
  }

  Features operator()(const model::CTask& task) const {
    std::size_t instructions = 0;
    for (const model::c::Function& function : task.model.functions)
      if (!function.is_library) instructions += function.code.size();
    const std::string property = task.question.targets.empty()
                                     ? "no property"
                                     : std::string(to_string(task.question.targets.front()));
    return {"threads that it creates", property, instructions};
  }
};

}  // namespace

std::string task_class(const model::AnyTask& task) {
  const Features features = std::visit(FeaturesOf(), task);
  std::string out = model::kind_name(task) + ", " + features.threads + ", " + features.steps +
                    ", " + std::string(size_word(features.size));
  if (model::contexts_of(task)) out += ", contexts";
  return out;
}

}  // namespace heddle::driver
