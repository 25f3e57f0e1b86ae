#pragma once

/// Questions about Boolean programs: the property is in the program, and its threads start in main.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {

template <>
struct Notation<model::BooleanProgram> {
  /// Nothing but a message: the assertions of the program are its target.
  static base::Parsed<std::vector<model::Failure>> parse_targets(
      const model::BooleanProgram& program, const SourceText& source);
  /// `3` or `any`: how many threads start in main. A run lists its threads: there are not too many.
  static base::Parsed<std::vector<model::ThreadsInMain>> parse_initial(
      const model::BooleanProgram& program, const SourceText& source);
  static std::string print_initial(const model::BooleanProgram& program,
                                   const model::ThreadsInMain& initial);
  /// One thread in main.
  static std::vector<model::ThreadsInMain> default_initial() { return {{1, base::Integer(1)}}; }
  static base::Parsed<void> fix_thread_count(const base::Integer& threads,
                                             std::vector<model::ThreadsInMain>& initial);
  static model::ThreadsInMain plain_initial(model::ThreadsInMain initial);
  static model::Failure plain_target(model::Failure target) { return target; }

  /// Why nothing can fail, whatever the threads do; empty if something might.
  static std::string vacuity(const model::BooleanProgram& program,
                             const std::vector<model::Failure>& targets);

  /// Are the threads of the command line few enough to be listed?
  static base::Parsed<void> check_initial(const std::vector<model::ThreadsInMain>& initial);
  static std::vector<model::ThreadsInMain> any_threads() { return {{1, std::nullopt}}; }
  static constexpr std::string_view kAssumed = "assumed: --threads any starts any number";
  static constexpr std::array<const char*, 2> kTargetSiblings = {".prop", ".prp"};
  static constexpr std::string_view kInitialOption = "--threads";
  static constexpr bool kWritesTargets = false;
  static constexpr bool kNeedsTarget = true;
  static constexpr std::string_view kTargetHint = "--target 'p>=1, q>=2'";
  static constexpr std::string_view kInitialHint = "give one with --initial 'p>=1, q=0'";
};

}  // namespace heddle::frontend
