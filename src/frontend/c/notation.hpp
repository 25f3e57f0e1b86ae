#pragma once

/// Questions about C programs: the names of properties.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {

template <>
struct Notation<model::CProgram> {
  /// `no-data-race`, or the text of a property file of the competition:
  /// `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
  static base::Parsed<std::vector<model::c::Property>> parse_targets(const model::CProgram& program,
                                                                     const SourceText& source);
  /// The property of that name, if there is one. Which runs count is not part of a name.
  static std::optional<model::c::Property> find_property(std::string_view name);
  /// The property, asked about weakly fair runs only; nothing if fairness makes no difference.
  static std::optional<model::c::Property> in_weakly_fair_runs(model::c::Property property);
  /// Nothing but a message: a program begins with its entry.
  static base::Parsed<std::vector<model::EntryCall>> parse_initial(const model::CProgram& program,
                                                                   const SourceText& source);
  static std::string print_initial(const model::CProgram& program, const model::EntryCall& initial);
  static std::vector<model::EntryCall> default_initial() { return {{}}; }
  static base::Parsed<void> fix_thread_count(const base::Integer& threads,
                                             std::vector<model::EntryCall>& initial);
  /// Why nothing can violate the properties, whatever the threads do; empty if something might.
  static std::string vacuity(const model::CProgram& program,
                             const std::vector<model::c::Property>& targets);
  static model::EntryCall plain_initial(model::EntryCall initial) { return initial; }
  static model::c::Property plain_target(model::c::Property target) { return target; }

  static constexpr std::string_view kProperties =
      "one of: reach, no-data-race, no-deadlock, no-overflow, memory, memory-safety, "
      "memory-cleanup, no-fault, termination";
  static constexpr std::string_view kAssumed = "at its entry";
  static constexpr std::array<const char*, 1> kTargetSiblings = {".prp"};
  static constexpr bool kWritesTargets = false;
  static constexpr std::string_view kInitialOption = "--entry";
  static constexpr bool kNeedsTarget = true;
  static constexpr std::string_view kTargetHint = "--property no-data-race";
  static constexpr std::string_view kInitialHint = "give the first function with --entry NAME";
};

}  // namespace heddle::frontend
