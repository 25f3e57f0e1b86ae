#pragma once

/// Where the objects of a C program are in the sequential program. See places.cpp.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transform/sequential_c/flow.hpp"

namespace heddle::transform::sequential_c {

struct ObjectTag;
/// The globals of the program, then its allocations: instructions that make objects.
using ObjectId = base::Id<ObjectTag>;

/// What an address is known to be: somewhere in an object.
struct Tracked {
  ObjectId object;
  std::optional<std::uint64_t> offset;
  friend bool operator==(const Tracked&, const Tracked&) = default;
};

/// A variable of the sequential program: some bytes of an object that are only accessed together
/// and by their name.
struct Cell {
  enum class Kind : std::uint8_t {
    Constant,  ///< nobody writes to it
    Local,     ///< of a function
    Own,       ///< one thread uses it, or nobody writes to it once there are several threads, or
               ///< every thread has one of its own
    Shared     ///< a copy for each round
  };
  Kind kind = Kind::Shared;
  ObjectId object;
  std::uint64_t offset = 0;
  std::uint8_t bytes = 4;
  std::string name;
  std::uint64_t initial = 0;
  bool is_undefined = false;          ///< at first: any value
  std::optional<std::uint64_t> most;  ///< no greater value is stored
};

/// A mutex whose parts are cells.
struct MutexCells {
  std::size_t owner = 0;
  std::optional<std::size_t> count, kind;  ///< no count: not recursive. No kind: it is `fixed_kind`
  std::uint32_t fixed_kind = 0;
};

/// An object that lives in an array of bytes.
struct Stored {
  std::uint32_t first_number = 0;  ///< objects are numbered from 1
  std::uint32_t first_thread = 0;  ///< one for each thread from this one on, ...
  std::uint32_t threads = 1;       ///< ... as many as these
  std::uint32_t copies = 1;        ///< of each thread
  std::uint64_t size = 0;
  bool is_private = false;  ///< one thread knows its address, or nobody writes to it: one copy
  bool is_mortal = false;   ///< it has a byte that says whether it is alive
  std::uint32_t numbers() const { return threads * copies; }
};

/// How an instruction uses an object.
struct Use {
  FunctionId function;
  Location at;
  std::optional<std::uint64_t> offset;
  std::uint64_t bytes = 0;
  bool is_write = false;
  bool is_mutex = false;
};

class Places {
 public:
  /// Precondition: the flow bounds the number of threads. Throws Refusal.
  Places(const Program& program, const ControlFlow& flow, std::uint32_t threads);

  std::optional<Tracked> tracked(FunctionId function, const model::c::Operand& operand) const;
  /// The cell that an access is about; none if it goes to the arrays.
  const Cell* cell(const std::optional<Tracked>& at, std::uint64_t bytes) const;
  const MutexCells* mutex(const std::optional<Tracked>& at) const;
  bool is_stored(ObjectId object) const { return stored_.contains(object); }
  const Stored& stored(ObjectId object) const { return stored_.at(object); }
  const std::map<ObjectId, Stored>& all_stored() const { return stored_; }
  const std::vector<Cell>& cells() const { return cells_; }
  /// By object and offset.
  const std::map<std::pair<ObjectId, std::uint64_t>, MutexCells>& mutexes() const {
    return mutexes_;
  }
  ObjectId allocation(FunctionId function, Location at) const;
  /// Where an allocation stands.
  std::pair<FunctionId, Location> site(ObjectId object) const {
    return sites_[object.index() - program_.globals.size()];
  }
  bool is_global(ObjectId object) const { return object.index() < program_.globals.size(); }
  std::uint64_t size_of(ObjectId object) const;
  /// Of an object that is stored.
  std::uint32_t last_number() const { return last_number_; }
  /// Whether other threads may know the object.
  bool escapes(ObjectId object) const { return facts_[object.index()].escapes; }
  /// Whether a local cell may be read before it is written.
  bool may_be_read_first(const Cell& cell) const;

  // Addresses: a number above, an offset below.
  unsigned shift() const { return program_.pointer_bytes == 8 ? 32 : 16; }
  std::uint64_t first_offset() const { return program_.pointer_bytes == 8 ? 0x10000 : 0x1000; }
  std::uint64_t address(std::uint32_t number) const {
    return (std::uint64_t{number} << shift()) + first_offset();
  }
  std::uint64_t address_of(FunctionId function) const {
    return address(last_number_ + 1 + function.value);
  }

 private:
  struct Facts {
    bool escapes = false;        ///< its address goes where it is not followed
    bool needs_address = false;  ///< its address is a value
    std::vector<Use> uses;
    std::vector<std::uint64_t> mutexes;  ///< offsets
    std::set<std::uint64_t> kinds;       ///< that mutexes are initialised with
    bool has_unknown_kind = false;
  };

  void track(FunctionId function);
  void look_at(FunctionId function, Location at);
  void look_at(FunctionId function, Location at, const model::c::Synchronise& sync);
  void use(FunctionId function, Location at, const model::c::Operand& address, std::uint64_t bytes,
           bool is_write);
  void use_mutex(FunctionId function, Location at, const model::c::Operand& mutex);
  void escape(FunctionId function, const model::c::Operand& operand);
  void need(FunctionId function, const model::c::Operand& operand);
  bool fits_cells(ObjectId object) const;
  void make_cells(ObjectId object);
  Cell::Kind kind_of(ObjectId object, std::uint64_t offset, std::uint64_t bytes) const;
  std::size_t add_cell(ObjectId object, std::uint64_t offset, std::uint8_t bytes,
                       const std::string& part);
  void add_mutex(ObjectId object, std::uint64_t offset);
  void store(ObjectId object);
  std::string name_of(ObjectId object) const;
  model::c::Position position_of(ObjectId object) const;

  const Program& program_;
  const ControlFlow& flow_;
  std::uint32_t threads_;
  std::vector<std::pair<FunctionId, Location>> sites_;
  std::map<std::pair<FunctionId, Location>, ObjectId> allocations_;
  std::vector<Facts> facts_;
  std::vector<std::vector<std::optional<Tracked>>> tracked_;  ///< by function and register
  std::vector<Cell> cells_;
  std::map<std::pair<ObjectId, std::uint64_t>, std::size_t> cell_at_;
  std::map<std::pair<ObjectId, std::uint64_t>, MutexCells> mutexes_;
  std::map<ObjectId, Stored> stored_;
  std::uint32_t last_number_ = 0;
};

/// The registers that an instruction assigns.
std::vector<model::c::Register> assigned(const model::c::Effect& effect);

}  // namespace heddle::transform::sequential_c
