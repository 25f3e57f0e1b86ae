#pragma once

/// The checker's reading of the variables and places of diagrams about configurations.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "check/diagrams/program_copies.hpp"

namespace heddle::check {

class ConfigurationCopies {
 public:
  ConfigurationCopies(const model::boolean::Flow& flow, const answer::PlaceDiagrams& claim,
                      std::size_t threads);

  /// Why the claim is not about the program, or nothing.
  const std::optional<std::string>& problem() const { return problem_; }

  using Levels = std::vector<std::uint32_t>;
  Levels shared, next_shared, choices;
  std::vector<Levels> place, local, next_local;  ///< by thread
  /// When the turn began; may be missing.
  Levels begin_shared;
  std::vector<Levels> begin_place, begin_local;  ///< by thread

  std::size_t variable_count() const { return count_; }
  /// The slot of the first variable of the innermost procedure, and the one behind its last.
  std::size_t first_slot(const answer::CallStack& stack) const;
  std::size_t last_slot(const answer::CallStack& stack) const;
  /// Are there digits enough for its number? If not, no configuration between turns is there.
  bool occurs_between_turns(std::uint32_t thread, std::uint32_t number) const;
  /// A place's number; 0 if the claim does not list it.
  std::uint32_t number(std::uint32_t thread, const answer::CallStack& stack) const;

 private:
  void read_variables(const answer::PlaceDiagrams& claim, std::size_t threads);
  void read_places(const answer::PlaceDiagrams& claim);
  void compare_variables();
  bool is_stack(const answer::CallStack& stack) const;
  std::uint32_t locals_of(model::boolean::NodeId node) const;

  const model::boolean::Flow& flow_;
  std::size_t count_;                                                ///< of variables
  std::vector<std::map<answer::CallStack, std::uint32_t>> numbers_;  ///< by thread
  std::optional<std::string> problem_;
};

}  // namespace heddle::check
