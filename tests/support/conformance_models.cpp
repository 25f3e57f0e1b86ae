#include "support/conformance_models.hpp"

#include "support/builders.hpp"
#include "support/c_program_builder.hpp"
#include "support/pushdown_task.hpp"
#include "support/threads_task.hpp"

namespace heddle::test {

namespace {

constexpr unsigned kLength = 400;

/// A thread walks a long way, one shared state after the other; two of them meet at its end, if
/// there is a way back to the start.
model::AnyTask long_walk(bool reachable) {
  std::vector<model::ThreadTransition> edges;
  for (unsigned s = 0; s + 1 < kLength; ++s) edges.push_back(move(s, 0, s + 1, 0));
  edges.push_back(move(kLength - 1, 0, reachable ? 0 : kLength - 1, 1));
  return task(thread_system(kLength, 3, edges), {any_number(0, {0})},
              {target(reachable ? kLength - 1 : 0, {1, 1}), target(0, {2})});
}

model::AnyTask lock(bool reachable) {
  const auto system = thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)});
  return task(system, {any_number(0, {0})},
              {target(1, reachable ? std::vector{1U} : std::vector{1U, 1U})});
}

/// A counter that has to be filled one by one, or by acceleration.
model::AnyTask long_count() {
  model::PetriNet counting = net(2);
  add_transition(counting, "", counts({1, 0}), counts({1, 1}));
  return task(counting, {marking({1, 0})}, {at_least({0, 3'000})});
}

/// A token that goes from place to place.
model::AnyTask long_way() {
  model::PetriNet way = net(kLength);
  for (unsigned i = 0; i + 1 < kLength; ++i) {
    std::vector<unsigned> from(kLength, 0), to(kLength, 0);
    from[i] = to[i + 1] = 1;
    add_transition(way, "", counts(from), counts(to));
  }
  std::vector<unsigned> first(kLength, 0), last(kLength, 0);
  first[0] = last[kLength - 1] = 1;
  return task(way, {marking(first)}, {at_least(last)});
}

/// In each round the token in the first place doubles what is in the second.
model::AnyTask doubling() {
  model::PetriNet twice = net(3);
  twice.transitions = {rule({1}, {update(1, {1, 1})})};
  return task(twice, {marking({1, 1, 0})}, {at_least({0, 0, 1})});
}

/// The same, but only even numbers of tokens come.
model::AnyTask pairs_of_tokens() {
  model::PetriNet pairs = net(2);
  add_transition(pairs, "", counts({1, 0}), counts({0, 2}));
  add_transition(pairs, "", counts({0, 2}), counts({1, 0}));
  return task(pairs, {marking({1, 0})}, {at_least({1, 1})});
}

std::string repeated(const std::string& text, unsigned times) {
  std::string out;
  for (unsigned i = 0; i < times; ++i) out += text;
  return out;
}

/// A variable of the thread's own is changed often, an even number of times.
std::string long_body(bool reachable) {
  return "  decl l := 0;\n" + repeated("  l := !l;\n", kLength) + "  assert(" +
         (reachable ? "l" : "!l") + ");\n";
}

model::AnyTask long_program(bool reachable) {
  return threads_task("decl x := 0;\nvoid main() begin\n" + long_body(reachable) + "end\n",
                      std::nullopt);
}

model::AnyTask long_threads(bool reachable, std::optional<std::uint32_t> contexts) {
  return threads_task("decl x := 0;\nvoid thread1() begin\n" + long_body(reachable) +
                          "  x := l;\nend\nvoid thread2() begin\n  x := !x;\nend\n",
                      contexts);
}

/// Two threads that call themselves as often as they like, one of them after a long way.
model::AnyTask long_recursion(bool reachable, std::optional<std::uint32_t> contexts) {
  return threads_task(
      "decl x := 0;\nvoid r() begin\n  if * then r(); fi;\n  x := !x;\nend\n"
      "void thread1() begin\n" +
          long_body(reachable) + "  r();\nend\nvoid thread2() begin\n  r();\nend\n",
      contexts);
}

/// Two threads that wait for each other, five times; then one of them fails. `recursion` is a
/// procedure that both call.
model::AnyTask ping_pong(bool recursion, std::optional<std::uint32_t> contexts) {
  const std::string call = recursion ? "  r();\n" : "";
  return threads_task(
      "decl x := 0;\n" +
          std::string(recursion ? "void r() begin\n  if * then r(); fi;\nend\n" : "") +
          "void thread1() begin\n" + call + repeated("  assume(!x);\n  x := 1;\n", 5) +
          "  assert(0);\nend\nvoid thread2() begin\n" + call +
          repeated("  assume(x);\n  x := 0;\n", 5) + "end\n",
      contexts);
}

/// The first thread climbs through many shared states; its target is the last one, with the symbol
/// that is always on top or with one that never is.
model::AnyTask long_climb(unsigned length, unsigned threads, bool reachable,
                          std::optional<std::uint32_t> contexts) {
  std::string text = std::to_string(length) + "\n";
  for (unsigned i = 0; i < threads; ++i) {
    text += "PDA 1 2\n";
    if (i > 0) text += "0 1 -> 0 2\n";
    for (unsigned s = 0; s + 1 < length && i == 0; ++s)
      text += std::to_string(s) + " 1 -> " + std::to_string(s + 1) + " 1 1\n";
  }
  const std::string others = repeated(",*", threads - 1), starts = repeated(",1", threads - 1);
  model::PushdownTask task = pushdown_task(
      text, "0|1" + starts, std::to_string(length - 1) + "|" + (reachable ? "1" : "2") + others);
  task.question.contexts = contexts;
  return task;
}

/// Two threads lead each other from shared state to shared state, one for each turn.
model::AnyTask turn_by_turn(std::uint32_t contexts) {
  std::string text = "5\nPDA 1 1\n", other = "PDA 1 1\n";
  for (unsigned s = 0; s < 4; ++s)
    (s % 2 == 0 ? text : other) += std::to_string(s) + " 1 -> " + std::to_string(s + 1) + " 1\n";
  model::PushdownTask task = pushdown_task(text + other, "0|1,1", "4|*,*");
  task.question.contexts = contexts;
  return task;
}

/// Two threads count in the same number; main looks at the sum.
model::AnyTask long_counting(bool fails) {
  namespace build = testing::c;
  using model::c::Operator;
  using model::c::SyncOperation;
  const std::uint64_t rounds = fails ? 400 : 6;  // few enough for a formula to be refuted
  build::Built built;
  built.add_global("sum", 4);
  built.add_global("first", 8);
  built.add_global("second", 8);
  std::vector<model::c::Effect> main;
  for (const std::uint32_t handle : {1U, 2U})
    main.push_back(build::sync_to(8, SyncOperation::CreateThread,
                                  {build::global(handle), build::function(1), build::num(0)}));
  for (const std::uint32_t handle : {1U, 2U}) {
    main.push_back(build::load(9, build::global(handle), 8));
    main.push_back(build::sync_to(8, SyncOperation::JoinThread, {build::reg(9), build::num(0)}));
  }
  main.push_back(build::load(5, build::global(0)));
  main.push_back(
      build::binary(6, Operator::Eq, build::reg(5), build::num(2 * rounds + (fails ? 0 : 1))));
  main.push_back(build::branch(build::reg(6), 9, 10));
  main.push_back(build::fail());
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  built.add_function(
      "count",
      {model::c::ReadModifyWrite{build::to(3), model::c::ReadModifyWrite::Operation::Add,
                                 build::global(0), build::num(1), 4},
       build::binary(1, Operator::Add, build::reg(1), build::num(1)),
       build::binary(2, Operator::ULt, build::reg(1), build::num(rounds)),
       build::branch(build::reg(2), 0, 4), build::ret()},
      1);
  built.program.files = {"counting.c"};
  return model::CTask{std::move(built.program),
                      {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

/// An input that is compared with itself: whoever tries single values cannot know.
model::AnyTask wide_input() {
  namespace build = testing::c;
  build::Built built;
  built.add_function("main",
                     {build::choose(1, 32),
                      build::binary(2, model::c::Operator::Xor, build::reg(1), build::reg(1)),
                      build::binary(3, model::c::Operator::Eq, build::reg(2), build::num(1)),
                      build::branch(build::reg(3), 4, 5), build::fail(), build::finish()});
  built.program.files = {"input.c"};
  return model::CTask{std::move(built.program),
                      {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

/// Fails if a number that nobody writes has changed.
model::AnyTask untouched_number() {
  namespace build = testing::c;
  build::Built built;
  built.add_global("number", 4);
  built.add_function("main",
                     {build::load(1, build::global(0)),
                      build::binary(2, model::c::Operator::Eq, build::reg(1), build::num(1)),
                      build::branch(build::reg(2), 3, 4), build::fail(), build::finish()});
  built.program.files = {"untouched.c"};
  return model::CTask{std::move(built.program),
                      {{model::EntryCall()}, {model::c::Property::Reach}, {}}};
}

/// Two threads add 1 to a number in turn, the first of them twice: main sees 3 in the third round.
model::AnyTask c_threads_in_turns(std::uint32_t contexts) {
  namespace build = testing::c;
  using model::c::Operator;
  build::Built built;
  built.add_global("number", 4);
  std::vector<model::c::Effect> main;
  for (const std::uint64_t parity : {0U, 1U})
    main.push_back(build::sync_to(8, model::c::SyncOperation::CreateThread,
                                  {build::num(0), build::function(1), build::num(parity)}));
  main.push_back(build::load(1, build::global(0)));
  main.push_back(build::binary(2, Operator::Eq, build::reg(1), build::num(3)));
  main.push_back(build::branch(build::reg(2), 5, 6));
  main.push_back(build::fail());
  main.push_back(build::finish());
  built.add_function("main", std::move(main));
  std::vector<model::c::Effect> player;
  for (const std::uint32_t at : {0U, 6U}) {
    player.push_back(build::load(1, build::global(0)));
    player.push_back(build::binary(2, Operator::And, build::reg(1), build::num(1)));
    player.push_back(build::binary(3, Operator::Eq, build::reg(2), build::reg(0)));
    player.push_back(build::branch(build::reg(3), at + 4, 12));
    player.push_back(build::binary(4, Operator::Add, build::reg(1), build::num(1)));
    player.push_back(build::store(build::global(0), build::reg(4)));
  }
  player.push_back(build::ret());
  built.add_function("player", std::move(player), 1);
  built.program.files = {"turns.c"};
  return model::CTask{std::move(built.program),
                      {{model::EntryCall()}, {model::c::Property::Reach}, contexts}};
}

std::vector<ConformanceModel> all_models() {
  const auto two = std::optional<std::uint32_t>(2);
  return {
      {"a long walk to a meeting", long_walk(true), true, true},
      {"a long walk without a way back", long_walk(false), false, false},
      {"a lock that is taken", lock(true), true, false},
      {"a lock that is taken twice", lock(false), false, false},
      {"a long count", long_count(), true, false},
      {"a long way", long_way(), true, true},
      {"a number that doubles", doubling(), false, false},
      {"pairs of tokens", pairs_of_tokens(), false, false},
      {"a long program that fails", long_program(true), true, true},
      {"a long program", long_program(false), false, false},
      {"long threads that fail", long_threads(true, std::nullopt), true, true},
      {"long threads", long_threads(false, std::nullopt), false, false},
      {"long threads that fail within 2 contexts", long_threads(true, two), true, true},
      {"long threads within 2 contexts", long_threads(false, two), false, false},
      {"long recursive threads that fail", long_recursion(true, std::nullopt), true, true},
      {"long recursive threads", long_recursion(false, std::nullopt), false, false},
      {"long recursive threads that fail within 2 contexts", long_recursion(true, two), true, true},
      {"long recursive threads within 2 contexts", long_recursion(false, two), false, false},
      {"threads in turns, within 2 contexts", ping_pong(false, two), false, false},
      {"threads in turns", ping_pong(false, std::nullopt), true, false},
      {"recursive threads in turns, within 2 contexts", ping_pong(true, two), false, false},
      {"a long climb", long_climb(kLength, 1, true, std::nullopt), true, true},
      {"a long climb to nothing", long_climb(kLength, 1, false, std::nullopt), false, false},
      {"a climb of two threads", long_climb(5, 2, true, two), true, false},
      {"a climb of two threads to nothing", long_climb(5, 2, false, two), false, false},
      {"C threads that count to a failure", long_counting(true), true, true},
      {"C threads that count", long_counting(false), false, false},
      {"a C program with an input", wide_input(), false, false},
      {"a C program with a number that stays", untouched_number(), false, false},
      {"C threads in turns, within 2 contexts", c_threads_in_turns(2), false, false},
      {"C threads in turns, within 3 contexts", c_threads_in_turns(3), true, false},
      {"stacks in turns, within 1 context", turn_by_turn(1), false, false},
      {"stacks in turns, within 2 contexts", turn_by_turn(2), true, false},
  };
}

}  // namespace

const std::vector<ConformanceModel>& conformance_models() {
  static const std::vector<ConformanceModel> models = all_models();
  return models;
}

}  // namespace heddle::test
