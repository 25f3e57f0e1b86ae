#include "transform/c_threads/explorer.hpp"

/// What the points and variables of the finished program stand for, as the checker wants to know
/// it. Only what belongs to threads that the last pass has seen; numbers are those of the finished
/// program.

namespace heddle::transform::c_threads {

using model::threads::Covering;
using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::VariableId;

namespace {

/// Old numbers to new ones; those that are left out have none.
using Numbers = std::map<std::uint32_t, std::uint32_t>;

std::uint32_t next(Numbers& numbers, std::uint32_t old) {
  const auto number = static_cast<std::uint32_t>(numbers.size());
  numbers.emplace(old, number);
  return number;
}

void translate(const std::set<std::uint32_t>& from, const Numbers& numbers,
               std::vector<std::uint32_t>& to) {
  for (const std::uint32_t old : from)
    if (const auto found = numbers.find(old); found != numbers.end()) to.push_back(found->second);
}

}  // namespace

/// Builds a covering part by part.
class CoveringOf {
 public:
  CoveringOf(const Explorer& from, const ThreadProgram& program) : from_(from) {
    for (const auto& v : program.variables) {
      out_.variables.emplace_back();
      out_.variables.back().name = v.name;
      if (v.owner) out_.variables.back().owner = v.owner->value;
    }
    const auto use = [&](VariableId v) {
      out_.variables[v.index()].symbol = program.variable(v).term.name();
    };
    for (const VariableId v : program.globals) use(v);
    for (const auto& thread : program.threads)
      for (const VariableId v : thread.locals) use(v);
  }

  Covering run() {
    add_contexts();
    number_objects();
    add_objects();
    add_cells();
    add_registers();
    add_mutexes();
    for (const auto& [raw, number] : from_.compact_) add_thread(raw);
    return std::move(out_);
  }

 private:
  std::optional<std::uint32_t> used(VariableId v) const {
    if (out_.variables[v.index()].symbol.empty()) return std::nullopt;
    return v.value;
  }
  std::optional<std::uint32_t> used(const std::optional<VariableId>& v) const {
    return v ? used(*v) : std::nullopt;
  }

  Covering::Targets targets(const ValueSet& set) const {
    Covering::Targets out;
    out.is_arbitrary = set.is_arbitrary;
    translate(set.objects, objects_, out.objects);
    out.functions.assign(set.functions.begin(), set.functions.end());
    translate(set.handles, from_.compact_, out.handles);
    return out;
  }

  void add_contexts() {
    for (std::uint32_t i = 0; i < from_.contexts_.size(); ++i) {
      const Context& c = from_.contexts_[i];
      const auto thread = from_.compact_.find(c.thread);
      if (thread == from_.compact_.end()) continue;
      next(contexts_, i);
      Covering::Context made{thread->second, std::nullopt, c.call, c.function};
      if (c.caller) made.caller = contexts_.at(*c.caller);
      out_.contexts.push_back(made);
    }
  }

  void number_objects() {
    for (std::uint32_t i = 0; i < from_.memory_.objects(); ++i) {
      const Object& o = from_.memory_.at(ObjectId(i));
      if (!o.owner || from_.compact_.contains(*o.owner)) next(objects_, i);
    }
  }

  void add_objects() {
    using Kind = Covering::Object::Kind;
    for (const auto& [old, number] : objects_) {
      const Object& o = from_.memory_.at(ObjectId(old));
      Covering::Object made;
      if (o.allocation) {
        made.kind = o.is_heap ? Kind::Heap : Kind::Stack;
        made.context = contexts_.at(o.allocation->first);
        made.at = o.allocation->second;
      } else {
        made.kind = o.owner ? Kind::ThreadLocal : Kind::Global;
        made.global = o.global->value;
      }
      if (o.owner) made.thread = from_.compact_.at(*o.owner);
      made.base = o.base;
      if (o.has_size) made.size = o.size;
      made.is_blurred = o.is_blurred;
      made.is_summary = o.is_summary;
      const auto content = from_.blurred_sets_.find(old);
      if (o.is_blurred && content != from_.blurred_sets_.end())
        made.content = targets(content->second);
      out_.objects.push_back(std::move(made));
    }
  }

  void add_cells() {
    for (std::uint32_t i = 0; i < from_.memory_.cells(); ++i) {
      const Cell& cell = from_.memory_.at(CellId(i));
      if (!objects_.contains(cell.object.value) || from_.memory_.at(cell.object).is_blurred)
        continue;
      next(cells_, i);
      Covering::Cell made;
      made.object = objects_.at(cell.object.value);
      made.offset = cell.offset;
      made.bytes = cell.bytes;
      made.is_signed = from_.memory_.is_signed(cell);
      made.is_constant =
          from_.memory_.initial(cell).has_value() && !from_.stored_cells_.contains(i);
      if (const auto v = from_.cell_variables_.find(i); v != from_.cell_variables_.end())
        made.variable = used(v->second);
      if (const auto lock = from_.locks_.find(i); lock != from_.locks_.end())
        made.lock_value = lock->second;
      if (const auto set = from_.cell_sets_.find(i); set != from_.cell_sets_.end())
        made.content = targets(set->second);
      out_.cells.push_back(std::move(made));
    }
  }

  void add_registers() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Covering::Register> all;
    const auto entry = [&](const std::pair<std::uint32_t, std::uint32_t>& key) {
      Covering::Register& r = all[key];
      r.context = contexts_.at(key.first);
      r.reg = key.second;
      const auto f = from_.contexts_[key.first].function.index();
      r.is_signed = from_.facts_.functions[f].is_signed[key.second];
      return &r;
    };
    for (const auto& [key, v] : from_.register_variables_)
      if (contexts_.contains(key.first)) entry(key)->variable = used(v);
    for (const auto& [key, set] : from_.register_sets_)
      if (contexts_.contains(key.first)) entry(key)->content = targets(set);
    for (auto& [key, r] : all) out_.registers.push_back(std::move(r));
  }

  void add_mutexes() {
    for (const auto& [place, info] : from_.mutexes_) {
      if (!objects_.contains(place.first)) continue;
      Covering::Mutex made;
      made.object = objects_.at(place.first);
      made.offset = place.second;
      made.kind = info.kinds.empty() ? 0 : *info.kinds.begin();
      made.is_broken = info.is_broken;
      made.owner = used(info.owner);
      made.depth = used(info.depth);
      out_.mutexes.push_back(made);
    }
  }

  void add_thread(std::uint32_t raw) {
    const Explorer::ThreadInfo& info = from_.threads_[raw];
    Covering::Thread& made = out_.threads.emplace_back();
    made.start = info.start;
    made.root = contexts_.at(info.root);
    made.handle = from_.memory_.of_handle(raw);
    made.is_replicated = info.is_replicated;
    made.is_waited_for = raw != 0 && !info.is_replicated && !info.is_detached;
    made.is_joined_once = !info.is_joined_often;
    made.entry = info.made.entry.value;
    if (info.is_replicated) made.self = used(info.self);
    if (raw != 0) made.status = used(info.status);
    made.result = used(info.result);
    made.result_content = targets(info.results);
    made.places.resize(info.made.points.size());
    for (std::uint32_t n = 0; n < from_.nodes_.size(); ++n)
      if (from_.nodes_[n].thread == raw) describe(made.places[from_.node_points_[n].index()], n);
    for (const auto& [key, point] : from_.special_points_) {
      if (from_.nodes_[key.first].thread != raw) continue;
      describe(made.places[point.index()], key.first);
      made.places[point.index()].kind = key.second;
      made.places[point.index()].origin = from_.node_points_[key.first].value;
      made.places[point.index()].constants.clear();
      made.places[point.index()].creates.reset();
    }
  }

  void describe(Covering::Place& place, std::uint32_t id) const {
    const Node& node = from_.nodes_[id];
    place.context = contexts_.at(node.context);
    place.at = node.at;
    place.sections = node.sections;
    place.is_asleep = node.is_asleep;
    for (const auto& [slot, value] : node.constants) {
      Covering::Constant c{slot.is_cell, 0, slot.index, value};
      if (slot.is_cell)
        c.index = cells_.at(slot.index);
      else
        c.context = contexts_.at(slot.context);
      place.constants.push_back(c);
    }
    for (const auto& [raw, number] : from_.compact_)
      for (const std::uint32_t n : from_.threads_[raw].creations)
        if (n == id) place.creates = number;
  }

  const Explorer& from_;
  Covering out_;
  Numbers contexts_, objects_, cells_;
};

Covering Explorer::covering(const ThreadProgram& program) const {
  return CoveringOf(*this, program).run();
}

}  // namespace heddle::transform::c_threads
