#pragma once

/// Which memory threads share, and which of their instructions are therefore *local*: commute with
/// everything that other threads can do until they are executed, for the search of check_safe.cpp.
///
/// Nothing about memory is computed in advance. The search notes every access that is made while
/// there are other threads, running or not joined yet: the instruction, the thread, the mutexes
/// that the thread holds. An access is taken as local if, by what was noted so far,
///
///   - nobody writes to these bytes, or only this thread uses them, or
///   - everybody who uses them holds a mutex that this thread holds now, or
///   - no other thread may still execute an instruction that uses them and conflicts.
///
/// What is noted after such a decision may show that it was wrong (`has_changed`). The search is
/// then repeated with all that is known, until a search notes nothing new. That one was right:
/// consider the shortest execution whose last access contradicts the notes. Up to there all
/// decisions hold, so that the search contains an execution with the same instructions of each
/// thread, except that other threads may have done more local instructions; hence it comes to that
/// access, and notes it, by its address, even if the object is gone by then.
///
/// Bytes are looked at in groups of four. Mutexes:
///
///   - One that is unlocked by threads that do not hold it, initialised while there are other
///     threads, or accessed as data, protects nothing.
///   - Unlocking commutes to the left: until it happens, nobody else can have done anything with
///     the mutex but wait for it, unless somebody tries to lock it.
///
/// Objects come and go: nothing is local that is done to the stack of another thread; allocations
/// are in regions of the thread's own; an object that ends is local if only its owner's thread has
/// used the bytes; one that begins, if no invalid access hit the place.

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "check/c/program_flow.hpp"
#include "model/c/interpreter.hpp"
#include "model/c/question.hpp"

namespace heddle::check::c {

class Sharing {
 public:
  Sharing(const model::c::Interpreter& interpreter, ProgramFlow& flow, model::c::Property property,
          bool has_thread_bound);

  /// The next instruction of a live thread is about to be executed.
  void note(const model::c::State& state, model::c::ThreadId thread);
  /// Whether it is local. Precondition: the thread is live.
  bool is_local(const model::c::State& state, model::c::ThreadId thread) const;

  bool has_changed() const { return has_changed_; }
  void begin_again() { has_changed_ = false; }

 private:
  struct Use {
    ProgramFlow::Site site = 0;
    bool is_write = false;
  };
  /// Four bytes.
  struct Cell {
    SparseBits readers, writers;         ///< sites; one that does both is a writer
    std::vector<std::uint64_t> mutexes;  ///< held at every use
    model::c::ThreadId thread;           ///< the only one, unless
    bool has_many = false;
    bool is_used() const { return !readers.is_empty() || is_written(); }
    bool is_written() const { return !writers.is_empty(); }
    std::uint64_t mutex = 0;  ///< that these bytes are part of
  };
  struct Mutex {
    bool is_odd = false;    ///< protects nothing
    bool is_tried = false;  ///< somebody tries to lock it
  };

  static bool has_company(const model::c::State& state, model::c::ThreadId thread);
  bool is_anothers(std::uint64_t address, model::c::ThreadId thread) const;
  void note_data(const model::c::State& state, model::c::ThreadId thread,
                 const model::c::Access& access);
  void note_use(const model::c::State& state, model::c::ThreadId thread, std::uint64_t cell,
                Use use);
  void note_mutexes(const model::c::State& state, model::c::ThreadId thread, Cell& cell);
  void note_synchronisation(const model::c::State& state, model::c::ThreadId thread,
                            const model::c::Synchronise& sync);
  void note_mutex(const model::c::State& state, model::c::ThreadId thread, std::uint64_t mutex,
                  model::c::SyncOperation operation);
  void spoil(std::uint64_t mutex);

  model::c::Access access_of(const model::c::State& state, model::c::ThreadId thread) const;
  bool is_local_access(const model::c::State& state, model::c::ThreadId thread,
                       const model::c::Access& access) const;
  bool is_local_cell(const model::c::State& state, model::c::ThreadId thread, const Cell& cell,
                     bool writes) const;
  bool is_local_synchronisation(const model::c::State& state, model::c::ThreadId thread,
                                const model::c::Synchronise& sync) const;
  bool is_local_end(const model::c::State& state, model::c::ThreadId thread) const;
  bool may_manage(const model::c::State& state, model::c::ThreadId thread) const;
  bool is_any_in(const std::set<std::uint64_t>& cells, std::uint64_t first,
                 std::uint64_t end) const;

  const model::c::Interpreter& interpreter_;
  ProgramFlow& flow_;
  model::c::Property property_;
  bool has_thread_bound_;
  std::unordered_map<std::uint64_t, Cell> cells_;
  std::unordered_map<std::uint64_t, Mutex> mutexes_;
  /// Cells of stacks and thread-local objects that other threads use; cells that were accessed
  /// where no object was.
  std::set<std::uint64_t> foreign_, wild_;
  bool is_all_shared_ = false;
  bool has_changed_ = false;
};

/// How many threads live.
std::size_t live_threads(const model::c::State& state);

}  // namespace heddle::check::c
