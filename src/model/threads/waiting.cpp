#include "model/threads/waiting.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

/// The question. A run has come to a state in which no thread can step and nothing is wrong (no
/// false assumption, no invalid access, no end of the process). Have all threads ended?
///
/// What may wait. By the semantics (model/c/execution_sync.cpp): taking a mutex, joining a thread,
/// condition waits, `BlockUntil`, and everybody while a thread is in an atomic section. Programs
/// with the third or fourth are refused, and so are those that take a mutex or join a thread in a
/// section; so a thread in a section always steps.
///
/// Mutexes. Let H(t,p) be the mutexes that thread t may own at its point p, computed over the
/// graph: taking one adds it, giving it back removes it. An owner is only ever set to 0 or to the
/// number of the thread that steps, so whoever owns a mutex has it in H. Demanded is that H is
/// empty where a thread has ended and where it joins, and that the relation "in H where another one
/// is taken" between mutexes has no cycle.
///
/// Joins. Only one thread joins others, and it is not replicated.
///
/// Why it suffices. Suppose that a thread waits. If one waits for a mutex m, the owner of m has
/// m in H, so it has not ended and does not join. It cannot step, so it waits for a mutex m' that
/// is greater than m in the order. There is no infinite ascending chain, so no thread waits for a
/// mutex. Then the thread that waits joins another one, which has not ended, cannot step and does
/// not join: it does not wait either, a contradiction.

namespace heddle::model::threads {

using term::Term;

namespace {

using Mutexes = std::set<std::uint32_t>;  ///< variables

class Waiting {
 public:
  Waiting(const c::Program& source, const Covering& covering, const ThreadProgram& program)
      : source_(source), covering_(covering), program_(program) {}

  std::optional<std::string> run() {
    for (std::uint32_t t = 0; t < program_.threads.size() && !why_; ++t) find_waits(t);
    for (std::uint32_t t = 0; t < program_.threads.size() && !why_; ++t) {
      if (locks_.empty()) break;
      check_owners(t);
      find_held(t);
    }
    if (!why_ && has_cycle()) why_ = "mutexes are taken in different orders";
    return why_;
  }

 private:
  const c::Instruction& instruction(const Covering::Place& place) const {
    const auto function = covering_.contexts[place.context].function;
    return source_.functions[function.index()].code[place.at.index()];
  }

  /// In our library: of the call. 0 if there is none.
  std::uint32_t line_of(const Covering::Place& place) const {
    std::uint32_t line = instruction(place).position.line;
    for (const Covering::Context* c = &covering_.contexts[place.context]; line == 0 && c->caller;
         c = &covering_.contexts[*c->caller]) {
      const auto caller = covering_.contexts[*c->caller].function;
      line = source_.functions[caller.index()].code[c->call.index()].position.line;
    }
    return line;
  }

  void refuse(const Covering::Place& place, const std::string& what) {
    const std::uint32_t line = line_of(place);
    why_ = line == 0 ? what : what + " (line " + std::to_string(line) + ")";
  }

  void find_waits(std::uint32_t t) {
    const auto& places = covering_.threads[t].places;
    for (std::uint32_t p = 0; p < places.size() && !why_; ++p) {
      if (places[p].kind != PointInfo::Kind::Ordinary) continue;
      const auto* sync = std::get_if<c::Synchronise>(&instruction(places[p]).effect);
      if (sync != nullptr) find_wait(t, p, places[p], sync->operation);
    }
  }

  void find_wait(std::uint32_t t, std::uint32_t p, const Covering::Place& place,
                 c::SyncOperation operation) {
    using enum c::SyncOperation;
    const bool locks = operation == MutexLock, joins = operation == JoinThread;
    if (operation == ConditionWait || operation == ConditionTimedWait || operation == BlockUntil)
      return refuse(place, "a wait for a condition");
    if (!locks && !joins) return;
    if (place.sections > 0) return refuse(place, "a wait in an atomic section");
    if (joins) {
      joins_.insert({t, p});
      if (joins_.begin()->first != t || program_.threads[t].is_replicated)
        refuse(place, "several threads join others");
      return;
    }
    if (const auto mutex = mutex_taken(t, p))
      locks_.emplace(std::pair(t, p), *mutex);
    else
      refuse(place, "a mutex that depends on data");
  }

  /// The one mutex that is taken at a point when it is free.
  std::optional<std::uint32_t> mutex_taken(std::uint32_t t, std::uint32_t p) const {
    std::optional<std::uint32_t> out;
    for (const Transition& transition : program_.threads[t].transitions) {
      if (transition.from.value != p) continue;
      for (const Assignment& a : transition.assignments) {
        if (program_.variable(a.variable).kind != Variable::Kind::Owner) continue;
        const Term& owner = program_.variable(a.variable).term;
        if (out || !is_same(transition.guard, term::equal(owner, number(0)))) return std::nullopt;
        out = a.variable.value;
      }
    }
    return out;
  }

  static Term number(long value) { return term::constant(base::Integer(value)); }

  static bool is_same(const Term& a, const Term& b) {
    if (a.identity() == b.identity()) return true;
    if (a.op() != b.op() || a.sort() != b.sort()) return false;
    if (a.op() == term::Operator::Variable) return a.name() == b.name();
    if (a.op() == term::Operator::Integer) return a.integer() == b.integer();
    if (a.op() == term::Operator::Boolean) return a.boolean() == b.boolean();
    return std::ranges::equal(a.arguments(), b.arguments(), is_same);
  }

  bool is_mutex(VariableId v) const {
    return std::ranges::any_of(locks_, [&](const auto& lock) { return lock.second == v.value; });
  }

  bool is_own_number(std::uint32_t t, const Term& value) const {
    return is_same(value, self_of(program_, ThreadIndex(t)));
  }

  void check_owners(std::uint32_t t) {
    for (const Transition& transition : program_.threads[t].transitions)
      for (const Assignment& a : transition.assignments)
        if (is_mutex(a.variable) && !is_same(a.value, number(0)) && !is_own_number(t, a.value))
          why_ = "the owner of a mutex depends on data";
  }

  void find_held(std::uint32_t t) {
    const Thread& thread = program_.threads[t];
    std::map<std::uint32_t, Mutexes> held = {{thread.entry.value, {}}};
    std::deque<std::uint32_t> work = {thread.entry.value};
    while (!work.empty()) {
      const std::uint32_t p = work.front();
      work.pop_front();
      for (const Transition& transition : thread.transitions) {
        if (transition.from.value != p) continue;
        Mutexes after = held[p];
        for (const Assignment& a : transition.assignments) {
          if (!is_mutex(a.variable)) continue;
          if (is_own_number(t, a.value))
            after.insert(a.variable.value);
          else
            after.erase(a.variable.value);
        }
        const auto [known, is_new] = held.emplace(transition.to.value, after);
        const std::size_t before = known->second.size();
        known->second.insert(after.begin(), after.end());
        if (is_new || known->second.size() != before) work.push_back(transition.to.value);
      }
    }
    for (const auto& [p, mutexes] : held)
      if (!mutexes.empty()) check_held(t, p, mutexes);
  }

  void check_held(std::uint32_t t, std::uint32_t p, const Mutexes& mutexes) {
    const Covering::Place& place = covering_.threads[t].places[p];
    if (joins_.contains({t, p})) refuse(place, "a thread is joined while a mutex is held");
    if (place.kind == PointInfo::Kind::End && !ends_process(covering_.threads[t], place))
      refuse(place, "a thread may end while it holds a mutex");
    if (const auto lock = locks_.find({t, p}); lock != locks_.end())
      for (const std::uint32_t mutex : mutexes) taken_after_[mutex].insert(lock->second);
  }

  bool ends_process(const Covering::Thread& thread, const Covering::Place& end) const {
    const c::Effect& effect = instruction(thread.places[end.origin]).effect;
    return std::holds_alternative<c::Exit>(effect) || std::holds_alternative<c::Fail>(effect);
  }

  bool has_cycle() const {
    return std::ranges::any_of(taken_after_, [&](const auto& entry) {
      Mutexes seen;
      std::vector<std::uint32_t> work(entry.second.begin(), entry.second.end());
      while (!work.empty()) {
        const std::uint32_t mutex = work.back();
        work.pop_back();
        if (mutex == entry.first) return true;
        const auto next = taken_after_.find(mutex);
        if (seen.insert(mutex).second && next != taken_after_.end())
          work.insert(work.end(), next->second.begin(), next->second.end());
      }
      return false;
    });
  }

  const c::Program& source_;
  const Covering& covering_;
  const ThreadProgram& program_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> joins_;  ///< thread, point
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> locks_;
  std::map<std::uint32_t, Mutexes> taken_after_;  ///< by mutex that is held
  std::optional<std::string> why_;
};

}  // namespace

std::optional<std::string> may_wait_for_ever(const c::Program& source, const Covering& covering,
                                             const ThreadProgram& program) {
  return Waiting(source, covering, program).run();
}

}  // namespace heddle::model::threads
