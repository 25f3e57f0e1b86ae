#include "check/diagrams/diagram_support.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::ConfigurationSet;
using answer::ConfigurationSets;
using answer::ConfigurationVariable;
using answer::ContextRelation;
using answer::ContextRelations;
using answer::DiagramNode;
using answer::DiagramVariable;
using answer::EvidenceStatus;
using answer::Family;
using answer::RelationKind;
using answer::TurnFacts;
using answer::TurnFactSet;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;

// ---- what relations may depend on ----

/// Which copies of a family, for a relation of round k.
enum class Rounds : std::uint8_t {
  None,         ///< the family has no rounds
  UpToRound,    ///< 1 … k
  BeforeRound,  ///< 1 … k − 1
  SecondOn      ///< 2 … k
};
struct FamilyOfRelation {
  Family family;
  Rounds rounds = Rounds::None;
};

constexpr FamilyOfRelation kOfReached[] = {{Family::Input, Rounds::UpToRound},
                                           {Family::Output, Rounds::BeforeRound},
                                           {Family::Entry},
                                           {Family::Parameter},
                                           {Family::Current},
                                           {Family::Local}};
constexpr FamilyOfRelation kOfSummary[] = {{Family::Input, Rounds::UpToRound},
                                           {Family::Output, Rounds::BeforeRound},
                                           {Family::Entry},
                                           {Family::Parameter},
                                           {Family::Current},
                                           {Family::Result}};
constexpr FamilyOfRelation kOfEffect[] = {{Family::Input, Rounds::UpToRound},
                                          {Family::Output, Rounds::UpToRound}};
constexpr FamilyOfRelation kOfTurn[] = {{Family::Input, Rounds::UpToRound},
                                        {Family::Output, Rounds::BeforeRound}};
constexpr FamilyOfRelation kOfBefore[] = {{Family::First, Rounds::UpToRound},
                                          {Family::Input, Rounds::UpToRound}};
constexpr FamilyOfRelation kOfAfter[] = {{Family::Output, Rounds::BeforeRound},
                                         {Family::First, Rounds::SecondOn}};

std::span<const FamilyOfRelation> families_of(RelationKind kind) {
  switch (kind) {
    case RelationKind::Reached: return kOfReached;
    case RelationKind::Summary: return kOfSummary;
    case RelationKind::Effect: return kOfEffect;
    case RelationKind::Turn: return kOfTurn;
    case RelationKind::Before: return kOfBefore;
    case RelationKind::After: return kOfAfter;
  }
  return {};
}

bool is_of_round(std::uint32_t round, Rounds rounds, std::uint32_t of_relation) {
  switch (rounds) {
    case Rounds::None: return round == 0;
    case Rounds::UpToRound: return round >= 1 && round <= of_relation;
    case Rounds::BeforeRound: return round >= 1 && round < of_relation;
    case Rounds::SecondOn: return round >= 2 && round <= of_relation;
  }
  return false;
}

/// Of the procedure that a relation is about: how many variables of a family there are.
std::size_t count_in(const Flow& flow, std::uint32_t procedure, Family family) {
  if (family == Family::Parameter) return flow.parameter_counts[procedure];
  if (family == Family::Local) return flow.local_names[procedure].size();
  return ~std::size_t{0};  // as many as the program has
}

/// 0 for relations that are about no procedure.
std::uint32_t procedure_of(const Flow& flow, const ContextRelation& relation) {
  if (relation.kind == RelationKind::Reached)
    return flow.frames[flow.nodes[relation.where].frame].procedure;
  return relation.kind == RelationKind::Summary ? flow.frames[relation.where].procedure : 0;
}

bool may_depend_on(const Flow& flow, const ContextRelation& relation,
                   const DiagramVariable& variable) {
  return std::ranges::any_of(families_of(relation.kind), [&](const FamilyOfRelation& allowed) {
    return allowed.family == variable.family &&
           is_of_round(variable.round, allowed.rounds, relation.round) &&
           variable.index < count_in(flow, procedure_of(flow, relation), variable.family);
  });
}

// ---- what sets of configurations and facts about turns may depend on ----

using Kind = ConfigurationVariable::Kind;

/// Between turns on whole configurations. Within a turn on the same, but for the place of the
/// thread whose turn it is, which the set is listed under.
bool may_depend_on(const ConfigurationSet& set, const ConfigurationVariable& variable) {
  const bool own_place = set.place != 0 && set.thread == variable.thread;
  return variable.kind == Kind::Shared || variable.kind == Kind::Local ||
         (variable.kind == Kind::Place && !own_place);
}

/// On the thread's view, now (but for its place, which the set is listed under) and at the begin of
/// the turn.
bool may_depend_on(const TurnFactSet& set, const ConfigurationVariable& variable) {
  const bool own = set.thread == variable.thread;
  return variable.kind == Kind::Shared || variable.kind == Kind::BeginShared ||
         (own && (variable.kind == Kind::Local || variable.kind == Kind::BeginLocal ||
                  variable.kind == Kind::BeginPlace));
}

// ---- the sets of a claim ----

/// `key` is equal for sets that may depend on the same variables.
template <class Variable, class Set, class KeyOf, class MayDepend>
std::vector<SetsAlike> grouped(const std::vector<Variable>& variables, const std::vector<Set>& sets,
                               const KeyOf& key, const MayDepend& may_depend) {
  std::map<decltype(key(sets.front())), SetsAlike> groups;
  for (const Set& set : sets) {
    SetsAlike& group = groups[key(set)];
    group.roots.push_back(set.root);
    if (group.roots.size() > 1) continue;
    for (const Variable& variable : variables)
      group.may_depend_on.push_back(may_depend(set, variable));
  }
  std::vector<SetsAlike> out;
  for (auto& [of, group] : groups) out.push_back(std::move(group));
  return out;
}

}  // namespace

CopyCounts count_copies(const Flow& flow) {
  CopyCounts out{flow.shared_names.size(), flow.local_count, 0, 0, 0};
  for (const std::uint32_t count : flow.parameter_counts)
    out.parameters = std::max<std::size_t>(out.parameters, count);
  for (const FlowEdge& edge : flow.edges) {
    out.choices = std::max<std::size_t>(out.choices, edge.choices);
    if (edge.kind == EdgeKind::Return)
      out.results = std::max(out.results, edge.child_values.size());
  }
  return out;
}

std::vector<bool> returning_frames(const Flow& flow) {
  std::vector<bool> out(flow.frames.size());
  for (const FlowEdge& edge : flow.edges)
    if (edge.kind == EdgeKind::Return) out[flow.nodes[edge.source.index()].frame] = true;
  return out;
}

std::optional<CheckResult> check_form(const std::vector<DiagramNode>& nodes,
                                      std::size_t variables) {
  if (variables > kMostDiagramVariables)
    return CheckResult{EvidenceStatus::NotChecked,
                       "the diagrams have " + std::to_string(variables) + " variables, more than " +
                           std::to_string(kMostDiagramVariables)};
  const auto variable = [&](std::uint32_t set) {
    return set <= 1 ? variables : nodes[set - 2].variable;
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const DiagramNode& node = nodes[i];
    if (node.low >= i + 2 || node.high >= i + 2 || node.variable >= variable(node.low) ||
        node.variable >= variable(node.high))
      return CheckResult{EvidenceStatus::Refuted, "a diagram is out of order"};
  }
  return std::nullopt;
}

std::vector<SetsAlike> sets_of(const Flow& flow, const ContextRelations& claim) {
  return grouped(
      claim.variables, claim.relations,
      [&](const ContextRelation& relation) {
        return std::tuple{relation.kind, relation.round, procedure_of(flow, relation)};
      },
      [&](const ContextRelation& relation, const DiagramVariable& variable) {
        return may_depend_on(flow, relation, variable);
      });
}

std::vector<SetsAlike> sets_of(const ConfigurationSets& claim) {
  const auto key = [](const ConfigurationSet& set) {
    return set.place == 0 ? std::pair{false, 0U} : std::pair{true, set.thread};
  };
  return grouped(claim.variables, claim.sets, key,
                 [](const ConfigurationSet& set, const ConfigurationVariable& variable) {
                   return may_depend_on(set, variable);
                 });
}

std::vector<SetsAlike> sets_of(const TurnFacts& claim) {
  return grouped(
      claim.variables, claim.sets, [](const TurnFactSet& set) { return set.thread; },
      [](const TurnFactSet& set, const ConfigurationVariable& variable) {
        return may_depend_on(set, variable);
      });
}

bool depend_as_allowed(const std::vector<DiagramNode>& nodes, const std::vector<SetsAlike>& sets) {
  std::vector<std::size_t> met_in(nodes.size());  // the item in which a node was met last, plus 1
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::vector<Diagrams::Set> open = sets[i].roots; !open.empty();) {
      const Diagrams::Set set = open.back();
      open.pop_back();
      if (set <= 1 || met_in[set - 2] == i + 1) continue;
      met_in[set - 2] = i + 1;
      const DiagramNode& node = nodes[set - 2];
      if (!sets[i].may_depend_on[node.variable]) return false;
      open.insert(open.end(), {node.low, node.high});
    }
  return true;
}

}  // namespace heddle::check
