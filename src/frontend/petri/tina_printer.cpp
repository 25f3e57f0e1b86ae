#include <variant>

#include "base/invariant.hpp"
#include "base/printable.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/ordinary_net.hpp"
#include "frontend/petri/tina.hpp"
#include "frontend/question_comments.hpp"

namespace heddle::frontend::petri {

namespace {

using model::CounterBound;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceId;

bool is_tina_name(const std::string& name) {
  return !name.empty() && base::printable(name) == name && name.find('\t') == std::string::npos;
}

/// In braces only where they are needed.
std::string quoted(const std::string& name) {
  const auto in_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool starts_with_digit = name[0] >= '0' && name[0] <= '9';
  if (std::ranges::all_of(name, in_word) && !starts_with_digit && !is_tina_keyword(name))
    return name;
  std::string out = "{";
  for (const char c : name) {
    if (c == '{' || c == '}' || c == '\\') out += '\\';
    out += c;
  }
  return out + "}";
}

class TinaPrinter {
 public:
  explicit TinaPrinter(const PetriNet& net) : net_(net) {}

  std::string print(const NetFile& file) {
    // A net without nodes is no empty file.
    out_ = question_comments(NetFile{net_, {}, file.targets, {}}, {"#"}) + "net n\n";
    const model::Counts marking = initial_marking(file);
    for (PlaceId place(0u); place.index() < net_.places.size(); place.value++) {
      out_ += "pl " + name(place);
      if (marking[place] != 0) out_ += " (" + base::to_string(marking[place]) + ")";
      out_ += "\n";
    }
    const auto names = transition_names(net_, is_tina_name);
    for (std::size_t i = 0; i < names.size(); ++i) transition(names[i], net_.transitions[i]);
    return std::move(out_);
  }

 private:
  void transition(const std::string& own_name, PetriTransition t) {
    const std::vector<CounterBound> inhibitors = take_upper_bounds(t);
    const Arcs arcs = arcs_of(t);
    out_ += "tr " + quoted(own_name);
    list(arcs.consume);
    for (const CounterBound& bound : inhibitors)
      out_ += " " + name(bound.counter) + "?-" + base::to_string(*bound.upper + 1);
    out_ += " ->";
    list(arcs.produce);
    out_ += "\n";
  }

  void list(const model::Counts& arcs) {
    for (const auto& [place, weight] : arcs.entries())
      out_ += " " + name(place) + (weight == 1 ? "" : "*" + base::to_string(weight));
  }

  std::string name(PlaceId place) const { return quoted(net_.places[place.index()]); }

  const PetriNet& net_;
  std::string out_;
};

}  // namespace

std::optional<std::string> cannot_print_tina(const NetFile& file) {
  if (auto reason = not_ordinary_but_for_inhibitors(file)) return reason;
  for (const std::string& name : file.model.places)
    if (!is_tina_name(name)) return unwritable_place(name);
  return std::nullopt;
}

std::string print_tina(const NetFile& file) {
  HEDDLE_INVARIANT(!cannot_print_tina(file), "a file should be one that TINA's format can hold");
  return TinaPrinter(file.model).print(file);
}

}  // namespace heddle::frontend::petri
