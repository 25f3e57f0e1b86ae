#include "check/c/race_instances.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/threads/instances.hpp"
#include "term/print.hpp"

/// Copies of a replicated thread have numbers in the order of their creation: `nth`, less than
/// `created`. These variables are added here to the derived program; nothing reads them, so that
/// the runs are the same, and that they mean what they should is by construction.
///
/// `joined` counts joins, and `ordered` says whether join number k is of copy number k, for all
/// joins so far. Then a copy that runs has not been joined: `joined <= nth`. What the program must
/// look like so that `ordered` may be true is asked of `Handles` below, and the rest is watched at
/// each step:
///
///   beginning  of the array's life: there are no copies yet, whose handles would be lost;
///   creation   the handle is stored in the array, at place `created`;
///   read       of a handle that is joined next: from the array, at place `joined` < `created`.
///
/// Nobody else writes to the array, so the handle read is that of copy `joined`. Only this thread
/// joins copies, so this copy has not been joined; nothing is ever detached; so the join waits for
/// its end, and afterwards one more copy has been joined.

namespace heddle::check::c {

using namespace model::threads;
using model::c::Operand;
using model::c::SyncOperation;
using term::Term;

namespace {

Term copies(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

/// The handles of the copies of one thread: where they are stored, read and joined.
class Handles {
 public:
  using At = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point

  Handles(const model::c::Program& program, const Covering& map, const CoveredAccesses& derived,
          std::uint32_t of)
      : program_(program), map_(map), derived_(derived), of_(of) {
    for (const MemoryAccess& a : derived.accesses) by_place_.emplace(At{a.thread, a.point}, &a);
    are_orderly = have_an_array() && have_one_joiner();
  }

  bool are_orderly = false;
  std::uint32_t array = 0;
  std::set<At> reads, joins;

  /// Whether the array's life may begin here, with unknown contents.
  bool begins_array(const At& at) const {
    const auto* e = effect(at.first, at.second);
    if (e == nullptr) return false;
    if (const auto* life = std::get_if<model::c::Lifetime>(e))
      return life->begins && may_point_to_the_array(at, life->address);
    const auto& place = map_.threads[at.first].places[at.second];
    const auto& object = map_.objects[array];
    const bool is_allocated =
        object.kind == Covering::Object::Kind::Stack || object.kind == Covering::Object::Kind::Heap;
    return std::holds_alternative<model::c::Allocate>(*e) && is_allocated &&
           object.context == place.context && object.at == place.at;
  }

  /// Where the instruction accesses memory. None if that depends on something outside.
  std::optional<Term> address(const At& at) const {
    const auto access = by_place_.find(at);
    if (access == by_place_.end()) return std::nullopt;
    std::set<std::string> names;
    for (const Variable& v : derived_.program.variables) names.insert(v.term.name());
    for (const Term& v : term::variables({access->second->address}))
      if (!names.contains(v.name())) return std::nullopt;
    return access->second->address;
  }

 private:
  const model::c::Effect* effect(std::uint32_t t, std::uint32_t p) const {
    const auto& place = map_.threads[t].places[p];
    if (place.kind != PointInfo::Kind::Ordinary) return nullptr;
    const auto& f = program_.functions[map_.contexts[place.context].function.index()];
    return &f.code[place.at.index()].effect;
  }

  template <class Visit>
  bool all_operations(const Visit& visit) const {
    for (std::uint32_t t = 0; t < map_.threads.size(); ++t)
      for (std::uint32_t p = 0; p < map_.threads[t].places.size(); ++p) {
        const auto* e = effect(t, p);
        const auto* sync = e == nullptr ? nullptr : std::get_if<model::c::Synchronise>(e);
        if (sync != nullptr && !visit(At{t, p}, *sync)) return false;
      }
    return true;
  }

  const Covering::Targets* content(const At& at, const Operand& operand) const {
    const auto& place = map_.threads[at.first].places[at.second];
    for (const auto& r : map_.registers)
      if (operand.kind == Operand::Kind::Register && r.context == place.context &&
          r.reg == operand.index)
        return &r.content;
    return nullptr;
  }

  bool may_point_to_the_array(const At& at, const Operand& operand) const {
    const auto& object = map_.objects[array];
    switch (operand.kind) {
      case Operand::Kind::Constant:
      case Operand::Kind::Function: return false;
      case Operand::Kind::Global:
        return object.kind == Covering::Object::Kind::Global && object.global == operand.index;
      case Operand::Kind::Register: break;
    }
    const Covering::Targets* targets = content(at, operand);
    return targets == nullptr || targets->is_arbitrary ||
           std::ranges::binary_search(targets->objects, array);
  }

  bool creates(const At& at) const {
    return map_.threads[at.first].places[at.second].creates == of_;
  }

  bool have_an_array() {
    std::set<std::uint32_t> objects;
    const bool all_store = all_operations([&](const At& at, const model::c::Synchronise& sync) {
      if (sync.operation != SyncOperation::CreateThread || !creates(at)) return true;
      const auto access = by_place_.find(at);
      if (access == by_place_.end() || !access->second->is_write) return false;
      objects.insert(access->second->objects.begin(), access->second->objects.end());
      const auto* targets = content(at, sync.arguments[0]);
      return sync.arguments[0].kind == Operand::Kind::Global ||
             (targets != nullptr && !targets->is_arbitrary);
    });
    if (!all_store || objects.size() != 1) return false;
    array = *objects.begin();
    const auto& object = map_.objects[array];
    const bool is_one =
        object.kind == Covering::Object::Kind::Global || !map_.threads[object.thread].is_replicated;
    if (object.is_summary || !is_one) return false;
    for (const MemoryAccess& a : derived_.accesses) {
      const bool is_free = a.bytes == 0;
      if (a.is_write && !is_free && std::ranges::binary_search(a.objects, array) &&
          !creates({a.thread, a.point}))
        return false;
    }
    return true;
  }

  /// One thread joins, what it has just read; no operation but these uses the array.
  bool have_one_joiner() {
    std::optional<std::uint32_t> joiner;
    return all_operations([&](const At& at, const model::c::Synchronise& sync) {
      switch (sync.operation) {
        case SyncOperation::DetachThread: return false;
        case SyncOperation::CreateThread:
        case SyncOperation::ExitThread:
        case SyncOperation::BlockUntil: return true;
        case SyncOperation::JoinThread: break;
        default:
          return std::ranges::none_of(sync.arguments, [&](const Operand& operand) {
            return may_point_to_the_array(at, operand);
          });
      }
      if (is_of_another(at, sync.arguments[0])) return true;
      if (map_.threads[at.first].is_replicated || joiner.value_or(at.first) != at.first)
        return false;
      joiner = at.first;
      joins.insert(at);
      return follows_a_read(at, sync.arguments[0]);
    });
  }

  bool is_of_another(const At& at, const Operand& handle) const {
    const auto& place = map_.threads[at.first].places[at.second];
    for (const auto& known : place.constants) {
      if (known.is_cell || handle.kind != Operand::Kind::Register ||
          known.context != place.context || known.index != handle.index)
        continue;
      for (std::uint32_t u = 0; u < map_.threads.size(); ++u)
        if (u != of_ && map_.threads[u].handle == known.value) return true;
      return false;
    }
    const auto* targets = content(at, handle);
    return targets != nullptr && !targets->is_arbitrary && !targets->handles.empty() &&
           !std::ranges::binary_search(targets->handles, of_);
  }

  bool follows_a_read(const At& at, const Operand& handle) {
    const auto& thread = derived_.program.threads[at.first];
    if (handle.kind != Operand::Kind::Register || thread.entry.value == at.second) return false;
    return std::ranges::all_of(thread.transitions, [&](const Transition& step) {
      if (step.to.value != at.second) return true;
      const At from = {at.first, step.from.value};
      const auto* e = effect(from.first, from.second);
      const auto* load = e == nullptr ? nullptr : std::get_if<model::c::Load>(e);
      const auto& places = map_.threads[at.first].places;
      if (load == nullptr || load->bytes != program_.pointer_bytes ||
          load->to.value != handle.index ||
          places[from.second].context != places[at.second].context)
        return false;
      const auto access = by_place_.find(from);
      if (access == by_place_.end() || access->second->objects != std::vector{array}) return false;
      const auto* targets = content(from, load->address);
      reads.insert(from);
      return load->address.kind == Operand::Kind::Global ||
             (targets != nullptr && !targets->is_arbitrary);
    });
  }

  const model::c::Program& program_;
  const Covering& map_;
  const CoveredAccesses& derived_;
  const std::uint32_t of_;
  std::multimap<At, const MemoryAccess*> by_place_;
};

VariableId added(ThreadProgram& program, const Term& term, long initial,
                 std::optional<ThreadIndex> owner) {
  Variable variable;
  variable.term = term;
  variable.name = term.name();
  variable.kind = owner ? Variable::Kind::Register : Variable::Kind::Memory;
  variable.owner = owner;
  variable.initial = base::Integer(initial);
  const VariableId id(program.variables.size());
  program.variables.push_back(std::move(variable));
  (owner ? program.threads[owner->index()].locals : program.globals).push_back(id);
  return id;
}

}  // namespace

void count_copies(const model::c::Program& program, const Covering& map, CoveredAccesses& derived) {
  for (std::uint32_t t = 1; t < derived.program.threads.size(); ++t) {
    if (!derived.program.threads[t].is_replicated) continue;
    const ThreadIndex of(t);
    const Handles handles(program, map, derived, t);
    const Term created = created_copies(of), joined = joined_copies(of),
               ordered = joined_in_order(of);
    const VariableId created_id = added(derived.program, created, 0, std::nullopt);
    const VariableId joined_id = added(derived.program, joined, 0, std::nullopt);
    const VariableId ordered_id =
        added(derived.program, ordered, handles.are_orderly ? 1 : 0, std::nullopt);
    const VariableId nth = added(derived.program, instance_number(of), 0, of);
    const auto is_at = [&](const Handles::At& at, const Term& number) {
      const auto address = handles.address(at);
      if (!address) return term::constant(false);
      return term::equal(*address,
                         term::sum({copies(map.objects[handles.array].base),
                                    term::product(base::Integer(program.pointer_bytes), number)}));
    };
    for (std::uint32_t u = 0; u < derived.program.threads.size(); ++u)
      for (Transition& step : derived.program.threads[u].transitions) {
        const Handles::At at = {u, step.from.value};
        const bool is_creation = step.creation && step.creation->thread == of;
        if (is_creation) {
          step.creation->locals.push_back({nth, created});
          step.assignments.push_back({created_id, term::sum({created, copies(1)})});
        }
        if (!handles.are_orderly) continue;
        if (handles.begins_array(at))
          step.assignments.push_back(
              {ordered_id, term::conjunction({ordered, term::equal(created, copies(0))})});
        if (is_creation)
          step.assignments.push_back(
              {ordered_id, term::conjunction({ordered, is_at(at, created)})});
        if (handles.reads.contains(at))
          step.assignments.push_back(
              {ordered_id,
               term::conjunction({ordered, is_at(at, joined),
                                  term::at_most(term::sum({joined, copies(1)}), created)})});
        if (handles.joins.contains(at))
          step.assignments.push_back({joined_id, term::sum({joined, copies(1)})});
      }
  }
}

Term number_is_current(ThreadIndex thread, const std::string& mark) {
  const Term nth = term::variable(instance_number(thread).name() + mark, term::Sort::Integer);
  return term::conjunction(
      {term::negation(term::at_least(nth, created_copies(thread))),
       term::implication(joined_in_order(thread), term::at_least(nth, joined_copies(thread)))});
}

}  // namespace heddle::check::c
