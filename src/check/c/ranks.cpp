#include <algorithm>
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
/// 2. R has none. Let S be the set of all paths. While something changes, remove from S
///      - paths that are on no cycle of their thread's paths in S;
///      - with the next rank, for a thread t: paths of t that decrease it by 1 at least and before
///        which it is 0 at least; provided that no path of t in S, and no path of another thread in
///        S, increases it. Of a replicated thread, other copies are other threads.
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
///    often, it stays among the places of these cycles. The rank is given at all of them or at none
///    (which is checked), so from then on it is defined, never increases and decreases infinitely
///    often from a value that is not negative. That is impossible.
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
  return term::constant(false);
}

namespace {

Term rank_number(std::uint32_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

class Ranks {
 public:
  Ranks(const Subject& subject, Validity& validity) : subject_(subject), validity_(validity) {
    for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
      left_.push_back(paths_between_cuts(subject, t));
  }

  void run(const Ranking& ranking) {
    for (const Rank& rank : ranking) {
      keep_cycles();
      const std::map<std::uint32_t, Term> values = check_form(rank);
      for (std::uint32_t u = 0; u < left_.size(); ++u)
        if (u != rank.thread.value || subject_.thread(u).is_replicated)
          for (const Path& path : left_[u]) interfere(rank.thread.value, values, path);
      std::vector<Path> rest;
      for (const Path& path : left_[rank.thread.index()])
        if (!decreases(values, path)) rest.push_back(path);
      left_[rank.thread.index()] = std::move(rest);
    }
    keep_cycles();
    for (std::uint32_t t = 0; t < left_.size(); ++t)
      if (!left_[t].empty())
        throw Objection{subject_.place(t, left_[t].front().from) +
                        ": a loop that no rank excludes"};
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

  /// Removes paths that are on no cycle, of all threads that are created finitely often.
  void keep_cycles() {
    for (bool changes = true; changes;) {
      const std::size_t before = size();
      remove_what_is_on_no_cycle();
      changes = size() != before;
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
    for (const Path& path : left_[t])
      if (values.contains(path.from) != values.contains(path.to))
        throw Objection{subject_.place(t, path.from) + ": a rank in a part of a loop"};
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

  /// Whether it decreases the rank of its own thread. Objects if it increases it.
  bool decreases(const std::map<std::uint32_t, Term>& values, const Path& path) {
    const auto from = values.find(path.from);
    if (from == values.end()) return false;
    const Term now = term::substitute(values.at(path.to), path.effect.after);
    const Term given = before(path);
    const Term falls = term::at_most(term::sum({now, rank_number(1)}), from->second);
    const Term is_bounded = term::at_most(rank_number(0), from->second);
    if (holds(path, given, term::conjunction({falls, is_bounded}))) return true;
    if (!holds(path, given, term::at_most(now, from->second)))
      throw Objection{subject_.place(path.thread, path.from) + ": increases the rank of its loop"};
    return false;
  }

  /// `wanted` follows for all instances of the path that count.
  bool holds(const Path& path, const Term& given, const Term& wanted) {
    if (validity_.is_valid(term::implication(given, wanted))) return true;
    if (may_be_created(path.thread)) return false;
    return validity_.is_valid(
        term::implication(term::conjunction({given, continues(path)}), wanted));
  }

  /// The thread can take another path of S behind this one. What is chosen later has marked names.
  Term continues(const Path& path) const {
    Substitution then = path.effect.after;
    if (subject_.proof.is_out[path.thread][path.to])
      for (const std::string& name : written_by_others(path.thread))
        then.insert_or_assign(name, term::variable(name + "!n", subject_.sort_of(name)));
    std::vector<Term> ways;
    for (const Path& next : left_[path.thread]) {
      if (next.from != path.to) continue;
      Substitution all = then;
      for (const Input& input : next.effect.inputs)
        all.insert_or_assign(input.term.name(),
                             term::variable(input.term.name() + "!n", input.term.sort()));
      ways.push_back(term::substitute(
          term::conjunction({next.effect.guard, Subject::input_ranges(next.effect.inputs)}), all));
    }
    return term::disjunction(std::move(ways));
  }

  std::set<std::string> written_by_others(std::uint32_t t) const {
    std::set<std::string> out;
    for (std::uint32_t u = 0; u < left_.size(); ++u) {
      if (u == t && !subject_.thread(t).is_replicated) continue;
      for (const Path& path : left_[u])
        for (const auto& [name, value] : path.effect.after)
          if (subject_.is_global(name)) out.insert(name);
    }
    return out;
  }

  /// Another thread takes a step while `t` stands at a boundary.
  void interfere(std::uint32_t t, const std::map<std::uint32_t, Term>& values, const Path& path) {
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
        throw Objection{subject_.place(path.thread, path.from) + ": increases a rank of " +
                        subject_.place(t, point)};
    }
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
  std::vector<std::vector<Path>> left_;  ///< by thread: those that may be taken for ever
};

}  // namespace

void check_ranking(const Subject& subject, const Ranking& ranking, Validity& validity) {
  if (subject.proof.rule != ThreadProof::Rule::Modular)
    throw Objection{"ranks need invariants of single threads"};
  Ranks(subject, validity).run(ranking);
}

}  // namespace heddle::check::c
