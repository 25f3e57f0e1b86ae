#pragma once

/// How a thread program covers a C program: what its points, variables and numbers stand for. With
/// this map and the C program, every transition can be derived again, one instruction at a time,
/// without any search (check/c/covering). As data; nothing in it is believed.
///
/// Addresses are invented numbers: object `o` lies at `base`, `base` + 1, …; functions and handles
/// of threads have numbers of their own.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

// Numbers of addresses. As positive words of 32 bits.
constexpr std::uint64_t kFirstFunctionNumber = 0x30000000;
constexpr std::uint64_t kFirstHandleNumber = 0x38000000;
constexpr std::uint64_t kFirstObjectNumber = 0x40000000;
constexpr std::uint64_t kObjectNumbersEnd = 0x7fff0000;
/// How many addresses an object that stands for many has, at least.
constexpr std::uint64_t kSummaryRange = 1 << 16;
/// The bytes from the beginning of a mutex that the semantics uses.
constexpr std::uint64_t kMutexBytes = 24;

constexpr std::uint64_t number_of_function(c::FunctionId f) {
  return kFirstFunctionNumber + 16 * f.index();
}
constexpr std::uint64_t number_of_handle(std::uint32_t thread) {
  return kFirstHandleNumber + 2 * std::uint64_t{thread};
}

struct Covering {
  /// Where a value may point to. Sorted.
  struct Targets {
    bool is_arbitrary = false;  ///< may be a number that was not made from an address
    std::vector<std::uint32_t> objects, functions;
    std::vector<std::uint32_t> handles;  ///< of threads
    friend bool operator==(const Targets&, const Targets&) = default;
  };

  /// A chain of calls.
  struct Context {
    std::uint32_t thread = 0;
    std::optional<std::uint32_t> caller;
    c::Location call;  ///< in the caller
    c::FunctionId function;
    friend bool operator==(const Context&, const Context&) = default;
  };

  struct Object {
    enum class Kind : std::uint8_t { Global, ThreadLocal, Stack, Heap };
    Kind kind = Kind::Global;
    std::uint32_t global = 0;   ///< of Global and ThreadLocal
    std::uint32_t thread = 0;   ///< of all but Global: whose it is
    std::uint32_t context = 0;  ///< of Stack and Heap: where it is allocated
    c::Location at;
    std::uint64_t base = 0;
    std::optional<std::uint64_t> size;  ///< none: depends on data
    bool is_blurred = false;            ///< reads give any value, writes have no effect
    bool is_summary = false;            ///< stands for many objects; blurred
    Targets content;                    ///< if blurred
    friend bool operator==(const Object&, const Object&) = default;
  };

  /// A part of an object that is not blurred.
  struct Cell {
    std::uint32_t object = 0;
    std::uint64_t offset = 0;
    std::uint8_t bytes = 4;
    bool is_signed = true;
    bool is_constant = false;  ///< nobody writes to it
    std::optional<std::uint32_t> variable;
    Targets content;
    /// A lock made by hand: the cell is 0 or this, and the variable says who changed it from 0.
    std::optional<std::uint64_t> lock_value;
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  struct Mutex {
    std::uint32_t object = 0;
    std::uint64_t offset = 0;
    std::uint32_t kind = 0;
    bool is_broken = false;  ///< excludes nobody
    std::optional<std::uint32_t> owner, depth;
    friend bool operator==(const Mutex&, const Mutex&) = default;
  };

  struct Register {
    std::uint32_t context = 0;
    std::uint32_t reg = 0;
    bool is_signed = true;
    std::optional<std::uint32_t> variable;
    Targets content;
    friend bool operator==(const Register&, const Register&) = default;
  };

  /// A register of a context, or a cell, has a value wherever control is at a point.
  struct Constant {
    bool is_cell = false;
    std::uint32_t context = 0;  ///< of a register
    std::uint32_t index = 0;    ///< the register, or the cell
    std::uint64_t value = 0;
    friend bool operator==(const Constant&, const Constant&) = default;
  };

  struct Place {
    PointInfo::Kind kind = PointInfo::Kind::Ordinary;
    std::uint32_t origin = 0;  ///< unless ordinary: the point from which it is reached
    std::uint32_t context = 0;
    c::Location at;
    std::uint32_t sections = 0;
    bool is_asleep = false;  ///< in a condition wait
    std::optional<std::uint32_t> creates;
    std::vector<Constant> constants;
    friend bool operator==(const Place&, const Place&) = default;
  };

  struct Thread {
    c::FunctionId start;
    std::uint32_t root = 0;  ///< context
    std::uint64_t handle = 0;
    bool is_replicated = false;
    bool is_waited_for = false;   ///< joining it waits for its end
    bool is_joined_once = false;  ///< at most: joining it gives 0
    std::uint32_t entry = 0;
    std::optional<std::uint32_t> self, status, result;  ///< variables
    Targets result_content;
    std::vector<Place> places;
    friend bool operator==(const Thread&, const Thread&) = default;
  };

  struct Variable {
    std::string symbol;  ///< empty: not used
    std::string name;
    std::optional<std::uint32_t> owner;
    friend bool operator==(const Variable&, const Variable&) = default;
  };

  std::vector<Variable> variables;
  std::vector<Context> contexts;
  std::vector<Object> objects;
  std::vector<Cell> cells;
  std::vector<Mutex> mutexes;
  std::vector<Register> registers;
  std::vector<Thread> threads;
  friend bool operator==(const Covering&, const Covering&) = default;
};

}  // namespace heddle::model::threads
