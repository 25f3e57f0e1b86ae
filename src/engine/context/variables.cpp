#include "engine/context/variables.hpp"

#include <algorithm>

namespace heddle::engine::context {

using model::boolean::Flow;
using model::boolean::FlowEdge;

namespace {

std::uint32_t most_choices(const Flow& flow) {
  std::uint32_t most = 0;
  for (const FlowEdge& edge : flow.edges) most = std::max(most, edge.choices);
  return most;
}

std::uint32_t most_results(const Flow& flow) {
  std::size_t most = 0;
  for (const FlowEdge& edge : flow.edges)
    if (edge.kind == model::boolean::EdgeKind::Return)
      most = std::max(most, edge.child_values.size());
  return static_cast<std::uint32_t>(most);
}

}  // namespace

Variables::Variables(const Flow& flow, std::uint32_t rounds) {
  const std::uint32_t results = most_results(flow);
  std::uint32_t parameters = 0;
  for (const std::uint32_t count : flow.parameter_counts) parameters = std::max(parameters, count);
  for (std::uint32_t i = 0; i < flow.shared_names.size(); ++i) {
    for (std::uint32_t round = 1; round <= rounds; ++round)
      for (const Family family : {Family::First, Family::Input, Family::Output})
        add(family, round, i);
    for (const Family family : {Family::Entry, Family::Current, Family::Next}) add(family, 0, i);
  }
  for (std::uint32_t i = 0; i < std::max({flow.local_count, parameters, results}); ++i) {
    if (i < parameters) add(Family::Parameter, 0, i);
    if (i < parameters) add(Family::Argument, 0, i);
    if (i < flow.local_count) add(Family::Local, 0, i);
    if (i < flow.local_count) add(Family::NextLocal, 0, i);
    if (i < results) add(Family::Result, 0, i);
  }
  for (std::uint32_t i = 0; i < most_choices(flow); ++i) add(Family::Choice, 0, i);
}

void Variables::add(Family family, std::uint32_t round, std::uint32_t index) {
  copies_[{family, round}].push_back(count());
  order_.push_back({family, round, index});
}

const std::vector<BddVariable>& Variables::of(Family family, std::uint32_t round) const {
  const auto found = copies_.find({family, round});
  return found != copies_.end() ? found->second : none_;
}

void append_pairs(VariablePairs& pairs, std::span<const BddVariable> from,
                  std::span<const BddVariable> to) {
  for (std::size_t i = 0; i < from.size(); ++i) pairs.emplace_back(from[i], to[i]);
}

}  // namespace heddle::engine::context
