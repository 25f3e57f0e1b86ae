#pragma once

/// Which addresses there are. An address says on its own what kind of object it belongs to, and
/// addresses do not depend on how threads interleave: every thread allocates in regions of its
/// own, so that allocations of different threads commute.
///
/// With 8-byte pointers an address is packed as
///
///   63  62 … 48   47 … 30   29 … 0
///   0   region    number    offset
///
/// so that no arithmetic inside one gigabyte leads from one object into another: every access out
/// of bounds is seen. Offsets begin at `kFirstOffset`, so that addresses below an object are not
/// those of its predecessor. With 4-byte pointers, the objects of a region follow each other with
/// gaps of at least 16 bytes: an access further out of bounds than the gap may hit another object,
/// as on a machine.
///
/// Heap addresses are never used twice. Stack addresses are reused by the discipline of the stack,
/// so that a loop that calls a function comes back to the same state; but not while a word of
/// memory still points there, so that a pointer to a variable that is gone does not point to
/// another one.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::model::c {

struct ThreadTag;
/// A thread's slot in the state; 0 is the entry's thread. Slots of threads that have ended and that
/// nobody can join are used again.
using ThreadId = base::Id<ThreadTag>;

/// Regions that a thread owns.
enum class Region : std::uint8_t { Heap, Stack, ThreadLocal };

class AddressSpace {
 public:
  explicit AddressSpace(const Program& program);

  std::uint8_t pointer_bytes() const { return pointer_bytes_; }
  std::uint64_t of_function(FunctionId function) const;
  /// The function whose address this is.
  std::optional<FunctionId> function_at(std::uint64_t address) const;
  /// Of a global that is not thread-local.
  std::uint64_t of_global(GlobalId global) const { return globals_[global.index()]; }
  /// Of a thread's own copy of a thread-local global.
  std::uint64_t of_thread_local(GlobalId global, ThreadId thread) const;

  /// Where the first object of a region lies.
  std::uint64_t first_of(Region region, ThreadId thread) const;
  /// Where the object after one of `size` bytes at `address` lies; none if the region is full.
  std::optional<std::uint64_t> after(std::uint64_t address, std::uint64_t size) const;

  struct Owned {
    Region region;
    ThreadId thread;
  };
  /// Whose region an address lies in.
  std::optional<Owned> region_of(std::uint64_t address) const;

  /// The largest object, and how many threads there can be at a time.
  std::uint64_t largest_object() const;
  std::uint32_t most_threads() const;

 private:
  bool is_packed() const { return pointer_bytes_ == 8; }

  std::uint8_t pointer_bytes_;
  std::uint32_t functions_;
  std::vector<std::uint64_t> globals_;  ///< addresses; for thread-local ones offsets or numbers
  std::vector<bool> is_thread_local_;
};

}  // namespace heddle::model::c
