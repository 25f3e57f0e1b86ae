#pragma once

/// Words that can be anything, for the plain search of check_safe.cpp. Where the program chooses a
/// word among too many to try them all, or reads uninitialised memory, the word is *unknown*: a
/// symbol stands for it, in a register or in memory. Symbols follow words around:
///
///   - Copies have the same symbol, in registers, as arguments and results of functions, and in
///     memory; an extension has the symbol of the word that was extended.
///   - A comparison of two places with the same symbol has the result that equal words have. Any
///     other comparison with an unknown word has every result that some word gives it. If it shows
///     that the word is equal to a known one, all its copies are known from then on; if it shows
///     that two unknown words are equal, they have one symbol from then on. Likewise a switch, a
///     branch, an assumption.
///   - Comparisons with known words also narrow an interval in which the word lies (arcs.hpp).
///   - The result of other arithmetic with an unknown word is a new unknown word: what it has to do
///     with the old one is forgotten, but for an interval of the simplest operations. If the old
///     one is one of few, they are tried one by one instead.
///   - A word that is read where known bytes lie beside unknown ones (a copy of a structure with
///     padding) is unknown, and it is remembered what it is composed of: where it is stored, the
///     known bytes are known again, and the others have the symbols that they had.
///   - Whatever else depends on an unknown word (an address, a divisor) ends the check.
///
/// Two places with one symbol hold equal words in every execution that is meant; places with
/// different symbols may hold equal words, too. So the search sees every execution and perhaps
/// more: if it finds nothing bad, there is nothing bad; what it finds after a comparison or after
/// arithmetic may not exist.
///
/// The contents of unknown places are 0 in states, which makes copies right by themselves.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "check/c/arcs.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::check::c {

/// An unknown word, or an extension of one.
struct Symbol {
  enum class Form : std::uint8_t { Plain, ZeroExtended, SignExtended };
  std::uint32_t number = 0;
  std::uint8_t width = 0;  ///< of the word itself, in bits
  Form form = Form::Plain;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct Moment;

class UnknownWords {
 public:
  /// `forgets`: what comparisons have shown is forgotten, where states are stored, about words that
  /// are in memory only, but for the last ones. Fewer states; what is found may not exist.
  explicit UnknownWords(bool forgets) : forgets_(forgets) {}
  UnknownWords() = default;

  bool is_empty() const { return registers_.empty() && memory_.empty(); }

  /// A new symbol for a word of `width` bits in a register of a thread's top frame.
  void add(const model::c::Interpreter& interpreter, model::c::State& state,
           model::c::ThreadId thread, model::c::Register to, std::uint8_t width);
  /// The same for the memory that the register was loaded from.
  void add_loaded(const model::c::Interpreter& interpreter, model::c::State& state,
                  model::c::ThreadId thread, const model::c::Load& load, std::uint64_t address);
  /// The same if only some of its bytes are unknown: those with a bit in the mask, and those that
  /// are unknown already. Precondition: the contents of the former are 0.
  void add_partly_loaded(const model::c::Interpreter& interpreter, model::c::State& state,
                         model::c::ThreadId thread, const model::c::Load& load,
                         std::uint64_t address, std::uint64_t unknown_bits);

  /// Whether the instruction that a thread executes next depends on an unknown word.
  bool matter_to(const model::c::Interpreter& interpreter, const model::c::State& state,
                 model::c::ThreadId thread) const;

  /// What instructions may do with unknown words for which there are no trials.
  struct Permissions {
    bool arithmetic = true;  ///< false: its errors are asked about
    bool memory = true;      ///< false: what memory holds decides who can step
  };
  /// Whether `follow` knows what the next instruction does with them.
  bool can_follow(const model::c::Interpreter& interpreter, const model::c::State& state,
                  model::c::ThreadId thread, const Permissions& permissions) const;

  /// After a step: what it wrote is known, or unknown where it is a copy or was computed from
  /// something unknown; what is gone is forgotten. Whether something else was forgotten, so that
  /// what follows may not exist.
  bool follow(const model::c::Interpreter& interpreter, const model::c::State& before,
              model::c::State& after, model::c::ThreadId thread);

  /// For a decision (a comparison, a branch, an assumption, a switch, a choice between two words)
  /// on unknown words: moments with contents for them, one for each outcome at least, and with what
  /// that shows. Empty for other instructions.
  static std::vector<Moment> trials(const model::c::Interpreter& interpreter, const Moment& moment,
                                    model::c::ThreadId thread);

  /// Whether part of an unknown word lies there, and part of it elsewhere.
  bool cuts(std::uint64_t address, std::uint64_t bytes) const;

  /// A register that nothing reads any more, by its index in its thread.
  void forget(model::c::ThreadId thread, std::uint32_t index);
  /// Memory that nothing reads any more, or the contents of which are known.
  void forget_memory(std::uint64_t address, std::uint64_t bytes);

  /// Numbers the symbols in the order of the places, so that like moments are equal, and forgets.
  void renumber();
  /// Appends what distinguishes these from others.
  void write(std::vector<std::uint32_t>& row) const;

 private:
  struct InRegister {
    std::uint32_t thread = 0;
    std::uint32_t index = 0;  ///< among all registers of the thread
    Symbol symbol;
  };
  struct InMemory {
    std::uint64_t address = 0;
    std::uint8_t bytes = 0;
    Symbol symbol;
  };
  struct InArc {
    std::uint32_t number = 0;
    Arc arc;
    std::uint32_t time = 0;  ///< when it was found out; later ones have greater times
  };
  /// The word with this symbol is `known`, with these words in it.
  struct Composition {
    struct Part {
      std::uint8_t offset = 0;  ///< in bytes
      std::uint8_t bytes = 0;
      Symbol symbol;
    };
    std::uint32_t number = 0;
    std::uint64_t known = 0;
    std::vector<Part> parts;
  };
  class Step;
  class Trials;

  bool can_follow(const model::c::Interpreter& interpreter, const model::c::State& state,
                  model::c::ThreadId thread, const model::c::CompareExchange& exchange) const;
  const model::c::Operand* one_of_few(const model::c::State& state, model::c::ThreadId thread,
                                      const model::c::Compute& effect) const;
  static std::optional<Symbol> at(const std::vector<InRegister>& registers,
                                  model::c::ThreadId thread, std::uint32_t index);
  std::optional<Symbol> of(const model::c::State& state, model::c::ThreadId thread,
                           const model::c::Operand& operand) const;
  bool has(const model::c::State& state, model::c::ThreadId thread,
           const model::c::Operand& operand) const {
    return of(state, thread, operand).has_value();
  }
  /// The first and behind the last of those that overlap with these bytes, by their indices.
  std::pair<std::size_t, std::size_t> found_in(std::uint64_t address, std::uint64_t bytes) const;
  const InMemory* exactly_at(std::uint64_t address, std::uint8_t bytes) const;
  bool overlaps(std::uint64_t address, std::uint64_t bytes) const;
  void set(model::c::ThreadId thread, std::uint32_t index, const Symbol& symbol);
  void set_memory(std::uint64_t address, std::uint8_t bytes, const Symbol& symbol);
  Symbol fresh(std::uint8_t width);
  /// The word was read from there, where no unknown word lies partly outside.
  void compose(const Symbol& symbol, const model::c::State& state, std::uint64_t address,
               std::uint8_t bytes);
  const Composition* composition_of(const Symbol& symbol) const;
  /// Where the word itself lies.
  Arc arc_of(const Symbol& symbol) const;
  void set_arc(const Symbol& symbol, const Arc& arc);
  bool is_one_of_few(const Symbol& symbol) const;

  /// Every plain copy of the word is known; in memory, if that is to be forgotten, by its arc.
  void settle(const Symbol& symbol, std::uint64_t value, model::c::State& state);
  /// The two words are equal.
  void unite(const Symbol& kept, const Symbol& other);

  std::vector<InRegister> registers_;      ///< by thread and index
  std::vector<InMemory> memory_;           ///< by address; disjoint
  std::vector<InArc> arcs_;                ///< by number; of words that are not anywhere
  std::vector<Composition> compositions_;  ///< by number
  std::uint32_t next_ = 0;                 ///< numbers of symbols are less
  bool forgets_ = false;
};

/// Whose turn it is, and in which round; not counted: 0.
struct Turn {
  std::uint16_t round = 0;
  std::uint16_t thread = 0;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// A state, which of its words are unknown, and whose turn it is.
struct Moment {
  model::c::State state;
  UnknownWords unknown;
  Turn turn = {};
};

}  // namespace heddle::check::c
