#include "engine/compositional/rank_forms.hpp"

#include <algorithm>
#include <string>

/// Forms are found by examples. One solver proposes coefficients, at first with a small sum of
/// absolute values; another one looks for a step that contradicts them. The values of the variables
/// before and after that step are a condition on the coefficients:
///
///   max_i f_i(before) ≥ max_j f_j(after) + d,   that is   ∧_j ∨_i f_i(before) − f_j(after) ≥ d
///
/// where d is 1 if the form says that this step decreases it, and 0 otherwise. Nothing is demanded
/// of the shape of steps, so cases of arithmetic that wraps need no special treatment.
///
/// The greatest of several linear forms replaces a disjunctive argument: where sometimes x falls
/// and sometimes y, and each of them takes over the other's value, max(2x, 2y − 3) may fall always.

namespace heddle::engine::compositional {

using base::Integer;
using solver::SmtAnswer;
using term::Sort;
using term::Term;

namespace {

constexpr long kGreatestCoefficient = 16;  ///< of one piece, the sum of absolute values
constexpr std::size_t kMostExamples = 300;

Term number(long value) { return term::constant(Integer(value)); }

Term integer_named(const std::string& name, std::size_t piece, std::size_t i) {
  return term::variable(name + std::to_string(piece) + "!" + std::to_string(i), Sort::Integer);
}
Term coefficient(std::size_t piece, std::size_t i) { return integer_named("c!", piece, i); }
Term magnitude(std::size_t piece, std::size_t i) { return integer_named("a!", piece, i); }
Term constant_of(std::size_t piece) {
  return piece == 0 ? number(0) : integer_named("k!", piece, 0);
}
Term decrease(std::size_t i) { return term::variable("d!" + std::to_string(i), Sort::Boolean); }

Term linear(const std::vector<Integer>& factors, const std::vector<Term>& terms) {
  std::vector<Term> parts;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (factors[i] != 0) parts.push_back(term::product(factors[i], terms[i]));
  return term::sum(std::move(parts));
}

}  // namespace

Term RankForm::value(const std::vector<Term>& variables) const {
  std::optional<Term> out;
  for (const Piece& piece : pieces) {
    const Term one =
        term::sum({linear(piece.coefficients, variables), term::constant(piece.constant)});
    out = out ? term::maximum(*out, one) : one;
  }
  return *out;
}

RankForm RankForms::proposal(solver::SmtSolver& proposals, std::size_t variables,
                             std::size_t own_steps, std::size_t pieces) const {
  RankForm form;
  for (std::size_t p = 0; p < pieces; ++p) {
    auto& piece = form.pieces.emplace_back();
    for (std::size_t i = 0; i < variables; ++i)
      piece.coefficients.push_back(proposals.value(coefficient(p, i)));
    piece.constant = p == 0 ? Integer(0) : proposals.value(constant_of(p));
  }
  for (std::size_t i = 0; i < own_steps; ++i)
    form.decreases.push_back(proposals.value(decrease(i)) != 0);
  return form;
}

std::optional<RankForm> RankForms::find(std::size_t variables, const std::vector<RankedStep>& steps,
                                        std::size_t own_steps, std::size_t pieces) {
  const auto proposals = solver::make_smt_solver(solver::SmtBackend::Z3);
  std::vector<Term> some, magnitudes;
  for (std::size_t i = 0; i < own_steps; ++i) some.push_back(decrease(i));
  proposals->add(term::disjunction(some));
  for (std::size_t p = 0; p < pieces; ++p) {
    for (std::size_t i = 0; i < variables; ++i) {
      const Term opposite = term::product(Integer(-1), coefficient(p, i));
      magnitudes.push_back(magnitude(p, i));
      proposals->add(term::at_most(coefficient(p, i), magnitude(p, i)));
      proposals->add(term::at_most(opposite, magnitude(p, i)));
    }
    if (p == 0) continue;
    proposals->add(term::at_most(constant_of(p), number(kGreatestCoefficient)));
    proposals->add(term::at_least(constant_of(p), number(-kGreatestCoefficient)));
  }
  std::vector<Term> known;  // what examples say
  const long most_of_all = pieces == 1 ? kGreatestCoefficient : kGreatestCoefficient / 2;
  for (long most = static_cast<long>(pieces); most <= most_of_all; most *= 2) {
    proposals->push();
    proposals->add(term::at_most(term::sum(magnitudes), number(most)));
    for (const Term& example : known) proposals->add(example);
    while (known.size() < kMostExamples && !context_.step() &&
           proposals->check(context_) == SmtAnswer::Satisfiable) {
      RankForm form = proposal(*proposals, variables, own_steps, pieces);
      const auto example = contradiction(form, steps);
      if (is_undecided_) return std::nullopt;
      if (!example) {
        find_all_decreases(form, steps);
        return form;
      }
      known.push_back(*example);
      proposals->add(*example);
    }
    proposals->pop();
    if (context_.stopped() || known.size() >= kMostExamples) break;
  }
  return std::nullopt;
}

/// A step that does not do what the form demands, as a demand on coefficients.
std::optional<Term> RankForms::contradiction(const RankForm& form,
                                             const std::vector<RankedStep>& steps) {
  for (const RankedStep& step : steps) {
    const bool must_decrease = step.own && form.decreases[*step.own];
    const Term at_least_now = term::sum({form.value(step.after), number(must_decrease ? 1 : 0)});
    examples_->push();
    examples_->add(step.body);
    examples_->add(term::negation(term::at_most(at_least_now, form.value(step.before))));
    for (std::size_t i = 0; i < step.before.size(); ++i) {
      examples_->add(term::equal(integer_named("before!", 0, i), step.before[i]));
      examples_->add(term::equal(integer_named("after!", 0, i), step.after[i]));
    }
    const SmtAnswer answer = examples_->check(context_);
    std::optional<Term> out;
    if (answer == SmtAnswer::Satisfiable) out = demand(step, form.pieces.size());
    is_undecided_ = answer == SmtAnswer::Unknown;
    examples_->pop();
    if (out || is_undecided_) return out;
  }
  return std::nullopt;
}

Term RankForms::demand(const RankedStep& step, std::size_t pieces) {
  std::vector<Integer> before, after;
  for (std::size_t i = 0; i < step.before.size(); ++i) {
    before.push_back(examples_->value(integer_named("before!", 0, i)));
    after.push_back(examples_->value(integer_named("after!", 0, i)));
  }
  const Term least = step.own ? term::choice(decrease(*step.own), number(1), number(0)) : number(0);
  const auto exceeds = [&](std::size_t i, std::size_t j) {
    std::vector<Term> parts;
    for (std::size_t v = 0; v < before.size(); ++v) {
      if (i == j) {
        parts.push_back(term::product(Integer(before[v] - after[v]), coefficient(i, v)));
        continue;
      }
      parts.push_back(term::product(before[v], coefficient(i, v)));
      parts.push_back(term::product(Integer(-after[v]), coefficient(j, v)));
    }
    if (i != j) {
      parts.push_back(constant_of(i));
      parts.push_back(term::product(Integer(-1), constant_of(j)));
    }
    return term::at_least(term::sum(std::move(parts)), least);
  };
  std::vector<Term> all;
  for (std::size_t j = 0; j < pieces; ++j) {
    std::vector<Term> some;
    for (std::size_t i = 0; i < pieces; ++i) some.push_back(exceeds(i, j));
    all.push_back(term::disjunction(std::move(some)));
  }
  return term::conjunction(std::move(all));
}

/// Steps that decrease the form without having been asked to.
void RankForms::find_all_decreases(RankForm& form, const std::vector<RankedStep>& steps) {
  for (const RankedStep& step : steps) {
    if (!step.own || form.decreases[*step.own]) continue;
    form.decreases[*step.own] = true;
    if (contradiction(form, {step}) || is_undecided_) form.decreases[*step.own] = false;
    is_undecided_ = false;
  }
}

bool RankForms::is_bounded(const RankForm& form, const std::vector<RankedStep>& steps,
                           const Integer& constant) {
  return std::ranges::all_of(steps, [&](const RankedStep& step) {
    if (!step.own || !form.decreases[*step.own]) return true;
    examples_->push();
    examples_->add(step.body);
    examples_->add(
        term::at_most(term::sum({form.value(step.before), term::constant(constant)}), number(-1)));
    const SmtAnswer answer = examples_->check(context_);
    examples_->pop();
    return answer == SmtAnswer::Unsatisfiable;
  });
}

bool RankForms::is_possible(const Term& formula) {
  examples_->push();
  examples_->add(formula);
  const SmtAnswer answer = examples_->check(context_);
  examples_->pop();
  return answer != SmtAnswer::Unsatisfiable;
}

// ---- phases

std::optional<RankForms::Instance> RankForms::instance(const RankedStep& step,
                                                       const Term& such_that) {
  examples_->push();
  examples_->add(step.body);
  examples_->add(such_that);
  for (std::size_t i = 0; i < step.before.size(); ++i) {
    examples_->add(term::equal(integer_named("before!", 0, i), step.before[i]));
    examples_->add(term::equal(integer_named("after!", 0, i), step.after[i]));
  }
  std::optional<Instance> out;
  if (examples_->check(context_) == SmtAnswer::Satisfiable) {
    out.emplace();
    for (std::size_t i = 0; i < step.before.size(); ++i) {
      out->before.push_back(examples_->value(integer_named("before!", 0, i)));
      out->after.push_back(examples_->value(integer_named("after!", 0, i)));
    }
  }
  examples_->pop();
  return out;
}

/// Instances of the loop's steps that are far from each other: each variable is large, or small.
std::vector<RankForms::Instance> RankForms::instances(const std::vector<RankedStep>& steps) {
  constexpr long kFar = 20;
  std::vector<Instance> out;
  const auto add = [&](std::optional<Instance> found) {
    if (found && found->before != found->after) out.push_back(std::move(*found));
  };
  for (const RankedStep& step : steps) {
    if (!step.own) continue;
    add(instance(step, term::constant(true)));
    for (const Term& v : step.before) {
      add(instance(step, term::at_least(v, number(kFar))));
      add(instance(step, term::at_most(v, number(-kFar))));
    }
  }
  return out;
}

/// As `find`, with a constant for the second piece. Which instances are to decrease is left to the
/// solver that proposes: one of some.
std::optional<RankForm> RankForms::find_phase(std::size_t variables,
                                              const std::vector<RankedStep>& steps,
                                              std::size_t own_steps) {
  std::vector<RankedStep> any = steps;  // nothing is demanded but that they do not increase it
  for (RankedStep& step : any) step.own.reset();
  const std::vector<Instance> seeds = instances(steps);
  if (seeds.empty()) return std::nullopt;
  const auto proposals = solver::make_smt_solver(solver::SmtBackend::Z3);
  std::vector<Term> some, magnitudes;
  for (const Instance& seed : seeds) {
    std::vector<Term> before, falls;
    for (std::size_t v = 0; v < variables; ++v) {
      before.push_back(term::product(seed.before[v], coefficient(0, v)));
      falls.push_back(term::product(Integer(seed.before[v] - seed.after[v]), coefficient(0, v)));
    }
    before.push_back(term::product(Integer(-1), constant_of(1)));
    some.push_back(term::conjunction({term::at_least(term::sum(std::move(falls)), number(1)),
                                      term::at_least(term::sum(std::move(before)), number(1))}));
  }
  proposals->add(term::disjunction(std::move(some)));
  for (std::size_t i = 0; i < variables; ++i) {
    magnitudes.push_back(magnitude(0, i));
    proposals->add(term::at_most(coefficient(0, i), magnitude(0, i)));
    proposals->add(term::at_most(term::product(Integer(-1), coefficient(0, i)), magnitude(0, i)));
    proposals->add(term::equal(coefficient(1, i), number(0)));
  }
  proposals->add(term::at_most(constant_of(1), number(kGreatestCoefficient)));
  proposals->add(term::at_least(constant_of(1), number(-kGreatestCoefficient)));
  proposals->add(term::at_most(term::sum(magnitudes), number(kGreatestCoefficient / 4)));
  for (std::size_t i = 0; i < kMostExamples && !context_.step(); ++i) {
    if (proposals->check(context_) != SmtAnswer::Satisfiable) return std::nullopt;
    RankForm form = proposal(*proposals, variables, 0, 2);
    const auto example = contradiction(form, any);
    if (is_undecided_) return std::nullopt;
    if (example) {
      proposals->add(*example);
      continue;
    }
    form.decreases.assign(own_steps, false);
    find_all_decreases(form, steps);
    return form;
  }
  return std::nullopt;
}

}  // namespace heddle::engine::compositional
