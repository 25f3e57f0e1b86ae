#include "frontend/petri/property_set.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <pugixml.hpp>
#include <utility>

#include "base/printable.hpp"
#include "frontend/petri/marking_sets.hpp"
#include "frontend/petri/net_printing.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/petri/xml_reader.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using pugi::xml_node;

constexpr std::string_view kPathHint =
    "a question is exists-path/finally or all-paths/globally around a condition on the marking";
constexpr std::string_view kConditionHint =
    "a condition compares sums of places and constants, or is is-fireable or deadlock, and "
    "conjunction, disjunction and negation join conditions";

constexpr std::array<std::pair<std::string_view, Relation>, 6> kRelationElements = {{
    {"integer-le", Relation::LessEqual},
    {"integer-lt", Relation::Less},
    {"integer-ge", Relation::GreaterEqual},
    {"integer-gt", Relation::Greater},
    {"integer-eq", Relation::Equal},
    {"integer-ne", Relation::NotEqual},
}};

std::vector<xml_node> elements(const xml_node& parent) {
  std::vector<xml_node> out;
  for (const xml_node& node : parent.children())
    if (node.type() == pugi::node_element) out.push_back(node);
  return out;
}

class PropertyReader {
 public:
  PropertyReader(const model::PetriNet& net, const SourceText& source)
      : net_(net), source_(source), xml_(source), places_(net.places) {
    for (const auto& transition : net.transitions) transition_names_.push_back(transition.name);
    for (const std::string& name : transition_names_) transitions_.declare(name);
  }

  base::Parsed<std::vector<model::Region>> run();

 private:
  using Maybe = std::optional<MarkingSet>;

  Maybe property();
  xml_node chosen(const xml_node& set);
  Maybe question(const xml_node& formula);
  Maybe condition(const xml_node& node, bool negated);
  Maybe parts(const xml_node& node, bool negated, bool meet);
  Maybe comparison(const xml_node& node, Relation relation, bool negated);
  Maybe fireable(const xml_node& node, bool negated);
  Maybe deadlock(const xml_node& node, bool negated);
  /// Can one of these transitions fire, or, if negated, none?
  Maybe some_fires(const xml_node& node,
                   const std::vector<const model::PetriTransition*>& transitions, bool negated);
  std::optional<LinearSum> term(const xml_node& node);
  std::optional<LinearSum> token_count(const xml_node& node);
  std::optional<LinearSum> product(const xml_node& node);
  std::nullopt_t not_linear(const xml_node& at, const std::string& why);
  std::nullopt_t refuse(const xml_node& at, const std::string& why, std::string_view hint);
  bool too_deep(const xml_node& at);

  const model::PetriNet& net_;
  const SourceText& source_;
  XmlReader xml_;
  pugi::xml_document document_;
  PlaceTable places_;
  std::vector<std::string> transition_names_;
  PlaceTable transitions_;
  std::string id_;
  unsigned depth_ = 0;
};

base::Parsed<std::vector<model::Region>> PropertyReader::run() {
  Maybe targets;
  if (xml_.load(document_)) targets = property();
  if (xml_.problems().any_error()) return std::unexpected(xml_.problems().take_errors());
  return std::move(*targets);
}

PropertyReader::Maybe PropertyReader::property() {
  const xml_node set = child(document_, "property-set");
  if (!set) {
    xml_.problems().error("there is no element 'property-set'",
                          "a property file is one of the Model Checking Contest's");
    return std::nullopt;
  }
  const xml_node property = chosen(set);
  if (!property) return std::nullopt;
  id_ = base::printable(trimmed_text(child(property, "id")));
  const auto formula = elements(child(property, "formula"));
  if (formula.size() != 1) return refuse(property, "it has no formula", kPathHint);
  auto targets = question(formula[0]);
  if (!targets) return std::nullopt;
  return to_targets(std::move(*targets));
}

/// The property that the name of the source asks for, or the only one.
xml_node PropertyReader::chosen(const xml_node& set) {
  const std::size_t mark = source_.name.find_last_of("#/");
  const bool is_named = mark != std::string::npos && source_.name[mark] == '#';
  const std::string wanted = is_named ? source_.name.substr(mark + 1) : "";
  std::vector<xml_node> found;
  std::vector<std::string> ids;
  for (const xml_node& node : elements(set)) {
    if (local_name(node) != "property") continue;
    ids.push_back(base::printable(trimmed_text(child(node, "id"))));
    if (!is_named || ids.back() == wanted) found.push_back(node);
  }
  if (found.size() == 1) return found[0];
  constexpr std::size_t kMostListed = 20;
  const bool is_long = ids.size() > kMostListed;
  ids.resize(std::min(ids.size(), kMostListed));
  const std::string all = joined(ids, ", ") + (is_long ? ", ..." : "");
  const std::string what = !is_named       ? "a single property"
                           : found.empty() ? "a property '" + base::printable(wanted) + "'"
                                           : "a single property '" + base::printable(wanted) + "'";
  xml_.error(set, "the file does not hold " + what,
             ids.empty()
                 ? "it holds none at all"
                 : "name one behind the file, as in 'file.xml#" + ids[0] + "'; there are " + all);
  return {};
}

/// `EF f` asks for f, `AG f` for its negation. A negation in front changes what the answer means,
/// not what must be reached for it.
PropertyReader::Maybe PropertyReader::question(const xml_node& formula) {
  xml_node node = formula;
  for (;;) {
    const auto inner = elements(node);
    const std::string_view name = local_name(node);
    if (name == "negation" && inner.size() == 1) {
      node = inner[0];
      continue;
    }
    if ((name == "possibility" || name == "impossibility") && inner.size() == 1)
      return condition(inner[0], false);
    if (name == "invariant" && inner.size() == 1) return condition(inner[0], true);
    const bool exists = name == "exists-path";
    if ((!exists && name != "all-paths") || inner.size() != 1)
      return refuse(node, "'" + std::string(name) + "' does not ask what can be reached",
                    kPathHint);
    const auto body = elements(inner[0]);
    if (local_name(inner[0]) != (exists ? "finally" : "globally") || body.size() != 1)
      return refuse(inner[0],
                    "'" + std::string(name) + "' of '" + std::string(local_name(inner[0])) +
                        "' does not ask what can be reached",
                    kPathHint);
    return condition(body[0], !exists);
  }
}

PropertyReader::Maybe PropertyReader::condition(const xml_node& node, bool negated) {
  if (too_deep(node)) return std::nullopt;
  const std::string_view name = local_name(node);
  if (name == "true" || name == "false")
    return (name == "true") != negated ? all_markings() : no_markings();
  if (name == "conjunction") return parts(node, negated, !negated);
  if (name == "disjunction") return parts(node, negated, negated);
  if (name == "negation") return parts(node, !negated, true);
  if (name == "is-fireable") return fireable(node, negated);
  if (name == "deadlock") return deadlock(node, negated);
  for (const auto& [symbol, relation] : kRelationElements)
    if (name == symbol) return comparison(node, relation, negated);
  return refuse(node, "'" + std::string(name) + "' is not a condition on the marking",
                kConditionHint);
}

/// All operands, joined by intersection if they must `meet`, by union otherwise.
PropertyReader::Maybe PropertyReader::parts(const xml_node& node, bool negated, bool meet) {
  const auto operands = elements(node);
  if (operands.empty())
    return refuse(node, "'" + std::string(local_name(node)) + "' is empty", kConditionHint);
  MarkingSet out = meet ? all_markings() : no_markings();
  for (const xml_node& operand : operands) {
    ++depth_;
    const Maybe part = condition(operand, negated);
    --depth_;
    if (!part) return std::nullopt;
    out = meet ? intersect(std::move(out), *part) : unite(std::move(out), *part);
  }
  return out;
}

PropertyReader::Maybe PropertyReader::comparison(const xml_node& node, Relation relation,
                                                 bool negated) {
  const auto operands = elements(node);
  if (operands.size() != 2)
    return refuse(node, "'" + std::string(local_name(node)) + "' needs two numbers",
                  kConditionHint);
  auto left = term(operands[0]);
  if (!left) return std::nullopt;
  const auto right = term(operands[1]);
  if (!right) return std::nullopt;
  left->add(*right, -1);
  return where(*left, negated ? negation(relation) : relation);
}

PropertyReader::Maybe PropertyReader::fireable(const xml_node& node, bool negated) {
  std::vector<const model::PetriTransition*> listed;
  for (const xml_node& transition : elements(node)) {
    const std::string_view name = trimmed_text(transition);
    const auto id = transitions_.find(name);
    if (!id)
      return refuse(transition, "there is no transition '" + base::printable(name) + "'",
                    transitions_.suggestion(name));
    listed.push_back(&net_.transitions[id->index()]);
  }
  return some_fires(node, listed, negated);
}

PropertyReader::Maybe PropertyReader::deadlock(const xml_node& node, bool negated) {
  std::vector<const model::PetriTransition*> all;
  for (const model::PetriTransition& transition : net_.transitions) all.push_back(&transition);
  return some_fires(node, all, !negated);
}

PropertyReader::Maybe PropertyReader::some_fires(
    const xml_node& node, const std::vector<const model::PetriTransition*>& transitions,
    bool negated) {
  MarkingSet out = negated ? all_markings() : no_markings();
  for (const model::PetriTransition* transition : transitions) {
    const auto part = where_fireable(*transition, negated);
    if (!part) return not_linear(node, part.error());
    out = negated ? intersect(std::move(out), *part) : unite(std::move(out), *part);
  }
  return out;
}

std::optional<LinearSum> PropertyReader::product(const xml_node& node) {
  LinearSum out{{}, 1};
  for (const xml_node& operand : elements(node)) {
    ++depth_;
    auto part = term(operand);
    --depth_;
    if (!part) return std::nullopt;
    if (!part->weights.empty()) std::swap(out, *part);
    if (!part->weights.empty()) return not_linear(node, "it multiplies places");
    LinearSum scaled;
    if (part->constant != 0) scaled.add(out, part->constant);
    out = std::move(scaled);
  }
  return out;
}

std::optional<LinearSum> PropertyReader::term(const xml_node& node) {
  if (too_deep(node)) return std::nullopt;
  const std::string_view name = local_name(node);
  if (name == "tokens-count") return token_count(node);
  if (name == "integer-constant") {
    const auto value = base::parse_integer(trimmed_text(node));
    if (!value) return refuse(node, "'integer-constant' holds no number", kConditionHint);
    return LinearSum{{}, *value};
  }
  if (name == "integer-product") return product(node);
  if (name != "integer-sum" && name != "integer-difference")
    return refuse(node, "'" + std::string(name) + "' is not a number of tokens", kConditionHint);
  LinearSum out;
  bool is_first = true;
  for (const xml_node& operand : elements(node)) {
    ++depth_;
    const auto part = term(operand);
    --depth_;
    if (!part) return std::nullopt;
    out.add(*part, is_first || name == "integer-sum" ? 1 : -1);
    is_first = false;
  }
  return out;
}

std::optional<LinearSum> PropertyReader::token_count(const xml_node& node) {
  LinearSum out;
  for (const xml_node& place : elements(node)) {
    const std::string_view name = trimmed_text(place);
    const auto id = places_.find(name);
    if (!id)
      return refuse(place, "there is no place '" + base::printable(name) + "'",
                    places_.suggestion(name));
    out.add(*id, 1);
  }
  return out;
}

std::nullopt_t PropertyReader::not_linear(const xml_node& at, const std::string& why) {
  return refuse(
      at, "'" + std::string(local_name(at)) + "' is not a linear question about markings: " + why,
      kConditionHint);
}

std::nullopt_t PropertyReader::refuse(const xml_node& at, const std::string& why,
                                      std::string_view hint) {
  xml_.error(at, "property " + (id_.empty() ? "without id" : id_) + ": " + why, std::string(hint));
  return std::nullopt;
}

bool PropertyReader::too_deep(const xml_node& at) {
  if (depth_ < kDeepestFormula) return false;
  refuse(at, "the formula is nested more than " + std::to_string(kDeepestFormula) + " deep",
         "simplify it");
  return true;
}

}  // namespace

base::Parsed<std::vector<model::Region>> parse_property_set(const model::PetriNet& net,
                                                            const SourceText& source) {
  return PropertyReader(net, source).run();
}

}  // namespace heddle::frontend::petri
