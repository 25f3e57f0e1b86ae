#include "engine/pushdown/context_search.hpp"

#include <algorithm>

#include "base/invariant.hpp"

/// Reachability by contexts (Qadeer and Rehof, TACAS 2005).
///
/// A set of configurations is a union of products ⟨q, L₁, …, Lₙ⟩. While thread i runs alone, from
/// ⟨q, Lᵢ⟩ it reaches ⟨q', Lᵢ'⟩ for finitely many q', each with a regular Lᵢ' (post_star.cpp), and
/// the other stacks rest: a context turns one product into finitely many. So what is reached by
/// any fixed number of contexts is a finite union.
///
/// Rounds. In a turn thread i makes a context from every product that there is. A product that
/// thread i made itself is passed over: with its siblings it is closed under the steps of i. So is
/// a product that thread i has expanded once, together with what came of it. Hence after the turn
/// all products up to it are closed under thread i; the initial ones hold the initial
/// configurations; by induction the products up to turn t hold exactly the configurations that are
/// reached within t turns. K rounds are K contexts per thread in round-robin order (Lal and Reps).
///
/// A product within another one (Products::add) may be left out at any turn: all that comes of it
/// comes of the other one, which is there no later.
///
/// If each thread has taken its turn since the last product came, the union is closed under all
/// steps: R_k = R_{k+1} as sets of configurations, and nothing else is reachable, in whatever
/// number of contexts. It may happen that new products come for ever, with longer and longer
/// stacks (visible_states.cpp proves some of these systems safe nevertheless).
///
/// With a widening, what a thread makes holds more than it reaches, and is not closed under its
/// steps. So nothing is passed over, and the search is closed when all threads have expanded all
/// products (widening.cpp).
///
/// `any_context` counts contexts of whichever thread, as fewest rounds need not be fewest context
/// switches: layer k holds what k contexts reach, and is made from the products of layer k − 1.

namespace heddle::engine::pushdown {

namespace {

bool may_be_top(const StackDfa& stacks, Symbol bottom, Symbol top) {
  const StackDfa::State& start = stacks.states[0];
  return top == bottom ? start.accepting : start.next(top).has_value();
}

}  // namespace

std::vector<TargetTops> target_tops(const StackThreads& facts,
                                    const std::vector<model::VisibleState>& targets) {
  std::vector<TargetTops> out;
  for (const model::VisibleState& wanted : targets) {
    TargetTops target{wanted.shared.value,
                      std::vector<std::optional<Symbol>>(facts.count(), std::nullopt)};
    const bool possible = std::ranges::all_of(wanted.tops, [&](const model::ThreadTop& at) {
      target.tops[at.thread] = facts.rules(at.thread).symbol_of_top(at.top);
      return target.tops[at.thread].has_value();
    });
    if (possible) out.push_back(std::move(target));
  }
  return out;
}

bool meets(const StackThreads& facts, Shared shared, std::span<const Language> stacks,
           const TargetTops& target) {
  if (shared != target.shared) return false;
  for (std::size_t i = 0; i < stacks.size(); ++i)
    if (target.tops[i] && !may_be_top(facts.languages(i).automaton(stacks[i]),
                                      facts.rules(i).bottom(), *target.tops[i]))
      return false;
  return true;
}

ContextSearch::ContextSearch(StackThreads& facts, const model::PushdownQuestion& question,
                             base::RunContext& context, Widening* widening)
    : facts_(facts),
      context_(context),
      widening_(widening),
      products_(facts),
      targets_(target_tops(facts, question.targets)),
      expanded_(facts.count(), 0) {
  for (const model::VisibleState& initial : question.initial) {
    std::vector<Language> stacks;
    for (std::size_t i = 0; i < facts.count(); ++i) {
      const model::ThreadTop* at = initial.find(i);
      stacks.push_back(facts.languages(i).word(
          at && at->top ? std::vector<Symbol>{*facts.rules(i).symbol_of_top(at->top)}
                        : std::vector<Symbol>{}));
    }
    look_at(products_.add_initial(initial.shared.value, stacks));
  }
}

void ContextSearch::look_at(ProductId product) {
  for (const TargetTops& target : targets_)
    if (!hit_ && meets(facts_, products_.shared(product), products_.stacks(product), target))
      hit_ = Hit{product, target};
}

bool ContextSearch::expand(ProductId from, std::uint32_t thread, std::uint32_t turn) {
  stopped_ = context_.step();
  if (stopped_) return false;
  if (!widening_ && products_.maker(from) == thread) return true;
  const auto* reached =
      facts_.reached(thread, {products_.shared(from), products_.stacks(from)[thread]}, context_);
  if (!reached) {
    stopped_ = context_.stopped().value_or(base::StopReason::StepLimit);
    return false;
  }
  for (SharedStacks next : *reached) {
    if (widening_) next.stacks = (*widening_)(thread, next.stacks);
    if (const auto fresh = products_.add(from, thread, next, turn)) look_at(*fresh);
  }
  if (products_.size() > most_products_) stopped_ = base::StopReason::StepLimit;
  return !ended();
}

void ContextSearch::take_turn(std::uint32_t thread) {
  ++turn_;
  const std::size_t end = products_.size();
  for (std::size_t i = expanded_[thread]; i < end; ++i)
    if (!expand(ProductId(i), thread, turn_)) return;
  expanded_[thread] = widening_ ? end : products_.size();
}

bool ContextSearch::round() {
  for (std::uint32_t thread = 0; thread < facts_.count() && !ended(); ++thread) take_turn(thread);
  return !ended();
}

bool ContextSearch::any_context() {
  ++turn_;
  const std::size_t end = products_.size();
  for (std::size_t i = expanded_[0]; i < end && !ended(); ++i)
    for (std::uint32_t thread = 0; thread < facts_.count(); ++thread)
      if (!expand(ProductId(i), thread, turn_)) return false;
  std::ranges::fill(expanded_, end);
  return !ended();
}

bool ContextSearch::closed() const {
  return std::ranges::all_of(expanded_, [&](std::size_t n) { return n == products_.size(); });
}

}  // namespace heddle::engine::pushdown
