#include "driver/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "driver/temporary_file.hpp"

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

class DiskTest : public testing::Test {
 protected:
  DiskTest() : folder(fs::temp_directory_path() / ("heddle-disk-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~DiskTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }

  fs::path folder;
  RealDisk disk;
};

TEST_F(DiskTest, ReadsWhatItWrote) {
  ASSERT_TRUE(disk.write(path("a"), "one\ntwo"));
  EXPECT_EQ(RealDisk().read(path("a")), "one\ntwo");
  ASSERT_TRUE(disk.write(path("a"), "three"));
  EXPECT_EQ(RealDisk().read(path("a")), "three");
  EXPECT_EQ(file_count(), 1) << "no temporary file should stay";
}

TEST_F(DiskTest, NoOutputReplacesAnInput) {
  ASSERT_TRUE(disk.write(path("model"), "model"));
  ASSERT_TRUE(disk.write(path("later"), "later"));
  fs::create_symlink(path("model"), path("symbolic"));
  fs::create_hard_link(path("model"), path("hard"));
  EXPECT_TRUE(disk.probe(path("hard")));
  EXPECT_TRUE(disk.read(path("model")).has_value());
  disk.protect(path("later"));
  disk.protect(path("missing"));
  for (const char* name : {"model", "symbolic", "hard", "later"}) {
    EXPECT_FALSE(disk.probe(path(name))) << name;
    EXPECT_EQ(disk.write(path(name), "gone").error(), "it is an input of the same run") << name;
  }
  EXPECT_TRUE(disk.write(path("missing"), "new"));
  EXPECT_EQ(RealDisk().read(path("hard")), "model");
}

TEST_F(DiskTest, AllOrNothing) {
  ASSERT_TRUE(disk.write(path("a"), "old"));
  fs::create_directory(path("folder"));
  for (const char* last : {"missing/b", "folder"}) {
    const std::vector<OutputFile> files{{path("new"), "x"}, {path("a"), "x"}, {path(last), "x"}};
    const auto written = disk.write_all(files);
    ASSERT_FALSE(written.has_value()) << last;
    EXPECT_EQ(written.error().path, path(last));
    EXPECT_EQ(RealDisk().read(path("a")), "old");
    EXPECT_FALSE(fs::exists(path("new")));
    EXPECT_EQ(file_count(), 2) << "no temporary file should stay";
  }
}

TEST_F(DiskTest, AReplacementCanBeUndone) {
  ASSERT_TRUE(disk.write(path("a"), "old"));
  for (const char* name : {"a", "b"}) {
    TemporaryFile file(path(name));
    ASSERT_TRUE(file.write("new") && file.replace_destination());
    EXPECT_EQ(RealDisk().read(path(name)), "new");
    file.restore();
  }
  EXPECT_EQ(RealDisk().read(path("a")), "old");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(DiskTest, KeepsPermissions) {
  ASSERT_TRUE(disk.write(path("a"), "old"));
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(disk.write(path("a"), "new"));
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(DiskTest, ProbingLeavesNothing) {
  EXPECT_TRUE(disk.probe(path("a")));
  EXPECT_EQ(file_count(), 0);
}

TEST_F(DiskTest, SaysWhyNot) {
  EXPECT_EQ(disk.read(path("a")).error(), "no such file or folder");
  EXPECT_EQ(disk.read(folder.string()).error(), "is a folder, not a file");
  EXPECT_EQ(disk.probe(folder.string()).error(), "is a folder, not a file");
  EXPECT_EQ(disk.probe(path("missing/a")).error(), "no such file or folder");
  EXPECT_EQ(disk.write(path("missing/a"), "").error(), "no such file or folder");
}

TEST_F(DiskTest, WritesThroughALink) {
  ASSERT_TRUE(disk.write(path("a"), "old"));
  fs::create_symlink(path("a"), path("link"));
  ASSERT_TRUE(disk.write(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(disk.read(path("a")), "new");
}

TEST_F(DiskTest, WritesIntoAPipeAndDoesNotReplaceIt) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDWR | O_NONBLOCK);
  EXPECT_TRUE(disk.probe(path("pipe")));
  EXPECT_TRUE(disk.write(path("pipe"), "water"));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  char text[16];
  EXPECT_EQ(read(reader, text, sizeof text), 5);
  close(reader);
}

}  // namespace
}  // namespace heddle::driver
