#include <algorithm>

#include "transform/c_threads/explorer.hpp"

namespace heddle::transform::c_threads {

using namespace model::c;
using model::threads::Creation;
using model::threads::PointInfo;
using model::threads::Variable;
using model::threads::VariableId;
using term::Term;

namespace {

// Error numbers of POSIX, as Linux numbers them.
constexpr std::uint64_t kNotPermitted = 1;
constexpr std::uint64_t kBusy = 16;
constexpr std::uint64_t kWouldDeadlock = 35;
constexpr std::uint64_t kTimedOut = 110;

constexpr std::uint32_t kRecursive = 1;
constexpr std::uint32_t kErrorChecking = 2;

Term integer(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

Term is_below(const Term& value, std::uint64_t bound) {
  return term::conjunction(
      {term::at_most(integer(0), value), term::at_most(value, integer(bound - 1))});
}

}  // namespace

std::uint32_t Explorer::number_of(std::uint32_t thread) const {
  const auto known = compact_.find(thread);
  return known == compact_.end() ? thread : known->second;
}

Term Explorer::self() const {
  const ThreadInfo& info = threads_[node_.thread];
  if (info.is_replicated && info.self) return variables_[info.self->index()].term;
  return integer(number_of(node_.thread) + 1);
}

VariableId Explorer::status_variable(std::uint32_t thread) {
  ThreadInfo& info = threads_[thread];
  if (!info.status) {
    info.status = new_variable("status(" + program_.functions[info.start.index()].name + ")", 8,
                               false, Variable::Kind::Status);
    variables_[info.status->index()].greatest = 2;
  }
  return *info.status;
}

VariableId Explorer::result_variable(std::uint32_t thread) {
  ThreadInfo& info = threads_[thread];
  if (!info.result)
    info.result = new_variable("result(" + program_.functions[info.start.index()].name + ")",
                               pointer_width(), true, Variable::Kind::Memory);
  return *info.result;
}

void Explorer::finish(Step step, const Synchronise& e, std::uint64_t result) {
  if (e.to) {
    const std::uint8_t width = function().register_widths[e.to->index()];
    set(step, node_.context, *e.to, {constant_word(result, width, true), {}});
  }
  emit(std::move(step));
}

void Explorer::finish_any(Step step, const Synchronise& e) {
  if (e.to)
    set(step, node_.context, *e.to, any(step, function().register_widths[e.to->index()], true));
  emit(std::move(step));
}

void Explorer::execute(const Synchronise& e) {
  switch (e.operation) {
    case SyncOperation::CreateThread: return create_thread(e);
    case SyncOperation::JoinThread: return join_thread(e);
    case SyncOperation::DetachThread: {
      for (const std::uint32_t h : eval(e.arguments[0], pointer_width()).set.handles)
        if (!threads_[h].is_detached) {
          threads_[h].is_detached = true;
          change();
        }
      return finish_any(step_on(), e);
    }
    case SyncOperation::ExitThread:
      return end_thread(e.arguments.empty() ? number(0, pointer_width())
                                            : eval(e.arguments[0], pointer_width()));
    case SyncOperation::SelfThread: {
      Step step = step_on();
      if (e.to) {
        Value handle = number(memory_.of_handle(node_.thread), pointer_width());
        set(step, node_.context, *e.to, handle);
      }
      return emit(std::move(step));
    }
    case SyncOperation::MutexInit: return init_mutex(e);
    case SyncOperation::MutexDestroy: return finish(step_on(), e, 0);
    case SyncOperation::MutexLock: return lock(e, e.arguments[0], false);
    case SyncOperation::MutexTryLock: return try_lock(e);
    case SyncOperation::MutexUnlock: return unlock(e, e.arguments[0], false);
    case SyncOperation::ConditionWait:
    case SyncOperation::ConditionTimedWait: return wait(e);
    case SyncOperation::ConditionSignal:
    case SyncOperation::ConditionBroadcast:
    case SyncOperation::Fence: return finish(step_on(), e, 0);
    case SyncOperation::AtomicBegin: {
      Step step = step_on();
      ++step.next.sections;
      return emit(std::move(step));
    }
    case SyncOperation::AtomicEnd: {
      Step step = step_on();
      if (step.next.sections > 0) --step.next.sections;
      return emit(std::move(step));
    }
    case SyncOperation::BlockUntil: {
      Step step = step_on();
      step.guard = eval(e.arguments[0], 1).word.term;
      mark_blocking();
      if (step.guard.op() == term::Operator::Boolean && !step.guard.boolean()) return;
      return finish(std::move(step), e, 0);
    }
  }
}

// ---- threads

void Explorer::create_thread(const Synchronise& e) {
  const Value start = eval(e.arguments[1], pointer_width());
  const auto bits = bits_of(start.word);
  const auto f = bits ? memory_.function_at(*bits) : std::nullopt;
  if (!f) refuse("the start routine of a thread is not known");
  const Function& routine = program_.functions[*f];
  if (routine.code.empty()) refuse("the start routine " + routine.name + " has no body");
  const Value argument = eval(e.arguments[2], pointer_width());
  std::string key = "created " + std::to_string(node_.context) + " " +
                    std::to_string(node_.at.value) + " " + std::to_string(*f);
  for (const auto& [slot, value] : node_.constants)
    key += " " + std::to_string(slot.is_cell) + "." + std::to_string(slot.context) + "." +
           std::to_string(slot.index) + "=" + std::to_string(value);
  const std::uint32_t thread = thread_for(key, FunctionId(*f), node_.thread);
  threads_[thread].creations.push_back(current_);
  if (threads_[thread].is_replicated && !threads_[thread].self) {
    threads_[thread].self = new_variable("self." + routine.name, 64, false, Variable::Kind::Self);
    variables_[threads_[thread].self->index()].greatest.reset();
    change();
  }
  Step step = step_on();
  const Value handle_address = eval(e.arguments[0], pointer_width());
  if (bits_of(handle_address.word) != std::uint64_t{0}) {
    const Candidates candidates = resolve(handle_address, program_.pointer_bytes);
    step.guard = access_guard(candidates);
    if (candidates.list.empty()) return;
    store(step, candidates, program_.pointer_bytes,
          number(memory_.of_handle(thread), pointer_width()));
  }
  step.assignments.push_back({status_variable(thread), integer(1)});
  // The new thread knows constants that nobody changes afterwards.
  Node first;
  first.thread = thread;
  first.context = threads_[thread].root;
  for (const auto& [slot, value] : node_.constants) {
    if (!slot.is_cell || not_inherited_.contains({slot.index, thread})) continue;
    if (memory_.at(memory_.at(CellId(slot.index)).object).owner == node_.thread &&
        threads_[node_.thread].is_replicated)
      continue;
    first.constants.emplace(slot, value);
    inherited_[{slot.index, thread}].insert(value);
  }
  Creation creation{model::threads::ThreadIndex(number_of(thread)), {}};
  Step inner;
  inner.next = first;
  if (routine.parameters > 0) set(inner, first.context, Register(std::size_t{0}), argument);
  creation.locals = std::move(inner.assignments);
  first = inner.next;
  forget_dead(first);
  if (!threads_[thread].is_used) {
    threads_[thread].is_used = true;
    threads_[thread].made.entry = point_of(first);
  } else if (point_of(first) != threads_[thread].made.entry) {
    for (const auto& [slot, value] : first.constants)
      if (slot.is_cell) not_inherited_.emplace(slot.index, thread);
    change();
  }
  step.creation = std::move(creation);
  finish(std::move(step), e, 0);
}

void Explorer::join_thread(const Synchronise& e) {
  const Value handle = eval(e.arguments[0], pointer_width());
  if (const auto bits = bits_of(handle.word)) {
    const auto thread = memory_.handle_at(*bits);
    if (thread && *thread < threads_.size()) return join(e, *thread, term::constant(true));
    if (*bits != 0) joins_by_number_ = true;
    return join_unknown(e, term::constant(true));
  }
  std::vector<Term> others;
  for (const std::uint32_t thread : handle.set.handles) {
    if (!threads_[thread].is_used && compact_.contains(thread) == false) continue;
    const Term here = equal_words(
        handle.word,
        constant_word(memory_.of_handle(thread), pointer_width(), handle.word.is_signed));
    others.push_back(term::negation(here));
    join(e, thread, here);
  }
  mark_blocking();
  if (!handle.set.is_arbitrary && !handle.set.handles.empty())
    return join_unknown(e, term::conjunction(std::move(others)));
  joins_by_number_ = true;
  join_unknown(e, term::constant(true));
}

/// By a handle that may be any number: nobody knows whether there is such a thread.
void Explorer::join_unknown(const Synchronise& e, const Term& guard) {
  if (guard.op() == term::Operator::Boolean && !guard.boolean()) return;
  if (bits_of(eval(e.arguments[1], pointer_width()).word) != std::uint64_t{0})
    refuse("the result of a thread that is not known is stored");
  Step step = step_on();
  step.guard = guard;
  finish_any(std::move(step), e);
}

void Explorer::join(const Synchronise& e, std::uint32_t thread, const Term& guard) {
  threads_[thread].joins.push_back(current_);
  const ThreadInfo& info = threads_[thread];
  Step step = step_on();
  step.guard = guard;
  const bool waits =
      thread != 0 && thread != node_.thread && !info.is_replicated && !info.is_detached;
  mark_blocking();
  if (waits)
    step.guard = term::conjunction(
        {guard, term::equal(variables_[status_variable(thread).index()].term, integer(2))});
  const Value target = eval(e.arguments[1], pointer_width());
  if (bits_of(target.word) != std::uint64_t{0}) {
    const Candidates candidates = resolve(target, program_.pointer_bytes);
    const Term valid = access_guard(candidates);
    step.guard = term::conjunction({step.guard, valid});
    if (candidates.list.empty()) return;
    Value result = any(step, pointer_width(), true);
    // When it has been joined before, its handle may be that of another thread, or of nobody.
    const bool is_its_own = waits && !info.is_joined_often;
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (t == thread || !is_its_own) result.set.merge(threads_[t].results);
    if (is_its_own) {
      step.inputs.pop_back();
      result.word = {variables_[result_variable(thread).index()].term, pointer_width(), true};
    }
    store(step, candidates, program_.pointer_bytes, result,
          is_its_own ? term::constant(true) : any(step, 1, false).word.term);
  }
  if (waits && !info.is_joined_often) return finish(std::move(step), e, 0);
  finish_any(std::move(step), e);
}

// ---- mutexes

MutexPlace Explorer::mutex_at(ObjectId object, std::uint64_t offset) {
  const auto [place, is_new] = mutexes_.try_emplace({object.value, offset});
  MutexInfo& info = place->second;
  if (is_new) {
    const Cell as_cell{object, offset, 4};
    std::string name = memory_.name_of({object, offset, 40});
    if (name.ends_with(".__data")) name.resize(name.size() - 7);
    info.owner = new_variable("owner(" + name + ")", 64, false, Variable::Kind::Owner);
    variables_[info.owner.index()].greatest.reset();
    info.depth = new_variable("depth(" + name + ")", 32, false, Variable::Kind::Depth);
    variables_[info.depth.index()].greatest.reset();
    const auto kind =
        memory_.initial({object, offset + mutex_kind_offset(program_.pointer_bytes), 4});
    const auto owner = memory_.initial(as_cell);
    info.kinds.insert(static_cast<std::uint32_t>(kind.value_or(0) & 3));
    if (owner.value_or(0) != 0) info.is_broken = true;
    change();
  }
  const Object& holder = memory_.at(object);
  const bool copied = holder.is_summary || mixed_mutexes_.contains(object.value) ||
                      (holder.owner && threads_[*holder.owner].is_replicated);
  if (copied && !info.is_broken) {
    info.is_broken = true;
    change();
  }
  MutexPlace out;
  out.owner = info.owner;
  out.depth = info.depth;
  out.is_broken = info.is_broken;
  const bool differs = std::ranges::any_of(info.kinds, [&](std::uint32_t k) {
    const std::uint32_t first = *info.kinds.begin();
    return k % 3 != first % 3;  // 3, adaptive, is as 0
  });
  if (differs && !info.is_broken) {
    info.is_broken = out.is_broken = true;
    change();
  }
  out.kind = info.kinds.empty() ? 0 : *info.kinds.begin();
  return out;
}

/// Where a mutex may be. `is_total`: it is certainly at one of these places.
std::vector<MutexPlace> Explorer::mutexes(const Value& address, bool& is_total) {
  std::vector<MutexPlace> out;
  is_total = false;
  if (const auto bits = bits_of(address.word)) {
    const auto object = memory_.find(*bits);
    if (!object) return out;
    is_total = true;
    return {mutex_at(*object, *bits - memory_.at(*object).base)};
  }
  const std::uint64_t size = program_.pointer_bytes == 8 ? 40 : 24;
  for (const std::uint32_t id : address.set.objects) {
    const Object object = memory_.at(ObjectId(id));
    if (object.is_summary || !object.has_size) {
      MutexPlace place;
      place.is_broken = true;
      place.condition = term::at_most(integer(object.base), address.word.term);
      out.push_back(std::move(place));
      continue;
    }
    // Arrays of mutexes, or one mutex in each element of an array of structures, where known.
    std::set<std::uint64_t> offsets;
    const bool is_array = object.size % size == 0;
    if (is_array && object.size / size <= options_.max_places)
      for (std::uint64_t at = 0; at < object.size; at += size) offsets.insert(at);
    for (const auto& [place, info] : mutexes_)
      if (place.first == id) offsets.insert(place.second);
    // If there are too many, or nobody knows where, they are not told apart and exclude nobody.
    const bool is_known =
        is_array ? object.size / size <= options_.max_places : offsets.size() == 1;
    if (!is_known && mixed_mutexes_.insert(id).second) change();
    if (mixed_mutexes_.contains(id)) {
      for (const std::uint64_t offset : offsets) mutex_at(ObjectId(id), offset);
      blur(ObjectId(id));
      MutexPlace place;
      place.is_broken = true;
      place.condition =
          term::conjunction({term::at_most(integer(object.base), address.word.term),
                             term::at_most(address.word.term, integer(object.base + object.size))});
      out.push_back(std::move(place));
      continue;
    }
    std::vector<Term> elsewhere = {
        term::at_most(integer(object.base), address.word.term),
        term::at_most(address.word.term, integer(object.base + object.size))};
    for (const std::uint64_t offset : offsets) {
      MutexPlace place = mutex_at(ObjectId(id), offset);
      place.condition = term::equal(address.word.term, integer(object.base + offset));
      elsewhere.push_back(term::negation(place.condition));
      out.push_back(std::move(place));
    }
    Step step = step_on();
    step.guard = term::conjunction(std::move(elsewhere));
    emit_to(std::move(step), special_point(node_, PointInfo::Kind::Unsupported));
  }
  if (address.set.is_arbitrary) {
    std::vector<Term> elsewhere;
    for (const MutexPlace& place : out) elsewhere.push_back(term::negation(place.condition));
    elsewhere.push_back(term::negation(is_below(address.word.term, 4096)));
    Step step = step_on();
    step.guard = term::conjunction(std::move(elsewhere));
    emit_to(std::move(step), special_point(node_, PointInfo::Kind::Unsupported));
  }
  return out;
}

void Explorer::init_mutex(const Synchronise& e) {
  bool is_total = false;
  const Value address = eval(e.arguments[0], pointer_width());
  const Value kind = e.arguments.size() > 1 ? eval(e.arguments[1], 32) : number(0, 32);
  const auto bits = bits_of(kind.word);
  if (!bits) refuse("the kind of a mutex depends on data");
  Step step = step_on();
  std::vector<Term> valid;
  for (const MutexPlace& place : mutexes(address, is_total)) {
    valid.push_back(place.condition);
    if (place.is_broken) continue;
    for (auto& [key, info] : mutexes_) {
      if (info.owner != place.owner) continue;
      if (info.kinds.insert(static_cast<std::uint32_t>(*bits & 3)).second) change();
    }
    for (const VariableId variable : {place.owner, place.depth})
      step.assignments.push_back(
          {variable, term::choice(place.condition, integer(0), variables_[variable.index()].term)});
  }
  step.guard = term::disjunction(std::move(valid));
  if (!is_total) mark_blocking();
  finish(std::move(step), e, 0);
}

void Explorer::lock(const Synchronise& e, const Operand& mutex, bool may_time_out) {
  bool is_total = false;
  const Value address = eval(mutex, pointer_width());
  mark_blocking();
  const auto done = [&](Step step, std::uint64_t result) {
    Value value = number(result, 32);
    if (may_time_out && result == 0)
      value.word.term = term::choice(any(step, 1, false).word.term, integer(kTimedOut), integer(0));
    if (e.to) set(step, node_.context, *e.to, value);
    emit(std::move(step));
  };
  for (const MutexPlace& place : mutexes(address, is_total)) {
    Step free = step_on();
    free.guard = place.condition;
    if (place.is_broken) {
      free.is_abstract = true;
      finish_any(std::move(free), e);
      continue;
    }
    const Term owner = variables_[place.owner.index()].term;
    const Term depth = variables_[place.depth.index()].term;
    free.guard = term::conjunction({place.condition, term::equal(owner, integer(0))});
    free.assignments.push_back({place.owner, self()});
    done(std::move(free), 0);
    const Term is_own = term::conjunction({place.condition, term::equal(owner, self())});
    if (place.kind == kRecursive) {
      Step again = step_on();
      again.guard = is_own;
      again.assignments.push_back({place.depth, term::sum({depth, integer(1)})});
      done(std::move(again), 0);
    } else if (place.kind == kErrorChecking && !node_.is_asleep) {
      Step fails = step_on();
      fails.guard = is_own;
      done(std::move(fails), kWouldDeadlock);
    }
  }
}

void Explorer::try_lock(const Synchronise& e) {
  bool is_total = false;
  const Value address = eval(e.arguments[0], pointer_width());
  const std::vector<MutexPlace> places = mutexes(address, is_total);
  if (!is_total) mark_blocking();
  for (const MutexPlace& place : places) {
    if (place.is_broken) {
      Step step = step_on();
      step.guard = place.condition;
      step.is_abstract = true;
      finish_any(std::move(step), e);
      continue;
    }
    const Term owner = variables_[place.owner.index()].term;
    const Term depth = variables_[place.depth.index()].term;
    Step free = step_on();
    const Term is_free = term::equal(owner, integer(0));
    const Term fails =
        options_.try_lock_may_fail ? any(free, 1, false).word.term : term::constant(false);
    const std::vector<model::threads::Input> inputs = free.inputs;
    free.guard = term::conjunction({place.condition, is_free, term::negation(fails)});
    free.assignments.push_back({place.owner, self()});
    finish(std::move(free), e, 0);
    Term taken =
        term::conjunction({place.condition, term::disjunction({term::negation(is_free), fails})});
    if (place.kind == kRecursive) {
      const Term is_own = term::equal(owner, self());
      Step again = step_on();
      again.guard = term::conjunction({place.condition, is_own});
      again.assignments.push_back({place.depth, term::sum({depth, integer(1)})});
      finish(std::move(again), e, 0);
      taken = term::conjunction({taken, term::negation(is_own)});
    }
    Step busy = step_on();
    busy.inputs = inputs;
    busy.guard = taken;
    finish(std::move(busy), e, kBusy);
  }
}

/// `sleeps`: as the first half of a condition wait.
void Explorer::unlock(const Synchronise& e, const Operand& mutex, bool sleeps) {
  bool is_total = false;
  const Value address = eval(mutex, pointer_width());
  const std::vector<MutexPlace> places = mutexes(address, is_total);
  if (!is_total) mark_blocking();
  const auto done = [&](Step step) {
    if (!sleeps) return finish(std::move(step), e, 0);
    step.next = node_;
    step.next.is_asleep = true;
    emit(std::move(step));
  };
  for (const MutexPlace& place : places) {
    Step step = step_on();
    step.guard = place.condition;
    if (place.is_broken) {
      step.is_abstract = true;
      if (sleeps) done(step);
      finish_any(std::move(step), e);
      continue;
    }
    const Term owner = variables_[place.owner.index()].term;
    const Term depth = variables_[place.depth.index()].term;
    if (place.kind != kRecursive && place.kind != kErrorChecking) {
      step.assignments.push_back({place.owner, integer(0)});
      done(std::move(step));
      continue;
    }
    const Term is_own = term::equal(owner, self());
    const Term is_last = term::equal(depth, integer(0));
    step.guard = term::conjunction({place.condition, is_own, is_last});
    step.assignments.push_back({place.owner, integer(0)});
    done(std::move(step));
    Step inner = step_on();
    inner.guard = term::conjunction({place.condition, is_own, term::negation(is_last)});
    inner.assignments.push_back(
        {place.depth, term::sum({depth, integer(0), term::constant(base::Integer(-1))})});
    done(std::move(inner));
    Step fails = step_on();
    fails.guard = term::conjunction({place.condition, term::negation(is_own)});
    finish(std::move(fails), e, kNotPermitted);
  }
}

/// Falls asleep, and later wakes up by itself or by a signal: both look the same from outside, so
/// signals need no variables. Precondition for being exact: the property is about reachability.
void Explorer::wait(const Synchronise& e) {
  if (node_.sections > 0) {
    Step step = step_on();
    return emit_to(std::move(step), special_point(node_, PointInfo::Kind::Unsupported));
  }
  if (!node_.is_asleep) return unlock(e, e.arguments[1], true);
  lock(e, e.arguments[1], e.operation == SyncOperation::ConditionTimedWait);
}

}  // namespace heddle::transform::c_threads
