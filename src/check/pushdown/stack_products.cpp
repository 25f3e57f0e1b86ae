#include "check/pushdown/stack_products.hpp"

#include <algorithm>

/// What is proved. Let P be the union of the products, and P(t) that of the products up to turn t.
///
/// Without a bound: P holds the initial configurations, and every step of every thread leads from P
/// into P. So all that is reachable lies in P.
///
/// Up to K rounds of n turns: P(0) holds the initial configurations, and with thread i and a
/// product of turn t, let u be the first turn of thread i that is not before t. If u is one of the
/// first K·n turns, every step of thread i leads from the product into P(u). Then P(u) is closed
/// under the steps of thread i for every turn u of it: a product of P(u) has a turn t ≤ u, so its
/// first turn of i after t is at most u. By induction over turns, what is reachable within u turns
/// lies in P(u).
///
/// A step of thread i from shared state q that replaces v by w leads from the product
/// ⟨q, L₁, …, Lₙ⟩ to ⟨p, L₁, …, w·(v⁻¹Lᵢ), …, Lₙ⟩. It lies in the products ⟨p, M₁, …, Mₙ⟩ with
/// Lⱼ ⊆ Mⱼ for j ≠ i if w·(v⁻¹Lᵢ) lies in the union of their Mᵢ, that is, if v⁻¹Lᵢ lies in the
/// union of the w⁻¹Mᵢ. In a deterministic automaton v⁻¹L is the language of the state behind v. (A
/// union of products might hold a product in other ways; then the evidence is refuted, never
/// believed.)

namespace heddle::check {

using answer::PushdownInvariant;
using answer::StackProduct;

namespace {

base::Integer last_turn(const std::optional<base::Integer>& rounds, std::size_t threads) {
  return rounds ? *rounds * base::Integer(threads) : base::Integer(0);
}

}  // namespace

std::size_t StackProducts::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint32_t part : key) hash = (hash ^ part) * 0x100000001b3;
  return hash ^ (hash >> 32);
}

std::optional<std::string> StackProducts::malformed(const PushdownInvariant& claim,
                                                    std::size_t threads, std::size_t shared_count,
                                                    const std::optional<base::Integer>& rounds) {
  if (claim.automata.size() != threads)
    return "there are " + std::to_string(claim.automata.size()) + " automata for " +
           std::to_string(threads) + " threads";
  if (!std::ranges::all_of(claim.automata, StackInclusion::is_well_formed))
    return "an automaton is not deterministic or leads to a state that does not exist";
  for (const StackProduct& product : claim.products) {
    bool exists = product.shared.value < shared_count && product.stacks.size() == threads;
    for (std::size_t i = 0; exists && i < threads; ++i)
      exists = product.stacks[i] < claim.automata[i].states.size();
    if (!exists) return "a product names a state that does not exist";
    if (product.turn > last_turn(rounds, threads)) return "a product has a turn after the last one";
  }
  return std::nullopt;
}

StackProducts::StackProducts(const PushdownInvariant& claim, std::size_t shared_count,
                             const std::optional<base::Integer>& rounds)
    : claim_(claim), rounds_(rounds), by_shared_(shared_count) {
  for (const answer::StackAutomaton& automaton : claim.automata)
    inclusions_.emplace_back(automaton);
  for (const StackProduct& product : claim.products) {
    by_shared_[product.shared.index()].push_back(&product);
    for (std::size_t i = 0; i < thread_count(); ++i)
      similar_[key(product.shared, product.stacks, i)].push_back(&product);
  }
}

/// Products with the same shared state and the same languages but for thread `but`.
StackProducts::Key StackProducts::key(model::SharedState shared,
                                      const std::vector<std::uint32_t>& stacks, std::size_t but) {
  Key out{shared.value, static_cast<std::uint32_t>(but)};
  for (std::size_t i = 0; i < stacks.size(); ++i)
    if (i != but) out.push_back(stacks[i]);
  return out;
}

bool StackProducts::is_empty(const StackProduct& product) const {
  for (std::size_t i = 0; i < thread_count(); ++i)
    if (inclusions_[i].is_empty(product.stacks[i])) return true;
  return false;
}

bool StackProducts::hold_initially(model::SharedState shared, const Words& stacks) const {
  return std::ranges::any_of(by_shared_[shared.index()], [&](const StackProduct* product) {
    if (product->turn != 0) return false;
    for (std::size_t i = 0; i < thread_count(); ++i) {
      const auto end = inclusions_[i].behind(product->stacks[i], stacks[i]);
      if (!end || !inclusions_[i].accepts_empty_stack(*end)) return false;
    }
    return true;
  });
}

/// The first turn of the thread that is not before the product's, which must not be after the
/// last one; without a bound any turn will do. Nothing: the thread does not move any more.
std::optional<std::uint32_t> StackProducts::due(const StackProduct& product,
                                                std::uint32_t thread) const {
  if (!rounds_) return 0;
  const auto n = static_cast<std::uint32_t>(thread_count());
  const std::uint32_t passed = product.turn == 0 ? 0 : (product.turn - 1) / n;
  base::Integer turn = base::Integer(passed) * n + thread + 1;
  if (turn < product.turn) turn += n;
  if (turn > last_turn(rounds_, n)) return std::nullopt;
  return base::to_uint32(turn).value_or(UINT32_MAX);  // no product has a later turn
}

bool StackProducts::hold_after(const StackProduct& product, const StackStep& step) {
  const auto turn = due(product, step.thread);
  if (!turn) return true;
  const StackInclusion& stacks = inclusions_[step.thread];
  const std::uint32_t state = product.stacks[step.thread];
  const auto rest = stacks.behind(state, step.read);
  if (!rest || (step.read.empty() && !stacks.accepts_empty_stack(state))) return true;
  const auto it = similar_.find(key(step.to, product.stacks, step.thread));
  if (it != similar_.end() && within(step, *rest, it->second, *turn)) return true;
  Listed larger;
  for (const StackProduct* other : by_shared_[step.to.index()])
    if (others_within(product, *other, step.thread)) larger.push_back(other);
  return within(step, *rest, larger, *turn);
}

bool StackProducts::others_within(const StackProduct& product, const StackProduct& other,
                                  std::size_t but) {
  for (std::size_t i = 0; i < thread_count(); ++i)
    if (i != but && !inclusions_[i].is_within(product.stacks[i], {other.stacks[i]})) return false;
  return true;
}

/// Do the thread's stacks after the step, `rest` below what it writes, lie in these products?
bool StackProducts::within(const StackStep& step, std::uint32_t rest, const Listed& products,
                           std::uint32_t turn) {
  StackInclusion& stacks = inclusions_[step.thread];
  const bool on_empty = step.read.empty();
  std::vector<std::uint32_t> states;
  for (const StackProduct* product : products) {
    if (product->turn > turn) continue;
    const auto behind = stacks.behind(product->stacks[step.thread], step.written);
    if (!behind) continue;
    if (on_empty ? stacks.accepts_empty_stack(*behind) : *behind == rest) return true;
    states.push_back(*behind);
  }
  const auto holds_rest = [&](std::uint32_t state) { return stacks.is_within(rest, {state}); };
  return !on_empty && (std::ranges::any_of(states, holds_rest) || stacks.is_within(rest, states));
}

}  // namespace heddle::check
