#include "transform/c_threads/register_facts.hpp"

#include <algorithm>
#include <set>

#include "base/components.hpp"
#include "model/c/control_flow.hpp"

/// Following registers as constants unrolls the code over them, so the choice matters: a counter of
/// an ordinary loop must not be followed, one of a loop that creates threads should be. A register
/// that depends on itself is therefore followed only in functions whose loops create or join.
///
/// "Depends" is the flow of values through computations, and through calls from arguments to
/// parameters and from results to what receives them; a value that comes from memory depends on
/// nothing here.

namespace heddle::transform::c_threads {

using namespace model::c;

namespace {

void read(const Operand& operand, std::vector<Register>& out) {
  if (operand.kind == Operand::Kind::Register) out.push_back(Register(operand.index));
}

}  // namespace

std::vector<Register> registers_read(const Effect& effect) {
  std::vector<Register> out;
  std::visit(
      [&](const auto& e) {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, Compute>) {
          read(e.a, out);
          read(e.b, out);
          read(e.c, out);
        } else if constexpr (std::is_same_v<E, Assign>) {
          for (const auto& [to, from] : e.copies) read(from, out);
        } else if constexpr (std::is_same_v<E, Branch> || std::is_same_v<E, Assume>) {
          read(e.condition, out);
        } else if constexpr (std::is_same_v<E, Switch>) {
          read(e.value, out);
        } else if constexpr (std::is_same_v<E, Call>) {
          read(e.callee, out);
          for (const Operand& o : e.arguments) read(o, out);
        } else if constexpr (std::is_same_v<E, Return>) {
          for (const Operand& o : e.values) read(o, out);
        } else if constexpr (std::is_same_v<E, Allocate>) {
          read(e.size, out);
        } else if constexpr (std::is_same_v<E, Free> || std::is_same_v<E, Lifetime> ||
                             std::is_same_v<E, ObjectSize> || std::is_same_v<E, Load>) {
          read(e.address, out);
        } else if constexpr (std::is_same_v<E, Store> || std::is_same_v<E, ReadModifyWrite>) {
          read(e.address, out);
          read(e.value, out);
        } else if constexpr (std::is_same_v<E, CompareExchange>) {
          read(e.address, out);
          read(e.expected, out);
          read(e.desired, out);
        } else if constexpr (std::is_same_v<E, Synchronise>) {
          for (const Operand& o : e.arguments) read(o, out);
        }
      },
      effect);
  return out;
}

std::vector<Register> registers_assigned(const Effect& effect) {
  std::vector<Register> out;
  std::visit(
      [&](const auto& e) {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, Compute> || std::is_same_v<E, Choose> ||
                      std::is_same_v<E, Allocate> || std::is_same_v<E, ObjectSize> ||
                      std::is_same_v<E, Load> || std::is_same_v<E, ReadModifyWrite>) {
          out.push_back(e.to);
        } else if constexpr (std::is_same_v<E, Assign>) {
          for (const auto& [to, from] : e.copies) out.push_back(to);
        } else if constexpr (std::is_same_v<E, Call>) {
          out = e.to;
        } else if constexpr (std::is_same_v<E, CompareExchange>) {
          out = {e.old, e.success};
        } else if constexpr (std::is_same_v<E, Synchronise>) {
          if (e.to) out.push_back(*e.to);
        }
      },
      effect);
  return out;
}

namespace {

std::vector<std::vector<bool>> liveness(const Function& function) {
  const std::size_t registers = function.register_widths.size();
  std::vector<std::vector<bool>> live(function.code.size(), std::vector<bool>(registers));
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t at = function.code.size(); at-- > 0;) {
      std::vector<bool> now(registers);
      for (const Location next : successors(function, Location(at)))
        for (std::size_t r = 0; r < registers; ++r)
          if (live[next.index()][r]) now[r] = true;
      const Effect& effect = function.code[at].effect;
      for (const Register r : registers_assigned(effect)) now[r.index()] = false;
      for (const Register r : registers_read(effect)) now[r.index()] = true;
      if (now == live[at]) continue;
      live[at] = std::move(now);
      changed = true;
    }
  }
  return live;
}

bool result_is_signed(const Compute& e) {
  switch (e.op) {
    case Operator::SignExtend:
    case Operator::SDiv:
    case Operator::SRem:
    case Operator::AShr: return true;
    case Operator::UDiv:
    case Operator::URem:
    case Operator::LShr: return false;
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul:
    case Operator::Shl: return e.is_signed || e.to_width == 64;
    default: return true;
  }
}

std::vector<bool> representations(const Program& program, const Function& function) {
  std::vector<bool> is_signed(function.register_widths.size(), true);
  for (const Instruction& instruction : function.code) {
    if (const auto* e = std::get_if<Compute>(&instruction.effect))
      is_signed[e->to.index()] = result_is_signed(*e);
    if (const auto* e = std::get_if<Choose>(&instruction.effect))
      is_signed[e->to.index()] = e->is_signed;
  }
  for (const LocalVariable& variable : function.variables) {
    if (variable.is_address || !variable.type) continue;
    const Type& type = program.types[variable.type->index()];
    if (type.kind != Type::Kind::Integer && type.kind != Type::Kind::Character &&
        type.kind != Type::Kind::Boolean)
      continue;
    is_signed[variable.reg.index()] = type.is_signed;
  }
  return is_signed;
}

/// Registers of all functions as nodes of one graph; `flows[a]` lists what a's value goes into.
class FlowGraph {
 public:
  explicit FlowGraph(const Program& program) : program_(program) {
    for (const Function& function : program.functions) {
      first_.push_back(nodes_);
      nodes_ += static_cast<std::uint32_t>(function.register_widths.size());
    }
    flows_.resize(nodes_);
    sources_.resize(nodes_);
    for (std::size_t f = 0; f < program.functions.size(); ++f) add(FunctionId(f));
  }

  /// Whoever wants to know the one wants to know the other, although no value flows.
  void depend(FunctionId f, Register on, Register of) {
    sources_[node(f, of)].push_back(node(f, on));
  }

  std::uint32_t node(FunctionId f, Register r) const { return first_[f.index()] + r.value; }
  std::uint32_t size() const { return nodes_; }
  const std::vector<std::uint32_t>& sources(std::uint32_t node) const { return sources_[node]; }

  /// Which registers depend on themselves.
  std::vector<bool> cyclic() const {
    std::vector<bool> result(nodes_);
    for (const auto& component : base::strongly_connected_components(flows_)) {
      const std::uint32_t some = component.front();
      const bool loops = component.size() > 1 || std::ranges::count(flows_[some], some) > 0;
      for (const std::uint32_t n : component) result[n] = loops;
    }
    return result;
  }

 private:
  void flow(FunctionId f, const Operand& from, FunctionId g, Register to) {
    if (from.kind != Operand::Kind::Register) return;
    const std::uint32_t a = node(f, Register(from.index));
    const std::uint32_t b = node(g, to);
    flows_[a].push_back(b);
    sources_[b].push_back(a);
  }

  void add(FunctionId f) {
    for (const Instruction& instruction : program_.functions[f.index()].code) {
      if (const auto* e = std::get_if<Compute>(&instruction.effect))
        for (const Operand& o : {e->a, e->b, e->c}) flow(f, o, f, e->to);
      if (const auto* e = std::get_if<Assign>(&instruction.effect))
        for (const auto& [to, from] : e->copies) flow(f, from, f, to);
      if (const auto* e = std::get_if<Call>(&instruction.effect)) add_call(f, *e);
    }
  }

  void add_call(FunctionId f, const Call& call) {
    if (call.callee.kind != Operand::Kind::Function) return;
    const FunctionId g(call.callee.index);
    const Function& callee = program_.functions[g.index()];
    for (std::size_t i = 0; i < call.arguments.size() && i < callee.parameters; ++i)
      flow(f, call.arguments[i], g, Register(i));
    for (const Instruction& instruction : callee.code)
      if (const auto* e = std::get_if<Return>(&instruction.effect))
        for (std::size_t i = 0; i < e->values.size() && i < call.to.size(); ++i)
          flow(g, e->values[i], f, call.to[i]);
  }

  const Program& program_;
  std::vector<std::uint32_t> first_;
  std::uint32_t nodes_ = 0;
  std::vector<std::vector<std::uint32_t>> flows_, sources_;
};

/// Functions that create or join threads, themselves or through direct calls.
std::vector<bool> creating_functions(const Program& program) {
  std::vector<bool> creates(program.functions.size());
  const auto does = [&](const Instruction& instruction) {
    if (const auto* e = std::get_if<Synchronise>(&instruction.effect))
      return e->operation == SyncOperation::CreateThread ||
             e->operation == SyncOperation::JoinThread;
    if (const auto* e = std::get_if<Call>(&instruction.effect))
      return e->callee.kind == Operand::Kind::Function && creates[e->callee.index];
    return false;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t f = 0; f < creates.size(); ++f) {
      if (creates[f] || !std::ranges::any_of(program.functions[f].code, does)) continue;
      creates[f] = changed = true;
    }
  }
  return creates;
}

/// Locations of loops that create or join.
std::vector<bool> creating_loops(const Program& program, const Function& function,
                                 const std::vector<bool>& creates) {
  std::vector<bool> result(function.code.size());
  std::vector<std::vector<std::uint32_t>> next(function.code.size());
  for (std::size_t at = 0; at < function.code.size(); ++at)
    for (const Location s : successors(function, Location(at))) next[at].push_back(s.value);
  (void)program;
  for (const auto& component : base::strongly_connected_components(next)) {
    if (component.size() < 2) continue;
    const bool relevant = std::ranges::any_of(component, [&](std::uint32_t at) {
      const Effect& effect = function.code[at].effect;
      if (const auto* e = std::get_if<Synchronise>(&effect))
        return e->operation == SyncOperation::CreateThread ||
               e->operation == SyncOperation::JoinThread;
      if (const auto* e = std::get_if<Call>(&effect))
        return e->callee.kind == Operand::Kind::Function && creates[e->callee.index];
      return false;
    });
    if (relevant)
      for (const std::uint32_t at : component) result[at] = true;
  }
  return result;
}

/// The registers whose constants are wanted: those that instructions use as addresses and the like.
std::vector<Register> wanted(const Effect& effect, bool in_creating_loop) {
  std::vector<Register> out;
  if (const auto* e = std::get_if<Call>(&effect)) read(e->callee, out);
  if (const auto* e = std::get_if<Allocate>(&effect)) read(e->size, out);
  if (const auto* e = std::get_if<Free>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<Lifetime>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<ObjectSize>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<Load>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<Store>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<ReadModifyWrite>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<CompareExchange>(&effect)) read(e->address, out);
  if (const auto* e = std::get_if<Synchronise>(&effect))
    for (const Operand& o : e->arguments) read(o, out);
  if (const auto* e = std::get_if<Branch>(&effect); e && in_creating_loop) read(e->condition, out);
  // Only by a constant is a division linear.
  if (const auto* e = std::get_if<Compute>(&effect);
      e && (e->op == Operator::SDiv || e->op == Operator::SRem || e->op == Operator::UDiv ||
            e->op == Operator::URem))
    read(e->b, out);
  return out;
}

/// The registers that straight code from here on copies values to, where ways come together.
std::vector<Register> copied_to(const Function& function, Location at) {
  for (std::size_t steps = 0; steps < function.code.size(); ++steps) {
    const Effect& effect = function.code[at.index()].effect;
    if (std::holds_alternative<Assign>(effect)) return registers_assigned(effect);
    const std::vector<Location> next = successors(function, at);
    if (next.size() != 1) return {};
    at = next.front();
  }
  return {};
}

/// Conditions that choose between values, with the registers that receive them: if those are
/// followed, so are the conditions, or a value that is never chosen would be followed as well.
std::vector<std::pair<Register, Register>> choosing_conditions(const Function& function) {
  std::vector<std::pair<Register, Register>> out;
  for (const Instruction& instruction : function.code) {
    const auto* branch = std::get_if<Branch>(&instruction.effect);
    if (branch == nullptr || branch->condition.kind != Operand::Kind::Register) continue;
    for (const Location next : {branch->if_true, branch->if_false})
      for (const Register to : copied_to(function, next))
        out.emplace_back(Register(branch->condition.index), to);
  }
  return out;
}

}  // namespace

RegisterFacts::RegisterFacts(const Program& program) {
  FlowGraph flow(program);
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (const auto& [condition, to] : choosing_conditions(program.functions[f]))
      flow.depend(FunctionId(f), condition, to);
  const std::vector<bool> cyclic = flow.cyclic();
  const std::vector<bool> creates = creating_functions(program);
  std::vector<bool> followed(flow.size());
  std::vector<std::uint32_t> work;
  const auto follow = [&](std::uint32_t node) {
    if (followed[node]) return;
    followed[node] = true;
    work.push_back(node);
  };
  std::vector<bool> may_loop(flow.size());  // in a function with a loop that creates
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[f];
    const std::vector<bool> loops = creating_loops(program, function, creates);
    const bool has_loop = std::ranges::count(loops, true) > 0;
    for (std::size_t r = 0; r < function.register_widths.size(); ++r)
      may_loop[flow.node(FunctionId(f), Register(r))] = has_loop;
    for (std::size_t at = 0; at < function.code.size(); ++at)
      for (const Register r : wanted(function.code[at].effect, loops[at]))
        follow(flow.node(FunctionId(f), r));
  }
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    for (const std::uint32_t source : flow.sources(node)) follow(source);
  }
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[f];
    FunctionFacts facts{liveness(function), representations(program, function), {}};
    for (std::size_t r = 0; r < function.register_widths.size(); ++r) {
      const std::uint32_t node = flow.node(FunctionId(f), Register(r));
      facts.is_followed.push_back(followed[node] && (!cyclic[node] || may_loop[node]));
    }
    functions.push_back(std::move(facts));
  }
}

}  // namespace heddle::transform::c_threads
