#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/invariant.hpp"
#include "model/boolean_program/syntax.hpp"
#include "model/configuration.hpp"
#include "model/petri_net.hpp"
#include "model/pushdown_system.hpp"
#include "model/thread_system.hpp"

namespace heddle::model {

/// Every kind of model that engines know.
using Model = std::variant<ThreadSystem, PetriNet, BooleanProgram, PushdownSystem>;

bool is_program(const Model& model);
bool is_pushdown(const Model& model);
/// Are configurations counts (of threads or tokens)? Those of programs are valuations, those of
/// pushdown systems are stacks.
bool is_counting(const Model& model);

/// Visits a model whose configurations are counts: a thread system or a net.
template <class Visitor>
decltype(auto) visit_counting(Visitor&& visitor, const Model& model) {
  HEDDLE_INVARIANT(is_counting(model), "a model should count threads or tokens here");
  if (const auto* net = std::get_if<PetriNet>(&model)) return visitor(*net);
  return visitor(std::get<ThreadSystem>(model));
}

/// Can a configuration of some initial region reach a configuration of some target region?
struct Question {
  std::vector<Region> initial;
  std::vector<Region> targets;
  /// At most so many contexts per thread, at least 1: a run is cut into rounds, and in each round
  /// every thread, in the order of their numbers, makes any number of steps in a row. Nothing: any
  /// number of rounds.
  std::optional<std::uint32_t> contexts = std::nullopt;
  /// Of a Boolean program: its `failure_labels`.
  std::vector<std::string> labels = {};
  friend bool operator==(const Question&, const Question&) = default;
};

/// A model and what is asked about it: all that an engine gets, all that a checker needs.
struct Task {
  Model model;
  Question question;
};

std::size_t counter_count(const Model& model);
std::size_t shared_count(const Model& model);
std::size_t transition_count(const Model& model);

/// "thread system", "Petri net", "Boolean program", "pushdown system".
std::string kind_name(const Model& model);

/// What people call the parts: `12` or, with a name from the file, `12 (m=0 ts=1)`; a place's name.
std::string shared_name(const Model& model, SharedState shared);
std::string counter_name(const Model& model, Counter counter);

/// `s|l,l,l` for thread systems (a count above 4 is written `l^17`), `p=1, q=2` for nets.
std::string to_string(const Model& model, const Configuration& configuration);

/// A region in the notation of the command line: `s|l,l/l` for the initial states of a thread
/// system, `s|l,l` for its targets, `p>=1, q=0` for nets (names that are no words in quotes),
/// `s|a,-` for pushdown systems; words for programs.
std::string initial_to_string(const Model& model, const Region& region);
std::string target_to_string(const Model& model, const Region& region);

}  // namespace heddle::model
