#include "check/diagrams/program_copies.hpp"

#include <algorithm>
#include <numeric>

#include "check/diagrams/diagram_support.hpp"

namespace heddle::check {

using answer::DiagramVariable;
using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;

Copies::Copies(const Flow& flow, const answer::ContextRelations& relations)
    : count_(relations.variables.size()) {
  for (std::uint32_t level = 0; level < count_; ++level)
    if (!levels_.emplace(relations.variables[level], level).second)
      problem_ = "a variable of the diagrams is listed twice";
  const CopyCounts counts = count_copies(flow);
  for (std::uint32_t round = 1; round <= relations.rounds && !problem_; ++round)
    for (const Family family : {Family::First, Family::Input, Family::Output})
      expect(family, round, counts.shared);
  for (const Family family : {Family::Entry, Family::Current, Family::Next})
    expect(family, 0, counts.shared);
  for (const Family family : {Family::Local, Family::NextLocal}) expect(family, 0, counts.locals);
  for (const Family family : {Family::Parameter, Family::Argument})
    expect(family, 0, counts.parameters);
  expect(Family::Result, 0, counts.results);
  expect(Family::Choice, 0, counts.choices);
  std::size_t known = 0;
  for (const auto& [of, copy] : copies_) known += copy.size();
  if (!problem_ && known != count_)
    problem_ = "a variable of the diagrams is not a variable of the program";
}

void Copies::expect(Family family, std::uint32_t round, std::size_t count) {
  auto& copy = copies_[{family, round}];
  for (std::uint32_t i = 0; i < count && !problem_; ++i) {
    const auto found = levels_.find({family, round, i});
    if (found == levels_.end())
      problem_ = "the diagrams lack a copy of one of the program's variables";
    else
      copy.push_back(found->second);
  }
}

Copies::Image::Image(const Copies& copies) : copies_(copies), image_(copies.count_) {
  std::iota(image_.begin(), image_.end(), 0U);
}

Copies::Image& Copies::Image::move(Family from, std::uint32_t round_from, Family to,
                                   std::uint32_t round_to) {
  const auto& source = copies_.of(from, round_from);
  for (std::size_t i = 0; i < source.size(); ++i) image_[source[i]] = copies_.of(to, round_to)[i];
  return *this;
}

Copies::Image& Copies::Image::move_one(Family from, std::uint32_t index, Family to,
                                       std::uint32_t index_to) {
  image_[copies_.of(from)[index]] = copies_.of(to)[index_to];
  return *this;
}

Diagrams::Set EdgeSets::condition() const {
  return diagrams_.conjunction(set_of(edge_.guard), set_of(edge_.constraint));
}

Diagrams::Set EdgeSets::assigned(std::span<const Assignment> assignments,
                                 std::span<const std::uint32_t> copy) const {
  Diagrams::Set out = 1;
  for (const Assignment& assignment : assignments) {
    if (is_any(assignment.value)) continue;
    const Diagrams::Set variable = diagrams_.variable(copy[assignment.index]);
    out = diagrams_.conjunction(out, diagrams_.equivalence(variable, set_of(assignment.value)));
  }
  return out;
}

/// A choice of its own, which gives either value whatever else happens.
bool EdgeSets::is_any(const Formula& value) const {
  return value.kind == Formula::Kind::Atom && value.atom.kind == AtomKind::Choice &&
         uses(value.atom.index) == 1;
}

std::size_t EdgeSets::uses(std::uint32_t choice) const {
  std::size_t count = 0;
  const auto look = [&](const Formula& formula) {
    for_each_atom(formula, [&](const Atom& atom) {
      count += atom.kind == AtomKind::Choice && atom.index == choice;
    });
  };
  look(edge_.guard);
  look(edge_.constraint);
  for (const auto* list : {&edge_.shared, &edge_.local, &edge_.child_values})
    for (const Assignment& assignment : *list) look(assignment.value);
  return count;
}

Diagrams::Set EdgeSets::set_of(const Atom& atom) const {
  const auto assigns = [&](const std::vector<Assignment>& list) {
    return std::ranges::find(list, atom.index, &Assignment::index) != list.end();
  };
  std::span<const std::uint32_t> copy = copies_.choices;
  switch (atom.kind) {
    case AtomKind::Shared: copy = copies_.shared; break;
    case AtomKind::Local: copy = copies_.local; break;
    case AtomKind::NextShared:
      copy = assigns(edge_.shared) ? copies_.next_shared : copies_.shared;
      break;
    case AtomKind::NextLocal:
      copy = assigns(edge_.local) ? copies_.next_local : copies_.local;
      break;
    case AtomKind::Receiver:  // graphs with calls have no passive assignments
    case AtomKind::Choice: break;
  }
  return diagrams_.variable(copy[atom.index]);
}

Diagrams::Set EdgeSets::set_of(const Formula& f) const {
  const auto operand = [&](std::size_t i) { return set_of(f.operands[i]); };
  switch (f.kind) {
    case Formula::Kind::False: return 0;
    case Formula::Kind::True: return 1;
    case Formula::Kind::Atom: return set_of(f.atom);
    case Formula::Kind::Not: return diagrams_.complement(operand(0));
    case Formula::Kind::And: return diagrams_.conjunction(operand(0), operand(1));
    case Formula::Kind::Or: return diagrams_.disjunction(operand(0), operand(1));
    case Formula::Kind::Equal: return diagrams_.equivalence(operand(0), operand(1));
    case Formula::Kind::Conditional: break;
  }
  return diagrams_.choose(operand(0), operand(1), operand(2));
}

}  // namespace heddle::check
