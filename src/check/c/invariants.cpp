#include <algorithm>
#include <deque>
#include <functional>

#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// The check of invariants. A step is a path from cut to cut. All paths are enumerated; a cycle
/// without a cut is an objection.
///
/// Modular: a step of thread t preserves t's own invariants, establishes the first invariant of
/// every thread that it creates, and preserves the invariants of all other threads (and copies of
/// t) at boundaries. Product: from each tuple for which there is an invariant, every step leads to
/// one whose invariant holds.
///
/// Where no invariant is given for a place or a tuple, it is false: the step must be impossible.
///
/// Modular proofs may have invariants about two threads. Such an invariant says: whenever one
/// thread stands at the first place and another one at the second, it holds; for two threads at one
/// place that is said of both orders. Where none is given, nothing is claimed. A state has the
/// invariants of all its threads and pairs. After a step of t, each pair is new or old:
///
///   t and another thread u        known before: the invariants of t, u and their pair
///   a created thread and t        known before: the invariant of t
///   a created thread and u        known before: the invariants of t, u and their pair
///   two created threads           known before: the invariant of t
///   two threads u and v           known before: those of t, u, v and of all three pairs
///
/// and the same is known when the invariant of u alone is shown to be preserved.
///
/// Modular proofs may count: `count_at` is how many threads stand at a cut. Each step moves one
/// thread, and adds those that it creates. That a thread stands at a place is known as a count of 1
/// at least, two threads at one place as 2. A lemma about the counts, the globals and the locals of
/// threads of which there is one is an invariant of the whole.

namespace heddle::check::c {

using namespace model::threads;
using term::Substitution;
using term::Term;

namespace {

Term number(std::uint32_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

/// All paths of a thread from a cut to the next.
class Paths {
 public:
  Paths(const Subject& subject, std::uint32_t thread) : subject_(subject), thread_(thread) {
    for (std::uint32_t p = 0; p < subject.thread(thread).points.size(); ++p)
      if (subject.proof.is_cut[thread][p]) {
        start_ = p;
        extend(p, {}, 0);
      }
  }

  std::vector<Path> found;

 private:
  void extend(std::uint32_t p, const Effect& effect, std::size_t length) {
    if (length > subject_.thread(thread_).points.size())
      throw Objection{subject_.place(thread_, p) + ": a loop without a cut"};
    for (const std::uint32_t i : subject_.leaving(thread_, p)) {
      const Transition& t = subject_.thread(thread_).transitions[i];
      const Effect longer = followed_by(subject_, effect, t);
      if (longer.guard.op() == term::Operator::Boolean && !longer.guard.boolean()) continue;
      if (subject_.proof.is_cut[thread_][t.to.index()])
        found.push_back({thread_, start_, t.to.value, longer});
      else
        extend(t.to.value, longer, length + 1);
    }
  }

  const Subject& subject_;
  std::uint32_t thread_;
  std::uint32_t start_ = 0;
};

}  // namespace

std::vector<Path> paths_between_cuts(const Subject& subject, std::uint32_t thread) {
  return Paths(subject, thread).found;
}

namespace {

class Invariants {
 public:
  Invariants(const Subject& subject, Validity& validity) : subject_(subject), validity_(validity) {
    for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
      paths_.push_back(paths_between_cuts(subject, t));
    for (const VariableId v : subject.program.globals)
      first_.emplace(subject.name(v), subject.initial(v));
  }

 protected:
  PointInfo::Kind kind(std::uint32_t t, std::uint32_t p) const {
    return subject_.thread(t).points[p].kind;
  }
  bool out(std::uint32_t t, std::uint32_t p) const { return subject_.proof.is_out[t][p]; }

  /// Locals of a thread that begins, as a creation gives them.
  Substitution beginning(std::uint32_t t, const Creation* creation, const Term* fresh) const {
    Substitution out;
    for (const VariableId v : subject_.thread(t).locals)
      out.insert_or_assign(subject_.name(v), subject_.initial(v));
    if (creation)
      for (const Assignment& a : creation->locals)
        out.insert_or_assign(subject_.name(a.variable), a.value);
    if (fresh) out.insert_or_assign(subject_.name(*subject_.thread(t).self), *fresh);
    return out;
  }

  /// What is initially true of variables without an initial value: they are in range.
  Term unknown_beginnings() const {
    std::vector<Term> parts;
    for (const Variable& v : subject_.program.variables)
      if (!v.initial)
        parts.push_back(in_range(v, term::variable(v.term.name() + "!first", v.term.sort())));
    return term::conjunction(std::move(parts));
  }

  const Subject& subject_;
  Validity& validity_;
  std::vector<std::vector<Path>> paths_;
  Substitution first_;
};

class Modular : Invariants {
  using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point
  /// Locals of a thread by name, as terms.
  using Values = Substitution;

  /// Another thread while a step is taken: where it stands, how its locals are called.
  struct Other {
    ThreadPoint place;
    std::string mark;
  };
  /// A thread after a step.
  struct Arrival {
    ThreadPoint place;
    Values locals;
  };

 public:
  Modular(const Subject& subject, Validity& validity) : Invariants(subject, validity) {
    std::vector<Term> all = {subject.proof.lemma};
    for (const ThreadProof::Invariant& i : subject.proof.invariants) {
      const ThreadPoint first(i.at[0].first.value, i.at[0].second);
      if (i.at.size() == 1)
        formulas_.emplace(first, i.formula);
      else
        pairs_.emplace(std::pair(first, ThreadPoint(i.at[1].first.value, i.at[1].second)),
                       i.formula);
      all.push_back(i.formula);
    }
    std::set<std::string> mentioned;
    for (const Term& v : term::variables(all)) mentioned.insert(v.name());
    for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
      for (std::uint32_t p = 0; p < subject.thread(t).points.size(); ++p)
        if (is_counted(subject.program, subject.proof.is_cut, t, p) &&
            mentioned.contains(count_at(ThreadIndex(t), p).name()))
          counts_.emplace_back(t, p);
  }

  void run() {
    Substitution first = beginning(0, nullptr, nullptr);
    first.insert(first_.begin(), first_.end());
    first.insert_or_assign("busy", number(0));
    for (const ThreadPoint& place : counts_)
      first.insert_or_assign(
          count(place).name(),
          number(place == ThreadPoint{0, subject_.thread(0).entry.value} ? 1 : 0));
    validity_.demand(
        term::implication(unknown_beginnings(), holds(0, subject_.thread(0).entry.value, first)),
        "an invariant does not hold at the beginning");
    // What threads that do not run yet have in their locals does not matter: say, the first value.
    for (std::uint32_t t = 1; t < subject_.program.threads.size(); ++t)
      if (!subject_.thread(t).is_replicated) first.merge(beginning(t, nullptr, nullptr));
    validity_.demand(
        term::implication(unknown_beginnings(), term::substitute(subject_.proof.lemma, first)),
        "the lemma does not hold at the beginning");
    for (const auto& paths : paths_)
      for (const Path& path : paths) {
        lemma(path);
        own(path);
        creations(path);
        others(path);
        if (pairs_.empty()) continue;
        moved_pairs(path);
        created_pairs(path);
        pairs_of_others(path);
      }
  }

 private:
  /// False where there is no invariant, true where a thread has ended of which none is given.
  Term formula(std::uint32_t t, std::uint32_t p) const {
    const auto found = formulas_.find({t, p});
    if (found == formulas_.end() && kind(t, p) == PointInfo::Kind::End) return term::constant(true);
    if (found == formulas_.end() || is_bad(kind(t, p))) return term::constant(false);
    return found->second;
  }

  Term holds(std::uint32_t t, std::uint32_t p, const Substitution& state) const {
    return term::substitute(formula(t, p), state);
  }

  /// The invariant about two threads, in both orders if they stand at one place; true if there is
  /// none. `shared` gives the values of globals, `busy` and counts that have changed.
  Term pair_holds(const Arrival& a, const Arrival& b, const Substitution& shared) const {
    if (b.place < a.place) return pair_holds(b, a, shared);
    const auto found = pairs_.find({a.place, b.place});
    if (found == pairs_.end()) return term::constant(true);
    const auto in_order = [&](const Arrival& first, const Arrival& second) {
      Substitution state = shared;
      for (const auto& [name, value] : first.locals) state.insert_or_assign(name, value);
      for (const auto& [name, value] : second.locals)
        state.insert_or_assign(name + kSecondMark, value);
      return term::substitute(found->second, state);
    };
    if (a.place != b.place) return in_order(a, b);
    return term::conjunction({in_order(a, b), in_order(b, a)});
  }

  Values marked_locals(std::uint32_t t, const std::string& mark) const {
    Values out;
    for (const VariableId v : subject_.thread(t).locals)
      out.emplace(subject_.name(v), term::variable(subject_.name(v) + mark,
                                                   subject_.program.variable(v).term.sort()));
    return out;
  }
  Arrival standing(const Other& other) const {
    return {other.place, marked_locals(other.place.first, other.mark)};
  }

  std::uint32_t busy_at(std::uint32_t t, std::uint32_t p) const { return out(t, p) ? 0 : t + 1; }

  static Term count(const ThreadPoint& place) {
    return count_at(ThreadIndex(place.first), place.second);
  }

  /// The counts when a thread takes a step, perhaps with other threads at known places.
  Term counted(const Path& path, const std::vector<Other>& others) const {
    std::vector<Term> parts;
    for (std::uint32_t t = 0; t < subject_.program.threads.size(); ++t) {
      const bool is_one = !subject_.thread(t).is_replicated;
      const auto is_here = [&](const Other& other) { return other.place.first == t; };
      const bool is_known = t == path.thread || std::ranges::any_of(others, is_here);
      std::vector<Term> all;
      for (const ThreadPoint& place : counts_) {
        if (place.first != t) continue;
        std::uint32_t here = place == ThreadPoint{path.thread, path.from} ? 1 : 0;
        for (const Other& other : others) here += other.place == place ? 1U : 0U;
        all.push_back(count(place));
        parts.push_back(is_one && is_known ? term::equal(all.back(), number(here))
                                           : term::at_least(all.back(), number(here)));
      }
      if (is_one && !all.empty()) parts.push_back(term::at_most(term::sum(all), number(1)));
    }
    return term::conjunction(std::move(parts));
  }

  /// The lemma with the locals of other threads renamed, and the ranges of what it mentions.
  Term lemma_beside(const std::vector<Other>& others) const {
    std::vector<Term> parts = {subject_.proof.lemma};
    Substitution names;
    for (const Term& v : term::variables({subject_.proof.lemma}))
      for (std::uint32_t t = 0; t < subject_.program.threads.size(); ++t)
        for (const VariableId local : subject_.thread(t).locals) {
          if (subject_.name(local) != v.name()) continue;
          parts.push_back(in_range(subject_.program.variable(local), v));
          for (const Other& other : others)
            if (other.place.first == t)
              names.emplace(v.name(), term::variable(v.name() + other.mark, v.sort()));
        }
    return term::substitute(term::conjunction(std::move(parts)), names);
  }

  void count_step(const Path& path, Substitution& state) const {
    for (const ThreadPoint& place : counts_) {
      long change = (place == ThreadPoint{path.thread, path.to} ? 1 : 0) -
                    (place == ThreadPoint{path.thread, path.from} ? 1 : 0);
      for (const Creation& creation : path.effect.creations)
        if (place == entry_of(creation)) ++change;
      state.insert_or_assign(count(place).name(),
                             term::sum({count(place), term::constant(base::Integer(change))}));
    }
  }

  ThreadPoint entry_of(const Creation& creation) const {
    return {creation.thread.value, subject_.thread(creation.thread.value).entry.value};
  }

  void lemma(const Path& path) {
    if (is_bad(kind(path.thread, path.to))) return;  // shown to be impossible
    Substitution state = after(path);
    for (const Creation& creation : path.effect.creations)
      if (!subject_.thread(creation.thread.value).is_replicated)
        for (const auto& [name, value] : beginning(creation.thread.value, &creation, nullptr))
          state.insert_or_assign(name, value);
    validity_.demand(
        term::implication(term::conjunction({before(path, {}), unknown_beginnings()}),
                          term::substitute(subject_.proof.lemma, state)),
        subject_.place(path.thread, path.from) + ": a step does not preserve the lemma");
  }

  /// All that is known when a step is taken beside other threads.
  Term before(const Path& path, const std::vector<Other>& others) const {
    const Term busy = term::variable("busy", term::Sort::Integer);
    std::vector<Term> parts = {formula(path.thread, path.from),
                               subject_.known(path.thread, path.from),
                               term::equal(busy, number(busy_at(path.thread, path.from))),
                               path.effect.guard, Subject::input_ranges(path.effect.inputs)};
    std::vector<Other> all = {{{path.thread, path.from}, ""}};
    for (const Other& other : others) {
      const auto [u, p] = other.place;
      parts.push_back(rename_other(other, formula(u, p)));
      parts.push_back(subject_.rename(u, subject_.known(u, p), other.mark));
      for (const Other& earlier : all) {
        parts.push_back(differ(earlier, other));
        parts.push_back(pair_holds(standing(earlier), standing(other), {}));
      }
      all.push_back(other);
    }
    parts.push_back(counted(path, others));
    parts.push_back(lemma_beside(others));
    return term::conjunction(std::move(parts));
  }

  Term number_of(const Other& one) const {
    return subject_.rename(one.place.first, self_of(subject_.program, ThreadIndex(one.place.first)),
                           one.mark);
  }
  Term differ(const Other& a, const Other& b) const {
    return term::negation(term::equal(number_of(a), number_of(b)));
  }

  Substitution after(const Path& path) const {
    Substitution state = path.effect.after;
    state.insert_or_assign("busy", number(busy_at(path.thread, path.to)));
    count_step(path, state);
    return state;
  }

  /// The part of it that is not about the thread itself.
  Substitution shared_after(const Path& path) const {
    Substitution out;
    for (const auto& [name, value] : after(path))
      if (!subject_.is_local(path.thread, name)) out.insert_or_assign(name, value);
    return out;
  }

  void own(const Path& path) {
    const char* what = is_bad(kind(path.thread, path.to))
                           ? ": a step to a bad point is possible"
                           : ": a step does not preserve its invariant";
    validity_.demand(term::implication(before(path, {}), holds(path.thread, path.to, after(path))),
                     subject_.place(path.thread, path.from) + what);
  }

  void creations(const Path& path) {
    for (const Creation& creation : path.effect.creations) {
      const std::uint32_t u = creation.thread.value;
      const Term fresh = term::variable("self!new", term::Sort::Integer);
      const bool many = subject_.thread(u).self.has_value();
      Substitution state = beginning(u, &creation, many ? &fresh : nullptr);
      for (const auto& [name, value] : shared_after(path)) state.insert_or_assign(name, value);
      const Term more = many ? is_fresh(subject_, path.thread, fresh) : term::constant(true);
      validity_.demand(
          term::implication(term::conjunction({before(path, {}), more, unknown_beginnings()}),
                            holds(u, subject_.thread(u).entry.value, state)),
          subject_.place(path.thread, path.from) + ": the invariant of " + subject_.thread(u).name +
              " does not hold when it is created");
    }
  }

  bool may_be_two(const ThreadPoint& a, const ThreadPoint& b) const {
    return a.first != b.first || subject_.thread(a.first).self.has_value();
  }

  /// Where another thread may stand when a step is taken, as far as there are invariants.
  std::vector<ThreadPoint> places_beside(const Path& path) const {
    std::vector<ThreadPoint> all;
    for (const auto& [place, invariant] : formulas_)
      if (out(place.first, place.second) && may_be_two(place, {path.thread, path.from}))
        all.push_back(place);
    return all;
  }

  void others(const Path& path) {
    for (const ThreadPoint& place : places_beside(path)) {
      const Other other{place, "!o"};
      const Term invariant = rename_other(other, formula(place.first, place.second));
      validity_.demand(
          term::implication(before(path, {other}), term::substitute(invariant, shared_after(path))),
          subject_.place(path.thread, path.from) + ": a step does not preserve the invariant of " +
              subject_.place(place.first, place.second));
    }
  }

  /// `wanted` is about two threads after the step.
  void demand_pair(const Path& path, const Term& given, const Term& wanted, const ThreadPoint& a,
                   const ThreadPoint& b) {
    if (wanted.op() == term::Operator::Boolean && wanted.boolean()) return;
    validity_.demand(term::implication(given, wanted),
                     subject_.place(path.thread, path.from) +
                         ": behind a step, the invariant does not hold of " +
                         subject_.place(a.first, a.second) + " beside " +
                         subject_.place(b.first, b.second));
  }

  Arrival arrival(const Path& path) const {
    Arrival out{{path.thread, path.to}, marked_locals(path.thread, "")};
    for (auto& [name, value] : out.locals)
      if (const auto changed = path.effect.after.find(name); changed != path.effect.after.end())
        value = changed->second;
    return out;
  }

  /// A thread has ended, or the step is shown to be impossible.
  bool is_gone(const ThreadPoint& place) const {
    return kind(place.first, place.second) != PointInfo::Kind::Ordinary;
  }

  void moved_pairs(const Path& path) {
    const Arrival mover = arrival(path);
    if (is_gone(mover.place)) return;
    for (const ThreadPoint& place : places_beside(path)) {
      const Other other{place, "!o"};
      if (is_gone(place) || !has_pair(mover.place, place)) continue;
      demand_pair(path, before(path, {other}),
                  pair_holds(mover, standing(other), shared_after(path)), mover.place, place);
    }
  }

  bool has_pair(const ThreadPoint& a, const ThreadPoint& b) const {
    return pairs_.contains(a < b ? std::pair(a, b) : std::pair(b, a));
  }

  /// A new thread beside its creator, beside any other thread, and beside another new one.
  void created_pairs(const Path& path) {
    const Substitution shared = shared_after(path);
    std::vector<Arrival> earlier;
    std::vector<Term> numbers;  // of those, where they have one
    Term known = term::constant(true);
    for (const Creation& creation : path.effect.creations) {
      const std::string mark = "!new" + std::to_string(earlier.size());
      const Arrival created = newcomer(path, creation, mark, numbers, known);
      if (!is_gone({path.thread, path.to}))
        demand_pair(path, term::conjunction({before(path, {}), known}),
                    pair_holds(created, arrival(path), shared), created.place,
                    {path.thread, path.to});
      for (const Arrival& other : earlier)
        demand_pair(path, term::conjunction({before(path, {}), known}),
                    pair_holds(created, other, shared), created.place, other.place);
      for (const ThreadPoint& place : places_beside(path)) {
        if (is_gone(place) || !has_pair(created.place, place)) continue;
        const Other other{place, "!o"};
        const Term differs = term::negation(term::equal(number_of(other), number_of_new(mark)));
        demand_pair(path, term::conjunction({before(path, {other}), known, differs}),
                    pair_holds(created, standing(other), shared), created.place, place);
      }
      earlier.push_back(created);
      if (subject_.thread(created.place.first).self) numbers.push_back(number_of_new(mark));
    }
  }

  /// Not the name of any local with a mark behind it.
  static Term number_of_new(const std::string& mark) {
    return term::variable("number" + mark + "!self", term::Sort::Integer);
  }

  /// A thread that a step creates. Its locals of unknown value have names of their own. `known` is
  /// extended by what is known about it and those before it.
  Arrival newcomer(const Path& path, const Creation& creation, const std::string& mark,
                   const std::vector<Term>& numbers, Term& known) const {
    const std::uint32_t u = creation.thread.value;
    const Term fresh = number_of_new(mark);
    std::vector<Term> parts = {known};
    if (subject_.thread(u).self) parts.push_back(is_fresh(subject_, path.thread, fresh));
    for (const Term& other : numbers) parts.push_back(term::negation(term::equal(other, fresh)));
    Arrival out{entry_of(creation),
                beginning(u, &creation, subject_.thread(u).self ? &fresh : nullptr)};
    std::set<std::string> set;
    for (const Assignment& a : creation.locals) set.insert(subject_.name(a.variable));
    for (const VariableId v : subject_.thread(u).locals) {
      const Variable& variable = subject_.program.variable(v);
      if (variable.initial || set.contains(subject_.name(v)) || subject_.thread(u).self == v)
        continue;
      const Term any = term::variable(subject_.name(v) + mark, variable.term.sort());
      parts.push_back(in_range(variable, any));
      out.locals.insert_or_assign(subject_.name(v), any);
    }
    known = term::conjunction(std::move(parts));
    return out;
  }

  /// A step of a third thread.
  void pairs_of_others(const Path& path) {
    const ThreadPoint from{path.thread, path.from};
    const Substitution shared = shared_after(path);
    for (const auto& [places, invariant] : pairs_) {
      const auto& [a, b] = places;
      if (!out(a.first, a.second) || !out(b.first, b.second) || is_gone(a) || is_gone(b)) continue;
      if (!may_be_two(a, from) || !may_be_two(b, from)) continue;
      const auto is_touched = [&](const Term& v) {
        const auto value = shared.find(v.name());
        return value != shared.end() && !is_same(value->second, v);
      };
      if (std::ranges::none_of(term::variables({invariant}), is_touched)) continue;
      const Other one{a, "!o"}, other{b, "!p"};
      demand_pair(path, before(path, {one, other}),
                  pair_holds(standing(one), standing(other), shared), a, b);
    }
  }

  static bool is_same(const Term& value, const Term& variable) {
    return value.op() == term::Operator::Variable && value.name() == variable.name();
  }

  /// `busy` and the counts belong to no thread.
  Term rename_other(const Other& other, const Term& formula) const {
    Substitution back = {{"busy" + other.mark, term::variable("busy", term::Sort::Integer)}};
    for (const ThreadPoint& place : counts_)
      back.emplace(count(place).name() + other.mark, count(place));
    return term::substitute(subject_.rename(other.place.first, formula, other.mark), back);
  }

  std::map<ThreadPoint, Term> formulas_;
  std::map<std::pair<ThreadPoint, ThreadPoint>, Term> pairs_;
  std::vector<ThreadPoint> counts_;  ///< those that are mentioned
};

class Product : Invariants {
 public:
  using Tuple = std::vector<std::uint32_t>;

  Product(const Subject& subject, Validity& validity) : Invariants(subject, validity) {
    for (const ThreadProof::Invariant& i : subject.proof.invariants) {
      Tuple tuple;
      for (const auto& [t, p] : i.at) tuple.push_back(p);
      formulas_.emplace(std::move(tuple), i.formula);
    }
  }

  void run() {
    const Term& lemma = subject_.proof.lemma;
    if (lemma.op() != term::Operator::Boolean || !lemma.boolean())
      throw Objection{"a product with a lemma"};
    for (const Thread& t : subject_.program.threads)
      if (t.is_replicated) throw Objection{"a product of threads of any number"};
    Tuple start(subject_.program.threads.size(), kUnborn);
    start[0] = subject_.thread(0).entry.value;
    Substitution first = beginning(0, nullptr, nullptr);
    first.insert(first_.begin(), first_.end());
    validity_.demand(
        term::implication(unknown_beginnings(), term::substitute(formula(start), first)),
        "an invariant does not hold at the beginning");
    for (const auto& [tuple, invariant] : formulas_)
      for (std::uint32_t t = 0; t < tuple.size(); ++t) {
        if (tuple[t] == kUnborn || tuple[t] == kEnded || is_held_up(tuple, t)) continue;
        for (const Path& path : paths_[t])
          if (path.from == tuple[t]) step(tuple, invariant, path);
      }
  }

 private:
  Term formula(const Tuple& tuple) const {
    const auto found = formulas_.find(tuple);
    return found == formulas_.end() ? term::constant(false) : found->second;
  }

  /// Another thread is inside a block.
  bool is_held_up(const Tuple& tuple, std::uint32_t t) const {
    for (std::uint32_t u = 0; u < tuple.size(); ++u)
      if (u != t && tuple[u] != kUnborn && tuple[u] != kEnded && !out(u, tuple[u])) return true;
    return false;
  }

  /// Facts of all threads, and what their places say about their statuses.
  Term known(const Tuple& tuple) const {
    std::vector<Term> parts = {subject_.global_ranges()};
    for (std::uint32_t t = 0; t < tuple.size(); ++t) {
      if (subject_.thread(t).status) {
        const std::uint32_t status = tuple[t] == kUnborn ? 0 : tuple[t] == kEnded ? 2 : 1;
        parts.push_back(term::equal(subject_.program.variable(*subject_.thread(t).status).term,
                                    number(status)));
      }
      if (tuple[t] == kUnborn || tuple[t] == kEnded) continue;
      parts.push_back(subject_.proof.facts[t][tuple[t]]);
      parts.push_back(subject_.local_ranges(t));
    }
    return term::conjunction(std::move(parts));
  }

  void step(const Tuple& tuple, const Term& invariant, const Path& path) {
    Tuple next = tuple;
    const bool ends = kind(path.thread, path.to) == PointInfo::Kind::End;
    next[path.thread] = ends ? kEnded : path.to;
    Substitution state = path.effect.after;
    for (const Creation& creation : path.effect.creations) {
      const std::uint32_t u = creation.thread.value;
      if (next[u] != kUnborn) throw Objection{"a thread that is not replicated is created twice"};
      next[u] = subject_.thread(u).entry.value;
      for (const auto& [name, value] : beginning(u, &creation, nullptr))
        state.insert_or_assign(name, value);
    }
    const bool bad = is_bad(kind(path.thread, path.to));
    const Term wanted = bad ? term::constant(false) : term::substitute(formula(next), state);
    const Term given =
        term::conjunction({invariant, known(tuple), path.effect.guard,
                           Subject::input_ranges(path.effect.inputs), unknown_beginnings()});
    validity_.demand(term::implication(given, wanted),
                     subject_.place(path.thread, path.from) +
                         (bad ? ": a step to a bad point is possible"
                              : ": a step does not preserve the invariant"));
  }

  std::map<Tuple, Term> formulas_;
};

}  // namespace

void check_invariants(const Subject& subject, Validity& validity) {
  if (subject.proof.rule == ThreadProof::Rule::Modular)
    Modular(subject, validity).run();
  else
    Product(subject, validity).run();
}

}  // namespace heddle::check::c
