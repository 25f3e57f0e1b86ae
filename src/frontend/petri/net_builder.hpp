#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/petri/ordinary_net.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::petri {

/// Puts a net with arcs together from names, in the order places, transitions, arcs and marks, then
/// `finish`. Mistakes are reported. An arc or a mark given twice counts twice. Names are views:
/// what they point to must outlive the builder.
class NetBuilder {
 public:
  explicit NetBuilder(text::Problems& problems) : problems_(problems) {}

  void declare(const text::Token& name, bool is_place);

  /// From a place to a transition or from a transition to a place.
  void arc(const text::Token& from, const text::Token& to, const base::Integer& weight);
  /// An arc of a transition by its number.
  void consume(std::size_t transition, const text::Token& place, const base::Integer& weight);
  void produce(std::size_t transition, const text::Token& place, const base::Integer& weight);
  /// The transition needs so many tokens, whatever it takes; it needs fewer than so many.
  void test(std::size_t transition, const text::Token& place, const base::Integer& weight);
  void inhibit(std::size_t transition, const text::Token& place, const base::Integer& weight);
  void mark(const text::Token& place, const base::Integer& tokens);
  void set_note(std::size_t transition, std::string note) { notes_[transition] = std::move(note); }

  /// Turns the arcs into transitions.
  void finish();

  const PlaceTable& places() const { return places_; }
  const PlaceTable& transitions() const { return transitions_; }
  const model::PetriNet& net() const { return net_; }
  const model::Counts& marking() const { return marking_; }
  model::PetriNet take_net() { return std::move(net_); }

 private:
  /// What test and inhibitor arcs ask of a place.
  struct Interval {
    text::Token place;
    base::Integer least = 0;
    std::optional<base::Integer> most = std::nullopt;
  };
  using Intervals = std::map<model::PlaceId, Interval>;

  std::optional<model::PlaceId> place(const text::Token& name);
  void guard(model::PetriTransition& transition, const Intervals& intervals);

  text::Problems& problems_;
  PlaceTable places_;
  PlaceTable transitions_;  ///< numbered like places
  std::vector<std::string> transition_names_;
  std::vector<std::string> notes_;
  std::vector<std::uint32_t> lines_;
  std::vector<Arcs> arcs_;
  std::vector<Intervals> intervals_;  ///< by transition
  model::Counts marking_;
  model::PetriNet net_;
};

}  // namespace heddle::frontend::petri
