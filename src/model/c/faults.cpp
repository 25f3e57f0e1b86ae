#include "model/c/faults.hpp"

#include <algorithm>
#include <map>

namespace heddle::model::c {

namespace {

class Look {
 public:
  Look(const Program& program, const Function& function) : program_(program) {
    for (const Instruction& instruction : function.code)
      if (const auto* object = std::get_if<Allocate>(&instruction.effect))
        if (object->where == Allocate::Where::Stack && object->size.kind == Operand::Kind::Constant)
          sizes_[object->to.value] = object->size.value;
  }

  bool operator()(const Load& i) const { return is_open(i.address, i.bytes); }
  bool operator()(const Store& i) const { return is_open(i.address, i.bytes); }
  bool operator()(const ReadModifyWrite& i) const { return is_open(i.address, i.bytes); }
  bool operator()(const CompareExchange& i) const { return is_open(i.address, i.bytes); }
  bool operator()(const Free&) const { return true; }
  bool operator()(const ObjectSize&) const { return true; }
  bool operator()(const Compute& i) const {
    const bool divides = i.op == Operator::UDiv || i.op == Operator::SDiv ||
                         i.op == Operator::URem || i.op == Operator::SRem;
    return divides && (i.b.kind != Operand::Kind::Constant || i.b.value == 0);
  }
  /// Handles are numbers, start routines functions; all others are addresses of known objects.
  bool operator()(const Synchronise& i) const {
    using enum SyncOperation;
    const bool has_addresses = i.operation != BlockUntil && i.operation != ExitThread &&
                               i.operation != DetachThread && !i.arguments.empty();
    if (!has_addresses) return false;
    const Operand& at = i.operation == JoinThread ? i.arguments[1] : i.arguments[0];
    const bool is_null = at.kind == Operand::Kind::Constant && at.value == 0;
    return !(is_null && (i.operation == JoinThread || i.operation == CreateThread)) &&
           is_open(at, 1);
  }
  bool operator()(const auto&) const { return false; }

 private:
  /// Not surely inside an object that lives.
  bool is_open(const Operand& address, std::uint64_t bytes) const {
    if (address.kind == Operand::Kind::Global) {
      const std::uint64_t size = program_.globals[address.index].size;
      return address.value > size || bytes > size - address.value;
    }
    if (address.kind != Operand::Kind::Register) return true;
    const auto known = sizes_.find(address.index);
    return known == sizes_.end() || bytes > known->second;
  }

  const Program& program_;
  std::map<std::uint32_t, std::uint64_t> sizes_;  ///< of the function's own variables, by register
};

}  // namespace

bool may_fault(const Program& program) {
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    const Look look(program, function);
    return std::ranges::any_of(function.code, [&](const Instruction& instruction) {
      return std::visit(look, instruction.effect);
    });
  });
}

}  // namespace heddle::model::c
