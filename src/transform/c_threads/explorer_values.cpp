#include <algorithm>

#include "transform/c_threads/explorer.hpp"

namespace heddle::transform::c_threads {

using namespace model::c;
using model::threads::Input;
using model::threads::Variable;
using model::threads::VariableId;
using term::Term;

const Function& Explorer::function() const { return function_of(node_.context); }

const Function& Explorer::function_of(std::uint32_t context) const {
  return program_.functions[contexts_[context].function.index()];
}

bool Explorer::is_followed(std::uint32_t context, Register reg) const {
  const FunctionId f = contexts_[context].function;
  return facts_.functions[f.index()].is_followed[reg.index()] &&
         !unfollowed_.contains({f.value, reg.value});
}

namespace {

std::string symbol_of(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '.';
    out += is_plain ? c : '.';
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out = "v" + out;
  return out;
}

}  // namespace

VariableId Explorer::new_variable(const std::string& name, std::uint8_t width, bool is_signed,
                                  Variable::Kind kind) {
  const std::string wanted = symbol_of(name);
  std::string symbol = wanted;
  for (int i = 2; !symbols_.insert(symbol).second; ++i) symbol = wanted + "_" + std::to_string(i);
  Variable variable;
  variable.term = term::variable(symbol, width == 1 ? term::Sort::Boolean : term::Sort::Integer);
  variable.name = name;
  variable.kind = kind;
  if (width > 1) {
    variable.least = model::c::words::least_of(width, is_signed);
    variable.greatest = model::c::words::greatest_of(width, is_signed);
  }
  variables_.push_back(std::move(variable));
  return VariableId(variables_.size() - 1);
}

VariableId Explorer::register_variable(std::uint32_t context, Register reg) {
  const auto known = register_variables_.find({context, reg.value});
  if (known != register_variables_.end()) return known->second;
  const Function& f = function_of(context);
  std::string name = "r" + std::to_string(reg.value);
  for (const LocalVariable& variable : f.variables)
    if (!variable.is_address && variable.reg == reg) name = variable.name;
  name = f.name + "." + name;
  const bool is_signed =
      facts_.functions[contexts_[context].function.index()].is_signed[reg.index()];
  const VariableId id =
      new_variable(name, f.register_widths[reg.index()], is_signed, Variable::Kind::Register);
  register_variables_.emplace(std::pair(context, reg.value), id);
  return id;
}

Value Explorer::number(std::uint64_t bits, std::uint8_t width) {
  return {constant_word(bits, width, true),
          width == pointer_width() ? memory_.set_of(bits) : ValueSet{}};
}

Value Explorer::register_value(std::uint32_t context, Register reg) {
  const std::uint8_t width = function_of(context).register_widths[reg.index()];
  const bool is_signed =
      facts_.functions[contexts_[context].function.index()].is_signed[reg.index()];
  const auto known = node_.constants.find({false, context, reg.value});
  if (known != node_.constants.end()) {
    Value value = number(known->second, width);
    value.word = constant_word(known->second, width, is_signed);
    return value;
  }
  const VariableId variable = register_variable(context, reg);
  return {{variables_[variable.index()].term, width, is_signed},
          register_sets_[{context, reg.value}]};
}

Value Explorer::eval(const Operand& operand, std::uint8_t width) {
  switch (operand.kind) {
    case Operand::Kind::Constant: return {constant_word(operand.value, width, true), {}};
    case Operand::Kind::Function:
      return number(memory_.of_function(FunctionId(operand.index)), width);
    case Operand::Kind::Register: {
      Value value = register_value(node_.context, Register(operand.index));
      if (value.word.width != width) value.word = resize(value.word, width, value.word.is_signed);
      return value;
    }
    case Operand::Kind::Global: break;
  }
  const Global& global = program_.globals[operand.index];
  Object properties;
  properties.name = global.name;
  properties.size = global.size;
  properties.type = global.type;
  properties.global = GlobalId(operand.index);
  std::string key = "global " + std::to_string(operand.index);
  if (global.is_thread_local) {
    key += " of " + std::to_string(node_.thread);
    properties.owner = node_.thread;
  }
  const ObjectId object = memory_.object(key, properties);
  Value value = number(memory_.at(object).base + operand.value, width);
  value.set = {};
  value.set.objects.insert(object.value);
  return value;
}

bool Explorer::is_live(const Step& step, Register reg) const {
  const auto& live = facts_.functions[contexts_[step.next.context].function.index()].live;
  return step.next.at.index() < live.size() && live[step.next.at.index()][reg.index()];
}

void Explorer::set(Step& step, std::uint32_t context, Register reg, const Value& value) {
  const Slot slot{false, context, reg.value};
  step.next.constants.erase(slot);
  if (register_sets_[{context, reg.value}].merge(value.set)) change();
  const std::uint8_t width = function_of(context).register_widths[reg.index()];
  const bool is_signed =
      facts_.functions[contexts_[context].function.index()].is_signed[reg.index()];
  const Word word = value.word.width == width ? represent(value.word, is_signed)
                                              : resize(value.word, width, is_signed);
  const auto bits = bits_of(word);
  if (bits && is_followed(context, reg)) {
    step.next.constants.emplace(slot, *bits);
    return;
  }
  if (step.next.context == context && !is_live(step, reg)) return;
  step.assignments.push_back({register_variable(context, reg), word.term});
}

Value Explorer::any(Step& step, std::uint8_t width, bool is_signed) {
  const Term term = term::variable("in." + std::to_string(inputs_++),
                                   width == 1 ? term::Sort::Boolean : term::Sort::Integer);
  Input input{term, 0, 0};
  if (width > 1) {
    input.least = model::c::words::least_of(width, is_signed);
    input.greatest = model::c::words::greatest_of(width, is_signed);
  }
  step.inputs.push_back(std::move(input));
  Value value{{term, width, is_signed}, {}};
  value.set.is_arbitrary = true;
  return value;
}

namespace {

bool is_one_object(const ValueSet& a, const ValueSet& b) {
  return a.objects == b.objects && a.objects.size() == 1 && !a.is_arbitrary && !b.is_arbitrary &&
         a.functions.empty() && b.functions.empty() && a.handles.empty() && b.handles.empty();
}

/// Where the result of an operation on addresses points to; none if it must be any number.
std::optional<ValueSet> set_of_result(const Compute& e, const Value& a, const Value& b,
                                      const Value& c) {
  ValueSet set;
  switch (e.op) {
    case Operator::Copy: return a.set;
    case Operator::Select:
      set = b.set;
      set.merge(c.set);
      return set;
    case Operator::Eq:
    case Operator::Ne: return set;
    case Operator::Add:
    case Operator::Sub: {
      if (e.op == Operator::Sub && !b.set.is_plain()) {
        if (!is_one_object(a.set, b.set)) return std::nullopt;
        set.is_arbitrary = true;
        return set;
      }
      if (!a.set.is_plain() && !b.set.is_plain()) return std::nullopt;  // the sum of two addresses
      set = a.set;
      set.merge(b.set);
      if (!set.handles.empty()) return std::nullopt;
      set.is_arbitrary =
          (a.set.is_arbitrary || a.set.is_plain()) && (b.set.is_arbitrary || b.set.is_plain());
      return set;
    }
    case Operator::ULt:
    case Operator::ULe:
    case Operator::SLt:
    case Operator::SLe:
      if (is_one_object(a.set, b.set)) return set;
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

/// A plain number might happen to be an address, and which number a handle is says nothing;
/// numbers below 4096 are never addresses.
bool Explorer::is_comparable(const Value& a, const Value& b) const {
  if (a.set.is_plain() && b.set.is_plain()) return true;
  const auto is_small = [](const Value& v) {
    const auto bits = bits_of(v.word);
    return bits && *bits < 4096;
  };
  if (is_small(a) || is_small(b)) {
    const Value& small = is_small(a) ? a : b;
    const Value& other = is_small(a) ? b : a;
    return other.set.handles.empty() || bits_of(small.word) == std::uint64_t{0};
  }
  if (!a.set.handles.empty() || !b.set.handles.empty()) return false;
  if (a.set.is_arbitrary || b.set.is_arbitrary) return false;
  if (a.set.is_plain() || b.set.is_plain()) return false;
  return std::ranges::none_of(a.set.objects, [&](std::uint32_t o) {
    return memory_.at(ObjectId(o)).is_summary && b.set.objects.contains(o);
  });
}

/// None if the result may be any number.
std::optional<Value> Explorer::compute_value(const Compute& e, const Value& a, const Value& b,
                                             const Value& c, bool is_signed) {
  std::optional<ValueSet> set = ValueSet{};
  if (!a.set.is_plain() || !b.set.is_plain() || !c.set.is_plain()) {
    set = set_of_result(e, a, b, c);
    const bool compares = e.op == Operator::Eq || e.op == Operator::Ne;
    if (compares && !is_comparable(a, b)) return std::nullopt;
  }
  const auto blurred = [&](std::uint32_t o) { return memory_.at(ObjectId(o)).is_summary; };
  if (!set) return std::nullopt;
  const bool orders = e.op == Operator::ULt || e.op == Operator::ULe || e.op == Operator::SLt ||
                      e.op == Operator::SLe || (e.op == Operator::Sub && !b.set.is_plain());
  if (orders && std::ranges::any_of(a.set.objects, blurred)) return std::nullopt;
  const std::optional<Word> word = model::c::words::compute(e, a.word, b.word, c.word, is_signed);
  if (!word) return std::nullopt;
  if (set->is_plain() && !bits_of(*word) && e.op != Operator::Copy && e.op != Operator::Select)
    set->is_arbitrary = true;
  if (set->is_plain() && (a.set.is_arbitrary || b.set.is_arbitrary || c.set.is_arbitrary))
    set->is_arbitrary = true;
  return Value{*word, *set};
}

}  // namespace heddle::transform::c_threads
