#include "check/c/covering.hpp"

#include <algorithm>

#include "check/c/covering_parts.hpp"

/// From a C program and a covering to the thread program.
///
/// The question. A proof speaks about a thread program; does that cover the C program? The thread
/// program is not taken from the engine: it is derived here, and only the map comes from outside.
///
/// The idea. The map lists places (an instruction in a chain of calls, with constants that are
/// known there), variables with what they stand for, objects with invented addresses, and for every
/// register, cell and blurred object what it may point to. From each place the instruction is
/// executed once, symbolically, under exactly what the map says. Whatever it leads to must be in
/// the map again: the successor's place, its constants, what values may point to. Some claims rest
/// on all transitions together and are looked at in the end: who writes to cells that are followed
/// as constants, that a thread or object that stands for one is made at most once, that other
/// threads do not know the objects of a replicated thread.
///
/// Why it suffices. By induction over a run of the C program, its state corresponds to one here:
/// each thread stands at a place of the map with its chain of calls and its instruction; registers
/// and cells that have variables have corresponding values (covering_values.cpp), constants are
/// right, and pointers point only to what is listed. Each case of `execute` adds a transition for
/// every way in which the interpreter can go on (model/c/execution*.cpp). Variables that the map
/// leaves out are read as any value. Where the semantics ends a run, there is no transition, and
/// the point is marked as one that may block.
///
/// Two properties of C are taken for granted: arithmetic on an address does not lead into another
/// object, and nothing but equality, order inside an object and distance inside an object depends
/// on which numbers addresses are.

namespace heddle::check::c::covering {

using namespace model::threads;
namespace mc = model::c;
using term::Term;

namespace {

bool is_symbol(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text[0]) && text != "busy" && text != "true" &&
         text != "false" && std::ranges::all_of(text, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
         });
}

bool is_list(const std::vector<std::uint32_t>& ids, std::size_t end) {
  return std::ranges::adjacent_find(ids, std::greater_equal()) == ids.end() &&
         (ids.empty() || ids.back() < end);
}

/// Of glibc: normal, recursive, error-checking, and adaptive, which is as normal.
constexpr std::uint32_t kMutexKinds = 4;

void demand(bool holds, const std::string& what) {
  if (!holds) throw Objection{"the covering: " + what};
}

/// Instructions of the same function that may come next.
std::vector<std::uint32_t> following(const mc::Function& f, std::uint32_t at) {
  const mc::Effect& effect = f.code[at].effect;
  if (const auto* e = std::get_if<mc::Assign>(&effect)) return {e->next.value};
  if (const auto* e = std::get_if<mc::Jump>(&effect)) return {e->next.value};
  if (const auto* e = std::get_if<mc::Branch>(&effect))
    return {e->if_true.value, e->if_false.value};
  if (const auto* e = std::get_if<mc::Switch>(&effect)) {
    std::vector<std::uint32_t> out = {e->otherwise.value};
    for (const auto& [bits, next] : e->cases) out.push_back(next.value);
    return out;
  }
  const auto* sync = std::get_if<mc::Synchronise>(&effect);
  const bool ends =
      std::holds_alternative<mc::Return>(effect) || std::holds_alternative<mc::Exit>(effect) ||
      std::holds_alternative<mc::Fail>(effect) || std::holds_alternative<mc::Unsupported>(effect) ||
      (sync != nullptr && sync->operation == mc::SyncOperation::ExitThread);
  // A call that never returns may be the last instruction.
  if (ends || at + 1 >= f.code.size()) return {};
  return {at + 1};
}

template <class Next>
bool reaches_itself(std::uint32_t start, const Next& next) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> work = {start};
  while (!work.empty()) {
    const std::uint32_t p = work.back();
    work.pop_back();
    for (const std::uint32_t q : next(p)) {
      if (q == start) return true;
      if (seen.insert(q).second) work.push_back(q);
    }
  }
  return false;
}

}  // namespace

Rebuild::Rebuild(const mc::Program& program, const Covering& covering)
    : program_(program),
      map_(covering),
      cells_of_(covering.objects.size()),
      mutexes_of_(covering.objects.size()) {}

std::string Rebuild::here() const {
  if (place_ == nullptr) return "the covering: ";
  return "thread " + std::to_string(thread_) + " at " + function_of(place_->context).name +
         ", line " + std::to_string(instruction_->position.line) + " (point " +
         std::to_string(point_) + "): ";
}

void Rebuild::object_to(const std::string& what) const { throw Objection{here() + what}; }
void Rebuild::give_up(const std::string& what) const { throw Objection{here() + what, false}; }

ThreadProgram Rebuild::run() {
  check_form();
  index();
  check_objects();
  check_cells();
  make_variables();
  make_points();
  execute_all();
  check_threads();
  check_allocations();
  check_escapes();
  check_constants();
  return std::move(made_);
}

// ---- before

void Rebuild::check_targets(const Targets& t) const {
  demand(is_list(t.objects, map_.objects.size()) &&
             is_list(t.functions, program_.functions.size()) &&
             is_list(t.handles, map_.threads.size()),
         "a list of targets");
}

void Rebuild::check_form() const {
  demand(!map_.threads.empty() && map_.threads[0].start == program_.entry &&
             !map_.threads[0].is_replicated,
         "the first thread differs");
  std::set<std::string> symbols;
  for (const auto& v : map_.variables) {
    demand(v.symbol.empty() || (is_symbol(v.symbol) && symbols.insert(v.symbol).second),
           "the name of a variable");
    demand(!v.owner || *v.owner < map_.threads.size(), "the owner of a variable");
  }
  for (std::uint32_t i = 0; i < map_.contexts.size(); ++i) {
    const auto& c = map_.contexts[i];
    demand(c.thread < map_.threads.size() && c.function.index() < program_.functions.size(),
           "a chain of calls");
    if (!c.caller) continue;
    demand(*c.caller < i && map_.contexts[*c.caller].thread == c.thread, "a chain of calls");
    const auto& code = function_of(*c.caller).code;
    demand(c.call.index() < code.size() &&
               std::holds_alternative<mc::Call>(code[c.call.index()].effect),
           "a chain of calls");
  }
  std::set<std::uint64_t> handles;
  for (std::uint32_t t = 0; t < map_.threads.size(); ++t) {
    const auto& thread = map_.threads[t];
    demand(thread.root < map_.contexts.size() && thread.start.index() < program_.functions.size(),
           "a thread");
    const auto& root = map_.contexts[thread.root];
    demand(root.thread == t && !root.caller && root.function == thread.start, "a thread's root");
    demand(thread.handle >= kFirstHandleNumber && thread.handle < kFirstObjectNumber &&
               handles.insert(thread.handle).second,
           "a handle");
    demand((t == 0) == !thread.status && thread.is_replicated == thread.self.has_value(),
           "a thread's variables");
    demand(!thread.is_waited_for || (t != 0 && !thread.is_replicated), "waiting for a thread");
    check_targets(thread.result_content);
    check_places(t);
  }
}

void Rebuild::check_places(std::uint32_t t) const {
  const auto& thread = map_.threads[t];
  const auto is_context = [&](std::uint32_t c) {
    return c < map_.contexts.size() && map_.contexts[c].thread == t;
  };
  for (const auto& place : thread.places) {
    demand(is_context(place.context) && place.at.index() < function_of(place.context).code.size(),
           "a place");
    demand(!place.creates || (*place.creates < map_.threads.size() && *place.creates != 0),
           "a creation");
    if (place.kind != PointInfo::Kind::Ordinary)
      demand(place.origin < thread.places.size() &&
                 thread.places[place.origin].kind == PointInfo::Kind::Ordinary,
             "a point that is reached from nowhere");
    for (const auto& c : place.constants)
      demand(c.is_cell
                 ? c.index < map_.cells.size()
                 : is_context(c.context) && c.index < function_of(c.context).register_widths.size(),
             "a constant");
  }
  demand(thread.entry < thread.places.size(), "the entry of a thread");
  const auto& entry = thread.places[thread.entry];
  demand(entry.kind == PointInfo::Kind::Ordinary && entry.context == thread.root &&
             entry.at.index() == 0 && entry.sections == 0 && !entry.is_asleep,
         "the entry of a thread");
}

void Rebuild::index() {
  for (std::uint32_t i = 0; i < map_.contexts.size(); ++i) {
    const auto& c = map_.contexts[i];
    demand(contexts_
               .emplace(std::tuple(c.thread, c.caller ? *c.caller + 1 : 0,
                                   c.caller ? c.call.value : 0, c.function.value),
                        i)
               .second,
           "a chain of calls is listed twice");
  }
  for (std::uint32_t i = 0; i < map_.registers.size(); ++i) {
    const auto& r = map_.registers[i];
    demand(r.context < map_.contexts.size() &&
               r.reg < function_of(r.context).register_widths.size() &&
               registers_.emplace(std::pair(r.context, r.reg), i).second,
           "a register");
    check_targets(r.content);
  }
  for (std::uint32_t i = 0; i < map_.cells.size(); ++i) {
    const auto& c = map_.cells[i];
    demand(c.object < map_.objects.size() &&
               cells_.emplace(std::tuple(c.object, c.offset, c.bytes), i).second,
           "a cell");
    cells_of_[c.object].push_back(i);
    check_targets(c.content);
  }
  for (std::uint32_t i = 0; i < map_.mutexes.size(); ++i) {
    demand(map_.mutexes[i].object < map_.objects.size(), "a mutex");
    mutexes_of_[map_.mutexes[i].object].push_back(i);
  }
  for (std::uint32_t t = 0; t < map_.threads.size(); ++t)
    for (std::uint32_t p = 0; p < map_.threads[t].places.size(); ++p) {
      const auto& place = map_.threads[t].places[p];
      if (place.kind == PointInfo::Kind::Ordinary)
        places_[{t, place.context, place.at.value, place.sections, place.is_asleep}].push_back(p);
      else
        demand(special_.emplace(std::tuple(t, place.origin, place.kind), p).second,
               "a point is listed twice");
    }
}

void Rebuild::check_objects() {
  using Kind = Covering::Object::Kind;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (std::uint32_t i = 0; i < map_.objects.size(); ++i) {
    const auto& o = map_.objects[i];
    demand(o.is_blurred || (!o.is_summary && o.size), "an object without a size");
    check_targets(o.content);
    const std::uint64_t room = std::max(o.size.value_or(0), kSummaryRange);
    demand(o.base >= kFirstObjectNumber && o.base < kObjectNumbersEnd &&
               room < kObjectNumbersEnd - o.base,
           "the address of an object");
    ranges.emplace_back(o.base, o.base + room);
    demand(o.kind == Kind::Global || o.thread < map_.threads.size(), "the thread of an object");
    if (o.kind == Kind::Global || o.kind == Kind::ThreadLocal) {
      const bool is_local = o.kind == Kind::ThreadLocal;
      demand(o.global < program_.globals.size() &&
                 program_.globals[o.global].is_thread_local == is_local &&
                 o.size == program_.globals[o.global].size && (is_local || !o.is_summary),
             "a global");
      demand(globals_
                 .emplace(std::pair(o.global, is_local ? std::optional(o.thread) : std::nullopt), i)
                 .second,
             "a global is listed twice");
      continue;
    }
    demand(o.context < map_.contexts.size() && map_.contexts[o.context].thread == o.thread &&
               o.at.index() < function_of(o.context).code.size(),
           "an allocation");
    const auto* e = std::get_if<mc::Allocate>(&function_of(o.context).code[o.at.index()].effect);
    demand(e != nullptr && (e->where == mc::Allocate::Where::Stack) == (o.kind == Kind::Stack),
           "an allocation");
    demand(allocated_.emplace(std::tuple(o.thread, o.context, o.at.value), i).second,
           "an allocation is listed twice");
  }
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i)
    demand(ranges[i - 1].second < ranges[i].first, "objects that overlap");
}

void Rebuild::check_cells() const {
  for (std::uint32_t o = 0; o < map_.objects.size(); ++o) {
    const auto& object = map_.objects[o];
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const std::uint32_t c : cells_of_[o]) {
      const auto& cell = map_.cells[c];
      demand(!object.is_blurred &&
                 (cell.bytes == 1 || cell.bytes == 2 || cell.bytes == 4 || cell.bytes == 8),
             "a cell");
      demand(cell.offset <= *object.size && cell.bytes <= *object.size - cell.offset,
             "a cell outside its object");
      ranges.emplace_back(cell.offset, cell.offset + cell.bytes);
      Targets first;
      const auto word = initial_word(cell, &first);
      demand(word || !cell.is_constant, "a constant without a value");
      if (!word && object.kind == Covering::Object::Kind::Global) first = arbitrary();
      demand(is_within(first, cell.content), "what a cell points to at the beginning");
    }
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i)
      demand(ranges[i - 1].second <= ranges[i].first, "cells that overlap");
    if (object.is_blurred && object.kind <= Covering::Object::Kind::ThreadLocal)
      for (const mc::Relocation& r : program_.globals[object.global].relocations) {
        const bool is_function = r.target.kind == mc::Operand::Kind::Function;
        const auto target = globals_.find({r.target.index, std::nullopt});
        demand(is_function ? std::ranges::binary_search(object.content.functions, r.target.index)
                           : target != globals_.end() &&
                                 std::ranges::binary_search(object.content.objects, target->second),
               "what a blurred object points to at the beginning");
      }
    check_mutexes(o);
  }
}

void Rebuild::check_mutexes(std::uint32_t o) const {
  const auto& object = map_.objects[o];
  std::vector<std::uint64_t> offsets;
  for (const std::uint32_t m : mutexes_of_[o]) {
    const auto& mutex = map_.mutexes[m];
    offsets.push_back(mutex.offset);
    demand(mutex.kind < kMutexKinds, "the kind of a mutex");
    if (mutex.is_broken) continue;
    const bool is_one = object.kind == Covering::Object::Kind::Global ||
                        (!object.is_summary && !map_.threads[object.thread].is_replicated);
    const bool is_inside =
        object.size && mutex.offset <= *object.size && kMutexBytes <= *object.size - mutex.offset;
    demand(is_one && is_inside && mutex.owner, "a mutex");
    const auto word = [&](std::uint64_t offset) {
      Covering::Cell cell;
      cell.object = o;
      cell.offset = mutex.offset + offset;
      return initial_word(cell, nullptr).value_or(0);
    };
    demand(word(0) == 0 && word(4) == 0, "a mutex that is locked at the beginning");
    demand((word(mc::mutex_kind_offset(program_.pointer_bytes)) & 3) % 3 == mutex.kind % 3,
           "the kind of a mutex");
  }
  std::ranges::sort(offsets);
  for (std::size_t i = 1; i < offsets.size(); ++i)
    demand(offsets[i] - offsets[i - 1] >= kMutexBytes, "mutexes that overlap");
}

// ---- variables and points

void Rebuild::describe(std::uint32_t id, std::uint8_t width, bool is_signed, Variable::Kind kind,
                       std::optional<base::Integer> initial,
                       const std::optional<std::uint32_t>& owner) {
  demand(
      id < map_.variables.size() && !map_.variables[id].symbol.empty() && roles_.insert(id).second,
      "a variable stands for two things");
  demand(map_.variables[id].owner == owner, "the owner of " + map_.variables[id].symbol);
  Variable& v = made_.variables[id];
  v.term = term::variable(map_.variables[id].symbol,
                          width == 1 ? term::Sort::Boolean : term::Sort::Integer);
  v.name = map_.variables[id].name;
  v.kind = kind;
  if (owner) v.owner = ThreadIndex(*owner);
  if (width > 1) {
    v.least = mc::words::least_of(width, is_signed);
    v.greatest = mc::words::greatest_of(width, is_signed);
  }
  const bool is_number = kind == Variable::Kind::Owner || kind == Variable::Kind::Self ||
                         kind == Variable::Kind::Depth;
  if (is_number) v.greatest.reset();
  if (kind == Variable::Kind::Status) v.greatest = 2;
  v.initial = std::move(initial);
}

void Rebuild::describe_cells() {
  using Kind = Covering::Object::Kind;
  for (const auto& cell : map_.cells) {
    if (!cell.variable) continue;
    demand(*cell.variable < map_.variables.size(), "a variable");
    const auto& object = map_.objects[cell.object];
    const auto owner = map_.variables[*cell.variable].owner;
    // Copies of a thread have copies of its objects, and of nothing else.
    const bool is_copied = object.kind != Kind::Global && is_replicated(object.thread);
    demand(!is_copied || owner == object.thread, "a copied object in a global variable");
    demand(!owner || !is_replicated(*owner) || is_copied, "a global in a local of many threads");
    const auto width = static_cast<std::uint8_t>(8 * cell.bytes);
    std::optional<base::Integer> initial = base::Integer(0);
    if (const auto word = initial_word(cell, nullptr))
      initial = mc::words::constant_word(*word, width, cell.is_signed).term.integer();
    else if (object.kind == Kind::Global || object.kind == Kind::ThreadLocal)
      initial.reset();
    if (cell.lock_value) {
      const std::uint64_t greatest = width == 64 ? ~0ULL : (1ULL << width) - 1;
      demand(object.kind == Kind::Global && !owner && initial == base::Integer(0) &&
                 is_plain(cell.content) && *cell.lock_value != 0 && *cell.lock_value <= greatest,
             "a lock");
      describe(*cell.variable, 64, false, Variable::Kind::Owner, initial, owner);
      continue;
    }
    describe(*cell.variable, width, cell.is_signed, Variable::Kind::Memory, initial, owner);
  }
}

void Rebuild::make_variables() {
  made_.variables.resize(map_.variables.size());
  for (std::size_t i = 0; i < made_.variables.size(); ++i)
    made_.variables[i].term = term::variable("unused!" + std::to_string(i), term::Sort::Integer);
  const base::Integer zero = 0;
  describe_cells();
  for (const auto& r : map_.registers)
    if (r.variable)
      describe(*r.variable, function_of(r.context).register_widths[r.reg], r.is_signed,
               Variable::Kind::Register, zero, map_.contexts[r.context].thread);
  for (const auto& m : map_.mutexes) {
    if (m.owner) describe(*m.owner, 64, false, Variable::Kind::Owner, zero, std::nullopt);
    if (m.depth) describe(*m.depth, 32, false, Variable::Kind::Depth, zero, std::nullopt);
  }
  for (std::uint32_t t = 0; t < map_.threads.size(); ++t) {
    const auto& thread = map_.threads[t];
    if (thread.self) describe(*thread.self, 64, false, Variable::Kind::Self, zero, t);
    if (thread.status)
      describe(*thread.status, 8, false, Variable::Kind::Status, zero, std::nullopt);
    if (thread.result)
      describe(*thread.result, pointer_width(), true, Variable::Kind::Memory, zero, std::nullopt);
  }
}

void Rebuild::make_points() {
  made_.files = program_.files;
  for (std::uint32_t t = 0; t < map_.threads.size(); ++t) {
    const auto& from = map_.threads[t];
    model::threads::Thread& thread = made_.threads.emplace_back();
    thread.name = program_.functions[from.start.index()].name;
    thread.is_replicated = from.is_replicated;
    thread.entry = Point(from.entry);
    if (from.self) thread.self = VariableId(*from.self);
    if (from.status) thread.status = VariableId(*from.status);
    for (const auto& place : from.places) {
      PointInfo info;
      info.kind = place.kind;
      info.in_section = place.kind == PointInfo::Kind::Ordinary && place.sections > 0;
      const mc::Function& f = function_of(place.context);
      info.position = f.code[place.at.index()].position;
      info.function = f.name;
      info.function_id = map_.contexts[place.context].function;
      info.location = place.at;
      thread.points.push_back(std::move(info));
    }
    next_.emplace_back(from.places.size());
  }
  for (const std::uint32_t id : roles_) {
    const auto& owner = map_.variables[id].owner;
    (owner ? made_.threads[*owner].locals : made_.globals).emplace_back(id);
  }
}

void Rebuild::execute_all() {
  for (const auto& c : map_.threads[0].places[map_.threads[0].entry].constants)
    demand(c.is_cell && initial_word(map_.cells[c.index], nullptr) == c.value,
           "a constant at the beginning");
  for (thread_ = 0; thread_ < map_.threads.size(); ++thread_)
    for (point_ = 0; point_ < map_.threads[thread_].places.size(); ++point_) {
      place_ = &map_.threads[thread_].places[point_];
      if (place_->kind != PointInfo::Kind::Ordinary) continue;
      instruction_ = &function_of(place_->context).code[place_->at.index()];
      known_.clear();
      for (const auto& c : place_->constants)
        known_.emplace(Slot{c.is_cell, c.context, c.index}, c.value);
      extra_ = Move{};
      std::visit([&](const auto& effect) { execute(effect); }, instruction_->effect);
      if (records_accesses_) record_accesses();
    }
  place_ = nullptr;
}

// ---- what rests on all transitions

bool Rebuild::stands_for_many(std::uint32_t object) const {
  const auto& o = map_.objects[object];
  const bool is_copied = o.kind != Covering::Object::Kind::Global && is_replicated(o.thread);
  return o.is_summary || (is_copied && o.is_blurred);
}

bool Rebuild::is_on_cycle(std::uint32_t thread, std::uint32_t point) const {
  return reaches_itself(point, [&](std::uint32_t p) { return next_[thread][p]; });
}

/// At most once in a run.
bool Rebuild::is_once(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& points) const {
  return points.empty() || (points.size() == 1 && !is_replicated(points[0].first) &&
                            !is_on_cycle(points[0].first, points[0].second));
}

void Rebuild::check_threads() const {
  for (std::uint32_t t = 1; t < map_.threads.size(); ++t) {
    const auto created = creations_.find(t);
    if (!is_replicated(t) && created != creations_.end())
      demand(is_once(created->second), "a thread that stands for one is created more than once");
    const auto joined = joins_.find(t);
    if (map_.threads[t].is_joined_once)
      demand(!joins_any_ && (joined == joins_.end() || is_once(joined->second)),
             "a thread is joined more than once");
  }
}

void Rebuild::check_allocations() const {
  for (std::uint32_t o = 0; o < map_.objects.size(); ++o) {
    const auto& object = map_.objects[o];
    if (object.is_summary) continue;
    const auto made = allocations_.find(o);
    if (object.kind == Covering::Object::Kind::Stack) {
      const mc::Function& f = function_of(object.context);
      demand(!reaches_itself(object.at.value, [&](std::uint32_t at) { return following(f, at); }),
             "a variable stands for many");
    }
    if (object.kind != Covering::Object::Kind::Heap || made == allocations_.end()) continue;
    // A replicated thread has its own copy of each.
    demand(made->second.size() == 1 && !is_on_cycle(made->second[0].first, made->second[0].second),
           "an object that stands for one is allocated more than once");
  }
}

/// Whether one of the threads of a kind creates another one.
bool Rebuild::creates_itself(std::uint32_t thread) const {
  const auto created = creations_.find(thread);
  return created != creations_.end() &&
         std::ranges::any_of(created->second,
                             [&](const auto& creation) { return creation.first == thread; });
}

void Rebuild::check_escapes() const {
  for (std::uint32_t o = 0; o < map_.objects.size(); ++o) {
    const auto& object = map_.objects[o];
    const bool is_copied =
        object.kind != Covering::Object::Kind::Global && is_replicated(object.thread);
    if (object.is_blurred || !is_copied) continue;
    const auto has = [&](const Targets& t) { return std::ranges::binary_search(t.objects, o); };
    for (const auto& r : map_.registers)
      demand(map_.contexts[r.context].thread == object.thread || !has(r.content),
             "another thread may know an object of a thread of which there are many");
    for (const auto& c : map_.cells) {
      const auto& holder = map_.objects[c.object];
      const bool is_own =
          holder.kind != Covering::Object::Kind::Global && holder.thread == object.thread;
      demand(is_own || !has(c.content),
             "an object of a thread of which there are many is known to others");
    }
    for (const auto& other : map_.objects)
      demand(!has(other.content),
             "an object of a thread of which there are many is in a blurred one");
    for (const auto& t : map_.threads)
      demand(!has(t.result_content), "a result of a thread of which there are many");
    const auto* argument = register_of(map_.threads[object.thread].root, 0);
    demand(argument == nullptr || !has(argument->content) || !creates_itself(object.thread),
           "a thread of which there are many may give an object to another one of them");
  }
}

/// Whether a write happens at most before any thread of a kind is created. The thread that writes
/// stands for one, and creates all of them, or all of a kind that creates all of them, and so on;
/// and from no point at which it does so does it come to the write. (A step that creates a thread
/// may write the handle, behind the moment at which constants are handed over.)
bool Rebuild::is_before_creation(std::uint32_t thread, const Write& write) const {
  std::set<std::uint32_t> seen;
  while (thread != 0 && seen.insert(thread).second) {
    const auto created = creations_.find(thread);
    if (created == creations_.end()) return true;  // never
    const std::uint32_t creator = created->second.front().first;
    for (const auto& [by, point] : created->second) {
      if (by != creator) return false;
      if (by == write.thread && may_come_to(by, point, write.point)) return false;
    }
    if (creator == write.thread) return !is_replicated(creator);
    thread = creator;
  }
  return false;
}

bool Rebuild::may_come_to(std::uint32_t thread, std::uint32_t from, std::uint32_t to) const {
  if (from == to) return true;
  std::set<std::uint32_t> seen = {from};
  std::vector<std::uint32_t> work = {from};
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const std::uint32_t next : next_[thread][at]) {
      if (next == to) return true;
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

/// A cell that is known at the points of a thread: nobody else writes to it; or whatever is written
/// from the creation of the thread on is always the same. What it knows at first is known to its
/// creator when it is created.
void Rebuild::check_constants() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint64_t>> claims;
  for (std::uint32_t t = 0; t < map_.threads.size(); ++t)
    for (const auto& place : map_.threads[t].places)
      for (const auto& c : place.constants)
        if (c.is_cell) claims[{t, c.index}].insert(c.value);
  for (const auto& [who, values] : claims) {
    const auto written = writes_.find(who.second);
    if (written == writes_.end()) continue;
    const std::uint32_t thread = who.first;
    const bool is_own =
        !is_replicated(thread) &&
        std::ranges::all_of(written->second, [&](const Write& w) { return w.thread == thread; });
    const bool is_same =
        values.size() == 1 && std::ranges::all_of(written->second, [&](const Write& w) {
          return w.constant == *values.begin() || is_before_creation(thread, w);
        });
    demand(is_own || is_same, "a cell that is not constant");
  }
}

}  // namespace heddle::check::c::covering

namespace heddle::check::c {

model::threads::ThreadProgram covered_program(const model::c::Program& program,
                                              const model::threads::Covering& map) {
  return covering::Rebuild(program, map).run();
}

}  // namespace heddle::check::c
