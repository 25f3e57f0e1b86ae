/// One property of several in a file: `props.xml#Name`.

#include <gtest/gtest.h>

#include "driver/pose.hpp"
#include "fixtures.hpp"

namespace heddle::driver {
namespace {

std::string property(const std::string& id, const std::string& place) {
  return "<property><id>" + id +
         "</id><formula><exists-path><finally><integer-le>"
         "<integer-constant>2</integer-constant><tokens-count><place>" +
         place +
         "</place></tokens-count></integer-le></finally></exists-path></formula></property>";
}

std::string target(FakeDisk disk, const std::string& name) {
  disk.files["net.spec"] = "vars\n p q\nrules\ninit\n p = 0, q = 0\n";
  QuestionOptions options;
  options.property = name;
  const auto posed = pose(disk, "net.spec", options);
  if (!posed) return base::render(posed.error());
  EXPECT_EQ(posed->asked.targets_from, name);
  const auto& task = std::get<model::NetTask>(posed->task);
  return model::target_to_string(task.model, task.question.targets.at(0));
}

TEST(PropertyName, ChoosesOneOfTheFile) {
  FakeDisk disk;
  disk.files["props.xml"] =
      "<property-set>" + property("A", "p") + property("B", "q") + "</property-set>";
  EXPECT_EQ(target(disk, "props.xml#A"), "p>=2");
  EXPECT_EQ(target(disk, "props.xml#B"), "q>=2");
  EXPECT_NE(target(disk, "props.xml#C").find("does not hold a property 'C'"), std::string::npos);
  EXPECT_NE(target(disk, "props.xml").find("there are A, B"), std::string::npos);
}

TEST(PropertyName, AFileMayHaveTheSignInItsName) {
  FakeDisk disk;
  disk.files["dir#1/a.prop"] = "q >= 3";
  EXPECT_EQ(target(disk, "dir#1/a.prop"), "q>=3");
}

}  // namespace
}  // namespace heddle::driver
