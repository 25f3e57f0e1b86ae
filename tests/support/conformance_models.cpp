#include "support/conformance_models.hpp"

#include "support/builders.hpp"
#include "support/pushdown_task.hpp"
#include "support/threads_task.hpp"

namespace heddle::test {

namespace {

using model::Task;

constexpr unsigned kLength = 400;

/// A thread walks a long way, one shared state after the other; two of them meet at its end, if
/// there is a way back to the start.
Task long_walk(bool reachable) {
  std::vector<model::ThreadTransition> edges;
  for (unsigned s = 0; s + 1 < kLength; ++s) edges.push_back(move(s, 0, s + 1, 0));
  edges.push_back(move(kLength - 1, 0, reachable ? 0 : kLength - 1, 1));
  return task(thread_system(kLength, 3, edges), {any_number(0, {0})},
              {target(reachable ? kLength - 1 : 0, {1, 1}), target(0, {2})});
}

Task lock(bool reachable) {
  const auto system = thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)});
  return task(system, {any_number(0, {0})},
              {target(1, reachable ? std::vector{1U} : std::vector{1U, 1U})});
}

/// A counter that has to be filled one by one.
Task long_count() {
  model::PetriNet counting = net(2);
  add_transition(counting, "", counts({1, 0}), counts({1, 1}));
  return task(counting, {marking({1, 0})}, {at_least({0, 3'000})});
}

/// The same, but only even numbers of tokens come.
Task pairs_of_tokens() {
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

Task long_program(bool reachable) {
  return threads_task("decl x := 0;\nvoid main() begin\n" + long_body(reachable) + "end\n",
                      std::nullopt);
}

Task long_threads(bool reachable, std::optional<std::uint32_t> contexts) {
  return threads_task("decl x := 0;\nvoid thread1() begin\n" + long_body(reachable) +
                          "  x := l;\nend\nvoid thread2() begin\n  x := !x;\nend\n",
                      contexts);
}

/// Two threads that call themselves as often as they like, one of them after a long way.
Task long_recursion(bool reachable, std::optional<std::uint32_t> contexts) {
  return threads_task(
      "decl x := 0;\nvoid r() begin\n  if * then r(); fi;\n  x := !x;\nend\n"
      "void thread1() begin\n" +
          long_body(reachable) + "  r();\nend\nvoid thread2() begin\n  r();\nend\n",
      contexts);
}

/// Two threads that wait for each other, five times; then one of them fails. `recursion` is a
/// procedure that both call.
Task ping_pong(bool recursion, std::optional<std::uint32_t> contexts) {
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
Task long_climb(unsigned length, unsigned threads, bool reachable,
                std::optional<std::uint32_t> contexts) {
  std::string text = std::to_string(length) + "\n";
  for (unsigned i = 0; i < threads; ++i) {
    text += "PDA 1 2\n";
    if (i > 0) text += "0 1 -> 0 2\n";
    for (unsigned s = 0; s + 1 < length && i == 0; ++s)
      text += std::to_string(s) + " 1 -> " + std::to_string(s + 1) + " 1 1\n";
  }
  const std::string others = repeated(",*", threads - 1), starts = repeated(",1", threads - 1);
  Task task = pushdown_task(text, "0|1" + starts,
                            std::to_string(length - 1) + "|" + (reachable ? "1" : "2") + others);
  task.question.contexts = contexts;
  return task;
}

/// Two threads lead each other from shared state to shared state, one for each turn.
Task turn_by_turn(std::uint32_t contexts) {
  std::string text = "5\nPDA 1 1\n", other = "PDA 1 1\n";
  for (unsigned s = 0; s < 4; ++s)
    (s % 2 == 0 ? text : other) += std::to_string(s) + " 1 -> " + std::to_string(s + 1) + " 1\n";
  Task task = pushdown_task(text + other, "0|1,1", "4|*,*");
  task.question.contexts = contexts;
  return task;
}

std::vector<ConformanceModel> all_models() {
  const auto two = std::optional<std::uint32_t>(2);
  return {
      {"a long walk to a meeting", long_walk(true), true, true},
      {"a long walk without a way back", long_walk(false), false, false},
      {"a lock that is taken", lock(true), true, false},
      {"a lock that is taken twice", lock(false), false, false},
      {"a long count", long_count(), true, true},
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
