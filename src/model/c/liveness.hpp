#pragma once

#include <cstdint>
#include <vector>

#include "model/c/program.hpp"
#include "model/c/state.hpp"

namespace heddle::model::c {

/// Which registers are read again before they are written. Registers that are not are set to 0
/// where states are stored, so that states that differ in them only are one state.
class Liveness {
 public:
  explicit Liveness(const Program& program);

  /// Whether a register of one of a thread's frames is read again, by its number in the frame.
  bool is_live(const Thread& thread, std::size_t frame, std::size_t reg) const;
  /// Clears the dead registers of all frames of a thread.
  void clear_dead(State& state, ThreadId thread) const;

 private:
  struct OfFunction {
    std::size_t words = 0;              ///< of a set of registers
    std::vector<std::uint64_t> before;  ///< for each location, one set after the other
    std::vector<std::uint64_t> after;   ///< the same without what the instruction reads itself
  };
  static OfFunction analyse(const Function& function);

  std::vector<OfFunction> functions_;
};

/// The registers that an instruction reads and writes, and where control goes within the function.
struct RegisterUse {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
  std::vector<std::uint32_t> next;
};
RegisterUse flow_of(const Function& function, std::uint32_t location);

}  // namespace heddle::model::c
