#include "engine/compositional/clauses.hpp"

namespace heddle::engine::compositional {

using namespace model::threads;
using term::Substitution;
using term::Term;
using transform::blocks::BlockStep;

Clauses::Clauses(const Prepared& prepared)
    : prepared_(prepared), program_(prepared.program), blocks_(prepared.blocks) {
  for (std::size_t t = 0; t < program_.threads.size(); ++t)
    for (std::size_t p = 0; p < program_.threads[t].points.size(); ++p)
      if (blocks_.partition.is_cut[t][p] && !blocks_.partition.is_out[t][p]) needs_busy_ = true;
}

Substitution Clauses::names(ThreadIndex t, const std::vector<Input>& inputs,
                            const std::string& mark) const {
  Substitution out;
  if (mark.empty()) return out;
  for (const VariableId v : thread(t).locals)
    out.emplace(variable(v).term.name(), marked(variable(v).term, mark));
  for (const Input& input : inputs) out.emplace(input.term.name(), marked(input.term, mark));
  return out;
}

Term Clauses::ranges_of_globals() const {
  std::vector<Term> parts;
  for (const VariableId v : program_.globals)
    parts.push_back(in_range(variable(v), variable(v).term));
  return term::conjunction(std::move(parts));
}

Term Clauses::ranges_of_locals(ThreadIndex t, Point p, const std::string& mark) const {
  std::vector<Term> parts;
  for (const VariableId v : blocks_.live[t.index()][p.index()])
    parts.push_back(in_range(variable(v), marked(variable(v).term, mark)));
  return term::conjunction(std::move(parts));
}

Term Clauses::facts(ThreadIndex t, Point p, const std::string& mark) const {
  return term::substitute(prepared_.facts.formula(t, p), names(t, {}, mark));
}

Term Clauses::enabled(const BlockStep& step, const std::string& mark) const {
  const Substitution own = names(step.thread, step.inputs, mark);
  std::vector<Term> parts = {term::substitute(step.guard, own)};
  for (const Input& input : step.inputs) parts.push_back(term::substitute(in_range(input), own));
  return term::conjunction(std::move(parts));
}

Term Clauses::after(const BlockStep& step, VariableId v, const std::string& mark) const {
  for (const Assignment& a : step.assignments)
    if (a.variable == v) return term::substitute(a.value, names(step.thread, step.inputs, mark));
  return variable(v).owner ? marked(variable(v).term, mark) : variable(v).term;
}

}  // namespace heddle::engine::compositional
