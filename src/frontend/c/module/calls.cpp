/// Calls: of functions with a body, of what the semantics knows (synchronisation, allocation, the
/// ends of runs), of nondeterministic inputs, and of functions nobody has.

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

struct Synchronisation {
  m::SyncOperation operation;
  std::vector<unsigned> arguments;  ///< which of the call's
};

/// Direct calls of these are one instruction. (Our library has the same as functions, for calls
/// through pointers.)
const std::map<std::string_view, Synchronisation>& synchronisations() {
  using Op = m::SyncOperation;
  static const std::map<std::string_view, Synchronisation> table = {
      {"pthread_create", {Op::CreateThread, {0, 2, 3}}},
      {"pthread_join", {Op::JoinThread, {0, 1}}},
      {"pthread_detach", {Op::DetachThread, {0}}},
      {"pthread_exit", {Op::ExitThread, {0}}},
      {"pthread_self", {Op::SelfThread, {}}},
      {"pthread_mutex_destroy", {Op::MutexDestroy, {0}}},
      {"pthread_mutex_lock", {Op::MutexLock, {0}}},
      {"pthread_mutex_trylock", {Op::MutexTryLock, {0}}},
      {"pthread_mutex_unlock", {Op::MutexUnlock, {0}}},
      {"pthread_cond_wait", {Op::ConditionWait, {0, 1}}},
      {"pthread_cond_timedwait", {Op::ConditionTimedWait, {0, 1}}},
      {"pthread_cond_signal", {Op::ConditionSignal, {0}}},
      {"pthread_cond_broadcast", {Op::ConditionBroadcast, {0}}},
      {"__VERIFIER_atomic_begin", {Op::AtomicBegin, {}}},
      {"__VERIFIER_atomic_end", {Op::AtomicEnd, {}}},
      {"__CPROVER_atomic_begin", {Op::AtomicBegin, {}}},
      {"__CPROVER_atomic_end", {Op::AtomicEnd, {}}},
      {"__ESBMC_atomic_begin", {Op::AtomicBegin, {}}},
      {"__ESBMC_atomic_end", {Op::AtomicEnd, {}}},
      {"__heddle_create_thread", {Op::CreateThread, {0, 1, 2}}},
      {"__heddle_join_thread", {Op::JoinThread, {0, 1}}},
      {"__heddle_detach_thread", {Op::DetachThread, {0}}},
      {"__heddle_exit_thread", {Op::ExitThread, {0}}},
      {"__heddle_self_thread", {Op::SelfThread, {}}},
      {"__heddle_mutex_init", {Op::MutexInit, {0, 1}}},
      {"__heddle_mutex_destroy", {Op::MutexDestroy, {0}}},
      {"__heddle_mutex_lock", {Op::MutexLock, {0}}},
      {"__heddle_mutex_trylock", {Op::MutexTryLock, {0}}},
      {"__heddle_mutex_unlock", {Op::MutexUnlock, {0}}},
      {"__heddle_condition_wait", {Op::ConditionWait, {0, 1}}},
      {"__heddle_condition_timed_wait", {Op::ConditionTimedWait, {0, 1}}},
      {"__heddle_condition_signal", {Op::ConditionSignal, {0}}},
      {"__heddle_condition_broadcast", {Op::ConditionBroadcast, {0}}},
      {"__heddle_atomic_begin", {Op::AtomicBegin, {}}},
      {"__heddle_atomic_end", {Op::AtomicEnd, {}}},
      {"__heddle_fence", {Op::Fence, {}}},
  };
  return table;
}

struct Input {
  std::uint8_t bits;  ///< 0: as many as a pointer has
  bool is_signed;
};

/// `__VERIFIER_nondet_X` for each X.
const std::map<std::string_view, Input>& inputs() {
  static const std::map<std::string_view, Input> table = {
      {"bool", {1, false}},      {"_Bool", {1, false}},         {"char", {8, true}},
      {"uchar", {8, false}},     {"unsigned_char", {8, false}}, {"u8", {8, false}},
      {"S8", {8, true}},         {"short", {16, true}},         {"ushort", {16, false}},
      {"u16", {16, false}},      {"int", {32, true}},           {"uint", {32, false}},
      {"unsigned", {32, false}}, {"unsigned_int", {32, false}}, {"u32", {32, false}},
      {"U32", {32, false}},      {"long", {0, true}},           {"ulong", {0, false}},
      {"longlong", {64, true}},  {"ulonglong", {64, false}},    {"u64", {64, false}},
      {"loff_t", {64, true}},    {"size_t", {0, false}},        {"pointer", {0, false}},
      {"float", {32, false}},    {"double", {64, false}}};
  return table;
}

constexpr std::string_view kInputPrefix = "__VERIFIER_nondet_";

/// What these do has no counterpart in the model.
constexpr std::string_view kUnsupportedFunctions[] = {"setjmp",
                                                      "_setjmp",
                                                      "sigsetjmp",
                                                      "__sigsetjmp",
                                                      "longjmp",
                                                      "_longjmp",
                                                      "siglongjmp",
                                                      "__longjmp_chk",
                                                      "fork",
                                                      "vfork",
                                                      "pthread_cancel",
                                                      "pthread_kill",
                                                      "raise",
                                                      "kill",
                                                      "swapcontext",
                                                      "makecontext",
                                                      "setcontext",
                                                      "__pthread_register_cancel",
                                                      "__pthread_unregister_cancel",
                                                      "__pthread_unwind_next"};

/// A function of the library that does nothing but choose its result, such as printf: what it
/// stores, it stores in its own variables.
bool only_chooses_a_result(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& i : block) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        if (!llvm::isa<llvm::AllocaInst>(store->getPointerOperand())) return false;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (!call || llvm::isa<llvm::LifetimeIntrinsic>(i)) continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (!callee || !callee->isDeclaration() || !callee->getName().starts_with(kInputPrefix))
        return false;
    }
  return function.size() == 1;
}

bool is_empty_or_fence(const llvm::InlineAsm& assembly) {
  const llvm::StringRef text = llvm::StringRef(assembly.getAsmString()).trim();
  return text.empty() || text == "mfence" || text == "lfence" || text == "sfence" ||
         text == "pause" || text == "rep; nop" || text == "nop";
}

}  // namespace

std::string FunctionBody::text_of(const llvm::Value* value) const {
  llvm::StringRef text;
  return llvm::getConstantStringInfo(value, text) ? text.str() : std::string();
}

void FunctionBody::translate_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (!translate_intrinsic(*intrinsic))
      unsupported(call, call.getType()->getScalarType()->isFloatingPointTy()
                            ? "floating point"
                            : "intrinsic function " + call.getCalledFunction()->getName().str());
    return;
  }
  const llvm::Value* called = call.getCalledOperand()->stripPointerCasts();
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(called)) {
    if (is_empty_or_fence(*assembly) && call.getType()->isVoidTy())
      return emit(m::Synchronise{m::SyncOperation::Fence, std::nullopt, {}});
    return unsupported(call, "inline assembly");
  }
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(called))
    called = alias->getAliaseeObject();
  const auto* callee = llvm::dyn_cast_or_null<llvm::Function>(called);
  if (!callee) return translate_plain_call(call, nullptr);
  if (builder_.is_error_function(*callee)) {
    emit(m::Fail{m::Fail::Why::ErrorFunction, callee->getName().str()});
    return unknown_results(call, callee->getName().str());
  }
  const bool is_ours = callee->isDeclaration() || builder_.is_library(*callee);
  const std::string name = callee->getName().str();
  if (name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end" || is_ours)
    if (translate_synchronisation(call, name)) return;
  if (is_ours && translate_primitive(call, *callee)) return;
  if (is_ours && (translate_scan(call, name) || translate_print(call, name))) return;
  if (is_ours) read_outputs(call, name);
  if (builder_.is_library(*callee) && call.use_empty() && only_chooses_a_result(*callee)) return;
  if (!callee->isDeclaration()) return translate_plain_call(call, callee);
  if (translate_nondeterministic(call, *callee)) return;
  if (name == "__sigsetjmp" && builder_.module().getFunction("__pthread_register_cancel"))
    return unsupported(call, "pthread_cleanup_push");
  if (std::find(std::begin(kUnsupportedFunctions), std::end(kUnsupportedFunctions), name) !=
      std::end(kUnsupportedFunctions))
    return unsupported(call, "function " + name);
  builder_.warn_unknown_function(name, here_);
  unknown_results(call, name);
  if (call.doesNotReturn()) emit(m::Exit{true});
}

bool FunctionBody::translate_synchronisation(const llvm::CallBase& call, const std::string& name) {
  const auto row = synchronisations().find(name);
  if (row == synchronisations().end()) return false;
  // Where a program has keys, what happens at the end of a thread is the library's business.
  if ((name == "pthread_create" || name == "pthread_exit") && builder_.uses("pthread_key_create"))
    return false;
  if (name == "pthread_create" && translate_creation(call)) return true;
  // The process then ends with its last thread.
  if (name == "pthread_exit" && builder_.has_functions_at_exit() &&
      function_.getName() == builder_.options().entry)
    emit(m::Unsupported{"functions that run at exit, after pthread_exit in the first thread"});
  m::Synchronise out{row->second.operation, std::nullopt, {}};
  for (const unsigned i : row->second.arguments)
    out.arguments.push_back(i < call.arg_size() ? operand(call.getArgOperand(i)) : number(0));
  if (!call.use_empty()) out.to = target(call, width(call.getType()));
  emit(std::move(out));
  return true;
}

/// A thread whose attributes may say that it is detached.
bool FunctionBody::translate_creation(const llvm::CallBase& call) {
  if (call.arg_size() != 4 || !builder_.uses("pthread_attr_setdetachstate")) return false;
  if (llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(1))) return false;
  std::vector<Operand> arguments;
  for (const llvm::Use& argument : call.args()) arguments.push_back(operand(argument.get()));
  const Operand result = call_library("__heddle_create_with", std::move(arguments), {32})[0];
  if (!call.use_empty()) pass(call, result, width(call.getType()));
  return true;
}

/// What `exit` does before the process ends.
void FunctionBody::run_at_exit() {
  if (builder_.uses("atexit")) call_library("__heddle_run_at_exit", {}, {});
  for (const llvm::Function* one : builder_.functions_at_exit())
    emit(m::Call{{}, {Operand::Kind::Function, builder_.function(*one).value, 0}, {}});
}

bool FunctionBody::translate_primitive(const llvm::CallBase& call, const llvm::Function& callee) {
  const std::string name = callee.getName().str();
  const auto argument = [&](unsigned i) {
    return i < call.arg_size() ? operand(call.getArgOperand(i)) : number(0);
  };
  const auto word = [&](unsigned i) {
    if (i >= call.arg_size()) return number(0);
    return resized(argument(i), width(call.getArgOperand(i)->getType()), builder_.pointer_width(),
                   false);
  };
  const auto truth = [&](unsigned i) {
    if (i >= call.arg_size()) return number(0);
    const std::uint8_t bits = width(call.getArgOperand(i)->getType());
    return bits == 1 ? argument(i) : compute(m::Operator::Ne, bits, argument(i), number(0), 1);
  };
  const auto result = [&] { return target(call, width(call.getType())); };
  const bool has_result = !call.getType()->isVoidTy();
  if (name == "__heddle_block_until") {
    const Operand condition = truth(0);
    emit(m::Synchronise{m::SyncOperation::BlockUntil, std::nullopt, {condition}});
  } else if (name == "__heddle_assume" || name == "__VERIFIER_assume" ||
             name == "assume_abort_if_not" || name == "__CPROVER_assume" ||
             name == "__ESBMC_assume") {
    emit(m::Assume{truth(0)});
  } else if (name == "__CPROVER_assert" || name == "__ESBMC_assert") {
    const Operand holds = truth(0);
    const m::Location branch(out_.code.size());
    const m::Location failure(branch.value + 1);
    const m::Location behind(branch.value + 2);
    emit(m::Branch{holds, behind, failure});
    if (builder_.options().error_function.empty())
      emit(m::Fail{m::Fail::Why::Assertion,
                   call.arg_size() > 1 ? text_of(call.getArgOperand(1)) : ""});
    else
      emit(m::Exit{true});
  } else if (name == "__assert_fail" || name == "__assert" || name == "__heddle_fail") {
    if (!builder_.options().error_function.empty())
      emit(m::Exit{true});
    else
      emit(m::Fail{m::Fail::Why::Assertion, call.arg_size() ? text_of(call.getArgOperand(0)) : ""});
  } else if (name == "abort" || name == "__heddle_abort") {
    emit(m::Exit{true});
  } else if (name == "exit" || name == "_exit" || name == "_Exit" || name == "quick_exit" ||
             name == "__heddle_exit") {
    if (name == "exit") run_at_exit();
    emit(m::Exit{false});
  } else if ((name == "malloc" || name == "__heddle_allocate" ||
              name == "__heddle_allocate_zeroed" || name == "__heddle_allocate_hidden") &&
             has_result) {
    const Operand size = word(0);
    const auto where =
        name == "__heddle_allocate_hidden" ? m::Allocate::Where::Library : m::Allocate::Where::Heap;
    emit(m::Allocate{result(), where, size, name == "__heddle_allocate_zeroed", std::nullopt, ""});
  } else if (name == "free" || name == "__heddle_free") {
    emit(m::Free{word(0)});
  } else if (name == "__heddle_object_size") {
    const Operand at = word(0);
    emit(m::ObjectSize{result(), at});
  } else if (name == "__heddle_unsupported") {
    emit(m::Unsupported{text_of(call.getArgOperand(0))});
  } else if (name == "__heddle_warn") {
    builder_.warn(text_of(call.getArgOperand(0)));
  } else {
    return false;
  }
  if (has_result && !values_.contains(&call) && name.find("alloc") == std::string::npos &&
      name != "__heddle_object_size")
    unknown_results(call, name);
  return true;
}

bool FunctionBody::translate_nondeterministic(const llvm::CallBase& call,
                                              const llvm::Function& callee) {
  const llvm::StringRef name = callee.getName();
  if (!name.starts_with(kInputPrefix)) return false;
  const auto parts = leaves(call.getType());
  if (parts.size() != 1 || !parts[0].fits) return parts.empty();
  const auto row = inputs().find(std::string_view(name).substr(kInputPrefix.size()));
  Input input = row == inputs().end() ? Input{parts[0].width, false} : row->second;
  if (input.bits == 0) input.bits = builder_.pointer_width();
  m::Choose choice{{}, input.bits, input.is_signed, m::Choose::Why::Input, name.str()};
  if (input.bits == parts[0].width) {
    choice.to = target(call, input.bits);
    emit(std::move(choice));
    return true;
  }
  choice.to = fresh(input.bits);
  const Operand chosen = use(choice.to);
  emit(std::move(choice));
  values_[&call] = {resized(chosen, input.bits, parts[0].width, input.is_signed)};
  return true;
}

void FunctionBody::unknown_results(const llvm::CallBase& call, const std::string& name) {
  if (call.use_empty()) return;
  const auto parts = leaves(call.getType());
  if (parts.size() == 1) {
    const Register to = target(call, parts[0].width);
    return emit(m::Choose{to, parts[0].width, false, m::Choose::Why::UnknownFunction, name});
  }
  std::vector<Operand> out;
  for (const Leaf& part : parts)
    out.push_back(any(part.width, m::Choose::Why::UnknownFunction, name));
  values_[&call] = out;
}

/// A call without a prototype may disagree with the definition: arguments are converted, surplus
/// ones dropped, missing ones are anything.
void FunctionBody::translate_plain_call(const llvm::CallBase& call, const llvm::Function* callee) {
  std::vector<Operand> arguments;
  std::vector<std::uint8_t> widths;
  for (const llvm::Use& use_of : call.args()) {
    for (const Operand& one : operands(use_of.get())) arguments.push_back(one);
    for (const Leaf& leaf : leaves(use_of->getType())) widths.push_back(leaf.width);
  }
  std::vector<Leaf> returned = leaves(call.getType());
  m::Call out;
  if (!callee) {
    out.callee = operand(call.getCalledOperand());
  } else {
    std::vector<Leaf> wanted;
    for (const llvm::Argument& parameter : callee->args())
      for (const Leaf& leaf : leaves(parameter.getType())) wanted.push_back(leaf);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (i < arguments.size())
        arguments[i] = resized(arguments[i], widths[i], wanted[i].width, false);
      else
        arguments.push_back(any(wanted[i].width, m::Choose::Why::Uninitialised,
                                "a missing argument of " + callee->getName().str()));
    }
    arguments.resize(wanted.size());
    out.callee = {Operand::Kind::Function, builder_.function(*callee).value, 0};
  }
  out.arguments = std::move(arguments);
  const std::vector<Leaf> given = callee ? leaves(callee->getReturnType()) : returned;
  const bool agrees = given.size() == returned.size() &&
                      std::equal(given.begin(), given.end(), returned.begin(),
                                 [](const Leaf& a, const Leaf& b) { return a.width == b.width; });
  if (agrees && given.size() == 1) {
    out.to = {target(call, given[0].width)};
    return emit(std::move(out));
  }
  for (const Leaf& leaf : given) out.to.push_back(fresh(leaf.width));
  const std::vector<Register> results = out.to;
  emit(std::move(out));
  std::vector<Operand> values;
  for (std::size_t i = 0; i < returned.size(); ++i)
    values.push_back(
        i < results.size()
            ? resized(use(results[i]), given[i].width, returned[i].width, false)
            : any(returned[i].width, m::Choose::Why::Uninitialised, "a missing result"));
  if (!returned.empty()) values_[&call] = values;
}

std::vector<FunctionBody::Operand> FunctionBody::call_library(const char* name,
                                                              std::vector<Operand> arguments,
                                                              std::vector<std::uint8_t> results) {
  const llvm::Function* callee = builder_.module().getFunction(name);
  std::vector<Operand> out(results.size(), number(0));
  if (!callee || callee->isDeclaration()) {
    emit(m::Unsupported{std::string("function ") + name});
    return out;
  }
  m::Call call;
  call.callee = {Operand::Kind::Function, builder_.function(*callee).value, 0};
  call.arguments = std::move(arguments);
  for (std::size_t i = 0; i < results.size(); ++i) {
    call.to.push_back(fresh(results[i]));
    out[i] = use(call.to.back());
  }
  emit(std::move(call));
  return out;
}

}  // namespace heddle::frontend::c
