#pragma once

/// Targets and initial markings of nets as users write them (docs/formats/mist-spec.md):
/// conjunctions such as `p >= 1, q in [0, 2]`, separated by line ends or ';', which mean their
/// union. What is not listed is anything in a target and 0 in an initial marking. Targets may also
/// be XML, a property file of the Model Checking Contest (property_set.hpp), or a question in the
/// language of LoLA (lola_question.hpp).

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {

template <>
struct Notation<model::PetriNet> {
  static base::Parsed<std::vector<model::Region>> parse_targets(const model::PetriNet& net,
                                                                const SourceText& source);
  static base::Parsed<std::vector<model::Region>> parse_initial(const model::PetriNet& net,
                                                                const SourceText& source);
  static std::string print_initial(const model::PetriNet& net, const model::Region& initial);
  static std::vector<model::Region> default_initial() { return {}; }
  static base::Parsed<void> fix_thread_count(const base::Integer& threads,
                                             std::vector<model::Region>& initial);
  static model::Region plain_initial(model::Region initial);
  static model::Region plain_target(model::Region target);

  static constexpr std::string_view kAssumed = {};
  static constexpr std::array<const char*, 3> kTargetSiblings = {".prop", ".prp", ".formula"};
  static constexpr std::string_view kInitialOption = "--initial";
  static constexpr bool kWritesTargets = true;
  static constexpr bool kNeedsTarget = true;
  static constexpr std::string_view kTargetHint = "--target 'p>=1, q>=2'";
  static constexpr std::string_view kInitialHint = "give one with --initial 'p>=1, q=0'";
};

}  // namespace heddle::frontend
