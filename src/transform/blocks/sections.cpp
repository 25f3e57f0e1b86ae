#include "transform/blocks/sections.hpp"

#include <algorithm>
#include <set>

#include "term/substitute.hpp"

/// While a thread is inside an atomic section, nobody else steps. So a run that reaches an error
/// executes each section as a whole, or ends inside one: a section is one transition from the point
/// before it to a point behind it, or to the error in it. A section that stops in the middle (an
/// assumption does not hold) is a transition that is not enabled; the runs that stop there reach no
/// error, so none is lost.
///
/// As one transition, taking a lock made by hand (`assume(m == 0); m = 1`) is a right mover: it
/// reads nothing that somebody else may change behind it. Instruction by instruction it is not.
///
/// Sections with loops stay as they are, and so do those with many paths or several creations. The
/// checker tells them apart by the cuts inside (check/c/thread_sections.cpp): a section that stays
/// has a cut where it is entered (blocks.cpp), one that was composed has none.

namespace heddle::transform::blocks {

using namespace model::threads;
using term::Term;

namespace {

constexpr std::uint64_t kMostPathsOfSection = 32;

class SectionsOf {
 public:
  SectionsOf(const ThreadProgram& program, const Thread& thread)
      : program_(program), thread_(thread), leaving_(thread.points.size()) {
    for (std::size_t i = 0; i < thread.transitions.size(); ++i)
      leaving_[thread.transitions[i].from.index()].push_back(static_cast<std::uint32_t>(i));
  }

  Thread run() {
    find_entries();
    made_ = thread_;
    made_.transitions.clear();
    std::set<std::uint32_t> kept;  // points inside sections that stay
    for (const Entry& entry : entries_)
      if (!entry.is_composed) kept.insert(entry.region.begin(), entry.region.end());
    for (std::uint32_t i = 0; i < thread_.transitions.size(); ++i) {
      const Transition& t = thread_.transitions[i];
      if (inside(t.from.value) ? !kept.contains(t.from.value) : is_composed(i)) continue;
      made_.transitions.push_back(t);
      made_.transitions.back().parts = {i};
    }
    for (const Entry& entry : entries_) {
      if (!entry.is_composed) continue;
      const Transition& t = thread_.transitions[entry.transition];
      for (const std::uint32_t p : entry.region)
        if (thread_.points[p].may_block) made_.points[t.from.index()].may_block = true;
      Transition first;
      first.from = t.from;
      extend(entry.transition, std::move(first), {});
    }
    return std::move(made_);
  }

 private:
  /// A transition into a section, with the points inside that it leads to.
  struct Entry {
    std::uint32_t transition = 0;
    std::set<std::uint32_t> region;
    bool is_composed = true;
  };

  bool inside(std::uint32_t p) const { return thread_.points[p].in_section; }

  bool is_composed(std::uint32_t transition) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
      return entry.transition == transition && entry.is_composed;
    });
  }

  void find_entries() {
    if (inside(thread_.entry.value)) {
      entries_.push_back({UINT32_MAX, {}, false});
      visit(thread_.entry.value, entries_.back());
    }
    for (std::uint32_t i = 0; i < thread_.transitions.size(); ++i) {
      const Transition& t = thread_.transitions[i];
      if (inside(t.from.value) || !inside(t.to.value)) continue;
      entries_.push_back({i, {}, true});
      Entry& entry = entries_.back();
      creations_ = t.creation ? 1 : 0;
      state_.assign(thread_.points.size(), 0);
      paths_.assign(thread_.points.size(), 0);
      if (visit(t.to.value, entry) > kMostPathsOfSection || creations_ > 1)
        entry.is_composed = false;
    }
    // Sections that stay share no point with those that are composed.
    for (bool changed = true; changed;) {
      changed = false;
      for (Entry& a : entries_)
        for (const Entry& b : entries_)
          if (a.is_composed && !b.is_composed &&
              std::ranges::any_of(b.region, [&](auto p) { return a.region.contains(p); })) {
            a.is_composed = false;
            changed = true;
          }
    }
  }

  /// The number of paths from a point to the end of the section.
  std::uint64_t visit(std::uint32_t p, Entry& entry) {
    if (state_.empty()) {
      state_.assign(thread_.points.size(), 0);
      paths_.assign(thread_.points.size(), 0);
    }
    if (state_[p] == 1) {
      entry.is_composed = false;  // a loop
      return 1;
    }
    if (state_[p] == 2) return paths_[p];
    state_[p] = 1;
    entry.region.insert(p);
    std::uint64_t count = 0;
    for (const std::uint32_t i : leaving_[p]) {
      if (thread_.transitions[i].creation) ++creations_;
      const std::uint32_t q = thread_.transitions[i].to.value;
      count += inside(q) ? visit(q, entry) : 1;
    }
    state_[p] = 2;
    return paths_[p] = std::min(count, std::uint64_t{1} << 20);
  }

  void extend(std::uint32_t index, Transition so_far, const term::Substitution& state) {
    const Transition& t = thread_.transitions[index];
    const auto now = [&](const Term& term) { return term::substitute(term, state); };
    so_far.guard = term::conjunction({so_far.guard, now(t.guard)});
    if (so_far.guard.op() == term::Operator::Boolean && !so_far.guard.boolean()) return;
    so_far.inputs.insert(so_far.inputs.end(), t.inputs.begin(), t.inputs.end());
    so_far.parts.push_back(index);
    so_far.is_abstract |= t.is_abstract;
    if (t.creation) {
      so_far.creation = t.creation;
      for (Assignment& a : so_far.creation->locals) a.value = now(a.value);
    }
    term::Substitution after = state;
    for (const Assignment& a : t.assignments)
      after.insert_or_assign(program_.variable(a.variable).term.name(), now(a.value));
    if (inside(t.to.value)) {
      for (const std::uint32_t next : leaving_[t.to.index()]) extend(next, so_far, after);
      return;
    }
    so_far.to = t.to;
    const auto add = [&](VariableId v) {
      const auto value = after.find(program_.variable(v).term.name());
      if (value == after.end()) return;
      if (value->second.op() == term::Operator::Variable && value->second.name() == value->first)
        return;
      so_far.assignments.push_back({v, value->second});
    };
    for (const VariableId v : program_.globals) add(v);
    for (const VariableId v : thread_.locals) add(v);
    made_.transitions.push_back(std::move(so_far));
  }

  const ThreadProgram& program_;
  const Thread& thread_;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<Entry> entries_;
  std::vector<char> state_;  ///< 1: on the path, 2: done
  std::vector<std::uint64_t> paths_;
  std::uint32_t creations_ = 0;
  Thread made_;
};

}  // namespace

ThreadProgram compose_sections(const ThreadProgram& program) {
  ThreadProgram out = program;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    out.threads[t] = SectionsOf(program, program.threads[t]).run();
  return out;
}

}  // namespace heddle::transform::blocks
