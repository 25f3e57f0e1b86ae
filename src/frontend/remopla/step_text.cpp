/// The constraint of a step relates old and new values. A step that has one puts the new values
/// into variables `new_i`, asks for the constraint, and only then assigns.

#include "frontend/remopla/step_text.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace heddle::frontend::remopla {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;

namespace {

std::uint32_t callee_of(const Flow& flow, const FlowEdge& call) {
  return flow.nodes[call.child.index()].frame;
}

/// What the caller hands over, or what a procedure returns.
std::span<const Assignment> handed_over(const Flow& flow, const FlowEdge& edge) {
  const std::span all(edge.child_values);
  if (edge.kind != EdgeKind::Call) return all;
  return all.first(flow.parameter_counts[flow.frames[callee_of(flow, edge)].procedure]);
}

bool is_choice(const Formula& f) {
  return f.kind == Formula::Kind::Atom && f.atom.kind == AtomKind::Choice;
}

}  // namespace

StepText::StepText(const Flow& flow, const Names& names, const FlowEdge& edge)
    : flow_(flow), names_(names), edge_(edge), frame_(flow.nodes[edge.source.index()].frame) {
  std::map<std::uint32_t, std::size_t> uses;
  const auto count = [&](const Formula& f, std::size_t weight) {
    for_each_atom(f, [&](const Atom& a) {
      if (a.kind == AtomKind::Choice) uses[a.index] += weight;
    });
  };
  count(edge.guard, 2);
  count(edge.constraint, 2);
  for (const auto* list : {&edge.shared, &edge.local})
    for (const Assignment& a : *list) count(a.value, is_choice(a.value) ? 1 : 2);
  for (const Assignment& a : handed_over(flow, edge)) count(a.value, 2);
  for (const auto& [choice, weight] : uses)
    if (weight > 1) chosen_.push_back(choice);
}

bool StepText::has_constraint() const { return edge_.constraint.kind != Formula::Kind::True; }

std::vector<Atom> StepText::assigned() const {
  std::vector<Atom> out;
  for (const Assignment& a : edge_.shared) out.push_back({AtomKind::Shared, a.index});
  for (const Assignment& a : edge_.local) out.push_back({AtomKind::Local, a.index});
  return out;
}

std::size_t StepText::news() const { return has_constraint() ? assigned().size() : 0; }

void StepText::Parallel::add(std::string name, std::string value) {
  names.push_back(std::move(name));
  values.push_back(std::move(value));
}

std::string StepText::Parallel::text() const {
  const auto list = [](const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
    return out;
  };
  return names.empty() ? "" : " " + list(names) + " = " + list(values) + ";";
}

std::string StepText::name(const Atom& variable) const {
  return variable.kind == AtomKind::Shared ? names_.shared(variable.index)
                                           : names_.locals(frame_)[variable.index];
}

std::string StepText::text(const Atom& a) const {
  if (a.kind == AtomKind::Choice) {
    const auto place = std::ranges::find(chosen_, a.index) - chosen_.begin();
    return names_.own("any", static_cast<std::size_t>(place));
  }
  const bool is_next = a.kind == AtomKind::NextShared || a.kind == AtomKind::NextLocal;
  const bool is_shared = a.kind == AtomKind::NextShared || a.kind == AtomKind::Shared;
  const Atom variable{is_shared ? AtomKind::Shared : AtomKind::Local, a.index};
  const std::vector<Atom> all = assigned();
  const auto found = std::ranges::find(all, variable);
  if (!is_next || found == all.end()) return name(variable);
  return names_.own("new", static_cast<std::size_t>(found - all.begin()));
}

std::string StepText::text(const Formula& f) const {
  const auto part = [&](std::size_t i) { return text(f.operands[i]); };
  switch (f.kind) {
    case Formula::Kind::False: return "false";
    case Formula::Kind::True: return "true";
    case Formula::Kind::Atom: return text(f.atom);
    case Formula::Kind::Not: return "!" + part(0);
    case Formula::Kind::And: return "(" + chain(f, " && ") + ")";
    case Formula::Kind::Or: return "(" + chain(f, " || ") + ")";
    case Formula::Kind::Equal: return "(" + part(0) + " == " + part(1) + ")";
    case Formula::Kind::Conditional: break;
  }
  return "((" + part(0) + " && " + part(1) + ") || (!" + part(0) + " && " + part(2) + "))";
}

/// Operands of operands of the same kind, too: readers bear few parentheses inside each other.
std::string StepText::chain(const Formula& f, const char* between) const {
  const auto part = [&](const Formula& operand) {
    return operand.kind == f.kind ? chain(operand, between) : text(operand);
  };
  return part(f.operands[0]) + between + part(f.operands[1]);
}

/// What is assigned: `undef` only stands here.
std::string StepText::value(const Formula& f) const {
  const bool is_own = is_choice(f) && std::ranges::find(chosen_, f.atom.index) == chosen_.end();
  return is_own ? "undef" : text(f);
}

void StepText::add_assignments(Parallel& out) const {
  for (const Assignment& a : edge_.shared) out.add(names_.shared(a.index), value(a.value));
  for (const Assignment& a : edge_.local) out.add(names_.locals(frame_)[a.index], value(a.value));
}

/// So that states do not differ in what does not matter any more.
void StepText::forget_choices(Parallel& out) const {
  for (std::size_t i = 0; i < chosen_.size(); ++i) out.add(names_.own("any", i), "false");
}

std::string StepText::effect(const std::string& go) const {
  if (edge_.kind == EdgeKind::Call) return call(go);
  if (edge_.kind == EdgeKind::Return) return leave();
  if (has_constraint()) return constrained(go);
  Parallel step;
  add_assignments(step);
  forget_choices(step);
  return step.text() + go;
}

std::string StepText::constrained(const std::string& go) const {
  Parallel values, step;
  add_assignments(values);
  for (std::size_t i = 0; i < values.names.size(); ++i)
    step.add(values.names[i], names_.own("new", i));
  for (std::size_t i = 0; i < values.names.size(); ++i) {
    values.names[i] = names_.own("new", i);
    step.add(names_.own("new", i), "false");
  }
  forget_choices(step);
  return values.text() + " if :: " + text(edge_.constraint) + " ->" + step.text() + go + " fi;";
}

/// A module returns one value at most; more of them are left in variables that all modules share.
std::string StepText::call(const std::string& go) const {
  std::string arguments;
  for (const Assignment& a : handed_over(flow_, edge_))
    arguments += (arguments.empty() ? "" : ", ") + text(a.value);
  Parallel received;
  for (std::size_t i = 0; i < edge_.received.size(); ++i)
    if (edge_.received[i]) received.add(name(*edge_.received[i]), names_.own("result", i));
  std::string out = names_.module(callee_of(flow_, edge_)) + "(" + arguments + ");";
  if (edge_.received.size() == 1) {
    if (!received.names.empty()) out = received.names.front() + " = " + out;
    received = {};
  }
  for (std::size_t i = 0; edge_.received.size() > 1 && i < edge_.received.size(); ++i)
    received.add(names_.own("result", i), "false");
  forget_choices(received);
  return " " + out + received.text() + go;
}

std::string StepText::leave() const {
  if (edge_.child_values.size() == 1) return " return " + text(edge_.child_values[0].value) + ";";
  Parallel results;
  for (const Assignment& a : edge_.child_values)
    results.add(names_.own("result", a.index), text(a.value));
  return results.text() + " return;";
}

}  // namespace heddle::frontend::remopla
