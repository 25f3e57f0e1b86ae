/// Targets and initial states of all kinds of model that have a notation. What parses is printed by
/// the model's own notation and must come back as it was.

#include "frontend/notation.hpp"
#include "fuzz/round_trip.hpp"

namespace {

using heddle::frontend::Notation;
using heddle::frontend::SourceText;
using heddle::model::Region;

/// The notation has no word for a region of a net without bounds.
bool can_be_written(const heddle::model::PetriNet&, const Region& region) {
  return !region.bounds.empty();
}
bool can_be_written(const heddle::model::ThreadSystem&, const Region&) { return true; }
bool can_be_written(const heddle::model::PushdownSystem&, const heddle::model::VisibleState&) {
  return true;
}

template <class Model, class Parse, class Print>
void check(const Model& model, const std::string& text, Parse parse, Print print) {
  const auto regions = parse(model, SourceText{"input", text});
  if (!regions) {
    if (heddle::base::render(regions.error()).empty())
      heddle::fuzz::fail("a parser failed without a diagnostic");
    return;
  }
  for (const auto& region : *regions) {
    if (!can_be_written(model, region)) continue;
    const std::string printed = print(model, region);
    const auto again = parse(model, SourceText{"printed", printed});
    if (!again || *again != std::vector{region})
      heddle::fuzz::fail("the round trip changed a region\n" + printed);
  }
}

template <class Model>
void check_both(const Model& model, const std::string& text) {
  check(model, text, Notation<Model>::parse_targets,
        [](const Model& m, const auto& target) { return target_to_string(m, target); });
  check(model, text, Notation<Model>::parse_initial,
        [](const Model& m, const auto& initial) { return initial_to_string(m, initial); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = heddle::fuzz::text_of(data, size);
  heddle::model::ThreadSystem system;
  system.shared_count = 12;
  system.local_count = 4'000'000'000;
  check_both(system, text);
  heddle::model::PetriNet net;
  net.places = {"p", "q", "lock"};
  check_both(net, text);
  heddle::model::PushdownSystem stacks;
  stacks.shared_count = 12;
  stacks.threads.resize(2);
  check_both(stacks, text);
  return 0;
}
