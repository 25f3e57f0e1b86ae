/// What is said about pairs of accesses, precisely and roughly.

#include <gtest/gtest.h>

#include "support/c_sources.hpp"
#include "transform/c_threads/threads_of_c.hpp"
#include "transform/races/rough.hpp"

namespace heddle::transform::races {
namespace {

/// Line 8 and line 14 access `shared`; GUARDED decides whether main holds the mutex.
std::string program(bool is_guarded) {
  return std::string(R"(#include <pthread.h>
int shared, constant = 3, early;
static int *pointer = &shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int by) {
  int own = by;
  own++;
  *pointer = *pointer + own;
}
void *work(void *unused) { pthread_mutex_lock(&m); add(constant); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; early = 1; pthread_create(&t, 0, work, 0);
  )") + (is_guarded ? "pthread_mutex_lock(&m);" : "") +
         R"(
  shared = early + constant;
  )" + (is_guarded ? "pthread_mutex_unlock(&m);" : "") +
         R"(
  pthread_join(t, 0);
  return shared;
}
)";
}

std::vector<std::string> texts(const model::c::Program& of, const std::vector<Warning>& list) {
  std::vector<std::string> out;
  for (const Warning& warning : list) out.push_back(to_text(of, warning));
  return out;
}

struct Looked {
  std::vector<std::string> open;
  std::map<std::string, std::string> protections;
};

Looked look_at(const model::c::Program& of) {
  const auto covered = c_threads::cover(of);
  if (!covered) throw std::runtime_error(covered.error().why);
  const blocks::Facts facts(covered->program);
  base::RunContext context;
  const Conflicts found = conflicts(of, covered->program, covered->covering, facts, context);
  EXPECT_TRUE(found.is_complete);
  Looked out;
  out.open = texts(of, warnings(of, covered->program, covered->covering, facts, found));
  for (const Protection& p : protections(of, covered->program, covered->covering, facts, found))
    out.protections.emplace(p.variable, p.how);
  return out;
}

TEST(Races, ProtectionsAreNamed) {
  const Looked looked = look_at(test::c_program(program(true)));
  EXPECT_TRUE(looked.open.empty()) << looked.open.front();
  EXPECT_EQ(looked.protections.at("shared"), "mutex m, order of threads");
  EXPECT_EQ(looked.protections.at("constant"), "only read");
  EXPECT_FALSE(looked.protections.contains("early"));
}

TEST(Races, OpenPairsHaveBothPlacesAndMutexes) {
  const Looked looked = look_at(test::c_program(program(false)));
  const std::string first = "shared: read at line 8 by work holding m, and written at line 14 by ";
  const auto is_it = [&](const std::string& text) {
    return text.starts_with(first) && text.ends_with("holding no mutex");
  };
  EXPECT_TRUE(std::ranges::any_of(looked.open, is_it)) << testing::PrintToString(looked.open);
  EXPECT_FALSE(looked.protections.contains("shared"));
}

/// The rough look knows mutexes and what happens before the first thread, but not joins.
TEST(Races, ARoughLookFindsTheSamePair) {
  const auto going_on = [] { return false; };
  const model::c::Program open = test::c_program(program(false));
  const auto found = texts(open, rough_warnings(open, going_on));
  const auto has = [](const std::vector<std::string>& list, const std::string& part) {
    return std::ranges::any_of(list, [&](const auto& text) { return text.contains(part); });
  };
  EXPECT_TRUE(has(found, "line 8 by work holding m, and written at line 14"))
      << testing::PrintToString(found);
  EXPECT_FALSE(has(found, "early")) << testing::PrintToString(found);
  EXPECT_FALSE(has(found, "constant")) << testing::PrintToString(found);
  const model::c::Program guarded = test::c_program(program(true));
  const auto left = texts(guarded, rough_warnings(guarded, going_on));
  EXPECT_FALSE(has(left, "line 14")) << testing::PrintToString(left);
}

}  // namespace
}  // namespace heddle::transform::races
