#pragma once

/// Addresses and words of a state, as the C source names and writes them.

#include <cstdint>
#include <optional>
#include <string>

#include "model/c/interpreter.hpp"

namespace heddle::model::c {

/// A part of an object: "queue.items[2].next" and its type.
struct NamedPlace {
  std::string name;
  std::optional<TypeId> type;          ///< of exactly these bytes
  std::optional<ThreadId> owner = {};  ///< of variables that belong to a thread
  bool is_library = false;             ///< an object that the program does not know
};

/// What lies at an address. Variables by their names and parts by members and indices; heap objects
/// as "heap object N of thread T". "address 0x…" if there is no object.
NamedPlace name_of(const Interpreter& interpreter, const State& state, std::uint64_t address,
                   std::uint64_t bytes);

/// The name of a mutex, which is as large as glibc's.
std::string name_of_mutex(const Interpreter& interpreter, const State& state,
                          std::uint64_t address);

/// A word as C writes it: by its type, and pointers as "&x", "NULL" or the name of a function.
std::string text_of_word(const Interpreter& interpreter, const State& state, std::uint64_t word,
                         std::uint64_t bytes, std::optional<TypeId> type);

}  // namespace heddle::model::c
