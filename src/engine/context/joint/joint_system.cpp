#include "engine/context/joint/joint_system.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

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

}  // namespace

JointVariables::JointVariables(const Flow& flow, const std::vector<ThreadPlaces>& threads)
    : shared(flow.shared_names.size()),
      next_shared(flow.shared_names.size()),
      begin_shared(flow.shared_names.size()),
      place(threads.size()),
      local(threads.size()),
      next_local(threads.size()),
      begin_place(threads.size()),
      begin_local(threads.size()) {
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
    if (j == (threads.size() - 1) / 2) add_owned_by(std::nullopt);
  }
}

BddVariable JointVariables::add(Kind kind, std::uint32_t thread, std::uint32_t index) {
  order_.push_back({kind, thread, index});
  return count() - 1;
}

void JointVariables::add_shared(std::uint32_t index) {
  shared[index] = add(Kind::Shared, 0, index);
  next_shared[index] = add(Kind::NextShared, 0, index);
  begin_shared[index] = add(Kind::BeginShared, 0, index);
}

void JointVariables::add_thread(std::uint32_t thread, const ThreadPlaces& places) {
  const auto digits = static_cast<std::uint32_t>(std::bit_width(places.last_between_turns()));
  for (std::uint32_t i = 0; i < digits; ++i) {
    place[thread].push_back(add(Kind::Place, thread, i));
    begin_place[thread].push_back(add(Kind::BeginPlace, thread, i));
  }
  for (auto* list : {&local, &next_local, &begin_local})
    (*list)[thread].resize(places.slot_count());
  for (std::uint32_t i = places.slot_count(); i-- > 0;) {
    local[thread][i] = add(Kind::Local, thread, i);
    next_local[thread][i] = add(Kind::NextLocal, thread, i);
    begin_local[thread][i] = add(Kind::BeginLocal, thread, i);
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
      edges_[j].emplace_back(space_, factors_of(*this, j, step));
    views_.push_back(make_view(j));
    going_on_.push_back(places_going_on(j));
  }
}

Bdd JointSystem::before(std::size_t thread, std::size_t edge, const Bdd& after) const {
  const PlaceEdge& step = threads_[thread].edges()[edge];
  Bdd out = edges_[thread][edge].before(after);
  if (flow_.edges[step.edge.index()].kind != EdgeKind::Call) return out;
  const std::span<const BddVariable> slots = variables_.local[thread];
  const std::size_t first =
      std::min<std::size_t>(threads_[thread][step.target].first_local, slots.size());
  return space_.exists(out, space_.all_of(slots.subspan(first)));
}

/// The least set of places from which, whatever its local variables are, steps that touch nothing
/// shared can take the thread on to a place where turns end. Steps with constraints are not counted
/// on. (The checker has to come to the same places: what is new in a turn depends on them.)
std::vector<bool> JointSystem::places_going_on(std::size_t thread) const {
  const ThreadPlaces& places = threads_[thread];
  const Bdd outside = flow_.atomic_bit ? !space_.variable(variables_.shared[*flow_.atomic_bit])
                                       : space_.constant(true);
  std::vector<bool> out(places.count() + 1);
  const auto is_free = [&](std::size_t edge) {
    return flow_.edges[places.edges()[edge].edge.index()].constraint.kind == Formula::Kind::True;
  };
  const auto continues = [&](PlaceNumber place) {
    if (places[place].may_switch) return places.has_slots(place);
    Bdd stuck = outside;
    for (const std::size_t edge : places.edges_from(place))
      if (out[places.edges()[edge].target] && is_free(edge))
        stuck = stuck - before(thread, edge, space_.constant(true));
    return stuck.is_false();
  };
  for (bool grows = true; std::exchange(grows, false);)
    for (PlaceNumber place = 1; place <= places.count(); ++place)
      if (!out[place] && continues(place)) out[place] = grows = true;
  return out;
}

ThreadView JointSystem::make_view(std::size_t thread) const {
  const std::set<std::uint32_t> written = written_by(flow_, threads_[thread]);
  VariablePairs changed;
  for (const std::uint32_t i : written)
    changed.emplace_back(variables_.shared[i], variables_.begin_shared[i]);
  append_pairs(changed, variables_.local[thread], variables_.begin_local[thread]);
  append_pairs(changed, variables_.place[thread], variables_.begin_place[thread]);
  std::vector<BddVariable> begin, others;
  for (const auto& [now, then] : changed) begin.push_back(then);
  for (std::size_t j = 0; j < threads_.size(); ++j) {
    if (j == thread) continue;
    for (const auto* list : {&variables_.place[j], &variables_.local[j]})
      others.insert(others.end(), list->begin(), list->end());
  }
  return {{written.begin(), written.end()},
          space_.all_of(others),
          BddRenaming(changed),
          space_.all_of(begin)};
}

Bdd JointSystem::begun(std::size_t thread, PlaceNumber place, const Bdd& views) const {
  Bdd out = views & digits_of(variables_.begin_place[thread], place);
  const auto keep = [&](BddVariable now, BddVariable then) {
    out &= space_.variable(now).iff(space_.variable(then));
  };
  for (const std::uint32_t i : views_[thread].written)
    keep(variables_.shared[i], variables_.begin_shared[i]);
  for (std::size_t i = 0; i < variables_.local[thread].size(); ++i)
    if (threads_[thread].live(place)[i])
      keep(variables_.local[thread][i], variables_.begin_local[thread][i]);
  return out;
}

Bdd JointSystem::digits_of(std::span<const BddVariable> variables, PlaceNumber place) const {
  std::vector<std::pair<BddVariable, bool>> digits;
  for (std::size_t i = 0; i < variables.size(); ++i)
    digits.emplace_back(variables[i], ((place >> i) & 1U) != 0);
  return space_.cube(digits);
}

Bdd JointSystem::at(std::size_t thread, PlaceNumber place) const {
  return digits_of(variables_.place[thread], place);
}

Bdd JointSystem::initial() const {
  std::vector<std::pair<BddVariable, bool>> values;
  for (std::uint32_t i = 0; i < variables_.shared.size(); ++i)
    if (const auto value = flow_.initial_shared[i])
      values.emplace_back(variables_.shared[i], *value);
  Bdd out = space_.cube(values);
  for (std::size_t j = 0; j < threads_.size(); ++j) out &= at(j, threads_[j].start());
  return out;
}

}  // namespace heddle::engine::context
