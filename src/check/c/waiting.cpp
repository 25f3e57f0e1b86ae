#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// No run stops while threads wait. Covering, facts, blocks and modular invariants have been
/// checked.
///
/// The question. A run of the C program has come to a state in which no thread can step and the
/// process has not ended. Have all threads ended?
///
/// A formula D is made that holds in each such state in which a thread is left. If cvc5 finds it
/// contradictory, there is none. By the semantics (model/c/execution_sync.cpp) a thread that cannot
/// step stands where it takes a mutex, joins a thread, sleeps at a condition variable, or before an
/// atomic section with a condition that it waits for (a section that cannot go on is undone). In
/// the state, each thread that is not replicated is not born yet, has ended, or stands at such a
/// *waiting place*; the copies of a replicated one have ended or stand at waiting places. D says
///
///   - of a thread that is at a place, what is known there (below), and that it waits:
///     no transition that leaves the place is enabled, for some inputs. A thread that is joined
///     runs: joining one that does not exist is an error. A mutex that is not followed, and a
///     thread that is joined without its end being known, may keep it waiting at any time. A thread
///     that sleeps has not been woken, or its mutex is taken. A timed wait may end at any time;
///   - its status, and which mutexes it may own there: H, computed here over the graph. Owners are
///     only ever set to 0 and to the number of the thread that steps;
///   - an owner of a mutex is a thread at a place with the mutex in H, or one that has ended so;
///   - who waits to join a thread of which the status is not known, waits for another one that
///     stands at a waiting place;
///   - the lemma, with the threads counted where they are. Where copies are counted, one of them
///     satisfies what is known;
///   - somebody is at a waiting place.
///
/// What is known at a place. Without reduction, the facts of the place hold in all states of the
/// thread program. If all waiting places are boundaries of blocks, then in the state nobody is in
/// the middle of a block; so the state is also reached by whole blocks (Lipton 1975: exchanges do
/// not change where a run ends), and invariants and lemma hold there, too.
///
/// Who sleeps. The thread program lets a thread wake from a condition wait at any time and has no
/// notion of being woken. Consider runs with this notion added: a signal wakes one thread that
/// sleeps at the condition variable and has not been woken, if there is one, a broadcast all of
/// them. The steps that touch it (signals, broadcasts, falling asleep, waking up) must be blocks of
/// their own, which nothing is moved across (`are_blocks_of_their_own`); other steps commute
/// with them as far as being woken is concerned. A formula f of a monitor is kept if
///
///   - a thread that falls asleep at the condition variable leaves f true;
///   - whenever a step of a thread may make f false, or leaves it false while the thread is *in
///     debt*, the thread is in debt afterwards, unless the step is a broadcast, or a signal where
///     only one thread ever sleeps there. (After such a step nobody sleeps there without having
///     been woken.) By induction over runs of blocks: if somebody sleeps there who was not woken, f
///     holds or a thread stands at a point where it is in debt;
///   - no point where a thread is in debt is a waiting place, or one at which it has ended.
///
/// In the state in question, nobody is in debt. So f holds if somebody sleeps there who was not
/// woken. Monitors need boundaries: where waiting places are not, nothing is known about sleepers.
///
/// All objections are "not decided".

namespace heddle::check::c {

using namespace model::threads;
namespace mc = model::c;
using term::Substitution;
using term::Term;
using Kind = WaitingPlace::Kind;

namespace {

[[noreturn]] void undecided(const std::string& what) { throw Objection{what, false}; }

Term constant_number(std::uint32_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

bool is_number(const Term& a, unsigned long value) {
  return a.op() == term::Operator::Integer && a.integer() == value;
}

using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point
using Mutexes = std::set<std::string>;                        ///< names of owner variables

bool sleeps(const WaitingPlace& w) { return w.kind == Kind::Asleep || w.kind == Kind::FallAsleep; }

/// Monitors whose formulas hold while somebody sleeps.
class Sleepers {
 public:
  Sleepers(const Subject& subject, const std::vector<WaitingPlace>& waiting,
           const std::set<ThreadPoint>& forbidden, Validity& validity)
      : subject_(subject), waiting_(waiting), forbidden_(forbidden), validity_(validity) {
    for (const WaitingPlace& w : waiting) at_.emplace(ThreadPoint{w.thread, w.point}, &w);
    for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
      paths_.push_back(paths_between_cuts(subject, t));
  }

  /// The conjunction of those formulas, by condition variable.
  std::map<std::uint64_t, Term> kept(const Monitors& monitors) {
    std::map<std::uint64_t, std::vector<Term>> formulas;
    for (const Monitor& monitor : monitors)
      for (const Term& formula : monitor.holds) {
        if (formula.sort() != term::Sort::Boolean) throw Objection{"a monitor that is no formula"};
        for (const Term& v : term::variables({formula}))
          if (!subject_.is_global(v.name()) || v.sort() != subject_.sort_of(v.name()))
            throw Objection{"a monitor over " + v.name()};
        if (holds(monitor.condition, formula)) formulas[monitor.condition].push_back(formula);
      }
    std::map<std::uint64_t, Term> out;
    for (auto& [condition, all] : formulas)
      out.emplace(condition, term::conjunction(std::move(all)));
    return out;
  }

 private:
  const WaitingPlace* at(std::uint32_t t, std::uint32_t p) const {
    const auto found = at_.find({t, p});
    return found == at_.end() ? nullptr : found->second;
  }

  /// Whether only one thread ever sleeps at the condition variable.
  bool is_for_one(std::uint64_t condition) const {
    std::set<std::uint32_t> threads;
    for (const WaitingPlace& w : waiting_) {
      if (!sleeps(w)) continue;
      if (!w.condition) return false;
      if (*w.condition == condition) threads.insert(w.thread);
    }
    return threads.size() == 1 && !subject_.thread(*threads.begin()).is_replicated;
  }

  /// Behind it nobody sleeps there who was not woken.
  bool wakes_all(const Path& path, std::uint64_t condition) const {
    const WaitingPlace* w = at(path.thread, path.from);
    if (w == nullptr || w->condition != condition) return false;
    return w->kind == Kind::Broadcast || (w->kind == Kind::Signal && is_for_one(condition));
  }

  Term before(const Path& path) const {
    const std::uint32_t busy = subject_.proof.is_out[path.thread][path.from] ? 0 : path.thread + 1;
    return term::conjunction(
        {invariant_at(subject_, path.thread, path.from), path.effect.guard,
         Subject::input_ranges(path.effect.inputs),
         term::equal(term::variable("busy", term::Sort::Integer), constant_number(busy))});
  }

  bool is_left_true(const Path& path, const Term& given, const Term& formula) {
    const Term after = term::substitute(formula, path.effect.after);
    return validity_.is_valid(term::implication(term::conjunction({before(path), given}), after));
  }

  bool holds(std::uint64_t condition, const Term& formula) {
    std::set<ThreadPoint> in_debt;
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& paths : paths_)
        for (const Path& path : paths) {
          const WaitingPlace* to = at(path.thread, path.to);
          const bool falls_asleep =
              to != nullptr && to->kind == Kind::Asleep && to->condition == condition;
          const bool owes = in_debt.contains({path.thread, path.from});
          if (falls_asleep && !is_left_true(path, term::constant(true), formula)) return false;
          if (falls_asleep || wakes_all(path, condition)) continue;
          if (is_left_true(path, owes ? term::constant(true) : formula, formula)) continue;
          const ThreadPoint place{path.thread, path.to};
          if (forbidden_.contains(place)) return false;
          changes |= in_debt.insert(place).second;
        }
    }
    return true;
  }

  const Subject& subject_;
  const std::vector<WaitingPlace>& waiting_;
  const std::set<ThreadPoint>&
      forbidden_;  ///< waiting places, and those at which threads have ended
  Validity& validity_;
  std::map<ThreadPoint, const WaitingPlace*> at_;
  std::vector<std::vector<Path>> paths_;
};

class WaitingCheck {
 public:
  WaitingCheck(const Subject& subject, const WaitingClaim& claim, Validity& validity)
      : subject_(subject), claim_(claim), validity_(validity) {}

  void run() {
    for (std::uint32_t t = 0; t < threads(); ++t) find_places(t);
    find_mutexes();
    for (std::uint32_t t = 0; t < threads(); ++t) {
      check_status(t);
      find_held(t);
    }
    at_boundaries_ = are_boundaries();
    if (at_boundaries_ && has_sleepers()) {
      std::set<ThreadPoint> forbidden;
      for (std::uint32_t t = 0; t < threads(); ++t)
        for (const std::uint32_t p : stops_[t]) forbidden.emplace(t, p);
      asleep_ =
          Sleepers(subject_, claim_.derived.waiting, forbidden, validity_).kept(claim_.monitors);
    }
    if (!validity_.is_valid(term::negation(deadlock())))
      undecided("cannot show that threads do not wait for each other for ever");
  }

 private:
  std::uint32_t threads() const {
    return static_cast<std::uint32_t>(subject_.program.threads.size());
  }
  const Thread& thread(std::uint32_t t) const { return subject_.thread(t); }
  bool has_sleepers() const { return std::ranges::any_of(claim_.derived.waiting, sleeps); }

  // ---- places

  /// `stops_`: places at which a thread may be for good: waiting places, and its ends.
  void find_places(std::uint32_t t) {
    auto& stops = stops_.emplace_back();
    auto& ends = ends_.emplace_back();
    for (const WaitingPlace& w : claim_.derived.waiting) {
      if (w.thread != t) continue;
      if (w.kind == Kind::Signal || w.kind == Kind::Broadcast || w.kind == Kind::FallAsleep)
        continue;
      if (!w.in_section) {
        waits_.emplace(ThreadPoint{t, w.point}, &w);
        stops.insert(w.point);
      } else if (w.kind != Kind::Until) {
        undecided(subject_.place(t, w.point) + ": a wait in an atomic section");
      }
    }
    for (const std::uint32_t p : before_sections(t)) {
      waits_.emplace(ThreadPoint{t, p}, nullptr);
      stops.insert(p);
    }
    const auto& places = claim_.covering.threads[t].places;
    for (std::uint32_t p = 0; p < places.size(); ++p)
      if (thread(t).points[p].kind == PointInfo::Kind::End && !ends_process(t, places[p])) {
        ends.insert(p);
        stops.insert(p);
      }
  }

  bool ends_process(std::uint32_t t, const Covering::Place& end) const {
    const auto& origin = claim_.covering.threads[t].places[end.origin];
    const auto f = claim_.covering.contexts[origin.context].function;
    const mc::Effect& effect = claim_.source.functions[f.index()].code[origin.at.index()].effect;
    return std::holds_alternative<mc::Exit>(effect) || std::holds_alternative<mc::Fail>(effect);
  }

  /// Points before atomic sections in which a thread waits for a condition.
  std::set<std::uint32_t> before_sections(std::uint32_t t) const {
    std::set<std::uint32_t> conditions;
    for (const WaitingPlace& w : claim_.derived.waiting)
      if (w.thread == t && w.in_section && w.kind == Kind::Until) conditions.insert(w.point);
    const Thread& instructions = claim_.derived.program.threads[t];
    std::set<std::uint32_t> out, leads = conditions;  // points from which one is reached, inside
    for (bool changes = !leads.empty(); changes;) {
      changes = false;
      for (const Transition& step : instructions.transitions) {
        if (!leads.contains(step.to.value)) continue;
        const bool is_inside = instructions.points[step.from.index()].in_section;
        if (is_inside && subject_.proof.is_cut[t][step.from.index()])
          undecided(subject_.place(t, step.from.value) + ": a wait behind a loop in a section");
        changes |= (is_inside ? leads : out).insert(step.from.value).second;
      }
    }
    for (const std::uint32_t p : conditions)
      if (subject_.proof.is_cut[t][p])
        undecided(subject_.place(t, p) + ": a wait behind a loop in a section");
    return out;
  }

  bool are_boundaries() const {
    for (std::uint32_t t = 0; t < threads(); ++t)
      for (const std::uint32_t p : stops_[t])
        if (!subject_.proof.is_out[t][p]) return false;
    return !has_sleepers() || are_blocks_of_their_own(subject_, claim_.derived.waiting);
  }

  // ---- who owns which mutex

  void find_mutexes() {
    for (const VariableId v : subject_.program.globals) {
      const Variable& variable = subject_.program.variable(v);
      if (variable.kind != Variable::Kind::Owner) continue;
      if (variable.initial != base::Integer(0)) undecided("a mutex that is owned at the beginning");
      mutexes_.insert(subject_.name(v));
    }
    for (std::uint32_t t = 0; t < threads(); ++t)
      for (const Transition& step : thread(t).transitions)
        for (const Assignment& a : step.assignments)
          if (mutexes_.contains(subject_.name(a.variable)) && !is_owner(t, a.variable, a.value))
            undecided("the owner of a mutex depends on data");
  }

  bool is_own_number(std::uint32_t t, const Term& a) const {
    const Term self = self_of(subject_.program, ThreadIndex(t));
    if (self.op() == term::Operator::Variable)
      return a.op() == term::Operator::Variable && a.name() == self.name();
    return is_number(a, t + 1UL);
  }

  /// What was there before, nobody, or the thread that steps.
  bool is_owner(std::uint32_t t, VariableId mutex, const Term& value) const {
    if (value.op() == term::Operator::Choice)
      return is_owner(t, mutex, value.arguments()[1]) && is_owner(t, mutex, value.arguments()[2]);
    if (value.op() == term::Operator::Variable && value.name() == subject_.name(mutex)) return true;
    return is_number(value, 0) || is_own_number(t, value);
  }

  /// Mutexes that the thread may own at a point.
  void find_held(std::uint32_t t) {
    auto& held = held_.emplace_back(thread(t).points.size());
    std::vector<bool> seen(held.size());
    std::deque<std::uint32_t> work = {thread(t).entry.value};
    seen[work.front()] = true;
    while (!work.empty()) {
      const std::uint32_t p = work.front();
      work.pop_front();
      for (const std::uint32_t i : subject_.leaving(t, p)) {
        const Transition& step = thread(t).transitions[i];
        Mutexes after = held[p];
        for (const Assignment& a : step.assignments) {
          const std::string& name = subject_.name(a.variable);
          if (!mutexes_.contains(name)) continue;
          if (is_number(a.value, 0))
            after.erase(name);
          else
            after.insert(name);
        }
        const std::uint32_t q = step.to.value;
        const std::size_t before = held[q].size();
        held[q].merge(after);
        if (seen[q] && held[q].size() == before) continue;
        seen[q] = true;
        work.push_back(q);
      }
    }
  }

  /// The status of a thread of which there is one is 0, then 1, and 2 from its end on.
  void check_status(std::uint32_t t) const {
    if (t == 0 || thread(t).is_replicated) return;
    const VariableId status = *thread(t).status;
    for (std::uint32_t u = 0; u < threads(); ++u)
      for (const Transition& step : thread(u).transitions) {
        const bool ends = u == t && ends_[t].contains(step.to.value);
        const bool begins = step.creation && step.creation->thread.value == t;
        bool is_set = false;
        for (const Assignment& a : step.assignments) {
          if (a.variable != status) continue;
          is_set = true;
          if (!(ends && is_number(a.value, 2)) && !(begins && is_number(a.value, 1)))
            undecided("the status of thread " + thread(t).name + " depends on data");
        }
        if ((ends || begins) && !is_set)
          undecided("the status of thread " + thread(t).name + " is not followed");
      }
  }

  // ---- the state in which nobody can step

  static Term is_at(std::uint32_t t, std::uint32_t p) {
    return term::variable("is!" + std::to_string(t) + "!" + std::to_string(p), term::Sort::Boolean);
  }
  static Term is_unborn(std::uint32_t t) {
    return term::variable("unborn!" + std::to_string(t), term::Sort::Boolean);
  }
  bool is_counted_at(std::uint32_t t, std::uint32_t p) const {
    return is_counted(subject_.program, subject_.proof.is_cut, t, p);
  }
  static Term is_one(const Term& condition) {
    return term::choice(condition, constant_number(1), constant_number(0));
  }

  /// What is known of a thread at a place at which it stops, with its locals marked.
  Term known(std::uint32_t t, std::uint32_t p, const std::string& mark) const {
    const Term here = at_boundaries_ ? invariant_at(subject_, t, p) : subject_.known(t, p);
    std::vector<Term> parts = {renamed(here, mark)};
    const Term self = renamed(self_of(subject_.program, ThreadIndex(t)), mark);
    for (const std::string& mutex : mutexes_)
      if (!held_[t][p].contains(mutex))
        parts.push_back(
            term::negation(term::equal(term::variable(mutex, term::Sort::Integer), self)));
    if (const auto wait = waits_.find({t, p}); wait != waits_.end())
      parts.push_back(renamed(waits(t, p, wait->second), mark));
    return term::conjunction(std::move(parts));
  }

  /// Locals and inputs get the mark; counts and `busy` belong to nobody.
  Term renamed(const Term& formula, const std::string& mark) const {
    if (mark.empty()) return formula;
    Substitution names;
    for (const Term& v : term::variables({formula})) {
      const bool is_shared =
          subject_.is_global(v.name()) || v.name().starts_with("at!") || v.name() == "busy";
      if (!is_shared) names.emplace(v.name(), term::variable(v.name() + mark, v.sort()));
    }
    return term::substitute(formula, names);
  }

  Term waits(std::uint32_t t, std::uint32_t p, const WaitingPlace* place) const {
    if (place != nullptr && place->is_vague) return term::constant(true);
    std::vector<Term> steps, ranges;
    for (const std::uint32_t i : subject_.leaving(t, p)) {
      const Transition& step = thread(t).transitions[i];
      steps.push_back(step.guard);
      ranges.push_back(Subject::input_ranges(step.inputs));
    }
    ranges.push_back(term::negation(term::disjunction(std::move(steps))));
    if (place != nullptr && place->kind == Kind::Join) ranges.push_back(place->joined_runs);
    const Term cannot_step = term::conjunction(std::move(ranges));
    if (place == nullptr || place->kind != Kind::Asleep || place->is_timed) return cannot_step;
    if (!place->condition) return term::constant(true);
    const auto formula = asleep_.find(*place->condition);
    if (formula == asleep_.end()) return term::constant(true);
    return term::disjunction({cannot_step, formula->second});
  }

  Term deadlock() {
    std::vector<Term> all = {
        subject_.global_ranges(),
        term::equal(term::variable("busy", term::Sort::Integer), constant_number(0))};
    std::vector<Term> somebody;
    for (std::uint32_t t = 0; t < threads(); ++t) {
      if (thread(t).is_replicated)
        place_copies(t, all, somebody);
      else
        place_thread(t, all, somebody);
    }
    for (const std::string& mutex : mutexes_) all.push_back(has_owner(mutex));
    for (const auto& [place, wait] : waits_)
      if (wait != nullptr && wait->kind == Kind::Join && wait->is_vague)
        all.push_back(waits_for_somebody(place));
    if (at_boundaries_) all.push_back(subject_.proof.lemma);
    all.push_back(term::disjunction(std::move(somebody)));
    return term::conjunction(std::move(all));
  }

  void place_thread(std::uint32_t t, std::vector<Term>& all, std::vector<Term>& somebody) const {
    const auto status_is = [&](std::uint32_t value) {
      if (t == 0) return term::constant(true);
      const Term status = subject_.program.variable(*thread(t).status).term;
      return term::equal(status, constant_number(value));
    };
    std::vector<Term> places;
    if (t != 0) {
      places.push_back(is_one(is_unborn(t)));
      all.push_back(term::implication(is_unborn(t), status_is(0)));
    }
    for (const std::uint32_t p : stops_[t]) {
      const Term here = is_at(t, p);
      const bool has_ended = ends_[t].contains(p);
      places.push_back(is_one(here));
      all.push_back(term::implication(
          here, term::conjunction({known(t, p, ""), status_is(has_ended ? 2 : 1)})));
      if (!has_ended) somebody.push_back(here);
    }
    all.push_back(term::equal(term::sum(std::move(places)), constant_number(1)));
    for (std::uint32_t p = 0; p < thread(t).points.size(); ++p)
      if (is_counted_at(t, p))
        all.push_back(term::equal(count_at(ThreadIndex(t), p), stops_[t].contains(p)
                                                                   ? is_one(is_at(t, p))
                                                                   : constant_number(0)));
  }

  static Term copies_at(std::uint32_t t, std::uint32_t p) { return count_at(ThreadIndex(t), p); }

  void place_copies(std::uint32_t t, std::vector<Term>& all, std::vector<Term>& somebody) const {
    for (std::uint32_t p = 0; p < thread(t).points.size(); ++p) {
      const Term count = copies_at(t, p);
      if (!stops_[t].contains(p)) {
        if (is_counted_at(t, p)) all.push_back(term::equal(count, constant_number(0)));
        continue;
      }
      const Term is_there = term::at_least(count, constant_number(1));
      all.push_back(term::at_least(count, constant_number(0)));
      all.push_back(term::implication(
          is_there, known(t, p, "!c" + std::to_string(t) + "!" + std::to_string(p))));
      if (!ends_[t].contains(p)) somebody.push_back(is_there);
    }
  }

  /// A copy of a replicated thread at the place; `number`: its number, if it is known.
  Term is_copy_at(std::uint32_t t, std::uint32_t p, const std::string& mark,
                  const Term* number) const {
    std::vector<Term> parts = {term::at_least(copies_at(t, p), constant_number(1)),
                               known(t, p, mark)};
    if (number != nullptr)
      parts.push_back(
          term::equal(*number, renamed(self_of(subject_.program, ThreadIndex(t)), mark)));
    return term::conjunction(std::move(parts));
  }

  Term has_owner(const std::string& mutex) const {
    const Term owner = term::variable(mutex, term::Sort::Integer);
    std::vector<Term> ways = {term::equal(owner, constant_number(0))};
    for (std::uint32_t t = 0; t < threads(); ++t)
      for (const std::uint32_t p : stops_[t]) {
        if (!held_[t][p].contains(mutex)) continue;
        if (thread(t).is_replicated)
          ways.push_back(is_copy_at(
              t, p, "!o" + mutex + "!" + std::to_string(t) + "!" + std::to_string(p), &owner));
        else
          ways.push_back(
              term::conjunction({is_at(t, p), term::equal(owner, constant_number(t + 1))}));
      }
    return term::disjunction(std::move(ways));
  }

  /// Who waits there waits for one that is at a waiting place.
  Term waits_for_somebody(const ThreadPoint& place) const {
    const auto [t, p] = place;
    const Term waits_there =
        thread(t).is_replicated ? term::at_least(copies_at(t, p), constant_number(1)) : is_at(t, p);
    std::vector<Term> ways;
    for (std::uint32_t u = 0; u < threads(); ++u) {
      if (u == t && !thread(t).is_replicated) continue;
      for (const std::uint32_t q : stops_[u])
        if (!ends_[u].contains(q))
          ways.push_back(thread(u).is_replicated
                             ? term::at_least(copies_at(u, q), constant_number(1))
                             : is_at(u, q));
    }
    return term::implication(waits_there, term::disjunction(std::move(ways)));
  }

  const Subject& subject_;
  const WaitingClaim& claim_;
  Validity& validity_;
  std::vector<std::set<std::uint32_t>> stops_, ends_;  ///< by thread: points
  std::map<ThreadPoint, const WaitingPlace*> waits_;   ///< none: before a section
  Mutexes mutexes_;
  std::vector<std::vector<Mutexes>> held_;  ///< by thread and point: those that it may own
  bool at_boundaries_ = false;
  std::map<std::uint64_t, Term> asleep_;  ///< by condition variable
};

}  // namespace

bool are_blocks_of_their_own(const Subject& subject, const std::vector<WaitingPlace>& waiting) {
  return std::ranges::all_of(waiting, [&](const WaitingPlace& w) {
    const bool touches = w.kind == Kind::Signal || w.kind == Kind::Broadcast || sleeps(w);
    if (!touches) return true;
    const auto& is_out = subject.proof.is_out[w.thread];
    return !w.in_section && is_out[w.point] &&
           std::ranges::all_of(subject.leaving(w.thread, w.point), [&](std::uint32_t i) {
             return is_out[subject.thread(w.thread).transitions[i].to.index()];
           });
  });
}

void check_waiting(const Subject& subject, const WaitingClaim& claim, Validity& validity) {
  if (subject.proof.rule != ThreadProof::Rule::Modular)
    throw Objection{"invariants of single threads are needed to show that threads do not wait"};
  WaitingCheck(subject, claim, validity).run();
}

}  // namespace heddle::check::c
