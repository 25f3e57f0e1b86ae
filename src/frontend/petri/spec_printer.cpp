#include "frontend/petri/spec.hpp"

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/invariant.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/note_printer.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using model::CounterBound;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceId;
using model::PlaceUpdate;
using model::WeightedPlace;

/// Up to this weight a source is written as a sum, which every reader of the format knows.
constexpr unsigned kLongestSum = 16;

bool can_name_a_place(std::string_view name) {
  text::Lexer lexer(name, text::LineEnds::Tokens);
  const text::Token word = lexer.next();
  return word.kind == text::TokenKind::Word && word.text == name && !is_reserved(name);
}

class SpecPrinter {
 public:
  explicit SpecPrinter(const PetriNet& net) : net_(net) {}

  std::string print(const NetFile& file) {
    places();
    out_ += "\nrules\n";
    for (const PetriTransition& t : net_.transitions) rule(t);
    for (const model::Region& region : file.initial) initial(region);
    if (!file.targets.empty()) out_ += "\ntarget\n";
    for (const model::Region& target : file.targets) line(conjunction(target.bounds));
    bool any = false;
    for (const auto& weights : net_.claimed_invariants) {
      if (weights.empty()) continue;  // claims nothing, and the format cannot write it
      if (!std::exchange(any, true)) out_ += "\ninvariants\n";
      line(invariant(weights));
    }
    return std::move(out_);
  }

 private:
  void places() {
    out_ += "vars\n";
    for (const std::string& name : net_.places) line(name);
  }

  void rule(const PetriTransition& t) {
    text::print_note(out_, t.name);
    text::print_note(out_, t.note);
    std::vector<std::string> updates;
    for (const PlaceUpdate& update : t.updates)
      updates.push_back(name(update.place) + "' = " + sum(update));
    line(conjunction(t.guard) + " -> " + joined(updates, ", ") + ";");
  }

  /// The format takes unnamed places for unbounded, a region takes unlisted ones for empty.
  void initial(const model::Region& region) {
    std::vector<CounterBound> bounds;
    for (PlaceId place(0u); place.index() < net_.places.size(); place.value++) {
      const CounterBound* bound = region.find(place);
      bounds.push_back(bound ? *bound : CounterBound{place, 0, 0});
    }
    out_ += "\ninit\n";
    line(conjunction(bounds));
  }

  std::string conjunction(const std::vector<CounterBound>& bounds) const {
    std::vector<std::string> parts;
    for (const CounterBound& bound : bounds) parts.push_back(constraint(bound));
    return parts.empty() ? "true" : joined(parts, ", ");
  }

  std::string constraint(const CounterBound& bound) const {
    const std::string lower = base::to_string(bound.lower);
    if (!bound.upper) return name(bound.counter) + " >= " + lower;
    if (*bound.upper == bound.lower) return name(bound.counter) + " = " + lower;
    return name(bound.counter) + " in [" + lower + ", " + base::to_string(*bound.upper) + "]";
  }

  std::string sum(const PlaceUpdate& update) const {
    std::vector<std::string> terms;
    for (const WeightedPlace& source : update.sources) {
      if (source.weight <= kLongestSum)
        terms.insert(terms.end(), source.weight.get_ui(), name(source.place));
      else
        terms.push_back(base::to_string(source.weight) + " * " + name(source.place));
    }
    const std::string out = terms.empty() ? "0" : joined(terms, " + ");
    if (update.constant < 0) return out + " - " + base::to_string(-update.constant);
    std::string constant = base::to_string(update.constant);
    if (terms.empty()) return constant;
    return update.constant == 0 ? out : out + " + " + constant;
  }

  std::string invariant(const std::vector<WeightedPlace>& weights) const {
    std::vector<std::string> parts;
    for (const WeightedPlace& weighted : weights)
      parts.push_back(name(weighted.place) + " = " + base::to_string(weighted.weight));
    return joined(parts, ", ");
  }

  const std::string& name(PlaceId place) const { return net_.places[place.index()]; }
  void line(const std::string& text) { out_ += "    " + text + "\n"; }

  const PetriNet& net_;
  std::string out_;
};

}  // namespace

std::optional<std::string> cannot_print_spec(const NetFile& file) {
  if (file.initial.size() > 1) return "it has several initial regions, the format has one";
  for (const std::string& name : file.model.places)
    if (!can_name_a_place(name)) return unwritable_place(name);
  for (const model::Region& target : file.targets)
    if (!target.condition.is_true())
      return "a target joins comparisons or compares sums, the format has bounds on places";
  return std::nullopt;
}

std::string print_spec(const NetFile& file) {
  HEDDLE_INVARIANT(!cannot_print_spec(file), "a file should be one that .spec can hold");
  return SpecPrinter(file.model).print(file);
}

}  // namespace heddle::frontend::petri
