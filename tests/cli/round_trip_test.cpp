/// `heddle translate` on the examples: whatever it writes has the verdict of what it read, without
/// options, as a file with siblings and as a stream.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "cli/binary.hpp"
#include "support/sample.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFormats = {"tts",  "spec", "pnet", "lola", "net",
                                           "pnml", "bp",   "rem",  "pds"};
constexpr int kExitSafe = 0;
constexpr int kExitUnsafe = 10;
constexpr int kBadInput = 3;
constexpr int kOutOfTime = 20;

bool is_definite(int code) { return code == kExitSafe || code == kExitUnsafe; }

class RoundTrips : public BinaryTest {
 protected:
  /// Every model of the folder, each of them translated to every format. Every `stride`-th only.
  void play(const std::string& folder, std::size_t stride = 1) {
    const fs::path examples = fs::path(std::getenv("HEDDLE_SOURCE_DIR")) / "examples" / folder;
    std::vector<fs::path> models;
    for (const auto& entry : fs::directory_iterator(examples)) {
      const std::string extension = entry.path().extension().string();
      if (!std::set<std::string>{".md", ".prop", ".init"}.contains(extension))
        models.push_back(entry.path());
    }
    ASSERT_FALSE(models.empty()) << examples;
    std::ranges::sort(models);
    for (std::size_t i = 0; i < models.size(); i += stride) translate_everywhere(models[i]);
    for (const auto& [format, count] : written_) std::cout << format << " " << count << "  ";
    std::cout << "\n";
  }

  void expect_written(const std::vector<std::string>& formats) {
    for (const std::string& format : formats) EXPECT_GT(written_[format], 0u) << format;
    EXPECT_GT(compared_, 0u);
  }

 private:
  int verdict(const std::string& file) const {
    return heddle({"verify", file, "-q", "--timeout", "1"}).code;
  }

  void translate_everywhere(const fs::path& model) {
    const int expected = verdict(model.string());
    for (const std::string& format : kFormats) {
      const std::string stem = model.stem().string() + "-" + std::to_string(++count_);
      const std::string file = stem + "." + format;
      const Outcome written = heddle({"translate", model.string(), "-o", file, "--timeout", "3"});
      if (written.code == kBadInput) continue;  // what the format cannot hold
      if (written.code == kOutOfTime) break;    // other formats take as long
      EXPECT_EQ(written.code, 0) << model << " to " << format << ": " << written.err;
      ++written_[format];
      compare(model, expected, file);
      if (written_[format] % 8 != 1) continue;  // streams are a sample
      const std::string copy = stem + "-stream." + format;
      write(copy, heddle({"translate", model.string(), "--to", format}).out);
      compare(model, expected, copy);
    }
  }

  /// The same verdict where both are definite; what is out of time counts for nothing.
  void compare(const fs::path& model, int expected, const std::string& file) {
    const int found = verdict(file);
    EXPECT_NE(found, kBadInput) << model << " as " << file;
    if (!is_definite(expected) || !is_definite(found)) return;
    EXPECT_EQ(found, expected) << model << " as " << file;
    ++compared_;
  }

  std::size_t count_ = 0;
  std::map<std::string, unsigned> written_;
  unsigned compared_ = 0;
};

TEST_F(RoundTrips, OfNets) {
  play("petri");
  expect_written({"tts", "spec", "pnet", "lola", "net", "pnml"});
}

TEST_F(RoundTrips, OfThreadSystems) {
  play("thread-system");
  expect_written({"tts", "spec", "pnml"});
}

TEST_F(RoundTrips, OfBooleanPrograms) {
  play("boolean", test::runs_in_full() ? 1 : 6);  // thread systems of programs take long
  expect_written({"tts", "spec", "pnml", "bp"});
}

TEST_F(RoundTrips, OfPushdownSystems) {
  play("pushdown");
  expect_written({"pds"});
}

TEST_F(RoundTrips, OfRemopla) {
  play("remopla");
  expect_written({"bp", "rem", "pds"});
}

TEST_F(RoundTrips, OfProgramsWithFixedThreads) {
  play("context", test::runs_in_full() ? 1 : 12);
  expect_written({"bp", "pds"});
}

}  // namespace
}  // namespace heddle::cli
