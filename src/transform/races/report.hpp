#pragma once

/// What people are told about pairs of accesses in conflict.

#include <string>
#include <vector>

#include "transform/races/pairs.hpp"

namespace heddle::transform::races {

/// One of two accesses, as a person sees it.
struct AccessPlace {
  std::string thread;  ///< the function that it began with
  bool is_write = false;
  bool is_atomic = false;
  model::c::Position position;       ///< of the call, if the library accesses
  std::vector<std::string> mutexes;  ///< held
};

/// A pair that could be neither excluded nor confirmed.
struct Warning {
  std::string variable;
  AccessPlace first, second;
};

/// A variable that several threads use, and what keeps them apart.
struct Protection {
  std::string variable;
  std::string how;  ///< `mutex m`, `only read`, `atomic operations`, `order of threads`
};

/// Of open pairs, each pair of places once, in the order of the source.
std::vector<Warning> warnings(const model::c::Program& program,
                              const model::threads::ThreadProgram& threads,
                              const model::threads::Covering& covering, const blocks::Facts& facts,
                              const Conflicts& conflicts);

/// Of variables without open pairs, by name.
std::vector<Protection> protections(const model::c::Program& program,
                                    const model::threads::ThreadProgram& threads,
                                    const model::threads::Covering& covering,
                                    const blocks::Facts& facts, const Conflicts& conflicts);

/// `counter: written at line 12 by add holding no mutex, and read at line 20 by main holding m`
std::string to_text(const model::c::Program& program, const Warning& warning);

}  // namespace heddle::transform::races
