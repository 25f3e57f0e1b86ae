#pragma once

/// Targets and initial states of thread systems as users write them
/// (docs/formats/thread-system.md):
///
///   region := s "|" [threads] | s "/" any | s "|" [threads] "/" any
///   threads := l ["^" n] ("," l ["^" n])*      any := l ("," l)*
///
/// where n may also be a range "[" n "," n "]" in an initial state.
///
/// Regions are separated by line ends or ';' and mean their union.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {

template <>
struct Notation<model::ThreadSystem> {
  /// `s|l,l`: at least these threads.
  static base::Parsed<std::vector<model::Region>> parse_targets(const model::ThreadSystem& system,
                                                                const SourceText& source);
  /// `s|l,l`: exactly these threads; `s|l^[2,5]`: two to five; `s/l`: any number of threads in
  /// each; `s|l/l`: both.
  static base::Parsed<std::vector<model::Region>> parse_initial(const model::ThreadSystem& system,
                                                                const SourceText& source);
  static std::string print_initial(const model::ThreadSystem& system, const model::Region& initial);
  /// `0/0`.
  static std::vector<model::Region> default_initial();
  static base::Parsed<void> fix_thread_count(const base::Integer& threads,
                                             std::vector<model::Region>& initial);
  static model::Region plain_initial(model::Region initial);
  static model::Region plain_target(model::Region target);

  static constexpr std::string_view kAssumed =
      "assumed: any number of threads, all in local state 0";
  static constexpr std::array<const char*, 2> kTargetSiblings = {".prop", ".prp"};
  static constexpr std::string_view kInitialOption = "--initial";
  static constexpr bool kWritesTargets = true;
  static constexpr bool kNeedsTarget = true;
  static constexpr std::string_view kTargetHint =
      "--target 's|l' (a thread in local state l while the shared state is s; 's|l,l' for several "
      "threads)";
  static constexpr std::string_view kInitialHint = "give one with --initial 'p>=1, q=0'";
};

}  // namespace heddle::frontend
