#pragma once

/// What may come next in a C program, for the search of check_safe.cpp: static analyses of control
/// flow, by code of the checker's own.
///
///   - Which registers are read before they are written again. The others are 0 in stored states.
///   - Which instructions a thread may still execute, itself or by threads that it creates. Only
///     those that access memory or manage threads are told apart.
///   - Which small globals some thread may read before it has written them itself. The others are 0
///     in stored states: whoever reads one reads what was written later than now.
///
/// Calls through pointers go to every function whose address is taken. The third analysis needs to
/// know which globals a load through a pointer reads; it begins with none and is told
/// (`note_read`): what is told after a decision was made spoils the search that made it.

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/c/unknown_words.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::check::c {

/// Rows of bits, as many in each.
class BitRows {
 public:
  void resize(std::size_t rows, std::size_t bits);
  bool has(std::size_t row, std::size_t bit) const {
    return (words_[row * width_ + bit / 64] >> bit % 64 & 1) != 0;
  }
  void set(std::size_t row, std::size_t bit);
  void reset(std::size_t row, std::size_t bit);
  /// Adds a row of `from`, which has the same width, to one of these; whether that changed it.
  bool add(std::size_t row, const BitRows& from, std::size_t from_row);
  void clear_row(std::size_t row);
  /// 64 bits of a row.
  std::uint64_t word(std::size_t row, std::size_t index) const {
    return words_[row * width_ + index];
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::uint64_t> words_;
};

/// A set of few bits, or of many that are close together. The words that are not 0, in order.
class SparseBits {
 public:
  /// Whether the bit is new.
  bool insert(std::uint32_t bit);
  bool is_empty() const { return words_.empty(); }
  bool intersects(const BitRows& rows, std::size_t row) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint64_t>> words_;  ///< index, bits
};

class ProgramFlow {
 public:
  explicit ProgramFlow(const model::c::Interpreter& interpreter);

  /// An instruction of the whole program.
  using Site = std::uint32_t;
  Site site_of(const model::c::Frame& frame) const {
    return first_site_[frame.function.index()] + frame.at.value;
  }
  /// Adds an instruction that accesses memory or manages threads; whether it is new.
  bool insert(SparseBits& sites, Site site) const { return sites.insert(told_bit_[site]); }
  /// Whether a thread may still execute one of them. Linear in the number of frames, and in that of
  /// the sites divided by 64: a program may have thousands of accesses to one variable.
  bool may_execute(const model::c::Thread& thread, const SparseBits& sites) const;
  /// Whether a thread may still create, join or detach others.
  bool may_manage(const model::c::Thread& thread) const;
  bool has_detach() const { return has_detach_; }

  /// In the frames of a thread.
  void clear_dead_registers(model::c::State& state, model::c::ThreadId thread,
                            UnknownWords& unknown) const;

  /// Tells that the next instruction of a frame reads a global, or that its bytes are a lock's.
  void note_read(const model::c::Frame& frame, std::uint64_t address);
  void note_lock(std::uint64_t address);
  bool has_learned() const { return has_learned_; }
  /// Uses what was told.
  void learn();
  void clear_dead_globals(model::c::State& state, UnknownWords& unknown) const;

 private:
  struct SmallGlobal {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool is_pinned = false;  ///< always kept
  };

  const model::c::Instruction& instruction(Site site) const { return *instructions_[site]; }
  std::vector<Site> successors(std::uint32_t function, Site site) const;
  std::vector<std::uint32_t> callees(const model::c::Operand& callee) const;
  std::vector<std::uint32_t> entered(Site site) const;
  void find_targets();
  void find_sites();
  void find_live_registers(std::uint32_t function);
  void note_static_reads();
  void find_live_globals();
  template <class Visit>
  void for_each_site_backwards(const Visit& visit) const;
  std::uint32_t number_of_global(const model::c::Operand& operand) const;

  const model::c::Program& program_;
  const model::c::AddressSpace& addresses_;
  std::vector<Site> first_site_;  ///< of each function, and of the end
  std::vector<const model::c::Instruction*> instructions_;
  std::vector<std::vector<Site>> successors_;
  std::vector<std::uint32_t> taken_;  ///< functions

  BitRows live_registers_;               ///< before each instruction
  std::vector<std::uint32_t> told_bit_;  ///< of the instructions that are told apart
  BitRows executed_;                     ///< from each instruction on
  SparseBits managing_;
  bool has_detach_ = false;

  std::vector<SmallGlobal> globals_;
  std::vector<std::uint32_t> small_global_;  ///< by number of the global
  std::unordered_map<std::uint64_t, std::uint32_t> at_address_;
  std::set<std::pair<Site, std::uint32_t>> reads_;
  BitRows live_globals_;
  bool has_learned_ = false;
};

}  // namespace heddle::check::c
