#pragma once

/// Memory as thread programs see it: objects with invented addresses, divided into cells. A cell is
/// what accesses of one width at one place use. Objects that are accessed in any other way, or that
/// stand for many, are *blurred*: reading gives any value, writing has no effect.
///
/// Addresses are numbers, so that pointers are ordinary integers. Equality of pointers is as in C;
/// nothing else about the numbers is used (the explorer makes other operations on them a choice).

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/c/program.hpp"
#include "model/threads/covering.hpp"

namespace heddle::transform::c_threads {

struct ObjectTag;
struct CellTag;
using ObjectId = base::Id<ObjectTag>;
using CellId = base::Id<CellTag>;

/// What a value may be, apart from which number: where it may point to.
struct ValueSet {
  bool is_arbitrary = false;  ///< may be a number that was not made from an address
  std::set<std::uint32_t> objects;
  std::set<std::uint32_t> functions;
  std::set<std::uint32_t> handles;  ///< of threads
  bool is_plain() const { return objects.empty() && functions.empty() && handles.empty(); }
  /// Whether anything was new.
  bool merge(const ValueSet& other);
};

struct Object {
  std::string name;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  bool has_size = true;  ///< false: depends on data, or there are several
  std::optional<model::c::TypeId> type;
  std::optional<model::c::GlobalId> global;
  std::optional<std::uint32_t> owner;  ///< the thread that has it in its stack or made it
  /// Where it is allocated, unless it is a global.
  std::optional<std::pair<std::uint32_t, model::c::Location>> allocation;
  bool is_heap = false;
  bool is_blurred = false;
  bool is_summary = false;  ///< stands for many objects, with addresses in a range
};

struct Cell {
  ObjectId object;
  std::uint64_t offset = 0;
  std::uint8_t bytes = 4;
};

class AbstractMemory {
 public:
  /// How many addresses a summary object covers, at least.
  static constexpr std::uint64_t kSummaryRange = model::threads::kSummaryRange;

  explicit AbstractMemory(const model::c::Program& program);

  const model::c::Program& program() const { return program_; }

  /// The object with this key, made if there is none.
  ObjectId object(const std::string& key, const Object& properties);
  Object& at(ObjectId id) { return objects_[id.index()]; }
  const Object& at(ObjectId id) const { return objects_[id.index()]; }
  std::size_t objects() const { return objects_.size(); }
  /// Whether there are enough numbers for the addresses of all of them.
  bool fits() const { return next_base_ < model::threads::kObjectNumbersEnd; }
  std::optional<ObjectId> find(std::uint64_t address) const;

  std::uint64_t of_function(model::c::FunctionId function) const;
  std::uint64_t of_handle(std::uint32_t thread) const;
  std::optional<std::uint32_t> function_at(std::uint64_t number) const;
  std::optional<std::uint32_t> handle_at(std::uint64_t number) const;

  CellId cell(ObjectId object, std::uint64_t offset, std::uint8_t bytes);
  const Cell& at(CellId id) const { return cells_[id.index()]; }
  std::size_t cells() const { return cells_.size(); }
  /// Cells of the object that overlap this range, except the one that equals it.
  bool overlaps_others(ObjectId object, std::uint64_t offset, std::uint64_t bytes) const;
  std::vector<CellId> cells_of(ObjectId object) const;

  /// Where accesses of this width may fall by the type of the object; no more than `limit`.
  std::optional<std::vector<std::uint64_t>> places(ObjectId object, std::uint8_t bytes,
                                                   std::size_t limit) const;

  /// `x`, `point.y`, `elements[3]`.
  std::string name_of(const Cell& cell) const;
  bool is_signed(const Cell& cell) const;

  /// The bits at the beginning, if they are known; addresses as numbers.
  std::optional<std::uint64_t> initial(const Cell& cell) const;
  ValueSet initial_set(const Cell& cell) const;
  /// Sets of numbers.
  ValueSet set_of(std::uint64_t number) const;

 private:
  /// The scalar that begins at an offset, with its name.
  struct Leaf {
    std::string name;
    const model::c::Type* type = nullptr;
  };
  Leaf leaf(model::c::TypeId type, std::uint64_t offset, std::uint64_t bytes) const;
  void collect(model::c::TypeId type, std::uint64_t base, std::uint8_t bytes, std::size_t limit,
               std::vector<std::uint64_t>& out) const;

  const model::c::Program& program_;
  std::vector<Object> objects_;
  std::map<std::string, ObjectId> by_key_;
  std::map<std::uint64_t, ObjectId> by_base_;
  std::uint64_t next_base_;
  std::vector<Cell> cells_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint8_t>, CellId> by_place_;
};

}  // namespace heddle::transform::c_threads
