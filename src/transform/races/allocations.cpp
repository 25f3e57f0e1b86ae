#include "transform/races/allocations.hpp"

#include <algorithm>

#include "model/threads/instances.hpp"

/// Which object is whose.
///
/// The question. `for (…) { t = malloc(…); t->id = i; pthread_create(&tid[i], 0, work, t); }` gives
/// each copy of `work` an object of its own. The covering has one object for all of them, since the
/// same instruction allocates them, and its addresses do not tell them apart.
///
/// The idea. Number the objects of one place of allocation, and follow the latest:
///
///   allocated!o   a global, 0 at first, increased by each allocation of object o: the number of
///                 the latest one
///   object!t      a local of thread t: the number of the object that its argument points into,
///                 that is allocated!o when t is created, if the argument certainly points into the
///                 latest object then
///
/// Registers that certainly point into the latest object are found by data flow over the points of
/// the thread that allocates: the allocation makes one and ends all others, copies, arithmetic and
/// calls hand it on. In thread t the same begins with the argument. An access through such a
/// register has the number allocated!o, or object!t. Accesses with different numbers do not
/// conflict.
///
/// That object!t of two threads differ is an invariant, found like all others:
/// `object!t = nth!t + 1`, `allocated!o = created!t`.

namespace heddle::transform::races {

using namespace model::c;
using model::threads::Covering;
using model::threads::PointInfo;
using model::threads::ThreadIndex;
using model::threads::ThreadProgram;
using model::threads::Transition;
using term::Term;

namespace {

/// The registers of its frame that an instruction writes.
std::vector<model::c::Register> written(const Effect& effect) {
  if (const auto* e = std::get_if<Compute>(&effect)) return {e->to};
  if (const auto* e = std::get_if<Choose>(&effect)) return {e->to};
  if (const auto* e = std::get_if<Allocate>(&effect)) return {e->to};
  if (const auto* e = std::get_if<ObjectSize>(&effect)) return {e->to};
  if (const auto* e = std::get_if<Load>(&effect)) return {e->to};
  if (const auto* e = std::get_if<ReadModifyWrite>(&effect)) return {e->to};
  if (const auto* e = std::get_if<CompareExchange>(&effect)) return {e->old, e->success};
  if (const auto* e = std::get_if<Call>(&effect)) return e->to;
  std::vector<model::c::Register> out;
  if (const auto* e = std::get_if<Assign>(&effect))
    for (const auto& [to, from] : e->copies) out.push_back(to);
  if (const auto* e = std::get_if<Synchronise>(&effect); e != nullptr && e->to)
    out.push_back(*e->to);
  return out;
}

std::optional<Operand> accessed(const Effect& effect) {
  if (const auto* e = std::get_if<Load>(&effect)) return e->address;
  if (const auto* e = std::get_if<Store>(&effect)) return e->address;
  if (const auto* e = std::get_if<ReadModifyWrite>(&effect)) return e->address;
  if (const auto* e = std::get_if<CompareExchange>(&effect)) return e->address;
  if (const auto* e = std::get_if<Free>(&effect)) return e->address;
  const auto* e = std::get_if<Synchronise>(&effect);
  if (e != nullptr && e->operation == SyncOperation::CreateThread) return e->arguments[0];
  if (e != nullptr && e->operation == SyncOperation::JoinThread) return e->arguments[1];
  return std::nullopt;
}

}  // namespace

Allocations::Allocations(const Program& program, const Covering& covering,
                         const ThreadProgram& threads)
    : program_(program), map_(covering) {
  for (std::uint32_t t = 1; t < map_.threads.size(); ++t) {
    const auto object = argument_of(t);
    if (!object) continue;
    const std::uint32_t by = map_.objects[*object].thread;
    const Pointers latest = follow(threads, by, {}, *object);
    bool is_given = true;
    for (std::uint32_t u = 0; u < threads.threads.size(); ++u)
      for (const Transition& step : threads.threads[u].transitions) {
        if (!step.creation || step.creation->thread.value != t) continue;
        const auto* e = std::get_if<Synchronise>(&instruction(u, step.from.value).effect);
        is_given = is_given && u == by && e != nullptr &&
                   holds(latest, u, step.from.value, e->arguments[2]);
      }
    if (!is_given) continue;
    sites_.emplace(*object, Site{by, latest});
    gifts_.emplace(t, Gift{*object, follow(threads, t, {{map_.threads[t].root, 0}}, *object)});
  }
}

void Allocations::number_objects(ThreadProgram& threads) const {
  const auto add = [&](const Term& term, const std::string& name,
                       std::optional<ThreadIndex> owner) {
    model::threads::Variable made;
    made.term = term;
    made.name = name;
    made.owner = owner;
    made.kind =
        owner ? model::threads::Variable::Kind::Register : model::threads::Variable::Kind::Memory;
    threads.variables.push_back(std::move(made));
    const model::threads::VariableId id(threads.variables.size() - 1);
    (owner ? threads.threads[owner->index()].locals : threads.globals).push_back(id);
    return id;
  };
  for (const auto& [object, site] : sites_) {
    const Term allocated = model::threads::allocated_objects(object);
    const auto id = add(allocated, "allocated(" + std::to_string(object) + ")", std::nullopt);
    for (Transition& step : threads.threads[site.thread].transitions)
      if (is_site(site.thread, step.from.value, object))
        step.assignments.push_back({id, term::sum({allocated, term::constant(base::Integer(1))})});
  }
  for (const auto& [t, gift] : gifts_) {
    const ThreadIndex thread(t);
    const auto id = add(model::threads::given_object(thread),
                        "object of " + threads.thread(thread).name, thread);
    for (auto& of : threads.threads)
      for (Transition& step : of.transitions)
        if (step.creation && step.creation->thread == thread)
          step.creation->locals.push_back({id, model::threads::allocated_objects(gift.object)});
  }
}

std::optional<Term> Allocations::number_of(const MemoryAccess& access) const {
  if (access.objects.size() != 1) return std::nullopt;
  const std::uint32_t t = access.thread.value, p = access.point.value;
  const auto operand = accessed(instruction(t, p).effect);
  const auto site = sites_.find(access.objects.front());
  if (!operand || site == sites_.end()) return std::nullopt;
  if (site->second.thread == t)
    return holds(site->second.latest, t, p, *operand)
               ? std::optional(model::threads::allocated_objects(site->first))
               : std::nullopt;
  const auto gift = gifts_.find(t);
  const bool is_given = gift != gifts_.end() && gift->second.object == site->first &&
                        holds(gift->second.pointers, t, p, *operand);
  return is_given ? std::optional(model::threads::given_object(access.thread)) : std::nullopt;
}

const Instruction& Allocations::instruction(std::uint32_t thread, std::uint32_t point) const {
  const auto& place = map_.threads[thread].places[point];
  return program_.functions[map_.contexts[place.context].function.index()].code[place.at.index()];
}

bool Allocations::is_site(std::uint32_t thread, std::uint32_t point, std::uint32_t object) const {
  const auto& place = map_.threads[thread].places[point];
  const auto& site = map_.objects[object];
  return place.kind == PointInfo::Kind::Ordinary && site.thread == thread &&
         site.context == place.context && site.at == place.at;
}

Allocations::Pointers Allocations::follow(const ThreadProgram& threads, std::uint32_t thread,
                                          std::set<Register> first, std::uint32_t object) const {
  const auto& of = threads.threads[thread];
  std::vector<std::vector<std::uint32_t>> next(of.points.size());
  for (const Transition& t : of.transitions) next[t.from.index()].push_back(t.to.value);
  Pointers out(of.points.size());
  out[of.entry.index()] = std::move(first);
  std::vector<std::uint32_t> work = {of.entry.value};
  while (!work.empty()) {
    const std::uint32_t from = work.back();
    work.pop_back();
    for (const std::uint32_t to : next[from]) {
      const std::set<Register> reached = step(thread, from, to, *out[from], object);
      if (!out[to]) {
        out[to] = reached;
      } else if (std::erase_if(*out[to], [&](const Register& r) { return !reached.contains(r); }) ==
                 0) {
        continue;
      }
      work.push_back(to);
    }
  }
  return out;
}

std::set<Allocations::Register> Allocations::step(std::uint32_t thread, std::uint32_t from,
                                                  std::uint32_t to,
                                                  const std::set<Register>& before,
                                                  std::uint32_t object) const {
  const auto& here = map_.threads[thread].places[from];
  const auto& there = map_.threads[thread].places[to];
  if (here.kind != PointInfo::Kind::Ordinary || there.kind != PointInfo::Kind::Ordinary) return {};
  const Effect& effect = instruction(thread, from).effect;
  const auto is_pointer = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::Register &&
           before.contains({here.context, operand.index});
  };
  if (is_site(thread, from, object)) return {{here.context, std::get<Allocate>(effect).to.value}};
  std::set<Register> out = before;
  for (const model::c::Register r : written(effect)) out.erase({here.context, r.value});
  if (const auto* e = std::get_if<Compute>(&effect)) {
    const bool is_sum = e->op == Operator::Add || e->op == Operator::Sub;
    const bool is_kept =
        (e->op == Operator::Copy && is_pointer(e->a)) ||
        (is_sum && is_pointer(e->a) && is_number(here.context, e->b)) ||
        (e->op == Operator::Add && is_pointer(e->b) && is_number(here.context, e->a));
    if (is_kept && e->width == e->to_width) out.insert({here.context, e->to.value});
  }
  if (const auto* e = std::get_if<Assign>(&effect))
    for (const auto& [r, from_value] : e->copies)
      if (is_pointer(from_value)) out.insert({here.context, r.value});
  if (const auto* e = std::get_if<Call>(&effect); e != nullptr && there.context != here.context) {
    const Function& callee = program_.functions[map_.contexts[there.context].function.index()];
    std::erase_if(out, [&](const Register& r) { return r.first == there.context; });
    for (std::uint32_t i = 0; i < callee.parameters && i < e->arguments.size(); ++i)
      if (is_pointer(e->arguments[i])) out.insert({there.context, i});
  }
  if (const auto* e = std::get_if<Return>(&effect)) {
    std::erase_if(out, [&](const Register& r) { return r.first == here.context; });
    const Function& caller = program_.functions[map_.contexts[there.context].function.index()];
    const auto* call =
        std::get_if<Call>(&caller.code[map_.contexts[here.context].call.index()].effect);
    if (call == nullptr || map_.contexts[here.context].caller != there.context) return {};
    for (std::size_t i = 0; i < call->to.size(); ++i) {
      const Register result{there.context, call->to[i].value};
      out.erase(result);
      if (i < e->values.size() && is_pointer(e->values[i])) out.insert(result);
    }
  }
  return out;
}

/// Whether the operand is certainly not an address.
bool Allocations::is_number(std::uint32_t context, const Operand& operand) const {
  if (operand.kind == Operand::Kind::Constant) return true;
  if (operand.kind != Operand::Kind::Register) return false;
  return std::ranges::any_of(map_.registers, [&](const Covering::Register& r) {
    return r.context == context && r.reg == operand.index && r.content.objects.empty() &&
           r.content.functions.empty() && r.content.handles.empty();
  });
}

bool Allocations::holds(const Pointers& pointers, std::uint32_t thread, std::uint32_t point,
                        const Operand& operand) const {
  return operand.kind == Operand::Kind::Register && pointers[point] &&
         pointers[point]->contains({map_.threads[thread].places[point].context, operand.index});
}

/// The object that the argument of a thread points into, if it is one of many of the heap.
std::optional<std::uint32_t> Allocations::argument_of(std::uint32_t thread) const {
  const std::uint32_t root = map_.threads[thread].root;
  if (program_.functions[map_.contexts[root].function.index()].parameters == 0) return std::nullopt;
  const auto found = std::ranges::find_if(
      map_.registers, [&](const auto& r) { return r.context == root && r.reg == 0; });
  if (found == map_.registers.end() || found->content.is_arbitrary ||
      found->content.objects.size() != 1)
    return std::nullopt;
  const std::uint32_t o = found->content.objects.front();
  const auto& object = map_.objects[o];
  const bool is_one_of_many = object.kind == Covering::Object::Kind::Heap && object.is_summary;
  if (!is_one_of_many || object.thread == thread || map_.threads[object.thread].is_replicated)
    return std::nullopt;
  return o;
}

}  // namespace heddle::transform::races
