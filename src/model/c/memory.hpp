#pragma once

/// Memory: objects made of bytes. A byte is a number or undefined; an access names an address and a
/// width, and the address decides which object it falls into (address_space.hpp). Casts, unions and
/// byte-wise copies need no further rule.
///
/// Numbers are little-endian. Copies of a memory share their objects until one is written to.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/c/address_space.hpp"
#include "model/c/copy_on_write.hpp"

namespace heddle::model::c {

struct Object {
  enum class Kind : std::uint8_t { Global, ThreadLocal, Stack, Heap, Library };

  std::uint64_t size = 0;
  Kind kind = Kind::Global;
  bool is_constant = false;
  bool is_alive = true;       ///< a stack object outside its block is not
  bool rest_is_zero = false;  ///< what lies behind `bytes`: zero, or undefined
  bool is_shared = false;  ///< kept by engines: threads other than the owner may know its address
  ThreadId owner;          ///< of objects that are not globals

  bool is_allocated() const { return kind == Kind::Heap || kind == Kind::Library; }

  /// The first bytes, as many as were written to; `undefined` is as long, or empty: none of them
  /// is.
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> undefined;

  /// For who numbers contents; 0 after every change.
  mutable std::uint32_t content_number = 0;
};

enum class AccessError : std::uint8_t {
  None,
  Null,         ///< the address is less than 4096
  OutOfBounds,  ///< next to an object or partly in it
  Freed,        ///< of a heap object that was freed
  Dead,         ///< of a stack object after its block or function has ended
  NoObject,     ///< none of the above
  Constant      ///< a write to a constant
};

std::string_view to_string(AccessError error);

class Memory {
 public:
  struct Slot {
    std::uint64_t address = 0;
    CopyOnWrite<Object> object;
  };

  struct Loaded {
    AccessError error = AccessError::None;
    std::uint64_t value = 0;      ///< undefined bytes are 0
    std::uint64_t undefined = 0;  ///< 255 in each byte that is undefined
  };

  /// Where an access falls.
  struct ResolvedAddress {
    AccessError error = AccessError::None;
    std::uint32_t slot = 0;  ///< of the object, or of the one nearest
    std::uint64_t offset = 0;
    bool has_slot = false;
  };

  /// `bytes` ≤ 8 for load and store.
  ResolvedAddress locate(std::uint64_t address, std::uint64_t bytes) const;
  Loaded load(std::uint64_t address, std::uint8_t bytes) const;
  AccessError store(std::uint64_t address, std::uint8_t bytes, std::uint64_t value);
  /// Stores into an object that a correct program does not write to, or whose bytes are ours.
  AccessError store_anyway(std::uint64_t address, std::uint8_t bytes, std::uint64_t value);

  /// Adds an object at an address that no object has.
  void add(std::uint64_t address, Object object);
  /// Removes the object that begins here.
  void remove(std::uint64_t address);
  /// Removes the objects that begin in [first, end).
  void remove_range(std::uint64_t first, std::uint64_t end);

  /// In the order of their addresses.
  const std::vector<Slot>& slots() const { return slots_; }
  const Object& object(std::uint32_t slot) const { return *slots_[slot].object; }
  Object& change(std::uint32_t slot);
  /// The slot of the object that begins here.
  std::optional<std::uint32_t> slot_at(std::uint64_t address) const;

  /// Puts back what `slots` was; in the order of their addresses.
  void assign(std::vector<Slot> slots) { slots_ = std::move(slots); }

 private:
  std::vector<Slot> slots_;
};

/// The byte at `offset` of an object; none if it is undefined. Precondition: inside the object.
std::optional<std::uint8_t> byte_of(const Object& object, std::uint64_t offset);
/// Makes all bytes undefined.
void make_undefined(Object& object);

}  // namespace heddle::model::c
