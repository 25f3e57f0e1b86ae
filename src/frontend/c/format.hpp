#pragma once

/// C programs as a format: one translation unit, read with the settings of a command line.

#include <optional>
#include <string>
#include <string_view>

#include "frontend/c/read.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::c {

/// A line that begins with `#include` or `# 1 "`, or a definition of main.
bool recognises(std::string_view text);

/// Several translation units are linked.
base::Parsed<CFile> parse(const SourceText& source, const ReadSettings& settings);

/// There is no way back to C; what `print` writes is the model, for messages of tests.
std::optional<std::string> cannot_print(const CFile& file);
std::string print(const CFile& file);

}  // namespace heddle::frontend::c
