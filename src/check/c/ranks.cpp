#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/components.hpp"
#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// No run of the thread program P is infinite. Everything before has been checked: facts, blocks
/// and modular invariants.
///
/// Steps. R is the program whose steps are paths from cut to cut, during which no other thread
/// steps, and in which nobody else steps while a thread stands at a cut that is no boundary.
///
/// 1. If P has an infinite run, so has R. Let kinds of threads be ordered by who creates whom; 2
///    implies that no kind creates itself, directly or not. In the infinite run some kinds take
///    infinitely many steps. Let one of these be such that no kind before it does. Those that
///    create it take finitely many steps, so there are finitely many threads of it, and one of them
///    takes infinitely many: t.
///    If t stays in an atomic section from some time on, nobody else steps from then on. It entered
///    the section before its block committed, since committed blocks have no cycle. Let the
///    committed blocks of the others end (they can, by left movers), move the steps of blocks that
///    are not committed behind everything else and drop all but those of t: an infinite run of R.
///    The same if another thread stays in a section: then that one is t.
///    Otherwise there are infinitely many times at which nobody is in a section and t has taken
///    more steps than before. Take all steps up to the n-th, and let committed blocks end. The
///    blocks that are not committed consist of right movers, which move to the end, those of t
///    first; they create nobody, since creations are no right movers. What comes before are
///    complete blocks, which are executed without interruption after the usual exchanges (Lipton
///    1975). Drop what is not committed, but for the steps of t. So R has a run with all of t's n
///    steps up to the last cut. A path between cuts has a bounded number of steps, so R has runs of
///    any length. From each state of R there are finitely many steps: finitely many threads and
///    paths, inputs and first values from finite ranges. (The number of a new copy is any that
///    nobody has. It is only compared for equality, so it may be taken to be the smallest.) By
///    König's lemma R has an infinite run.
///
/// 2. R has none. Let S be the set of all instances of paths: a path with the state in which it
///    begins and its inputs. While something changes, remove from S
///      - paths that are on no cycle of their thread's paths in S;
///      - paths that begin with waking up from a wait at a condition variable that has no time
///        limit, if no path in S signals it (or one that is not known), nor does a broadcast;
///      - with the next rank, for a thread t: the instances of t's paths that decrease it by 1 at
///        least and before which it is 0 at least; provided that no path of t in S, and no path of
///        another thread in S, increases it. Of a replicated thread, other copies are other
///        threads. So a loop may go through phases: what falls in the second one may grow in the
///        first one, of which a rank such as max(y, -1) removes the instances;
///      - if that is not so for all paths of t together: the same for each part of them for which
///      it
///        is. Parts are strongly connected, where a path leads to those that can be taken behind it
///        (`follows`). Paths that are on no cycle in this sense are in no part, and leave S, too.
///    Of a path, only those instances count behind which its thread can take another path of S
///    (`continues`), with globals that the paths of others in S write changed to anything: where
///    the thread stands at no boundary, nobody else steps in between. A thread takes one instance
///    of S at most that is not such, its last one; so there are finitely many, unless copies of the
///    thread may be created for ever, and then all instances count.
///    Paths of a replicated thread are removed only if no path in S creates it.
///    In an infinite run, a path that was removed is taken finitely often, by all threads together.
///    For suppose that from some time on, only paths of S are taken. Then no more threads of this
///    kind are created, and there are finitely many. A path on no cycle of S is then taken at most
///    once by each. A path that decreases the rank lies on cycles; if a thread takes it infinitely
///    often, it stays among the paths of these cycles, and of one part, if there are several. The
///    rank is given at both ends of all of them or at none (which is checked), so from then on it
///    is defined, never increases and decreases infinitely often from a value that is not negative.
///    That is impossible.
///    A thread only wakes up after a step that woke it, which woke finitely many threads; no thread
///    wakes by itself in runs that do not end. That R has an infinite run with this notion of being
///    woken, too, needs that steps that touch it are blocks of their own, so that nothing is moved
///    across them (waiting.cpp): it is demanded where such paths are removed.
///    In the end S is empty, so every path is taken finitely often: no run is infinite. And since
///    the paths of a kind are removed after those that create it, no kind creates itself.
///
/// Ranks are integers over globals and the locals of their thread. Other threads see only globals,
/// and they step only while the thread stands at a boundary.

namespace heddle::check::c {

using namespace model::threads;
using term::Substitution;
using term::Term;

Term invariant_at(const Subject& subject, std::uint32_t thread, std::uint32_t point) {
  for (const ThreadProof::Invariant& i : subject.proof.invariants)
    if (i.at.size() == 1 && i.at[0].first.value == thread && i.at[0].second == point)
      return term::conjunction({i.formula, subject.known(thread, point)});
  // A thread that has ended needs none.
  if (subject.thread(thread).points[point].kind == PointInfo::Kind::End)
    return subject.known(thread, point);
  return term::constant(false);
}

namespace {

Term rank_number(std::uint32_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

class Ranks {
 public:
  Ranks(const Subject& subject, const std::vector<WaitingPlace>& waiting, Validity& validity)
      : subject_(subject), validity_(validity) {
    for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
      left_.push_back(paths_between_cuts(subject, t));
    for (const WaitingPlace& w : waiting) waiting_.emplace(std::pair(w.thread, w.point), &w);
    follows_sleepers_ = are_blocks_of_their_own(subject, waiting);
  }

  void run(const Ranking& ranking) {
    for (const Rank& rank : ranking) {
      keep_cycles();
      exclude(rank);
    }
    keep_cycles();
    for (std::uint32_t t = 0; t < left_.size(); ++t) {
      if (!left_[t].empty() && !may_be_created(t)) keep_cycles_of_paths(t);
      if (!left_[t].empty())
        throw Objection{subject_.place(t, left_[t].front().from) +
                        ": a loop that no rank excludes"};
    }
  }

 private:
  /// Whether copies of a replicated thread may be created for ever.
  bool may_be_created(std::uint32_t t) const {
    return subject_.thread(t).is_replicated &&
           std::ranges::any_of(left_, [&](const std::vector<Path>& paths) {
             return std::ranges::any_of(paths, [&](const Path& path) {
               return std::ranges::any_of(path.effect.creations, [&](const Creation& creation) {
                 return creation.thread.value == t;
               });
             });
           });
  }

  /// Removes from S what the rank excludes: for all paths of its thread together, or else for those
  /// parts of S for which it is one.
  void exclude(const Rank& rank) {
    const std::uint32_t t = rank.thread.value;
    const std::map<std::uint32_t, Term> values = check_form(rank);
    if (interference(t, values)) {
      // What was removed by parts need not have been removed here yet.
      for (std::uint32_t u = 0; u < left_.size(); ++u)
        if (!may_be_created(u)) keep_cycles_of_paths(u);
      if (const auto found = interference(t, values)) throw Objection{*found};
    }
    std::string why;
    if (auto rest = without_decreases(values, left_[t], why)) {
      left_[t] = std::move(*rest);
      return;
    }
    std::vector<Path> all_left;
    for (std::vector<Path>& part : parts_of(t)) {
      std::string ignored;
      auto rest = without_decreases(values, part, ignored);
      std::ranges::move(rest ? *rest : part, std::back_inserter(all_left));
    }
    if (are_same(all_left, left_[t])) throw Objection{why};
    left_[t] = std::move(all_left);
  }

  /// Whether nothing was removed, of paths or of their instances.
  static bool are_same(const std::vector<Path>& some, const std::vector<Path>& all) {
    return some.size() == all.size() && std::ranges::all_of(some, [&](const Path& path) {
             return std::ranges::any_of(all, [&](const Path& other) {
               return path.effect.guard.identity() == other.effect.guard.identity();
             });
           });
  }

  /// The strongly connected parts of a thread's paths in S, where a path leads to those that can be
  /// taken behind it. Paths on no cycle are left out.
  std::vector<std::vector<Path>> parts_of(std::uint32_t t) {
    const std::vector<Path>& paths = left_[t];
    std::vector<std::vector<std::uint32_t>> next(paths.size());
    for (std::uint32_t i = 0; i < paths.size(); ++i)
      for (std::uint32_t j = 0; j < paths.size(); ++j)
        if (paths[i].to == paths[j].from && !validity_.is_valid(term::negation(term::conjunction(
                                                {before(paths[i]), follows(paths[i], paths[j])}))))
          next[i].push_back(j);
    std::vector<std::vector<Path>> out;
    for (const auto& component : base::strongly_connected_components(next)) {
      const std::uint32_t first = component.front();
      if (component.size() == 1 && std::ranges::count(next[first], first) == 0) continue;
      auto& part = out.emplace_back();
      for (const std::uint32_t i : component) part.push_back(paths[i]);
    }
    return out;
  }

  void keep_cycles_of_paths(std::uint32_t t) {
    std::vector<Path> kept;
    for (std::vector<Path>& part : parts_of(t)) std::ranges::move(part, std::back_inserter(kept));
    left_[t] = std::move(kept);
  }

  /// Removes paths that are on no cycle, of all threads that are created finitely often, and those
  /// that begin with waking up where nobody wakes others for ever.
  void keep_cycles() {
    for (bool changes = true; changes;) {
      const std::size_t before = size();
      remove_what_is_on_no_cycle();
      if (follows_sleepers_) remove_what_nobody_wakes();
      changes = size() != before;
    }
  }

  const WaitingPlace* begins_at(const Path& path) const {
    const auto found = waiting_.find({path.thread, path.from});
    return found == waiting_.end() ? nullptr : found->second;
  }

  /// Precondition: what wakes is a block of its own.
  bool may_be_woken(const WaitingPlace& sleeper) const {
    return std::ranges::any_of(left_, [&](const std::vector<Path>& paths) {
      return std::ranges::any_of(paths, [&](const Path& path) {
        const WaitingPlace* w = begins_at(path);
        if (w == nullptr) return false;
        if (w->kind != WaitingPlace::Kind::Signal && w->kind != WaitingPlace::Kind::Broadcast)
          return false;
        return !w->condition || !sleeper.condition || *w->condition == *sleeper.condition;
      });
    });
  }

  void remove_what_nobody_wakes() {
    for (std::uint32_t t = 0; t < left_.size(); ++t) {
      if (may_be_created(t)) continue;
      std::set<std::uint32_t> for_good;  // points at which nobody is woken
      for (const Path& path : left_[t]) {
        const WaitingPlace* w = begins_at(path);
        if (w != nullptr && w->kind == WaitingPlace::Kind::Asleep && !w->is_timed &&
            !may_be_woken(*w))
          for_good.insert(path.from);
      }
      std::erase_if(left_[t], [&](const Path& path) { return for_good.contains(path.from); });
    }
  }

  std::size_t size() const {
    std::size_t out = 0;
    for (const auto& paths : left_) out += paths.size();
    return out;
  }

  void remove_what_is_on_no_cycle() {
    for (std::uint32_t t = 0; t < left_.size(); ++t) {
      if (may_be_created(t)) continue;
      std::vector<std::vector<std::uint32_t>> next(subject_.thread(t).points.size());
      for (const Path& path : left_[t]) next[path.from].push_back(path.to);
      const auto components = base::strongly_connected_components(next);
      std::vector<std::size_t> component(next.size());
      for (std::size_t c = 0; c < components.size(); ++c)
        for (const std::uint32_t p : components[c]) component[p] = c;
      std::erase_if(left_[t],
                    [&](const Path& path) { return component[path.from] != component[path.to]; });
    }
  }

  std::map<std::uint32_t, Term> check_form(const Rank& rank) const {
    const std::uint32_t t = rank.thread.value;
    if (t >= left_.size()) throw Objection{"a rank of a thread that there is not"};
    if (may_be_created(t))
      throw Objection{"any number of threads " + subject_.thread(t).name + " may be created"};
    std::map<std::uint32_t, Term> values;
    for (const auto& [point, value] : rank.at) {
      if (point >= subject_.thread(t).points.size())
        throw Objection{"a rank at a point that there is not"};
      if (!values.emplace(point, value).second) throw Objection{"two ranks at one point"};
      if (value.sort() != term::Sort::Integer) throw Objection{"a rank that is not a number"};
      for (const Term& v : term::variables({value})) {
        const bool is_seen = subject_.is_global(v.name()) || subject_.is_local(t, v.name());
        if (!is_seen || v.sort() != subject_.sort_of(v.name()))
          throw Objection{subject_.place(t, point) + ": a rank over " + v.name()};
      }
    }
    return values;
  }

  /// What is known when a path is taken.
  Term before(const Path& path) const {
    const std::uint32_t busy = subject_.proof.is_out[path.thread][path.from] ? 0 : path.thread + 1;
    return term::conjunction(
        {invariant_at(subject_, path.thread, path.from), path.effect.guard,
         Subject::input_ranges(path.effect.inputs),
         term::equal(term::variable("busy", term::Sort::Integer), rank_number(busy))});
  }

  /// The instances of these paths that do not decrease the rank of their thread. None, with the
  /// reason, if one of them increases it, or if it is given in a part of a loop.
  std::optional<std::vector<Path>> without_decreases(const std::map<std::uint32_t, Term>& values,
                                                     const std::vector<Path>& paths,
                                                     std::string& why) {
    std::vector<Path> rest;
    for (const Path& path : paths) {
      const auto from = values.find(path.from), to = values.find(path.to);
      if ((from == values.end()) != (to == values.end())) {
        why = subject_.place(path.thread, path.from) + ": a rank in a part of a loop";
        return std::nullopt;
      }
      if (from == values.end()) {
        rest.push_back(path);
        continue;
      }
      const Term now = term::substitute(to->second, path.effect.after);
      const Term given = before(path);
      const Term decreases =
          term::conjunction({term::at_most(term::sum({now, rank_number(1)}), from->second),
                             term::at_most(rank_number(0), from->second)});
      if (holds(path, given, decreases)) continue;
      if (!holds(path, given, term::at_most(now, from->second))) {
        why = subject_.place(path.thread, path.from) + ": increases the rank of its loop";
        return std::nullopt;
      }
      rest.push_back(path);
      const Term stays = term::negation(decreases);
      if (!validity_.is_valid(term::implication(given, stays)))
        rest.back().effect.guard = term::conjunction({path.effect.guard, stays});
    }
    return rest;
  }

  /// `wanted` follows for all instances of the path that count.
  bool holds(const Path& path, const Term& given, const Term& wanted) {
    if (validity_.is_valid(term::implication(given, wanted))) return true;
    if (may_be_created(path.thread)) return false;
    return validity_.is_valid(
        term::implication(term::conjunction({given, continues(path)}), wanted));
  }

  /// The thread can take another path of S behind this one.
  Term continues(const Path& path) const {
    std::vector<Term> ways;
    for (const Path& next : left_[path.thread])
      if (next.from == path.to) ways.push_back(follows(path, next));
    return term::disjunction(std::move(ways));
  }

  /// The thread can take this path behind another one. What is chosen later has marked names.
  Term follows(const Path& path, const Path& next) const {
    Substitution then = path.effect.after;
    if (subject_.proof.is_out[path.thread][path.to])
      for (const std::string& name : written_by_others(path.thread))
        then.insert_or_assign(name, term::variable(name + "!n", subject_.sort_of(name)));
    for (const Input& input : next.effect.inputs)
      then.insert_or_assign(input.term.name(),
                            term::variable(input.term.name() + "!n", input.term.sort()));
    return term::substitute(
        term::conjunction({next.effect.guard, Subject::input_ranges(next.effect.inputs)}), then);
  }

  std::set<std::string> written_by_others(std::uint32_t t) const {
    std::set<std::string> out;
    for (std::uint32_t u = 0; u < left_.size(); ++u) {
      if (u == t && !subject_.thread(t).is_replicated) continue;
      for (const Path& path : left_[u])
        for (const auto& [name, value] : path.effect.after)
          if (subject_.is_global(name) && !out.contains(name) && changes(path, name, value))
            out.insert(name);
    }
    return out;
  }

  /// An exchange that fails leaves what it compares.
  bool changes(const Path& path, const std::string& name, const Term& value) const {
    return value.op() != term::Operator::Choice ||
           !validity_.is_valid(term::implication(
               before(path), term::equal(value, term::variable(name, value.sort()))));
  }

  /// Whether another thread may increase the rank of `t`.
  std::optional<std::string> interference(std::uint32_t t,
                                          const std::map<std::uint32_t, Term>& values) {
    for (std::uint32_t u = 0; u < left_.size(); ++u) {
      if (u == t && !subject_.thread(u).is_replicated) continue;
      for (const Path& path : left_[u])
        if (auto found = interference(t, values, path)) return found;
    }
    return std::nullopt;
  }

  /// Another thread takes a step while `t` stands at a boundary.
  std::optional<std::string> interference(std::uint32_t t,
                                          const std::map<std::uint32_t, Term>& values,
                                          const Path& path) {
    const Term given = before(path);
    for (const auto& [point, value] : values) {
      if (!subject_.proof.is_out[t][point]) continue;
      const auto mentioned = term::variables({value});
      if (std::ranges::none_of(mentioned, [&](const Term& v) {
            return subject_.is_global(v.name()) && path.effect.after.contains(v.name());
          }))
        continue;
      const Term here = subject_.rename(t, value, "!o");
      const Term known = term::conjunction(
          {given, renamed_invariant(t, point), subject_.different(path.thread, t, "!o")});
      if (!holds(path, known, term::at_most(term::substitute(here, shared(path)), here)))
        return subject_.place(path.thread, path.from) + ": increases a rank of " +
               subject_.place(t, point);
    }
    return std::nullopt;
  }

  /// The invariant of a thread that does not step. `busy` and counts belong to nobody.
  Term renamed_invariant(std::uint32_t t, std::uint32_t point) const {
    const Term invariant = invariant_at(subject_, t, point);
    Substitution names;
    for (const Term& v : term::variables({invariant}))
      if (subject_.is_local(t, v.name()))
        names.emplace(v.name(), term::variable(v.name() + "!o", v.sort()));
    return term::substitute(invariant, names);
  }

  Substitution shared(const Path& path) const {
    Substitution out;
    for (const auto& [name, value] : path.effect.after)
      if (subject_.is_global(name)) out.emplace(name, value);
    return out;
  }

  const Subject& subject_;
  Validity& validity_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, const WaitingPlace*> waiting_;
  bool follows_sleepers_ = false;
  std::vector<std::vector<Path>> left_;  ///< by thread: those that may be taken for ever
};

}  // namespace

void check_ranking(const Subject& subject, const Ranking& ranking,
                   const std::vector<WaitingPlace>& waiting, Validity& validity) {
  if (subject.proof.rule != ThreadProof::Rule::Modular)
    throw Objection{"ranks need invariants of single threads"};
  Ranks(subject, waiting, validity).run(ranking);
}

}  // namespace heddle::check::c
