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
