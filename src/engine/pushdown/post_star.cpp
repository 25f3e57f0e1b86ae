#include "engine/pushdown/post_star.hpp"

#include <algorithm>
#include <map>

#include "base/invariant.hpp"

/// The automaton has a state for each shared state that is reached, the states of the start's
/// automaton, a state m(p, a) in the middle of every push ⟨·⟩ → ⟨p, a b⟩, and a final state that
/// only the bottom leads to. ⟨p, w⟩ is accepted if w and the bottom lead from p's state to the
/// final one. Saturation (Esparza, Hansel, Rossmanith, Schwoon, CAV 2000) adds, wherever a leads
/// from p to q, perhaps after an ε-edge,
///
///    for ⟨p, a⟩ → ⟨p', ε⟩      the edge p' –ε→ q,
///    for ⟨p, a⟩ → ⟨p', b⟩      the edge p' –b→ q,
///    for ⟨p, a⟩ → ⟨p', b c⟩    the edges p' –b→ m(p', b) and m(p', b) –c→ q.
///
/// ε-edges leave states of shared states only and never enter them, so one ε-edge is all that a
/// path has, at its beginning; p –ε→ q –a→ r is replaced by an edge p –a→ r of its own, after
/// which ε-edges are not needed to accept.
///
/// It ends: there are finitely many states and symbols. Each rule keeps the accepted set within
/// what is reachable and, when no edge is new, the set is closed under the thread's steps: if
/// ⟨p, a w⟩ is accepted by p –a→ q and a path for w from q, the rule's edge leads on to that path.
///
/// That nothing unreachable is accepted is what `witness` shows, by taking an accepting path apart.
/// Let its first edge be there because of
///    a rule ⟨p, a⟩ → ⟨p', b⟩ where p –a→ q: before the step, the path went p –a→ q;
///    an ε-edge p' –ε→ q and an edge that follows: the ε-edge is there because of a pop, before
///      which the path went p –a→ q and then the edge that follows;
///    a push: then the path's second edge leaves m(p', b), and the reason of that edge (of the
///      first there may be another one) says which push: before it, the path went p –a→ q;
///    nothing: all of the path is of the start.
/// Each time some edges are replaced by older ones, so this ends.

namespace heddle::engine::pushdown {

PostStar::PostStar(const ThreadRules& rules, const Languages& languages, SharedStacks start,
                   base::RunContext& context)
    : rules_(rules) {
  final_ = new_state();
  add_start(languages.automaton(start.stacks), start.shared);
  saturate(context);
}

std::size_t PostStar::EdgeHash::operator()(const EdgeKey& key) const {
  std::uint64_t hash = (std::uint64_t{key.from} << 32) | key.to;
  hash = (hash ^ (std::uint64_t{key.symbol} * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
  return hash ^ (hash >> 32);
}

PostStar::State PostStar::new_state() {
  out_.emplace_back();
  epsilon_in_.emplace_back();
  shared_of_.emplace_back();
  return static_cast<State>(out_.size() - 1);
}

PostStar::State PostStar::state_of(Shared shared) {
  const auto it = state_of_shared_.find(shared);
  if (it != state_of_shared_.end()) return it->second;
  const State state = new_state();
  shared_of_[state] = shared;
  return state_of_shared_[shared] = state;
}

PostStar::State PostStar::middle_of(Shared shared, Symbol top) {
  const auto [it, fresh] = middles_.try_emplace((std::uint64_t{shared} << 32) | top, 0);
  if (fresh) it->second = new_state();
  return it->second;
}

void PostStar::add(State from, Symbol symbol, State to, Reason reason) {
  const auto edge = static_cast<Edge>(edges_.size());
  if (!known_.try_emplace({from, symbol, to}, edge).second) return;
  edges_.push_back({from, symbol, to, reason});
  if (symbol == kEpsilon) {
    epsilon_in_[to].push_back(edge);
  } else {
    out_[from].push_back(edge);
  }
}

/// The automaton's start may be entered again, so the shared state gets copies of its edges.
void PostStar::add_start(const StackDfa& stacks, Shared shared) {
  std::vector<State> copies;
  for (std::size_t i = 0; i < stacks.states.size(); ++i) copies.push_back(new_state());
  const auto copy_edges = [&](State from, const StackDfa::State& original) {
    for (const auto& [symbol, target] : original.edges) add(from, symbol, copies[target], {});
    if (original.accepting) add(from, rules_.bottom(), final_, {});
  };
  for (std::size_t i = 0; i < stacks.states.size(); ++i) copy_edges(copies[i], stacks.states[i]);
  copy_edges(state_of(shared), stacks.states[0]);
}

void PostStar::saturate(base::RunContext& context) {
  for (Edge edge = 0; edge < edges_.size(); ++edge) {
    stopped_ = context.step();
    if (stopped_) return;
    const auto [from, symbol, to, reason] = edges_[edge];
    if (symbol == kEpsilon) {
      for (std::size_t i = 0; i < out_[to].size(); ++i) {
        const AutomatonEdge next = edges_[out_[to][i]];
        add(from, next.symbol, next.to, {kNone, edge, out_[to][i]});
      }
    } else if (shared_of_[from]) {
      apply_rules(edge, *shared_of_[from]);
    } else {
      for (std::size_t i = 0; i < epsilon_in_[from].size(); ++i) {
        const Edge before = epsilon_in_[from][i];
        add(edges_[before].from, symbol, to, {kNone, before, edge});
      }
    }
  }
}

void PostStar::apply_rules(Edge edge, Shared shared) {
  const auto rules = rules_.rules_for(shared, edges_[edge].symbol);
  if (rules.empty()) return;
  const auto first = static_cast<std::uint32_t>(&rules[0] - &rules_.rules()[0]);
  for (std::uint32_t i = 0; i < rules.size(); ++i) apply(rules[i], first + i, edge);
}

void PostStar::apply(const Rule& rule, std::uint32_t index, Edge edge) {
  const State behind = edges_[edge].to;
  const State to = state_of(rule.to);
  const Reason reason{index, edge, kNone};
  if (rule.size == 0) {
    add(to, kEpsilon, behind, reason);
  } else if (rule.size == 1) {
    add(to, rule.pushed[0], behind, reason);
  } else {
    const State middle = middle_of(rule.to, rule.pushed[0]);
    add(to, rule.pushed[0], middle, reason);
    add(middle, rule.pushed[1], behind, reason);
  }
}

/// The automaton without the bottom: what leads over it accepts.
std::vector<StackDfa::State> PostStar::without_bottom() const {
  std::vector<StackDfa::State> states(out_.size());
  for (std::size_t i = 0; i < out_.size(); ++i)
    for (const Edge edge : out_[i])
      if (edges_[edge].symbol == rules_.bottom())
        states[i].accepting = true;
      else
        states[i].edges.emplace_back(edges_[edge].symbol, edges_[edge].to);
  return states;
}

std::optional<std::vector<SharedStacks>> PostStar::reached(Languages& languages,
                                                           base::RunContext& context) const {
  std::vector<std::uint32_t> starts;
  for (const auto& entry : state_of_shared_) starts.push_back(entry.second);
  const auto states =
      determinise(without_bottom(), starts, [&](std::size_t) { return !context.step(); });
  if (!states) return std::nullopt;
  const MinimalStates minimal = minimise(*states);
  std::vector<SharedStacks> out;
  std::size_t i = 0;
  for (const auto& entry : state_of_shared_) {
    const auto start = minimal.class_of[starts[i++]];
    if (start) out.push_back({entry.first, languages.intern(minimal.states, *start)});
  }
  std::ranges::sort(out, {}, &SharedStacks::shared);
  return out;
}

/// An accepting path, by a breadth-first search over states for each symbol.
std::vector<PostStar::Edge> PostStar::path(Shared shared, const std::vector<Symbol>& stack) const {
  std::vector<std::map<State, Edge>> layers{{{state_of_shared_.at(shared), kNone}}};
  std::vector<Symbol> word = stack;
  word.push_back(rules_.bottom());
  for (const Symbol symbol : word) {
    std::map<State, Edge> next;
    for (const auto& entry : layers.back())
      for (const Edge edge : out_[entry.first])
        if (edges_[edge].symbol == symbol) next.try_emplace(edges_[edge].to, edge);
    layers.push_back(std::move(next));
  }
  std::vector<Edge> edges;
  State state = final_;
  for (std::size_t i = word.size(); i > 0; --i) {
    const auto it = layers[i].find(state);
    HEDDLE_INVARIANT(it != layers[i].end(), "a stack should be reached before it is explained");
    edges.push_back(it->second);
    state = edges_[it->second].from;
  }
  std::ranges::reverse(edges);
  return edges;
}

PostStar::Witness PostStar::witness(Shared shared, const std::vector<Symbol>& stack) const {
  std::vector<Edge> rest = path(shared, stack);
  std::ranges::reverse(rest);  // the first edge last
  Witness out;
  while (edges_[rest.back()].reason.cause != kNone) {
    Reason reason = edges_[rest.back()].reason;
    rest.pop_back();
    if (reason.rule == kNone) {
      rest.push_back(reason.next);
      reason = edges_[reason.cause].reason;
    } else if (rules_.rules()[reason.rule].size == 2) {
      reason = edges_[rest.back()].reason;
      rest.pop_back();
    }
    out.steps.push_back(rules_.rules()[reason.rule].id);
    rest.push_back(reason.cause);
  }
  std::ranges::reverse(out.steps);
  for (auto it = rest.rbegin(); edges_[*it].symbol != rules_.bottom(); ++it)
    out.start.push_back(edges_[*it].symbol);
  return out;
}

}  // namespace heddle::engine::pushdown
