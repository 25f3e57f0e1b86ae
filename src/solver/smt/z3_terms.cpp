#include <z3++.h>

#include <new>
#include <string_view>

#include "base/invariant.hpp"
#include "solver/smt/z3_terms.hpp"

namespace heddle::solver {

using term::Operator;
using term::Sort;
using term::Term;

void rethrow(const z3::exception& problem) {
  if (std::string_view(problem.msg()).find("memory") != std::string_view::npos)
    throw std::bad_alloc();
  throw base::InternalError(std::string("Z3: ") + problem.msg());
}

z3::expr Z3Terms::express(const Term& term) {
  const auto known = expressed_.find(term.identity());
  if (known != expressed_.end()) return known->second.second;
  z3::expr expression = build(term);
  expressed_.emplace(term.identity(), std::pair(term, expression));
  return expression;
}

z3::expr Z3Terms::build(const Term& term) {
  switch (term.op()) {
    case Operator::Boolean: return context_.bool_val(term.boolean());
    case Operator::Integer: return context_.int_val(base::to_string(term.integer()).c_str());
    case Operator::Variable:
      return term.sort() == Sort::Boolean ? context_.bool_const(term.name().c_str())
                                          : context_.int_const(term.name().c_str());
    default: break;
  }
  z3::expr_vector a(context_);
  for (const Term& argument : term.arguments()) a.push_back(express(argument));
  switch (term.op()) {
    case Operator::Not: return !a[0];
    case Operator::And: return z3::mk_and(a);
    case Operator::Or: return z3::mk_or(a);
    case Operator::Implies: return z3::implies(a[0], a[1]);
    case Operator::Equal: return a[0] == a[1];
    case Operator::AtMost: return a[0] <= a[1];
    case Operator::Sum: return z3::sum(a);
    case Operator::Product: return a[0] * a[1];
    case Operator::Quotient: return a[0] / a[1];
    case Operator::Remainder: return z3::mod(a[0], a[1]);
    default: return z3::ite(a[0], a[1], a[2]);
  }
}

namespace {

/// Reads an expression bottom up; shared parts once.
class Reader {
 public:
  explicit Reader(const std::vector<Term>& bound) : bound_(bound) {}

  std::optional<Term> read(const z3::expr& e) {
    const auto known = done_.find(Z3_get_ast_id(e.ctx(), e));
    if (known != done_.end()) return known->second;
    const std::optional<Term> result = build(e);
    if (result) done_.emplace(Z3_get_ast_id(e.ctx(), e), *result);
    return result;
  }

 private:
  std::optional<Term> build(const z3::expr& e) {
    if (e.is_var()) {
      const unsigned index = Z3_get_index_value(e.ctx(), e);
      if (index >= bound_.size()) return std::nullopt;
      return bound_[index];
    }
    std::string digits;
    if (e.is_numeral(digits)) {
      const auto value = base::parse_integer(digits);
      if (!value) return std::nullopt;
      return term::constant(*value);
    }
    if (!e.is_app()) return std::nullopt;
    std::vector<Term> a;
    for (unsigned i = 0; i < e.num_args(); ++i) {
      const std::optional<Term> argument = read(e.arg(i));
      if (!argument) return std::nullopt;
      a.push_back(*argument);
    }
    return apply(e.decl().decl_kind(), std::move(a));
  }

  static std::optional<Term> apply(Z3_decl_kind kind, std::vector<Term> a) {
    switch (kind) {
      case Z3_OP_TRUE: return term::constant(true);
      case Z3_OP_FALSE: return term::constant(false);
      case Z3_OP_NOT: return term::negation(a[0]);
      case Z3_OP_AND: return term::conjunction(std::move(a));
      case Z3_OP_OR: return term::disjunction(std::move(a));
      case Z3_OP_IMPLIES: return term::implication(a[0], a[1]);
      case Z3_OP_EQ:
      case Z3_OP_IFF: return term::equal(a[0], a[1]);
      case Z3_OP_XOR: return term::negation(term::equal(a[0], a[1]));
      case Z3_OP_DISTINCT:
        if (a.size() != 2) return std::nullopt;
        return term::negation(term::equal(a[0], a[1]));
      case Z3_OP_LE: return term::at_most(a[0], a[1]);
      case Z3_OP_GE: return term::at_most(a[1], a[0]);
      case Z3_OP_LT: return term::negation(term::at_most(a[1], a[0]));
      case Z3_OP_GT: return term::negation(term::at_most(a[0], a[1]));
      case Z3_OP_ADD: return term::sum(std::move(a));
      case Z3_OP_UMINUS: return term::product(-1, a[0]);
      case Z3_OP_SUB: {
        for (std::size_t i = 1; i < a.size(); ++i) a[i] = term::product(-1, a[i]);
        return term::sum(std::move(a));
      }
      case Z3_OP_MUL:
        if (a.size() != 2) return std::nullopt;
        if (a[0].op() == Operator::Integer) return term::product(a[0].integer(), a[1]);
        if (a[1].op() == Operator::Integer) return term::product(a[1].integer(), a[0]);
        return std::nullopt;
      case Z3_OP_IDIV:
      case Z3_OP_MOD:
        if (a[1].op() != Operator::Integer || a[1].integer() <= 0) return std::nullopt;
        return kind == Z3_OP_MOD ? term::remainder(a[0], a[1].integer())
                                 : term::quotient(a[0], a[1].integer());
      case Z3_OP_ITE: return term::choice(a[0], a[1], a[2]);
      default: return std::nullopt;
    }
  }

  const std::vector<Term>& bound_;
  std::unordered_map<unsigned, Term> done_;
};

}  // namespace

std::optional<Term> read_back(const z3::expr& expression, const std::vector<Term>& bound) {
  return Reader(bound).read(expression);
}

}  // namespace heddle::solver
