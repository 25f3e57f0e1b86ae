/// The Model Checking Contest's property files, read against a small net. What parses must be made
/// of regions that the model's own notation can write and read back.

#include "frontend/notation.hpp"
#include "fuzz/round_trip.hpp"

namespace {

heddle::model::PetriNet net() {
  using heddle::model::PlaceId;
  heddle::model::PetriNet out;
  out.places = {"p", "q", "r"};
  heddle::model::add_transition(out, "t", {{PlaceId(0u), 1}, {PlaceId(1u), 2}}, {});
  heddle::model::add_transition(out, "u", {{PlaceId(2u), 3}}, {});
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const heddle::model::PetriNet model = net();
  using Notation = heddle::frontend::Notation<heddle::model::PetriNet>;
  const std::string text = "<property-set>" + heddle::fuzz::text_of(data, size) + "</property-set>";
  const auto regions = Notation::parse_targets(model, {"input", text});
  if (!regions) {
    if (heddle::base::render(regions.error()).empty())
      heddle::fuzz::fail("a parser failed without a diagnostic");
    return 0;
  }
  if (regions->empty()) heddle::fuzz::fail("a property without targets was read");
  for (const heddle::model::Region& region : *regions) {
    if (region.bounds.empty() && region.condition.is_true()) continue;
    const std::string printed = heddle::model::target_to_string(model, region);
    const auto again = Notation::parse_targets(model, {"printed", printed});
    if (!again || *again != std::vector{region})
      heddle::fuzz::fail("the round trip changed a region\n" + printed);
  }
  return 0;
}
