#pragma once

/// Which globals a thread may still read or write: a static analysis of the whole program.
///
/// Registers carry sets of globals whose addresses their values may be derived from, through any
/// arithmetic; memory carries one such set, of all that is ever stored, and loads get it from
/// there. From these, each instruction has the globals that it may access, each location those that
/// may be accessed from there on in its function and in what it calls, and a thread those of all
/// its frames and of the threads that it may create.
///
/// Of small globals it also says whether a thread may read them before it has written them itself.
/// If no thread may, what they hold now is never read: whoever reads one reads what is written
/// later.
///
/// Not seen are addresses that a program makes out of nothing (an input used as a pointer, bits
/// tested one by one). An access to a global that its instruction should not access is noticed when
/// it is executed (`foresees`): like an access to another's private object, it is a failure of one
/// thread, up to which the analysis was right, and the exploration starts again without it.

#include <cstdint>
#include <set>
#include <vector>

#include "model/c/interpreter.hpp"

namespace heddle::engine::explore {

/// Functions whose address is used other than to call them or to start threads with them.
std::set<std::uint32_t> functions_taken(const model::c::Program& program);

class FutureAccesses {
 public:
  explicit FutureAccesses(const model::c::Program& program);

  /// Whether a thread, or one that it creates, may access a global from where it stands.
  bool may_access(const model::c::Thread& thread, model::c::GlobalId global, bool writes) const;
  /// Sets small globals to 0 that are written before they are read, by every thread.
  void clear_dead(model::c::State& state) const;
  /// Whether the instruction that a thread stands at may access the global. Cheap.
  bool foresees(const model::c::Frame& frame, model::c::GlobalId global) const;
  /// The global in a slot of memory: those that are not thread-local have the first ones.
  model::c::GlobalId global_in(std::uint32_t slot) const { return in_slots_[slot]; }
  /// Whether only the entry's thread creates, joins and detaches threads.
  bool only_entry_manages() const { return only_entry_manages_; }

 private:
  using Set = std::vector<std::uint64_t>;
  struct OfFunction {
    std::vector<Set> registers;  ///< globals that a register may point to
    Set results;
    std::vector<Set> reads, writes;              ///< from each location on, inclusive
    std::vector<Set> after_reads, after_writes;  ///< exclusive
    Set all_reads, all_writes;
    std::vector<Set> live, after_live;  ///< read before they are written, from each location on
    std::vector<std::uint32_t> calls;   ///< functions that may be called, from anywhere in it
    std::vector<std::uint32_t> starts;  ///< start routines of threads that it may create
  };

  Set empty() const { return Set(words_, 0); }
  Set of_operand(std::uint32_t function, const model::c::Operand& operand) const;
  void flow();
  bool flow_instruction(std::uint32_t function, const model::c::Effect& effect);
  bool flow_call(std::uint32_t caller, const model::c::Call& call);
  void collect_calls();
  void summarise();
  bool summarise_function(std::uint32_t function);
  bool find_live(std::uint32_t function);
  void own_accesses(std::uint32_t function, const model::c::Effect& effect, Set& reads,
                    Set& writes) const;
  bool may_be(std::uint32_t function, const model::c::Operand& operand,
              model::c::GlobalId global) const;
  std::vector<std::uint32_t> callees(const model::c::Operand& callee) const;

  const model::c::Program& program_;
  std::size_t words_;
  std::vector<OfFunction> functions_;
  Set memory_;                        ///< globals whose addresses may be in memory
  std::vector<std::uint32_t> taken_;  ///< functions whose address is used as a value
  std::vector<model::c::GlobalId> in_slots_;
  std::vector<std::uint32_t> small_slots_;  ///< of globals that `clear_dead` looks at
  bool only_entry_manages_ = false;
};

}  // namespace heddle::engine::explore
