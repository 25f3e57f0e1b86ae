#include <algorithm>
#include <set>

#include "check/c/proof_parts.hpp"

/// Atomic sections without cuts are single transitions. Nobody else steps while a thread is inside
/// one, and a run that reaches an error does not stop in the middle of one; so every error that is
/// reached is also reached by whole sections. The transitions of such a section are replaced by its
/// paths, from the point before it to the first point outside.

namespace heddle::check::c {

using namespace model::threads;
using term::Term;

namespace {

class WholeSections {
 public:
  WholeSections(const ThreadProgram& program, std::uint32_t t, const std::vector<bool>& is_cut)
      : program_(program), thread_(program.threads[t]), is_cut_(is_cut) {
    for (const Transition& transition : thread_.transitions)
      if (is_inside(transition.from.value)) within_[transition.from.value].push_back(&transition);
  }

  Thread run() {
    Thread out = thread_;
    out.transitions.clear();
    made_ = &out;
    std::vector<std::uint32_t> open;
    if (is_inside(thread_.entry.value)) open.push_back(thread_.entry.value);
    for (const Transition& t : thread_.transitions) {
      if (is_inside(t.from.value)) continue;
      const bool enters = is_inside(t.to.value);
      if (enters && !has_cut(t.to.value)) {
        Transition start;
        start.from = t.from;
        follow(t, start, {}, 0);
        continue;
      }
      out.transitions.push_back(t);
      if (enters) open.push_back(t.to.value);
    }
    // Sections with cuts stay as they are.
    std::set<std::uint32_t> seen;
    while (!open.empty()) {
      const std::uint32_t p = open.back();
      open.pop_back();
      if (!seen.insert(p).second) continue;
      for (const Transition* t : within_[p]) {
        out.transitions.push_back(*t);
        if (is_inside(t->to.value)) open.push_back(t->to.value);
      }
    }
    return out;
  }

 private:
  bool is_inside(std::uint32_t p) const { return thread_.points[p].in_section; }

  bool has_cut(std::uint32_t start) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work = {start};
    while (!work.empty()) {
      const std::uint32_t p = work.back();
      work.pop_back();
      if (!is_inside(p) || !seen.insert(p).second) continue;
      if (is_cut_[p]) return true;
      for (const Transition* t : within_[p]) work.push_back(t->to.value);
    }
    return false;
  }

  void follow(const Transition& t, Transition path, const term::Substitution& state,
              std::size_t length) {
    if (length > thread_.points.size()) throw Objection{"a loop without a cut in a section"};
    const auto now = [&](const Term& term) { return term::substitute(term, state); };
    path.guard = term::conjunction({path.guard, now(t.guard)});
    path.inputs.insert(path.inputs.end(), t.inputs.begin(), t.inputs.end());
    if (t.creation) {
      if (path.creation) throw Objection{"two threads are created in a section without a cut"};
      path.creation = t.creation;
      for (Assignment& a : path.creation->locals) a.value = now(a.value);
    }
    term::Substitution after = state;
    for (const Assignment& a : t.assignments)
      after.insert_or_assign(program_.variable(a.variable).term.name(), now(a.value));
    const std::uint32_t q = t.to.value;
    if (is_inside(q)) {
      // What may block inside makes the whole block.
      if (thread_.points[q].may_block) made_->points[path.from.index()].may_block = true;
      for (const Transition* next : within_[q]) follow(*next, path, after, length + 1);
      return;
    }
    path.to = t.to;
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      if (const auto value = after.find(program_.variables[v].term.name()); value != after.end())
        path.assignments.push_back({VariableId(v), value->second});
    made_->transitions.push_back(std::move(path));
  }

  const ThreadProgram& program_;
  const Thread& thread_;
  const std::vector<bool>& is_cut_;
  std::map<std::uint32_t, std::vector<const Transition*>> within_;
  Thread* made_ = nullptr;
};

}  // namespace

ThreadProgram with_whole_sections(const ThreadProgram& program, const ThreadProof& proof) {
  ThreadProgram out = program;
  if (proof.is_cut.size() != program.threads.size()) return out;  // check_form objects to that
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    if (proof.is_cut[t].size() == program.threads[t].points.size())
      out.threads[t] = WholeSections(program, t, proof.is_cut[t]).run();
  return out;
}

}  // namespace heddle::check::c
