#include "check/diagrams/configuration_copies.hpp"

#include <algorithm>

#include "check/diagrams/diagram_support.hpp"

namespace heddle::check {

using answer::CallStack;
using answer::ConfigurationVariable;
using answer::PlaceDiagrams;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::NodeId;
using Kind = ConfigurationVariable::Kind;

ConfigurationCopies::ConfigurationCopies(const model::boolean::Flow& flow,
                                         const PlaceDiagrams& claim, std::size_t threads)
    : flow_(flow), count_(claim.variables.size()) {
  read_variables(claim, threads);
  if (!problem_ && claim.places.size() != threads)
    problem_ = "the threads are not those of the program";
  if (!problem_) read_places(claim);
  if (!problem_) compare_variables();
}

void ConfigurationCopies::read_variables(const PlaceDiagrams& claim, std::size_t threads) {
  std::map<ConfigurationVariable, std::uint32_t> levels;
  for (std::uint32_t level = 0; level < claim.variables.size(); ++level)
    if (!levels.emplace(claim.variables[level], level).second)
      problem_ = "a variable of the diagrams is listed twice";
  // Those of a kind are numbered from 0 without gaps.
  const auto take = [&](Kind kind, std::uint32_t thread) {
    Levels out;
    for (auto it = levels.find({kind, thread, 0});
         it != levels.end() &&
         it->first == ConfigurationVariable{kind, thread, static_cast<std::uint32_t>(out.size())};
         ++it)
      out.push_back(it->second);
    return out;
  };
  shared = take(Kind::Shared, 0);
  next_shared = take(Kind::NextShared, 0);
  begin_shared = take(Kind::BeginShared, 0);
  choices = take(Kind::Choice, 0);
  for (std::uint32_t j = 0; j < threads; ++j) {
    place.push_back(take(Kind::Place, j));
    local.push_back(take(Kind::Local, j));
    next_local.push_back(take(Kind::NextLocal, j));
    begin_place.push_back(take(Kind::BeginPlace, j));
    begin_local.push_back(take(Kind::BeginLocal, j));
  }
}

/// All that the program needs is there, and nothing else.
void ConfigurationCopies::compare_variables() {
  const CopyCounts counts = count_copies(flow_);
  if (shared.size() != counts.shared || next_shared.size() != counts.shared ||
      choices.size() != counts.choices)
    problem_ = "the diagrams lack a copy of one of the program's variables";
  std::size_t known = shared.size() + next_shared.size() + begin_shared.size() + choices.size();
  for (std::size_t j = 0; j < place.size(); ++j) {
    known += place[j].size() + local[j].size() + next_local[j].size() + begin_place[j].size() +
             begin_local[j].size();
    if (local[j].size() != next_local[j].size()) problem_ = "a variable lacks its copy";
  }
  if (known != count_) problem_ = "a variable of the diagrams is not a variable of the program";
}

void ConfigurationCopies::read_places(const PlaceDiagrams& claim) {
  numbers_.resize(claim.places.size());
  for (std::size_t j = 0; j < claim.places.size(); ++j) {
    for (const CallStack& stack : claim.places[j]) {
      const auto number = static_cast<std::uint32_t>(numbers_[j].size() + 1);
      if (!is_stack(stack) || !numbers_[j].emplace(stack, number).second)
        problem_ = "a place is not a call stack, or is listed twice";
    }
  }
}

bool ConfigurationCopies::is_stack(const CallStack& stack) const {
  return stack.node.index() < flow_.nodes.size() &&
         std::ranges::all_of(
             stack.calls,
             [&](EdgeId call) {
               return call.index() < flow_.edges.size() &&
                      flow_.edges[call.index()].kind == EdgeKind::Call;
             });
}

std::uint32_t ConfigurationCopies::locals_of(NodeId node) const {
  const std::uint32_t frame = flow_.nodes[node.index()].frame;
  return static_cast<std::uint32_t>(flow_.local_names[flow_.frames[frame].procedure].size());
}

std::size_t ConfigurationCopies::first_slot(const CallStack& stack) const {
  std::size_t out = 0;
  for (const EdgeId call : stack.calls) out += locals_of(flow_.edges[call.index()].source);
  return out;
}

std::size_t ConfigurationCopies::last_slot(const CallStack& stack) const {
  return first_slot(stack) + locals_of(stack.node);
}

bool ConfigurationCopies::occurs_between_turns(std::uint32_t thread, std::uint32_t number) const {
  return place[thread].size() >= 32 || number >> place[thread].size() == 0;
}

std::uint32_t ConfigurationCopies::number(std::uint32_t thread, const CallStack& stack) const {
  const auto found = numbers_[thread].find(stack);
  return found != numbers_[thread].end() ? found->second : 0;
}

}  // namespace heddle::check
