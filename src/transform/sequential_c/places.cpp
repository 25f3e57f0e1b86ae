/// Cells and bytes.
///
/// The addresses of an object are followed through the registers of the function that knows them: a
/// register that is assigned once holds, as far as it is known, an address of one object, at a
/// constant offset or somewhere in it. An address that goes anywhere else (into memory, into a
/// register that is assigned several times, to another function or thread) escapes: whoever reads
/// it may access the object.
///
/// An object is a set of *cells*, which become variables, if it does not escape, if every access
/// to it is at a constant offset, and if no two accesses overlap without being the same bytes. All
/// others are *stored* in arrays of bytes, in which casts, unions and pointers mean what they mean
/// in the model. An address is then the number of an object and an offset; every object has a
/// number of its own for each thread that may make it and each time that it may do so, so that
/// neither the numbers nor the sizes of objects depend on the interleaving. A pointer to a variable
/// of a function that has returned is therefore valid again while the same thread executes the same
/// function again.
///
/// A stored object that does not escape belongs to one thread and needs no copies; one that the
/// program may not write to needs none either.

#include "transform/sequential_c/places.hpp"

#include <algorithm>

#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

constexpr std::uint64_t kMutexBytes = 8;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

/// Whether two ranges have bytes in common.
bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

std::uint64_t initial_value(const Global& global, std::uint64_t offset, std::uint8_t bytes) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < bytes; ++i)
    if (offset + i < global.initial.size())
      value |= std::uint64_t{global.initial[offset + i]} << 8 * i;
  return value;
}

}  // namespace

std::vector<Register> assigned(const Effect& effect) {
  return std::visit(
      Overloaded{
          [](const Assign& i) {
            std::vector<Register> out;
            for (const auto& [to, from] : i.copies) out.push_back(to);
            return out;
          },
          [](const Call& i) { return i.to; },
          [](const CompareExchange& i) { return std::vector{i.old, i.success}; },
          [](const Synchronise& i) { return i.to ? std::vector{*i.to} : std::vector<Register>(); },
          [](const auto& i) {
            if constexpr (requires { i.to; })
              return std::vector<Register>{i.to};
            else
              return std::vector<Register>();
          }},
      effect);
}

Places::Places(const Program& program, const ControlFlow& flow, std::uint32_t threads)
    : program_(program), flow_(flow), threads_(threads) {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (std::size_t i = 0; i < program.functions[f].code.size(); ++i)
      if (std::holds_alternative<Allocate>(program.functions[f].code[i].effect) &&
          flow.is_reached(FunctionId(f), Location(i))) {
        const std::pair<FunctionId, Location> here{FunctionId(f), Location(i)};
        allocations_.emplace(here, ObjectId(program.globals.size() + sites_.size()));
        sites_.push_back(here);
      }
  facts_.resize(program.globals.size() + sites_.size());
  tracked_.resize(program.functions.size());
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (flow.is_reached(FunctionId(f))) track(FunctionId(f));
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (std::size_t i = 0; i < program.functions[f].code.size(); ++i)
      if (flow.is_reached(FunctionId(f), Location(i))) look_at(FunctionId(f), Location(i));
  for (const Global& global : program.globals)
    for (const Relocation& relocation : global.relocations)
      if (relocation.target.kind == Operand::Kind::Global)
        facts_[relocation.target.index].escapes = true;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const ObjectId object(i);
    if (fits_cells(object))
      make_cells(object);
    else
      store(object);
  }
}

ObjectId Places::allocation(FunctionId function, Location at) const {
  return allocations_.at({function, at});
}

std::uint64_t Places::size_of(ObjectId object) const {
  if (is_global(object)) return program_.globals[object.index()].size;
  const auto [function, at] = site(object);
  const auto& made =
      std::get<Allocate>(program_.functions[function.index()].code[at.index()].effect);
  if (made.size.kind != Operand::Kind::Constant)
    throw Refusal{"an object whose size is not constant", position_of(object)};
  return made.size.value;
}

Position Places::position_of(ObjectId object) const {
  if (is_global(object)) return program_.globals[object.index()].position;
  const auto [function, at] = site(object);
  return program_.functions[function.index()].code[at.index()].position;
}

std::string Places::name_of(ObjectId object) const {
  if (is_global(object)) return program_.globals[object.index()].name;
  const auto [function, at] = site(object);
  const auto& made =
      std::get<Allocate>(program_.functions[function.index()].code[at.index()].effect);
  return made.name.empty() ? "object" + std::to_string(at.value) : made.name;
}

// ---- Following addresses

std::optional<Tracked> Places::tracked(FunctionId function, const Operand& operand) const {
  if (operand.kind == Operand::Kind::Global) return Tracked{ObjectId(operand.index), operand.value};
  if (operand.kind != Operand::Kind::Register) return std::nullopt;
  const auto& registers = tracked_[function.index()];
  return operand.index < registers.size() ? registers[operand.index] : std::nullopt;
}

void Places::track(FunctionId id) {
  const Function& function = program_.functions[id.index()];
  auto& known = tracked_[id.index()];
  known.resize(function.register_widths.size());
  std::vector<int> times(known.size(), 0);
  for (std::uint32_t i = 0; i < function.parameters; ++i) ++times[i];
  for (const Instruction& instruction : function.code)
    for (const Register to : assigned(instruction.effect)) ++times[to.index()];
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      if (!flow_.is_reached(id, Location(i))) continue;
      const Effect& effect = function.code[i].effect;
      std::optional<Tracked> value;
      Register to;
      if (std::holds_alternative<Allocate>(effect)) {
        to = std::get<Allocate>(effect).to;
        value = Tracked{allocation(id, Location(i)), 0};
      } else if (const auto* compute = std::get_if<Compute>(&effect)) {
        to = compute->to;
        const bool adds = compute->op == Operator::Add || compute->op == Operator::Sub;
        if (adds || compute->op == Operator::Copy) value = tracked(id, compute->a);
        const bool is_swapped = !value && compute->op == Operator::Add;
        if (is_swapped) value = tracked(id, compute->b);
        const Operand& other = is_swapped ? compute->a : compute->b;
        if (value && adds && tracked(id, other)) value.reset();
        if (value && adds) {
          const bool is_known = value->offset && other.kind == Operand::Kind::Constant;
          const std::uint64_t by = compute->op == Operator::Sub ? 0 - other.value : other.value;
          value->offset = is_known ? std::optional(*value->offset + by) : std::nullopt;
        }
      }
      if (!value || times[to.index()] != 1 || known[to.index()] == value) continue;
      known[to.index()] = value;
      changed = true;
    }
  }
}

void Places::escape(FunctionId function, const Operand& operand) {
  if (const auto at = tracked(function, operand)) facts_[at->object.index()].escapes = true;
}

void Places::need(FunctionId function, const Operand& operand) {
  if (const auto at = tracked(function, operand)) facts_[at->object.index()].needs_address = true;
}

void Places::use(FunctionId function, Location at, const Operand& address, std::uint64_t bytes,
                 bool is_write) {
  if (const auto known = tracked(function, address))
    facts_[known->object.index()].uses.push_back(
        {function, at, known->offset, bytes, is_write, false});
}

void Places::use_mutex(FunctionId function, Location at, const Operand& mutex) {
  const auto known = tracked(function, mutex);
  if (!known) return;
  Facts& facts = facts_[known->object.index()];
  facts.uses.push_back({function, at, known->offset, kMutexBytes, true, true});
  if (known->offset && std::ranges::find(facts.mutexes, *known->offset) == facts.mutexes.end())
    facts.mutexes.push_back(*known->offset);
}

void Places::look_at(FunctionId f, Location at, const Synchronise& i) {
  const std::uint8_t pointer = program_.pointer_bytes;
  using enum SyncOperation;
  switch (i.operation) {
    case CreateThread: use(f, at, i.arguments[0], pointer, true); return escape(f, i.arguments[2]);
    case JoinThread: return use(f, at, i.arguments[1], pointer, true);
    case MutexInit: {
      use_mutex(f, at, i.arguments[0]);
      const auto known = tracked(f, i.arguments[0]);
      if (!known) return;
      Facts& facts = facts_[known->object.index()];
      if (i.arguments.size() < 2)
        facts.kinds.insert(0);
      else if (i.arguments[1].kind == Operand::Kind::Constant)
        facts.kinds.insert(i.arguments[1].value & 3);
      else
        facts.has_unknown_kind = true;
      return;
    }
    case MutexLock:
    case MutexTryLock:
    case MutexUnlock: return use_mutex(f, at, i.arguments[0]);
    case ConditionWait:
    case ConditionTimedWait: return use_mutex(f, at, i.arguments[1]);
    case ExitThread: return i.arguments.empty() ? void() : escape(f, i.arguments[0]);
    case DetachThread:
    case SelfThread:
    case MutexDestroy:
    case ConditionSignal:
    case ConditionBroadcast:
    case AtomicBegin:
    case AtomicEnd:
    case BlockUntil:
    case Fence: return;
  }
}

void Places::look_at(FunctionId f, Location at) {
  const auto compute = [&](const Compute& i) {
    const bool follows = i.op == Operator::Add || i.op == Operator::Sub || i.op == Operator::Copy;
    if (i.op >= Operator::Eq && i.op <= Operator::SLe) return need(f, i.a), need(f, i.b);
    if (follows && tracked_[f.index()][i.to.index()]) return;
    escape(f, i.a), escape(f, i.b), escape(f, i.c);
  };
  const Effect& effect = program_.functions[f.index()].code[at.index()].effect;
  std::visit(Overloaded{compute, [&](const Synchronise& i) { look_at(f, at, i); },
                        [&](const Assign& i) {
                          for (const auto& [to, from] : i.copies) escape(f, from);
                        },
                        [&](const Switch& i) { need(f, i.value); },
                        [&](const Call& i) {
                          escape(f, i.callee);
                          for (const Operand& argument : i.arguments) escape(f, argument);
                        },
                        [&](const Return& i) {
                          for (const Operand& value : i.values) escape(f, value);
                        },
                        [&](const Allocate& i) {
                          escape(f, i.size);
                          if (!tracked_[f.index()][i.to.index()])
                            facts_[allocation(f, at).index()].escapes = true;
                        },
                        [&](const Free& i) { need(f, i.address); },
                        [&](const ObjectSize& i) { need(f, i.address); },
                        [&](const Load& i) { use(f, at, i.address, i.bytes, false); },
                        [&](const Store& i) {
                          use(f, at, i.address, i.bytes, true);
                          escape(f, i.value);
                        },
                        [&](const ReadModifyWrite& i) {
                          use(f, at, i.address, i.bytes, true);
                          escape(f, i.value);
                        },
                        [&](const CompareExchange& i) {
                          use(f, at, i.address, i.bytes, true);
                          escape(f, i.expected), escape(f, i.desired);
                        },
                        [](const auto&) {}},
             effect);
}

// ---- Cells

bool Places::fits_cells(ObjectId object) const {
  const Facts& facts = facts_[object.index()];
  if (facts.escapes || facts.needs_address) return false;
  if (!is_global(object)) {
    const auto [function, at] = site(object);
    const Function& f = program_.functions[function.index()];
    const auto& made = std::get<Allocate>(f.code[at.index()].effect);
    const auto repeats = [&](const Loop& loop) { return loop.inside.contains(at); };
    if (!facts.mutexes.empty() || made.where != Allocate::Where::Stack ||
        made.size.kind != Operand::Kind::Constant ||
        std::ranges::any_of(flow_.loops(function), repeats))
      return false;
  } else if (!program_.globals[object.index()].relocations.empty()) {
    return false;
  }
  const std::uint64_t size = size_of(object);
  const std::uint64_t kind = mutex_kind_offset(program_.pointer_bytes);
  const bool is_constant = is_global(object) && program_.globals[object.index()].is_constant;
  for (const Use& one : facts.uses) {
    const std::uint64_t bytes = one.is_mutex ? kind + 4 : one.bytes;
    if (!one.offset || bytes > size || *one.offset > size - bytes) return false;
    if (one.is_write && is_constant) return false;
    for (const Use& other : facts.uses) {
      if (!other.offset) return false;
      const std::uint64_t others = other.is_mutex ? kind + 4 : other.bytes;
      const bool same =
          one.offset == other.offset && bytes == others && one.is_mutex == other.is_mutex;
      if (!same && overlap(*one.offset, bytes, *other.offset, others)) return false;
    }
  }
  return true;
}

Cell::Kind Places::kind_of(ObjectId object, std::uint64_t offset, std::uint64_t bytes) const {
  if (!is_global(object)) return Cell::Kind::Local;
  const Global& global = program_.globals[object.index()];
  if (global.is_thread_local) return Cell::Kind::Own;
  bool is_written = global.is_extern, is_changed = false, is_common = false;
  for (const Use& use : facts_[object.index()].uses) {
    const std::uint64_t span =
        use.is_mutex ? mutex_kind_offset(program_.pointer_bytes) + 4 : use.bytes;
    if (!overlap(*use.offset, span, offset, bytes)) continue;
    is_written = is_written || use.is_write;
    is_changed = is_changed || (use.is_write && !flow_.is_alone(use.function, use.at));
    is_common = is_common || flow_.runs_created(use.function);
  }
  if (!is_written) return Cell::Kind::Constant;
  return is_changed && is_common ? Cell::Kind::Shared : Cell::Kind::Own;
}

std::size_t Places::add_cell(ObjectId object, std::uint64_t offset, std::uint8_t bytes,
                             const std::string& part) {
  const auto [place, is_new] = cell_at_.try_emplace({object, offset}, cells_.size());
  if (!is_new) return place->second;
  Cell cell;
  cell.object = object;
  cell.offset = offset;
  cell.bytes = bytes;
  cell.kind = kind_of(object, offset, bytes);
  cell.name = name_of(object) + part;
  if (is_global(object)) {
    const Global& global = program_.globals[object.index()];
    cell.initial = initial_value(global, offset, bytes);
    cell.is_undefined = global.is_extern;
  } else {
    cell.is_undefined = true;
  }
  cells_.push_back(std::move(cell));
  return place->second;
}

/// Of a global.
void Places::add_mutex(ObjectId object, std::uint64_t offset) {
  const Facts& facts = facts_[object.index()];
  const std::string suffix = facts.mutexes.size() == 1 ? "" : "_" + std::to_string(offset);
  const std::uint64_t kind = offset + mutex_kind_offset(program_.pointer_bytes);
  std::set<std::uint64_t> kinds = facts.kinds;
  kinds.insert(initial_value(program_.globals[object.index()], kind, 4) & 3);
  if (kinds.erase(3) != 0) kinds.insert(0);
  const bool is_fixed = kinds.size() == 1 && !facts.has_unknown_kind;
  MutexCells cells;
  cells.owner = add_cell(object, offset, 4, suffix);
  cells_[cells.owner].most = threads_;
  if (is_fixed)
    cells.fixed_kind = static_cast<std::uint32_t>(*kinds.begin());
  else
    cells.kind = add_cell(object, kind, 4, suffix + "_kind");
  if (!is_fixed || cells.fixed_kind == 1)
    cells.count = add_cell(object, offset + 4, 4, suffix + "_count");
  mutexes_.emplace(std::pair(object, offset), cells);
}

void Places::make_cells(ObjectId object) {
  const Facts& facts = facts_[object.index()];
  for (const std::uint64_t offset : facts.mutexes) add_mutex(object, offset);
  const std::uint64_t size = size_of(object);
  for (const Use& use : facts.uses)
    if (!use.is_mutex)
      add_cell(object, *use.offset, static_cast<std::uint8_t>(use.bytes),
               use.bytes == size ? "" : "_" + std::to_string(*use.offset));
}

const Cell* Places::cell(const std::optional<Tracked>& at, std::uint64_t bytes) const {
  if (!at || !at->offset || is_stored(at->object)) return nullptr;
  const auto found = cell_at_.find({at->object, *at->offset});
  if (found == cell_at_.end() || cells_[found->second].bytes != bytes) return nullptr;
  return &cells_[found->second];
}

const MutexCells* Places::mutex(const std::optional<Tracked>& at) const {
  if (!at || !at->offset) return nullptr;
  const auto found = mutexes_.find({at->object, *at->offset});
  return found == mutexes_.end() ? nullptr : &found->second;
}

/// Forward along the instructions of the function, from where the object is made or made anew.
bool Places::may_be_read_first(const Cell& cell) const {
  const auto [id, made_at] = site(cell.object);
  const Function& function = program_.functions[id.index()];
  const auto is_it = [&](const Operand& address) {
    return tracked(id, address) == Tracked{cell.object, cell.offset};
  };
  std::set<Location> seen;
  std::vector<Location> pending;
  const auto begin = [&](Location at) {
    for (const Location next : successors(function, at)) pending.push_back(next);
  };
  begin(made_at);
  for (std::size_t i = 0; i < function.code.size(); ++i)
    if (const auto* life = std::get_if<Lifetime>(&function.code[i].effect);
        life != nullptr && life->begins && tracked(id, life->address) &&
        tracked(id, life->address)->object == cell.object)
      begin(Location(i));
  while (!pending.empty()) {
    const Location at = pending.back();
    pending.pop_back();
    if (!seen.insert(at).second) continue;
    const Effect& effect = function.code[at.index()].effect;
    if (const auto* load = std::get_if<Load>(&effect); load && is_it(load->address)) return true;
    if (const auto* modify = std::get_if<ReadModifyWrite>(&effect);
        modify && is_it(modify->address))
      return true;
    if (const auto* exchange = std::get_if<CompareExchange>(&effect);
        exchange && is_it(exchange->address))
      return true;
    const auto* stores = std::get_if<Store>(&effect);
    const auto* sync = std::get_if<Synchronise>(&effect);
    const bool creates = sync && sync->operation == SyncOperation::CreateThread;
    if ((stores && is_it(stores->address)) || (creates && is_it(sync->arguments[0]))) continue;
    begin(at);
  }
  return false;
}

// ---- Bytes

void Places::store(ObjectId object) {
  Stored out;
  out.size = size_of(object);
  const std::uint64_t most = program_.pointer_bytes == 8 ? std::uint64_t{1} << 20 : 0xe000;
  if (out.size > most)
    throw Refusal{"an object of " + std::to_string(out.size) + " bytes", position_of(object)};
  if (is_global(object)) {
    const Global& global = program_.globals[object.index()];
    if (global.is_thread_local) out.threads = threads_;
    out.is_private = global.is_constant || (global.is_thread_local && !escapes(object));
  } else {
    const auto [function, at] = site(object);
    const Function& f = program_.functions[function.index()];
    const bool is_stack =
        std::get<Allocate>(f.code[at.index()].effect).where == Allocate::Where::Stack;
    out.first_thread = flow_.runs_first(function) ? 0 : 1;
    out.threads = flow_.runs_created(function) ? threads_ - out.first_thread : 1;
    out.is_private = !escapes(object);
    out.is_mortal = true;
    const auto repeats = [&](const Loop& loop) { return loop.inside.contains(at); };
    if (is_stack && flow_.is_recursive(function))
      throw Refusal{"a variable of a recursive function whose address is used",
                    position_of(object)};
    if (is_stack && std::ranges::any_of(flow_.loops(function), repeats))
      throw Refusal{"a variable on the stack that is made in a loop", position_of(object)};
    if (!is_stack) {
      const auto times = flow_.times(function, at);
      if (!times)
        throw Refusal{flow_.bound() ? "an allocation without a bound on how often it happens"
                                    : "an allocation in a loop, or in a recursive function, "
                                      "without --unroll",
                      position_of(object)};
      out.copies = static_cast<std::uint32_t>(std::max<std::uint64_t>(*times, 1));
    }
  }
  if (std::uint64_t{out.numbers()} * (out.size + 1) > std::uint64_t{1} << 20)
    throw Refusal{"objects of more than one megabyte in all", position_of(object)};
  out.first_number = last_number_ + 1;
  last_number_ += out.numbers();
  if (last_number_ > 0x8000) throw Refusal{"more than 32,768 objects", position_of(object)};
  stored_.emplace(object, out);
}

}  // namespace heddle::transform::sequential_c
