#pragma once

/// What the files of the rebuilding share. See covering.cpp.

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "model/c/word_terms.hpp"
#include "model/threads/covering.hpp"

namespace heddle::check::c::covering {

using Targets = model::threads::Covering::Targets;

bool is_plain(const Targets& targets);
Targets united(const Targets& a, const Targets& b);
bool is_within(const Targets& inner, const Targets& outer);
Targets arbitrary();

/// What an operand may be: a word, and where it may point to.
struct Value {
  model::c::words::Word word;
  Targets targets;
};

/// A register of a context, or a cell.
struct Slot {
  bool is_cell = false;
  std::uint32_t context = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
using Known = std::map<Slot, std::uint64_t>;

/// Where an access may fall.
struct Target {
  term::Term condition = term::constant(true);
  std::uint32_t object = 0;
  std::optional<std::uint32_t> cell;    ///< none: the object is blurred
  std::optional<std::uint64_t> offset;  ///< if it is known
};
struct Access {
  std::vector<Target> list;
  term::Term elsewhere = term::constant(false);  ///< in an object, at no cell of it
  bool is_certain = false;                       ///< it is the one of the list
};

/// A mutex that may be meant.
struct MutexTarget {
  term::Term condition = term::constant(true);
  const model::threads::Covering::Mutex* mutex = nullptr;  ///< none: one that excludes nobody
};

/// One transition under construction.
struct Move {
  term::Term guard = term::constant(true);
  std::map<std::uint32_t, term::Term> assignments;  ///< by variable
  std::vector<model::threads::Input> inputs;
  std::optional<model::threads::Creation> creation;
  std::uint32_t context = 0;
  model::c::Location at;
  std::uint32_t sections = 0;
  bool is_asleep = false;
  Known known;
};

class Rebuild {
 public:
  Rebuild(const model::c::Program& program, const model::threads::Covering& covering);
  model::threads::ThreadProgram run();
  /// Likewise, with `accesses`.
  CoveredAccesses run_for_races();
  CoveredAccesses run_with_accesses();

 private:
  using Covering = model::threads::Covering;
  using Term = term::Term;

  // ---- the whole (covering.cpp)
  void check_form() const;
  void check_targets(const Targets& targets) const;
  void check_places(std::uint32_t thread) const;
  void index();
  void check_objects();
  void check_cells() const;
  void check_mutexes(std::uint32_t object) const;
  void make_variables();
  void describe(std::uint32_t variable, std::uint8_t width, bool is_signed,
                model::threads::Variable::Kind kind, std::optional<base::Integer> initial,
                const std::optional<std::uint32_t>& owner);
  void describe_cells();
  void make_points();
  void execute_all();
  struct Write {
    std::uint32_t thread = 0;
    std::uint32_t point = 0;
    std::optional<std::uint64_t> constant;
  };
  // What rests on all transitions together.
  void check_threads() const;
  void check_allocations() const;
  void check_escapes() const;
  bool creates_itself(std::uint32_t thread) const;
  void check_constants() const;
  bool is_before_creation(std::uint32_t thread, const Write& write) const;
  bool may_come_to(std::uint32_t thread, std::uint32_t from, std::uint32_t to) const;
  bool is_on_cycle(std::uint32_t thread, std::uint32_t point) const;
  bool is_once(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& points) const;
  bool is_replicated(std::uint32_t thread) const { return map_.threads[thread].is_replicated; }
  /// May two addresses with the same number be those of two objects? Those of a thread of which
  /// there are many are its own alone, unless they are blurred (check_escapes).
  bool stands_for_many(std::uint32_t object) const;

  [[noreturn]] void object_to(const std::string& what) const;
  /// The covering is more than this checker knows about.
  [[noreturn]] void give_up(const std::string& what) const;
  std::string here() const;

  // ---- transitions (covering_moves.cpp)
  Move move_to(model::c::Location next) const;
  Move move_on() const { return move_to(model::c::Location(place_->at.index() + 1)); }
  void emit(Move move);
  void emit_special(Move move, model::threads::PointInfo::Kind kind);
  bool has_special(model::threads::PointInfo::Kind kind) const;
  void add(Move move, std::uint32_t to);
  void may_block();
  void execute(const model::c::Compute& e);
  void execute(const model::c::Choose& e);
  void execute(const model::c::Assign& e);
  void execute(const model::c::Jump& e);
  void execute(const model::c::Branch& e);
  void execute(const model::c::Switch& e);
  void execute(const model::c::Call& e);
  void execute(const model::c::Return& e);
  void execute(const model::c::Allocate& e);
  void execute(const model::c::Free& e);
  void execute(const model::c::Lifetime& e);
  void execute(const model::c::ObjectSize& e);
  void execute(const model::c::Load& e);
  void execute(const model::c::Store& e);
  void execute(const model::c::ReadModifyWrite& e);
  void execute(const model::c::CompareExchange& e);
  void execute(const model::c::Synchronise& e);
  void execute(const model::c::Assume& e);
  void execute(const model::c::Fail& e);
  void execute(const model::c::Exit& e);
  void execute(const model::c::Unsupported& e);
  void call(const model::c::Call& e, std::uint32_t function, const Term& guard);
  void end_thread(const Value& result);

  // ---- accesses, for data races (covering_accesses.cpp)
  void record_accesses();
  void record(const model::c::Operand& address, std::uint64_t bytes, bool writes, bool is_atomic);
  void record_free(const model::c::Operand& address);
  void check_joins() const;
  WaitingPlace& record_waiting(WaitingPlace::Kind kind);
  void record_condition(const model::c::Synchronise& e, WaitingPlace::Kind kind);

  // ---- values (covering_values.cpp)
  const model::c::Function& function_of(std::uint32_t context) const;
  std::uint8_t pointer_width() const {
    return static_cast<std::uint8_t>(8 * program_.pointer_bytes);
  }
  Value eval(const model::c::Operand& operand, std::uint8_t width);
  Value number(std::uint64_t bits, std::uint8_t width, Targets targets = {}) const;
  Value any(Move& move, std::uint8_t width, bool is_signed);
  std::optional<Value> computed(const model::c::Compute& e, const Value& a, const Value& b,
                                const Value& c, bool is_signed) const;
  /// Gives up if a plain number could be taken for an address.
  void check_number(const Value& value, const Targets& content) const;
  /// Where a value with these bits points to.
  Targets narrowed(const Targets& targets, std::uint64_t bits) const;
  bool is_comparable(const Value& a, const Value& b) const;
  std::optional<Targets> targets_of(const model::c::Compute& e, const Value& a, const Value& b,
                                    const Value& c) const;
  void set(Move& move, std::uint32_t context, model::c::Register reg, const Value& value);
  const Covering::Register* register_of(std::uint32_t context, std::uint32_t reg) const;
  bool is_signed(std::uint32_t context, model::c::Register reg) const;
  Term read(std::uint32_t variable) const;
  void write(Move& move, std::uint32_t variable, const Term& value) const;

  // ---- memory (covering_memory.cpp)
  Access access(const Value& address, std::uint8_t bytes) const;
  void add_targets(Access& out, std::uint32_t object, const Term& address,
                   std::uint8_t bytes) const;
  Term guard_of(const Access& access);
  Value load(Move& move, const Access& access, std::uint8_t bytes, bool is_signed);
  Value load_one(Move& move, const Target& target, std::uint8_t bytes);
  void store(Move& move, const Access& access, std::uint8_t bytes, const Value& value,
             const Term& condition = term::constant(true));
  Value modified(Move& move, const model::c::ReadModifyWrite& e, const Value& old,
                 const Value& operand);
  void store_cell(Move& move, std::uint32_t cell, const Value& value, const Term& when);
  void begin_object(Move& move, std::uint32_t object, bool is_zeroed);
  std::optional<std::uint32_t> find_cell(std::uint32_t object, std::uint64_t offset,
                                         std::uint8_t bytes) const;
  const Covering::Mutex* mutex_over(const Covering::Cell& cell) const;
  std::uint32_t allocated(const model::c::Allocate& e) const;
  std::optional<std::uint32_t> object_at(const Value& address) const;
  /// The word at the beginning; none: any. Addresses as numbers.
  std::optional<std::uint64_t> initial_word(const Covering::Cell& cell, Targets* targets) const;

  // ---- synchronisation (covering_sync.cpp)
  void create(const model::c::Synchronise& e);
  void join(const model::c::Synchronise& e);
  void join_one(const model::c::Synchronise& e, std::uint32_t thread, const Term& guard);
  bool is_followed_to_its_end(std::uint32_t thread) const;
  void join_unknown(const model::c::Synchronise& e, const Term& guard);
  void detach(const model::c::Synchronise& e);
  void init_mutex(const model::c::Synchronise& e);
  void lock(const model::c::Synchronise& e, const model::c::Operand& mutex, bool wakes);
  void try_lock(const model::c::Synchronise& e);
  void unlock(const model::c::Synchronise& e, const model::c::Operand& mutex, bool sleeps);
  void wait(const model::c::Synchronise& e);
  std::vector<MutexTarget> mutexes(const Value& address);
  void finish(Move move, const model::c::Synchronise& e, std::uint64_t result);
  void finish_any(Move move, const model::c::Synchronise& e);
  Term self() const;
  Term owner_of(const MutexTarget& target) const;
  void deepen(Move& move, const MutexTarget& target, int by) const;

  const model::c::Program& program_;
  const Covering& map_;
  model::threads::ThreadProgram made_;

  // Indices of the covering.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      contexts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> registers_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint8_t>, std::uint32_t> cells_;
  std::vector<std::vector<std::uint32_t>> cells_of_, mutexes_of_;  ///< by object
  using PlaceKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool>;
  std::map<PlaceKey, std::vector<std::uint32_t>> places_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, model::threads::PointInfo::Kind>, std::uint32_t>
      special_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> allocated_;
  std::map<std::pair<std::uint32_t, std::optional<std::uint32_t>>, std::uint32_t> globals_;

  // What the transitions did.
  std::map<std::uint32_t, std::vector<Write>> writes_;  ///< by cell
  /// Points, by thread created or joined, or by object allocated.
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> creations_, joins_,
      allocations_;
  bool joins_any_ = false;
  std::set<std::uint32_t> joiners_of_any_;  ///< threads
  bool is_for_races_ = false;
  bool records_accesses_ = false;
  std::vector<MemoryAccess> accesses_;
  std::vector<WaitingPlace> waiting_;
  std::set<std::uint32_t> roles_;  ///< variables that stand for something
  std::vector<std::vector<std::vector<std::uint32_t>>> next_;  ///< by thread and point
  std::uint32_t inputs_ = 0;

  // The point being executed.
  std::uint32_t thread_ = 0, point_ = 0;
  std::optional<std::uint32_t> created_;  ///< whose locals get their first values
  const Covering::Place* place_ = nullptr;
  const model::c::Instruction* instruction_ = nullptr;
  Known known_;
  Move extra_;  ///< inputs for registers that have no variable
};

}  // namespace heddle::check::c::covering
