#include "check/pushdown_invariant.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check/stack_products.hpp"

/// The claimed products hold the initial configurations and no target, and every rule of every
/// thread leads from them into them; stack_products.cpp proves that this is enough. Products,
/// automata and shared states must exist, and automata be deterministic (`malformed`). Symbols of
/// the automata that the system does not have are harmless: no rule and no target reads them, and
/// stacks with them are not reachable.

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::PushdownInvariant;
using answer::StackProduct;
using model::PushdownRule;
using model::PushdownSystem;

class InvariantCheck {
 public:
  InvariantCheck(const model::Task& task, const PushdownInvariant& invariant,
                 const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task),
        system_(std::get<PushdownSystem>(task.model)),
        invariant_(invariant),
        products_(invariant, system_.shared_count, rounds),
        context_(context) {
    for (const PushdownRule& rule : system_.transitions) rules_[rule.from].push_back(&rule);
  }

  CheckResult run() {
    for (const model::Region& region : task_.question.initial)
      if (!products_.hold_initially(region.shared, initial_stacks(region)))
        return refuted("no product of turn 0 holds the initial configuration " +
                       model::initial_to_string(task_.model, region));
    for (const StackProduct& product : invariant_.products) {
      if (products_.is_empty(product)) continue;
      if (auto why = meets_target(product)) return refuted(std::move(*why));
      if (auto problem = check_closed(product)) return *problem;
    }
    return {EvidenceStatus::Confirmed,
            "re-proved " + std::to_string(invariant_.products.size()) + " sets of configurations"};
  }

  static CheckResult refuted(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

 private:
  /// Each is the top alone, or nothing.
  StackProducts::Words initial_stacks(const model::Region& region) const {
    StackProducts::Words out(system_.threads.size());
    for (const model::CounterBound& bound : region.bounds)
      if (bound.lower != 0)
        out[bound.counter.index()] = {model::StackSymbol(*base::to_uint32(bound.lower - 1))};
    return out;
  }

  std::optional<std::string> meets_target(const StackProduct& product) const {
    for (const model::Region& target : task_.question.targets) {
      if (target.shared != product.shared) continue;
      const bool met = std::ranges::all_of(target.bounds, [&](const model::CounterBound& bound) {
        const StackInclusion& stacks = products_.stacks(bound.counter.index());
        const std::uint32_t state = product.stacks[bound.counter.index()];
        if (bound.lower == 0) return stacks.accepts_empty_stack(state);
        return stacks.has_top(state, model::StackSymbol(*base::to_uint32(bound.lower - 1)));
      });
      if (met) return "a product meets the target " + model::target_to_string(task_.model, target);
    }
    return std::nullopt;
  }

  std::optional<CheckResult> check_closed(const StackProduct& product) {
    for (const PushdownRule* possible : rules_[product.shared]) {
      const PushdownRule& rule = *possible;
      if (const auto stop = context_.step())
        return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
      StackStep step{rule.thread, {}, rule.to, rule.pushed};
      if (rule.top) step.read = {*rule.top};
      if (!products_.hold_after(product, step))
        return refuted("a step with the rule '" + model::to_string(rule) + "' of thread " +
                       std::to_string(rule.thread + 1) + " leads outside");
    }
    return std::nullopt;
  }

  const model::Task& task_;
  const PushdownSystem& system_;
  const PushdownInvariant& invariant_;
  StackProducts products_;
  base::RunContext& context_;
  std::map<model::SharedState, std::vector<const PushdownRule*>> rules_;  ///< by where they start
};

}  // namespace

CheckResult check_pushdown_invariant(const model::Task& task, const PushdownInvariant& invariant,
                                     const std::optional<base::Integer>& rounds,
                                     base::RunContext& context) {
  const auto& system = std::get<PushdownSystem>(task.model);
  if (auto why =
          StackProducts::malformed(invariant, system.threads.size(), system.shared_count, rounds))
    return InvariantCheck::refuted(std::move(*why));
  return InvariantCheck(task, invariant, rounds, context).run();
}

}  // namespace heddle::check
