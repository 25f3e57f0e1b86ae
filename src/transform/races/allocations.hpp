#pragma once

/// Objects that are allocated one by one and given to threads. See allocations.cpp.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "transform/races/accesses.hpp"

namespace heddle::transform::races {

class Allocations {
 public:
  Allocations(const model::c::Program& program, const model::threads::Covering& covering,
              const model::threads::ThreadProgram& threads);

  /// Adds variables that only say what happens (model/threads/instances.hpp) to the program.
  void number_objects(model::threads::ThreadProgram& threads) const;

  /// Which of the objects of one place an access falls into; none if that is not known.
  std::optional<term::Term> number_of(const MemoryAccess& access) const;

 private:
  using Register = std::pair<std::uint32_t, std::uint32_t>;         ///< context, register
  using Pointers = std::vector<std::optional<std::set<Register>>>;  ///< by point

  struct Site {
    std::uint32_t thread = 0;  ///< that allocates
    Pointers latest;           ///< into the latest object
  };
  struct Gift {
    std::uint32_t object = 0;
    Pointers pointers;  ///< into the object given
  };

  const model::c::Instruction& instruction(std::uint32_t thread, std::uint32_t point) const;
  bool is_site(std::uint32_t thread, std::uint32_t point, std::uint32_t object) const;
  Pointers follow(const model::threads::ThreadProgram& threads, std::uint32_t thread,
                  std::set<Register> first, std::uint32_t object) const;
  std::set<Register> step(std::uint32_t thread, std::uint32_t from, std::uint32_t to,
                          const std::set<Register>& before, std::uint32_t object) const;
  bool is_number(std::uint32_t context, const model::c::Operand& operand) const;
  bool holds(const Pointers& pointers, std::uint32_t thread, std::uint32_t point,
             const model::c::Operand& operand) const;
  std::optional<std::uint32_t> argument_of(std::uint32_t thread) const;

  const model::c::Program& program_;
  const model::threads::Covering& map_;
  std::map<std::uint32_t, Site> sites_;  ///< by object
  std::map<std::uint32_t, Gift> gifts_;  ///< by thread
};

}  // namespace heddle::transform::races
