#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "base/diagnostic.hpp"
#include "frontend/c/read.hpp"

namespace heddle::test {

inline model::c::Program c_program(const std::string& text, const std::string& name = "test.c") {
  const frontend::SourceText source{name, text};
  auto program = frontend::c::read_c({&source, 1}, {});
  if (!program) throw std::runtime_error(base::render(program.error()));
  return std::move(*program);
}

/// A file of examples/c, without its ending.
inline model::c::Program c_example(const std::string& name) {
  const char* root = std::getenv("HEDDLE_SOURCE_DIR");
  const std::string path = std::string(root ? root : ".") + "/examples/c/" + name + ".c";
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  return c_program(text.str(), path);
}

}  // namespace heddle::test
