#include "engine/pushdown/evidence.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "base/invariant.hpp"

namespace heddle::engine::pushdown {

namespace {

/// Collects automata of languages in one automaton per thread, each once. States that lead to no
/// cycle are shared: stacks that grow from round to round have much in common.
class CertificateBuilder {
 public:
  explicit CertificateBuilder(const StackThreads& facts)
      : facts_(facts), starts_(facts.count()), shared_(facts.count()) {
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
  using State = answer::StackAutomaton::State;

  std::uint32_t state_of(std::size_t thread, Language language) {
    const auto it = starts_[thread].find(language);
    if (it != starts_[thread].end()) return it->second;
    const StackDfa& dfa = facts_.languages(thread).automaton(language);
    std::vector<std::uint32_t> place(dfa.states.size(), kNowhere);
    for (const std::uint32_t state : cycle_free(dfa))
      place[state] = share(thread, translated(thread, dfa.states[state], place));
    auto& states = certificate_.automata[thread].states;
    std::vector<std::size_t> cyclic;
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (place[i] != kNowhere) continue;
      cyclic.push_back(i);
      place[i] = static_cast<std::uint32_t>(states.size());
      states.emplace_back();
    }
    for (const std::size_t i : cyclic) states[place[i]] = translated(thread, dfa.states[i], place);
    return starts_[thread][language] = place[0];
  }

  /// The states that lead to no cycle, each after those that it leads to.
  static std::vector<std::uint32_t> cycle_free(const StackDfa& dfa) {
    std::vector<std::size_t> waits_for;
    std::vector<std::vector<std::uint32_t>> sources(dfa.states.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < dfa.states.size(); ++i) {
      waits_for.push_back(dfa.states[i].edges.size());
      if (waits_for[i] == 0) order.push_back(i);
      for (const auto& edge : dfa.states[i].edges) sources[edge.second].push_back(i);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::uint32_t source : sources[order[i]])
        if (--waits_for[source] == 0) order.push_back(source);
    return order;
  }

  State translated(std::size_t thread, const StackDfa::State& state,
                   const std::vector<std::uint32_t>& place) const {
    State out{state.accepting, {}};
    for (const auto& [symbol, target] : state.edges)
      out.edges.emplace_back(facts_.rules(thread).name(symbol), place[target]);
    return out;
  }

  std::uint32_t share(std::size_t thread, State state) {
    auto& states = certificate_.automata[thread].states;
    const auto [it, fresh] = shared_[thread].try_emplace({state.accepting, state.edges},
                                                         static_cast<std::uint32_t>(states.size()));
    if (fresh) states.push_back(std::move(state));
    return it->second;
  }

  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  using Shape = std::pair<bool, decltype(State::edges)>;

  const StackThreads& facts_;
  std::vector<std::map<Language, std::uint32_t>> starts_;
  std::vector<std::map<Shape, std::uint32_t>> shared_;
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

answer::PushdownInvariant turns_of(const StackThreads& facts, const Products& products,
                                   std::uint32_t last_turn) {
  CertificateBuilder builder(facts);
  for (std::size_t i = 0; i < products.size(); ++i)
    if (const ProductId id(i); products.turn(id) <= last_turn)
      builder.add(products, id, products.turn(id));
  return builder.take();
}

answer::PushdownInvariant closed_set_of(const StackThreads& facts, const Products& products) {
  CertificateBuilder builder(facts);
  for (std::size_t i = 0; i < products.size(); ++i) builder.add(products, ProductId(i), 0);
  return builder.take();
}

answer::PushdownRun trace_to(const StackThreads& facts, const Products& products, const Hit& hit) {
  std::vector<std::vector<Symbol>> stacks;
  for (std::size_t i = 0; i < facts.count(); ++i)
    stacks.push_back(shortest_stack(facts.languages(i).automaton(products.stacks(hit.product)[i]),
                                    hit.target.tops[i], facts.rules(i).bottom()));
  std::deque<answer::PushdownStep> steps;
  ProductId at = hit.product;
  while (const auto parent = products.parent(at)) {
    const std::uint32_t thread = products.maker(at);
    base::RunContext unlimited;
    const PostStar saturated(facts.rules(thread), facts.languages(thread),
                             {products.shared(*parent), products.stacks(*parent)[thread]},
                             unlimited);
    PostStar::Witness why = saturated.witness(products.shared(at), stacks[thread]);
    for (auto it = why.steps.rbegin(); it != why.steps.rend(); ++it)
      steps.push_front({*it, answer::ThreadId(thread)});
    stacks[thread] = std::move(why.start);
    at = *parent;
  }
  answer::PushdownRun run{{model::SharedState(products.shared(at)), {}}, {}};
  for (std::uint32_t i = 0; i < facts.count(); ++i)
    if (!stacks[i].empty()) run.initial.tops.push_back({i, facts.rules(i).name(stacks[i].front())});
  run.steps.assign(steps.begin(), steps.end());
  return run;
}

std::size_t context_count(const answer::PushdownRun& run) {
  std::size_t contexts = 0;
  std::optional<answer::ThreadId> last;
  for (const answer::PushdownStep& step : run.steps) {
    if (step.thread != last) ++contexts;
    last = step.thread;
  }
  return contexts;
}

}  // namespace heddle::engine::pushdown
