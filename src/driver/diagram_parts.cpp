#include "driver/diagram_parts.hpp"

#include <map>

#include "coverability/invariants.hpp"
#include "engine/concolic/diagram.hpp"

namespace heddle::driver {

namespace {

constexpr std::size_t kRowByteLimit = std::size_t{256} << 20;

}  // namespace

std::optional<output::picture::DiagramParts> diagram_parts(
    const model::ThreadSystem& system, const model::CountingQuestion& question) {
  const auto rows = coverability::closed_thread_states(system, question.initial, kRowByteLimit);
  if (!rows) return std::nullopt;
  const engine::concolic::Diagram diagram(system, *rows);
  output::picture::DiagramParts parts;
  std::map<engine::concolic::ComponentId, output::picture::LoopComponent> components;
  for (const engine::concolic::Arc& arc : diagram.arcs()) {
    parts.live.push_back(arc.transition);
    if (!diagram.is_inner(arc)) continue;
    auto& component = components[diagram.component_of(arc.from)];
    component.is_spaghetti =
        diagram.component(arc.from).shape == engine::concolic::Shape::Spaghetti;
    component.transitions.push_back(arc.transition);
  }
  for (auto& [id, component] : components) parts.components.push_back(std::move(component));
  return parts;
}

}  // namespace heddle::driver
