/// The parts of `bounded`: circuits against numbers, and both ways to encode memory against what
/// small programs do.

#include <gtest/gtest.h>

#include <array>

#include "engine/bounded/bits.hpp"
#include "engine/bounded/deepening.hpp"
#include "engine/bounded/encoding.hpp"
#include "engine/bounded/schedule.hpp"
#include "model/c/arithmetic.hpp"
#include "support/c_program_builder.hpp"

namespace heddle::engine::bounded {
namespace {

namespace build = testing::c;
using model::c::Operator;
using model::c::Property;
using model::c::ReadModifyWrite;
using model::c::SyncOperation;

// ---- Circuits

/// Words that arithmetic treats in different ways.
std::vector<std::uint64_t> words(unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  std::vector<std::uint64_t> out = {0, 1, 2, 3, 7, sign - 1, sign, sign + 1, 2 * sign - 1, 0x5a};
  for (std::uint64_t& word : out) word = model::c::low_bits(word, width);
  return out;
}

/// Two words that the solver learns only when it is asked about a result.
struct Inputs {
  explicit Inputs(unsigned width) : a(input_bits(circuit, width)), b(input_bits(circuit, width)) {}

  std::uint64_t value(const Bits& result, std::uint64_t x, std::uint64_t y) {
    solver::SatSolver solver;
    Clauses clauses(circuit, solver);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::array<Wire, 1> bit_of_x = {(x >> i & 1) != 0 ? a[i] : !a[i]};
      const std::array<Wire, 1> bit_of_y = {(y >> i & 1) != 0 ? b[i] : !b[i]};
      clauses.require(bit_of_x);
      clauses.require(bit_of_y);
    }
    for (const Wire wire : result) clauses.literal(wire);
    base::RunContext context;
    EXPECT_EQ(solver.solve({}, context), solver::SatAnswer::Satisfiable);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
      if (clauses.value(result[i])) value |= std::uint64_t{1} << i;
    return value;
  }

  Circuit circuit;
  Bits a, b;
};

void expect_exact(const model::c::Compute& what) {
  Inputs inputs(what.width);
  const Bits result = compute(inputs.circuit, what, inputs.a, inputs.b, inputs.a);
  const Bits wraps = {overflows(inputs.circuit, what, inputs.a, inputs.b)};
  for (const std::uint64_t x : words(what.width)) {
    for (const std::uint64_t y : words(what.width)) {
      const model::c::Computed exact = model::c::compute(what, x, y, x);
      if (exact.error == model::c::ArithmeticError::DivisionByZero) continue;
      const std::string where = std::to_string(static_cast<int>(what.op)) + " of " +
                                std::to_string(x) + ", " + std::to_string(y);
      EXPECT_EQ(inputs.value(result, x, y), exact.value) << where;
      EXPECT_EQ(inputs.value(wraps, x, y) != 0, exact.error != model::c::ArithmeticError::None)
          << where;
    }
  }
}

TEST(BoundedBits, EveryOperationIsThatOfTheModel) {
  for (int op = static_cast<int>(Operator::Copy); op <= static_cast<int>(Operator::Xor); ++op) {
    for (const bool is_signed : {false, true}) {
      model::c::Compute what;
      what.op = static_cast<Operator>(op);
      what.width = what.to_width = 8;
      what.is_signed = is_signed;
      expect_exact(what);
    }
  }
  for (int op = static_cast<int>(Operator::Eq); op <= static_cast<int>(Operator::SLe); ++op) {
    model::c::Compute what;
    what.op = static_cast<Operator>(op);
    what.width = 8;
    what.to_width = 1;
    expect_exact(what);
  }
}

TEST(BoundedBits, ShiftsOfOddWidthsAndExtensions) {
  for (const Operator op : {Operator::Shl, Operator::LShr, Operator::AShr, Operator::SignExtend,
                            Operator::ZeroExtend, Operator::Truncate}) {
    model::c::Compute what;
    what.op = op;
    what.width = 7;
    what.to_width = op == Operator::Truncate ? 3 : op == Operator::SignExtend ? 12 : 7;
    expect_exact(what);
  }
}

TEST(BoundedBits, AtomicOperationsAreThoseOfTheModel) {
  using Operation = ReadModifyWrite::Operation;
  for (int op = static_cast<int>(Operation::Exchange); op <= static_cast<int>(Operation::UMin);
       ++op) {
    Inputs inputs(8);
    const auto operation = static_cast<Operation>(op);
    const Bits result = modify(inputs.circuit, operation, inputs.a, inputs.b);
    for (const std::uint64_t x : words(8))
      for (const std::uint64_t y : words(8))
        EXPECT_EQ(inputs.value(result, x, y), model::c::modify(operation, 8, x, y)) << op;
  }
}

// ---- Programs

/// Two threads pass a number to and fro, so often that it becomes `turns`; main fails then.
model::c::Program ping_pong(std::uint64_t turns) {
  build::Built built;
  built.add_global("number", 4);
  std::vector<model::c::Effect> main;
  for (const std::uint64_t parity : {0U, 1U})
    main.push_back(build::sync_to(8, SyncOperation::CreateThread,
                                  {build::num(0), build::function(1), build::num(parity)}));
  main.push_back(build::load(1, build::global(0)));
  main.push_back(build::binary(2, Operator::Eq, build::reg(1), build::num(turns)));
  main.push_back(build::branch(build::reg(2), 5, 6));
  main.push_back(build::fail());
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  // Adds 1 as long as the number has the parity of the argument.
  built.add_function("player",
                     {build::load(1, build::global(0)),
                      build::binary(2, Operator::And, build::reg(1), build::num(1)),
                      build::binary(3, Operator::Eq, build::reg(2), build::reg(0)),
                      build::branch(build::reg(3), 4, 8),
                      build::binary(4, Operator::Add, build::reg(1), build::num(1)),
                      build::store(build::global(0), build::reg(4)),
                      build::binary(5, Operator::ULt, build::reg(4), build::num(turns)),
                      build::branch(build::reg(5), 0, 8), build::ret()},
                     1);
  built.program.files = {"ping_pong.c"};
  return std::move(built.program);
}

bool fails_within(const model::c::Program& program, std::optional<std::uint32_t> contexts) {
  base::Limits limits;
  limits.steps = 2000;
  base::RunContext context(limits);
  const Found found = deepen(program, Property::Reach, contexts, context);
  if (!found.run) return false;
  const model::c::Interpreter interpreter(program);
  EXPECT_EQ(model::c::refute(interpreter, *found.run), std::nullopt);
  return true;
}

TEST(Bounded, ContextsAreCounted) {
  const model::c::Program program = ping_pong(3);  // the players in two rounds, main in the third
  EXPECT_FALSE(fails_within(program, 2));
  EXPECT_TRUE(fails_within(program, 3));
  EXPECT_TRUE(fails_within(program, std::nullopt));
  const model::c::Program longer = ping_pong(5);
  EXPECT_FALSE(fails_within(longer, 3));
  EXPECT_TRUE(fails_within(longer, 4));
}

/// The formula of one way to encode memory, and the run of its model.
std::optional<model::c::Run> run_by(const model::c::Program& program, std::uint32_t rounds) {
  const model::c::Interpreter interpreter(program);
  Objects objects(interpreter);
  Facts facts;
  base::RunContext context;
  Bounds bounds;
  bounds.iterations = 4;
  auto unrolling = unroll(interpreter, Property::Reach, bounds, objects, facts, context);
  if (!unrolling) return std::nullopt;
  const auto encoding = rounds == 0 ? encode_order(*unrolling, objects, 1'000'000)
                                    : encode_rounds(*unrolling, objects, rounds);
  solver::SatSolver solver;
  Clauses clauses(unrolling->circuit, solver);
  for (const auto& clause : unrolling->requirements) clauses.require(clause);
  clauses.require(unrolling->violations);
  if (solver.solve({}, context) != solver::SatAnswer::Satisfiable) return std::nullopt;
  auto run = run_of_model(interpreter, Property::Reach, *unrolling, *encoding, clauses);
  EXPECT_TRUE(run) << run.error();
  return run ? std::optional(*run) : std::nullopt;
}

TEST(Bounded, RoundsAndOrderSayTheSame) {
  EXPECT_TRUE(run_by(ping_pong(3), 3));
  EXPECT_FALSE(run_by(ping_pong(3), 2));
  EXPECT_FALSE(run_by(ping_pong(5), 3));
  EXPECT_TRUE(run_by(ping_pong(5), 4));
  EXPECT_TRUE(run_by(ping_pong(5), 0));
  EXPECT_TRUE(run_by(ping_pong(3), 0));
}

/// Two threads write halves of a word that a third reads as a whole.
model::c::Program halves(std::uint64_t seen) {
  build::Built built;
  built.add_global("word", 4);
  std::vector<model::c::Effect> main;
  for (const std::uint32_t half : {1U, 2U})
    main.push_back(build::sync_to(8, SyncOperation::CreateThread,
                                  {build::num(0), build::function(half), build::num(0)}));
  main.push_back(build::load(1, build::global(0)));
  main.push_back(build::binary(2, Operator::Eq, build::reg(1), build::num(seen)));
  main.push_back(build::branch(build::reg(2), 5, 6));
  main.push_back(build::fail());
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  built.add_function("low", {build::store(build::global(0), build::num(0x1234), 2), build::ret()},
                     1);
  built.add_function("high",
                     {build::store(build::global(0, 2), build::num(0xabcd), 2), build::ret()}, 1);
  built.program.files = {"halves.c"};
  return std::move(built.program);
}

TEST(Bounded, AWordIsReadOfWhatWasWrittenInParts) {
  for (const std::uint32_t rounds : {0U, 2U}) {
    for (const std::uint64_t seen : {0xabcd'1234U, 0x1234U, 0xabcd'0000U, 0U})
      EXPECT_TRUE(run_by(halves(seen), rounds)) << seen;
    for (const std::uint64_t seen : {0x1234'abcdU, 0x34U, 0xabcd'1200U})
      EXPECT_FALSE(run_by(halves(seen), rounds)) << seen;
  }
}

/// A section of one thread adds 1 twice; another one reads: never an odd number.
TEST(Bounded, SectionsAreWhole) {
  for (const std::uint64_t seen : {1U, 2U}) {
    build::Built built;
    built.add_global("number", 4);
    built.add_function("main",
                       {build::sync_to(8, SyncOperation::CreateThread,
                                       {build::num(0), build::function(1), build::num(0)}),
                        build::load(1, build::global(0)),
                        build::binary(2, Operator::Eq, build::reg(1), build::num(seen)),
                        build::branch(build::reg(2), 4, 5), build::fail(), build::finish()});
    built.add_function(
        "twice",
        {build::sync(SyncOperation::AtomicBegin), build::store(build::global(0), build::num(1)),
         build::store(build::global(0), build::num(2)), build::sync(SyncOperation::AtomicEnd),
         build::ret()},
        1);
    built.program.files = {"sections.c"};
    for (const std::uint32_t rounds : {0U, 2U, 4U})
      EXPECT_EQ(run_by(built.program, rounds).has_value(), seen == 2) << rounds;
  }
}

// ---- Races and deadlocks

/// What `bounded` finds, with a run that can be executed.
bool violates(const model::c::Program& program, Property property) {
  base::Limits limits;
  limits.steps = 2000;
  base::RunContext context(limits);
  const Found found = deepen(program, property, std::nullopt, context);
  if (found.run) {
    const model::c::Interpreter interpreter(program);
    EXPECT_EQ(model::c::refute(interpreter, *found.run), std::nullopt);
  }
  EXPECT_FALSE(found.run && found.is_safe);
  return found.run.has_value();
}

/// Main creates a thread that executes `other`, and then executes `rest`. Globals: a word, a mutex,
/// a handle, a condition variable and a word again.
constexpr std::uint32_t kWord = 0, kMutex = 1, kThread = 2, kCondition = 3, kFlag = 4;
model::c::Program two_threads(std::vector<model::c::Effect> rest,
                              std::vector<model::c::Effect> other) {
  build::Built built;
  built.add_global("word", 4);
  built.add_global("mutex", 40);
  built.add_global("thread", 8);
  built.add_global("condition", 48);
  built.add_global("flag", 4);
  std::vector<model::c::Effect> main = {build::sync(
      SyncOperation::CreateThread, {build::global(kThread), build::function(1), build::num(0)})};
  main.insert(main.end(), rest.begin(), rest.end());
  main.push_back(build::finish());
  other.push_back(build::ret());
  built.add_function("main", std::move(main));
  built.add_function("other", std::move(other), 1);
  built.program.files = {"two.c"};
  return std::move(built.program);
}

std::vector<model::c::Effect> in_section(const model::c::Effect& effect) {
  return {build::sync(SyncOperation::AtomicBegin), effect, build::sync(SyncOperation::AtomicEnd)};
}

std::vector<model::c::Effect> locked(std::vector<model::c::Effect> effects) {
  effects.insert(effects.begin(), build::sync(SyncOperation::MutexLock, {build::global(kMutex)}));
  effects.push_back(build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)}));
  return effects;
}

const model::c::Effect kRead = build::load(1, build::global(kWord));
const model::c::Effect kWrite = build::store(build::global(kWord), build::num(1));

TEST(Bounded, RacesOfSectionsAreWithPlainAccesses) {
  EXPECT_TRUE(violates(two_threads({kWrite}, in_section(kRead)), Property::NoDataRace));
  EXPECT_TRUE(violates(two_threads(in_section(kWrite), {kRead}), Property::NoDataRace));
  EXPECT_FALSE(violates(two_threads(in_section(kWrite), in_section(kRead)), Property::NoDataRace));
  EXPECT_FALSE(violates(two_threads({kRead}, in_section(kRead)), Property::NoDataRace));
}

TEST(Bounded, MutexesAndJoinsKeepAccessesApart) {
  EXPECT_FALSE(violates(two_threads(locked({kWrite}), locked({kRead})), Property::NoDataRace));
  EXPECT_TRUE(violates(two_threads(locked({kWrite}), {kRead}), Property::NoDataRace));
  const model::c::Effect handle = build::load(2, build::global(kThread), 8);
  const auto join = [](const model::c::Operand& result) {
    return build::sync(SyncOperation::JoinThread, {build::reg(2), result});
  };
  EXPECT_FALSE(
      violates(two_threads({handle, join(build::num(0)), kWrite}, {kRead}), Property::NoDataRace));
  EXPECT_TRUE(
      violates(two_threads({handle, kWrite, join(build::num(0))}, {kRead}), Property::NoDataRace));
}

/// The result of a join goes to where a third thread writes.
TEST(Bounded, AJoinRacesWithItsResult) {
  for (const bool writes : {true, false}) {
    build::Built built;
    const std::uint32_t word = built.add_global("word", 8);
    const std::uint32_t handle = built.add_global("handle", 8);
    built.add_function(
        "main", {build::sync(SyncOperation::CreateThread,
                             {build::num(0), build::function(1), build::num(0)}),
                 build::sync(SyncOperation::CreateThread,
                             {build::global(handle), build::function(2), build::num(0)}),
                 build::load(2, build::global(handle), 8),
                 build::sync(SyncOperation::JoinThread, {build::reg(2), build::global(word)}),
                 build::finish()});
    built.add_function(
        "writer",
        writes ? std::vector<model::c::Effect>{build::store(build::global(word), build::num(1)),
                                               build::ret()}
               : std::vector<model::c::Effect>{build::ret()},
        1);
    built.add_function("ended", {build::ret()}, 1);
    built.program.files = {"join.c"};
    EXPECT_EQ(violates(built.program, Property::NoDataRace), writes);
  }
}

TEST(Bounded, SleepersThatNobodyWakesAreDeadlocked) {
  const model::c::Effect wait =
      build::sync(SyncOperation::ConditionWait, {build::global(kCondition), build::global(kMutex)});
  const model::c::Effect signal =
      build::sync(SyncOperation::ConditionSignal, {build::global(kCondition)});
  const model::c::Effect handle = build::load(2, build::global(kThread), 8);
  const model::c::Effect join =
      build::sync(SyncOperation::JoinThread, {build::reg(2), build::num(0)});
  // The signal may come before the other thread waits.
  EXPECT_TRUE(violates(two_threads({signal, handle, join}, locked({wait})), Property::NoDeadlock));
  // It waits only if the flag is not set yet, again and again.
  const std::vector<model::c::Effect> waiting = {
      build::sync(SyncOperation::MutexLock, {build::global(kMutex)}),
      build::load(3, build::global(kFlag)),
      build::binary(4, Operator::Eq, build::reg(3), build::num(1)),
      build::branch(build::reg(4), 6, 4),
      wait,
      build::jump(1),
      build::sync(SyncOperation::MutexUnlock, {build::global(kMutex)})};
  const model::c::Effect set = build::store(build::global(kFlag), build::num(1));
  std::vector<model::c::Effect> good = locked({set, signal});
  good.insert(good.end(), {handle, join});
  EXPECT_FALSE(violates(two_threads(good, waiting), Property::NoDeadlock));
  // Without the signal it may have fallen asleep before.
  std::vector<model::c::Effect> silent = locked({set});
  silent.insert(silent.end(), {handle, join});
  EXPECT_TRUE(violates(two_threads(silent, waiting), Property::NoDeadlock));
}

}  // namespace
}  // namespace heddle::engine::bounded
