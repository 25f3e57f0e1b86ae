#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::output {

/// A file that a C program was read from.
struct SourceFile {
  std::string name;  ///< as in c::Program::files
  std::string text;
};

/// The lines of a program's files. A file is cut into lines when one of them is asked for.
class SourceLines {
 public:
  /// Both must outlive this.
  SourceLines(const model::c::Program& program, std::span<const SourceFile> sources)
      : program_(program), sources_(sources) {}

  /// The line of a position, with its indentation; empty if the text is not known.
  std::string_view line(const model::c::Position& position);
  /// Without blanks at either end.
  std::string trimmed(const model::c::Position& position);
  std::size_t count(std::uint32_t file) { return lines_of(file).size(); }

 private:
  const std::vector<std::string_view>& lines_of(std::uint32_t file);

  const model::c::Program& program_;
  std::span<const SourceFile> sources_;
  std::map<std::uint32_t, std::vector<std::string_view>> lines_;
};

}  // namespace heddle::output
