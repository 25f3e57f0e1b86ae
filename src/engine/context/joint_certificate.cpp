#include "engine/context/joint_search.hpp"

namespace heddle::engine::context {

using answer::TurnFacts;

TurnFacts JointSearch::certificate() const {
  TurnFacts out;
  out.rounds = closed_ ? 0 : round();
  out.variables = system_.variables().order();
  for (const ThreadPlaces& places : system_.threads()) {
    auto& stacks = out.places.emplace_back();
    for (PlaceNumber place = 1; place <= places.count(); ++place)
      stacks.push_back(places[place].stack);
  }
  solver::BddWriter writer;
  for (std::size_t j = 0; j < threads_.size(); ++j)
    for (std::size_t place = 1; place < threads_[j].spots.size(); ++place)
      if (const Bdd& facts = threads_[j].spots[place].reached; !facts.is_false())
        out.sets.push_back(
            {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(place), writer.add(facts)});
  for (const solver::BddNode& node : writer.nodes())
    out.nodes.push_back({node.variable, node.low, node.high});
  return out;
}

}  // namespace heddle::engine::context
