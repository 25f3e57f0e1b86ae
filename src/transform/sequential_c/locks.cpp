/// A normal mutex may be released by a thread that does not hold it. Such a release can be noticed:
/// it makes a difference whether it comes before or after another thread takes the mutex. If every
/// release is one by the holder, a mutex that is held is not taken by anybody else, so its release
/// may come earlier without any difference, unless somebody tries to take it without waiting, or
/// makes it anew.
///
/// Which mutexes a thread certainly holds is found forward along the instructions of a function,
/// beginning with none. A call loses those that the function called, or one that it calls, may
/// release.

#include "transform/sequential_c/locks.hpp"

#include <algorithm>
#include <optional>

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

class Discipline {
 public:
  Discipline(const Program& program, const ControlFlow& flow, const Places& places)
      : program_(program), flow_(flow), places_(places) {}

  Mutexes run() {
    Mutexes good;
    for (const auto& [place, cells] : places_.mutexes()) good.insert(cells.owner);
    find_released();
    for (std::size_t f = 0; f < program_.functions.size(); ++f)
      if (flow_.is_reached(FunctionId(f))) look_at(FunctionId(f), good);
    return good;
  }

 private:
  /// The mutex of an operation, if it is made of cells.
  std::optional<std::size_t> mutex_of(FunctionId f, const Synchronise& i) const {
    using enum SyncOperation;
    const bool waits = i.operation == ConditionWait || i.operation == ConditionTimedWait;
    const bool is_one = waits || i.operation == MutexLock || i.operation == MutexUnlock ||
                        i.operation == MutexTryLock || i.operation == MutexInit;
    if (!is_one) return std::nullopt;
    const MutexCells* cells = places_.mutex(places_.tracked(f, i.arguments[waits ? 1 : 0]));
    return cells == nullptr ? std::nullopt : std::optional(cells->owner);
  }

  /// By function: what it, or one that it calls, may release.
  void find_released() {
    released_.resize(program_.functions.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t f = 0; f < program_.functions.size(); ++f)
        for (const Instruction& one : program_.functions[f].code) {
          const std::size_t before = released_[f].size();
          if (const auto* call = std::get_if<Call>(&one.effect))
            for (const FunctionId callee : flow_.callees(*call))
              released_[f].insert(released_[callee.index()].begin(),
                                  released_[callee.index()].end());
          if (const auto* sync = std::get_if<Synchronise>(&one.effect))
            if (const auto mutex = mutex_of(FunctionId(f), *sync);
                mutex && sync->operation != SyncOperation::MutexLock)
              released_[f].insert(*mutex);
          changed = changed || released_[f].size() != before;
        }
    }
  }

  Mutexes after(FunctionId f, const Effect& effect, Mutexes held) const {
    if (const auto* call = std::get_if<Call>(&effect))
      for (const FunctionId callee : flow_.callees(*call))
        for (const std::size_t mutex : released_[callee.index()]) held.erase(mutex);
    const auto* sync = std::get_if<Synchronise>(&effect);
    const auto mutex = sync == nullptr ? std::nullopt : mutex_of(f, *sync);
    if (!mutex) return held;
    if (sync->operation == SyncOperation::MutexLock) held.insert(*mutex);
    if (sync->operation == SyncOperation::MutexUnlock ||
        sync->operation == SyncOperation::MutexInit)
      held.erase(*mutex);
    return held;
  }

  void look_at(FunctionId f, Mutexes& good) const {
    const Function& function = program_.functions[f.index()];
    std::vector<std::optional<Mutexes>> held(function.code.size());
    std::vector<Location> pending;
    if (!held.empty()) {
      held[0] = Mutexes();
      pending.push_back(Location(0u));
    }
    while (!pending.empty()) {
      const Location at = pending.back();
      pending.pop_back();
      const Mutexes leaving = after(f, function.code[at.index()].effect, *held[at.index()]);
      for (const Location next : successors(function, at)) {
        std::optional<Mutexes>& there = held[next.index()];
        Mutexes both = leaving;
        if (there) std::erase_if(both, [&](std::size_t m) { return !there->contains(m); });
        if (there == both) continue;
        there = std::move(both);
        pending.push_back(next);
      }
    }
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      const auto* sync = std::get_if<Synchronise>(&function.code[i].effect);
      const auto mutex = sync == nullptr ? std::nullopt : mutex_of(f, *sync);
      if (!mutex || !held[i]) continue;
      using enum SyncOperation;
      const bool is_harmless = sync->operation == MutexLock ||
                               (sync->operation == MutexInit && flow_.is_alone(f, Location(i))) ||
                               (sync->operation != MutexInit && sync->operation != MutexTryLock &&
                                held[i]->contains(*mutex));
      if (!is_harmless) good.erase(*mutex);
    }
  }

  const Program& program_;
  const ControlFlow& flow_;
  const Places& places_;
  std::vector<Mutexes> released_;
};

}  // namespace

Mutexes disciplined_mutexes(const Program& program, const ControlFlow& flow, const Places& places) {
  return Discipline(program, flow, places).run();
}

}  // namespace heddle::transform::sequential_c
