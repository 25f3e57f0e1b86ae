#include "frontend/petri/pnml.hpp"

#include <variant>

#include "base/invariant.hpp"
#include "base/printable.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/ordinary_net.hpp"
#include "frontend/question_comments.hpp"

namespace heddle::frontend::petri {

namespace {

using model::PetriNet;

/// Attributes read every blank as a space.
bool is_pnml_id(const std::string& name) {
  return !name.empty() && base::printable(name) == name && name.find('\t') == std::string::npos;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string labelled(std::string_view element, const std::string& text) {
  return "<" + std::string(element) + "><text>" + escaped(text) + "</text></" +
         std::string(element) + ">";
}

class PnmlPrinter {
 public:
  explicit PnmlPrinter(const PetriNet& net) : net_(net) {}

  std::string print(const NetFile& file) {
    const auto ids = transition_names(net_, is_pnml_id);
    reserve_prefix(net_.places);
    reserve_prefix(ids);
    out_ = std::string("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") +
           question_comments(NetFile{net_, {}, file.targets, {}}, kXmlComment) +
           "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
           "  <net id=\"" +
           prefix_ +
           "net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n"
           "    <page id=\"" +
           prefix_ + "page\">\n";
    const model::Counts marking = initial_marking(file);
    for (model::PlaceId place(0u); place.index() < net_.places.size(); place.value++)
      print_place(net_.places[place.index()], marking[place]);
    for (std::size_t i = 0; i < ids.size(); ++i) print_transition(ids[i], net_.transitions[i]);
    out_ += "    </page>\n  </net>\n</pnml>\n";
    return std::move(out_);
  }

 private:
  /// Ids that are made up start with what no name starts with.
  void reserve_prefix(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      while (name.starts_with(prefix_)) prefix_ += "_";
  }

  void print_place(const std::string& id, const base::Integer& tokens) {
    out_ += "      <place id=\"" + escaped(id) + "\">";
    if (tokens != 0) out_ += labelled("initialMarking", base::to_string(tokens));
    out_ += "</place>\n";
  }

  void print_transition(const std::string& id, model::PetriTransition transition) {
    out_ += "      <transition id=\"" + escaped(id) + "\">";
    if (!transition.note.empty()) out_ += labelled("name", transition.note);
    out_ += "</transition>\n";
    const std::vector<model::CounterBound> inhibitors = take_upper_bounds(transition);
    const Arcs arcs = arcs_of(transition);
    for (const auto& [place, weight] : arcs.consume.entries())
      print_arc(net_.places[place.index()], id, weight);
    for (const model::CounterBound& bound : inhibitors)
      print_arc(net_.places[bound.counter.index()], id, *bound.upper + 1, "inhibitor");
    for (const auto& [place, weight] : arcs.produce.entries())
      print_arc(id, net_.places[place.index()], weight);
  }

  void print_arc(const std::string& source, const std::string& target, const base::Integer& weight,
                 std::string_view type = {}) {
    out_ += "      <arc id=\"" + prefix_ + "arc" + std::to_string(++arcs_) + "\" source=\"" +
            escaped(source) + "\" target=\"" + escaped(target) + "\">";
    if (weight != 1) out_ += labelled("inscription", base::to_string(weight));
    if (!type.empty()) out_ += "<type value=\"" + std::string(type) + "\"/>";
    out_ += "</arc>\n";
  }

  const PetriNet& net_;
  std::size_t arcs_ = 0;
  std::string prefix_ = "_";
  std::string out_;
};

}  // namespace

std::optional<std::string> cannot_print_pnml(const NetFile& file) {
  if (auto reason = not_ordinary_but_for_inhibitors(file)) return reason;
  for (const std::string& name : file.model.places)
    if (!is_pnml_id(name)) return unwritable_place(name);
  return std::nullopt;
}

std::string print_pnml(const NetFile& file) {
  HEDDLE_INVARIANT(!cannot_print_pnml(file), "a file should be one that PNML can hold");
  return PnmlPrinter(file.model).print(file);
}

}  // namespace heddle::frontend::petri
