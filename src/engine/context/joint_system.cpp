#include "engine/context/joint_system.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <span>

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;
using model::boolean::Formula;

namespace {

std::set<std::uint32_t> written_by(const Flow& flow, const ThreadPlaces& places) {
  std::set<std::uint32_t> out;
  for (const PlaceEdge& step : places.edges()) {
    const FlowEdge& edge = flow.edges[step.edge.index()];
    for (const Assignment& a : edge.shared) out.insert(a.index);
    for (const std::optional<Atom>& variable : edge.received)
      if (variable && variable->kind == AtomKind::Shared) out.insert(variable->index);
  }
  return out;
}

/// The thread that writes each shared variable, if it is the only one.
std::vector<std::optional<std::uint32_t>> owners(const Flow& flow,
                                                 const std::vector<ThreadPlaces>& threads) {
  std::vector<std::optional<std::uint32_t>> out(flow.shared_names.size());
  std::vector<unsigned> writers(flow.shared_names.size());
  for (std::uint32_t j = 0; j < threads.size(); ++j)
    for (const std::uint32_t v : written_by(flow, threads[j]))
      out[v] = ++writers[v] == 1 ? std::optional(j) : std::nullopt;
  return out;
}

std::uint32_t choice_count(const Flow& flow) {
  std::uint32_t most = 0;
  for (const FlowEdge& edge : flow.edges) most = std::max(most, edge.choices);
  return most;
}

/// Does the formula pick one of many shared variables by local ones, as pointers pick a cell?
bool picks_shared(const Formula& formula) {
  std::set<Atom> shared, local;
  for_each_atom(formula, [&](const Atom& atom) {
    if (atom.kind == AtomKind::Shared) shared.insert(atom);
    if (atom.kind == AtomKind::Local) local.insert(atom);
  });
  return shared.size() >= 6 && local.size() >= 3;
}

bool has_pointers(const Flow& flow) {
  return std::ranges::any_of(flow.edges, [](const FlowEdge& edge) {
    const auto picks = [](const Assignment& a) { return picks_shared(a.value); };
    return picks_shared(edge.guard) || std::ranges::any_of(edge.local, picks) ||
           std::ranges::any_of(edge.shared, picks) || std::ranges::any_of(edge.child_values, picks);
  });
}

/// What a thread's edge does to the shared variables and to its own.
class EdgeBuilder {
 public:
  EdgeBuilder(const JointSystem& system, std::uint32_t thread, const PlaceEdge& step)
      : v_(system.variables()),
        space_(system.space()),
        places_(system.threads()[thread]),
        step_(step),
        edge_(system.flow().edges[step.edge.index()]),
        slots_(v_.local[thread]),
        next_slots_(v_.next_local[thread]),
        here_(places_[step.source].first_local),
        there_(places_[step.target].first_local),
        encoder_(edge_,
                 {v_.shared, v_.next_shared, slots_.subspan(here_), next_slots_.subspan(here_),
                  v_.choices},
                 space_),
        relation_(encoder_.condition()) {}

  JointEdge build(const Flow& flow) {
    if (edge_.kind == EdgeKind::Call) {
      call();
    } else if (edge_.kind == EdgeKind::Return) {
      leave(flow.edges[places_[step_.source].stack.calls.back().index()]);
    } else {
      assign(edge_.shared, v_.shared, v_.next_shared);
      assign(edge_.local, slots_.subspan(here_), next_slots_.subspan(here_));
    }
    return forget_the_dead();
  }

 private:
  void assign(std::span<const Assignment> list, std::span<const BddVariable> variables,
              std::span<const BddVariable> copies) {
    relation_ &= encoder_.assigned(list, copies);
    for (const Assignment& a : list) assigned_[variables[a.index]] = copies[a.index];
  }

  /// The callee's variables are not in use yet, so they need no copies.
  void call() {
    if (!places_[step_.target].cut_off)
      relation_ &= encoder_.assigned(edge_.child_values, slots_.subspan(there_));
  }

  void leave(const FlowEdge& call) {
    std::map<Atom, std::uint32_t> received;  // the last value counts
    for (std::uint32_t i = 0; i < call.received.size(); ++i)
      if (call.received[i]) received[*call.received[i]] = i;
    for (const auto& [variable, result] : received) {
      const Assignment value{variable.index, edge_.child_values[result].value};
      const bool local = variable.kind == AtomKind::Local;
      assign({&value, 1}, local ? slots_.subspan(there_) : std::span(v_.shared),
             local ? next_slots_.subspan(there_) : std::span(v_.next_shared));
    }
  }

  /// Variables that do not matter any more are left open.
  JointEdge forget_the_dead() {
    relation_ = encoder_.without_choices(relation_);
    std::vector<BddVariable> forgotten, dead_copies;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (places_.live(step_.target)[i]) continue;
      const auto copy = assigned_.find(slots_[i]);
      if (copy != assigned_.end()) {
        dead_copies.push_back(copy->second);
        assigned_.erase(copy);
      }
      if (places_.live(step_.source)[i] || i >= there_) forgotten.push_back(slots_[i]);
    }
    VariablePairs renamed;
    for (const auto& [variable, copy] : assigned_) {
      forgotten.push_back(variable);
      renamed.emplace_back(copy, variable);
    }
    return {{space_.exists(relation_, space_.all_of(dead_copies)), space_.all_of(forgotten),
             BddRenaming(renamed)},
            std::move(renamed)};
  }

  const JointVariables& v_;
  const BddSpace& space_;
  const ThreadPlaces& places_;
  const PlaceEdge& step_;
  const FlowEdge& edge_;
  std::span<const BddVariable> slots_, next_slots_;
  std::uint32_t here_, there_;  ///< the first slots of the procedure before and after
  Encoder encoder_;
  Bdd relation_;
  std::map<BddVariable, BddVariable> assigned_;  ///< to their copies
};

}  // namespace

JointVariables::JointVariables(const Flow& flow, const std::vector<ThreadPlaces>& threads)
    : shared(flow.shared_names.size()),
      next_shared(flow.shared_names.size()),
      place(threads.size()),
      local(threads.size()),
      next_local(threads.size()) {
  if (has_pointers(flow)) {
    for (std::uint32_t j = 0; j < threads.size(); ++j) add_thread(j, threads[j]);
    for (std::uint32_t i = 0; i < shared.size(); ++i) add_shared(i);
  } else {
    add_by_owner(owners(flow, threads), threads);
  }
  for (std::uint32_t i = 0; i < choice_count(flow); ++i) choices.push_back(add(Kind::Choice, 0, i));
}

void JointVariables::add_by_owner(const std::vector<std::optional<std::uint32_t>>& owner,
                                  const std::vector<ThreadPlaces>& threads) {
  const auto add_owned_by = [&](const std::optional<std::uint32_t>& thread) {
    for (std::uint32_t i = 0; i < owner.size(); ++i)
      if (owner[i] == thread) add_shared(i);
  };
  for (std::uint32_t j = 0; j < threads.size(); ++j) {
    add_owned_by(j);
    add_thread(j, threads[j]);
    if (j == threads.size() / 2) add_owned_by(std::nullopt);
  }
}

BddVariable JointVariables::add(Kind kind, std::uint32_t thread, std::uint32_t index) {
  order_.push_back({kind, thread, index});
  return count() - 1;
}

void JointVariables::add_shared(std::uint32_t index) {
  shared[index] = add(Kind::Shared, 0, index);
  next_shared[index] = add(Kind::NextShared, 0, index);
}

void JointVariables::add_thread(std::uint32_t thread, const ThreadPlaces& places) {
  const auto digits = static_cast<std::uint32_t>(std::bit_width(places.count()));
  for (std::uint32_t i = 0; i < digits; ++i) place[thread].push_back(add(Kind::Place, thread, i));
  for (std::uint32_t i = 0; i < places.slot_count(); ++i) {
    local[thread].push_back(add(Kind::Local, thread, i));
    next_local[thread].push_back(add(Kind::NextLocal, thread, i));
  }
}

JointSystem::JointSystem(const Flow& flow, std::vector<ThreadPlaces> threads,
                         std::optional<std::uint64_t> memory_mb)
    : flow_(flow),
      threads_(std::move(threads)),
      variables_(flow, threads_),
      space_(variables_.count(), memory_mb),
      edges_(threads_.size()) {
  for (std::uint32_t j = 0; j < threads_.size(); ++j) {
    place_variables_.push_back(space_.all_of(variables_.place[j]));
    for (const PlaceEdge& step : threads_[j].edges())
      edges_[j].push_back(EdgeBuilder(*this, j, step).build(flow));
  }
}

Bdd JointSystem::at(std::size_t thread, PlaceNumber place) const {
  std::vector<std::pair<BddVariable, bool>> digits;
  for (std::size_t i = 0; i < variables_.place[thread].size(); ++i)
    digits.emplace_back(variables_.place[thread][i], ((place >> i) & 1U) != 0);
  return space_.cube(digits);
}

Bdd JointSystem::initial() const {
  std::vector<std::pair<BddVariable, bool>> values;
  for (std::uint32_t i = 0; i < variables_.shared.size(); ++i)
    if ((flow_.initial_shared.mask & model::boolean::bit(i)) != 0)
      values.emplace_back(variables_.shared[i],
                          (flow_.initial_shared.value & model::boolean::bit(i)) != 0);
  Bdd out = space_.cube(values);
  for (std::size_t j = 0; j < threads_.size(); ++j) out &= at(j, threads_[j].start());
  return out;
}

Bdd JointSystem::before(std::size_t thread, std::size_t edge, const Bdd& after) const {
  const JointEdge& taken = edges_[thread][edge];
  VariablePairs to_copies;
  std::vector<BddVariable> copies;
  for (const auto& [copy, variable] : taken.renamed) {
    to_copies.emplace_back(variable, copy);
    copies.push_back(copy);
  }
  return space_.exists_and(taken.step.relation, BddRenaming(to_copies)(after),
                           space_.all_of(copies));
}

}  // namespace heddle::engine::context
