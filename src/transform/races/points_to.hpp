#pragma once

/// Where pointers of a C program may point to, roughly. See points_to.cpp.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::transform::races {

/// All objects that one declaration, one allocation, or one call of an allocating function makes.
struct ObjectPlace {
  enum class Kind : std::uint8_t { Global, Allocation, Function } kind = Kind::Global;
  std::uint32_t index = 0;  ///< of the global or function; of an allocation: its function
  std::uint32_t at = 0;     ///< of an allocation: its location
  friend auto operator<=>(const ObjectPlace&, const ObjectPlace&) = default;
};

/// The offsets `offset` + i · `stride`; one offset if the stride is 0. With a stride, the offset is
/// less than it and not negative.
struct Offsets {
  std::uint64_t stride = 0;
  std::int64_t offset = 0;
  friend auto operator<=>(const Offsets&, const Offsets&) = default;

  bool includes(const Offsets& other) const;
  /// Some of `bytes` bytes here and `other_bytes` bytes there are the same.
  bool overlaps(const Offsets& other, std::uint64_t bytes, std::uint64_t other_bytes) const;
};
inline constexpr Offsets kAnyOffset{1, 0};

struct Spot {
  ObjectPlace object;
  Offsets offsets;
  /// Computed from the argument of the thread, where each thread of this start routine was given
  /// another element or object.
  bool is_own = false;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};
using Spots = std::set<Spot>;

/// A place where threads are created.
struct Creation {
  std::uint32_t function = 0, at = 0, start = 0;
  friend auto operator<=>(const Creation&, const Creation&) = default;
};

class PointsTo {
 public:
  /// A few passes over the program; `stops` is asked now and then.
  PointsTo(const model::c::Program& program, const std::function<bool()>& stops);

  const model::c::Program& program() const { return program_; }
  /// Of an operand of an instruction of that function.
  Spots values(std::uint32_t function, const model::c::Operand& operand) const;
  /// What may be stored there.
  Spots stored(const ObjectPlace& object, const Offsets& where) const;
  /// Functions that a function may call: location of the call, callee.
  const std::set<std::pair<std::uint32_t, std::uint32_t>>& calls(std::uint32_t function) const {
    return calls_[function];
  }
  const std::set<Creation>& creations() const { return creations_; }
  /// Objects that creators hand over to threads.
  const Spots& handed_over() const { return handed_over_; }
  /// Whether the instruction may be executed again in the same call of the function.
  bool is_in_loop(std::uint32_t function, std::uint32_t at) const { return in_loop_[function][at]; }
  /// The strongly connected component of an instruction: its outermost loop, or itself.
  std::uint32_t loop(std::uint32_t function, std::uint32_t at) const { return loop_[function][at]; }
  /// Whether the function may be called more than once.
  bool is_repeated(std::uint32_t function) const;
  /// Functions that are called from there, directly or not, and the function itself.
  std::vector<bool> reached_from(std::uint32_t function) const;

 private:
  std::uint64_t multiple_of(const model::c::Operand& operand) const;
  void find_multiples();
  void find_loops();
  void follow(const model::c::Effect& effect);
  void follow(const model::c::Compute& effect);
  void follow(const model::c::Call& effect);
  void follow(const model::c::Synchronise& effect);
  void follow_store(const model::c::Operand& address, const model::c::Operand& value);
  Spots loaded(const model::c::Operand& address) const;
  Spots moved(const Spots& spots, const model::c::Operand& by, bool is_forward) const;
  bool is_wrapper(std::uint32_t callee, const ObjectPlace& object) const;
  void pass(std::uint32_t callee, std::size_t parameter, const Spots& argument);
  void add(Spots& to, const Spots& more);
  void set(model::c::Register to, const Spots& spots) {
    add(registers_[function_][to.index()], spots);
  }
  Spots values(const model::c::Operand& operand) const { return values(function_, operand); }

  const model::c::Program& program_;
  std::vector<std::vector<Spots>> registers_;
  std::vector<std::vector<std::uint64_t>> multiples_;  ///< a divisor of all values of a register
  std::vector<std::vector<bool>> in_loop_;
  std::vector<std::vector<std::uint32_t>> loop_;
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> calls_;
  std::map<ObjectPlace, std::map<Offsets, Spots>> content_;
  std::set<Creation> creations_;
  Spots handed_over_;
  bool is_changed_ = false;
  std::uint32_t function_ = 0, at_ = 0;
};

}  // namespace heddle::transform::races
