#pragma once

/// What is asked about C programs: can a run of the program violate one of these properties?

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/c/program.hpp"
#include "model/c/violation.hpp"
#include "model/kind.hpp"

namespace heddle::model {

using CProgram = c::Program;

/// Every run begins with a call of the entry function in thread 0.
struct EntryCall {
  friend bool operator==(const EntryCall&, const EntryCall&) = default;
};

struct CQuestion {
  std::vector<EntryCall> initial;
  std::vector<c::Property> targets;  ///< exactly one for the engines of today
  std::optional<std::uint32_t> contexts = std::nullopt;
  friend bool operator==(const CQuestion&, const CQuestion&) = default;
};

template <>
struct Kind<CProgram> {
  using Question = CQuestion;
  using Initial = EntryCall;
  using Target = c::Property;
  static constexpr std::string_view kName = "C program";
};

/// `a call of main`
std::string initial_to_string(const CProgram& program, const EntryCall& initial);

namespace c {

/// `an assertion fails`, `a data race`, …
std::string target_to_string(const Program& program, const Property& property);

}  // namespace c

}  // namespace heddle::model
