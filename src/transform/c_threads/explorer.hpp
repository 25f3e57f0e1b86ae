#pragma once

/// Executes a C program abstractly and writes down what it does as a thread program. See
/// threads_of_c.cpp for the idea.

#include <array>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/c/word_terms.hpp"
#include "model/threads/thread_program.hpp"
#include "transform/c_threads/abstract_memory.hpp"
#include "transform/c_threads/register_facts.hpp"
#include "transform/c_threads/threads_of_c.hpp"

namespace heddle::transform::c_threads {

using model::c::words::bits_of;
using model::c::words::constant_word;
using model::c::words::equal_words;
using model::c::words::represent;
using model::c::words::resize;
using model::c::words::unsigned_value;
using model::c::words::Word;

/// What cannot be translated, with the place. Caught by `threads_of_c`.
struct RefusedError {
  Refusal refusal;
};

/// A followed constant: of a register of a context, or of a cell.
struct Slot {
  bool is_cell = false;
  std::uint32_t context = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
using Constants = std::map<Slot, std::uint64_t>;

/// Where a thread stands: an instruction in a chain of calls, with the constants known there.
struct Node {
  std::uint32_t thread = 0;
  std::uint32_t context = 0;
  model::c::Location at;
  std::uint32_t sections = 0;
  bool is_asleep = false;  ///< in a condition wait
  Constants constants;
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// A chain of calls.
struct Context {
  std::uint32_t thread = 0;
  std::optional<std::uint32_t> caller;
  model::c::Location call;  ///< in the caller
  model::c::FunctionId function;
  std::uint32_t depth = 0;
};

struct Value {
  Word word;
  ValueSet set;
};

/// A transition under construction.
struct Step {
  term::Term guard = term::constant(true);
  std::vector<model::threads::Assignment> assignments;
  std::vector<model::threads::Input> inputs;
  std::optional<model::threads::Creation> creation;
  bool is_abstract = false;
  std::optional<model::threads::VariableId> range_check_of;
  Node next;
};

/// A place that an access may fall into.
struct Candidate {
  term::Term condition = term::constant(true);
  std::optional<CellId> cell;  ///< none: the object is blurred
  ObjectId object;
  std::optional<std::uint64_t> offset;  ///< if it is known
};
struct Candidates {
  std::vector<Candidate> list;
  term::Term unknown =
      term::constant(false);  ///< when the access falls elsewhere, we know not where
  bool is_total = false;      ///< one of the list, for certain
};

struct MutexPlace {
  term::Term condition = term::constant(true);
  model::threads::VariableId owner, depth;
  std::uint32_t kind = 0;
  bool is_broken = false;  ///< does not exclude anybody
};

class Explorer {
 public:
  Explorer(const model::c::Program& program, const Options& options);

  Covered run();

 private:
  friend class CoveringOf;
  // ---- passes (explorer.cpp)
  void explore();
  /// Draws conclusions from a finished pass; sets `changed_` if another one is needed.
  void review();
  void review_threads(const std::vector<bool>& repeated);
  void review_cells();
  void review_inherited();
  std::set<std::uint32_t> nodes_behind_creations(std::uint32_t thread) const;
  bool is_before_creation(std::uint32_t thread, std::uint32_t node,
                          std::map<std::uint32_t, std::set<std::uint32_t>>& behind) const;
  /// By node: whether it lies on a cycle of the pass's graph.
  std::vector<bool> repeated_nodes() const;
  void expand(std::uint32_t node);
  Covered finish();
  // What everything stands for (explorer_covering.cpp).
  model::threads::Covering covering(const model::threads::ThreadProgram& program) const;

  std::uint32_t thread_for(const std::string& key, model::c::FunctionId start,
                           std::uint32_t creator);
  std::uint32_t context_for(const Context& context);
  model::threads::Point point_of(const Node& node);
  model::threads::Point special_point(const Node& node, model::threads::PointInfo::Kind kind);
  void limit_copies(const Node& node);
  void emit(Step step);
  void emit_to(Step step, model::threads::Point to);
  Step step_to(model::c::Location next) const;
  Step step_on() const { return step_to(model::c::Location(node_.at.index() + 1)); }
  void forget_dead(Node& node) const;
  void mark_blocking();

  // ---- values (explorer_values.cpp)
  const model::c::Function& function() const;
  const model::c::Function& function_of(std::uint32_t context) const;
  Value eval(const model::c::Operand& operand, std::uint8_t width);
  Value register_value(std::uint32_t context, model::c::Register reg);
  void set(Step& step, std::uint32_t context, model::c::Register reg, const Value& value);
  Value any(Step& step, std::uint8_t width, bool is_signed);
  /// Whether two values are equal exactly if their numbers are.
  bool is_comparable(const Value& a, const Value& b) const;
  bool is_followed(std::uint32_t context, model::c::Register reg) const;
  bool is_live(const Step& step, model::c::Register reg) const;
  model::threads::VariableId register_variable(std::uint32_t context, model::c::Register reg);
  model::threads::VariableId new_variable(const std::string& name, std::uint8_t width,
                                          bool is_signed, model::threads::Variable::Kind kind);
  std::uint8_t pointer_width() const {
    return static_cast<std::uint8_t>(8 * program_.pointer_bytes);
  }
  Value number(std::uint64_t bits, std::uint8_t width);
  std::optional<Value> compute_value(const model::c::Compute& e, const Value& a, const Value& b,
                                     const Value& c, bool is_signed);

  // ---- instructions (explorer_effects.cpp)
  void execute(const model::c::Compute& e);
  /// Whether the instruction was executed with a check of the range.
  bool execute_checked(const model::c::Compute& e, const Value& a, const Value& b);
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
  void call(const model::c::Call& e, model::c::FunctionId callee, const term::Term& guard);
  void end_thread(const Value& result);
  void havoc(Step& step, ObjectId object);
  /// Mutexes in a new object are free.
  void free_mutexes(Step& step, ObjectId object);

  // ---- memory (explorer_memory.cpp)
  void refuse_far_address(const Value& from, const Value& address);
  Candidates resolve(const Value& address, std::uint8_t bytes);
  void add_candidates(Candidates& out, ObjectId object, const term::Term& address,
                      std::uint8_t bytes);
  Candidate candidate_at(ObjectId object, std::uint64_t offset, std::uint8_t bytes);
  /// The guard of an access, and the transition for accesses that fall we know not where.
  term::Term access_guard(const Candidates& candidates);
  Value load(Step& step, const Candidates& candidates, std::uint8_t bytes, bool is_signed,
             bool is_wanted);
  Value load_cell(Step& step, const Candidate& candidate, std::uint8_t bytes, bool is_wanted);
  void store(Step& step, const Candidates& candidates, std::uint8_t bytes, const Value& value,
             const term::Term& condition = term::constant(true));
  model::threads::VariableId cell_variable(CellId cell);
  void describe_cell(model::threads::VariableId variable, CellId cell);
  /// Cells that are locks made by hand. Whether there was a new one.
  bool find_locks();
  void blur(ObjectId object);
  ObjectId allocated_object(const model::c::Allocate& e, std::uint64_t size);
  bool overlaps_mutex(ObjectId object, std::uint64_t offset, std::uint64_t bytes, bool writes);

  // ---- synchronisation (explorer_sync.cpp)
  void create_thread(const model::c::Synchronise& e);
  void join_thread(const model::c::Synchronise& e);
  void join(const model::c::Synchronise& e, std::uint32_t thread, const term::Term& guard);
  void join_unknown(const model::c::Synchronise& e, const term::Term& guard);
  void lock(const model::c::Synchronise& e, const model::c::Operand& mutex, bool may_time_out);
  void try_lock(const model::c::Synchronise& e);
  void unlock(const model::c::Synchronise& e, const model::c::Operand& mutex, bool sleeps);
  void init_mutex(const model::c::Synchronise& e);
  void wait(const model::c::Synchronise& e);
  std::vector<MutexPlace> mutexes(const Value& address, bool& is_total);
  MutexPlace mutex_at(ObjectId object, std::uint64_t offset);
  void finish(Step step, const model::c::Synchronise& e, std::uint64_t result);
  void finish_any(Step step, const model::c::Synchronise& e);
  term::Term self() const;
  std::uint32_t number_of(std::uint32_t thread) const;
  model::threads::VariableId status_variable(std::uint32_t thread);
  model::threads::VariableId result_variable(std::uint32_t thread);

  struct ThreadInfo {
    std::string key;
    model::c::FunctionId start;
    std::optional<std::uint32_t> creator;
    bool is_replicated = false;
    bool is_detached = false;
    bool is_joined_often = false;
    ValueSet results;
    std::uint32_t root = 0;  ///< context
    std::optional<model::threads::VariableId> self, status, result;
    // of a pass:
    bool is_used = false;
    std::vector<std::uint32_t> creations;  ///< nodes
    std::vector<std::uint32_t> joins;
    model::threads::Thread made;
  };

  [[noreturn]] void refuse(const std::string& why) const;
  void change() { changed_ = true; }

  const model::c::Program& program_;
  Options options_;
  RegisterFacts facts_;
  AbstractMemory memory_;

  // Kept from pass to pass; grows only.
  std::vector<Context> contexts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      context_ids_;
  std::vector<ThreadInfo> threads_;
  std::map<std::string, std::uint32_t> thread_ids_;
  std::vector<model::threads::Variable> variables_;
  std::set<std::string> symbols_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, model::threads::VariableId> register_variables_;
  std::map<std::uint32_t, model::threads::VariableId> cell_variables_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ValueSet> register_sets_;
  std::map<std::uint32_t, ValueSet> cell_sets_;
  std::map<std::uint32_t, ValueSet> blurred_sets_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> unfollowed_;  ///< function, register
  std::set<std::uint32_t> wanted_cells_, unfollowed_cells_, stored_cells_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> not_inherited_;  ///< cell, thread
  std::set<std::string> repeated_allocations_;
  std::map<std::uint32_t, std::uint64_t> locks_;  ///< cell → its value when taken
  std::set<std::uint32_t> not_locks_;
  struct MutexInfo {
    model::threads::VariableId owner, depth;
    std::set<std::uint32_t> kinds;
    bool is_broken = false;
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, MutexInfo> mutexes_;
  std::set<std::uint32_t> mixed_mutexes_;           ///< objects whose mutexes are not told apart
  std::map<std::uint32_t, std::uint32_t> compact_;  ///< numbers of threads that are used
  bool changed_ = false;
  bool joins_by_number_ =
      false;                    ///< in this pass, some join was by a handle that may be any number
  bool joins_anybody_ = false;  ///< in the end, too: handles may still have been unknown

  // Of a pass.
  std::vector<Node> nodes_;
  std::map<Node, std::uint32_t> node_ids_;
  std::vector<model::threads::Point> node_points_;
  std::deque<std::uint32_t> work_;
  std::vector<std::vector<std::uint32_t>> edges_;
  std::map<std::pair<std::uint32_t, model::threads::PointInfo::Kind>, model::threads::Point>
      special_points_;  ///< by node
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
      copies_;
  std::map<std::uint32_t, std::set<std::uint32_t>> cell_users_;  ///< threads
  /// By cell: nodes that write to it, and the constant, if it is one.
  std::map<std::uint32_t, std::map<std::uint32_t, std::optional<std::uint64_t>>> cell_writers_;
  std::map<std::string, std::set<std::uint32_t>> allocations_;  ///< key → nodes
  /// Cell, and a thread that knows these constants at first.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint64_t>> inherited_;
  std::map<std::uint32_t, std::set<std::uint64_t>> stored_values_;  ///< cell → constants
  std::set<std::uint32_t> stored_others_;                           ///< cells with other values
  std::set<std::uint32_t> tested_and_set_;  ///< cells that are set in sections, or by exchanges
  std::map<std::uint32_t, std::set<std::uint32_t>> followers_;  ///< cell → threads
  bool is_abandoned_ = false;
  std::uint32_t inputs_ = 0;
  std::uint32_t current_ = 0;
  Node node_;
  const model::c::Instruction* instruction_ = nullptr;
};

}  // namespace heddle::transform::c_threads
