#include "check/c/race_allocations.hpp"

#include <algorithm>

#include "check/c/operands.hpp"
#include "model/threads/instances.hpp"

/// Objects that are allocated one by one and given to threads. An object of the covering that
/// stands for many is all that one instruction of one thread u allocates, in one chain of calls.
/// `allocated` counts them: the latest one has this number. A thread t that is only created by u,
/// with an argument that points into the latest one, has that number as `object`. Nothing reads
/// these variables, so the runs are the same; accesses to objects with different numbers have no
/// bytes in common.
///
/// That a register points into the latest object is found going forward, from all predecessors at
/// once: the allocation makes its own register such a one and all others old; copies, sums with
/// numbers that are no addresses, arguments and results of calls keep it; every other instruction
/// that writes a register ends it. In the thread t it begins with the argument and no object takes
/// its place. (Arithmetic on a pointer does not lead into another object; see compositional.md.)

namespace heddle::check::c {

namespace mc = model::c;
using model::threads::allocated_objects;
using model::threads::given_object;
using model::threads::PointInfo;
using model::threads::ThreadIndex;
using model::threads::Transition;
using model::threads::Variable;
using model::threads::VariableId;
using term::Term;

namespace {

VariableId added_variable(model::threads::ThreadProgram& program, const Term& term,
                          std::optional<ThreadIndex> owner) {
  Variable variable;
  variable.term = term;
  variable.name = term.name();
  variable.kind = owner ? Variable::Kind::Register : Variable::Kind::Memory;
  variable.owner = owner;
  const VariableId id(program.variables.size());
  program.variables.push_back(std::move(variable));
  (owner ? program.threads[owner->index()].locals : program.globals).push_back(id);
  return id;
}

/// The operand that says where an instruction accesses memory.
const mc::Operand* pointer_of(const mc::Effect& effect) {
  if (const auto* e = std::get_if<mc::Load>(&effect)) return &e->address;
  if (const auto* e = std::get_if<mc::Store>(&effect)) return &e->address;
  if (const auto* e = std::get_if<mc::ReadModifyWrite>(&effect)) return &e->address;
  if (const auto* e = std::get_if<mc::CompareExchange>(&effect)) return &e->address;
  if (const auto* e = std::get_if<mc::Free>(&effect)) return &e->address;
  const auto* e = std::get_if<mc::Synchronise>(&effect);
  if (e == nullptr) return nullptr;
  if (e->operation == mc::SyncOperation::CreateThread) return e->arguments.data();
  return e->operation == mc::SyncOperation::JoinThread ? &e->arguments[1] : nullptr;
}

}  // namespace

GivenObjects::GivenObjects(const mc::Program& program, const Covering& map,
                           CoveredAccesses& derived)
    : program_(program), map_(map), derived_(derived) {
  for (std::uint32_t t = 1; t < map.threads.size(); ++t) {
    const auto object = given_to(t);
    if (!object) continue;
    const auto known = latest_.find(*object);
    AtPoints latest =
        known == latest_.end() ? pointers(map.objects[*object].thread, {}, *object) : known->second;
    if (!is_always_the_latest(t, *object, latest)) continue;
    if (latest_.emplace(*object, std::move(latest)).second) count(*object);
    hand_over(t, *object);
    given_.emplace(t, std::pair(*object, pointers(t, {{map.threads[t].root, 0}}, *object)));
  }
}

std::optional<Term> GivenObjects::number(const MemoryAccess& access) const {
  if (access.objects.size() != 1) return std::nullopt;
  const mc::Operand* pointer = pointer_of(effect(access.thread, access.point));
  if (pointer == nullptr) return std::nullopt;
  const auto latest = latest_.find(access.objects.front());
  if (latest == latest_.end()) return std::nullopt;
  if (map_.objects[latest->first].thread == access.thread) {
    if (!is_one_of(latest->second, access.thread, access.point, *pointer)) return std::nullopt;
    return allocated_objects(latest->first);
  }
  const auto given = given_.find(access.thread);
  if (given == given_.end() || given->second.first != latest->first ||
      !is_one_of(given->second.second, access.thread, access.point, *pointer))
    return std::nullopt;
  return given_object(ThreadIndex(access.thread));
}

const mc::Effect& GivenObjects::effect(std::uint32_t thread, std::uint32_t point) const {
  const auto& place = map_.threads[thread].places[point];
  return program_.functions[map_.contexts[place.context].function.index()]
      .code[place.at.index()]
      .effect;
}

bool GivenObjects::allocates(std::uint32_t thread, std::uint32_t point,
                             std::uint32_t object) const {
  const auto& place = map_.threads[thread].places[point];
  const auto& of = map_.objects[object];
  return place.kind == PointInfo::Kind::Ordinary && of.thread == thread &&
         of.context == place.context && of.at == place.at;
}

/// By point of the thread: the registers that certainly point into the latest object, or into the
/// one that those at the entry point into.
GivenObjects::AtPoints GivenObjects::pointers(std::uint32_t thread, const Registers& at_entry,
                                              std::uint32_t object) const {
  const auto& of = derived_.program.threads[thread];
  AtPoints out(of.points.size());
  out[of.entry.index()] = at_entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Transition& step : of.transitions) {
      if (!out[step.from.index()]) continue;
      const Registers reached = after(thread, step, *out[step.from.index()], object);
      auto& there = out[step.to.index()];
      if (!there) {
        there = reached;
        changed = true;
      } else {
        const auto is_gone = [&](const Register& r) { return !reached.contains(r); };
        changed = std::erase_if(*there, is_gone) > 0 || changed;
      }
    }
  }
  return out;
}

GivenObjects::Registers GivenObjects::after(std::uint32_t thread, const Transition& step,
                                            const Registers& before, std::uint32_t object) const {
  const auto& from = map_.threads[thread].places[step.from.index()];
  const auto& to = map_.threads[thread].places[step.to.index()];
  if (from.kind != PointInfo::Kind::Ordinary || to.kind != PointInfo::Kind::Ordinary) return {};
  const mc::Effect& done = effect(thread, step.from.value);
  const auto points = [&](const mc::Operand& operand) {
    return operand.kind == mc::Operand::Kind::Register &&
           before.contains({from.context, operand.index});
  };
  const auto is_no_address = [&](const mc::Operand& operand) {
    if (operand.kind == mc::Operand::Kind::Constant) return true;
    return operand.kind == mc::Operand::Kind::Register &&
           std::ranges::any_of(map_.registers, [&](const Covering::Register& r) {
             return r.context == from.context && r.reg == operand.index &&
                    r.content.objects.empty() && r.content.functions.empty() &&
                    r.content.handles.empty();
           });
  };
  Registers out = before;
  for (const mc::Register r : std::visit(WrittenBy(), done)) out.erase({from.context, r.value});
  if (const auto* e = std::get_if<mc::Compute>(&done)) {
    const bool is_moved = (e->op == mc::Operator::Add || e->op == mc::Operator::Sub) &&
                          points(e->a) && is_no_address(e->b);
    const bool is_copied = e->op == mc::Operator::Copy && points(e->a);
    const bool is_added = e->op == mc::Operator::Add && points(e->b) && is_no_address(e->a);
    if (e->width == e->to_width && (is_moved || is_copied || is_added))
      out.insert({from.context, e->to.value});
  } else if (const auto* assign = std::get_if<mc::Assign>(&done)) {
    for (const auto& [r, value] : assign->copies)
      if (points(value)) out.insert({from.context, r.value});
  } else if (const auto* allocate = std::get_if<mc::Allocate>(&done)) {
    if (allocates(thread, step.from.value, object)) out = {{from.context, allocate->to.value}};
  } else if (const auto* call = std::get_if<mc::Call>(&done)) {
    for (const mc::Register r : call->to) out.erase({from.context, r.value});
    std::erase_if(out, [&](const Register& r) {
      return to.context != from.context && r.first == to.context;
    });
    const mc::Function& callee = program_.functions[map_.contexts[to.context].function.index()];
    for (std::uint32_t i = 0; i < call->arguments.size(); ++i)
      if (to.context != from.context && i < callee.parameters && points(call->arguments[i]))
        out.insert({to.context, i});
  } else if (const auto* back = std::get_if<mc::Return>(&done)) {
    std::erase_if(out, [&](const Register& r) { return r.first == from.context; });
    const auto& context = map_.contexts[from.context];
    if (!context.caller || to.context != *context.caller) return {};
    const auto& made =
        std::get<mc::Call>(program_.functions[map_.contexts[to.context].function.index()]
                               .code[context.call.index()]
                               .effect);
    for (std::size_t i = 0; i < made.to.size(); ++i) {
      out.erase({to.context, made.to[i].value});
      if (i < back->values.size() && points(back->values[i]))
        out.insert({to.context, made.to[i].value});
    }
  }
  return out;
}

bool GivenObjects::is_one_of(const AtPoints& points, std::uint32_t thread, std::uint32_t point,
                             const mc::Operand& operand) const {
  return points[point] && operand.kind == mc::Operand::Kind::Register &&
         points[point]->contains({map_.threads[thread].places[point].context, operand.index});
}

/// The object that the thread's argument points into: one of many, of a thread of which there is
/// one.
std::optional<std::uint32_t> GivenObjects::given_to(std::uint32_t thread) const {
  const auto& root = map_.contexts[map_.threads[thread].root];
  if (program_.functions[root.function.index()].parameters == 0) return std::nullopt;
  for (const auto& r : map_.registers) {
    if (r.context != map_.threads[thread].root || r.reg != 0) continue;
    if (r.content.is_arbitrary || r.content.objects.size() != 1) return std::nullopt;
    const auto& object = map_.objects[r.content.objects.front()];
    if (object.kind != Covering::Object::Kind::Heap || !object.is_summary ||
        map_.threads[object.thread].is_replicated || object.thread == thread)
      return std::nullopt;
    return r.content.objects.front();
  }
  return std::nullopt;
}

bool GivenObjects::is_always_the_latest(std::uint32_t thread, std::uint32_t object,
                                        const AtPoints& latest) const {
  for (std::uint32_t u = 0; u < derived_.program.threads.size(); ++u)
    for (const Transition& step : derived_.program.threads[u].transitions) {
      if (!step.creation || step.creation->thread.value != thread) continue;
      const auto* e = std::get_if<mc::Synchronise>(&effect(u, step.from.value));
      if (u != map_.objects[object].thread || e == nullptr ||
          !is_one_of(latest, u, step.from.value, e->arguments[2]))
        return false;
    }
  return true;
}

void GivenObjects::count(std::uint32_t object) {
  const Term allocated = allocated_objects(object);
  const VariableId id = added_variable(derived_.program, allocated, std::nullopt);
  const std::uint32_t by = map_.objects[object].thread;
  for (Transition& step : derived_.program.threads[by].transitions)
    if (allocates(by, step.from.value, object))
      step.assignments.push_back({id, term::sum({allocated, term::constant(base::Integer(1))})});
}

void GivenObjects::hand_over(std::uint32_t thread, std::uint32_t object) {
  const VariableId id =
      added_variable(derived_.program, given_object(ThreadIndex(thread)), ThreadIndex(thread));
  for (auto& of : derived_.program.threads)
    for (Transition& step : of.transitions)
      if (step.creation && step.creation->thread.value == thread)
        step.creation->locals.push_back({id, allocated_objects(object)});
}

}  // namespace heddle::check::c
