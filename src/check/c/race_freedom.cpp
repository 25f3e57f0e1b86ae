/// Claims that no two threads race for data. The thread program and all accesses to memory are
/// derived from the C program (covering.cpp, covering_accesses.cpp); facts and invariants are
/// checked on it (thread_proof.cpp). What is left is to exclude each pair of accesses of two
/// threads to common bytes, one of them a write and one not atomic.
///
/// Why that suffices. A race is a pair of conflicting accesses that happens-before does not order
/// (model/c/races.hpp). Take the first one of an execution, and of this execution only what happens
/// before one of the two accesses. Every read there still reads the same write, because an atomic
/// read happens after the write that it reads, and plain ones are ordered by assumption; a mutex
/// that is taken was released by something that happens before. So this is an execution, too, and
/// at its end both threads stand at their accesses, which are enabled. (Boehm and Adve, Foundations
/// of the C++ concurrency memory model, PLDI 2008, section 4, with the same argument.) Two things
/// let a thread see what does not happen before: an attempt to take a mutex that fails, which is
/// why attempts fail at random here; and joining a thread that somebody else has joined, which is
/// not supported. An atomic section counts as a whole.
///
/// So it is enough that no two threads are at a conflicting pair at the same time. For each pair,
/// one of these must be valid, where A and B are what holds when the first thread is at its access
/// and the second, under other names, at its own:
///
///   facts alone   not (fact A and fact B and both are enabled and the bytes overlap and what is
///                 true of the numbers of copies and objects, see race_instances.cpp and
///                 race_allocations.cpp)
///   invariants    the same with the invariants at both points, and the one about two threads there
///                 if there is one. Both points must be boundaries of blocks:
///                 reduction preserves which of those are reached together, whatever the other
///                 threads do in their blocks. Or one is inside an atomic section and a cut, the
///                 points from which its thread enters sections are boundaries, and the other is
///                 one: nobody else steps on the way from there to the access.
///
/// Objects of the stack, the heap and thread-local variables that no other thread can know are
/// each thread's own; of a replicated thread, each copy has its own.

#include <algorithm>
#include <map>

#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "check/c/race_allocations.hpp"
#include "check/c/race_instances.hpp"
#include "check/certificates.hpp"
#include "check/proof.hpp"
#include "model/threads/instances.hpp"
#include "term/print.hpp"

namespace heddle::check {

namespace {

using c::MemoryAccess;
using c::Objection;
using model::threads::Covering;
using model::threads::PointInfo;
using model::threads::ThreadProof;
using term::Term;

/// Which objects only the thread that made them can know.
std::vector<bool> private_objects(const Covering& map) {
  std::vector<bool> is_private(map.objects.size(), true);
  const auto expose = [&](const Covering::Targets& targets) {
    bool changed = false;
    for (const std::uint32_t o : targets.objects) {
      changed = changed || is_private[o];
      is_private[o] = false;
    }
    return changed;
  };
  const auto expose_others = [&](const Covering::Targets& targets, std::uint32_t thread) {
    bool changed = false;
    for (const std::uint32_t o : targets.objects) {
      if (map.objects[o].thread == thread) continue;
      changed = changed || is_private[o];
      is_private[o] = false;
    }
    return changed;
  };
  for (std::uint32_t o = 0; o < map.objects.size(); ++o)
    if (map.objects[o].kind == Covering::Object::Kind::Global) is_private[o] = false;
  // A thread that may create copies of itself may hand its objects to them.
  for (std::uint32_t t = 0; t < map.threads.size(); ++t) {
    std::vector<bool> seen(map.threads.size());
    std::vector<std::uint32_t> work = {t};
    while (!work.empty()) {
      const std::uint32_t from = work.back();
      work.pop_back();
      for (const auto& place : map.threads[from].places)
        if (place.creates && !seen[*place.creates]) {
          seen[*place.creates] = true;
          work.push_back(*place.creates);
        }
    }
    for (std::uint32_t o = 0; o < map.objects.size(); ++o)
      if (seen[t] && map.objects[o].thread == t) is_private[o] = false;
    expose(map.threads[t].result_content);
  }
  for (const auto& r : map.registers) expose_others(r.content, map.contexts[r.context].thread);
  for (bool changed = true; changed;) {
    changed = false;
    const auto hold = [&](std::uint32_t holder, const Covering::Targets& content) {
      const bool is_new =
          is_private[holder] ? expose_others(content, map.objects[holder].thread) : expose(content);
      changed = changed || is_new;
    };
    for (const auto& cell : map.cells) hold(cell.object, cell.content);
    for (std::uint32_t o = 0; o < map.objects.size(); ++o) hold(o, map.objects[o].content);
  }
  return is_private;
}

Term bytes_of(std::uint64_t count) {
  return term::constant(base::Integer(static_cast<unsigned long>(count)));
}

class RaceFreedomCheck {
 public:
  RaceFreedomCheck(const model::CTask& task, const answer::RaceFreedom& claim,
                   base::RunContext& context)
      : task_(task), claim_(claim), context_(context), validity_(context) {}

  Problem well_formed() {
    if (task_.question.targets != std::vector{model::c::Property::NoDataRace})
      return refuted("the evidence is about data races");
    return c::problem_of([&] {
      derived_ = c::covered_accesses(task_.model, claim_.covering);
      // A failure ends the process.
      for (auto& thread : derived_.program.threads)
        for (PointInfo& point : thread.points)
          if (point.kind == PointInfo::Kind::Error) point.kind = PointInfo::Kind::End;
      c::count_copies(task_.model, claim_.covering, derived_);
      given_.emplace(task_.model, claim_.covering, derived_);
      subject_.emplace(derived_.program, claim_.proof);
    });
  }

  Problem keeps_to_its_scope() {
    return c::problem_of([&] { c::check_form(*subject_); });
  }

  NotNeeded contains_beginning() const {
    return "that facts and invariants hold at the beginning is shown together with the steps";
  }

  Problem is_closed() {
    return c::problem_of([&] {
      c::check_ranges(*subject_, validity_);
      c::check_facts(*subject_, validity_);
      if (has_invariants()) {
        c::check_reduction(*subject_, validity_);
        c::check_invariants(*subject_, validity_);
      } else {
        check_bad_points();
      }
    });
  }

  Problem excludes_end() {
    return c::problem_of([&] {
      is_private_ = private_objects(claim_.covering);
      index_invariants();
      for (std::size_t i = 0; i < derived_.accesses.size(); ++i)
        for (std::size_t j = i; j < derived_.accesses.size(); ++j)
          exclude(derived_.accesses[i], derived_.accesses[j]);
    });
  }

  std::string confirmation() const {
    const auto counted = [](std::size_t n, const char* what) {
      return base::counted(base::Integer(std::to_string(n)), what);
    };
    return std::to_string(derived_.accesses.size()) + " accesses and " + counted(pairs_, "pair") +
           " in conflict derived again from the source, each pair excluded; cvc5 proved " +
           counted(validity_.formulas(), "formula");
  }

 private:
  using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point

  bool has_invariants() const { return !claim_.proof.invariants.empty(); }

  /// Without invariants, facts alone must exclude every step to a bad point.
  void check_bad_points() {
    for (std::uint32_t t = 0; t < derived_.program.threads.size(); ++t)
      for (const auto& transition : subject_->thread(t).transitions)
        if (model::threads::is_bad(subject_->thread(t).points[transition.to.index()].kind))
          validity_.demand(
              term::negation(
                  term::conjunction({subject_->known(t, transition.from.value), transition.guard,
                                     c::Subject::input_ranges(transition.inputs)})),
              subject_->place(t, transition.from.value) + ": a step to a bad point is possible");
  }

  void index_invariants() {
    const bool is_modular = claim_.proof.rule == ThreadProof::Rule::Modular;
    for (const ThreadProof::Invariant& invariant : claim_.proof.invariants) {
      const auto place = [&](std::size_t i) {
        return ThreadPoint(invariant.at[i].first.value, invariant.at[i].second);
      };
      if (is_modular && invariant.at.size() == 2)
        pairs_by_places_.emplace(std::pair(place(0), place(1)), invariant.formula);
      else
        for (std::size_t i = 0; i < invariant.at.size(); ++i)
          by_place_[place(i)].push_back(&invariant);
    }
  }

  bool share_an_object(const MemoryAccess& a, const MemoryAccess& b) const {
    return std::ranges::any_of(a.objects, [&](std::uint32_t o) {
      return std::ranges::binary_search(b.objects, o) && !(a.thread == b.thread && is_private_[o]);
    });
  }

  void exclude(const MemoryAccess& a, const MemoryAccess& b) {
    if (a.thread == b.thread && !subject_->thread(a.thread).self) return;
    if ((!a.is_write && !b.is_write) || (a.is_atomic && b.is_atomic)) return;
    if (!share_an_object(a, b)) return;
    if (context_.step()) throw Objection{"the limit is reached", false};
    ++pairs_;
    if (are_never_together(a, b)) return;
    const Term both = conflict(a, b);
    if (validity_.is_valid(term::negation(both))) return;
    if (!has_invariants() || !is_excluded_by_invariants(a, b, both))
      throw Objection{subject_->place(a.thread, a.point) + " and " +
                      subject_->place(b.thread, b.point) + " may access the same bytes together"};
  }

  /// By facts, whatever is accessed. Few facts are different ones.
  bool are_never_together(const MemoryAccess& a, const MemoryAccess& b) {
    const Term first = claim_.proof.facts[a.thread][a.point];
    const Term second = claim_.proof.facts[b.thread][b.point];
    const auto key = std::tuple(a.thread, number_of(first), b.thread, number_of(second));
    const auto known = together_.find(key);
    if (known != together_.end()) return known->second;
    const bool never = validity_.is_valid(
        term::negation(term::conjunction({first, subject_->rename(b.thread, second, "!o"),
                                          subject_->different(a.thread, b.thread, "!o")})));
    together_.emplace(key, never);
    return never;
  }

  std::size_t number_of(const Term& fact) {
    return numbers_.try_emplace(term::to_smtlib(fact), numbers_.size()).first->second;
  }

  Term enabled(const MemoryAccess& a) const {
    std::vector<Term> guards;
    for (const std::uint32_t i : subject_->leaving(a.thread, a.point)) {
      const auto& transition = subject_->thread(a.thread).transitions[i];
      guards.push_back(
          term::conjunction({transition.guard, c::Subject::input_ranges(transition.inputs)}));
    }
    return term::disjunction(std::move(guards));
  }

  /// Both threads are at their accesses, by their facts, and the bytes overlap. The second one's
  /// locals and inputs are renamed.
  Term conflict(const MemoryAccess& a, const MemoryAccess& b) const {
    const auto other = [&](const Term& term) { return subject_->rename(b.thread, term, "!o"); };
    std::vector<Term> parts = {subject_->known(a.thread, a.point),
                               enabled(a),
                               other(subject_->known(b.thread, b.point)),
                               other(enabled(b)),
                               subject_->different(a.thread, b.thread, "!o"),
                               numbers(a, b)};
    const auto first_number = given_->number(a), second_number = given_->number(b);
    if (first_number && second_number && a.objects == b.objects)
      parts.push_back(term::equal(*first_number, other(*second_number)));
    if (a.bytes > 0 && b.bytes > 0) {
      const Term second = other(b.address);
      const auto reaches = [](const Term& from, const Term& to, std::uint64_t bytes) {
        return term::at_most(term::sum({from, bytes_of(1)}), term::sum({to, bytes_of(bytes)}));
      };
      parts.push_back(reaches(a.address, second, b.bytes));
      parts.push_back(reaches(second, a.address, a.bytes));
    }
    return term::conjunction(std::move(parts));
  }

  /// What is true of the numbers of copies that run: those of two copies differ.
  Term numbers(const MemoryAccess& a, const MemoryAccess& b) const {
    using model::threads::ThreadIndex;
    std::vector<Term> parts;
    if (subject_->thread(a.thread).is_replicated)
      parts.push_back(c::number_is_current(ThreadIndex(a.thread), ""));
    if (subject_->thread(b.thread).is_replicated)
      parts.push_back(c::number_is_current(ThreadIndex(b.thread), "!o"));
    if (a.thread == b.thread) {
      const Term nth = model::threads::instance_number(ThreadIndex(a.thread));
      parts.push_back(term::negation(term::equal(nth, subject_->rename(b.thread, nth, "!o"))));
    }
    return term::conjunction(std::move(parts));
  }

  /// Whether the proof speaks about these two points being reached together.
  bool are_observed(const MemoryAccess& a, const MemoryAccess& b) const {
    const ThreadProof& proof = claim_.proof;
    const auto out = [&](const MemoryAccess& m) { return proof.is_out[m.thread][m.point]; };
    const auto cut = [&](const MemoryAccess& m) {
      return m.in_section && proof.is_cut[m.thread][m.point] && begins_at_sections(m.thread);
    };
    return (out(a) && (out(b) || cut(b))) || (cut(a) && out(b));
  }

  /// Whether every atomic section of the thread begins at a boundary.
  bool begins_at_sections(std::uint32_t t) const {
    const auto& points = subject_->thread(t).points;
    return std::ranges::all_of(subject_->thread(t).transitions, [&](const auto& transition) {
      return points[transition.from.index()].in_section ||
             !points[transition.to.index()].in_section ||
             claim_.proof.is_out[t][transition.from.index()];
    });
  }

  bool is_excluded_by_invariants(const MemoryAccess& a, const MemoryAccess& b, const Term& both) {
    if (!are_observed(a, b)) return false;
    return claim_.proof.rule == ThreadProof::Rule::Modular ? modular(a, b, both)
                                                           : product(a, b, both);
  }

  /// Where there is no invariant, the point is not reached.
  bool modular(const MemoryAccess& a, const MemoryAccess& b, const Term& both) {
    const auto first = by_place_.find({a.thread, a.point});
    const auto second = by_place_.find({b.thread, b.point});
    if (first == by_place_.end() || second == by_place_.end()) return true;
    const Term invariant = beside(b.thread, second->second.front()->formula);
    // Inside an atomic section, `busy` says whose it is.
    Term inside = term::constant(true);
    for (const MemoryAccess* m : {&a, &b})
      if (!claim_.proof.is_out[m->thread][m->point])
        inside = term::equal(term::variable("busy", term::Sort::Integer), bytes_of(m->thread + 1));
    return validity_.is_valid(term::negation(term::conjunction(
        {first->second.front()->formula, invariant, inside, both, pair_of(a, "", b, "!o"),
         pair_of(b, "!o", a, ""), counted(a, b), beside(b.thread, claim_.proof.lemma)})));
  }

  /// The invariant about two threads at these places, in this order, with the marks that the
  /// locals of both have here; true if there is none. It holds of both orders at one place.
  Term pair_of(const MemoryAccess& first, const char* first_mark, const MemoryAccess& second,
               const char* second_mark) const {
    const auto found = pairs_by_places_.find(
        {ThreadPoint(first.thread, first.point), ThreadPoint(second.thread, second.point)});
    if (found == pairs_by_places_.end()) return term::constant(true);
    term::Substitution names;
    const auto rename = [&](std::uint32_t t, const std::string& from, const std::string& to) {
      for (const auto v : subject_->thread(t).locals) {
        const Term& local = subject_->program.variable(v).term;
        names.emplace(local.name() + from, term::variable(local.name() + to, local.sort()));
      }
    };
    rename(first.thread, "", first_mark);
    rename(second.thread, model::threads::kSecondMark, second_mark);
    return term::substitute(found->second, names);
  }

  /// A formula in which the locals of a thread are renamed; `busy` and the counts belong to nobody.
  Term beside(std::uint32_t t, const Term& formula) const {
    term::Substitution names;
    for (const auto v : subject_->thread(t).locals) {
      const Term& local = subject_->program.variable(v).term;
      names.emplace(local.name(), term::variable(local.name() + "!o", local.sort()));
    }
    return term::substitute(formula, names);
  }

  /// Both threads stand at cuts, and so do all others: this is when the lemma holds. How many
  /// threads are where, at least.
  Term counted(const MemoryAccess& a, const MemoryAccess& b) const {
    std::vector<Term> parts;
    for (std::uint32_t t = 0; t < derived_.program.threads.size(); ++t)
      for (std::uint32_t p = 0; p < derived_.program.threads[t].points.size(); ++p) {
        if (!model::threads::is_counted(derived_.program, claim_.proof.is_cut, t, p)) continue;
        const Term count = model::threads::count_at(model::threads::ThreadIndex(t), p);
        const std::uint64_t here =
            (a.thread == t && a.point == p ? 1U : 0U) + (b.thread == t && b.point == p ? 1U : 0U);
        const bool is_known =
            !subject_->thread(t).is_replicated && (a.thread == t || b.thread == t);
        parts.push_back(is_known ? term::equal(count, bytes_of(here))
                                 : term::at_least(count, bytes_of(here)));
      }
    return term::conjunction(std::move(parts));
  }

  /// All threads are different ones here, and each has names of its own.
  bool product(const MemoryAccess& a, const MemoryAccess& b, const Term& both) {
    std::vector<Term> same;
    for (const auto v : subject_->thread(b.thread).locals) {
      const Term& local = subject_->program.variable(v).term;
      same.push_back(term::equal(local, term::variable(local.name() + "!o", local.sort())));
    }
    const auto tuples = by_place_.find({a.thread, a.point});
    if (tuples == by_place_.end()) return true;
    return std::ranges::all_of(tuples->second, [&](const ThreadProof::Invariant* tuple) {
      const auto& at = tuple->at[b.thread];
      if (at.second != b.point) return true;
      std::vector<Term> parts = same;
      parts.push_back(tuple->formula);
      parts.push_back(both);
      return validity_.is_valid(term::negation(term::conjunction(std::move(parts))));
    });
  }

  const model::CTask& task_;
  const answer::RaceFreedom& claim_;
  base::RunContext& context_;
  c::Validity validity_;
  c::CoveredAccesses derived_;
  std::optional<c::GivenObjects> given_;
  std::optional<c::Subject> subject_;
  std::vector<bool> is_private_;
  std::map<ThreadPoint, std::vector<const ThreadProof::Invariant*>> by_place_;
  std::map<std::pair<ThreadPoint, ThreadPoint>, Term> pairs_by_places_;  ///< of modular proofs
  std::map<std::string, std::size_t> numbers_;
  std::map<std::tuple<std::uint32_t, std::size_t, std::uint32_t, std::size_t>, bool> together_;
  std::size_t pairs_ = 0;
};

}  // namespace

answer::CheckResult check_certificate(const model::CTask& task, const answer::RaceFreedom& freedom,
                                      base::RunContext& context) {
  return prove(RaceFreedomCheck(task, freedom, context));
}

}  // namespace heddle::check
