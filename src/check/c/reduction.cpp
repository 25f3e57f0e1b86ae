#include <algorithm>
#include <deque>
#include <tuple>

#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// The check of blocks. From every boundary on, a thread is *not committed*. A transition that is
/// not a right mover commits. Once committed, and until the next boundary,
///
///   - every transition is a left mover,
///   - at every point some transition is enabled, and the point is not marked as one that may
///   block,
///   - there is no cycle,
///
/// so that the thread can finish its block at once (Lipton 1975). An atomic section that is entered
/// before the commit is executed without interruption anyway: nothing is demanded inside, and the
/// section commits unless all of it moves right.
///
/// Movers are claims about pairs of transitions: moved across each other, they are enabled and lead
/// to the same state. They are checked under the facts of both threads, without reduction. Only
/// those are checked that are needed.

namespace heddle::check::c {

using namespace model::threads;
using term::Term;

namespace {

class Reduction {
 public:
  Reduction(const Subject& subject, Validity& validity) : subject_(subject), validity_(validity) {
    for (const Thread& thread : subject.program.threads) {
      auto& prints = footprints_.emplace_back();
      for (const Transition& t : thread.transitions) prints.push_back(footprint(t));
      right_.emplace_back(thread.transitions.size());
      left_.emplace_back(thread.transitions.size());
    }
  }

  void run() {
    for (std::uint32_t t = 0; t < subject_.program.threads.size(); ++t) {
      check_places(t);
      follow_phases(t);
      check_progress(t);
    }
  }

 private:
  struct Footprint {
    std::set<std::string> reads, writes;
  };

  Footprint footprint(const Transition& t) const {
    Footprint out;
    std::vector<Term> used = {t.guard};
    for (const Assignment& a : t.assignments) {
      used.push_back(a.value);
      if (subject_.is_global(subject_.name(a.variable)))
        out.writes.insert(subject_.name(a.variable));
    }
    if (t.creation)
      for (const Assignment& a : t.creation->locals) used.push_back(a.value);
    for (const Term& v : term::variables(used))
      if (subject_.is_global(v.name())) out.reads.insert(v.name());
    return out;
  }

  bool out(std::uint32_t t, std::uint32_t p) const { return subject_.proof.is_out[t][p]; }
  bool inside(std::uint32_t t, std::uint32_t p) const {
    return subject_.thread(t).points[p].in_section;
  }

  void check_places(std::uint32_t t) const {
    const Thread& thread = subject_.thread(t);
    for (std::uint32_t p = 0; p < thread.points.size(); ++p) {
      if (out(t, p) && !subject_.proof.is_cut[t][p])
        throw Objection{subject_.place(t, p) + ": a boundary of a block that is no cut"};
      if (out(t, p) && inside(t, p))
        throw Objection{subject_.place(t, p) + ": a boundary inside an atomic section"};
      const bool must =
          p == thread.entry.value || thread.points[p].kind != PointInfo::Kind::Ordinary;
      if (must && !out(t, p)) throw Objection{subject_.place(t, p) + ": must be a boundary"};
    }
  }

  /// A point with what happened since the boundary.
  struct State {
    std::uint32_t point = 0;
    bool committed = false;           ///< when the section was entered, if in one
    bool section_moves_right = true;  ///< so far
    friend auto operator<=>(const State&, const State&) = default;
  };

  void follow_phases(std::uint32_t t) {
    std::set<State> seen;
    std::deque<State> work;
    const auto reach = [&](State s) {
      if (seen.insert(s).second) work.push_back(s);
    };
    for (std::uint32_t p = 0; p < subject_.thread(t).points.size(); ++p)
      if (out(t, p)) reach({p, false, true});
    committed_.assign(subject_.thread(t).points.size(), false);
    while (!work.empty()) {
      const State s = work.front();
      work.pop_front();
      if (s.committed) committed_[s.point] = true;
      for (const std::uint32_t i : subject_.leaving(t, s.point)) {
        const Transition& transition = subject_.thread(t).transitions[i];
        if (s.committed && !moves_left(t, i))
          throw Objection{subject_.place(t, s.point) +
                          ": not a left mover, but its block has committed"};
        const std::uint32_t q = transition.to.value;
        if (out(t, q)) continue;
        const bool was_inside = inside(t, s.point);
        const bool right = (!was_inside || s.section_moves_right) && moves_right(t, i);
        if (inside(t, q))
          reach({q, s.committed, right});
        else
          reach({q, s.committed || !right, true});
      }
    }
  }

  /// Committed blocks end: no cycle, never stuck.
  void check_progress(std::uint32_t t) {
    std::vector<char> state(committed_.size());
    for (std::uint32_t p = 0; p < committed_.size(); ++p)
      if (committed_[p] && !out(t, p)) visit(t, p, state);
  }

  void visit(std::uint32_t t, std::uint32_t start, std::vector<char>& state) {
    if (state[start] != 0) return;
    std::vector<std::pair<std::uint32_t, std::size_t>> path = {{start, 0}};
    state[start] = 1;
    demand_enabled(t, start);
    while (!path.empty()) {
      auto& [p, next] = path.back();
      if (next == subject_.leaving(t, p).size()) {
        state[p] = 2;
        path.pop_back();
        continue;
      }
      const std::uint32_t i = subject_.leaving(t, p)[next++];
      const std::uint32_t q = subject_.thread(t).transitions[i].to.value;
      if (out(t, q) || state[q] == 2) continue;
      if (state[q] == 1)
        throw Objection{subject_.place(t, q) + ": a loop in a block that has committed"};
      state[q] = 1;
      demand_enabled(t, q);
      path.emplace_back(q, 0);
    }
  }

  void demand_enabled(std::uint32_t t, std::uint32_t p) {
    const std::string where = subject_.place(t, p) + ": may block, but its block has committed";
    if (subject_.thread(t).points[p].may_block) throw Objection{where};
    std::vector<Term> guards;
    for (const std::uint32_t i : subject_.leaving(t, p))
      guards.push_back(subject_.thread(t).transitions[i].guard);
    validity_.demand(term::implication(subject_.known(t, p), term::disjunction(guards)), where);
  }

  // ---- movers; 0: not asked yet, 1: yes, 2: no

  bool moves_right(std::uint32_t t, std::uint32_t i) {
    char& known = right_[t][i];
    if (known == 0) known = moves(t, i, true) ? 1 : 2;
    return known == 1;
  }

  bool moves_left(std::uint32_t t, std::uint32_t i) {
    char& known = left_[t][i];
    if (known == 0) known = moves(t, i, false) ? 1 : 2;
    return known == 1;
  }

  static bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
  }

  bool moves(std::uint32_t t, std::uint32_t i, bool to_the_right) {
    const Transition& own = subject_.thread(t).transitions[i];
    if (to_the_right && own.creation) return false;  // the new thread may be the one that follows
    for (std::uint32_t u = 0; u < subject_.program.threads.size(); ++u) {
      if (u == t && !subject_.thread(t).self) continue;
      const auto& list = subject_.thread(u).transitions;
      for (std::uint32_t j = 0; j < list.size(); ++j) {
        const Footprint& a = footprints_[t][i];
        const Footprint& b = footprints_[u][j];
        if (!meet(a.writes, b.writes) && !meet(a.writes, b.reads) && !meet(a.reads, b.writes))
          continue;
        if (never_together(t, own.from.value, u, list[j].from.value)) continue;
        if (!commute(t, own, u, list[j], to_the_right)) return false;
      }
    }
    return true;
  }

  bool never_together(std::uint32_t t, std::uint32_t p, std::uint32_t u, std::uint32_t q) {
    const Term other = subject_.rename(u, subject_.proof.facts[u][q], "!o");
    return validity_.is_valid(term::negation(
        term::conjunction({subject_.proof.facts[t][p], other, subject_.different(t, u, "!o")})));
  }

  /// Terms of a transition with its locals and inputs renamed.
  Effect renamed(std::uint32_t t, const Transition& transition, const std::string& mark) const {
    const auto in = [&](const Term& term) { return subject_.rename(t, term, mark); };
    Effect out;
    std::vector<Term> used = {transition.guard};
    for (const Assignment& a : transition.assignments) used.push_back(a.value);
    out.guard =
        term::conjunction({in(transition.guard), in(Subject::input_ranges(transition.inputs)),
                           in(subject_.ranges_of(t, used))});
    for (const Assignment& a : transition.assignments)
      out.after.emplace(in(subject_.program.variable(a.variable).term).name(), in(a.value));
    if (transition.creation)
      for (const Assignment& a : transition.creation->locals)
        out.after.emplace("given!" + mark + subject_.name(a.variable), in(a.value));
    return out;
  }

  bool commute(std::uint32_t t, const Transition& own, std::uint32_t u, const Transition& other,
               bool own_is_first) {
    const Effect a = renamed(t, own, "!1");
    const Effect b = renamed(u, other, "!2");
    const Effect& first = own_is_first ? a : b;
    const Effect& second = own_is_first ? b : a;
    const Term self_a = subject_.rename(t, self_of(subject_.program, ThreadIndex(t)), "!1");
    const Term self_b = subject_.rename(u, self_of(subject_.program, ThreadIndex(u)), "!2");
    const Term given =
        term::conjunction({subject_.rename(t, subject_.proof.facts[t][own.from.index()], "!1"),
                           subject_.rename(u, subject_.proof.facts[u][other.from.index()], "!2"),
                           term::negation(term::equal(self_a, self_b)), subject_.global_ranges(),
                           first.guard, term::substitute(second.guard, first.after)});
    std::vector<Term> wanted = {second.guard, term::substitute(first.guard, second.after)};
    const auto final_value = [](const Effect& x, const Effect& y, const std::string& name) {
      if (const auto last = y.after.find(name); last != y.after.end())
        return term::substitute(last->second, x.after);
      return x.after.at(name);
    };
    std::set<std::string> names;
    for (const Effect* e : {&first, &second})
      for (const auto& [name, value] : e->after) names.insert(name);
    for (const std::string& name : names)
      wanted.push_back(
          term::equal(final_value(first, second, name), final_value(second, first, name)));
    return validity_.is_valid(term::implication(given, term::conjunction(std::move(wanted))));
  }

  const Subject& subject_;
  Validity& validity_;
  std::vector<std::vector<Footprint>> footprints_;
  std::vector<std::vector<char>> right_, left_;
  std::vector<bool> committed_;
};

}  // namespace

void check_reduction(const Subject& subject, Validity& validity) {
  Reduction(subject, validity).run();
}

}  // namespace heddle::check::c
