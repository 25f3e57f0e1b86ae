#include "frontend/petri/pnml.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "frontend/petri/net_builder.hpp"
#include "frontend/petri/ordinary_net.hpp"
#include "frontend/petri/xml_reader.hpp"
#include "frontend/question_comments.hpp"

namespace heddle::frontend::petri {

namespace {

using namespace std::string_view_literals;
using base::Integer;
using pugi::xml_node;

constexpr std::string_view kOrdinaryHint =
    "place/transition nets can be read: weighted arcs, tokens without colours";
/// What only high-level nets and nets with priorities or time have.
constexpr std::array kRefused = {"hlinitialMarking"sv, "hlinscription"sv, "condition"sv,
                                 "declaration"sv,      "priority"sv,      "timing"sv};
/// What an arc may say about its kind and still be ordinary.
constexpr std::array kOrdinaryArcs = {""sv, "normal"sv, "regular"sv};
/// Needs tokens and leaves them.
constexpr std::array kTestArcs = {"test"sv, "read"sv};

/// The kind of an arc, by one of the three ways in which tools write it.
std::string_view kind_of_arc(const xml_node& arc) {
  if (const auto attribute = arc.attribute("type")) return attribute.value();
  for (const auto name : {"type"sv, "arctype"sv}) {
    const xml_node element = child(arc, name);
    if (!element) continue;
    if (const auto value = element.attribute("value")) return value.value();
    if (const xml_node text = child(element, "text")) return trimmed_text(text);
    return trimmed_text(element);
  }
  return {};
}

std::string note_of(std::string_view text) {
  std::string note;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (!line.empty()) note += (note.empty() ? "" : "\n") + base::printable(line);
  }
  return note;
}

/// Pages only group; so the nodes of all pages are collected first, whatever their nesting, and
/// then read in the order places, transitions, references, arcs.
class PnmlParser {
 public:
  explicit PnmlParser(const SourceText& source) : xml_(source), net_(xml_.problems()) {}

  base::Parsed<NetFile> run();

 private:
  void net();
  bool is_of_known_type(const xml_node& net);
  void collect(const xml_node& net);
  void place(const xml_node& node);
  void transition(const xml_node& node);
  void arc(const xml_node& node);
  void condition_arc(const xml_node& node, std::string_view kind);
  /// What an id stands for once references are followed.
  text::Token node_of(const xml_node& arc, const char* end);
  std::optional<Integer> number_in(const xml_node& parent, std::string_view name, Integer standard);
  bool full() { return xml_.problems().full(); }

  XmlReader xml_;
  pugi::xml_document document_;
  NetBuilder net_;
  std::vector<xml_node> places_, transitions_, arcs_;
  std::unordered_map<std::string_view, std::string_view> references_;
};

base::Parsed<NetFile> PnmlParser::run() {
  if (xml_.load(document_)) net();
  if (xml_.problems().any_error()) return std::unexpected(xml_.problems().take_errors());
  return NetFile{net_.take_net(), {exactly(net_.marking())}, {}, xml_.problems().take_warnings()};
}

void PnmlParser::net() {
  const xml_node root = child(document_, "pnml");
  if (!root)
    return xml_.problems().error("there is no element 'pnml'", "this is another kind of XML");
  // Nets with an interface stand in a module; without ports they are nets like others.
  const xml_node module = child(root, "module");
  const xml_node home = module && !child(root, "net") ? module : root;
  const xml_node net = child(home, "net");
  if (!net) return xml_.error(root, "there is no net", "'pnml' holds an element 'net'");
  const xml_node ports = child(home, "ports");
  const auto is_element = [](const xml_node& node) { return node.type() == pugi::node_element; };
  if (std::ranges::any_of(ports.children(), is_element))
    return xml_.error(ports, "the net has ports", "what is connected to them is not in the file");
  const auto is_net = [](const xml_node& node) { return local_name(node) == "net"; };
  if (std::ranges::count_if(home.children(), is_net) > 1)
    return xml_.error(net, "there are several nets", "put every net into a file of its own");
  if (!is_of_known_type(net)) return;
  collect(net);
  for (const xml_node& node : places_)
    if (!full()) place(node);
  for (const xml_node& node : transitions_)
    if (!full()) transition(node);
  for (const xml_node& node : arcs_)
    if (!full()) arc(node);
  net_.finish();
}

bool PnmlParser::is_of_known_type(const xml_node& net) {
  std::string type = net.attribute("type").value();
  std::ranges::transform(type, type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (type.empty() || type.find("ptnet") != std::string::npos ||
      type.find("p/t") != std::string::npos)
    return true;
  const std::string_view shown = net.attribute("type").value();
  xml_.problems().error(xml_.token(net, shown),
                        "nets of type '" + base::printable(shown) + "' cannot be read",
                        std::string(kOrdinaryHint));
  return false;
}

/// Walks without recursion, for pages may be nested as deep as the file is long.
void PnmlParser::collect(const xml_node& net) {
  std::vector<xml_node> pages = {net};
  for (std::size_t next = 0; next < pages.size(); ++next)
    for (const xml_node& node : xml_node(pages[next]).children()) {
      const std::string_view name = local_name(node);
      if (name == "page") pages.push_back(node);
      if (name == "place") places_.push_back(node);
      if (name == "transition") transitions_.push_back(node);
      if (name == "arc") arcs_.push_back(node);
      if (name == "referencePlace" || name == "referenceTransition")
        references_.try_emplace(node.attribute("id").value(), node.attribute("ref").value());
      if (std::ranges::count(kRefused, name) > 0 && !full())
        xml_.error(node, "'" + std::string(name) + "' cannot be read", std::string(kOrdinaryHint));
    }
}

std::optional<Integer> PnmlParser::number_in(const xml_node& parent, std::string_view name,
                                             Integer standard) {
  for (const xml_node& node : parent.children())
    if (std::ranges::count(kRefused, local_name(node)) > 0) {
      xml_.error(node, "'" + std::string(local_name(node)) + "' cannot be read",
                 std::string(kOrdinaryHint));
      return std::nullopt;
    }
  const xml_node element = child(parent, name);
  if (!element) return standard;
  const xml_node text = child(element, "text");
  return xml_.number(text ? text : element);
}

void PnmlParser::place(const xml_node& node) {
  const std::string_view id = node.attribute("id").value();
  net_.declare(xml_.token(node, id), true);
  const auto tokens = number_in(node, "initialMarking", 0);
  if (tokens && net_.places().find(id)) net_.mark(xml_.token(node, id), *tokens);
}

void PnmlParser::transition(const xml_node& node) {
  const std::string_view id = node.attribute("id").value();
  net_.declare(xml_.token(node, id), false);
  number_in(node, "", 0);
  if (xml_.problems().any_error()) return;
  const std::string_view name = trimmed_text(child(child(node, "name"), "text"));
  if (name != id) net_.set_note(net_.transitions().find(id)->index(), note_of(name));
}

text::Token PnmlParser::node_of(const xml_node& arc, const char* end) {
  std::string_view id = arc.attribute(end).value();
  // A chain of references is no longer than there are references, unless it is a circle. All that
  // lead along the chain lead to its end from now on.
  std::vector<std::string_view*> passed;
  while (passed.size() <= references_.size()) {
    const auto reference = references_.find(id);
    if (reference == references_.end() || reference->second == id) break;
    passed.push_back(&reference->second);
    id = reference->second;
  }
  for (std::string_view* reference : passed) *reference = id;
  return xml_.token(arc, id);
}

/// An arc that moves no tokens.
void PnmlParser::condition_arc(const xml_node& node, std::string_view kind) {
  const auto weight = number_in(node, "inscription", 1);
  const text::Token place = node_of(node, "source");
  const auto transition = net_.transitions().find(node_of(node, "target").text);
  if (!transition)
    return xml_.error(node, "an arc of type '" + base::printable(kind) + "' leads to no transition",
                      "it leads from a place to a transition");
  if (!weight) return;
  if (kind == "inhibitor")
    net_.inhibit(transition->index(), place, *weight);
  else
    net_.test(transition->index(), place, *weight);
}

void PnmlParser::arc(const xml_node& node) {
  const std::string_view kind = kind_of_arc(node);
  if (kind == "inhibitor" || std::ranges::count(kTestArcs, kind) > 0)
    return condition_arc(node, kind);
  if (std::ranges::count(kOrdinaryArcs, kind) == 0)
    return xml_.problems().error(xml_.token(node, kind),
                                 "arcs of type '" + base::printable(kind) + "' cannot be read",
                                 std::string(kOrdinaryHint));
  const auto weight = number_in(node, "inscription", 1);
  if (weight) net_.arc(node_of(node, "source"), node_of(node, "target"), *weight);
}

}  // namespace

bool recognises_pnml(std::string_view text) {
  return is_xml(text) && (text.find("<pnml") != std::string_view::npos ||
                          text.find(":pnml") != std::string_view::npos);
}

base::Parsed<NetFile> parse_pnml(const SourceText& source) {
  return with_question_comments(PnmlParser(source).run(), source, kXmlComment);
}

}  // namespace heddle::frontend::petri
