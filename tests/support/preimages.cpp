#include "support/preimages.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "base/invariant.hpp"
#include "solver/sat.hpp"

namespace heddle::test {

namespace {

using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::Formula;
using model::boolean::Knowledge;
using model::boolean::Valuation;
using solver::Literal;

/// The condition and what `after` demands of assigned variables.
Formula demanded(const EdgeFunctions& edge, const After& after) {
  Formula out = edge.condition;
  for (const auto& effect : edge.effects)
    if (const auto wanted = effect.wanted(after))
      out = conjunction(std::move(out), *wanted ? effect.value : negation(effect.value));
  return out;
}

void expand(const Formula& formula, Knowledge known, std::vector<Before>& out) {
  const auto value = evaluate(formula, known);
  if (value == false) return;
  if (value == true) {
    out.push_back({known.shared, known.local});
    return;
  }
  const Atom unknown = first_unknown(formula, known);
  if (unknown.kind == AtomKind::Choice) {
    if (satisfiable(formula, known)) out.push_back({known.shared, known.local});
    return;
  }
  for (const bool guess : {false, true}) {
    known.set(unknown, guess);
    expand(formula, known, out);
  }
}

/// Two cubes that differ in the value of one variable only are one.
std::optional<Cube> joined(const Cube& a, const Cube& b) {
  const Valuation difference = a.value ^ b.value;
  if (a.mask != b.mask || difference.count() != 1) return std::nullopt;
  return a.without(difference);
}

std::optional<Before> joined(const Before& a, const Before& b) {
  if (a.shared == b.shared)
    if (const auto local = joined(a.local, b.local)) return Before{a.shared, *local};
  if (a.local == b.local)
    if (const auto shared = joined(a.shared, b.shared)) return Before{*shared, a.local};
  return std::nullopt;
}

void merge_neighbours(std::vector<Before>& cubes) {
  constexpr std::size_t kWorthwhile = 256;
  if (cubes.size() > kWorthwhile) return;
  for (std::size_t i = 0; i < cubes.size();) {
    bool merged = false;
    for (std::size_t j = i + 1; j < cubes.size() && !merged; ++j) {
      const auto both = joined(cubes[i], cubes[j]);
      if (!both) continue;
      cubes[i] = *both;
      cubes.erase(cubes.begin() + static_cast<std::ptrdiff_t>(j));
      merged = true;
    }
    i = merged ? 0 : i + 1;
  }
}

}  // namespace

std::vector<Before> ImageByExpansion::of(const After& after) const {
  std::vector<Before> out;
  const auto kept = edge_.kept(after);
  if (!kept) return out;
  expand(demanded(edge_, after), *kept, out);
  merge_neighbours(out);
  return out;
}

class ImageBySolver::Encoding {
 public:
  explicit Encoding(const EdgeFunctions& edge) {
    for (const Atom& which : edge.atoms) atoms_.emplace(which, solver_.new_variable());
    condition_ = literal_of(edge.condition);
    for (const auto& effect : edge.effects) values_.push_back(literal_of(effect.value));
  }

  /// A model of the assumptions, as values of all atoms.
  std::optional<Knowledge> model(const std::vector<Literal>& assumptions) {
    const base::RunContext unlimited;
    const solver::SatAnswer answer = solver_.solve(assumptions, unlimited);
    HEDDLE_INVARIANT(answer != solver::SatAnswer::Unknown, "nothing should end the search");
    if (answer == solver::SatAnswer::Unsatisfiable) return std::nullopt;
    Knowledge out;
    for (const auto& [which, literal] : atoms_) out.set(which, solver_.value(literal));
    return out;
  }

  Literal condition() const { return condition_; }
  Literal value(std::size_t effect) const { return values_[effect]; }
  Literal atom(const Atom& which) const { return atoms_.at(which); }
  Literal fresh() { return solver_.new_variable(); }
  void add(const std::vector<Literal>& clause) { solver_.add_clause(clause); }

 private:
  Literal literal_of(const Formula& f) {
    if (f.kind == Formula::Kind::Atom) return atoms_.at(f.atom);
    if (f.kind == Formula::Kind::Not) return -literal_of(f.operands[0]);
    std::vector<Literal> inputs;
    for (const Formula& operand : f.operands) inputs.push_back(literal_of(operand));
    const Literal out = fresh();
    switch (f.kind) {
      case Formula::Kind::False: add({-out}); break;
      case Formula::Kind::And: is_ite(out, inputs[0], inputs[1], inputs[0]); break;
      case Formula::Kind::Or: is_ite(out, inputs[0], inputs[0], inputs[1]); break;
      case Formula::Kind::Equal: is_ite(out, inputs[0], inputs[1], -inputs[1]); break;
      case Formula::Kind::Conditional: is_ite(out, inputs[0], inputs[1], inputs[2]); break;
      default: add({out});
    }
    return out;
  }

  void is_ite(Literal out, Literal condition, Literal then, Literal otherwise) {
    add({-condition, -then, out});
    add({-condition, then, -out});
    add({condition, -otherwise, out});
    add({condition, otherwise, -out});
  }

  solver::SatSolver solver_;
  std::map<Atom, Literal> atoms_;
  Literal condition_ = 0;
  std::vector<Literal> values_;
};

ImageBySolver::ImageBySolver(const EdgeFunctions& edge)
    : edge_(edge), encoding_(std::make_unique<Encoding>(edge)) {}
ImageBySolver::~ImageBySolver() = default;
ImageBySolver::ImageBySolver(ImageBySolver&&) noexcept = default;

std::vector<Before> ImageBySolver::of(const After& after) const {
  std::vector<Before> out;
  const auto kept = edge_.kept(after);
  if (!kept) return out;
  const Literal question = encoding_->fresh();
  std::vector<Literal> assumptions{question, encoding_->condition()};
  for (std::size_t i = 0; i < edge_.effects.size(); ++i)
    if (const auto wanted = edge_.effects[i].wanted(after))
      assumptions.push_back(*wanted ? encoding_->value(i) : -encoding_->value(i));
  for (const Atom& which : edge_.atoms)
    if (const auto value = (*kept)[which])
      assumptions.push_back(*value ? encoding_->atom(which) : -encoding_->atom(which));
  const Formula formula = demanded(edge_, after);
  while (const auto model = encoding_->model(assumptions)) {
    Knowledge cube = *model;
    std::vector<Literal> clause{-question};
    for (const Atom& which : edge_.atoms) {
      if (which.kind == AtomKind::Choice || (*kept)[which]) continue;
      Knowledge fewer = cube;
      fewer.of(which.kind) = fewer.of(which.kind).without(model::boolean::bit(which.index));
      if (evaluate(formula, fewer) == true)
        cube = fewer;
      else
        clause.push_back(*cube[which] ? -encoding_->atom(which) : encoding_->atom(which));
    }
    // What the formula does not mention is kept all the same.
    out.push_back({cube.shared.with(kept->shared), cube.local.with(kept->local)});
    encoding_->add(clause);
  }
  encoding_->add({-question});
  return out;
}

}  // namespace heddle::test
