#include "model/threads/thread_program.hpp"

#include "term/print.hpp"

namespace heddle::model::threads {

using term::Term;

Term self_of(const ThreadProgram& program, ThreadIndex thread) {
  const auto& self = program.thread(thread).self;
  if (self) return program.variable(*self).term;
  return term::constant(base::Integer(thread.value + 1));
}

bool is_bad(PointInfo::Kind kind) {
  return kind == PointInfo::Kind::Error || kind == PointInfo::Kind::Overflow ||
         kind == PointInfo::Kind::Unsupported;
}

Term in_range(const Variable& variable, const Term& term) {
  if (term.sort() == term::Sort::Boolean) return term::constant(true);
  std::vector<Term> bounds = {term::at_most(term::constant(variable.least), term)};
  if (variable.greatest) bounds.push_back(term::at_most(term, term::constant(*variable.greatest)));
  return term::conjunction(std::move(bounds));
}

Term in_range(const Input& input) {
  if (input.term.sort() == term::Sort::Boolean) return term::constant(true);
  return term::conjunction({term::at_most(term::constant(input.least), input.term),
                            term::at_most(input.term, term::constant(input.greatest))});
}

namespace {

std::string assignments_text(const ThreadProgram& program, const std::vector<Assignment>& list) {
  std::string out;
  for (const Assignment& a : list)
    out += (out.empty() ? "" : ", ") + program.variable(a.variable).term.name() +
           " := " + term::to_smtlib(a.value);
  return out;
}

std::string text_of(const ThreadProgram& program, const Transition& t) {
  std::string out = "    → " + std::to_string(t.to.value);
  if (t.guard.op() != term::Operator::Boolean) out += "  if " + term::to_smtlib(t.guard);
  if (!t.assignments.empty()) out += "  do " + assignments_text(program, t.assignments);
  if (t.creation) {
    out += "  create " + program.thread(t.creation->thread).name;
    out += "(" + assignments_text(program, t.creation->locals) + ")";
  }
  return out + (t.is_abstract ? "  (abstract)\n" : "\n");
}

std::string text_of(const PointInfo& point, std::size_t number) {
  std::string out = "  " + std::to_string(number) + ": " + point.function + " line " +
                    std::to_string(point.position.line);
  switch (point.kind) {
    case PointInfo::Kind::Error: out += " error"; break;
    case PointInfo::Kind::Overflow: out += " overflow"; break;
    case PointInfo::Kind::Unsupported: out += " unsupported"; break;
    case PointInfo::Kind::End: out += " end"; break;
    case PointInfo::Kind::Ordinary: break;
  }
  return out + (point.in_section ? " (in an atomic section)" : "") +
         (point.may_block ? " (may block)\n" : "\n");
}

}  // namespace

std::string to_text(const ThreadProgram& program) {
  std::string out;
  for (const Thread& thread : program.threads) {
    out += "thread " + thread.name + (thread.is_replicated ? " (any number)" : "") + ", entry " +
           std::to_string(thread.entry.value) + "\n";
    for (std::size_t i = 0; i < thread.points.size(); ++i) {
      out += text_of(thread.points[i], i);
      for (const Transition& t : thread.transitions)
        if (t.from.index() == i) out += text_of(program, t);
    }
  }
  return out;
}

}  // namespace heddle::model::threads
