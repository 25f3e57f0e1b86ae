#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check/certificates.hpp"
#include "check/proof.hpp"
#include "check/pushdown/stack_products.hpp"

/// The claimed products hold the initial configurations and no target, and every rule of every
/// thread leads from them into them; stack_products.cpp proves that this is enough. Products,
/// automata and shared states must exist, and automata be deterministic (`malformed`). Symbols of
/// the automata that the system does not have are harmless: no rule and no target reads them, and
/// stacks with them are not reachable.

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::PushdownInvariant;
using answer::StackProduct;
using model::PushdownRule;
using model::PushdownSystem;

class InvariantCheck {
 public:
  InvariantCheck(const model::PushdownTask& task, const PushdownInvariant& invariant,
                 const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task),
        system_(task.model),
        invariant_(invariant),
        rounds_(rounds),
        context_(context) {
    for (const PushdownRule& rule : system_.transitions) rules_[rule.from].push_back(&rule);
  }

  Problem well_formed() {
    if (auto why = StackProducts::malformed(invariant_, system_.threads.size(),
                                            system_.shared_count, rounds_))
      return refuted(std::move(*why));
    products_.emplace(invariant_, system_.shared_count, rounds_);
    return std::nullopt;
  }

  NotNeeded keeps_to_its_scope() const {
    return "no rule and no target reads a symbol that the system does not have";
  }

  Problem contains_beginning() const {
    for (const model::VisibleState& initial : task_.question.initial)
      if (!products_->hold_initially(initial.shared, initial_stacks(initial)))
        return refuted("no product of turn 0 holds the initial configuration " +
                       model::initial_to_string(task_.model, initial));
    return std::nullopt;
  }

  Problem is_closed() {
    for (const StackProduct& product : invariant_.products)
      if (!products_->is_empty(product))
        if (auto problem = check_steps(product)) return problem;
    return std::nullopt;
  }

  Problem excludes_end() const {
    for (const StackProduct& product : invariant_.products)
      if (!products_->is_empty(product))
        if (auto why = meets_target(product)) return refuted(std::move(*why));
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the sets contain every initial configuration, no target, and all successors (" +
           base::counted(invariant_.products.size(), "set") + ")";
  }

 private:
  /// Each is the top alone, or nothing.
  StackProducts::Words initial_stacks(const model::VisibleState& initial) const {
    StackProducts::Words out(system_.threads.size());
    for (const model::ThreadTop& at : initial.tops)
      if (at.top) out[at.thread] = {*at.top};
    return out;
  }

  std::optional<std::string> meets_target(const StackProduct& product) const {
    for (const model::VisibleState& target : task_.question.targets) {
      if (target.shared != product.shared) continue;
      const bool met = std::ranges::all_of(target.tops, [&](const model::ThreadTop& at) {
        const StackInclusion& stacks = products_->stacks(at.thread);
        const std::uint32_t state = product.stacks[at.thread];
        return at.top ? stacks.has_top(state, *at.top) : stacks.accepts_empty_stack(state);
      });
      if (met) return "a product meets the target " + model::target_to_string(task_.model, target);
    }
    return std::nullopt;
  }

  Problem check_steps(const StackProduct& product) {
    for (const PushdownRule* possible : rules_[product.shared]) {
      const PushdownRule& rule = *possible;
      if (auto stop = count_step(context_)) return stop;
      StackStep step{rule.thread, {}, rule.to, rule.pushed};
      if (rule.top) step.read = {*rule.top};
      if (!products_->hold_after(product, step))
        return refuted("a step with the rule '" + model::to_string(rule) + "' of thread " +
                       std::to_string(rule.thread) + " leads outside");
    }
    return std::nullopt;
  }

  const model::PushdownTask& task_;
  const PushdownSystem& system_;
  const PushdownInvariant& invariant_;
  const std::optional<base::Integer>& rounds_;
  base::RunContext& context_;
  std::optional<StackProducts> products_;
  std::map<model::SharedState, std::vector<const PushdownRule*>> rules_;  ///< by where they start
};

}  // namespace

CheckResult check_certificate(const model::PushdownTask& task, const PushdownInvariant& invariant,
                              const ClaimedBound& bound, base::RunContext& context) {
  const auto rounds = rounds_of(bound);
  return prove(InvariantCheck(task, invariant, rounds, context));
}

}  // namespace heddle::check
