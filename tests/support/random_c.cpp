#include "support/random_c.hpp"

#include "support/c_program_builder.hpp"

namespace heddle::test {

namespace {

namespace build = testing::c;
using model::c::Effect;
using model::c::SyncOperation;

constexpr std::uint32_t kNumbers = 2;  ///< globals 0 and 1
constexpr std::uint32_t kMutex = 2;
constexpr std::uint64_t kMutexBytes = 40;

model::c::Operand number(Random& random) { return build::global(random.below(kNumbers)); }

void add_statement(std::vector<Effect>& code, Random& random) {
  switch (random.below(4)) {
    case 0: code.push_back(build::store(number(random), build::num(random.below(3)))); return;
    case 1: {
      const auto at = number(random);
      code.push_back(build::load(1, at));
      code.push_back(build::binary(2, model::c::Operator::Add, build::reg(1), build::num(1)));
      code.push_back(build::store(at, build::reg(2)));
      return;
    }
    case 2:
      code.push_back(model::c::ReadModifyWrite{build::to(3),
                                               model::c::ReadModifyWrite::Operation::Add,
                                               number(random), build::num(1), 4});
      return;
    default:
      code.push_back(build::load(4, number(random)));
      code.push_back(build::store(number(random), build::reg(4)));
  }
}

/// Fails if one of the numbers has that value.
void add_claim(std::vector<Effect>& code, Random& random) {
  code.push_back(build::load(5, number(random)));
  code.push_back(
      build::binary(6, model::c::Operator::Eq, build::reg(5), build::num(random.below(4))));
  const auto at = static_cast<std::uint32_t>(code.size());
  code.push_back(build::branch(build::reg(6), at + 1, at + 2));
  code.push_back(build::fail());
}

std::vector<Effect> worker(Random& random) {
  std::vector<Effect> code;
  const bool locks = random.one_in(2);
  if (locks) code.push_back(build::sync(SyncOperation::MutexLock, {build::global(kMutex)}));
  for (unsigned i = random.between(1, 2); i > 0; --i) add_statement(code, random);
  if (random.one_in(3)) add_claim(code, random);
  if (locks) code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)}));
  code.push_back(build::ret());
  return code;
}

}  // namespace

model::CTask random_c_task(Random& random) {
  build::Built built;
  built.add_global("a", 4);
  built.add_global("b", 4);
  built.add_global("m", kMutexBytes);
  const unsigned threads = random.between(1, 2);
  std::vector<Effect> main;
  for (unsigned i = 0; i < threads; ++i)
    main.push_back(build::sync_to(8 + i, SyncOperation::CreateThread,
                                  {build::num(0), build::function(1 + i), build::num(0)}));
  if (random.one_in(2)) add_statement(main, random);
  add_claim(main, random);
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) built.add_function("worker", worker(random), 1);
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

namespace {

/// Stores constants, under the mutex or not, and may fail: whatever the number of threads that have
/// been there, there are few states.
std::vector<Effect> constant_worker(Random& random) {
  std::vector<Effect> code;
  const bool locks = random.one_in(2);
  if (locks) code.push_back(build::sync(SyncOperation::MutexLock, {build::global(kMutex)}));
  for (unsigned i = random.between(1, 2); i > 0; --i)
    code.push_back(build::store(number(random), build::num(random.below(3))));
  if (random.one_in(2)) add_claim(code, random);
  if (locks) code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)}));
  code.push_back(build::ret());
  return code;
}

}  // namespace

model::CTask random_creating_c_task(Random& random) {
  build::Built built;
  built.add_global("a", 4);
  built.add_global("b", 4);
  built.add_global("m", kMutexBytes);
  const std::uint32_t handle = built.add_global("t", 8);
  std::vector<Effect> main;
  main.push_back(build::sync_to(7, SyncOperation::CreateThread,
                                {build::global(handle), build::function(1), build::num(0)}));
  main.push_back(build::load(8, build::global(handle), 8));
  main.push_back(build::sync(SyncOperation::DetachThread, {build::reg(8)}));
  if (random.one_in(2)) add_claim(main, random);
  main.push_back(random.one_in(2) ? build::jump(0) : build::finish());
  built.add_function("main", std::move(main));
  built.add_function("worker", constant_worker(random), 1);
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

namespace {

/// Under the mutex, more often than not; it may be taken by an attempt.
void add_guarded_statement(std::vector<Effect>& code, Random& random) {
  const unsigned how = random.below(8);
  if (how == 0) return add_statement(code, random);
  if (how == 1) {
    code.push_back(model::c::ReadModifyWrite{build::to(3),
                                             model::c::ReadModifyWrite::Operation::Add,
                                             build::global(1), build::num(1), 4});
    return;
  }
  if (how > 2) {
    code.push_back(build::sync(SyncOperation::MutexLock, {build::global(kMutex)}));
    add_statement(code, random);
    code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)}));
    return;
  }
  code.push_back(build::sync_to(7, SyncOperation::MutexTryLock, {build::global(kMutex)}));
  const auto at = static_cast<std::uint32_t>(code.size());
  code.push_back(build::binary(6, model::c::Operator::Eq, build::reg(7), build::num(0)));
  code.push_back(build::branch(build::reg(6), at + 2, at + 4));
  code.push_back(build::store(number(random), build::num(1)));
  code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)}));
}

}  // namespace

model::CTask random_race_task(Random& random) {
  build::Built built;
  built.add_global("a", 4);
  built.add_global("b", 4);
  built.add_global("m", kMutexBytes);
  constexpr std::uint32_t kHandle = 3;
  const unsigned threads = random.between(1, 2);
  std::vector<Effect> main;
  if (random.one_in(2)) add_statement(main, random);
  for (unsigned i = 0; i < threads; ++i) {
    const std::uint32_t handle = built.add_global("t" + std::to_string(i), 8);
    main.push_back(build::sync(SyncOperation::CreateThread,
                               {build::global(handle), build::function(1 + i), build::num(0)}));
  }
  if (random.one_in(2)) add_guarded_statement(main, random);
  for (unsigned i = 0; i < threads; ++i) {
    if (random.one_in(5)) continue;
    main.push_back(build::load(8, build::global(kHandle + i), 8));
    main.push_back(build::sync(SyncOperation::JoinThread, {build::reg(8), build::num(0)}));
  }
  if (random.one_in(2))
    add_statement(main, random);
  else
    add_guarded_statement(main, random);
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Effect> code;
    for (unsigned j = random.between(1, 2); j > 0; --j) add_guarded_statement(code, random);
    code.push_back(build::ret());
    built.add_function("worker", std::move(code), 1);
  }
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {model::c::Property::NoDataRace}, {}}};
}

namespace {

/// `while (r op k) r = r + d;` or something like that, over a number or a register.
void add_loop(std::vector<Effect>& code, Random& random) {
  using model::c::Operator;
  const bool is_global = random.one_in(2);
  const auto at = number(random);
  if (!is_global)
    code.push_back(build::binary(9, Operator::Add, build::num(random.below(3)), build::num(0)));
  const auto head = static_cast<std::uint32_t>(code.size());
  if (is_global) code.push_back(build::load(9, at));
  // Nothing wraps or grows, whatever constants are changed: there are few states.
  const bool falls = random.one_in(2);
  const Operator op = falls || random.one_in(2) ? Operator::SLt : Operator::ULt;
  code.push_back(falls ? build::binary(6, op, build::num(0), build::reg(9))
                       : build::binary(6, op, build::reg(9), build::num(random.between(1, 4))));
  const auto branch = static_cast<std::uint32_t>(code.size());
  code.push_back(build::branch(build::reg(6), branch + 1, 0));
  if (random.one_in(3)) code.push_back(build::store(number(random), build::num(random.below(3))));
  const std::uint64_t by = random.one_in(8) ? 0 : 1;
  code.push_back(
      build::binary(9, falls ? Operator::Sub : Operator::Add, build::reg(9), build::num(by)));
  if (is_global) code.push_back(build::store(at, build::reg(9)));
  code.push_back(build::jump(head));
  const auto end = static_cast<std::uint32_t>(code.size());
  std::get<model::c::Branch>(code[branch]).if_false = model::c::Location(end);
}

/// Under none, one or both of two mutexes.
void add_locked_loop(std::vector<Effect>& code, Random& random) {
  std::vector<std::uint32_t> mutexes;
  if (random.one_in(2)) mutexes.push_back(kMutex);
  if (random.one_in(3))
    mutexes.insert(random.one_in(2) ? mutexes.begin() : mutexes.end(), kMutex + 1);
  for (const std::uint32_t m : mutexes)
    code.push_back(build::sync(SyncOperation::MutexLock, {build::global(m)}));
  if (random.one_in(4))
    add_statement(code, random);
  else
    add_loop(code, random);
  for (const std::uint32_t m : mutexes)
    if (!random.one_in(12))
      code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(m)}));
}

}  // namespace

model::CTask random_termination_task(Random& random) {
  build::Built built;
  built.add_global("a", 4);
  built.add_global("b", 4);
  built.add_global("m", kMutexBytes);
  built.add_global("n", kMutexBytes);
  const unsigned threads = random.below(3);
  std::vector<Effect> main;
  std::vector<std::uint32_t> handles;
  for (unsigned i = 0; i < threads; ++i) {
    handles.push_back(built.add_global("t" + std::to_string(i), 8));
    main.push_back(
        build::sync(SyncOperation::CreateThread,
                    {build::global(handles.back()), build::function(1 + i), build::num(0)}));
  }
  for (unsigned i = random.between(1, 2); i > 0; --i) add_locked_loop(main, random);
  for (const std::uint32_t handle : handles) {
    main.push_back(build::load(8, build::global(handle), 8));
    main.push_back(build::sync(SyncOperation::JoinThread, {build::reg(8), build::num(0)}));
  }
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Effect> code;
    add_locked_loop(code, random);
    code.push_back(build::ret());
    built.add_function("worker", std::move(code), 1);
  }
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {model::c::Property::Termination}, {}}};
}

namespace {

constexpr std::uint32_t kCondition = 4;
constexpr std::uint64_t kConditionBytes = 48;

Effect sync_with(SyncOperation operation, std::uint32_t global) {
  return build::sync(operation, {build::global(global)});
}

/// Asks whether the number has a value. Where to go if it has is to be filled in at the result.
std::uint32_t add_test(std::vector<Effect>& code, std::uint64_t wanted) {
  code.push_back(build::load(1, build::global(0)));
  code.push_back(build::binary(6, model::c::Operator::Eq, build::reg(1), build::num(wanted)));
  const auto branch = static_cast<std::uint32_t>(code.size());
  code.push_back(build::branch(build::reg(6), 0, branch + 1));
  return branch;
}

/// `lock; while (a != 1) wait; unlock`, or with `if`, or without asking.
void add_wait(std::vector<Effect>& code, Random& random) {
  code.push_back(sync_with(SyncOperation::MutexLock, kMutex));
  const auto head = static_cast<std::uint32_t>(code.size());
  const std::uint32_t branch = add_test(code, random.one_in(6) ? 0 : 1);
  code.push_back(build::sync(SyncOperation::ConditionWait,
                             {build::global(kCondition), build::global(kMutex)}));
  if (!random.one_in(5)) code.push_back(build::jump(head));
  std::get<model::c::Branch>(code[branch]).if_true =
      model::c::Location(static_cast<std::uint32_t>(code.size()));
  if (random.one_in(4)) code.push_back(build::store(build::global(0), build::num(0)));
  code.push_back(sync_with(SyncOperation::MutexUnlock, kMutex));
}

/// `lock; a = 1; signal; unlock`, more or less.
void add_wake(std::vector<Effect>& code, Random& random) {
  const bool locks = !random.one_in(6), wakes_inside = random.one_in(2);
  const auto wake = [&] {
    if (random.one_in(6)) return;
    code.push_back(sync_with(
        random.one_in(2) ? SyncOperation::ConditionSignal : SyncOperation::ConditionBroadcast,
        kCondition));
  };
  if (locks) code.push_back(sync_with(SyncOperation::MutexLock, kMutex));
  if (wakes_inside && random.one_in(4)) wake();
  code.push_back(build::store(build::global(0), build::num(random.one_in(5) ? 0 : 1)));
  if (wakes_inside) wake();
  if (locks) code.push_back(sync_with(SyncOperation::MutexUnlock, kMutex));
  if (!wakes_inside) wake();
}

void add_waiting(std::vector<Effect>& code, Random& random) {
  switch (random.below(6)) {
    case 0:
    case 1: return add_wait(code, random);
    case 2:
    case 3: return add_wake(code, random);
    case 4: return add_locked_loop(code, random);
    default:
      code.push_back(build::sync(SyncOperation::AtomicBegin));
      code.push_back(build::load(1, build::global(1)));
      code.push_back(
          build::binary(6, model::c::Operator::Eq, build::reg(1), build::num(random.below(3))));
      code.push_back(build::sync(SyncOperation::BlockUntil, {build::reg(6)}));
      if (random.one_in(2)) code.push_back(build::store(build::global(1), build::num(1)));
      code.push_back(build::sync(SyncOperation::AtomicEnd));
  }
}

}  // namespace

model::CTask random_waiting_task(Random& random, model::c::Property property) {
  build::Built built;
  built.add_global("a", 4);
  built.add_global("b", 4);
  built.add_global("m", kMutexBytes);
  built.add_global("n", kMutexBytes);
  built.add_global("c", kConditionBytes);
  const unsigned threads = random.between(1, 2);
  const bool joins = !random.one_in(4);
  std::vector<Effect> main;
  std::vector<std::uint32_t> handles;
  for (unsigned i = 0; i < threads; ++i) {
    handles.push_back(built.add_global("t" + std::to_string(i), 8));
    main.push_back(
        build::sync(SyncOperation::CreateThread,
                    {build::global(handles.back()), build::function(1 + i), build::num(0)}));
  }
  if (random.one_in(2)) add_waiting(main, random);
  for (const std::uint32_t handle : handles) {
    if (!joins) break;
    main.push_back(build::load(8, build::global(handle), 8));
    main.push_back(build::sync(SyncOperation::JoinThread, {build::reg(8), build::num(0)}));
  }
  main.push_back(joins ? build::finish() : build::sync(SyncOperation::ExitThread, {build::num(0)}));
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Effect> code;
    for (unsigned j = random.between(1, 2); j > 0; --j) add_waiting(code, random);
    code.push_back(build::ret());
    built.add_function("worker", std::move(code), 1);
  }
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {property}, {}}};
}

namespace {

constexpr std::uint32_t kPointer = 0, kHandle = 1, kHeapMutex = 2;

/// Accesses the object that the global points to, within it or behind it, or frees it.
void add_use(std::vector<Effect>& code, Random& random) {
  const bool locks = random.one_in(3);
  const bool is_whole = !locks && random.one_in(4);
  if (locks) code.push_back(build::sync(SyncOperation::MutexLock, {build::global(kHeapMutex)}));
  if (is_whole) code.push_back(build::sync(SyncOperation::AtomicBegin));
  code.push_back(build::load(1, build::global(kPointer), 8));
  const std::uint64_t offset = random.one_in(8) ? 8 : random.one_in(2) ? 4 : 0;
  code.push_back(build::binary(2, model::c::Operator::Add, build::reg(1), build::num(offset), 64));
  if (random.one_in(6))
    code.push_back(model::c::Free{build::reg(1)});
  else if (random.one_in(2))
    code.push_back(build::load(3, build::reg(2)));
  else
    code.push_back(build::store(build::reg(2), build::num(random.below(3))));
  if (is_whole) code.push_back(build::sync(SyncOperation::AtomicEnd));
  if (locks) code.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kHeapMutex)}));
}

}  // namespace

model::CTask random_heap_task(Random& random, model::c::Property property) {
  build::Built built;
  built.add_global("p", 8);
  built.add_global("t", 8);
  built.add_global("m", 40);
  const unsigned threads = random.between(1, 2);
  std::vector<Effect> main;
  main.push_back(model::c::Allocate{build::to(4), model::c::Allocate::Where::Heap, build::num(8),
                                    true, std::nullopt, ""});
  main.push_back(build::store(build::global(kPointer), build::reg(4), 8));
  for (unsigned i = 0; i < threads; ++i)
    main.push_back(build::sync(SyncOperation::CreateThread,
                               {build::global(kHandle), build::function(1 + i), build::num(0)}));
  if (random.one_in(2)) add_use(main, random);
  if (!random.one_in(4)) {
    main.push_back(build::load(5, build::global(kHandle), 8));
    main.push_back(build::sync(SyncOperation::JoinThread, {build::reg(5), build::num(0)}));
  }
  add_use(main, random);
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Effect> code;
    add_use(code, random);
    code.push_back(build::ret());
    built.add_function("worker", std::move(code), 1);
  }
  built.program.files = {"random.c"};
  return {std::move(built.program), {{model::EntryCall()}, {property}, {}}};
}

void change_model(model::CTask& task, Random& random) {
  std::vector<std::uint64_t*> constants;
  for (model::c::Function& function : task.model.functions)
    for (model::c::Instruction& instruction : function.code) {
      if (auto* store = std::get_if<model::c::Store>(&instruction.effect)) {
        if (store->value.kind == model::c::Operand::Kind::Constant)
          constants.push_back(&store->value.value);
      } else if (auto* compute = std::get_if<model::c::Compute>(&instruction.effect)) {
        constants.push_back(&compute->b.value);
      }
    }
  if (constants.empty()) return;
  *constants[random.below(static_cast<unsigned>(constants.size()))] = random.below(4);
}

}  // namespace heddle::test
