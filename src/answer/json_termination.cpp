/// Proofs of termination and of the absence of deadlock, as JSON: the fields of thread invariants;
/// a list of ranks, each a thread and its points with the index of a term; and a list of monitors,
/// each the address of a condition variable with indices of terms.

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"
#include "answer/json_terms.hpp"

namespace heddle::answer {

using model::threads::Monitor;
using model::threads::Monitors;
using model::threads::Rank;
using nlohmann::json;

bool operator==(const TerminationProof& a, const TerminationProof& b) {
  return to_fields(a) == to_fields(b);
}

bool operator==(const DeadlockFreedom& a, const DeadlockFreedom& b) {
  return to_fields(a) == to_fields(b);
}

namespace {

void add_monitors(const Monitors& monitors, json& out) {
  TermWriter terms;
  json list = json::array();
  for (const Monitor& monitor : monitors) {
    json holds = json::array();
    for (const term::Term& formula : monitor.holds) holds.push_back(terms.add(formula));
    list.push_back({integer_to_json(base::Integer(std::to_string(monitor.condition))), holds});
  }
  out["monitors"] = std::move(list);
  out["monitor_terms"] = terms.take();
}

std::uint64_t address_of(const JsonNode& node) {
  const base::Integer value = node.count();
  if (value > base::Integer("18446744073709551615")) node.fail("an address has at most 64 bits");
  return node.failed() ? 0 : std::stoull(base::to_string(value));
}

void read_monitors(const JsonNode& node, Monitors& out) {
  const JsonNode list = node.field("monitors"), formulas = node.field("monitor_terms");
  const std::vector<term::Term> terms = terms_from_json(formulas);
  for (std::size_t i = 0; i < list.size() && !node.failed(); ++i) {
    const JsonNode entry = list.item(i);
    entry.expect_size(2);
    if (node.failed()) return;
    const JsonNode condition = entry.item(0), holds = entry.item(1);
    Monitor& monitor = out.emplace_back();
    monitor.condition = address_of(condition);
    for (std::size_t k = 0; k < holds.size() && !node.failed(); ++k) {
      const JsonNode formula = holds.item(k);
      const std::uint32_t index = formula.number();
      if (node.failed()) return;
      if (index >= terms.size()) return formula.fail("the index of a term expected");
      monitor.holds.push_back(terms[index]);
    }
  }
}

}  // namespace

json to_fields(const DeadlockFreedom& of) {
  json out = to_fields(ThreadInvariants{of.covering, of.proof});
  add_monitors(of.monitors, out);
  return out;
}

json to_fields(const TerminationProof& of) {
  json out = to_fields(ThreadInvariants{of.covering, of.proof});
  TermWriter terms;
  json ranks = json::array();
  for (const Rank& rank : of.ranking) {
    json at = json::array();
    for (const auto& [point, value] : rank.at) at.push_back({point, terms.add(value)});
    ranks.push_back({rank.thread.value, std::move(at)});
  }
  out["ranks"] = std::move(ranks);
  out["rank_terms"] = terms.take();
  add_monitors(of.monitors, out);
  return out;
}

namespace {

void read_rank(const JsonNode& node, const std::vector<term::Term>& terms, Rank& rank) {
  node.expect_size(2);
  if (node.failed()) return;
  const JsonNode thread = node.item(0), at = node.item(1);
  rank.thread = model::threads::ThreadIndex(thread.number());
  for (std::size_t i = 0; i < at.size() && !node.failed(); ++i) {
    const JsonNode entry = at.item(i);
    entry.expect_size(2);
    if (node.failed()) return;
    const JsonNode point = entry.item(0), value = entry.item(1);
    const std::uint32_t index = value.number();
    if (node.failed()) return;
    if (index >= terms.size()) return value.fail("the index of a term expected");
    rank.at.emplace_back(point.number(), terms[index]);
  }
}

}  // namespace

void read_fields(const JsonNode& node, TerminationProof& out) {
  node.expect_fields({"kind", "rule", "variables", "contexts", "objects", "cells", "mutexes",
                      "registers", "threads", "boundaries", "cuts", "facts", "invariants", "lemma",
                      "terms", "ranks", "rank_terms", "monitors", "monitor_terms"});
  if (node.failed()) return;
  ThreadInvariants read;
  read_covering_and_proof(node, read);
  out.covering = std::move(read.covering);
  out.proof = std::move(read.proof);
  const JsonNode ranks = node.field("ranks"), list = node.field("rank_terms");
  const std::vector<term::Term> terms = terms_from_json(list);
  for (std::size_t i = 0; i < ranks.size() && !node.failed(); ++i) {
    const JsonNode entry = ranks.item(i);
    read_rank(entry, terms, out.ranking.emplace_back());
  }
  read_monitors(node, out.monitors);
}

void read_fields(const JsonNode& node, DeadlockFreedom& out) {
  node.expect_fields({"kind", "rule", "variables", "contexts", "objects", "cells", "mutexes",
                      "registers", "threads", "boundaries", "cuts", "facts", "invariants", "lemma",
                      "terms", "monitors", "monitor_terms"});
  if (node.failed()) return;
  ThreadInvariants read;
  read_covering_and_proof(node, read);
  out.covering = std::move(read.covering);
  out.proof = std::move(read.proof);
  read_monitors(node, out.monitors);
}

}  // namespace heddle::answer
