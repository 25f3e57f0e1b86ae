#include "engine/onthefly/preimage.hpp"

/// The question for an edge with guard g, assignments x := e(x) for x in A and constraint c: which
/// values can lead into the cube `after`? With 'x replaced by e(x) (or by x, if x is not assigned)
/// in c this is
///
///     g  ∧  c  ∧  ⋀ { e(x) = b : x in A, after says x = b }
///
/// over values before the step and choices, plus the literals of `after` on variables that are not
/// assigned, which hold before as they do afterwards. The formula is expanded (Shannon) over its
/// variables until it is determined: the leaves where it is true are disjoint cubes; choices are
/// expanded last and only to see whether some choice will do. Neighbours are merged in the end.
///
/// Statements of Boolean programs mention few variables, so that this beats a solver by far
/// (docs/decisions/0005-preimages-by-expansion.md has figures).

#include <algorithm>

namespace heddle::engine::onthefly {

namespace {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using model::boolean::Knowledge;
using model::boolean::Valuation;

const Formula* value_of(const std::vector<Assignment>& assignments, std::uint32_t index) {
  const auto it = std::ranges::find(assignments, index, &Assignment::index);
  return it != assignments.end() ? &it->value : nullptr;
}

Formula condition_of(const FlowEdge& edge) {
  Formula constraint = substitute(edge.constraint, [&](const Atom& a) -> Formula {
    if (a.kind == AtomKind::NextShared) {
      const Formula* value = value_of(edge.shared, a.index);
      return value ? *value : atom(AtomKind::Shared, a.index);
    }
    if (a.kind == AtomKind::NextLocal) {
      const Formula* value = value_of(edge.local, a.index);
      return value ? *value : atom(AtomKind::Local, a.index);
    }
    return atom(a.kind, a.index);
  });
  return conjunction(edge.guard, std::move(constraint));
}

/// Splits what is wanted of variables after the step: literals of variables that keep their values
/// are returned, demands on assigned ones are added to the formula.
Cube pull_back(const std::vector<Assignment>& assignments, Cube after, Formula& formula) {
  for (const Assignment& assignment : assignments) {
    const Valuation mask = model::boolean::bit(assignment.index);
    if ((after.mask & mask) == 0) continue;
    const bool wanted = (after.value & mask) != 0;
    formula =
        conjunction(std::move(formula), wanted ? assignment.value : negation(assignment.value));
    after = after.without(mask);
  }
  return after;
}

void expand(const Formula& formula, Knowledge known, std::vector<Before>& out) {
  const auto value = evaluate(formula, known);
  if (value == false) return;
  if (value == true) {
    out.push_back({known.shared, known.local});
    return;
  }
  const Atom unknown = first_unknown(formula, known);
  if (unknown.kind == AtomKind::Choice) {
    if (satisfiable(formula, known)) out.push_back({known.shared, known.local});
    return;
  }
  for (const bool guess : {false, true}) {
    known.set(unknown, guess);
    expand(formula, known, out);
  }
}

/// Two cubes that differ in the value of one variable only are one.
std::optional<Cube> joined(const Cube& a, const Cube& b) {
  const Valuation difference = a.value ^ b.value;
  if (a.mask != b.mask || !std::has_single_bit(difference)) return std::nullopt;
  return a.without(difference);
}

std::optional<Before> joined(const Before& a, const Before& b) {
  if (a.shared == b.shared)
    if (const auto local = joined(a.local, b.local)) return Before{a.shared, *local};
  if (a.local == b.local)
    if (const auto shared = joined(a.shared, b.shared)) return Before{*shared, a.local};
  return std::nullopt;
}

void merge_neighbours(std::vector<Before>& cubes) {
  constexpr std::size_t kWorthwhile = 256;
  if (cubes.size() > kWorthwhile) return;
  for (std::size_t i = 0; i < cubes.size();) {
    bool merged = false;
    for (std::size_t j = i + 1; j < cubes.size() && !merged; ++j) {
      const auto both = joined(cubes[i], cubes[j]);
      if (!both) continue;
      cubes[i] = *both;
      cubes.erase(cubes.begin() + static_cast<std::ptrdiff_t>(j));
      merged = true;
    }
    i = merged ? 0 : i + 1;
  }
}

}  // namespace

std::size_t Preimage::Hash::operator()(const Key& key) const {
  std::size_t hash = key.edge.value;
  const auto mix = [&](Valuation word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  };
  for (const Cube& cube : {key.after.shared, key.after.local, key.after.child}) {
    mix(cube.mask);
    mix(cube.value);
  }
  return hash;
}

Preimage::Preimage(const Flow& flow) : flow_(flow) {
  for (const FlowEdge& edge : flow.edges) conditions_.push_back(condition_of(edge));
}

const std::vector<Before>& Preimage::of(EdgeId edge, const After& after) {
  const auto [it, is_new] = known_.try_emplace(Key{edge, after});
  if (is_new) it->second = of(edge, after, model::boolean::constant(true));
  return it->second;
}

std::vector<Before> Preimage::of(EdgeId which, const After& after, const Formula& also) const {
  const FlowEdge& edge = flow_.edges[which.index()];
  Formula formula = conjunction(conditions_[which.index()], also);
  Knowledge known;
  known.shared = pull_back(edge.shared, after.shared, formula);
  known.local = pull_back(edge.local, after.local, formula);
  const Cube copied = pull_back(edge.child_values, after.child, formula);
  std::vector<Before> out;
  if (!known.local.meets(copied)) return out;
  known.local = known.local.with(copied);
  expand(formula, known, out);
  merge_neighbours(out);
  return out;
}

}  // namespace heddle::engine::onthefly
