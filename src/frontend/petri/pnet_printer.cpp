#include "frontend/petri/pnet.hpp"

#include <variant>

#include "base/invariant.hpp"
#include "base/printable.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using model::Counts;
using model::PetriNet;
using model::PlaceId;

/// Between quotes: anything that fits on a line, without quotes and escapes.
bool is_pnet_name(const std::string& name) {
  return !name.empty() && base::printable(name) == name &&
         name.find_first_of("\"\\\t") == std::string::npos;
}

/// Quotes only where they are needed.
std::string in_quotes(const std::string& name) {
  text::Lexer lexer(name, pnet_dialect());
  const text::Token word = lexer.next();
  const bool is_word = word.kind == text::TokenKind::Word && word.text == name;
  return is_word && name != "true" && name != "false" ? name : "\"" + name + "\"";
}

class PnetPrinter {
 public:
  explicit PnetPrinter(const PetriNet& net)
      : net_(net), transitions_(transition_names(net, is_pnet_name)) {}

  std::string print(const NetFile& file) {
    out_ += "petri net {\n  places {\n";
    for (const std::string& name : net_.places) out_ += "    " + in_quotes(name) + "\n";
    out_ += "  }\n  transitions {\n";
    for (const std::string& name : transitions_) out_ += "    " + in_quotes(name) + "\n";
    out_ += "  }\n  arcs {\n";
    for (std::size_t i = 0; i < transitions_.size(); ++i) arcs(i);
    out_ += "  }\n  initial {\n";
    const Counts marking = initial_marking(file);
    for (const auto& [place, tokens] : marking.entries())
      out_ += "    " + name(place) + option(tokens) + "\n";
    out_ += "  }\n}\n";
    for (const model::Region& target : file.targets)
      out_ += "\nsafety property {\n  " + target_text(target, words()) + "\n}\n";
    return std::move(out_);
  }

 private:
  void arcs(std::size_t transition) {
    const Arcs arcs = arcs_of(net_.transitions[transition]);
    const std::string self = in_quotes(transitions_[transition]);
    for (const auto& [place, weight] : arcs.consume.entries())
      out_ += "    " + name(place) + " ->" + option(weight) + " " + self + "\n";
    for (const auto& [place, weight] : arcs.produce.entries())
      out_ += "    " + self + " ->" + option(weight) + " " + name(place) + "\n";
  }

  static std::string option(const base::Integer& number) {
    return number == 1 ? "" : "[" + base::to_string(number) + "]";
  }

  model::ConditionWords words() const {
    return {[this](PlaceId place) { return name(place); }, " && ", " || ", "true", "false"};
  }

  std::string name(PlaceId place) const { return in_quotes(net_.places[place.index()]); }

  const PetriNet& net_;
  std::vector<std::string> transitions_;
  std::string out_;
};

}  // namespace

std::optional<std::string> cannot_print_pnet(const NetFile& file) {
  if (auto reason = not_ordinary(file)) return reason;
  for (const std::string& name : file.model.places)
    if (!is_pnet_name(name)) return unwritable_place(name);
  return std::nullopt;
}

std::string print_pnet(const NetFile& file) {
  HEDDLE_INVARIANT(!cannot_print_pnet(file), "a file should be one that .pnet can hold");
  return PnetPrinter(file.model).print(file);
}

}  // namespace heddle::frontend::petri
