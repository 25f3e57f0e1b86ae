#pragma once

/// What stands behind `heddle_model`.

#include <heddle/heddle.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::library {

enum class Built { No, ThreadSystem, PetriNet };

struct InitialPlace {
  std::string name;
  std::uint64_t tokens;
  bool at_least;
};

}  // namespace heddle::library

struct heddle_model {
  std::string name;                 ///< the path of a file, or the name of a text
  std::optional<std::string> text;  ///< nothing: a file
  std::vector<std::string> files;   ///< further ones; of a file only linked ones
  std::vector<std::pair<std::string, std::string>> texts;  ///< the same, with their names
  heddle::library::Built built = heddle::library::Built::No;
  std::uint32_t shared = 0, local = 0;
  std::vector<heddle::library::InitialPlace> places;
  std::string rules;
  std::string error;
  mutable std::string source;  ///< what heddle_model_source has returned
};

namespace heddle::library {

/// The text of a model in memory, built or given.
std::string text_of(const heddle_model& model);

/// Is a file of this name linked to a C program? Others lie beside a model in memory.
bool is_linked(const std::string& name);

/// A name that a text may have: of a file without folders that no option is mistaken for.
bool is_text_name(const std::string& name);

}  // namespace heddle::library
