/// Every C task of the shared suites is read. Skipped where the suites are not at hand.

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "frontend/c/read.hpp"
#include "frontend/c/task_file.hpp"
#include "support/sample.hpp"

namespace heddle::frontend::c {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path suites() {
  const char* root = std::getenv("HEDDLE_SOURCE_DIR");
  return fs::path(root ? root : ".") / "../shared/suites/c";
}

std::size_t unsupported(const model::c::Program& program) {
  std::size_t out = 0;
  for (const auto& function : program.functions)
    for (const auto& i : function.code)
      out += std::holds_alternative<model::c::Unsupported>(i.effect);
  return out;
}

struct Count {
  std::size_t all = 0, read = 0, modelled = 0;
};

/// A third of the tasks by their .yml, and of the sources without one on their own.
Count read_folder(const fs::path& folder) {
  Count count;
  test::Sample sample(3);
  std::set<fs::path> of_tasks, sources;
  const auto try_one = [&](const std::vector<fs::path>& files, std::uint8_t bytes) {
    if (!sample.next()) return;
    std::vector<SourceText> texts;
    for (const fs::path& file : files) texts.push_back({file.string(), content(file)});
    ReadOptions options;
    options.pointer_bytes = bytes;
    const auto program = read_c(texts, options);
    ++count.all;
    if (!program) {
      std::cout << base::render(program.error().front()) << "\n";
      return;
    }
    ++count.read;
    if (unsupported(*program) == 0) ++count.modelled;
  };
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".c" || path.extension() == ".i") sources.insert(path);
    if (path.extension() != ".yml") continue;
    const auto task = read_task_file({path.string(), content(path)});
    EXPECT_TRUE(task) << base::render(task.error());
    if (!task) continue;
    std::vector<fs::path> files;
    for (const std::string& name : task->input_files) {
      files.push_back(path.parent_path() / name);
      of_tasks.insert(fs::path(files.back()).replace_extension());
    }
    for (const TaskProperty& property : task->properties) {
      const fs::path file = path.parent_path() / property.file;
      if (!fs::exists(file)) continue;
      EXPECT_TRUE(read_property_file({file.string(), content(file)})) << file;
    }
    try_one(files, task->pointer_bytes.value_or(4));
  }
  for (const fs::path& path : sources)
    if (!of_tasks.contains(fs::path(path).replace_extension())) try_one({path}, 8);
  return count;
}

TEST(CSuites, TasksAreReadAndModelled) {
  if (!fs::is_directory(suites())) GTEST_SKIP() << "no suites at " << suites();
  std::cout << "folder: tasks, read, without unsupported instructions\n";
  Count judged;
  for (const auto& folder : fs::directory_iterator(suites())) {
    const std::string name = folder.path().filename().string();
    if (!folder.is_directory() || name == "properties" || name == "real") continue;
    const Count count = read_folder(folder.path());
    std::cout << name << ": " << count.all << ", " << count.read << ", " << count.modelled << "\n";
    if (!name.starts_with("pthread") && name != "ldv-races" && name != "race-challenges" &&
        name != "ultimate-pthreads")
      continue;
    judged.all += count.all;
    judged.modelled += count.modelled;
  }
  EXPECT_GE(judged.modelled * 100, judged.all * 95) << judged.modelled << " of " << judged.all;
}

TEST(CSuites, WholeProgramsAreReadInTwoSeconds) {
  if (!fs::is_directory(suites() / "real")) GTEST_SKIP() << "no suites at " << suites();
  for (const auto& entry : fs::directory_iterator(suites() / "real")) {
    const SourceText source{entry.path().string(), content(entry.path())};
    const auto begin = std::clock();  // of this process: other work on the machine does not count
    const auto program = read_c({&source, 1}, {});
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_TRUE(program) << base::render(program.error());
    EXPECT_LT(seconds, 2.0) << entry.path();
    std::cout << entry.path().filename().string() << ": " << program->functions.size()
              << " functions, " << unsupported(*program) << " unsupported instructions, " << seconds
              << " s\n";
  }
}

}  // namespace
}  // namespace heddle::frontend::c
