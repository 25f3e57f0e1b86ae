#include "cli/binary.hpp"

#include <exception>
#include <fstream>
#include <iterator>

namespace heddle::cli {

namespace fs = std::filesystem;

void BinaryTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder() / name, std::ios::binary) << text;
}

std::string BinaryTest::read(const std::string& name) const {
  return test::read_text(folder() / name);
}

std::size_t BinaryTest::file_count() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
}

Outcome BinaryTest::heddle(const std::vector<std::string>& arguments, void (*on_start)(int)) const {
  try {
    return test::run_heddle(arguments, folder(), on_start);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
    return {};
  }
}

}  // namespace heddle::cli
