#include "engine/pushdown/evidence.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "base/invariant.hpp"

namespace heddle::engine::pushdown {

namespace {

/// Copies automata of languages into one automaton per thread, each once.
class CertificateBuilder {
 public:
  explicit CertificateBuilder(const ThreadFacts& facts) : facts_(facts), starts_(facts.count()) {
    certificate_.automata.resize(facts.count());
  }

  void add(const Products& products, ProductId id, std::uint32_t turn) {
    answer::StackProduct product{model::SharedState(products.shared(id)), {}, turn};
    for (std::size_t i = 0; i < facts_.count(); ++i)
      product.stacks.push_back(state_of(i, products.stacks(id)[i]));
    certificate_.products.push_back(std::move(product));
  }

  answer::PushdownInvariant take() { return std::move(certificate_); }

 private:
  std::uint32_t state_of(std::size_t thread, Language language) {
    auto& states = certificate_.automata[thread].states;
    const auto start = static_cast<std::uint32_t>(states.size());
    const auto [it, fresh] = starts_[thread].try_emplace(language, start);
    if (!fresh) return it->second;
    for (const StackDfa::State& state : facts_.languages(thread).automaton(language).states) {
      answer::StackAutomaton::State copy{state.accepting, {}};
      for (const auto& [symbol, target] : state.edges)
        copy.edges.emplace_back(facts_.rules(thread).name(symbol), start + target);
      states.push_back(std::move(copy));
    }
    return start;
  }

  const ThreadFacts& facts_;
  std::vector<std::map<Language, std::uint32_t>> starts_;
  answer::PushdownInvariant certificate_;
};

/// A shortest stack of the language, topmost symbol first, with the given top if there is one.
std::vector<Symbol> shortest_stack(const StackDfa& stacks, std::optional<Symbol> top,
                                   Symbol bottom) {
  if (top == bottom) return {};
  struct Step {
    std::uint32_t state;
    std::size_t parent;
    Symbol symbol;
  };
  std::vector<Step> steps{{0, 0, 0}};
  std::vector<bool> seen(stacks.states.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StackDfa::State& state = stacks.states[steps[i].state];
    if (state.accepting && (i > 0 || !top)) {
      std::vector<Symbol> word;
      for (std::size_t at = i; at != 0; at = steps[at].parent) word.push_back(steps[at].symbol);
      std::ranges::reverse(word);
      return word;
    }
    for (const auto& [symbol, target] : state.edges) {
      if (seen[target] || (i == 0 && top && symbol != *top)) continue;
      seen[target] = true;
      steps.push_back({target, i, symbol});
    }
  }
  base::fail_invariant("accepting", "a language should have a stack with its top", __FILE__,
                       __LINE__);
}

}  // namespace

answer::PushdownInvariant turns_of(const ThreadFacts& facts, const Products& products,
                                   std::uint32_t last_turn) {
  CertificateBuilder builder(facts);
  for (std::size_t i = 0; i < products.size(); ++i)
    if (const ProductId id(i); products.turn(id) <= last_turn)
      builder.add(products, id, products.turn(id));
  return builder.take();
}

answer::PushdownInvariant closed_set_of(const ThreadFacts& facts, const Products& products) {
  CertificateBuilder builder(facts);
  for (std::size_t i = 0; i < products.size(); ++i) builder.add(products, ProductId(i), 0);
  return builder.take();
}

answer::Trace trace_to(const ThreadFacts& facts, const Products& products, const Hit& hit) {
  std::vector<std::vector<Symbol>> stacks;
  for (std::size_t i = 0; i < facts.count(); ++i)
    stacks.push_back(shortest_stack(facts.languages(i).automaton(products.stacks(hit.product)[i]),
                                    hit.target.tops[i], facts.rules(i).bottom()));
  std::deque<answer::TraceStep> steps;
  ProductId at = hit.product;
  while (const auto parent = products.parent(at)) {
    const std::uint32_t thread = products.maker(at);
    base::RunContext unlimited;
    const PostStar saturated(facts.rules(thread), facts.languages(thread),
                             {products.shared(*parent), products.stacks(*parent)[thread]},
                             unlimited);
    PostStar::Witness why = saturated.witness(products.shared(at), stacks[thread]);
    for (auto it = why.steps.rbegin(); it != why.steps.rend(); ++it)
      steps.push_front({*it, {}, answer::ThreadId(thread), {}});
    stacks[thread] = std::move(why.start);
    at = *parent;
  }
  answer::Trace trace;
  trace.initial.shared = model::SharedState(products.shared(at));
  for (std::size_t i = 0; i < facts.count(); ++i)
    if (!stacks[i].empty())
      trace.initial.counts.set(model::Counter(i),
                               model::top_value(facts.rules(i).name(stacks[i].front())));
  for (answer::TraceStep& step : steps) trace.blocks.push_back({1, {std::move(step)}});
  return trace;
}

std::size_t context_count(const answer::Trace& trace) {
  std::size_t contexts = 0;
  std::optional<answer::ThreadId> last;
  for (const answer::TraceBlock& block : trace.blocks) {
    if (block.body.front().thread != last) ++contexts;
    last = block.body.front().thread;
  }
  return contexts;
}

}  // namespace heddle::engine::pushdown
