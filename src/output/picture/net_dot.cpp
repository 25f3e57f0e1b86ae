#include "output/picture/net_dot.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "output/picture/dot.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using base::Integer;
using model::Counter;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceUpdate;

constexpr std::size_t kLongestPlaceName = 18;
constexpr std::size_t kMostPerPlace = 6;  ///< in a large net: transitions drawn for one place
constexpr std::size_t kLongestTarget = 90;

std::set<Counter> places_of(const PetriTransition& t) {
  std::set<Counter> places;
  for (const model::CounterBound& bound : t.guard) places.insert(bound.counter);
  for (const PlaceUpdate& update : t.updates) {
    places.insert(update.place);
    for (const model::WeightedPlace& source : update.sources) places.insert(source.place);
  }
  return places;
}

std::string initial_tokens(const model::CountingQuestion& question, Counter place) {
  for (const model::Region& region : question.initial)
    if (const auto* bound = region.find(place)) {
      if (!bound->upper) return bound->lower == 0 ? "any" : "≥" + base::to_string(bound->lower);
      if (*bound->upper > 0) return base::to_string(*bound->upper);
    }
  return {};
}

std::string wanted_tokens(const model::CountingQuestion& question, Counter place) {
  for (const model::Region& region : question.targets)
    if (const auto* bound = region.find(place); bound && bound->lower > 0)
      return "≥" + base::to_string(bound->lower);
  return {};
}

/// The nodes to draw: all of a small net; of a large one, breadth first from where it matters.
struct Part {
  std::set<Counter> places;
  std::set<std::size_t> transitions;
};

/// Breadth first from the seeds in `open`, until the part is as large as a picture may be.
class Growth {
 public:
  explicit Growth(const PetriNet& net) : net_(net) {
    for (std::size_t i = 0; i < net.transitions.size(); ++i)
      for (const Counter place : places_of(net.transitions[i])) users_[place].push_back(i);
  }

  void grow(std::deque<Counter> open) {
    for (; !open.empty() && !full(); open.pop_front())
      if (part_.places.insert(open.front()).second)
        std::ranges::copy(take_users(open.front()), std::back_inserter(open));
  }

  Part finish() { return std::move(part_); }

 private:
  bool full() const { return part_.places.size() + part_.transitions.size() >= kMostDrawnNetNodes; }

  /// Takes some transitions of the place; returns the places that they lead to.
  std::vector<Counter> take_users(Counter place) {
    std::vector<Counter> next;
    std::size_t drawn = 0;
    for (const std::size_t t : users_[place]) {
      if (full() || ++drawn > kMostPerPlace) break;
      if (part_.transitions.insert(t).second)
        std::ranges::copy(places_of(net_.transitions[t]), std::back_inserter(next));
    }
    return next;
  }

  const PetriNet& net_;
  std::map<Counter, std::vector<std::size_t>> users_;
  Part part_;
};

Part nearest_part(const PetriNet& net, const model::CountingQuestion& question) {
  std::deque<Counter> targets, marked, all;
  for (std::size_t i = 0; i < net.places.size(); ++i) {
    const Counter place(i);
    all.push_back(place);
    if (!wanted_tokens(question, place).empty()) targets.push_back(place);
    if (!initial_tokens(question, place).empty()) marked.push_back(place);
  }
  Growth growth(net);
  std::ranges::copy(marked, std::back_inserter(targets));
  growth.grow(std::move(targets));
  growth.grow(std::move(all));
  return growth.finish();
}

Part whole(const PetriNet& net) {
  Part part;
  for (std::size_t i = 0; i < net.places.size(); ++i) part.places.insert(Counter(i));
  for (std::size_t i = 0; i < net.transitions.size(); ++i) part.transitions.insert(i);
  return part;
}

class NetDot {
 public:
  NetDot(const PetriNet& net, const model::CountingQuestion& question)
      : net_(net),
        question_(question),
        large_(net.places.size() + net.transitions.size() > kMostDrawnNetNodes),
        part_(large_ ? nearest_part(net, question) : whole(net)) {}

  std::string draw(const std::string& name) {
    for (const Counter place : part_.places) draw_place(place);
    for (const std::size_t t : part_.transitions) draw_transition(t);
    return "digraph net {\n" + head(name).text() +
           "  node [fontname=\"DejaVu Sans\", fontsize=10];\n"
           "  edge [fontname=\"DejaVu Sans\", fontsize=9, color=\"#44557a\"];\n" +
           out_ + "}\n";
  }

 private:
  static std::string place_node(Counter place) { return "p" + std::to_string(place.value); }

  /// Only marks that were drawn have a line.
  DotHead head(const std::string& name) const {
    DotHead head(name);
    if (large_)
      head.remark("drawn: " + std::to_string(part_.places.size()) + " of " +
                  counted(net_.places.size(), "place") + ", " +
                  std::to_string(part_.transitions.size()) + " of " +
                  counted(net_.transitions.size(), "transition") +
                  ", those nearest to targets and initial tokens");
    name_targets(head);
    if (marks_.initial) head.node("#d3efd9", "#000000", "place with initial tokens");
    if (marks_.target) head.node("#ffffff", "#b3261e", "place of a target");
    if (marks_.cut) head.edge("┄┄", "#000000", "transition with more arcs than are drawn");
    if (marks_.test) head.edge("┄┄▷ ≥n", "#44557a", "needs n tokens, takes fewer or none");
    if (marks_.inhibitor) head.edge("──○ ≤n", "#b3261e", "needs at most n tokens");
    if (marks_.reset) head.edge("──◆ all", "#c25e00", "empties the place");
    if (marks_.transfer) head.edge("━━► p", "#c25e00", "gives as many tokens as p had");
    return head;
  }

  /// A target is reached if all that it asks for is there at once.
  void name_targets(DotHead& head) const {
    std::vector<std::string> texts;
    for (const model::Region& target : question_.targets)
      texts.push_back(shortened(model::target_to_string(net_, target), kLongestTarget) +
                      (target.bounds.size() > 1 ? " at once" : ""));
    head.targets(texts);
  }

  void draw_place(Counter place) {
    const std::string& name = net_.places[place.index()];
    const std::string tokens = initial_tokens(question_, place);
    const std::string wanted = wanted_tokens(question_, place);
    std::string label = shortened(name, kLongestPlaceName);
    if (!tokens.empty()) label += "\n● " + tokens;
    if (!wanted.empty()) label += "\ntarget " + wanted;
    marks_.initial = marks_.initial || !tokens.empty();
    marks_.target = marks_.target || !wanted.empty();
    std::string look = "shape=ellipse";
    if (!tokens.empty()) look += ", style=filled, fillcolor=\"#d3efd9\"";
    if (!wanted.empty()) look += ", color=\"#b3261e\", penwidth=2, peripheries=2";
    out_ += "  " + place_node(place) + " [" + look + ", label=" + dot_quoted(label) +
            ", tooltip=" + dot_quoted(name) + "];\n";
  }

  void draw_transition(std::size_t i) {
    const PetriTransition& t = net_.transitions[i];
    const std::string node = "t" + std::to_string(i);
    const std::string name = t.name.empty() ? std::to_string(i) : t.name;
    std::string title = name + (t.line == 0 ? "" : ", line " + std::to_string(t.line));
    if (!t.note.empty()) title += "\n" + t.note;
    const bool cut = std::ranges::any_of(
        places_of(t), [&](Counter place) { return !part_.places.contains(place); });
    marks_.cut = marks_.cut || cut;
    out_ += "  " + node +
            " [shape=box, height=0.3, width=0.3, fillcolor=\"#eef1f7\", style=\"filled" +
            std::string(cut ? ",dashed" : "") +
            "\", label=" + dot_quoted(shortened(name, kLongestPlaceName)) +
            ", tooltip=" + dot_quoted(title) + "];\n";
    for (const Counter place : places_of(t))
      if (part_.places.contains(place)) draw_arcs(node, t, place);
  }

  void arc(const std::string& from, const std::string& to, const std::string& label,
           const std::string& look) {
    out_ += "  " + from + " -> " + to + " [label=" + dot_quoted(label) +
            (look.empty() ? "" : ", " + look) + "];\n";
  }

  static std::string weight_label(const Integer& weight) {
    return weight == 1 ? "" : base::to_string(weight);
  }

  /// All arcs between a transition and a place: what it takes, tests, gives, resets, transfers.
  void draw_arcs(const std::string& node, const PetriTransition& t, Counter place) {
    const auto update = std::ranges::find(t.updates, place, &PlaceUpdate::place);
    const auto guard = std::ranges::find(t.guard, place, &model::CounterBound::counter);
    const bool updated = update != t.updates.end();
    const bool shift = updated && update->is_shift();
    const Integer change = shift ? update->constant : Integer(0);
    const Integer needed = guard == t.guard.end() ? Integer(0) : guard->lower;
    if (change < 0) arc(place_node(place), node, weight_label(-change), "");
    if (change > 0) arc(node, place_node(place), weight_label(change), "");
    if (needed > 0 && needed > -change) {
      arc(place_node(place), node, "≥" + base::to_string(needed),
          "style=dashed, arrowhead=onormal");
      marks_.test = true;
    }
    if (guard != t.guard.end() && guard->upper) {
      arc(place_node(place), node, "≤" + base::to_string(*guard->upper),
          "arrowhead=odot, color=\"#b3261e\"");
      marks_.inhibitor = true;
    }
    if (updated && !shift) draw_rewrite(node, *update);
  }

  /// A reset, a transfer, or any other update that reads places.
  void draw_rewrite(const std::string& node, const PlaceUpdate& update) {
    const bool keeps = std::ranges::any_of(update.sources, [&](const model::WeightedPlace& source) {
      return source.place == update.place;
    });
    if (!keeps) {
      arc(place_node(update.place), node, "all",
          "arrowhead=diamond, color=\"#c25e00\", fontcolor=\"#c25e00\"");
      marks_.reset = true;
    }
    for (const model::WeightedPlace& source : update.sources) {
      if (source.place == update.place && source.weight == 1) continue;
      arc(node, place_node(update.place),
          (source.weight == 1 ? "" : base::to_string(source.weight) + "·") +
              shortened(net_.places[source.place.index()], kLongestPlaceName),
          "penwidth=2, color=\"#c25e00\", fontcolor=\"#c25e00\"");
      marks_.transfer = true;
    }
    if (update.constant > 0)
      arc(node, place_node(update.place), base::to_string(update.constant), "");
    if (update.constant < 0)
      arc(place_node(update.place), node, base::to_string(Integer(-update.constant)), "");
  }

  const PetriNet& net_;
  const model::CountingQuestion& question_;
  bool large_;
  Part part_;
  std::string out_;
  struct {
    bool initial = false, target = false, cut = false, test = false, inhibitor = false,
         reset = false, transfer = false;
  } marks_;
};

}  // namespace

std::string net_dot(const PetriNet& net, const model::CountingQuestion& question,
                    const std::string& name) {
  return NetDot(net, question).draw(name);
}

}  // namespace heddle::output::picture
