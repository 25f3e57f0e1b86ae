#include "transform/races/accesses.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/c/word_terms.hpp"

namespace heddle::transform::races {

using namespace model::c;
using model::threads::Covering;
using model::threads::Point;
using model::threads::PointInfo;
using model::threads::ThreadIndex;
using model::threads::ThreadProgram;
using term::Term;

namespace {

Term number(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

/// What an operand that is an address may be.
struct Address {
  std::optional<std::uint64_t> bits;
  std::optional<Term> term;
  Covering::Targets targets;
};

class Reading {
 public:
  Reading(const Program& program, const ThreadProgram& threads, const Covering& covering)
      : program_(program), threads_(threads), map_(covering) {
    for (std::uint32_t i = 0; i < map_.registers.size(); ++i)
      registers_.emplace(std::pair(map_.registers[i].context, map_.registers[i].reg), i);
    for (std::uint32_t i = 0; i < map_.objects.size(); ++i) {
      const auto& o = map_.objects[i];
      if (o.kind == Covering::Object::Kind::Global) globals_.emplace(std::pair(o.global, 0U), i);
      if (o.kind == Covering::Object::Kind::ThreadLocal)
        globals_.emplace(std::pair(o.global, o.thread + 1), i);
    }
  }

  std::vector<MemoryAccess> run() {
    for (thread_ = 0; thread_ < map_.threads.size(); ++thread_)
      for (point_ = 0; point_ < map_.threads[thread_].places.size(); ++point_) {
        place_ = &map_.threads[thread_].places[point_];
        if (place_->kind == PointInfo::Kind::Ordinary) look_at(instruction().effect);
      }
    return std::move(found_);
  }

  const Instruction& instruction() const {
    const Function& f = program_.functions[map_.contexts[place_->context].function.index()];
    return f.code[place_->at.index()];
  }

 private:
  void look_at(const Effect& effect) {
    if (const auto* e = std::get_if<Load>(&effect)) add(e->address, e->bytes, false, e->is_atomic);
    if (const auto* e = std::get_if<Store>(&effect)) add(e->address, e->bytes, true, e->is_atomic);
    if (const auto* e = std::get_if<ReadModifyWrite>(&effect))
      add(e->address, e->bytes, true, true);
    if (const auto* e = std::get_if<CompareExchange>(&effect))
      add(e->address, e->bytes, true, true);
    if (const auto* e = std::get_if<Free>(&effect)) add_free(e->address);
    const auto* e = std::get_if<Synchronise>(&effect);
    if (e == nullptr) return;
    if (e->operation == SyncOperation::CreateThread)
      add(e->arguments[0], program_.pointer_bytes, true, false);
    if (e->operation == SyncOperation::JoinThread)
      add(e->arguments[1], program_.pointer_bytes, true, false);
  }

  Address address_of(const Operand& operand) const {
    Address out;
    switch (operand.kind) {
      case Operand::Kind::Constant: out.bits = operand.value; return out;
      case Operand::Kind::Function: out.bits = 0; return out;
      case Operand::Kind::Global: {
        const bool is_local = program_.globals[operand.index].is_thread_local;
        const std::uint32_t o = globals_.at({operand.index, is_local ? thread_ + 1 : 0});
        out.bits = map_.objects[o].base + operand.value;
        out.targets.objects = {o};
        return out;
      }
      case Operand::Kind::Register: break;
    }
    const auto known = registers_.find({place_->context, operand.index});
    if (known != registers_.end()) out.targets = map_.registers[known->second].content;
    for (const auto& c : place_->constants)
      if (!c.is_cell && c.context == place_->context && c.index == operand.index)
        out.bits = c.value;
    if (out.bits) {
      std::erase_if(out.targets.objects, [&](std::uint32_t o) { return !contains(o, *out.bits); });
      return out;
    }
    if (known == registers_.end() || !map_.registers[known->second].variable) return out;
    const auto& reg = map_.registers[known->second];
    const Term& variable = threads_.variables[*reg.variable].term;
    const std::uint8_t width = program_.functions[map_.contexts[place_->context].function.index()]
                                   .register_widths[operand.index];
    out.term = reg.is_signed ? variable : words::unsigned_value({variable, width, false});
    return out;
  }

  bool contains(std::uint32_t o, std::uint64_t bits) const {
    const auto& object = map_.objects[o];
    if (bits < object.base) return false;
    return object.is_summary || !object.size ||
           bits < object.base + std::max<std::uint64_t>(*object.size, 1);
  }

  MemoryAccess here() const {
    MemoryAccess made;
    made.thread = ThreadIndex(thread_);
    made.point = Point(point_);
    made.in_section = made.is_atomic = place_->sections > 0;
    return made;
  }

  void add(const Operand& operand, std::uint64_t bytes, bool writes, bool is_atomic) {
    const Address address = address_of(operand);
    MemoryAccess made = here();
    made.is_write = writes;
    made.is_atomic = is_atomic || made.in_section;
    made.bytes = bytes;
    made.address = address.bits ? std::optional(number(*address.bits)) : address.term;
    made.objects = address.targets.objects;
    if (!made.objects.empty()) found_.push_back(std::move(made));
  }

  void add_free(const Operand& operand) {
    const Address address = address_of(operand);
    if (address.bits == std::uint64_t{0}) return;
    const auto& t = address.targets;
    const bool may_be_any =
        t.is_arbitrary || (t.objects.empty() && t.functions.empty() && t.handles.empty());
    MemoryAccess made = here();
    made.is_write = true;
    for (std::uint32_t o = 0; o < map_.objects.size(); ++o)
      if (map_.objects[o].kind == Covering::Object::Kind::Heap &&
          (may_be_any || std::ranges::binary_search(t.objects, o)))
        made.objects.push_back(o);
    if (!made.objects.empty()) found_.push_back(std::move(made));
  }

  const Program& program_;
  const ThreadProgram& threads_;
  const Covering& map_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> registers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> globals_;
  std::uint32_t thread_ = 0, point_ = 0;
  const Covering::Place* place_ = nullptr;
  std::vector<MemoryAccess> found_;
};

}  // namespace

std::vector<MemoryAccess> accesses(const Program& program, const ThreadProgram& threads,
                                   const Covering& covering) {
  return Reading(program, threads, covering).run();
}

namespace {

/// By thread: those that it may create, directly or not.
std::vector<std::set<std::uint32_t>> descendants(const Covering& map) {
  std::vector<std::set<std::uint32_t>> out(map.threads.size());
  for (std::size_t t = 0; t < map.threads.size(); ++t)
    for (const auto& place : map.threads[t].places)
      if (place.creates) out[t].insert(*place.creates);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& all : out)
      for (const std::uint32_t u : std::set(all))
        for (const std::uint32_t v : out[u]) changed = all.insert(v).second || changed;
  }
  return out;
}

}  // namespace

std::vector<bool> private_objects(const Covering& map) {
  std::vector<bool> escapes(map.objects.size());
  const auto below = descendants(map);
  for (std::size_t o = 0; o < map.objects.size(); ++o) {
    const auto& object = map.objects[o];
    escapes[o] = object.kind == Covering::Object::Kind::Global ||
                 below[object.thread].contains(object.thread);
  }
  std::vector<std::uint32_t> work;
  const auto escape = [&](std::uint32_t o) {
    if (!escapes[o]) work.push_back(o);
    escapes[o] = true;
  };
  for (const auto& thread : map.threads)
    for (const std::uint32_t o : thread.result_content.objects) escape(o);
  for (const auto& r : map.registers)
    for (const std::uint32_t o : r.content.objects)
      if (map.objects[o].thread != map.contexts[r.context].thread) escape(o);
  std::vector<std::set<std::uint32_t>> held(map.objects.size());
  for (const auto& cell : map.cells)
    held[cell.object].insert(cell.content.objects.begin(), cell.content.objects.end());
  for (std::size_t o = 0; o < map.objects.size(); ++o)
    held[o].insert(map.objects[o].content.objects.begin(), map.objects[o].content.objects.end());
  for (std::uint32_t o = 0; o < map.objects.size(); ++o) {
    if (escapes[o]) work.push_back(o);
    for (const std::uint32_t h : held[o])
      if (map.objects[h].thread != map.objects[o].thread) escape(h);
  }
  while (!work.empty()) {
    const std::uint32_t o = work.back();
    work.pop_back();
    for (const std::uint32_t h : held[o]) escape(h);
  }
  escapes.flip();
  return escapes;
}

bool has_rival_joins(const Program& program, const Covering& map) {
  std::map<std::uint32_t, std::set<std::uint32_t>> joiners;  // by thread that is joined
  std::set<std::uint32_t> of_any;
  for (std::uint32_t t = 0; t < map.threads.size(); ++t)
    for (const auto& place : map.threads[t].places) {
      const Function& f = program.functions[map.contexts[place.context].function.index()];
      const auto* e = std::get_if<Synchronise>(&f.code[place.at.index()].effect);
      if (e == nullptr || e->operation != SyncOperation::JoinThread) continue;
      const Operand& handle = e->arguments[0];
      std::optional<std::uint64_t> bits;
      for (const auto& c : place.constants)
        if (!c.is_cell && handle.kind == Operand::Kind::Register && c.context == place.context &&
            c.index == handle.index)
          bits = c.value;
      bool is_known = false;
      for (std::uint32_t u = 0; u < map.threads.size(); ++u)
        if (bits == map.threads[u].handle) {
          joiners[u].insert(t);
          is_known = true;
        }
      if (is_known) continue;
      const auto found = std::ranges::find_if(map.registers, [&](const auto& r) {
        return r.context == place.context && handle.kind == Operand::Kind::Register &&
               r.reg == handle.index;
      });
      if (found == map.registers.end() || found->content.is_arbitrary ||
          found->content.handles.empty())
        of_any.insert(t);
      if (found == map.registers.end()) continue;
      for (const std::uint32_t u : found->content.handles) joiners[u].insert(t);
    }
  return std::ranges::any_of(joiners, [&](const auto& entry) {
    if (!map.threads[entry.first].is_waited_for) return false;
    std::set<std::uint32_t> all = entry.second;
    all.insert(of_any.begin(), of_any.end());
    return all.size() > 1 || map.threads[*all.begin()].is_replicated;
  });
}

std::string name_of(const Program& program, const Covering& covering, const MemoryAccess& access,
                    std::uint32_t object) {
  const auto& o = covering.objects[object];
  using Kind = Covering::Object::Kind;
  if (o.kind == Kind::Global || o.kind == Kind::ThreadLocal) {
    const Global& global = program.globals[o.global];
    std::string name = global.name;
    if (!access.address || access.address->op() != term::Operator::Integer || !global.type)
      return name;
    std::uint64_t offset = std::stoull(base::to_string(access.address->integer())) - o.base;
    const Type* type = &program.types[global.type->index()];
    while (type->kind == Type::Kind::Struct || type->kind == Type::Kind::Array) {
      if (type->kind == Type::Kind::Array) {
        if (!type->element) break;
        const Type& element = program.types[type->element->index()];
        if (element.bytes == 0) break;
        name += "[" + std::to_string(offset / element.bytes) + "]";
        offset %= element.bytes;
        type = &element;
        continue;
      }
      const Type::Member* inside = nullptr;
      for (const Type::Member& m : type->members)
        if (m.offset <= offset && offset < m.offset + program.types[m.type.index()].bytes)
          inside = &m;
      if (inside == nullptr) break;
      name += "." + inside->name;
      offset -= inside->offset;
      type = &program.types[inside->type.index()];
    }
    return name;
  }
  const Function& f = program.functions[covering.contexts[o.context].function.index()];
  const Instruction& made = f.code[o.at.index()];
  const auto* e = std::get_if<Allocate>(&made.effect);
  if (e != nullptr && !e->name.empty()) return f.name + "." + e->name;
  // The position of the call, if the library allocates.
  Position position = made.position;
  for (std::uint32_t c = o.context; position.line == 0 && covering.contexts[c].caller;) {
    const auto& context = covering.contexts[c];
    c = *context.caller;
    position = program.functions[covering.contexts[c].function.index()]
                   .code[context.call.index()]
                   .position;
  }
  return "the object allocated at line " + std::to_string(position.line);
}

}  // namespace heddle::transform::races
