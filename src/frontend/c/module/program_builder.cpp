#include "frontend/c/module/program_builder.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <filesystem>

#include "frontend/c/module/compile.hpp"
#include "frontend/c/module/function_translation.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

/// Clang stores every parameter to a variable; that alone is no use of it.
bool is_read(const llvm::Argument& argument) {
  for (const llvm::User* user : argument.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store) return true;
    for (const llvm::User* other : store->getPointerOperand()->users())
      if (other != store && !llvm::isa<llvm::StoreInst>(other) &&
          !llvm::isa<llvm::IntrinsicInst>(other))
        return true;
  }
  return false;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const llvm::Module& module,
                               const std::unordered_set<std::string>& from_library,
                               const ReadOptions& options)
    : module_(module),
      layout_(module.getDataLayout()),
      from_library_(from_library),
      options_(options) {
  program_.pointer_bytes = options.pointer_bytes;
  program_.keeps_pointers = options.keeps_pointers;
}

bool ProgramBuilder::is_library(const llvm::Function& function) const {
  return from_library_.contains(function.getName().str());
}

bool ProgramBuilder::uses(const char* name) const {
  const llvm::Function* model = module_.getFunction(name);
  return model && !model->isDeclaration() && is_library(*model);
}

/// The functions in `llvm.global_ctors` or `llvm.global_dtors`, which are pairs of a priority and a
/// function: smaller priorities first, the last ones of the same priority first if so wanted.
std::vector<const llvm::Function*> ProgramBuilder::listed(const char* list, bool last_first) const {
  std::vector<std::pair<std::uint64_t, const llvm::Function*>> found;
  const llvm::GlobalVariable* all = module_.getNamedGlobal(list);
  const auto* rows = all && all->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantArray>(all->getInitializer())
                         : nullptr;
  for (unsigned i = 0; rows && i < rows->getNumOperands(); ++i) {
    const auto* row = llvm::dyn_cast<llvm::ConstantStruct>(rows->getOperand(i));
    if (!row || row->getNumOperands() < 2) continue;
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(row->getOperand(0));
    const auto* one = llvm::dyn_cast<llvm::Function>(row->getOperand(1)->stripPointerCasts());
    if (priority && one) found.emplace_back(priority->getZExtValue(), one);
  }
  std::ranges::stable_sort(found, {}, [](const auto& row) { return row.first; });
  if (last_first) std::ranges::reverse(found);
  std::vector<const llvm::Function*> out;
  for (const auto& [priority, one] : found) out.push_back(one);
  return out;
}

std::vector<const llvm::Function*> ProgramBuilder::functions_at_exit() const {
  return listed("llvm.global_dtors", true);
}

bool ProgramBuilder::is_error_function(const llvm::Function& function) const {
  if (!options_.error_function.empty()) return function.getName() == options_.error_function;
  const auto& names = options_.error_functions;
  return std::find(names.begin(), names.end(), function.getName()) != names.end();
}

void ProgramBuilder::warn(const std::string& text) {
  if (warned_.insert(text).second) program_.warnings.push_back(text);
}

void ProgramBuilder::warn_unknown_function(const std::string& name, const m::Position& position) {
  if (!warned_.insert("function " + name).second) return;
  const std::string where = position.line == 0 ? std::string()
                                               : program_.files[position.file] + ":" +
                                                     std::to_string(position.line) + ": ";
  if (options_.unknown_functions == UnknownFunctions::Any) {
    program_.warnings.push_back(where + "function '" + name +
                                "' has no body: it returns any value and changes nothing");
    return;
  }
  base::Diagnostic error;
  if (position.line)
    error.location = {program_.files[position.file], position.line, position.column};
  error.message = "function '" + name + "' has no body";
  error.hint = "add the file that defines it, or allow unknown functions to return any value";
  errors_.push_back(std::move(error));
}

namespace {

/// As the user named the file. Clang divides absolute names where they leave the working directory.
std::string name_of(const llvm::DIFile& file) {
  const std::filesystem::path name = file.getFilename().str(), folder = file.getDirectory().str();
  if (name.is_absolute() || folder.empty() || folder == std::filesystem::current_path())
    return name_of_user(name.string());
  return (folder / name).string();
}

}  // namespace

m::Position ProgramBuilder::position(const llvm::DIFile* file, unsigned line) {
  if (!file || line == 0) return {};
  const auto [known, is_new] = file_ids_.try_emplace(file, 0);
  if (is_new) {
    const std::string name = name_of(*file);
    const auto [number, is_new_name] =
        file_names_.try_emplace(name, static_cast<std::uint32_t>(program_.files.size()));
    if (is_new_name) program_.files.push_back(name);
    known->second = number->second;
  }
  return {known->second, line, 0};
}

m::Position ProgramBuilder::position(const llvm::DILocation* location) {
  if (!location) return {};
  m::Position out = position(location->getFile(), location->getLine());
  if (out.line) out.column = location->getColumn();
  return out;
}

m::FunctionId ProgramBuilder::function(const llvm::Function& function) {
  const auto [known, is_new] = function_ids_.try_emplace(&function, program_.functions.size());
  if (is_new) {
    program_.functions.emplace_back().name = function.getName().str();
    functions_to_do_.push_back(&function);
  }
  return known->second;
}

m::GlobalId ProgramBuilder::global(const llvm::GlobalVariable& variable) {
  const auto [known, is_new] = global_ids_.try_emplace(&variable, program_.globals.size());
  if (is_new) {
    program_.globals.emplace_back();
    globals_to_do_.push_back(&variable);
  }
  return known->second;
}

m::Program ProgramBuilder::build(const llvm::Function& entry) {
  program_.error_function = options_.error_function;
  if (!options_.error_function.empty() && !module_.getFunction(options_.error_function))
    warn("the property is about calls of '" + options_.error_function +
         "', which the program does not mention");
  const m::FunctionId start_id(program_.functions.size());
  program_.functions.emplace_back();
  m::Function first = start(entry);
  program_.functions[start_id.index()] = std::move(first);
  program_.entry = start_id;
  while (!functions_to_do_.empty() || !globals_to_do_.empty()) {
    if (!functions_to_do_.empty()) {
      const llvm::Function* next = functions_to_do_.front();
      functions_to_do_.pop_front();
      m::Function done = translate_function(*this, *next);
      program_.functions[function_ids_.at(next).index()] = std::move(done);
    } else {
      const llvm::GlobalVariable* next = globals_to_do_.front();
      globals_to_do_.pop_front();
      initialise(global_ids_.at(next), *next);
    }
  }
  return std::move(program_);
}

/// Thread 0 begins here: it makes the arguments, calls constructors and the entry, and ends the
/// process.
m::Function ProgramBuilder::start(const llvm::Function& entry) {
  m::Function out;
  out.name = "start of the program";
  out.is_library = true;
  const auto add_register = [&](std::uint8_t width) {
    out.register_widths.push_back(width);
    return m::Register(out.register_widths.size() - 1);
  };
  const auto use = [](m::Register r) { return m::Operand{m::Operand::Kind::Register, r.value, 0}; };
  m::Call call;
  call.callee = {m::Operand::Kind::Function, function(entry).value, 0};
  const bool is_main = entry.getName() == "main";
  const auto call_of = [&](const llvm::Function& f) {
    return m::Operand{m::Operand::Kind::Function, function(f).value, 0};
  };
  const bool uses_count = entry.arg_size() >= 1 && is_read(*entry.getArg(0));
  const bool uses_vector =
      entry.arg_size() >= 2 && std::any_of(entry.arg_begin() + 1, entry.arg_end(), is_read);
  const llvm::Function* count =
      module_.getFunction(uses_vector ? "__heddle_argument_count" : "__heddle_any_argument_count");
  const llvm::Function* vector = module_.getFunction("__heddle_argument_vector");
  if (is_main && (uses_count || uses_vector) && count && vector && !count->isDeclaration()) {
    const m::Register n = add_register(32);
    out.code.push_back({m::Call{{n}, call_of(*count), {}}, {}});
    call.arguments = {use(n)};
    if (uses_vector) {
      const m::Register texts = add_register(pointer_width());
      out.code.push_back({m::Call{{texts}, call_of(*vector), {use(n)}}, {}});
      call.arguments.push_back(use(texts));
    }
  }
  for (std::size_t i = call.arguments.size(); i < entry.arg_size(); ++i) {
    if (is_main && !is_read(*entry.getArg(static_cast<unsigned>(i)))) {
      call.arguments.push_back({m::Operand::Kind::Constant, 0, 0});
      continue;
    }
    const llvm::Type* type = entry.getArg(static_cast<unsigned>(i))->getType();
    const auto bits =
        std::min<std::uint64_t>(layout_.getTypeSizeInBits(const_cast<llvm::Type*>(type)), 64);
    const m::Register any = add_register(static_cast<std::uint8_t>(bits));
    out.code.push_back(
        {m::Choose{any, static_cast<std::uint8_t>(bits), true, m::Choose::Why::Input,
                   "parameter " + std::to_string(i + 1) + " of " + entry.getName().str()},
         {}});
    call.arguments.push_back(use(any));
  }
  for (const llvm::Function* one : listed("llvm.global_ctors", false))
    out.code.push_back({m::Call{{}, call_of(*one), {}}, {}});
  out.code.push_back({std::move(call), {}});
  if (is_main && uses("atexit"))
    out.code.push_back(
        {m::Call{{}, call_of(*module_.getFunction("__heddle_run_at_exit")), {}}, {}});
  for (const llvm::Function* one : functions_at_exit())
    out.code.push_back({m::Call{{}, call_of(*one), {}}, {}});
  out.code.push_back({m::Exit{}, {}});
  return out;
}

}  // namespace heddle::frontend::c
