#include "engine/pushdown/visible_states.hpp"

#include <algorithm>

/// What may be seen, without a bound on contexts.
///
/// Abstraction. For each thread let B(σ) be the symbols (or the bottom) that may lie directly below
/// σ, the least sets such that
///    an initial stack σ has the bottom in B(σ),
///    ⟨q, σ⟩ → ⟨p, τ⟩      gives B(τ) ⊇ B(σ),
///    ⟨q, σ⟩ → ⟨p, τ υ⟩    gives υ ∈ B(τ) and B(υ) ⊇ B(σ).
/// In every reachable stack each symbol lies on one of its B: a symbol that is covered keeps what
/// is below it until it is on top again. So a stack with top σ is one of
///    S(σ) = σ·S(τ₁) ∪ σ·S(τ₂) ∪ … for τᵢ ∈ B(σ),   S(bottom) = {the empty stack},
/// a regular language. Let Z be the least set of visible states that holds the initial ones and
/// that steps do not leave, where a pop of σ may uncover any symbol of B(σ). Then the products
/// ⟨q, S(σ₁), …, S(σₙ)⟩ for ⟨q | σ₁, …, σₙ⟩ ∈ Z hold the initial configurations and are closed
/// under all steps: an overwrite or a push stays within one product, a pop leads to the union of
/// those for all τ ∈ B(σ). If none of them meets a target they are a certificate of safety.
///
/// Why this is all that the theorem of context-unbounded analysis can give (Liu and Wahl, PLDI
/// 2018). Let T_k be the visible states within k contexts per thread, and let G be the generators:
/// the visible states in which some pop may end with a symbol that some push of the same thread
/// has put below. The theorem says: if T_k = T_{k+1} and G ∩ Z ⊆ T_k, then T_k holds all visible
/// states that are reachable. But then Z ⊆ T_k, by induction along the steps that make Z: the
/// initial states are in T_k; what a step that is no pop leads to from T_k is in T_{k+1} = T_k, for
/// whether it can be taken and what is seen after it depends on what is seen before it; what a pop
/// leads to is in G ∩ Z ⊆ T_k. So Z = T_k is exact, and whenever the theorem proves safety, the
/// products of Z do, which can be checked without a search. The other way round, Z ⊆ T_k for some k
/// shows that T_k is all that can be seen (`strike_out`).

namespace heddle::engine::pushdown {

namespace {

/// More pairs of symbols make a certificate that is a burden to check.
constexpr std::size_t kMostPairs = 500'000;
constexpr std::size_t kPairsPerLook = 4096;

/// The sets B of one thread, as pairs of a symbol and one that may lie below it. A pair is handed
/// on once along each rule that leaves what lies below as it is.
class SymbolPairs {
 public:
  explicit SymbolPairs(std::uint32_t symbols) : below_(symbols), kept_by_(symbols) {}

  void add(Symbol upper, Symbol lower) {
    if (!known_.insert(std::uint64_t{upper} << 32 | lower).second) return;
    below_[upper].push_back(lower);
    work_.emplace_back(upper, lower);
  }

  /// False if there are too many, or the context ended it.
  bool close(const ThreadRules& rules, const base::RunContext& context) {
    for (const Rule& rule : rules.rules()) {
      if (rule.size == 0) continue;
      const Symbol last = rule.pushed[rule.size - 1];
      if (last != rules.bottom()) kept_by_[rule.top].push_back(last);
      if (rule.size == 2) add(rule.pushed[0], last);
    }
    for (auto& symbols : kept_by_) sort_and_shrink(symbols);
    for (std::size_t i = 0; i < work_.size(); ++i) {  // grows
      if (work_.size() > kMostPairs) return false;
      if (i % kPairsPerLook == 0 && context.stopped()) return false;
      const auto [upper, lower] = work_[i];
      for (const Symbol symbol : kept_by_[upper]) add(symbol, lower);
    }
    return true;
  }

  /// By symbol, ascending.
  std::vector<std::vector<Symbol>> take() {
    for (auto& symbols : below_) sort_and_shrink(symbols);
    return std::move(below_);
  }

 private:
  static void sort_and_shrink(std::vector<Symbol>& symbols) {
    std::ranges::sort(symbols);
    const auto repeated = std::ranges::unique(symbols);
    symbols.erase(repeated.begin(), repeated.end());
  }

  std::vector<std::vector<Symbol>> below_;
  std::vector<std::vector<Symbol>> kept_by_;  ///< the symbols that take a symbol's place
  std::unordered_set<std::uint64_t> known_;
  std::vector<std::pair<Symbol, Symbol>> work_;
};

}  // namespace

VisibleStates::VisibleStates(const StackThreads& facts, const model::PushdownQuestion& question,
                             std::size_t most, base::RunContext& context)
    : facts_(facts), states_(facts), left_(facts) {
  if (!VisibleSet::fits(facts)) return;
  if (!find_what_lies_below(question, context)) return;
  for (const model::VisibleState& state : question.initial) {
    Visible initial{state.shared.value, {}};
    for (std::size_t i = 0; i < facts.count(); ++i) {
      const model::ThreadTop* at = state.find(i);
      initial.tops.push_back(*facts.rules(i).symbol_of_top(at ? at->top : model::Top()));
    }
    add(initial, most);
  }
  explore(most, context);
  left_ = states_;
}

bool VisibleStates::find_what_lies_below(const model::PushdownQuestion& question,
                                         const base::RunContext& context) {
  for (std::size_t i = 0; i < facts_.count(); ++i) {
    SymbolPairs pairs(facts_.rules(i).symbol_count());
    for (const model::VisibleState& state : question.initial)
      if (const model::ThreadTop* at = state.find(i))
        pairs.add(*facts_.rules(i).symbol_of_top(at->top), facts_.rules(i).bottom());
    if (!pairs.close(facts_.rules(i), context)) return false;
    below_.push_back(pairs.take());
  }
  return true;
}

/// False if there is no room for it.
bool VisibleStates::add(const Visible& state, std::size_t most) {
  const VisibleSet::Code code = states_.encode(state);
  if (!states_.insert(code)) return true;
  order_.push_back(code);
  return order_.size() <= most;
}

bool VisibleStates::add_successors(const Visible& state, std::size_t most) {
  for (std::size_t i = 0; i < facts_.count(); ++i) {
    for (const Rule& rule : facts_.rules(i).rules_for(state.shared, state.tops[i])) {
      Visible next = state;
      next.shared = rule.to;
      next.tops[i] = rule.pushed[0];
      if (rule.size > 0) {
        if (!add(next, most)) return false;
        continue;
      }
      for (const Symbol uncovered : below_[i][state.tops[i]]) {
        next.tops[i] = uncovered;
        if (!add(next, most)) return false;
      }
    }
  }
  return true;
}

void VisibleStates::explore(std::size_t most, base::RunContext& context) {
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (context.step() || !add_successors(states_.decode(order_[i]), most)) return;
  complete_ = true;
}

bool VisibleStates::meets(const TargetTops& target) const {
  return std::ranges::any_of(order_, [&](VisibleSet::Code code) {
    const Visible state = states_.decode(code);
    bool met = state.shared == target.shared;
    for (std::size_t i = 0; met && i < facts_.count(); ++i)
      met = !target.tops[i] || *target.tops[i] == state.tops[i];
    return met;
  });
}

/// State 2σ accepts S(σ), and state 2σ + 1 what lies below σ in it.
answer::StackAutomaton VisibleStates::automaton(std::size_t thread) const {
  const ThreadRules& rules = facts_.rules(thread);
  answer::StackAutomaton out;
  for (Symbol symbol = 0; symbol < rules.bottom(); ++symbol) {
    out.states.push_back({false, {{rules.name(symbol), 2 * symbol + 1}}});
    auto& rest = out.states.emplace_back();
    for (const Symbol next : below_[thread][symbol])
      if (next == rules.bottom())
        rest.accepting = true;
      else
        rest.edges.emplace_back(rules.name(next), 2 * next + 1);
  }
  out.states.push_back({true, {}});
  return out;
}

answer::PushdownInvariant VisibleStates::certificate() const {
  answer::PushdownInvariant out;
  for (std::size_t i = 0; i < facts_.count(); ++i) out.automata.push_back(automaton(i));
  for (const VisibleSet::Code code : order_) {
    Visible state = states_.decode(code);
    for (Symbol& top : state.tops) top *= 2;
    out.products.push_back({model::SharedState(state.shared), std::move(state.tops), 0});
  }
  return out;
}

}  // namespace heddle::engine::pushdown
