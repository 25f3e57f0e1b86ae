#include "sequential_driver.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>

namespace heddle::testing::c {

namespace {

/// Choices form a stack: a run takes those that are there and adds the first value of others; the
/// next run takes the next value of the last one. A value is one too many if the assumption that
/// follows directly does not hold.
constexpr const char* kDriver = R"(
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST_CHOICES = 1000, MOST_GUESSES = 400, MOST_ROUNDS = 6, MOST_PARTS = 300, MOST_RUNS = 400000 };
static jmp_buf run_end;
static int guessing, fresh, found, grown, parts, guessed_parts, agreed, wrong;
static unsigned values[MOST_CHOICES];
static int rounds_of[MOST_CHOICES]; /* -2: by the assumption, -1: a bit, otherwise a guess */
static int length, depth;
static unsigned long long guesses[MOST_ROUNDS][MOST_GUESSES][MOST_PARTS];
static int guess_count[MOST_ROUNDS];
static unsigned long long left[MOST_PARTS];
static int chosen_guess;

static void too_many(const char *why) { printf("gave up: %s\n", why); exit(0); }
static void driver_end(void) { longjmp(run_end, 1); }
static void driver_assume(int condition) {
  if (!condition) {
    if (fresh) rounds_of[depth - 1] = -3;
    driver_end();
  }
  fresh = 0;
}
static unsigned choose(int kind) {
  if (depth == length) {
    if (length == MOST_CHOICES) too_many("choices");
    values[length] = 0;
    rounds_of[length] = kind;
    ++length;
  }
  return values[depth++];
}
static unsigned long long next_guess(void) {
  const int part = guessed_parts++;
  if (parts == 0) return 0; /* they are being counted */
  if (part % parts == 0) chosen_guess = (int)choose(part / parts + 1);
  return guesses[part / parts + 1][chosen_guess][part % parts];
}
static void driver_agree(unsigned long long value, unsigned long long expected) {
  const int part = agreed++, round = part / parts + 1;
  if (part % parts == 0) wrong = 0;
  left[part % parts] = value;
  if (value != expected) wrong = 1;
  if (part % parts != parts - 1) return;
  for (int i = 0; i <= guess_count[round]; ++i) {
    if (i < guess_count[round] && memcmp(guesses[round][i], left, sizeof left[0] * (size_t)parts) != 0) continue;
    if (i == guess_count[round]) {
      if (i == MOST_GUESSES) too_many("guesses");
      memcpy(guesses[round][i], left, sizeof left[0] * (size_t)parts);
      ++guess_count[round];
      grown = 1;
    }
    break;
  }
  if (wrong) driver_end();
}
unsigned int __VERIFIER_nondet_uint(void) {
  unsigned int value;
  if (guessing) return (unsigned int)next_guess();
  value = choose(-2);
  fresh = 1;
  return value;
}
unsigned char __VERIFIER_nondet_uchar(void) { return guessing ? (unsigned char)next_guess() : 0; }
unsigned short __VERIFIER_nondet_ushort(void) { return guessing ? (unsigned short)next_guess() : 0; }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return guessing ? next_guess() : 0; }
char __VERIFIER_nondet_char(void) { return 0; }
_Bool __VERIFIER_nondet_bool(void) { fresh = 0; return choose(-1) != 0; }
)";

constexpr const char* kMain = R"(
extern unsigned char __start_sequential[], __stop_sequential[];
static int next_run(void) {
  while (length > 0) {
    const int kind = rounds_of[length - 1];
    if (kind == -2) { ++values[length - 1]; return 1; }
    if (kind == -1 && values[length - 1] == 0) { values[length - 1] = 1; return 1; }
    if (kind >= 0 && (int)values[length - 1] + 1 < guess_count[kind]) { ++values[length - 1]; return 1; }
    --length;
  }
  return 0;
}
int main(void) {
  const size_t size = (size_t)(__stop_sequential - __start_sequential);
  unsigned char *first = malloc(size);
  volatile long runs = 0;
  memcpy(first, __start_sequential, size);
  guessing = 1;
  COUNT_GUESSES;
  parts = ROUNDS > 1 ? guessed_parts / (ROUNDS - 1) : 0;
  if (parts > MOST_PARTS || ROUNDS > MOST_ROUNDS) too_many("parts");
  for (int r = 1; r < ROUNDS; ++r) guess_count[r] = parts > 0; /* zeros: some guess to begin with */
  do {
    grown = 0;
    length = 0;
    do {
      if (++runs > MOST_RUNS) too_many("runs");
      memcpy(__start_sequential, first, size);
      depth = guessed_parts = agreed = guessing = fresh = 0;
      if (setjmp(run_end) == 0) sequential_main();
      length = depth < length ? depth : length;
    } while (!found && next_run());
  } while (!found && grown);
  printf(found ? "fails\n" : "safe\n");
  return 0;
}
)";

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// With the driver around it: its variables in a section that can be put back.
std::string driven(std::string text) {
  const bool guesses = text.find("\n  guess();\n") != std::string::npos;
  replace(text, "extern void abort(void);\n", "");
  replace(text, "  if (!condition) abort();\n", "  driver_assume(condition);\n");
  replace(text, "void reach_error(void) { abort(); }",
          "static void reach_error(void) { found = 1; driver_end(); }");
  replace(text, "while (value < most && __VERIFIER_nondet_bool()) value = value + 1u;",
          "value = (unsigned int)next_guess() + 0 * most;");
  replace(text, "assume(value == expected);", "driver_agree(value, expected);");
  replace(text, "\n  guess();\n", "\n  guessing = 1; guess(); guessing = 0;\n");
  replace(text, "int main(void) {", "static int sequential_main(void) {");
  static const std::regex variable("(^|\n)(static (unsigned|int)[^(\n]*;)");
  const std::string section = "$1__attribute__((section(\"sequential\"))) $2";
  text = std::regex_replace(text, variable, section);
  static const std::regex long_array("(^|\n)(static unsigned char [a-z]+\\[[^(;\n]*\n[^(;]*;)");
  text = std::regex_replace(text, long_array, section);
  std::string main = kMain;
  replace(main, "COUNT_GUESSES", guesses ? "guess()" : "(void)0");
  return kDriver + text + main;
}

}  // namespace

std::optional<Enumerated> enumerate(const std::string& text, const std::string& folder) {
  const std::string plain = folder + "/sequential.c", source = folder + "/driven.c";
  const std::string binary = folder + "/driven";
  std::ofstream(plain) << text;
  std::ofstream(source) << driven(text);
  const std::string strict = "gcc -std=c11 -Wall -Wextra -Werror -O1 -c -o /dev/null " + plain;
  if (std::system(strict.c_str()) != 0) return std::nullopt;
  if (std::system(("gcc -w -O1 -o " + binary + " " + source).c_str()) != 0) return std::nullopt;
  FILE* pipe = popen(("timeout 60 " + binary).c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::array<char, 80> line{};
  const bool has_line = std::fgets(line.data(), line.size(), pipe) != nullptr;
  const bool is_well = pclose(pipe) == 0;
  if (!has_line || !is_well) return std::nullopt;
  const std::string said = line.data();
  if (said == "fails\n") return Enumerated::Fails;
  return said == "safe\n" ? Enumerated::Safe : Enumerated::TooMany;
}

}  // namespace heddle::testing::c
