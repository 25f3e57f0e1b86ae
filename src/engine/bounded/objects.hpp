#pragma once

/// The objects and threads of an unrolled program. Their numbers stay the same when the program is
/// unrolled again: an object is known by the place in the unrolled program at which it is
/// allocated.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/bounded/path.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::engine::bounded {

/// A thread, and a place in its unrolled program.
using PlaceKey = std::vector<std::uint32_t>;

struct ObjectInfo {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  const model::c::Global* global = nullptr;  ///< whose initial bytes it has
  bool is_zeroed = false;                    ///< initially; otherwise undefined, unless a global
  bool is_function = false;
  bool is_constant = false;
  bool is_heap = false;
  bool is_mark = false;  ///< that a heap object has been freed
};

class Objects {
 public:
  explicit Objects(const model::c::Interpreter& interpreter);

  const ObjectInfo& operator[](std::uint32_t object) const { return objects_[object]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(objects_.size()); }
  std::uint32_t of_function(model::c::FunctionId function) const {
    return first_function_ + function.value;
  }
  model::c::FunctionId function(std::uint32_t object) const {
    return model::c::FunctionId(object - first_function_);
  }
  std::uint32_t of_global(model::c::GlobalId global, std::uint32_t thread);
  /// None if the thread's region is full.
  std::optional<std::uint32_t> allocated(const PlaceKey& place, std::uint32_t thread,
                                         model::c::Region region, std::uint64_t size,
                                         bool is_zeroed);
  /// Words that the semantics keeps about a thread: that it has ended, and its result.
  std::uint32_t end_of_thread(std::uint32_t thread);
  std::uint32_t result_of_thread(std::uint32_t thread);
  /// A byte about a heap object: that it has been freed.
  std::uint32_t freed(std::uint32_t object);
  /// The number of the thread that is created at a place; the entry's is 0.
  std::uint32_t thread_created_at(const PlaceKey& place);
  /// The object that an address lies in.
  std::optional<std::uint32_t> at(std::uint64_t address) const;

  /// The initial byte at an offset; undefined bytes are inputs.
  const Byte& initial(Circuit& circuit, std::uint32_t object, std::uint32_t offset);
  /// Inputs belong to a circuit: they are made anew for another one.
  void forget_inputs() {
    inputs_.clear();
    undefined_.clear();
  }
  /// Inputs that stand for bytes that are undefined initially, of the circuit of today.
  const std::vector<Wire>& undefined() const { return undefined_; }

 private:
  std::uint32_t add(const ObjectInfo& object);
  std::uint32_t kept(const PlaceKey& key, const ObjectInfo& object);
  Byte initial_of_global(const ObjectInfo& object, std::uint32_t offset);

  const model::c::Interpreter& interpreter_;
  std::vector<ObjectInfo> objects_;
  std::map<std::uint64_t, std::uint32_t> by_address_;
  std::map<PlaceKey, std::uint32_t> known_;
  std::map<std::pair<std::uint32_t, model::c::Region>, std::uint64_t> next_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Byte> inputs_;
  std::vector<Wire> undefined_;
  std::map<PlaceKey, std::uint32_t> threads_;
  std::uint32_t first_function_ = 0;
};

}  // namespace heddle::engine::bounded
