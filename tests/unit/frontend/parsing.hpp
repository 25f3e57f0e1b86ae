#pragma once

/// What the tests of the front ends share: parse or fail, and short forms of diagnostics.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/notation.hpp"

namespace heddle::frontend {

/// A file of a format that holds models of this kind.
template <class Model>
ModelFile<Model> parsed(const std::string& format, const std::string& text) {
  auto file = find_format(format)->parse({"file", text}, {});
  if (file) return std::get<ModelFile<Model>>(std::move(*file));
  ADD_FAILURE() << base::render(file.error());
  return {};
}

template <class Model>
auto parse_targets(const Model& model, const SourceText& source) {
  return Notation<Model>::parse_targets(model, source);
}

template <class Model>
auto parse_initial(const Model& model, const SourceText& source) {
  return Notation<Model>::parse_initial(model, source);
}

inline base::Diagnostics errors(const std::string& format, const std::string& text) {
  const auto file = find_format(format)->parse({"file", text}, {});
  if (!file) return file.error();
  ADD_FAILURE() << "this should not parse: " << text;
  return {{}};
}

/// `line:column 'offending' message`.
inline std::string brief(const base::Diagnostic& d) {
  return std::to_string(d.location.line) + ":" + std::to_string(d.location.column) + " '" +
         d.offending + "' " + d.message;
}

inline std::vector<std::string> brief(const base::Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const base::Diagnostic& d : diagnostics) out.push_back(brief(d));
  return out;
}

}  // namespace heddle::frontend
