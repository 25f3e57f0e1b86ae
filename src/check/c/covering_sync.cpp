#include <algorithm>

#include "check/c/covering_parts.hpp"

/// Threads, mutexes, conditions, atomic sections. A mutex is the number of its owner; a thread's
/// status is 0, 1 while it runs, 2 when it has ended. Falling asleep releases the mutex, waking up
/// takes it again, at any time: wake-ups may be spurious.

namespace heddle::check::c::covering {

using namespace model::c;
using model::threads::PointInfo;
using term::Term;
using words::bits_of;
using words::constant_word;

namespace {

// Error numbers of POSIX, as Linux numbers them, and kinds of mutexes, as glibc does.
constexpr std::uint64_t kNotOwner = 1;
constexpr std::uint64_t kTaken = 16;
constexpr std::uint64_t kOwnDeadlock = 35;
constexpr std::uint64_t kTimeIsUp = 110;
constexpr std::uint32_t kRecursiveKind = 1;
constexpr std::uint32_t kCheckingKind = 2;

Term count(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

}  // namespace

Term Rebuild::self() const {
  return model::threads::self_of(made_, model::threads::ThreadIndex(thread_));
}

void Rebuild::finish(Move move, const Synchronise& e, std::uint64_t result) {
  if (e.to) {
    const std::uint8_t width = function_of(place_->context).register_widths[e.to->index()];
    set(move, place_->context, *e.to, number(result, width));
  }
  emit(std::move(move));
}

void Rebuild::finish_any(Move move, const Synchronise& e) {
  if (e.to) {
    const std::uint8_t width = function_of(place_->context).register_widths[e.to->index()];
    set(move, place_->context, *e.to, any(move, width, true));
  }
  emit(std::move(move));
}

void Rebuild::execute(const Synchronise& e) {
  switch (e.operation) {
    case SyncOperation::CreateThread: return create(e);
    case SyncOperation::JoinThread: return join(e);
    case SyncOperation::DetachThread: return detach(e);
    case SyncOperation::ExitThread:
      return end_thread(e.arguments.empty() ? number(0, pointer_width())
                                            : eval(e.arguments[0], pointer_width()));
    case SyncOperation::SelfThread: {
      Move move = move_on();
      Targets targets;
      targets.handles.push_back(thread_);
      if (e.to)
        set(move, place_->context, *e.to,
            number(map_.threads[thread_].handle, pointer_width(), targets));
      return emit(std::move(move));
    }
    case SyncOperation::MutexInit: return init_mutex(e);
    case SyncOperation::MutexLock: return lock(e, e.arguments[0], false);
    case SyncOperation::MutexTryLock: return try_lock(e);
    case SyncOperation::MutexUnlock: return unlock(e, e.arguments[0], false);
    case SyncOperation::ConditionWait:
    case SyncOperation::ConditionTimedWait: return wait(e);
    case SyncOperation::ConditionSignal:
      record_condition(e, WaitingPlace::Kind::Signal);
      return finish(move_on(), e, 0);
    case SyncOperation::ConditionBroadcast:
      record_condition(e, WaitingPlace::Kind::Broadcast);
      return finish(move_on(), e, 0);
    case SyncOperation::MutexDestroy:
    case SyncOperation::Fence: return finish(move_on(), e, 0);
    case SyncOperation::AtomicBegin: {
      Move move = move_on();
      ++move.sections;
      return emit(std::move(move));
    }
    case SyncOperation::AtomicEnd: {
      Move move = move_on();
      if (move.sections > 0) --move.sections;
      return emit(std::move(move));
    }
    case SyncOperation::BlockUntil: {
      Move move = move_on();
      move.guard = eval(e.arguments[0], 1).word.term;
      record_waiting(WaitingPlace::Kind::Until);
      may_block();
      return finish(std::move(move), e, 0);
    }
  }
}

// ---- threads

void Rebuild::create(const Synchronise& e) {
  Move move = move_on();
  const Value to = eval(e.arguments[0], pointer_width());
  const bool stores = bits_of(to.word) != std::uint64_t{0};
  const Access where = stores ? access(to, program_.pointer_bytes) : Access{};
  if (stores) move.guard = guard_of(where);
  if (stores && where.list.empty()) return may_block();
  if (!place_->creates) object_to("creates a thread that is not listed");
  const std::uint32_t id = *place_->creates;
  const auto& thread = map_.threads[id];
  const Value start = eval(e.arguments[1], pointer_width());
  if (bits_of(start.word) != model::threads::number_of_function(thread.start) ||
      start.targets.is_arbitrary)
    object_to("creates a thread that starts elsewhere");
  const Function& routine = program_.functions[thread.start.index()];
  if (routine.code.empty() || routine.is_atomic) give_up("a start routine without steps");
  creations_[id].emplace_back(thread_, point_);
  if (stores) {
    Targets targets;
    targets.handles.push_back(id);
    store(move, where, program_.pointer_bytes, number(thread.handle, pointer_width(), targets));
  }
  write(move, *thread.status, count(1));
  model::threads::Creation creation{model::threads::ThreadIndex(id), {}};
  const auto& entry = thread.places[thread.entry];
  for (const auto& c : entry.constants) {
    const auto known = known_.find({true, 0, c.index});
    const bool is_argument = !c.is_cell && c.context == thread.root && c.index == 0;
    if (c.is_cell ? known == known_.end() || known->second != c.value : !is_argument)
      object_to("a constant is not known when " + routine.name + " is created");
  }
  if (routine.parameters > 0) {
    Move inner;
    created_ = id;
    set(inner, thread.root, Register(std::size_t{0}), eval(e.arguments[2], pointer_width()));
    created_.reset();
    const auto known = inner.known.find({false, thread.root, 0});
    const auto wanted =
        std::ranges::find_if(entry.constants, [](const auto& c) { return !c.is_cell; });
    if (wanted != entry.constants.end() &&
        (known == inner.known.end() || known->second != wanted->value))
      object_to("another argument of " + routine.name);
    const auto* reg = register_of(thread.root, 0);
    if (known != inner.known.end() && reg != nullptr && reg->variable)
      inner.assignments.insert_or_assign(
          *reg->variable,
          constant_word(known->second, routine.register_widths[0], reg->is_signed).term);
    for (const auto& [variable, value] : inner.assignments)
      creation.locals.push_back({model::threads::VariableId(variable), value});
  } else if (std::ranges::any_of(entry.constants, [](const auto& c) { return !c.is_cell; })) {
    object_to("an argument of " + routine.name + ", which has none");
  }
  move.creation = std::move(creation);
  finish(std::move(move), e, 0);
}

void Rebuild::join(const Synchronise& e) {
  const Value handle = eval(e.arguments[0], pointer_width());
  WaitingPlace& waiting = record_waiting(WaitingPlace::Kind::Join);
  may_block();
  std::vector<Term> others;
  const auto bits = bits_of(handle.word);
  for (const std::uint32_t h : handle.targets.handles) {
    const Term here = bits ? term::constant(*bits == map_.threads[h].handle)
                           : words::equal_words(
                                 handle.word, constant_word(map_.threads[h].handle, pointer_width(),
                                                            handle.word.is_signed));
    others.push_back(term::negation(here));
    if (h == thread_ && !is_replicated(h)) {
      // Nobody waits for himself.
    } else if (is_followed_to_its_end(h) && map_.threads[h].is_joined_once) {
      const Term runs = term::equal(read(*map_.threads[h].status), count(1));
      waiting.joined_runs =
          term::disjunction({waiting.joined_runs, term::conjunction({here, runs})});
    } else {
      waiting.is_vague = true;
    }
    join_one(e, h, here);
  }
  // A plain number, which may be anybody's handle by chance.
  const bool is_nobody = bits == std::uint64_t{0};
  if (!is_nobody && (handle.targets.is_arbitrary || handle.targets.handles.empty())) {
    joins_any_ = waiting.is_vague = true;
    joiners_of_any_.insert(thread_);
    return join_unknown(e, term::constant(true));
  }
  join_unknown(e, term::conjunction(std::move(others)));
}

void Rebuild::join_unknown(const Synchronise& e, const Term& guard) {
  if (guard.op() == term::Operator::Boolean && !guard.boolean()) return;
  if (bits_of(eval(e.arguments[1], pointer_width()).word) != std::uint64_t{0})
    give_up("a result of an unknown thread");
  Move move = move_on();
  move.guard = guard;
  finish_any(std::move(move), e);
}

/// Whether its status says if joining it waits.
bool Rebuild::is_followed_to_its_end(std::uint32_t id) const {
  const auto& thread = map_.threads[id];
  return id != thread_ && thread.is_waited_for && !thread.is_replicated;
}

void Rebuild::join_one(const Synchronise& e, std::uint32_t id, const Term& guard) {
  if (guard.op() == term::Operator::Boolean && !guard.boolean()) return;
  const auto& thread = map_.threads[id];
  const bool waits = is_followed_to_its_end(id);
  joins_[id].emplace_back(thread_, point_);
  Move move = move_on();
  move.guard = guard;
  if (waits) move.guard = term::conjunction({guard, term::equal(read(*thread.status), count(2))});
  const Value target = eval(e.arguments[1], pointer_width());
  if (bits_of(target.word) != std::uint64_t{0}) {
    const Access where = access(target, program_.pointer_bytes);
    move.guard = term::conjunction({move.guard, guard_of(where)});
    if (where.list.empty()) return;
    Value result = any(move, pointer_width(), true);
    // When it has been joined before, its handle may be that of another thread, or of nobody.
    const bool is_its_own = waits && thread.is_joined_once;
    for (std::uint32_t t = 0; t < map_.threads.size(); ++t)
      if (t == id || !is_its_own)
        result.targets = united(result.targets, map_.threads[t].result_content);
    if (is_its_own && thread.result) result.word = {read(*thread.result), pointer_width(), true};
    const Term stores = is_its_own ? term::constant(true) : any(move, 1, false).word.term;
    store(move, where, program_.pointer_bytes, result, stores);
  }
  if (waits && thread.is_joined_once) return finish(std::move(move), e, 0);
  finish_any(std::move(move), e);
}

void Rebuild::detach(const Synchronise& e) {
  const Value handle = eval(e.arguments[0], pointer_width());
  if (handle.targets.is_arbitrary || is_plain(handle.targets))
    for (const auto& thread : map_.threads)
      if (thread.is_waited_for) object_to("detaches a thread that may be any");
  for (const std::uint32_t h : handle.targets.handles)
    if (map_.threads[h].is_waited_for) object_to("detaches a thread that others wait for");
  finish_any(move_on(), e);
}

// ---- mutexes

std::vector<MutexTarget> Rebuild::mutexes(const Value& address) {
  std::vector<MutexTarget> out;
  if (const auto bits = bits_of(address.word)) {
    for (const std::uint32_t o : address.targets.objects) {
      const auto& object = map_.objects[o];
      if (*bits < object.base || !object.size || *bits >= object.base + *object.size) continue;
      for (const std::uint32_t m : mutexes_of_[o])
        if (map_.mutexes[m].offset == *bits - object.base)
          return {{term::constant(true), &map_.mutexes[m]}};
      object_to("a mutex that is not listed");
    }
    may_block();
    const bool is_address = !is_plain(address.targets) && !address.targets.is_arbitrary;
    if (*bits >= 4096 && !is_address) give_up("a mutex at a number");
    return out;
  }
  may_block();
  for (const std::uint32_t o : address.targets.objects) {
    const auto& object = map_.objects[o];
    const Term from = term::at_most(count(object.base), address.word.term);
    if (object.is_summary || !object.size) {
      out.push_back({from, nullptr});
      continue;
    }
    const Term inside = term::conjunction(
        {from, term::at_most(address.word.term, count(object.base + *object.size))});
    // Mutexes that all exclude nobody need not be told apart, if nobody reads their bytes.
    const bool is_mixed = object.is_blurred && std::ranges::all_of(mutexes_of_[o], [&](auto m) {
                            return map_.mutexes[m].is_broken;
                          });
    if (is_mixed) {
      out.push_back({inside, nullptr});
      continue;
    }
    std::vector<Term> others = {inside};
    for (const std::uint32_t m : mutexes_of_[o]) {
      const Term there =
          term::equal(address.word.term, count(object.base + map_.mutexes[m].offset));
      others.push_back(term::negation(there));
      out.push_back({there, &map_.mutexes[m]});
    }
    // A mutex that is not listed may be meant.
    Move move = move_on();
    move.guard = term::conjunction(std::move(others));
    if (has_special(PointInfo::Kind::Unsupported))
      emit_special(std::move(move), PointInfo::Kind::Unsupported);
    else
      give_up("which mutex is meant depends on data");
  }
  if (!address.targets.is_arbitrary) return out;
  // A plain number might be any address, but for the first page.
  std::vector<Term> others = {
      term::negation(term::conjunction({term::at_most(count(0), address.word.term),
                                        term::at_most(address.word.term, count(4095))}))};
  for (const MutexTarget& target : out) others.push_back(term::negation(target.condition));
  Move move = move_on();
  move.guard = term::conjunction(std::move(others));
  emit_special(std::move(move), PointInfo::Kind::Unsupported);
  return out;
}

Term Rebuild::owner_of(const MutexTarget& target) const {
  if (!target.mutex->owner) object_to("a mutex without an owner");
  return read(*target.mutex->owner);
}

/// A depth that the covering leaves out is any.
void Rebuild::deepen(Move& move, const MutexTarget& target, int by) const {
  const auto& depth = target.mutex->depth;
  if (depth) write(move, *depth, term::sum({read(*depth), term::constant(base::Integer(by))}));
}

void Rebuild::init_mutex(const Synchronise& e) {
  const Value address = eval(e.arguments[0], pointer_width());
  const auto kind =
      e.arguments.size() > 1 ? bits_of(eval(e.arguments[1], 32).word) : std::uint64_t{0};
  for (const MutexTarget& target : mutexes(address)) {
    Move move = move_on();
    move.guard = target.condition;
    if (target.mutex != nullptr && !target.mutex->is_broken) {
      if (!kind) give_up("the kind of a mutex depends on data");
      if ((*kind & 3) % 3 != target.mutex->kind % 3) object_to("a mutex of another kind");
      write(move, *target.mutex->owner, count(0));
      if (target.mutex->depth) write(move, *target.mutex->depth, count(0));
    }
    finish(std::move(move), e, 0);
  }
}

void Rebuild::lock(const Synchronise& e, const Operand& mutex, bool wakes) {
  if (wakes)
    record_condition(e, WaitingPlace::Kind::Asleep);
  else
    record_waiting(WaitingPlace::Kind::Lock);
  may_block();
  const bool may_time_out = wakes && e.operation == SyncOperation::ConditionTimedWait;
  const auto done = [&](Move move, std::uint64_t result) {
    if (!may_time_out || !e.to) return finish(std::move(move), e, result);
    const Term late = any(move, 1, false).word.term;
    set(move, place_->context, *e.to,
        {{term::choice(late, count(kTimeIsUp), count(0)), 32, true}, {}});
    emit(std::move(move));
  };
  const std::vector<MutexTarget> targets = mutexes(eval(mutex, pointer_width()));
  std::vector<Term> exists;
  for (const MutexTarget& target : targets) exists.push_back(target.condition);
  waiting_.back().has_mutex = term::disjunction(std::move(exists));
  for (const MutexTarget& target : targets) {
    Move free = move_on();
    free.guard = target.condition;
    if (target.mutex == nullptr || target.mutex->is_broken) {
      waiting_.back().is_vague = true;
      finish_any(std::move(free), e);
      continue;
    }
    const Term owner = owner_of(target);
    free.guard = term::conjunction({target.condition, term::equal(owner, count(0))});
    write(free, *target.mutex->owner, self());
    done(std::move(free), 0);
    Move again = move_on();
    again.guard = term::conjunction({target.condition, term::equal(owner, self())});
    if (target.mutex->kind == kRecursiveKind) {
      deepen(again, target, 1);
      done(std::move(again), 0);
    } else if (target.mutex->kind == kCheckingKind && !wakes) {
      done(std::move(again), kOwnDeadlock);
    }
  }
}

void Rebuild::try_lock(const Synchronise& e) {
  for (const MutexTarget& target : mutexes(eval(e.arguments[0], pointer_width()))) {
    Move free = move_on();
    free.guard = target.condition;
    if (target.mutex == nullptr || target.mutex->is_broken) {
      finish_any(std::move(free), e);
      continue;
    }
    const Term owner = owner_of(target);
    const Term is_free = term::equal(owner, count(0));
    const std::optional<Term> fails =
        is_for_races_ ? std::optional(any(free, 1, false).word.term) : std::nullopt;
    const std::vector<model::threads::Input> inputs = free.inputs;
    free.guard = term::conjunction(
        {target.condition, is_free, fails ? term::negation(*fails) : term::constant(true)});
    write(free, *target.mutex->owner, self());
    finish(std::move(free), e, 0);
    Term taken = term::conjunction({target.condition, term::negation(is_free)});
    if (fails)
      taken = term::conjunction(
          {target.condition, term::disjunction({term::negation(is_free), *fails})});
    if (target.mutex->kind == kRecursiveKind) {
      const Term is_own = term::equal(owner, self());
      Move again = move_on();
      again.guard = term::conjunction({target.condition, is_own});
      deepen(again, target, 1);
      finish(std::move(again), e, 0);
      taken = term::conjunction({taken, term::negation(is_own)});
    }
    Move busy = move_on();
    busy.inputs = inputs;
    busy.guard = taken;
    finish(std::move(busy), e, kTaken);
  }
}

/// `sleeps`: as the first half of a condition wait.
void Rebuild::unlock(const Synchronise& e, const Operand& mutex, bool sleeps) {
  const auto done = [&](Move move) {
    if (!sleeps) return finish(std::move(move), e, 0);
    move.at = place_->at;
    move.is_asleep = true;
    emit(std::move(move));
  };
  for (const MutexTarget& target : mutexes(eval(mutex, pointer_width()))) {
    Move last = move_on();
    last.guard = target.condition;
    if (target.mutex == nullptr || target.mutex->is_broken) {
      if (!sleeps) {
        finish_any(std::move(last), e);
        continue;
      }
      done(last);
      finish_any(std::move(last), e);
      continue;
    }
    const Term owner = owner_of(target);
    write(last, *target.mutex->owner, count(0));
    if (target.mutex->kind != kRecursiveKind && target.mutex->kind != kCheckingKind) {
      done(std::move(last));
      continue;
    }
    const Term is_own = term::equal(owner, self());
    Term ends = is_own;
    if (target.mutex->kind == kRecursiveKind) {
      Move inner = move_on();
      inner.guard = term::conjunction({target.condition, is_own});
      if (const auto& depth = target.mutex->depth) {
        const Term is_last = term::equal(read(*depth), count(0));
        inner.guard = term::conjunction({inner.guard, term::negation(is_last)});
        ends = term::conjunction({is_own, is_last});
      }
      deepen(inner, target, -1);
      done(std::move(inner));
    }
    last.guard = term::conjunction({target.condition, ends});
    done(std::move(last));
    Move fails = move_on();
    fails.guard = term::conjunction({target.condition, term::negation(is_own)});
    finish(std::move(fails), e, kNotOwner);
  }
}

void Rebuild::wait(const Synchronise& e) {
  if (place_->sections > 0) return emit_special(move_on(), PointInfo::Kind::Unsupported);
  if (!place_->is_asleep) {
    record_condition(e, WaitingPlace::Kind::FallAsleep);
    return unlock(e, e.arguments[1], true);
  }
  lock(e, e.arguments[1], true);
}

}  // namespace heddle::check::c::covering
