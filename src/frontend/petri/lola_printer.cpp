#include "frontend/petri/lola.hpp"

#include <variant>

#include "base/invariant.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using model::Counts;
using model::PetriNet;
using model::PlaceId;
using text::TokenKind;

/// In a formula digits are a number, and some characters are operators.
bool can_be_compared(const std::string& name) {
  text::Lexer lexer(name, lola_dialect());
  const text::Token word = lexer.next();
  return word.kind == TokenKind::Word && word.text == name;
}

class LolaPrinter {
 public:
  explicit LolaPrinter(const PetriNet& net) : net_(net) {}

  std::string print(const NetFile& file) {
    out_ += "PLACE " + joined(net_.places, ", ") + ";\n";
    out_ += "MARKING " + list(initial_marking(file)) + ";\n";
    const auto names = transition_names(net_, is_lola_name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Arcs arcs = arcs_of(net_.transitions[i]);
      out_ += "\nTRANSITION " + names[i] + "\n  CONSUME " + list(arcs.consume) + ";\n  PRODUCE " +
              list(arcs.produce) + ";\n";
    }
    if (!file.targets.empty()) formula(file.targets);
    return std::move(out_);
  }

 private:
  void formula(const std::vector<model::Region>& targets) {
    std::vector<std::string> cases;
    const model::ConditionWords words = {
        [this](PlaceId place) { return net_.places[place.index()]; }, " AND ", " OR ", "TRUE",
        "FALSE"};
    for (const model::Region& target : targets)
      cases.push_back("(" + target_text(target, words) + ")");
    const std::string all = joined(cases, "\n    OR ");
    out_ += "\nFORMULA EF " + (cases.size() == 1 ? all : "(" + all + ")") + "\n";
  }

  std::string list(const Counts& counts) const {
    std::vector<std::string> parts;
    for (const auto& [place, number] : counts.entries())
      parts.push_back(net_.places[place.index()] + ": " + base::to_string(number));
    return joined(parts, ", ");
  }

  const PetriNet& net_;
  std::string out_;
};

}  // namespace

std::optional<std::string> cannot_print_lola(const NetFile& file) {
  if (auto reason = not_ordinary(file)) return reason;
  const PetriNet& net = file.model;
  for (const std::string& name : net.places)
    if (!is_lola_name(name)) return unwritable_place(name);
  std::optional<std::string> result;
  const auto compare = [&](PlaceId place) {
    const std::string& name = net.places[place.index()];
    if (!result && !can_be_compared(name))
      result = "the target names place '" + name + "', which is not a name in a formula";
  };
  for (const model::Region& target : file.targets) {
    for (const model::CounterBound& bound : target.bounds) compare(bound.counter);
    model::for_each_inequality(target.condition, [&](const model::Condition& inequality) {
      for (const model::WeightedPlace& term : inequality.terms) compare(term.place);
    });
  }
  return result;
}

std::string print_lola(const NetFile& file) {
  HEDDLE_INVARIANT(!cannot_print_lola(file), "a file should be one that .lola can hold");
  return LolaPrinter(file.model).print(file);
}

}  // namespace heddle::frontend::petri
