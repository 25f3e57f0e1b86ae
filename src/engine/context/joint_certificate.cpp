#include "engine/context/joint_search.hpp"

namespace heddle::engine::context {

using answer::ConfigurationSets;

ConfigurationSets JointSearch::certificate() const {
  ConfigurationSets out;
  out.rounds = closed_ ? 0 : round();
  out.variables = system_.variables().order();
  for (const ThreadPlaces& places : system_.threads()) {
    auto& stacks = out.places.emplace_back();
    for (PlaceNumber place = 1; place <= places.count(); ++place)
      stacks.push_back(places[place].stack);
  }
  solver::BddWriter writer;
  const auto add = [&](std::size_t round, std::size_t thread, std::size_t place, const Bdd& set) {
    if (set.is_false()) return;
    out.sets.push_back({static_cast<std::uint32_t>(round), static_cast<std::uint32_t>(thread),
                        static_cast<std::uint32_t>(place), writer.add(set)});
  };
  // If nothing new can come, the last round has everything, and turns begin with all of it.
  const std::size_t dropped = closed_ ? rounds_.size() - 1 : 0;
  for (std::size_t k = dropped; k < rounds_.size(); ++k)
    for (std::size_t j = 0; j < spots_.size(); ++j) {
      add(k + 1 - dropped, j, 0, closed_ ? all_ : rounds_[k].begins[j]);
      for (std::size_t place = 1; place < spots_[j].size(); ++place)
        add(k + 1 - dropped, j, place, rounds_[k].reached[j][place]);
    }
  for (const solver::BddNode& node : writer.nodes())
    out.nodes.push_back({node.variable, node.low, node.high});
  return out;
}

}  // namespace heddle::engine::context
