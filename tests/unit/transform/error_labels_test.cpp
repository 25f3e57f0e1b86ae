#include "transform/error_labels.hpp"

#include "frontend/frontend.hpp"

namespace heddle::transform {
namespace {

model::BooleanProgram labelled(const std::string& body, std::vector<std::string> labels = {}) {
  auto file = frontend::find_format("bp")->parse(
      {"test.bp", "decl x;\nvoid f() begin skip; end\nvoid main() begin\n" + body + "\nend\n"});
  EXPECT_TRUE(file) << body;
  auto program = std::get<model::BooleanProgram>(file->model);
  program.failure_labels = std::move(labels);
  return program;
}

struct LabelCase {
  const char* before;
  std::vector<std::string> labels;
  const char* after;
};

TEST(ErrorLabels, BecomeAssertions) {
  const std::vector<LabelCase> cases = {
      {"A: x := 1; B: skip;", {"A"}, "A: assert(F); B: skip;"},
      {"assert(x); A: x := 1;", {"A"}, "assume(x); A: assert(F);"},
      {"assert(x); SLIC_ERROR: x := 1;", {}, "assert(x); SLIC_ERROR_: assert(F);"},
      // whoever jumps into a loop comes to its label at the end of the body
      {"goto B; A: while (x) do B: skip; od;",
       {"A"},
       "goto B; A: assert(F); while (x) do B: skip; assert(F); od;"},
      {"if (x) then A: skip; fi; goto A;", {"A"}, "if (x) then A: assert(F); fi; goto A;"},
      // the usual label means nothing any more, or the same as others
      {"goto SLIC_ERROR; A: skip; SLIC_ERROR: skip;",
       {"A"},
       "goto SLIC_ERROR_; A: assert(F); SLIC_ERROR_: skip;"},
      {"SLIC_ERROR_: goto SLIC_ERROR; SLIC_ERROR: skip;",
       {},
       "SLIC_ERROR_: goto SLIC_ERROR__; SLIC_ERROR__: assert(F);"},
      {"A: ASYNC_1: f();", {"A"}, "A: ASYNC_1: assert(F);"},
  };
  for (const LabelCase& c : cases)
    EXPECT_EQ(fail_by_assertions(labelled(c.before, c.labels)), labelled(c.after)) << c.before;
}

}  // namespace
}  // namespace heddle::transform
