#include "support/tiny_models.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "support/builders.hpp"

namespace heddle::test {

namespace {

using model::Counter;
using model::SharedState;
using model::StepKind;
using model::ThreadTransition;

using Permutation = std::vector<unsigned>;
using Subset = std::vector<std::size_t>;  // increasing

/// The permutations of 0..n-1 that keep 0.
std::vector<Permutation> permutations_that_keep_zero(unsigned n) {
  Permutation p(n);
  std::iota(p.begin(), p.end(), 0u);
  std::vector<Permutation> all;
  do all.push_back(p);
  while (std::next_permutation(p.begin() + 1, p.end()));
  return all;
}

void for_each_subset(std::size_t n, std::size_t max_size, Subset& chosen,
                     const std::function<void(const Subset&)>& visit) {
  visit(chosen);
  if (chosen.size() == max_size) return;
  for (std::size_t i = chosen.empty() ? 0 : chosen.back() + 1; i < n; ++i) {
    chosen.push_back(i);
    for_each_subset(n, max_size, chosen, visit);
    chosen.pop_back();
  }
}

void for_each_subset(std::size_t n, std::size_t max_size,
                     const std::function<void(const Subset&)>& visit) {
  Subset chosen;
  for_each_subset(n, max_size, chosen, visit);
}

/// Of all the images of a set under the symmetries, is it the lexicographically least one?
bool is_canonical(const Subset& set, const std::vector<Subset>& symmetries) {
  return std::ranges::none_of(symmetries, [&](const Subset& symmetry) {
    Subset image;
    for (const std::size_t element : set) image.push_back(symmetry[element]);
    std::ranges::sort(image);
    return image < set;
  });
}

/// All edges over given states, those without passive moves first, and what renaming does to them.
class EdgeAlphabet {
 public:
  EdgeAlphabet(unsigned shared, unsigned local) : shared_(shared), local_(local) {
    for (const StepKind kind : {StepKind::Move, StepKind::Spawn, StepKind::Transfer})
      add_edges(kind, {});
    plain_ = edges_.size();
    for (unsigned from = 0; from < local; ++from)
      for (unsigned to = 0; to < local; ++to)
        if (from != to) add_edges(StepKind::Move, {{Counter(from), Counter(to)}});
    for (const Permutation& s : permutations_that_keep_zero(shared))
      for (const Permutation& l : permutations_that_keep_zero(local)) add_symmetry(s, l);
  }

  std::size_t size() const { return edges_.size(); }
  std::size_t plain() const { return plain_; }
  const std::vector<Subset>& symmetries() const { return symmetries_; }

  model::ThreadSystem system(const Subset& chosen) const {
    std::vector<ThreadTransition> transitions;
    for (const std::size_t i : chosen) transitions.push_back(edges_[i]);
    return thread_system(shared_, local_, transitions);
  }

 private:
  using Key =
      std::tuple<StepKind, model::ThreadState, model::ThreadState, std::vector<model::PassiveMove>>;

  static Key key(const ThreadTransition& t) { return {t.kind, t.source, t.target, t.passive}; }

  void add_edges(StepKind kind, const std::vector<model::PassiveMove>& passive) {
    for (unsigned s = 0; s < shared_; ++s)
      for (unsigned l = 0; l < local_; ++l)
        for (unsigned s2 = 0; s2 < shared_; ++s2)
          for (unsigned l2 = 0; l2 < local_; ++l2) {
            ThreadTransition t = move(s, l, s2, l2);
            t.kind = kind;
            t.passive = passive;
            const bool idle = kind != StepKind::Spawn && passive.empty() && t.source == t.target;
            if (!idle) add_edge(t);
          }
  }

  void add_edge(const ThreadTransition& t) {
    position_[key(t)] = edges_.size();
    edges_.push_back(t);
  }

  void add_symmetry(const Permutation& s, const Permutation& l) {
    Subset image;
    for (ThreadTransition t : edges_) {
      for (model::ThreadState* state : {&t.source, &t.target})
        *state = {SharedState(s[state->shared.index()]), Counter(l[state->local.index()])};
      for (model::PassiveMove& pair : t.passive)
        pair = {Counter(l[pair.from.index()]), Counter(l[pair.to.index()])};
      image.push_back(position_.at(key(t)));
    }
    symmetries_.push_back(std::move(image));
  }

  unsigned shared_;
  unsigned local_;
  std::size_t plain_ = 0;
  std::vector<ThreadTransition> edges_;
  std::map<Key, std::size_t> position_;
  std::vector<Subset> symmetries_;  // edge -> edge
};

std::vector<std::vector<model::Region>> thread_targets(unsigned shared, unsigned local) {
  std::vector<std::vector<model::Region>> all;
  for (unsigned s = 0; s < shared; ++s)
    for (unsigned l = 0; l < local; ++l) {
      all.push_back({target(s, {l})});
      for (unsigned l2 = l; l2 < local; ++l2) all.push_back({target(s, {l, l2})});
    }
  return all;
}

std::vector<model::Region> thread_initials() {
  model::Region at_least_one = any_number(0, {0});
  at_least_one.bounds[0].lower = 1;
  return {any_number(0, {0}), at_least_one, exactly(0, {0})};
}

void visit_thread_systems(unsigned shared, unsigned local, const VisitTiny& visit) {
  constexpr std::size_t kMostPlain = 3, kMostPassive = 2;
  const EdgeAlphabet alphabet(shared, local);
  const auto targets = thread_targets(shared, local);
  const auto visit_set = [&](const Subset& chosen) {
    if (!is_canonical(chosen, alphabet.symmetries())) return;
    for (const model::Region& initial : thread_initials())
      visit({alphabet.system(chosen), {initial}, targets});
  };
  for_each_subset(alphabet.plain(), kMostPlain, visit_set);
  for_each_subset(alphabet.size(), kMostPassive, [&](const Subset& chosen) {
    if (!chosen.empty() && chosen.back() >= alphabet.plain()) visit_set(chosen);
  });
}

/// Takes and gives up to two tokens of each place, and changes something.
std::vector<model::PetriTransition> net_rules(unsigned places) {
  constexpr unsigned kWeights = 3;
  unsigned codes = 1;
  for (unsigned i = 0; i < places; ++i) codes *= kWeights;
  const auto decode = [&](unsigned code) {
    std::vector<unsigned> amounts;
    for (unsigned i = 0; i < places; ++i, code /= kWeights) amounts.push_back(code % kWeights);
    return counts(amounts);
  };
  model::PetriNet scratch = net(places);
  for (unsigned take = 0; take < codes; ++take)
    for (unsigned give = 0; give < codes; ++give)
      if (take != give) add_transition(scratch, "", decode(take), decode(give));
  return scratch.transitions;
}

model::PetriTransition swap_places(model::PetriTransition rule) {
  const auto other = [](model::PlaceId place) { return Counter(1u - place.value); };
  for (auto& bound : rule.guard) bound.counter = other(bound.counter);
  for (auto& update : rule.updates) {
    update.place = other(update.place);
    for (auto& source : update.sources) source.place = other(source.place);
  }
  std::ranges::reverse(rule.guard);
  std::ranges::reverse(rule.updates);
  return rule;
}

std::vector<Subset> net_symmetries(const std::vector<model::PetriTransition>& rules,
                                   unsigned places) {
  if (places < 2) return {};
  Subset swapped;
  for (const model::PetriTransition& rule : rules) {
    const auto image = swap_places(rule);
    const auto it = std::ranges::find_if(rules, [&](const auto& r) { return r.same_step(image); });
    swapped.push_back(static_cast<std::size_t>(it - rules.begin()));
  }
  return {swapped};
}

std::vector<model::Region> net_initials(unsigned places) {
  if (places == 1) return {marking({0}), marking({1}), marking({2}), any_number(0, {0})};
  model::Region one_and_any = marking({1, 0}), any_and_one = marking({0, 1});
  one_and_any.bounds[1].upper.reset();
  any_and_one.bounds[0].upper.reset();
  return {marking({0, 0}), marking({1, 0}), marking({0, 1}), marking({1, 1}),
          marking({2, 1}), one_and_any,     any_and_one};
}

std::vector<std::vector<model::Region>> net_targets(unsigned places) {
  if (places == 1) return {{at_least({1})}, {at_least({2})}, {at_least({3})}};
  return {{at_least({1, 0})}, {at_least({0, 1})}, {at_least({1, 1})},
          {at_least({3, 0})}, {at_least({2, 2})}, {at_least({3, 0}), at_least({0, 3})}};
}

void visit_nets(unsigned places, const VisitTiny& visit) {
  constexpr std::size_t kMostTransitions = 2;
  const auto rules = net_rules(places);
  const auto symmetries = net_symmetries(rules, places);
  for_each_subset(rules.size(), kMostTransitions, [&](const Subset& chosen) {
    if (!is_canonical(chosen, symmetries)) return;
    model::PetriNet candidate = net(places);
    for (const std::size_t i : chosen) candidate.transitions.push_back(rules[i]);
    for (const model::Region& initial : net_initials(places))
      visit({candidate, {initial}, net_targets(places)});
  });
}

}  // namespace

void for_each_tiny_thread_system(const VisitTiny& visit) {
  constexpr unsigned kMostThreadStates = 4;
  for (unsigned shared = 1; shared <= kMostThreadStates; ++shared)
    for (unsigned local = 1; shared * local <= kMostThreadStates; ++local)
      visit_thread_systems(shared, local, visit);
}

void for_each_tiny_net(const VisitTiny& visit) {
  visit_nets(1, visit);
  visit_nets(2, visit);
}

}  // namespace heddle::test
