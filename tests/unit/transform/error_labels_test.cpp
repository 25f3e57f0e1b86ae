#include "transform/error_labels.hpp"

#include "frontend/frontend.hpp"

namespace heddle::transform {
namespace {

model::BooleanProgram labelled(const std::string& body) {
  auto file = frontend::find_format("bp")->parse(
      {"test.bp", "decl x;\nvoid f() begin skip; end\nvoid main() begin\n" + body + "\nend\n"});
  EXPECT_TRUE(file) << body;
  return std::get<model::BooleanProgram>(file->model);
}

struct LabelCase {
  const char* before;
  std::set<std::string> labels;
  Assertions assertions;
  const char* after;
};

TEST(ErrorLabels, BecomeAssertions) {
  const std::vector<LabelCase> cases = {
      {"A: x := 1; B: skip;", {"A"}, Assertions::End, "A: assert(F); B: skip;"},
      {"assert(x); A: x := 1;", {"A"}, Assertions::End, "assume(x); A: assert(F);"},
      {"assert(x); A: x := 1;", {"A"}, Assertions::Count, "assert(x); A: assert(F);"},
      // whoever jumps into a loop comes to its label at the end of the body
      {"goto B; A: while (x) do B: skip; od;",
       {"A"},
       Assertions::End,
       "goto B; A: assert(F); while (x) do B: skip; assert(F); od;"},
      {"if (x) then A: skip; fi; goto A;",
       {"A"},
       Assertions::End,
       "if (x) then A: assert(F); fi; goto A;"},
      // the usual label means nothing any more, or the same as others
      {"goto SLIC_ERROR; A: skip; SLIC_ERROR: skip;",
       {"A"},
       Assertions::End,
       "goto SLIC_ERROR_; A: assert(F); SLIC_ERROR_: skip;"},
      {"SLIC_ERROR_: goto SLIC_ERROR; SLIC_ERROR: skip;",
       {"SLIC_ERROR"},
       Assertions::Count,
       "SLIC_ERROR_: goto SLIC_ERROR__; SLIC_ERROR__: assert(F);"},
      {"A: ASYNC_1: f();", {"A"}, Assertions::End, "A: ASYNC_1: assert(F);"},
  };
  for (const LabelCase& c : cases)
    EXPECT_EQ(fail_at_labels(labelled(c.before), c.labels, c.assertions), labelled(c.after))
        << c.before;
}

TEST(ErrorLabels, AreListed) {
  const auto program = labelled("B: if (x) then 12: skip; fi; A: C: skip;");
  EXPECT_EQ(labels_of(program), (std::vector<std::string>{"12", "A", "B", "C"}));
}

}  // namespace
}  // namespace heddle::transform
