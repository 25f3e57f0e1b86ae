#pragma once

/// The program as it grows: functions, globals, types and files get their numbers when something
/// that is reachable from the entry refers to them for the first time, so what is never referred to
/// costs nothing and warns about nothing.

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "frontend/c/read.hpp"
#include "model/c/program.hpp"

namespace llvm {
class Constant;
class DIFile;
class DILocation;
class DIType;
class DataLayout;
class Function;
class GlobalVariable;
class Module;
class Type;
}  // namespace llvm

namespace heddle::frontend::c {

class ProgramBuilder {
 public:
  ProgramBuilder(const llvm::Module& module, const std::unordered_set<std::string>& from_library,
                 const ReadOptions& options);

  model::c::Program build(const llvm::Function& entry);

  // ---- Numbers of things
  model::c::FunctionId function(const llvm::Function& function);
  model::c::GlobalId global(const llvm::GlobalVariable& variable);
  /// Nothing for what has no type in the debug information.
  std::optional<model::c::TypeId> type(const llvm::DIType* type);
  model::c::Position position(const llvm::DILocation* location);
  model::c::Position position(const llvm::DIFile* file, unsigned line);

  // ---- Constants
  /// A constant of one register; nothing if it has to be computed or does not fit.
  std::optional<model::c::Operand> operand(const llvm::Constant& constant);

  // ---- Facts
  const llvm::Module& module() const { return module_; }
  const llvm::DataLayout& layout() const { return layout_; }
  const ReadOptions& options() const { return options_; }
  std::uint8_t pointer_width() const {
    return static_cast<std::uint8_t>(8 * options_.pointer_bytes);
  }
  bool is_library(const llvm::Function& function) const;
  bool is_error_function(const llvm::Function& function) const;
  /// Whether our model of this function is part of the program.
  bool uses(const char* function) const;
  /// Functions with attribute `destructor`, in the order in which they run.
  std::vector<const llvm::Function*> functions_at_exit() const;
  bool has_functions_at_exit() const { return uses("atexit") || !functions_at_exit().empty(); }
  bool keeps_pointers() const { return options_.keeps_pointers; }

  /// One warning a function.
  void warn_unknown_function(const std::string& name, const model::c::Position& position);
  void warn(const std::string& text);
  base::Diagnostics& errors() { return errors_; }

 private:
  void define(model::c::FunctionId id, const llvm::Function& function);
  model::c::Function start(const llvm::Function& entry);
  std::vector<const llvm::Function*> listed(const char* list, bool last_first) const;
  void initialise(model::c::GlobalId id, const llvm::GlobalVariable& variable);
  void write(const llvm::Constant& constant, std::uint64_t offset, model::c::Global& global);
  bool write_composite(const llvm::Constant& constant, std::uint64_t offset,
                       model::c::Global& global);
  std::optional<model::c::Operand> constant_expression(const llvm::Constant& constant);
  model::c::Type describe(const llvm::DIType& type, model::c::TypeId id);
  void describe_composite(const llvm::DIType& type, model::c::TypeId id, model::c::Type& out);

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  const std::unordered_set<std::string>& from_library_;
  const ReadOptions& options_;
  model::c::Program program_;
  base::Diagnostics errors_;
  std::unordered_map<const llvm::Function*, model::c::FunctionId> function_ids_;
  std::unordered_map<const llvm::GlobalVariable*, model::c::GlobalId> global_ids_;
  std::unordered_map<const llvm::DIType*, model::c::TypeId> type_ids_;
  std::unordered_map<const llvm::DIFile*, std::uint32_t> file_ids_;
  std::unordered_map<std::string, std::uint32_t> file_names_;
  std::unordered_set<std::string> warned_;
  std::deque<const llvm::Function*> functions_to_do_;
  std::deque<const llvm::GlobalVariable*> globals_to_do_;
};

}  // namespace heddle::frontend::c
