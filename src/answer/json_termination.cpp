/// Proofs of termination, as JSON: the fields of thread invariants and a list of ranks, each a
/// thread and its points with the index of a term.

#include <nlohmann/json.hpp>

#include "answer/json_parts.hpp"
#include "answer/json_terms.hpp"

namespace heddle::answer {

using model::threads::Rank;
using nlohmann::json;

bool operator==(const TerminationProof& a, const TerminationProof& b) {
  return to_fields(a) == to_fields(b);
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
                      "terms", "ranks", "rank_terms"});
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
}

}  // namespace heddle::answer
