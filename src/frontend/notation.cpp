#include <variant>

#include "frontend/frontend.hpp"
#include "frontend/petri/notation.hpp"
#include "frontend/thread_system/notation.hpp"

namespace heddle::frontend {

base::Parsed<std::vector<model::Region>> parse_targets(const model::Model& model,
                                                       const SourceText& source) {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    return thread_system::parse_targets(*system, source);
  return petri::parse_targets(std::get<model::PetriNet>(model), source);
}

base::Parsed<std::vector<model::Region>> parse_initial(const model::Model& model,
                                                       const SourceText& source) {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    return thread_system::parse_initial(*system, source);
  return petri::parse_initial(std::get<model::PetriNet>(model), source);
}

std::vector<model::Region> default_initial(const model::Model& model) {
  if (std::holds_alternative<model::ThreadSystem>(model)) return thread_system::default_initial();
  return {};
}

}  // namespace heddle::frontend
