#include "frontend/petri/net_printing.hpp"

#include <set>

#include "base/printable.hpp"

namespace heddle::frontend::petri {

using model::CounterBound;

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string unwritable_place(const std::string& name) {
  return "the format cannot write the name of place '" + base::printable(name) + "'";
}

std::vector<std::string> transition_names(
    const model::PetriNet& net, const std::function<bool(const std::string&)>& can_write) {
  std::set<std::string> taken(net.places.begin(), net.places.end());
  for (const model::PetriTransition& t : net.transitions) taken.insert(t.name);
  std::set<std::string> used(net.places.begin(), net.places.end());
  std::vector<std::string> names;
  for (const model::PetriTransition& t : net.transitions) {
    std::string name = t.name;
    if (!can_write(name) || used.contains(name) || name == t.note) {
      name = "t" + std::to_string(names.size() + 1);
      while (taken.contains(name) || used.contains(name) || name == t.note) name += "_";
    }
    used.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

std::string target_text(const model::Region& target, const model::ConditionWords& words) {
  std::vector<std::string> parts;
  for (const CounterBound& bound : target.bounds) {
    const std::string place = words.name(bound.counter);
    const bool is_exact = bound.upper == bound.lower;
    if (is_exact)
      parts.push_back(place + " = " + base::to_string(bound.lower));
    else if (!bound.upper || bound.lower > 0)
      parts.push_back(place + " >= " + base::to_string(bound.lower));
    if (bound.upper && !is_exact) parts.push_back(place + " <= " + base::to_string(*bound.upper));
  }
  if (!target.condition.is_true() || parts.empty())
    parts.push_back(model::to_text(target.condition, words));
  return joined(parts, words.conjunction);
}

}  // namespace heddle::frontend::petri
