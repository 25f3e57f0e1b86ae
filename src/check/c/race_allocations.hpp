#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "check/c/covering.hpp"

namespace heddle::check::c {

/// Which of the objects of one place of allocation an access falls into. See race_allocations.cpp.
class GivenObjects {
 public:
  /// Adds the numbers of objects (model/threads/instances.hpp) to a program that was derived from a
  /// covering.
  GivenObjects(const model::c::Program& program, const model::threads::Covering& covering,
               CoveredAccesses& derived);

  /// The number of the object, over variables of the access's thread; none if it is not known.
  std::optional<term::Term> number(const MemoryAccess& access) const;

 private:
  using Covering = model::threads::Covering;
  using Register = std::pair<std::uint32_t, std::uint32_t>;  ///< context, register
  using Registers = std::set<Register>;
  using AtPoints = std::vector<std::optional<Registers>>;  ///< none: not reached

  const model::c::Effect& effect(std::uint32_t thread, std::uint32_t point) const;
  bool allocates(std::uint32_t thread, std::uint32_t point, std::uint32_t object) const;
  AtPoints pointers(std::uint32_t thread, const Registers& at_entry, std::uint32_t object) const;
  Registers after(std::uint32_t thread, const model::threads::Transition& step,
                  const Registers& before, std::uint32_t object) const;
  bool is_one_of(const AtPoints& points, std::uint32_t thread, std::uint32_t point,
                 const model::c::Operand& operand) const;
  std::optional<std::uint32_t> given_to(std::uint32_t thread) const;
  bool is_always_the_latest(std::uint32_t thread, std::uint32_t object,
                            const AtPoints& latest) const;
  void count(std::uint32_t object);
  void hand_over(std::uint32_t thread, std::uint32_t object);

  const model::c::Program& program_;
  const Covering& map_;
  CoveredAccesses& derived_;
  std::map<std::uint32_t, AtPoints> latest_;  ///< by object: of the thread that allocates it
  std::map<std::uint32_t, std::pair<std::uint32_t, AtPoints>> given_;  ///< by thread: its object
};

}  // namespace heddle::check::c
