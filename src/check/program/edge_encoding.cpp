#include "check/program/edge_encoding.hpp"

#include <utility>

namespace heddle::check {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using solver::Literal;

EdgeEncoding::EdgeEncoding(const Flow& flow, const FlowEdge& edge)
    : edge_(edge), true_(solver_.new_variable()) {
  clause({true_});
  shared_ = fresh_bits(flow.shared_names.size());
  local_ = fresh_bits(flow.local_count);
  choices_ = fresh_bits(edge.choices);
  shared_after_ = assigned(shared_, edge.shared);
  local_after_ = assigned(local_, edge.local);
  if (edge.kind == EdgeKind::Spawn) child_ = assigned(local_, edge.child_values);
  clause({literal_of(edge.guard)});
  clause({literal_of(edge.constraint)});
}

Literal EdgeEncoding::fresh() { return solver_.new_variable(); }

Bits EdgeEncoding::fresh_bits(std::size_t count) {
  Bits out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(fresh());
  return out;
}

void EdgeEncoding::clause(std::initializer_list<Literal> literals) {
  solver_.add_clause(std::span(literals.begin(), literals.size()));
}

Bits EdgeEncoding::assigned(const Bits& before, const std::vector<Assignment>& assignments) {
  Bits after = before;
  for (const Assignment& assignment : assignments)
    after[assignment.index] = literal_of(assignment.value);
  return after;
}

Literal EdgeEncoding::atom(const Atom& which) {
  switch (which.kind) {
    case AtomKind::Shared: return shared_[which.index];
    case AtomKind::Local: return local_[which.index];
    case AtomKind::NextShared: return shared_after_[which.index];
    case AtomKind::NextLocal: return local_after_[which.index];
    case AtomKind::Receiver: return receiver_[which.index];
    case AtomKind::Choice: break;
  }
  return choices_[which.index];
}

/// A literal that is equivalent to the formula (Tseitin).
Literal EdgeEncoding::literal_of(const Formula& f) {
  switch (f.kind) {
    case Formula::Kind::True: return true_;
    case Formula::Kind::False: return -true_;
    case Formula::Kind::Atom: return atom(f.atom);
    case Formula::Kind::Not: return -literal_of(f.operands[0]);
    case Formula::Kind::And: {
      const Literal a = literal_of(f.operands[0]);
      const Literal b = literal_of(f.operands[1]);
      const Literal out = fresh();
      clause({-out, a});
      clause({-out, b});
      clause({out, -a, -b});
      return out;
    }
    case Formula::Kind::Or: {
      const Literal a = literal_of(f.operands[0]);
      const Literal b = literal_of(f.operands[1]);
      const Literal out = fresh();
      clause({out, -a});
      clause({out, -b});
      clause({-out, a, b});
      return out;
    }
    case Formula::Kind::Equal: {
      const Literal a = literal_of(f.operands[0]);
      const Literal b = literal_of(f.operands[1]);
      const Literal out = fresh();
      clause({-out, -a, b});
      clause({-out, a, -b});
      clause({out, a, b});
      clause({out, -a, -b});
      return out;
    }
    case Formula::Kind::Conditional: break;
  }
  const Literal condition = literal_of(f.operands[0]);
  const Literal a = literal_of(f.operands[1]);
  const Literal b = literal_of(f.operands[2]);
  const Literal out = fresh();
  clause({-condition, -a, out});
  clause({-condition, a, -out});
  clause({condition, -b, out});
  clause({condition, b, -out});
  return out;
}

const Bits& EdgeEncoding::other(std::size_t k) {
  const auto [it, is_new] = others_.try_emplace(k);
  if (is_new) it->second = fresh_bits(local_.size());
  return it->second;
}

Bits EdgeEncoding::other_after(std::size_t k, bool same_root) {
  receiver_ = other(k);
  if (!same_root) return receiver_;
  Bits of_edge = std::exchange(choices_, fresh_bits(edge_.passive_choices));
  Bits after = assigned(receiver_, edge_.passive);
  choices_ = std::move(of_edge);
  return after;
}

void EdgeEncoding::assume(const Cube& cube, const Bits& bits) {
  for (std::uint32_t i = 0; i < bits.size(); ++i)
    if (const auto value = cube[i]) assumptions_.push_back(*value ? bits[i] : -bits[i]);
}

Literal EdgeEncoding::all_of(const Cube& cube, const Bits& bits, Literal implied_by) {
  for (std::uint32_t i = 0; i < bits.size(); ++i)
    if (const auto value = cube[i]) clause({-implied_by, *value ? bits[i] : -bits[i]});
  return implied_by;
}

void EdgeEncoding::assume_one_of(std::span<const answer::ThreadFact> facts, const Bits& shared,
                                 const Bits& local) {
  if (facts.size() == 1) {
    assume(facts[0].shared, shared);
    assume(facts[0].local, local);
    return;
  }
  std::vector<Literal> some{-query()};
  for (const answer::ThreadFact& fact : facts) {
    const Literal chosen = fresh();
    all_of(fact.shared, shared, chosen);
    all_of(fact.local, local, chosen);
    some.push_back(chosen);
  }
  solver_.add_clause(some);
}

void EdgeEncoding::assume_not(std::span<const Part> parts) {
  std::vector<Literal> differs{-query()};
  for (const Part& part : parts)
    for (std::uint32_t i = 0; i < part.bits->size(); ++i)
      if (const auto value = part.cube[i])
        differs.push_back(*value ? -(*part.bits)[i] : (*part.bits)[i]);
  solver_.add_clause(differs);
}

Literal EdgeEncoding::query() {
  if (query_ == 0) query_ = fresh();
  return query_;
}

solver::SatAnswer EdgeEncoding::find_step(const base::RunContext& context) {
  std::vector<Literal> all = assumptions_;
  if (query_ != 0) all.push_back(query_);
  return solver_.solve(all, context);
}

model::boolean::Valuation EdgeEncoding::value(const Bits& bits) const {
  model::boolean::Valuation out = 0;
  for (std::uint32_t i = 0; i < bits.size(); ++i)
    if (solver_.value(bits[i])) out |= bit(i);
  return out;
}

void EdgeEncoding::forget() {
  assumptions_.clear();
  if (query_ != 0) clause({-query_});
  query_ = 0;
}

std::string why_unknown(const base::RunContext& context) {
  const auto stop = context.stopped();
  return stop ? std::string(base::to_string(*stop)) : "the SAT solver gave up";
}

}  // namespace heddle::check
