#include "transform/program_to_threads.hpp"

#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"

namespace heddle::transform {
namespace {

TEST(ProgramToThreads, GivesUpWhenItIsToldTo) {
  const auto parsed =
      frontend::boolean_program::parse({"some.bp", "void main() begin skip; skip; end\n"});
  ASSERT_TRUE(parsed);
  const model::ProgramTask task{parsed->model, {{{1, base::Integer(1)}}, {}}};
  EXPECT_TRUE(program_to_threads(task, [] { return false; }));
  const auto stopped = program_to_threads(task, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_NE(stopped.error().find("no time left"), std::string::npos);
}

}  // namespace
}  // namespace heddle::transform
