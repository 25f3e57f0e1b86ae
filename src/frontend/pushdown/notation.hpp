#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {

template <>
struct Notation<model::PushdownSystem> {
  /// `3|1,-,*`: shared state 3, symbol 1 on top of the first thread's stack, an empty second one,
  /// anything (in a target only) on the third.
  static base::Parsed<std::vector<model::VisibleState>> parse_targets(
      const model::PushdownSystem& system, const SourceText& source);
  static base::Parsed<std::vector<model::VisibleState>> parse_initial(
      const model::PushdownSystem& system, const SourceText& source);
  static std::string print_initial(const model::PushdownSystem& system,
                                   const model::VisibleState& initial);
  static std::vector<model::VisibleState> default_initial() { return {}; }
  static base::Parsed<void> fix_thread_count(const base::Integer& threads,
                                             std::vector<model::VisibleState>& initial);
  static model::VisibleState plain_initial(model::VisibleState initial);
  static model::VisibleState plain_target(model::VisibleState target) { return target; }

  static constexpr std::string_view kAssumed = {};
  static constexpr std::array<const char*, 3> kTargetSiblings = {".prop", ".prp", ".spec"};
  static constexpr std::string_view kInitialOption = "--initial";
  static constexpr bool kWritesTargets = true;
  static constexpr bool kNeedsTarget = false;
  static constexpr std::string_view kTargetHint = "--target 's|a,b'";
  static constexpr std::string_view kInitialHint =
      "give one with --initial 's|a,b' (a shared state and the top of each stack), or in a file "
      "beside it that ends in .init";
};

}  // namespace heddle::frontend
