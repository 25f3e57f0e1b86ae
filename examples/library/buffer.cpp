// A Petri net built in code: producers and consumers around a buffer with three slots. Can a fourth
// item be in it? Then the same question about a C program in memory, its trace, its evidence, and a
// question that is cancelled.
//
//     c++ -std=c++17 buffer.cpp $(pkg-config --cflags --libs heddle) && ./a.out

#include <heddle/heddle.hpp>
#include <iostream>

namespace {

heddle::Model buffer() {
  heddle::Model net = heddle::Model::petri_net();
  const auto producers = net.place("producers", 1, true);  // any number from 1 on
  const auto consumers = net.place("consumers", 1, true);
  const auto slots = net.place("slots", 3);
  const auto items = net.place("items");
  net.transition({{producers, 1}, {slots, 1}}, {{producers, 1}, {items, 1}});
  net.transition({{consumers, 1}, {items, 1}}, {{consumers, 1}, {slots, 1}});
  return net;
}

const char* const kCounter = R"(#include <assert.h>
#include <pthread.h>
static int counter;
static void *add(void *unused) { counter = counter + 1; return unused; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
}
)";

void print(const heddle::Answer& answer) {
  std::cout << answer.headline << "\n";
  for (const heddle::Step& step : answer.trace) {
    std::cout << "  " << step.name << ": " << step.text;
    if (step.place) std::cout << "  (line " << step.place->line << ")";
    std::cout << "\n";
  }
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "not so: " << what << "\n";
  ++failures;
}

void ask_about_net() {
  heddle::Question question;
  question.set("target", "items>=4").set("timeout", "60s");
  const heddle::Answer answer = heddle::verify(buffer(), question);
  print(answer);
  expect(answer.verdict == heddle::Verdict::Safe, "the buffer holds three items at most");
  const heddle::Answer again = heddle::check(buffer(), answer.evidence.json.value(), question);
  expect(again.evidence.confirmed, "the evidence is confirmed again");
}

void ask_about_program() {
  const auto program = heddle::Model::text("counter.c", kCounter);
  const heddle::Answer answer = heddle::verify(program);
  print(answer);
  expect(answer.verdict == heddle::Verdict::Unsafe,
         "two additions without a lock may count as one");
  expect(!answer.trace.empty() && answer.trace[0].place->file == "counter.c", "steps have places");
}

void cancel() {
  heddle::Question question;
  question.set("target", "items>=4").on_progress([](const heddle::Event*) { return true; });
  question.cancel();
  const heddle::Answer answer = heddle::verify(buffer(), question);
  expect(answer.reason == "cancelled", "a question can be cancelled");
}

}  // namespace

int main() {
  std::cout << "heddle " << heddle::version() << "\n";
  try {
    ask_about_net();
    ask_about_program();
    cancel();
    heddle::verify(heddle::Model::text("bad.tts", "this is not a thread system"));
    expect(false, "a bad text is refused");
  } catch (const heddle::Error& error) {
    expect(error.kind() == HEDDLE_BAD_INPUT, "of a bad text, the place is named");
    std::cout << "refused: " << error.what();
  }
  return failures == 0 ? 0 : 1;
}
