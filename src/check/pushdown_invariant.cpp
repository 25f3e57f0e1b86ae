#include "check/pushdown_invariant.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/stack_inclusion.hpp"

/// What is proved. Let P be the union of the products, and P(t) that of the products up to turn t.
///
/// Without a bound: P holds the initial configurations and no target, and every step of every
/// thread leads from P into P. So all that is reachable lies in P.
///
/// Up to K rounds of n turns: P(0) holds the initial configurations, and with thread i and a
/// product of turn t, let u be the first turn of thread i that is not before t. If u is one of the
/// first K·n turns, every step of thread i leads from the product into P(u). Then P(u) is closed
/// under the steps of thread i for every turn u of it: a product of P(u) has a turn t ≤ u, so its
/// first turn of i after t is at most u. By induction over turns, what is reachable within u turns
/// lies in P(u); and P(K·n) has no target.
///
/// A step of thread i with rule ⟨q, a⟩ → ⟨p, w⟩ leads from the product ⟨q, L₁, …, Lₙ⟩ to
/// ⟨p, L₁, …, w·(a⁻¹Lᵢ), …, Lₙ⟩. It lies in the products ⟨p, M₁, …, Mₙ⟩ with Lⱼ ⊆ Mⱼ for j ≠ i if
/// w·(a⁻¹Lᵢ) lies in the union of their Mᵢ, that is, if a⁻¹Lᵢ lies in the union of the w⁻¹Mᵢ. In a
/// deterministic automaton a⁻¹L is the language of the state behind a. (A union of products might
/// hold a product in other ways; then the evidence is refuted, never believed.)

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
        rounds_(rounds),
        context_(context) {}

  CheckResult run() {
    if (auto why = malformed()) return refuted(std::move(*why));
    for (const answer::StackAutomaton& automaton : invariant_.automata)
      inclusions_.emplace_back(automaton);
    index_products();
    for (const model::Region& region : task_.question.initial)
      if (!holds_initial(region))
        return refuted("no product of turn 0 holds the initial configuration " +
                       model::initial_to_string(task_.model, region));
    for (const StackProduct& product : invariant_.products) {
      if (auto why = meets_target(product)) return refuted(std::move(*why));
      if (is_empty(product)) continue;
      if (auto problem = check_closed(product)) return *problem;
    }
    return {EvidenceStatus::Confirmed,
            "re-proved " + std::to_string(invariant_.products.size()) + " sets of configurations"};
  }

 private:
  using Problem = std::optional<CheckResult>;
  using Key = std::vector<std::uint32_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.size();
      for (const std::uint32_t part : key) hash = (hash ^ part) * 0x100000001b3;
      return hash ^ (hash >> 32);
    }
  };

  static CheckResult refuted(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

  std::size_t thread_count() const { return system_.threads.size(); }

  std::optional<std::string> malformed() const {
    if (invariant_.automata.size() != thread_count())
      return "there are " + std::to_string(invariant_.automata.size()) + " automata for " +
             std::to_string(thread_count()) + " threads";
    if (!std::ranges::all_of(invariant_.automata, StackInclusion::is_well_formed))
      return "an automaton is not deterministic or leads to a state that does not exist";
    for (const StackProduct& product : invariant_.products) {
      bool exists =
          product.shared.value < system_.shared_count && product.stacks.size() == thread_count();
      for (std::size_t i = 0; exists && i < thread_count(); ++i)
        exists = product.stacks[i] < invariant_.automata[i].states.size();
      if (!exists) return "a product names a state that does not exist";
      if (product.turn > last_turn()) return "a product has a turn after the last one";
    }
    return std::nullopt;
  }

  base::Integer last_turn() const {
    return rounds_ ? *rounds_ * base::Integer(thread_count()) : base::Integer(0);
  }

  /// Products with the same shared state and the same languages but for thread `but`.
  static Key key(model::SharedState shared, const std::vector<std::uint32_t>& stacks,
                 std::size_t but) {
    Key out{shared.value, static_cast<std::uint32_t>(but)};
    for (std::size_t i = 0; i < stacks.size(); ++i)
      if (i != but) out.push_back(stacks[i]);
    return out;
  }

  void index_products() {
    by_shared_.resize(system_.shared_count);
    for (const StackProduct& product : invariant_.products) {
      by_shared_[product.shared.index()].push_back(&product);
      for (std::size_t i = 0; i < thread_count(); ++i)
        similar_[key(product.shared, product.stacks, i)].push_back(&product);
    }
  }

  bool is_empty(const StackProduct& product) const {
    for (std::size_t i = 0; i < thread_count(); ++i)
      if (inclusions_[i].is_empty(product.stacks[i])) return true;
    return false;
  }

  /// The initial stack is the top alone, or nothing.
  bool holds_initial(const model::Region& region) const {
    return std::ranges::any_of(invariant_.products, [&](const StackProduct& product) {
      if (product.turn != 0 || product.shared != region.shared) return false;
      for (std::size_t i = 0; i < thread_count(); ++i) {
        const auto end = inclusions_[i].behind(product.stacks[i], initial_stack(region, i));
        if (!end || !inclusions_[i].accepts_empty_stack(*end)) return false;
      }
      return true;
    });
  }

  static std::vector<model::StackSymbol> initial_stack(const model::Region& region,
                                                       std::size_t thread) {
    const model::CounterBound* bound = region.find(model::Counter(thread));
    if (!bound || bound->lower == 0) return {};
    return {model::StackSymbol(*base::to_uint32(bound->lower - 1))};
  }

  std::optional<std::string> meets_target(const StackProduct& product) const {
    for (const model::Region& target : task_.question.targets) {
      if (target.shared != product.shared || is_empty(product)) continue;
      const bool met = std::ranges::all_of(target.bounds, [&](const model::CounterBound& bound) {
        const StackInclusion& stacks = inclusions_[bound.counter.index()];
        const std::uint32_t state = product.stacks[bound.counter.index()];
        if (bound.lower == 0) return stacks.accepts_empty_stack(state);
        return stacks.has_top(state, model::StackSymbol(*base::to_uint32(bound.lower - 1)));
      });
      if (met) return "a product meets the target " + model::target_to_string(task_.model, target);
    }
    return std::nullopt;
  }

  /// The first turn of the thread that is not before the product's, which must not be after the
  /// last one; without a bound any turn will do. Nothing: the thread does not move any more.
  std::optional<std::uint32_t> due(const StackProduct& product, std::uint32_t thread) const {
    if (!rounds_) return 0;
    const auto n = static_cast<std::uint32_t>(thread_count());
    const std::uint32_t passed = product.turn == 0 ? 0 : (product.turn - 1) / n;
    base::Integer turn = base::Integer(passed) * n + thread + 1;
    if (turn < product.turn) turn += n;
    if (turn > last_turn()) return std::nullopt;
    return base::to_uint32(turn).value_or(UINT32_MAX);  // no product has a later turn
  }

  Problem check_closed(const StackProduct& product) {
    for (const PushdownRule& rule : system_.transitions) {
      if (rule.from != product.shared) continue;
      if (const auto stop = context_.step())
        return CheckResult{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))};
      const auto turn = due(product, rule.thread);
      if (turn && !leads_inside(product, rule, *turn))
        return refuted("a step with the rule '" + model::to_string(rule) + "' of thread " +
                       std::to_string(rule.thread + 1) + " leads outside");
    }
    return std::nullopt;
  }

  bool leads_inside(const StackProduct& product, const PushdownRule& rule, std::uint32_t turn) {
    const StackInclusion& stacks = inclusions_[rule.thread];
    const std::uint32_t state = product.stacks[rule.thread];
    const auto rest = rule.top ? stacks.behind(state, {*rule.top}) : std::optional(state);
    if (!rest || (!rule.top && !stacks.accepts_empty_stack(state))) return true;
    const auto it = similar_.find(key(rule.to, product.stacks, rule.thread));
    if (it != similar_.end() && within(rule, *rest, it->second, turn)) return true;
    std::vector<const StackProduct*> larger;
    for (const StackProduct* other : by_shared_[rule.to.index()])
      if (others_within(product, *other, rule.thread)) larger.push_back(other);
    return within(rule, *rest, larger, turn);
  }

  bool others_within(const StackProduct& product, const StackProduct& other, std::size_t but) {
    for (std::size_t i = 0; i < thread_count(); ++i)
      if (i != but && !inclusions_[i].is_within(product.stacks[i], {other.stacks[i]})) return false;
    return true;
  }

  /// Do the thread's stacks after the rule, `rest` below what it writes, lie in these products?
  bool within(const PushdownRule& rule, std::uint32_t rest,
              const std::vector<const StackProduct*>& products, std::uint32_t turn) {
    StackInclusion& stacks = inclusions_[rule.thread];
    std::vector<std::uint32_t> states;
    for (const StackProduct* product : products) {
      if (product->turn > turn) continue;
      const auto behind = stacks.behind(product->stacks[rule.thread], rule.pushed);
      if (!behind) continue;
      if (rule.top ? *behind == rest : stacks.accepts_empty_stack(*behind)) return true;
      states.push_back(*behind);
    }
    const auto holds_rest = [&](std::uint32_t state) { return stacks.is_within(rest, {state}); };
    return rule.top && (std::ranges::any_of(states, holds_rest) || stacks.is_within(rest, states));
  }

  const model::Task& task_;
  const PushdownSystem& system_;
  const PushdownInvariant& invariant_;
  const std::optional<base::Integer>& rounds_;
  base::RunContext& context_;
  std::vector<StackInclusion> inclusions_;  ///< by thread
  std::vector<std::vector<const StackProduct*>> by_shared_;
  std::unordered_map<Key, std::vector<const StackProduct*>, KeyHash> similar_;
};

}  // namespace

CheckResult check_pushdown_invariant(const model::Task& task, const PushdownInvariant& invariant,
                                     const std::optional<base::Integer>& rounds,
                                     base::RunContext& context) {
  return InvariantCheck(task, invariant, rounds, context).run();
}

}  // namespace heddle::check
