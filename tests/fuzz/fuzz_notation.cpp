/// Targets and initial states of all kinds of model that have a notation. What parses is printed by
/// the model's own notation and must come back as it was.

#include "fuzz/round_trip.hpp"

namespace {

using heddle::frontend::SourceText;
using heddle::model::Model;
using heddle::model::Region;
using Regions = std::vector<Region>;

const std::vector<Model>& models() {
  static const std::vector<Model> kinds = [] {
    heddle::model::ThreadSystem system;
    system.shared_count = 12;
    system.local_count = 4'000'000'000;
    heddle::model::PetriNet net;
    net.places = {"p", "q", "lock"};
    heddle::model::PushdownSystem stacks;
    stacks.shared_count = 12;
    stacks.threads.resize(2);
    return std::vector<Model>{system, net, stacks};
  }();
  return kinds;
}

/// The notation has no word for a region of a net without bounds.
bool can_be_written(const Model& model, const Region& region) {
  return !std::holds_alternative<heddle::model::PetriNet>(model) || !region.bounds.empty();
}

template <class Parse, class Print>
void check(const Model& model, const std::string& text, Parse parse, Print print) {
  const auto regions = parse(model, SourceText{"input", text});
  if (!regions) {
    if (heddle::base::render(regions.error()).empty())
      heddle::fuzz::fail("a parser failed without a diagnostic");
    return;
  }
  for (const Region& region : *regions) {
    if (!can_be_written(model, region)) continue;
    const std::string printed = print(model, region);
    const auto again = parse(model, SourceText{"printed", printed});
    if (!again || *again != Regions{region})
      heddle::fuzz::fail("the round trip changed a region\n" + printed);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = heddle::fuzz::text_of(data, size);
  for (const Model& model : models()) {
    check(model, text, heddle::frontend::parse_targets, heddle::model::target_to_string);
    check(model, text, heddle::frontend::parse_initial, heddle::model::initial_to_string);
  }
  return 0;
}
