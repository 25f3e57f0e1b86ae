#include "transform/blocks/blocks.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <ranges>
#include <set>

#include "base/invariant.hpp"
#include "model/threads/instances.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"

/// Reducible blocks (Lipton 1975; Popeea, Rybalchenko and Wilhelm, "Reduction for compositional
/// verification", section V, with corrections).
///
/// A block is a path r* n? l*: right movers, then at most one transition that does not commute (the
/// *commit*), then left movers. Take a run that reaches an error location and interrupts a block of
/// thread T. If T has not committed, its transitions so far move behind everything that follows,
/// and can be dropped if T does not continue. If it has committed, the left movers that complete
/// the block can be executed at once and the others' transitions moved behind them. Either way
/// there is a run with the same error in which blocks are not interrupted.
///
/// For that, a block must be able to end once it has committed. So the following end a block in the
/// post-commit phase, which the rule as published does not demand: heads of loops, and points that
/// may block for ever (assumptions, invalid accesses, joins, `exit`). An error location is always a
/// boundary. Whether a point is a boundary depends on *every* phase in which it can be reached: one
/// path that arrives committed suffices.
///
/// Every boundary begins a new pre-commit phase. Since a new boundary changes the phases behind it,
/// they are computed anew after each; boundaries are only added, so this ends.
///
/// Atomic sections. Nobody can interrupt them, so no boundary lies inside. Most are single
/// transitions already (sections.cpp). For the phases, one that is not counts
/// as one transition: a right (left) mover if all transitions in it are, and so on;
/// if it contains a loop or may block, it may block.
///
/// Loops before the commit, and loops inside atomic sections, stay inside a block: their heads are
/// cuts without being boundaries.

namespace heddle::transform::blocks {

using namespace model::threads;
using term::Term;

namespace {

/// A transition as the phases see it: of the thread, or a whole atomic section.
struct Move {
  std::uint32_t from = 0;
  std::vector<std::uint32_t> to;  ///< one, or where a section may be left
  Mover mover;
  bool may_block = false;
};

/// Phases of one thread.
class PhaseAnalysis {
 public:
  PhaseAnalysis(const Thread& thread, const std::vector<Mover>& movers,
                const std::vector<bool>& may_block)
      : thread_(thread),
        movers_(movers),
        may_block_(may_block),
        leaving_(thread.points.size()),
        moves_(thread.points.size()),
        out_(thread.points.size()),
        cut_(thread.points.size()) {
    for (std::size_t i = 0; i < thread.transitions.size(); ++i)
      leaving_[thread.transitions[i].from.index()].push_back(static_cast<std::uint32_t>(i));
    find_moves();
    find_heads();
  }

  void run(const std::vector<bool>& wanted) {
    if (!wanted.empty()) out_ = wanted;
    out_[thread_.entry.index()] = true;
    for (std::size_t p = 0; p < out_.size(); ++p)
      if (thread_.points[p].kind != PointInfo::Kind::Ordinary) out_[p] = true;
    while (add_boundary()) {
    }
    for (std::size_t p = 0; p < out_.size(); ++p) cut_[p] = cut_[p] || out_[p];
  }

  std::vector<bool> out() const { return out_; }
  std::vector<bool> cut() const { return cut_; }

 private:
  bool inside(std::uint32_t point) const { return thread_.points[point].in_section; }

  void find_moves() {
    for (std::uint32_t p = 0; p < leaving_.size(); ++p) {
      if (inside(p)) continue;
      for (const std::uint32_t i : leaving_[p]) {
        const Transition& t = thread_.transitions[i];
        Move move{p, {t.to.value}, movers_[i], may_block_[p]};
        if (inside(t.to.value)) {
          cut_[t.to.index()] = true;  // the sign that it was not composed
          summarise_section(t.to.value, move);
        }
        moves_[p].push_back(std::move(move));
      }
    }
  }

  /// Adds what the section that begins at `first` does; loop heads in it become cuts.
  void summarise_section(std::uint32_t first, Move& move) {
    move.to.clear();
    std::vector<char> state(thread_.points.size());  // 1: on the path, 2: done
    visit_section(first, state, move);
  }

  void visit_section(std::uint32_t p, std::vector<char>& state, Move& move) {
    state[p] = 1;
    move.may_block = move.may_block || may_block_[p];
    for (const std::uint32_t i : leaving_[p]) {
      move.mover.right &= movers_[i].right;
      move.mover.left &= movers_[i].left;
      const std::uint32_t q = thread_.transitions[i].to.value;
      if (!inside(q)) {
        if (std::ranges::count(move.to, q) == 0) move.to.push_back(q);
      } else if (state[q] == 1) {
        cut_[q] = true;
        move.may_block = true;
      } else if (state[q] == 0) {
        visit_section(q, state, move);
      }
    }
    state[p] = 2;
  }

  /// Heads of loops outside sections: ends of edges that lead back to the path from the entry.
  void find_heads() {
    heads_.assign(out_.size(), false);
    std::vector<char> state(out_.size());
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> path;
    const auto enter = [&](std::uint32_t p) {
      state[p] = 1;
      std::vector<std::uint32_t> next;
      for (const Move& move : moves_[p]) next.insert(next.end(), move.to.begin(), move.to.end());
      path.emplace_back(p, std::move(next));
    };
    enter(thread_.entry.value);
    while (!path.empty()) {
      auto& [p, next] = path.back();
      if (next.empty()) {
        state[p] = 2;
        path.pop_back();
        continue;
      }
      const std::uint32_t q = next.back();
      next.pop_back();
      if (state[q] == 1) heads_[q] = cut_[q] = true;
      if (state[q] == 0) enter(q);
    }
  }

  /// Propagates phases until a point must become a boundary; false if none must.
  bool add_boundary() {
    std::vector<bool> pre(out_.size()), post(out_.size());
    std::deque<std::pair<std::uint32_t, bool>> work;  // point, committed
    const auto reach = [&](std::uint32_t p, bool committed) {
      auto& reached = committed ? post : pre;
      if (reached[p]) return;
      reached[p] = true;
      work.emplace_back(p, committed);
    };
    for (std::uint32_t p = 0; p < out_.size(); ++p)
      if (out_[p]) reach(p, false);
    while (!work.empty()) {
      const auto [p, committed] = work.front();
      work.pop_front();
      for (const Move& move : moves_[p]) {
        if (committed && (!move.mover.left || move.may_block)) {
          out_[p] = true;
          return true;
        }
        const bool commits = committed || !move.mover.right;
        for (const std::uint32_t q : move.to) {
          if (out_[q]) continue;
          if (commits && heads_[q]) {
            out_[q] = true;
            return true;
          }
          reach(q, commits);
        }
      }
    }
    return false;
  }

  const Thread& thread_;
  const std::vector<Mover>& movers_;
  const std::vector<bool>& may_block_;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<std::vector<Move>> moves_;
  std::vector<bool> heads_, out_, cut_;
};

/// Composes the paths of one thread.
class Composer {
 public:
  Composer(const ThreadProgram& program, ThreadIndex thread, std::vector<bool>& out,
           std::vector<bool>& cut)
      : program_(program),
        id_(thread),
        thread_(program.thread(thread)),
        out_(out),
        cut_(cut),
        leaving_(thread_.points.size()) {
    for (std::size_t i = 0; i < thread_.transitions.size(); ++i)
      leaving_[thread_.transitions[i].from.index()].push_back(static_cast<std::uint32_t>(i));
  }

  std::vector<BlockStep> run() {
    while (split()) {
    }
    for (std::uint32_t p = 0; p < cut_.size(); ++p) {
      if (!cut_[p]) continue;
      BlockStep start;
      start.thread = id_;
      start.from = Point(p);
      extend(p, std::move(start), {});
    }
    return std::move(steps_);
  }

 private:
  /// If too many paths begin at a cut, makes a point where they meet a cut, too.
  bool split() {
    constexpr std::uint64_t kMostPaths = 64;
    for (std::uint32_t p = 0; p < cut_.size(); ++p) {
      if (!cut_[p]) continue;
      std::map<std::uint32_t, std::uint64_t> paths;  // that arrive at a point
      std::uint64_t ends = 0;
      for (const std::uint32_t q : order(p)) {
        if (q == p) paths[q] = 1;
        if (q != p && cut_[q]) {
          ends += paths[q];
          continue;
        }
        for (const std::uint32_t i : leaving_[q]) {
          const std::uint32_t r = thread_.transitions[i].to.value;
          if (r != p || !cut_[r]) paths[r] = std::min(paths[r] + paths[q], std::uint64_t{1} << 40);
        }
      }
      if (ends <= kMostPaths) continue;
      std::uint32_t best = p;
      for (const auto& [q, count] : paths)
        if (!cut_[q] && count >= 8 && (best == p || count < paths[best])) best = q;
      if (best == p) continue;
      cut_[best] = true;
      if (!thread_.points[best].in_section) out_[best] = true;
      return true;
    }
    return false;
  }

  /// Points reachable from a cut without passing another, sources first.
  std::vector<std::uint32_t> order(std::uint32_t start) const {
    std::vector<std::uint32_t> done;
    std::set<std::uint32_t> seen = {start};
    std::vector<std::pair<std::uint32_t, std::size_t>> path = {{start, 0}};
    while (!path.empty()) {
      auto& [p, next] = path.back();
      const bool stops = p != start && cut_[p];
      if (stops || next == leaving_[p].size()) {
        done.push_back(p);
        path.pop_back();
        continue;
      }
      const std::uint32_t q = thread_.transitions[leaving_[p][next++]].to.value;
      if (seen.insert(q).second) path.emplace_back(q, 0);
    }
    std::ranges::reverse(done);
    return done;
  }

  /// The last way on takes the step and the state: a long path without branches copies nothing.
  void extend(std::uint32_t p, BlockStep step, term::Substitution state) {
    for (const std::uint32_t i : leaving_[p]) {
      const bool is_last = i == leaving_[p].back();
      const Transition& t = thread_.transitions[i];
      const auto now = [&](const Term& term) { return term::substitute(term, state); };
      BlockStep longer = is_last ? std::move(step) : step;
      longer.guard = term::conjunction({longer.guard, now(t.guard)});
      if (longer.guard.op() == term::Operator::Boolean && !longer.guard.boolean()) continue;
      longer.inputs.insert(longer.inputs.end(), t.inputs.begin(), t.inputs.end());
      longer.path.push_back(i);
      std::vector<Term> values;
      for (const Assignment& a : t.assignments) values.push_back(now(a.value));
      if (t.creation) {
        Creation creation = *t.creation;
        for (Assignment& a : creation.locals) a.value = now(a.value);
        longer.creations.push_back(std::move(creation));
      }
      term::Substitution after = is_last ? std::move(state) : state;
      for (std::size_t k = 0; k < values.size(); ++k)
        after.insert_or_assign(program_.variable(t.assignments[k].variable).term.name(), values[k]);
      if (!cut_[t.to.index()]) {
        extend(t.to.value, std::move(longer), std::move(after));
        continue;
      }
      longer.to = t.to;
      conclude(std::move(longer), after);
    }
  }

  void conclude(BlockStep step, const term::Substitution& state) {
    const auto add = [&](VariableId v) {
      const auto value = state.find(program_.variable(v).term.name());
      if (value == state.end()) return;
      const Term& term = value->second;
      if (term.op() == term::Operator::Variable && term.name() == value->first) return;
      step.assignments.push_back({v, term});
    };
    for (const VariableId v : program_.globals) add(v);
    for (const VariableId v : thread_.locals) add(v);
    steps_.push_back(std::move(step));
  }

  const ThreadProgram& program_;
  ThreadIndex id_;
  const Thread& thread_;
  std::vector<bool>& out_;
  std::vector<bool>& cut_;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<BlockStep> steps_;
};

/// Locals of a thread that are live at each cut: backwards over the composed steps, the last ones
/// first, so that code without loops takes two passes.
std::vector<std::vector<VariableId>> live_locals(const ThreadProgram& program, ThreadIndex id,
                                                 const std::vector<BlockStep>& steps) {
  const Thread& thread = program.thread(id);
  std::map<std::string, VariableId> locals;
  for (const VariableId v : thread.locals) locals.emplace(program.variable(v).term.name(), v);
  // Proofs speak about them, although no step reads them.
  std::vector<VariableId> numbers;
  for (const Term& number : {instance_number(id), given_object(id)})
    if (const auto found = locals.find(number.name()); found != locals.end())
      numbers.push_back(found->second);
  std::vector<std::set<VariableId>> live(thread.points.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (const BlockStep& step : steps | std::views::reverse) {
      std::vector<Term> used = {step.guard};
      std::set<VariableId> assigned;
      for (const Assignment& a : step.assignments) {
        assigned.insert(a.variable);
        const bool is_local = program.variable(a.variable).owner.has_value();
        if (!is_local || live[step.to.index()].contains(a.variable)) used.push_back(a.value);
      }
      for (const Creation& creation : step.creations)
        for (const Assignment& a : creation.locals) used.push_back(a.value);
      auto& here = live[step.from.index()];
      const std::size_t before = here.size();
      for (const Term& v : term::variables(used))
        if (const auto local = locals.find(v.name()); local != locals.end())
          here.insert(local->second);
      for (const VariableId v : live[step.to.index()])
        if (!assigned.contains(v)) here.insert(v);
      if (thread.self) here.insert(*thread.self);
      here.insert(numbers.begin(), numbers.end());
      changed |= here.size() != before;
    }
  }
  std::vector<std::vector<VariableId>> out;
  for (const auto& set : live) out.emplace_back(set.begin(), set.end());
  return out;
}

}  // namespace

Partition partition(const ThreadProgram& program, const Movers& movers,
                    const std::vector<std::vector<bool>>& wanted) {
  Partition result;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    PhaseAnalysis analysis(program.threads[t], movers.of[t], movers.may_block[t]);
    analysis.run(wanted.empty() ? std::vector<bool>() : wanted[t]);
    result.is_out.push_back(analysis.out());
    result.is_cut.push_back(analysis.cut());
  }
  return result;
}

BlockProgram compose(const ThreadProgram& program, Partition partition) {
  BlockProgram result;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const ThreadIndex id(t);
    result.steps.push_back(Composer(program, id, partition.is_out[t], partition.is_cut[t]).run());
    result.live.push_back(live_locals(program, id, result.steps.back()));
  }
  result.partition = std::move(partition);
  return result;
}

}  // namespace heddle::transform::blocks
