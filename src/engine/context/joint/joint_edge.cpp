/// Relations of edges, in parts.
///
/// A call that hands on seventeen bits is the conjunction of seventeen equalities. As one diagram
/// it has 2^17 nodes, for the caller's variables all lie before the callee's. A set of
/// configurations that it is applied to knows most of these bits, though, or how they depend on
/// few. So the relation stays a conjunction R_1 ∧ … ∧ R_m of parts, each as many assignments as
/// make a small diagram, and the image of a set is found part by part:
///
///     S_0 = S,   S_i = ∃ F_i (S_{i−1} ∧ R_i)
///
/// with F_i the variables that the edge forgets and no later part is about: ∃ v commutes with a
/// conjunction with parts that are not about v. Choices, and copies of variables that are not live
/// afterwards, are forgotten likewise; where one part alone is about them, it is made without. Back
/// from a set over copies, the parts are taken in reverse order.

#include "engine/context/joint/joint_edge.hpp"

#include <map>
#include <ranges>
#include <span>
#include <utility>

#include "engine/context/encoder.hpp"
#include "engine/context/joint/joint_system.hpp"

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;

namespace {

constexpr std::size_t kLargestPart = 1000;  ///< nodes

class FactorFinder {
 public:
  FactorFinder(const JointSystem& system, std::uint32_t thread, const PlaceEdge& step)
      : v_(system.variables()),
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
                 system.space()) {}

  EdgeFactors find(const Flow& flow) {
    out_.hidden = v_.choices;
    out_.relations.push_back(encoder_.condition());
    if (edge_.kind == EdgeKind::Call) {
      call();
    } else if (edge_.kind == EdgeKind::Return) {
      leave(flow.edges[places_[step_.source].stack.calls.back().index()]);
    } else {
      assign(edge_.shared, v_.shared, v_.next_shared);
      assign(edge_.local, slots_.subspan(here_), next_slots_.subspan(here_));
    }
    forget_the_dead();
    return std::move(out_);
  }

 private:
  void add(std::span<const Assignment> list, std::span<const BddVariable> copies) {
    for (const Assignment& a : list) out_.relations.push_back(encoder_.assigned({&a, 1}, copies));
  }

  void assign(std::span<const Assignment> list, std::span<const BddVariable> variables,
              std::span<const BddVariable> copies) {
    add(list, copies);
    for (const Assignment& a : list) assigned_[variables[a.index]] = copies[a.index];
  }

  /// The callee's variables are not in use yet, so they need no copies.
  void call() {
    if (!places_[step_.target].cut_off) add(edge_.child_values, slots_.subspan(there_));
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
  void forget_the_dead() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (places_.live(step_.target)[i]) continue;
      const auto copy = assigned_.find(slots_[i]);
      if (copy != assigned_.end()) {
        out_.hidden.push_back(copy->second);
        assigned_.erase(copy);
      }
      if (places_.live(step_.source)[i] || i >= there_) out_.dropped.push_back(slots_[i]);
    }
    for (const auto& [variable, copy] : assigned_) {
      out_.dropped.push_back(variable);
      out_.renamed.emplace_back(copy, variable);
    }
  }

  const JointVariables& v_;
  const ThreadPlaces& places_;
  const PlaceEdge& step_;
  const FlowEdge& edge_;
  std::span<const BddVariable> slots_, next_slots_;
  std::uint32_t here_, there_;  ///< the first slots of the procedure before and after
  Encoder encoder_;
  std::map<BddVariable, BddVariable> assigned_;  ///< to their copies
  EdgeFactors out_;
};

/// Conjunctions of factors, in their order, each as long as it stays small.
std::vector<Bdd> clustered(std::span<const Bdd> factors) {
  std::vector<Bdd> out{factors.front()};
  for (const Bdd& factor : factors.subspan(1)) {
    const Bdd both = out.back() & factor;
    if (both.node_count() <= kLargestPart)
      out.back() = both;
    else
      out.push_back(factor);
  }
  return out;
}

}  // namespace

EdgeFactors factors_of(const JointSystem& system, std::uint32_t thread, const PlaceEdge& step) {
  return FactorFinder(system, thread, step).find(system.flow());
}

JointEdge::JointEdge(const BddSpace& space, EdgeFactors factors)
    : space_(space), renamed_(std::move(factors.renamed)), to_variables_(renamed_) {
  const std::vector<Bdd> relations = clustered(factors.relations);
  std::map<BddVariable, std::vector<std::size_t>> about;
  for (std::size_t i = 0; i < relations.size(); ++i)
    for (const BddVariable v : relations[i].variables()) about[v].push_back(i);

  using Lists = std::vector<std::vector<BddVariable>>;
  Lists inside(relations.size()), forgotten(relations.size()), hidden(relations.size());
  for (const BddVariable v : factors.hidden) {
    const auto& parts = about[v];
    if (parts.size() == 1) inside[parts.front()].push_back(v);
    if (parts.size() <= 1) continue;
    forgotten[parts.back()].push_back(v);
    hidden[parts.front()].push_back(v);
  }
  for (const BddVariable v : factors.dropped)
    forgotten[about[v].empty() ? 0 : about[v].back()].push_back(v);
  for (const auto& [copy, variable] : renamed_)
    hidden[about[copy].empty() ? relations.size() - 1 : about[copy].front()].push_back(copy);
  for (std::size_t i = 0; i < relations.size(); ++i)
    parts_.push_back({space_.exists(relations[i], space_.all_of(inside[i])),
                      space_.all_of(forgotten[i]), space_.all_of(hidden[i])});
}

Bdd JointEdge::after(const Bdd& set) const {
  Bdd out = set;
  for (const Part& part : parts_) out = space_.exists_and(out, part.relation, part.forgotten);
  return to_variables_(out);
}

Bdd JointEdge::before(const Bdd& set) const {
  VariablePairs to_copies;
  for (const auto& [copy, variable] : renamed_) to_copies.emplace_back(variable, copy);
  Bdd out = BddRenaming(to_copies)(set);
  for (const Part& part : parts_ | std::views::reverse)
    out = space_.exists_and(out, part.relation, part.hidden);
  return out;
}

}  // namespace heddle::engine::context
