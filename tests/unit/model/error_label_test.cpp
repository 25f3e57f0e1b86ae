#include "model/boolean_program/error_label.hpp"

#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"

namespace heddle::model::boolean {
namespace {

BooleanProgram labelled_program(const std::string& body) {
  auto file = frontend::boolean_program::parse(
      {"test.bp", "decl x;\nvoid f() begin skip; end\nvoid main() begin\n" + body + "\nend\n"});
  EXPECT_TRUE(file) << body;
  return file->model;
}

struct ErrorLabelCase {
  const char* before;
  std::vector<std::string> labels;
  const char* after;
};

TEST(ErrorLabel, MarksTheFailures) {
  const std::vector<ErrorLabelCase> cases = {
      {"assert(x); SLIC_ERROR: skip;", {}, "assert(x); SLIC_ERROR: skip;"},
      {"assert(x); A: x := 1;", {"A"}, "assume(x); A: SLIC_ERROR: x := 1;"},
      {"A: while (x) do B: goto A; od;",
       {"A", "B"},
       "A: SLIC_ERROR: while (x) do B: SLIC_ERROR: goto A; od;"},
      {"goto SLIC_ERROR; A: skip; SLIC_ERROR: skip;",
       {"A"},
       "goto SLIC_ERROR_; A: SLIC_ERROR: skip; SLIC_ERROR_: skip;"},
      {"SLIC_ERROR_: start_thread goto SLIC_ERROR; SLIC_ERROR: assert(x);",
       {"SLIC_ERROR"},
       "SLIC_ERROR_: start_thread goto SLIC_ERROR__; SLIC_ERROR__: SLIC_ERROR: assume(x);"},
      {"A: ASYNC_1: f();", {"A"}, "A: ASYNC_1: SLIC_ERROR: f();"},
  };
  for (const ErrorLabelCase& c : cases) {
    BooleanProgram program = labelled_program(c.before);
    program.failure_labels = c.labels;
    EXPECT_EQ(with_error_label(program), labelled_program(c.after)) << c.before;
  }
}

TEST(ErrorLabel, AllLabelsAreListed) {
  const auto program = labelled_program("B: if (x) then 12: skip; fi; A: C: skip;");
  EXPECT_EQ(labels_of(program), (std::vector<std::string>{"12", "A", "B", "C"}));
}

}  // namespace
}  // namespace heddle::model::boolean
