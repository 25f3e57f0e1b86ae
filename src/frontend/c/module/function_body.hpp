#pragma once

/// The body of one function, instruction by instruction (function_translation.cpp has the idea).

#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/c/module/locals.hpp"
#include "frontend/c/module/program_builder.hpp"

namespace llvm {
class AllocaInst;
class BasicBlock;
class CallBase;
class DILocalScope;
class DILocalVariable;
class DILocation;
class GetElementPtrInst;
class Instruction;
class IntrinsicInst;
class LoadInst;
class MemIntrinsic;
class StoreInst;
class Type;
class Value;
}  // namespace llvm

namespace heddle::frontend::c {

/// A scalar inside a value: structures in registers are split into these.
struct Leaf {
  std::uint64_t offset = 0;  ///< in bytes
  std::uint8_t width = 64;
  bool fits = true;  ///< otherwise a register only stands for it (long double, __int128)
};

/// The variable of the source that lives at this address, if it is one.
const llvm::DILocalVariable* variable_at(const llvm::Value* address);

class FunctionBody {
 public:
  FunctionBody(ProgramBuilder& builder, const llvm::Function& function);
  model::c::Function translate();

 private:
  using Operand = model::c::Operand;
  using Register = model::c::Register;

  // ---- Blocks (function_translation.cpp)
  void declare_parameters();
  void copy_structures_passed_by_value();
  void declare_locals();
  void translate(const llvm::BasicBlock& block, const llvm::BasicBlock* next);
  void translate_terminator(const llvm::Instruction& i, const llvm::BasicBlock* next);
  void go_to(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
             const llvm::BasicBlock* next);
  bool ends_here(const llvm::BasicBlock& block) const;
  void resolve_edges();
  void find_scopes();
  void add_variable(const llvm::DILocalVariable* variable, Register reg, bool is_address);

  // ---- Values
  std::vector<Leaf> leaves(llvm::Type* type) const;
  std::uint8_t width(llvm::Type* type) const;
  std::vector<Operand> operands(const llvm::Value* value);
  Operand operand(const llvm::Value* value);
  Operand computed_constant(const llvm::Constant& constant, std::uint8_t bits);
  Register fresh(std::uint8_t bits);
  /// The register for the result of an instruction: the variable that it is stored to at once, or
  /// a new one.
  Register target(const llvm::Instruction& i, std::uint8_t bits);
  /// The value of an instruction is this one.
  void pass(const llvm::Instruction& i, Operand value, std::uint8_t bits);
  Operand any(std::uint8_t bits, model::c::Choose::Why why, const std::string& what);
  static Operand number(std::uint64_t value) { return {Operand::Kind::Constant, 0, value}; }
  static Operand use(Register r) { return {Operand::Kind::Register, r.value, 0}; }
  std::optional<Register> variable_register(const llvm::Value* address) const;
  bool is_stable(const llvm::Instruction& load) const;

  // ---- Code
  void emit(model::c::Effect effect);
  void unsupported(const llvm::Instruction& i, const std::string& what);
  Operand compute(model::c::Operator op, std::uint8_t bits, Operand a, Operand b,
                  std::uint8_t to_bits = 0);
  Operand resized(Operand value, std::uint8_t from, std::uint8_t to, bool is_signed);
  Operand moved(Operand address, std::uint64_t by);

  // ---- Instructions (instructions.cpp)
  void translate(const llvm::Instruction& i);
  bool translate_arithmetic(const llvm::Instruction& i);
  bool translate_comparison(const llvm::Instruction& i);
  bool translate_cast(const llvm::Instruction& i);
  bool translate_aggregate(const llvm::Instruction& i);
  bool translate_memory(const llvm::Instruction& i);
  bool translate_atomic(const llvm::Instruction& i);
  void translate_alloca(const llvm::AllocaInst& i);
  void translate_load(const llvm::Instruction& i);
  void translate_store(const llvm::Instruction& i);
  void translate_gep(const llvm::GetElementPtrInst& i);
  void load_leaves(const llvm::Instruction& i, Operand address, bool is_atomic);
  void note_order(bool is_weak);

  // ---- Structures in words (padding.cpp)
  struct Span {
    std::uint64_t offset = 0;
    std::uint8_t bytes = 0;
  };
  std::optional<std::vector<Span>> members(llvm::Type* structure, std::uint64_t offset,
                                           std::uint64_t bytes) const;
  std::optional<Operand> load_members(const llvm::LoadInst& load, const Leaf& word,
                                      Operand address);
  bool store_members(const llvm::StoreInst& store, const Leaf& word, Operand address,
                     Operand value);
  std::optional<std::vector<Span>> members_copied(const llvm::MemIntrinsic& copy,
                                                  std::uint64_t size) const;

  // ---- Calls (calls.cpp, scans.cpp, prints.cpp, outputs.cpp, intrinsics.cpp, copies.cpp)
  void translate_call(const llvm::CallBase& call);
  bool translate_primitive(const llvm::CallBase& call, const llvm::Function& callee);
  bool translate_synchronisation(const llvm::CallBase& call, const std::string& name);
  bool translate_nondeterministic(const llvm::CallBase& call, const llvm::Function& callee);
  void translate_plain_call(const llvm::CallBase& call, const llvm::Function* callee);
  void unknown_results(const llvm::CallBase& call, const std::string& name);
  bool translate_scan(const llvm::CallBase& call, const std::string& name);
  bool translate_print(const llvm::CallBase& call, const std::string& name);
  void read_outputs(const llvm::CallBase& call, const std::string& name);
  void read_printed(const llvm::CallBase& call, unsigned format_at);
  void read_text(const llvm::Value* text);
  bool translate_creation(const llvm::CallBase& call);
  void run_at_exit();
  bool translate_intrinsic(const llvm::IntrinsicInst& call);
  bool translate_bits_intrinsic(const llvm::IntrinsicInst& call);
  bool translate_overflow_intrinsic(const llvm::IntrinsicInst& call);
  void translate_lifetime(const llvm::IntrinsicInst& call);
  bool translate_variable_arguments(const llvm::IntrinsicInst& call);
  void translate_copy(const llvm::MemIntrinsic& call);
  void translate_fill(const llvm::MemIntrinsic& call);
  std::vector<Operand> call_library(const char* name, std::vector<Operand> arguments,
                                    std::vector<std::uint8_t> results);
  std::string text_of(const llvm::Value* value) const;

  struct Edge {
    std::size_t instruction;
    std::size_t slot;
    const llvm::BasicBlock* from;
    const llvm::BasicBlock* to;
    model::c::Position position;
  };
  void skip_jumps(const Edge& edge);
  void set_target(std::size_t instruction, std::size_t slot, model::c::Location target);
  std::vector<std::pair<Register, Operand>> copies(const llvm::BasicBlock& from,
                                                   const llvm::BasicBlock& to);

  ProgramBuilder& builder_;
  const llvm::Function& function_;
  model::c::Function out_;
  Locals locals_;
  std::unordered_map<const llvm::Value*, std::vector<Operand>> values_;
  std::unordered_map<const llvm::AllocaInst*, Register> variables_;
  std::vector<bool> is_variable_;  ///< by register: it is assigned wherever the source says
  std::unordered_set<const llvm::Instruction*> done_;
  std::unordered_set<const llvm::Instruction*> unseen_;  ///< unseen_numbers.hpp
  std::unordered_map<const llvm::BasicBlock*, model::c::Location> starts_;
  std::unordered_map<const llvm::Instruction*, std::size_t> order_;  ///< inside its block
  std::vector<Edge> edges_;
  std::vector<const llvm::DILocalScope*> scopes_;  ///< of the instructions in `out_.code`
  std::vector<std::pair<std::size_t, const llvm::DILocalScope*>> variable_scopes_;
  model::c::Position here_;
  const llvm::DILocalScope* scope_ = nullptr;
};

}  // namespace heddle::frontend::c
