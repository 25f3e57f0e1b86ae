#include <variant>

#include "frontend/boolean_program/notation.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/notation.hpp"
#include "frontend/pushdown/notation.hpp"
#include "frontend/thread_system/notation.hpp"

namespace heddle::frontend {

base::Parsed<std::vector<model::Region>> parse_targets(const model::Model& model,
                                                       const SourceText& source) {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    return thread_system::parse_targets(*system, source);
  if (model::is_program(model)) return boolean_program::parse_targets(source);
  if (const auto* system = std::get_if<model::PushdownSystem>(&model))
    return pushdown::parse_targets(*system, source);
  return petri::parse_targets(std::get<model::PetriNet>(model), source);
}

base::Parsed<std::vector<model::Region>> parse_initial(const model::Model& model,
                                                       const SourceText& source) {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    return thread_system::parse_initial(*system, source);
  if (model::is_program(model)) return boolean_program::parse_initial(source);
  if (const auto* system = std::get_if<model::PushdownSystem>(&model))
    return pushdown::parse_initial(*system, source);
  return petri::parse_initial(std::get<model::PetriNet>(model), source);
}

std::string print_targets(const model::Model& model, const std::vector<model::Region>& regions) {
  std::string out;
  for (const model::Region& region : regions) out += model::target_to_string(model, region) + "\n";
  return out;
}

std::string print_initial(const model::Model& model, const std::vector<model::Region>& regions) {
  std::string out;
  for (const model::Region& region : regions)
    out += (model::is_program(model) ? boolean_program::print_initial(region)
                                     : model::initial_to_string(model, region)) +
           "\n";
  return out;
}

std::vector<model::Region> default_initial(const model::Model& model) {
  if (std::holds_alternative<model::ThreadSystem>(model)) return thread_system::default_initial();
  if (model::is_program(model)) return boolean_program::default_initial();
  return {};
}

}  // namespace heddle::frontend
