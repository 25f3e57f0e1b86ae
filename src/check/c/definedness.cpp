#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// No run reaches something that C does not define: an access to memory that is not there, a
/// division by zero, a call of nothing. A thread program has no step where the semantics ends a run
/// for such a reason, which is enough for reachability; termination is claimed only of programs
/// that are defined.
///
/// Objects. Globals live for ever. A stack object lives until its function returns or its block
/// ends; which ones may have ended at a point is computed over the graph of its thread. Heap
/// objects live for ever in programs that free nothing.
///
/// Another thread may use a stack object if it runs only while the object is there: both stand for
/// one thread, and wherever the owner stands while the object may not be there (before it is
/// allocated, after its life, after the end of the thread), its fact says that the other one does
/// not run. Facts hold in all interleavings of instructions outside of atomic sections, and nobody
/// else uses anything while a thread is in a section; a thread runs, by its status, from its
/// creation to its end. Where the process has ended, nobody steps.
///
/// At a point with an access, its address must lie inside an object that lives, by the invariant of
/// the last cut and the path from there. At a point that is marked as one that may block, some
/// transition must be enabled, unless it is an assumption, the end of the process, or a wait
/// (waiting.cpp). A mutex that is taken must be one, and condition variables must be global.
///
/// Why reduction is no obstacle. These conditions are over the locals of one thread. If it stands
/// at such a point in the middle of a block that is not committed, its steps since the boundary
/// move behind those of all others, and its locals are the same. A block that has committed has no
/// point that may block, and accesses there have constant addresses.
///
/// All objections are "not decided": the engine does not claim definedness, this is the only place
/// where it is looked at.

namespace heddle::check::c {

using namespace model::threads;
namespace mc = model::c;
using term::Term;

namespace {

[[noreturn]] void leave_open(const std::string& what) { throw Objection{what, false}; }

Term address_number(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

class Definedness {
  using Object = Covering::Object;

 public:
  Definedness(const Subject& subject, const mc::Program& source, const Covering& covering,
              const CoveredAccesses& derived, Validity& validity)
      : subject_(subject),
        source_(source),
        covering_(covering),
        waiting_(derived.waiting),
        validity_(validity) {
    for (const MemoryAccess& access : derived.accesses)
      accesses_[{access.thread, access.point}].push_back(&access);
  }

  void run() {
    for (const auto& mutex : covering_.mutexes)
      if (covering_.objects[mutex.object].kind != Object::Kind::Global)
        leave_open("cannot show that a mutex exists while it is used: it is not global");
    for (std::uint32_t t = 0; t < subject_.program.threads.size(); ++t) {
      refuse_what_is_not_known(t);
      ended_ = may_be_absent(t, {});
      for (std::uint32_t p = 0; p < subject_.thread(t).points.size(); ++p)
        if (subject_.proof.is_cut[t][p]) {
          start_ = p;
          follow(t, p, {}, 0);
        }
    }
  }

 private:
  const mc::Instruction& instruction(std::uint32_t t, std::uint32_t p) const {
    const auto& place = covering_.threads[t].places[p];
    const auto function = covering_.contexts[place.context].function;
    return source_.functions[function.index()].code[place.at.index()];
  }
  bool is_ordinary(std::uint32_t t, std::uint32_t p) const {
    return covering_.threads[t].places[p].kind == PointInfo::Kind::Ordinary;
  }

  void refuse_what_is_not_known(std::uint32_t t) const {
    for (std::uint32_t p = 0; p < covering_.threads[t].places.size(); ++p) {
      if (!is_ordinary(t, p)) continue;
      const mc::Effect& effect = instruction(t, p).effect;
      if (std::holds_alternative<mc::Free>(effect) ||
          std::holds_alternative<mc::ObjectSize>(effect))
        leave_open(subject_.place(t, p) +
                   ": cannot show that memory is not used after it is freed");
    }
    for (const WaitingPlace& w : waiting_) {
      const bool is_condition = w.kind == WaitingPlace::Kind::Signal ||
                                w.kind == WaitingPlace::Kind::Broadcast ||
                                w.kind == WaitingPlace::Kind::FallAsleep;
      if (w.thread == t && is_condition && !w.has_condition)
        leave_open(subject_.place(t, w.point) +
                   ": cannot show that a condition variable exists: it is not global");
    }
  }

  // ---- objects that may have ended

  using Objects = std::set<std::uint32_t>;

  /// By point of a thread: the objects of its stack that may not be there. `first`: at its entry.
  std::vector<Objects> may_be_absent(std::uint32_t t, Objects first) const {
    std::vector<Objects> absent(subject_.thread(t).points.size());
    std::vector<bool> seen(absent.size());
    std::deque<std::uint32_t> work = {subject_.thread(t).entry.value};
    absent[work.front()] = std::move(first);
    seen[work.front()] = true;
    while (!work.empty()) {
      const std::uint32_t p = work.front();
      work.pop_front();
      const Objects after = absent_after(t, p, absent[p]);
      for (const std::uint32_t i : subject_.leaving(t, p)) {
        const std::uint32_t q = subject_.thread(t).transitions[i].to.value;
        const std::size_t before = absent[q].size();
        absent[q].insert(after.begin(), after.end());
        if (seen[q] && absent[q].size() == before) continue;
        seen[q] = true;
        work.push_back(q);
      }
    }
    return absent;
  }

  Objects absent_after(std::uint32_t t, std::uint32_t p, Objects out) const {
    if (!is_ordinary(t, p)) return out;
    const auto& place = covering_.threads[t].places[p];
    const mc::Effect& effect = instruction(t, p).effect;
    const auto is_stack_of_context = [&](const Object& o) {
      return o.kind == Object::Kind::Stack && o.context == place.context;
    };
    for (std::uint32_t o = 0; o < covering_.objects.size(); ++o) {
      const Object& object = covering_.objects[o];
      if (!is_stack_of_context(object)) continue;
      if (std::holds_alternative<mc::Return>(effect)) out.insert(o);
      if (std::holds_alternative<mc::Allocate>(effect) && object.at == place.at) out.erase(o);
    }
    if (const auto* life = std::get_if<mc::Lifetime>(&effect)) {
      const std::optional<std::uint32_t> only = object_of(place, life->address);
      if (life->begins) {
        if (only) out.erase(*only);
      } else {
        for (std::uint32_t o = 0; o < covering_.objects.size(); ++o)
          if (!only || o == *only) out.insert(o);
      }
    }
    return out;
  }

  /// The one object that an address is in, if that is clear.
  std::optional<std::uint32_t> object_of(const Covering::Place& place,
                                         const mc::Operand& address) const {
    if (address.kind != mc::Operand::Kind::Register) return std::nullopt;
    for (const auto& c : place.constants) {
      if (c.is_cell || c.context != place.context || c.index != address.index) continue;
      for (std::uint32_t o = 0; o < covering_.objects.size(); ++o) {
        const Object& object = covering_.objects[o];
        if (!object.is_summary && object.size && object.base <= c.value &&
            c.value < object.base + *object.size)
          return o;
      }
      return std::nullopt;
    }
    for (const auto& r : covering_.registers) {
      if (r.context != place.context || r.reg != address.index) continue;
      const auto& to = r.content;
      const bool is_one = !to.is_arbitrary && to.objects.size() == 1 && to.functions.empty() &&
                          to.handles.empty() && !covering_.objects[to.objects[0]].is_summary;
      return is_one ? std::optional(to.objects[0]) : std::nullopt;
    }
    return std::nullopt;
  }

  // ---- paths

  void follow(std::uint32_t t, std::uint32_t p, const Effect& effect, std::size_t length) {
    if (length > subject_.thread(t).points.size())
      throw Objection{subject_.place(t, p) + ": a loop without a cut"};
    if (is_ordinary(t, p)) check_point(t, p, effect);
    for (const std::uint32_t i : subject_.leaving(t, p)) {
      const Transition& transition = subject_.thread(t).transitions[i];
      const Effect longer = followed_by(subject_, effect, transition);
      if (longer.guard.op() == term::Operator::Boolean && !longer.guard.boolean()) continue;
      if (!subject_.proof.is_cut[t][transition.to.index()])
        follow(t, transition.to.value, longer, length + 1);
    }
  }

  void check_point(std::uint32_t t, std::uint32_t p, const Effect& effect) {
    if (const auto found = accesses_.find({t, p}); found != accesses_.end())
      for (const MemoryAccess* access : found->second)
        demand(t, p, effect, is_inside(t, p, *access), "an access may be invalid");
    for (const WaitingPlace& w : waiting_)
      if (w.thread == t && w.point == p && w.kind == WaitingPlace::Kind::Lock)
        demand(t, p, effect, w.has_mutex, "takes what may not be a mutex");
    if (!subject_.thread(t).points[p].may_block || may_end_or_wait(t, p)) return;
    std::vector<Term> guards;
    for (const std::uint32_t i : subject_.leaving(t, p))
      guards.push_back(subject_.thread(t).transitions[i].guard);
    demand(t, p, effect, term::disjunction(std::move(guards)), "may do something undefined");
  }

  bool may_end_or_wait(std::uint32_t t, std::uint32_t p) const {
    const mc::Effect& effect = instruction(t, p).effect;
    const auto* sync = std::get_if<mc::Synchronise>(&effect);
    return std::holds_alternative<mc::Exit>(effect) || std::holds_alternative<mc::Assume>(effect) ||
           (sync != nullptr && (sync->operation == mc::SyncOperation::MutexLock ||
                                sync->operation == mc::SyncOperation::JoinThread ||
                                sync->operation == mc::SyncOperation::BlockUntil ||
                                covering_.threads[t].places[p].is_asleep));
  }

  void demand(std::uint32_t t, std::uint32_t p, const Effect& effect, const Term& wanted,
              const std::string& what) {
    if (wanted.op() == term::Operator::Boolean && wanted.boolean()) return;
    for (const Term& v : term::variables({wanted}))
      if (subject_.is_global(v.name()))
        leave_open(subject_.place(t, p) + ": cannot follow " + what);
    const Term given = term::conjunction(
        {invariant_at(subject_, t, start_), effect.guard, Subject::input_ranges(effect.inputs)});
    if (!validity_.is_valid(term::implication(given, term::substitute(wanted, effect.after))))
      leave_open(subject_.place(t, p) + ": " + what);
  }

  Term is_inside(std::uint32_t t, std::uint32_t p, const MemoryAccess& access) const {
    std::vector<Term> parts;
    for (const std::uint32_t o : access.objects) {
      const Object& object = covering_.objects[o];
      if (object.is_summary || !object.size || *object.size < access.bytes || !lives(t, p, o))
        return term::constant(false);
      if (access.is_write && object.kind == Object::Kind::Global &&
          source_.globals[object.global].is_constant)
        return term::constant(false);
      const std::uint64_t last = object.base + *object.size - access.bytes;
      parts.push_back(term::conjunction({term::at_most(address_number(object.base), access.address),
                                         term::at_most(access.address, address_number(last))}));
    }
    return term::disjunction(std::move(parts));
  }

  bool lives(std::uint32_t t, std::uint32_t p, std::uint32_t o) const {
    const Object& object = covering_.objects[o];
    // An object that is blurred may be that of another copy.
    const bool is_own =
        object.thread == t && !(object.is_blurred && subject_.thread(t).is_replicated);
    switch (object.kind) {
      case Object::Kind::Global:
      case Object::Kind::Heap: return true;
      case Object::Kind::ThreadLocal: return is_own;
      case Object::Kind::Stack: return is_own ? !ended_[p].contains(o) : lives_while_running(t, o);
    }
    return false;
  }

  // ---- stack objects that other threads use

  bool lives_while_running(std::uint32_t t, std::uint32_t o) const {
    const std::uint32_t owner = covering_.objects[o].thread;
    if (owner == t || subject_.thread(t).is_replicated || subject_.thread(owner).is_replicated ||
        !subject_.thread(t).status)
      return false;
    const auto [known, is_new] = lives_while_running_.emplace(std::pair(t, o), false);
    if (is_new) known->second = is_there_while_running(t, o, owner);
    return known->second;
  }

  bool is_there_while_running(std::uint32_t t, std::uint32_t o, std::uint32_t owner) const {
    const std::vector<Objects> absent = may_be_absent(owner, stack_of(owner));
    const Term status = subject_.program.variable(*subject_.thread(t).status).term;
    const Term rests = term::negation(term::equal(status, term::constant(base::Integer(1))));
    for (std::uint32_t q = 0; q < absent.size(); ++q) {
      if (!has_ended(owner, q) && (!is_ordinary(owner, q) || !absent[q].contains(o))) continue;
      if (!validity_.is_valid(term::implication(subject_.proof.facts[owner][q], rests)))
        return false;
    }
    return true;
  }

  Objects stack_of(std::uint32_t t) const {
    Objects out;
    for (std::uint32_t o = 0; o < covering_.objects.size(); ++o)
      if (covering_.objects[o].kind == Object::Kind::Stack && covering_.objects[o].thread == t)
        out.insert(o);
    return out;
  }

  /// The thread, but not the process: all of its stack is gone.
  bool has_ended(std::uint32_t t, std::uint32_t p) const {
    const Covering::Place& place = covering_.threads[t].places[p];
    if (place.kind != PointInfo::Kind::End) return false;
    const mc::Effect& effect = instruction(t, place.origin).effect;
    return !std::holds_alternative<mc::Exit>(effect) && !std::holds_alternative<mc::Fail>(effect);
  }

  const Subject& subject_;
  const mc::Program& source_;
  const Covering& covering_;
  const std::vector<WaitingPlace>& waiting_;
  Validity& validity_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const MemoryAccess*>> accesses_;
  std::vector<Objects> ended_;  ///< by point of the thread that is looked at
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, bool> lives_while_running_;
  std::uint32_t start_ = 0;
};

}  // namespace

void check_definedness(const Subject& subject, const mc::Program& source, const Covering& covering,
                       const CoveredAccesses& derived, Validity& validity) {
  Definedness(subject, source, covering, derived, validity).run();
}

}  // namespace heddle::check::c
