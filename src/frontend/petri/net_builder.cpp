#include "frontend/petri/net_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/printable.hpp"

namespace heddle::frontend::petri {

using base::Integer;
using text::Token;

void NetBuilder::declare(const Token& name, bool is_place) {
  if (name.text.empty())
    return problems_.error(name, "a name is empty", "every place and transition has a name");
  if (base::printable(name.text) != name.text || name.text.find('\t') != std::string_view::npos)
    return problems_.error(name, "a name holds what cannot be shown: " + text::describe(name),
                           "names are text in UTF-8 without control characters");
  const bool is_new = is_place ? !transitions_.find(name.text) && places_.declare(name.text)
                               : !places_.find(name.text) && transitions_.declare(name.text);
  if (!is_new)
    return problems_.error(name, text::describe(name) + " is declared twice",
                           "every place and every transition has a name of its own");
  if (is_place) {
    net_.places.emplace_back(name.text);
    return;
  }
  transition_names_.emplace_back(name.text);
  lines_.push_back(name.line);
  notes_.emplace_back();
  arcs_.emplace_back();
  intervals_.emplace_back();
}

void NetBuilder::arc(const Token& from, const Token& to, const Integer& weight) {
  const auto source = transitions_.find(from.text);
  const auto target = transitions_.find(to.text);
  if (source && target)
    return problems_.error(to, "an arc joins two transitions",
                           "arcs lead from places to transitions and from transitions to places");
  if (source) return produce(source->index(), to, weight);
  if (target) return consume(target->index(), from, weight);
  for (const Token& name : {from, to})
    if (!places_.find(name.text)) {
      place(name);
      return;
    }
  problems_.error(to, "an arc joins two places",
                  "arcs lead from places to transitions and from transitions to places");
}

void NetBuilder::consume(std::size_t transition, const Token& name, const Integer& weight) {
  if (const auto id = place(name)) arcs_[transition].consume.add(*id, weight);
}

void NetBuilder::produce(std::size_t transition, const Token& name, const Integer& weight) {
  if (const auto id = place(name)) arcs_[transition].produce.add(*id, weight);
}

void NetBuilder::test(std::size_t transition, const Token& name, const Integer& weight) {
  const auto id = place(name);
  if (!id) return;
  Interval& interval = intervals_[transition].try_emplace(*id, Interval{name}).first->second;
  interval.least = std::max(interval.least, weight);
}

void NetBuilder::inhibit(std::size_t transition, const Token& name, const Integer& weight) {
  const auto id = place(name);
  if (!id) return;
  if (weight == 0)
    return problems_.error(name, "an inhibitor arc of weight 0 always inhibits",
                           "leave out the transition");
  Interval& interval = intervals_[transition].try_emplace(*id, Interval{name}).first->second;
  if (!interval.most || weight <= *interval.most) interval.most = weight - 1;
}

void NetBuilder::guard(model::PetriTransition& transition, const Intervals& intervals) {
  for (const auto& [id, interval] : intervals) {
    if (interval.least == 0 && !interval.most) continue;
    auto at = std::ranges::lower_bound(transition.guard, id, {}, &model::CounterBound::counter);
    if (at == transition.guard.end() || at->counter != id)
      at = transition.guard.insert(at, {id, 0, std::nullopt});
    at->lower = std::max(at->lower, interval.least);
    at->upper = interval.most;
    if (at->upper && *at->upper < at->lower)
      problems_.error(
          interval.place,
          "a transition needs the tokens in " + text::describe(interval.place) + " that inhibit it",
          "leave out the transition: it can never fire");
  }
}

void NetBuilder::mark(const Token& name, const Integer& tokens) {
  if (const auto id = place(name)) marking_.add(*id, tokens);
}

std::optional<model::PlaceId> NetBuilder::place(const Token& name) {
  const auto id = places_.find(name.text);
  if (!id)
    problems_.error(name, "there is no place or transition " + text::describe(name),
                    places_.suggestion(name.text));
  return id;
}

void NetBuilder::finish() {
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    model::add_transition(net_, std::move(transition_names_[i]), arcs_[i].consume,
                          arcs_[i].produce);
    net_.transitions.back().note = std::move(notes_[i]);
    net_.transitions.back().line = lines_[i];
    guard(net_.transitions.back(), intervals_[i]);
  }
}

}  // namespace heddle::frontend::petri
