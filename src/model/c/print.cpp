#include "model/c/print.hpp"

#include <algorithm>
#include <type_traits>

namespace heddle::model::c {

namespace {

const char* symbol(Operator op) {
  switch (op) {
    case Operator::Copy: return "";
    case Operator::Add: return "+";
    case Operator::Sub: return "-";
    case Operator::Mul: return "*";
    case Operator::UDiv: return "/u";
    case Operator::SDiv: return "/";
    case Operator::URem: return "%u";
    case Operator::SRem: return "%";
    case Operator::Shl: return "<<";
    case Operator::LShr: return ">>u";
    case Operator::AShr: return ">>";
    case Operator::And: return "&";
    case Operator::Or: return "|";
    case Operator::Xor: return "^";
    case Operator::Eq: return "==";
    case Operator::Ne: return "!=";
    case Operator::ULt: return "<u";
    case Operator::ULe: return "<=u";
    case Operator::SLt: return "<";
    case Operator::SLe: return "<=";
    case Operator::ZeroExtend: return "zero-extend";
    case Operator::SignExtend: return "sign-extend";
    case Operator::Truncate: return "truncate";
    case Operator::Select: return "?";
  }
  return "?";
}

const char* name(SyncOperation operation) {
  switch (operation) {
    case SyncOperation::CreateThread: return "create_thread";
    case SyncOperation::JoinThread: return "join_thread";
    case SyncOperation::DetachThread: return "detach_thread";
    case SyncOperation::ExitThread: return "exit_thread";
    case SyncOperation::SelfThread: return "self_thread";
    case SyncOperation::MutexInit: return "init_mutex";
    case SyncOperation::MutexDestroy: return "destroy_mutex";
    case SyncOperation::MutexLock: return "lock";
    case SyncOperation::MutexTryLock: return "try_lock";
    case SyncOperation::MutexUnlock: return "unlock";
    case SyncOperation::ConditionWait: return "wait";
    case SyncOperation::ConditionTimedWait: return "timed_wait";
    case SyncOperation::ConditionSignal: return "signal";
    case SyncOperation::ConditionBroadcast: return "broadcast";
    case SyncOperation::AtomicBegin: return "atomic_begin";
    case SyncOperation::AtomicEnd: return "atomic_end";
    case SyncOperation::BlockUntil: return "block_until";
    case SyncOperation::Fence: return "fence";
  }
  return "?";
}

const char* name(ReadModifyWrite::Operation operation) {
  using Operation = ReadModifyWrite::Operation;
  switch (operation) {
    case Operation::Exchange: return "exchange";
    case Operation::Add: return "add";
    case Operation::Sub: return "sub";
    case Operation::And: return "and";
    case Operation::Nand: return "nand";
    case Operation::Or: return "or";
    case Operation::Xor: return "xor";
    case Operation::Max: return "max";
    case Operation::Min: return "min";
    case Operation::UMax: return "umax";
    case Operation::UMin: return "umin";
  }
  return "?";
}

std::string number(std::uint64_t value, unsigned width) {
  const bool is_negative = width > 1 && width <= 64 && (value >> (width - 1) & 1);
  if (!is_negative) return std::to_string(value);
  const std::uint64_t above = width == 64 ? 0 : ~std::uint64_t{0} << width;
  return std::to_string(static_cast<std::int64_t>(value | above));
}

/// The text of one instruction; `operator()` for each kind of effect.
class InstructionPrinter {
 public:
  InstructionPrinter(const Program& program, const Function& function, Location here)
      : program_(program), function_(function), here_(here) {}

  std::string operator()(const Compute& i) const {
    const std::string a = operand(i.a, i.width);
    std::string out = reg(i.to) + " := ";
    switch (i.op) {
      case Operator::Copy: return out + a;
      case Operator::ZeroExtend:
      case Operator::SignExtend:
      case Operator::Truncate:
        return out + symbol(i.op) + "(" + a + ", " + std::to_string(i.to_width) + " bits)";
      case Operator::Select:
        return out + operand(i.a, 1) + " ? " + operand(i.b, i.width) + " : " +
               operand(i.c, i.width);
      default:
        return out + a + " " + symbol(i.op) + " " + operand(i.b, i.width) +
               (i.is_signed ? "  (signed)" : "");
    }
  }
  std::string operator()(const Choose& i) const {
    const char* why = i.why == Choose::Why::Input           ? "input"
                      : i.why == Choose::Why::Uninitialised ? "uninitialised"
                                                            : "result of unknown function";
    return reg(i.to) + " := any " + std::to_string(i.width) + " bits  (" + why +
           (i.what.empty() ? "" : ": " + i.what) + ")";
  }
  std::string operator()(const Assign& i) const {
    std::string out;
    for (const auto& [to, value] : i.copies)
      out += (out.empty() ? "" : ", ") + reg(to) +
             " := " + operand(value, function_.register_widths[to.index()]);
    return out + "; go to " + location(i.next);
  }
  std::string operator()(const Jump& i) const { return "go to " + location(i.next); }
  std::string operator()(const Branch& i) const {
    return "if " + operand(i.condition, 1) + " go to " + location(i.if_true) + " else " +
           location(i.if_false);
  }
  std::string operator()(const Switch& i) const {
    std::string out = "switch " + operand(i.value, 64) + ":";
    for (const auto& [value, to] : i.cases)
      out += " " + std::to_string(value) + " go to " + location(to) + ",";
    return out + " else " + location(i.otherwise);
  }
  std::string operator()(const Call& i) const {
    std::string out;
    for (const Register to : i.to) out += (out.empty() ? "" : ", ") + reg(to);
    const std::string callee = i.callee.kind == Operand::Kind::Function
                                   ? program_.functions[i.callee.index].name
                                   : "*" + operand(i.callee, 64);
    return out + (i.to.empty() ? "" : " := ") + "call " + callee + list(i.arguments);
  }
  std::string operator()(const Return& i) const {
    std::string out = "return";
    for (std::size_t n = 0; n < i.values.size(); ++n) {
      const unsigned width = n < function_.result_widths.size() ? function_.result_widths[n] : 64;
      out += (n ? ", " : " ") + operand(i.values[n], width);
    }
    return out;
  }
  std::string operator()(const Allocate& i) const {
    const unsigned width = 8U * program_.pointer_bytes;
    return reg(i.to) + " := new " +
           (i.where == Allocate::Where::Stack  ? "stack"
            : i.where == Allocate::Where::Heap ? "heap"
                                               : "library") +
           " object of " + operand(i.size, width) + " bytes" + (i.is_zeroed ? ", zero" : "") +
           (i.name.empty() ? "" : "  (" + i.name + ")");
  }
  std::string operator()(const Free& i) const { return "free(" + operand(i.address, 64) + ")"; }
  std::string operator()(const Lifetime& i) const {
    return (i.begins ? "begin(" : "end(") + operand(i.address, 64) + ")";
  }
  std::string operator()(const ObjectSize& i) const {
    return reg(i.to) + " := size of object at " + operand(i.address, 64);
  }
  std::string operator()(const Load& i) const {
    return reg(i.to) + " := " + place(i.address, i.bytes) + (i.is_atomic ? "  (atomic)" : "");
  }
  std::string operator()(const Store& i) const {
    return place(i.address, i.bytes) + " := " + operand(i.value, 8U * i.bytes) +
           (i.is_atomic ? "  (atomic)" : "");
  }
  std::string operator()(const ReadModifyWrite& i) const {
    return reg(i.to) + " := " + place(i.address, i.bytes) + " then " + name(i.operation) + " " +
           operand(i.value, 8U * i.bytes) + "  (atomic)";
  }
  std::string operator()(const CompareExchange& i) const {
    return reg(i.old) + ", " + reg(i.success) + " := compare " + place(i.address, i.bytes) +
           " with " + operand(i.expected, 8U * i.bytes) + " and exchange for " +
           operand(i.desired, 8U * i.bytes) + (i.may_fail ? ", weakly" : "") + "  (atomic)";
  }
  std::string operator()(const Synchronise& i) const {
    return (i.to ? reg(*i.to) + " := " : "") + name(i.operation) + list(i.arguments);
  }
  std::string operator()(const Assume& i) const { return "assume " + operand(i.condition, 1); }
  std::string operator()(const Fail& i) const { return "fail  (" + i.what + ")"; }
  std::string operator()(const Exit& i) const { return i.is_abort ? "abort" : "exit"; }
  std::string operator()(const Unsupported& i) const { return "unsupported  (" + i.what + ")"; }

 private:
  static std::string location(Location l) { return std::to_string(l.value); }

  std::string reg(Register r) const {
    for (const LocalVariable& variable : function_.variables)
      if (variable.reg == r && variable.first <= here_ && here_ <= variable.last)
        return (variable.is_address ? "&" : "") + variable.name;
    return "r" + std::to_string(r.value);
  }

  std::string operand(const Operand& o, unsigned width) const {
    switch (o.kind) {
      case Operand::Kind::Register: return reg(Register(o.index));
      case Operand::Kind::Constant: return number(o.value, width);
      case Operand::Kind::Function: return "&" + program_.functions[o.index].name;
      case Operand::Kind::Global: break;
    }
    return "&" + program_.globals[o.index].name +
           (o.value ? "+" + std::to_string(static_cast<std::int64_t>(o.value)) : "");
  }

  /// What is at an address: a variable as such if its name is known.
  std::string place(const Operand& address, unsigned bytes) const {
    const std::string size = std::to_string(bytes);
    if (address.kind == Operand::Kind::Global) {
      const Global& global = program_.globals[address.index];
      if (address.value == 0 && global.size == bytes) return global.name;
    }
    return "[" + operand(address, 64) + ", " + size + "]";
  }

  std::string list(const std::vector<Operand>& operands) const {
    std::string out = "(";
    for (const Operand& o : operands) out += (out.size() > 1 ? ", " : "") + operand(o, 64);
    return out + ")";
  }

  const Program& program_;
  const Function& function_;
  Location here_;
};

std::string where(const Program& program, const Position& position) {
  if (position.line == 0) return "";
  return program.files[position.file] + ":" + std::to_string(position.line) +
         (position.column ? ":" + std::to_string(position.column) : "");
}

std::string type_name(const Program& program, const std::optional<TypeId>& type) {
  return type ? program.types[type->index()].name : std::string("?");
}

std::string with_comment(std::string text, const std::string& comment) {
  if (comment.empty()) return text + "\n";
  if (text.size() < 60) text.resize(60, ' ');
  return text + "  // " + comment + "\n";
}

std::string print_global(const Program& program, const Global& global) {
  std::string out = global.is_thread_local ? "thread_local " : "global ";
  out += global.name + ": " + type_name(program, global.type) + ", " + std::to_string(global.size) +
         " bytes";
  if (global.is_extern)
    out += ", uninitialised";
  else if (global.initial.empty())
    out += ", zero";
  else if (global.size <= 8 && global.relocations.empty()) {
    std::uint64_t value = 0;
    for (std::size_t i = global.initial.size(); i-- > 0;) value = value << 8 | global.initial[i];
    out += " = " + number(value, static_cast<unsigned>(8 * global.size));
  } else {
    out += ", initialised";
  }
  return with_comment(out, where(program, global.position));
}

}  // namespace

std::string print(const Program& program, FunctionId function, Location location) {
  const Function& f = program.functions[function.index()];
  return std::visit(InstructionPrinter(program, f, location), f.code[location.index()].effect);
}

std::string print(const Program& program, FunctionId id) {
  const Function& f = program.functions[id.index()];
  std::string head = f.is_library ? "library function " : "function ";
  head += f.name + "(";
  for (std::uint32_t i = 0; i < f.parameters; ++i)
    head += (i ? ", " : "") + std::string("r") + std::to_string(i) + ": " +
            std::to_string(f.register_widths[i]) + " bits";
  std::string out =
      with_comment(head + ")" + (f.is_atomic ? " atomic" : ""), where(program, f.position));
  for (const LocalVariable& v : f.variables)
    out += "  " + std::string(v.is_address ? "object " : "variable ") + v.name + ": " +
           type_name(program, v.type) + ", r" + std::to_string(v.reg.value) + "\n";
  for (std::size_t i = 0; i < f.code.size(); ++i)
    out += with_comment("  " + std::to_string(i) + ": " + print(program, id, Location(i)),
                        where(program, f.code[i].position));
  return out;
}

std::string print(const Program& program) {
  std::string out = "program of " + std::to_string(8 * program.pointer_bytes) + " bits, entry " +
                    program.functions[program.entry.index()].name + "\n";
  for (const Global& global : program.globals) out += print_global(program, global);
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    out += "\n" + print(program, FunctionId(i));
  return out;
}

}  // namespace heddle::model::c
