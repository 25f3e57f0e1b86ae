#include "transform/races/instances.hpp"

#include <algorithm>
#include <set>

#include "model/threads/instances.hpp"
#include "transform/races/accesses.hpp"

/// Which copy of a replicated thread is which.
///
/// The question. `for (i = 0; i < n; i++) pthread_create(&tid[i], 0, work, &data[i]);` starts any
/// number of copies of `work`, each with a part of the data for itself; and behind a loop that
/// joins `tid[0]`, …, `tid[n - 1]`, none is left. An invariant over globals and one thread's locals
/// can say neither, since nothing tells two copies apart.
///
/// The idea. Number the copies of thread t in the order of their creation, and count:
///
///   created!t   a global, 0 at first, increased by each creation of a copy
///   nth!t       a local of the copy: the value of created!t when it was created
///   joined!t    a global, 0 at first, increased by each join that may be of a copy
///   ordered!t   a global, true at first: whether joins went in the order of creations, so far
///
/// No guard reads these variables, so the program has the same runs with and without them. Of
/// copies that run the following is true, whatever the program does:
///
///   nth!t < created!t;   ordered!t → joined!t ≤ nth!t;   two copies have different numbers
///
/// With them, invariants relate a copy's data to its number (`arg = data + 4·nth`), and the creator
/// relates its loop counter to created!t. These invariants are found and checked like all others.
///
/// Why the second one is true. It is only stated (otherwise ordered!t is false from the beginning)
/// if there is an object, the array of handles, such that
///
///   - it is one object: not a summary, and not of a replicated thread;
///   - only creations of copies of t write to it, where they store the handle (`free` does not
///     matter: nobody can read afterwards), and it holds no mutex, condition or the like;
///   - one thread, of which there is one, makes every join that may be of a copy of t, always of a
///     handle that the instruction before has read from the array, with no other way to the join;
///   - nothing is detached.
///
/// ordered!t becomes false unless the array's life begins before all creations, each creation
/// stores at the array's place number created!t, and each such read is from place number joined!t,
/// with joined!t < created!t. So while it is true, copy k has its handle in place k, which is
/// written once; the join number k is of copy k, which was not joined before, and waits for its
/// end. Hence the copies 0 to joined!t - 1 have ended.

namespace heddle::transform::races {

using namespace model::threads;
using model::c::Operand;
using model::c::Synchronise;
using model::c::SyncOperation;
using term::Term;

namespace {

Term small(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

class Numbering {
 public:
  Numbering(const model::c::Program& program, const Covering& map, ThreadProgram& threads)
      : program_(program), map_(map), threads_(threads) {}

  void run() {
    const std::vector<MemoryAccess> all = accesses(program_, threads_, map_);
    for (std::uint32_t t = 1; t < threads_.threads.size(); ++t)
      if (threads_.threads[t].is_replicated) number(ThreadIndex(t), all);
  }

 private:
  using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point

  const model::c::Instruction& instruction(const Covering::Place& place) const {
    return program_.functions[map_.contexts[place.context].function.index()].code[place.at.index()];
  }

  const Synchronise* synchronisation(const Covering::Place& place) const {
    if (place.kind != PointInfo::Kind::Ordinary) return nullptr;
    return std::get_if<Synchronise>(&instruction(place).effect);
  }

  VariableId add(const Term& term, const std::string& name, std::optional<ThreadIndex> owner,
                 long initial) {
    Variable made;
    made.term = term;
    made.name = name;
    made.owner = owner;
    made.kind = owner ? Variable::Kind::Register : Variable::Kind::Memory;
    made.initial = base::Integer(initial);
    threads_.variables.push_back(std::move(made));
    const VariableId id(threads_.variables.size() - 1);
    if (owner)
      threads_.threads[owner->index()].locals.push_back(id);
    else
      threads_.globals.push_back(id);
    return id;
  }

  void number(ThreadIndex t, const std::vector<MemoryAccess>& all) {
    const std::string& name = threads_.thread(t).name;
    const Term created = created_copies(t), joined = joined_copies(t), ordered = joined_in_order(t);
    const VariableId created_id = add(created, "created(" + name + ")", std::nullopt, 0);
    const VariableId nth = add(instance_number(t), "number of " + name, t, 0);
    array_.reset();
    loads_.clear();
    joins_.clear();
    const bool has_array = find_array(t, all) && find_joins(t);
    const VariableId joined_id = add(joined, "joined(" + name + ")", std::nullopt, 0);
    const VariableId ordered_id =
        add(ordered, "joined in order(" + name + ")", std::nullopt, has_array ? 1 : 0);
    const auto place = [&](const Term& number) {
      return term::sum({small(map_.objects[*array_].base),
                        term::product(base::Integer(program_.pointer_bytes), number)});
    };
    const auto address_at = [&](const ThreadPoint& at) -> std::optional<Term> {
      for (const MemoryAccess& a : all)
        if (a.thread.value == at.first && a.point.value == at.second) return a.address;
      return std::nullopt;
    };
    for (std::uint32_t u = 0; u < threads_.threads.size(); ++u)
      for (Transition& step : threads_.threads[u].transitions) {
        const ThreadPoint at = {u, step.from.value};
        if (step.creation && step.creation->thread == t) {
          step.creation->locals.push_back({nth, created});
          step.assignments.push_back({created_id, term::sum({created, small(1)})});
          if (has_array) {
            const auto address = address_at(at);
            step.assignments.push_back(
                {ordered_id,
                 address ? term::conjunction({ordered, term::equal(*address, place(created))})
                         : term::constant(false)});
          }
        }
        if (!has_array) continue;
        if (begins_array(at))
          step.assignments.push_back(
              {ordered_id, term::conjunction({ordered, term::equal(created, small(0))})});
        if (loads_.contains(at)) {
          const auto address = address_at(at);
          const Term less = term::at_most(term::sum({joined, small(1)}), created);
          step.assignments.push_back(
              {ordered_id,
               address ? term::conjunction({ordered, term::equal(*address, place(joined)), less})
                       : term::constant(false)});
        }
        if (joins_.contains(at))
          step.assignments.push_back({joined_id, term::sum({joined, small(1)})});
      }
  }

  /// The objects that an operand may point to; none if it may be any number.
  std::optional<std::vector<std::uint32_t>> targets(const Covering::Place& place,
                                                    const Operand& operand) const {
    if (operand.kind == Operand::Kind::Global)
      for (std::uint32_t o = 0; o < map_.objects.size(); ++o)
        if (map_.objects[o].kind == Covering::Object::Kind::Global &&
            map_.objects[o].global == operand.index)
          return std::vector{o};
    if (operand.kind == Operand::Kind::Constant) return std::vector<std::uint32_t>{};
    const Covering::Register* reg = find_register(place, operand);
    if (reg == nullptr || reg->content.is_arbitrary) return std::nullopt;
    return reg->content.objects;
  }

  const Covering::Register* find_register(const Covering::Place& place,
                                          const Operand& operand) const {
    if (operand.kind != Operand::Kind::Register) return nullptr;
    const auto found = std::ranges::find_if(map_.registers, [&](const Covering::Register& r) {
      return r.context == place.context && r.reg == operand.index;
    });
    return found == map_.registers.end() ? nullptr : &*found;
  }

  bool find_array(ThreadIndex t, const std::vector<MemoryAccess>& all) {
    for (const auto& thread : map_.threads)
      for (const auto& place : thread.places) {
        if (place.creates != t.value) continue;
        const auto* e = synchronisation(place);
        if (e == nullptr) continue;
        const auto objects = targets(place, e->arguments[0]);
        if (!objects || objects->size() != 1 || (array_ && *array_ != objects->front()))
          return false;
        array_ = objects->front();
      }
    if (!array_) return false;
    const Covering::Object& object = map_.objects[*array_];
    if (object.is_summary || (object.kind != Covering::Object::Kind::Global &&
                              map_.threads[object.thread].is_replicated))
      return false;
    const bool is_written_elsewhere = std::ranges::any_of(all, [&](const MemoryAccess& a) {
      const bool is_free = a.bytes == 0;
      const auto& place = map_.threads[a.thread.index()].places[a.point.index()];
      return a.is_write && !is_free && std::ranges::binary_search(a.objects, *array_) &&
             place.creates != t.value;
    });
    return !is_written_elsewhere && !is_used_for_synchronisation();
  }

  /// Whether the array may be allocated anew at this place.
  bool begins_array(const ThreadPoint& at) const {
    const Covering::Place& place = map_.threads[at.first].places[at.second];
    if (place.kind != PointInfo::Kind::Ordinary) return false;
    const model::c::Effect& effect = instruction(place).effect;
    if (const auto* life = std::get_if<model::c::Lifetime>(&effect)) {
      const auto objects = targets(place, life->address);
      return life->begins && (!objects || std::ranges::binary_search(*objects, *array_));
    }
    const Covering::Object& object = map_.objects[*array_];
    return std::holds_alternative<model::c::Allocate>(effect) &&
           object.kind != Covering::Object::Kind::Global &&
           object.kind != Covering::Object::Kind::ThreadLocal && object.context == place.context &&
           object.at == place.at;
  }

  bool is_used_for_synchronisation() const {
    for (const auto& thread : map_.threads)
      for (const auto& place : thread.places) {
        const auto* e = synchronisation(place);
        if (e == nullptr) continue;
        if (e->operation == SyncOperation::DetachThread) return true;
        if (e->operation == SyncOperation::CreateThread ||
            e->operation == SyncOperation::JoinThread ||
            e->operation == SyncOperation::ExitThread || e->operation == SyncOperation::BlockUntil)
          continue;
        for (const Operand& operand : e->arguments) {
          if (operand.kind != Operand::Kind::Global && operand.kind != Operand::Kind::Register)
            continue;
          const auto objects = targets(place, operand);
          if (!objects || std::ranges::binary_search(*objects, *array_)) return true;
        }
      }
    return false;
  }

  /// Whether a join is certainly not of a copy of t.
  bool is_of_others(ThreadIndex t, const Covering::Place& place, const Operand& handle) const {
    for (const auto& c : place.constants)
      if (!c.is_cell && handle.kind == Operand::Kind::Register && c.context == place.context &&
          c.index == handle.index)
        return std::ranges::any_of(map_.threads, [&](const Covering::Thread& u) {
          return u.handle == c.value && &u != &map_.threads[t.index()];
        });
    const Covering::Register* reg = find_register(place, handle);
    return reg != nullptr && !reg->content.is_arbitrary && !reg->content.handles.empty() &&
           !std::ranges::binary_search(reg->content.handles, t.value);
  }

  bool find_joins(ThreadIndex t) {
    std::set<std::uint32_t> joiners;
    for (std::uint32_t u = 0; u < map_.threads.size(); ++u)
      for (std::uint32_t p = 0; p < map_.threads[u].places.size(); ++p) {
        const auto& place = map_.threads[u].places[p];
        const auto* e = synchronisation(place);
        if (e == nullptr || e->operation != SyncOperation::JoinThread) continue;
        if (is_of_others(t, place, e->arguments[0])) continue;
        if (map_.threads[u].is_replicated || !is_read_before(u, p, e->arguments[0])) return false;
        joiners.insert(u);
        joins_.insert({u, p});
      }
    return joiners.size() <= 1;
  }

  /// Whether every way to the point leads from a read of the handle in the array.
  bool is_read_before(std::uint32_t u, std::uint32_t p, const Operand& handle) {
    if (handle.kind != Operand::Kind::Register) return false;
    const auto& join = map_.threads[u].places[p];
    for (const Transition& step : threads_.threads[u].transitions) {
      if (step.to.value != p) continue;
      const auto& place = map_.threads[u].places[step.from.index()];
      if (place.kind != PointInfo::Kind::Ordinary || place.context != join.context) return false;
      const auto* load = std::get_if<model::c::Load>(&instruction(place).effect);
      if (load == nullptr || load->bytes != program_.pointer_bytes ||
          load->to.value != handle.index)
        return false;
      const auto objects = targets(place, load->address);
      if (!objects || *objects != std::vector{*array_}) return false;
      loads_.insert({u, step.from.value});
    }
    return threads_.threads[u].entry.value != p;
  }

  const model::c::Program& program_;
  const Covering& map_;
  ThreadProgram& threads_;
  std::optional<std::uint32_t> array_;
  std::set<ThreadPoint> loads_, joins_;
};

}  // namespace

void number_instances(const model::c::Program& program, const Covering& covering,
                      ThreadProgram& threads) {
  Numbering(program, covering, threads).run();
}

Term numbers_of(const ThreadProgram& threads, ThreadIndex first, ThreadIndex second,
                const std::string& mark) {
  std::vector<Term> parts;
  const auto number = [&](ThreadIndex t, const std::string& suffix) {
    return term::variable(instance_number(t).name() + suffix, term::Sort::Integer);
  };
  const auto runs = [&](ThreadIndex t, const std::string& suffix) {
    if (!threads.thread(t).is_replicated) return;
    const Term nth = number(t, suffix);
    parts.push_back(term::at_most(term::sum({nth, small(1)}), created_copies(t)));
    parts.push_back(term::implication(joined_in_order(t), term::at_most(joined_copies(t), nth)));
  };
  runs(first, "");
  runs(second, mark);
  if (first == second && threads.thread(first).is_replicated)
    parts.push_back(term::negation(term::equal(number(first, ""), number(second, mark))));
  return term::conjunction(std::move(parts));
}

}  // namespace heddle::transform::races
