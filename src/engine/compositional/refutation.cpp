#include "engine/compositional/refutation.hpp"

#include <algorithm>

#include "solver/smt.hpp"
#include "term/evaluate.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"

/// Bounded unrolling. Each variable v has a copy v@k for the state after k steps, and so has the
/// place of each thread. An integer chosen@k says which step of a block is taken:
///
///   chosen@k = s  →  its thread stands where s begins, nobody else is inside a block, its guard
///   holds v@(k+1) = the value that the chosen step assigns, or v@k
///
/// A model gives the steps and their inputs. They are then executed by the interpreter, instruction
/// by instruction; what it does not confirm is not an answer.

namespace heddle::engine::compositional {

using namespace model::threads;
using base::Integer;
using term::Sort;
using term::Term;
using transform::blocks::BlockStep;

namespace {

Term number(const Integer& value) { return term::constant(value); }

std::string at(const std::string& name, std::size_t k) { return name + "@" + std::to_string(k); }

/// What a check of one length may cost.
constexpr std::uint64_t kMostEffort = 50'000'000;

}  // namespace

class InterleavingSearch::Unrolling {
 public:
  explicit Unrolling(const Prepared& prepared)
      : prepared_(prepared),
        program_(prepared.program),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    solver_->limit_effort(kMostEffort);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t i = 0; i < prepared.blocks.steps[t].size(); ++i) all_.emplace_back(t, i);
    for (const VariableId v : program_.globals) variables_.push_back(v);
    for (const Thread& t : program_.threads)
      variables_.insert(variables_.end(), t.locals.begin(), t.locals.end());
    begin();
  }

  std::optional<Interleaving> run(std::size_t length, base::RunContext& context) {
    for (; length_ <= length && !context.step(); ++length_) {
      solver_->push();
      solver_->add(is_bad_at(length_));
      const solver::SmtAnswer answer = solver_->check(context);
      if (answer == solver::SmtAnswer::Satisfiable) return read(length_);
      solver_->pop();
      if (context.stopped()) break;
      extend(length_);
    }
    return std::nullopt;
  }

 private:
  const BlockStep& step(std::size_t s) const {
    return prepared_.blocks.steps[all_[s].first][all_[s].second];
  }

  Term place(std::size_t t, std::size_t k) const {
    return term::variable(at("at." + std::to_string(t), k), Sort::Integer);
  }
  static Term code(std::uint32_t point) {
    return number(Integer(static_cast<unsigned long>(point)));
  }

  Term copy(VariableId v, std::size_t k) const {
    const Term& term = program_.variable(v).term;
    return term::variable(at(term.name(), k), term.sort());
  }

  Term in_state(const Term& term, std::size_t k) const {
    term::Substitution names;
    for (const Term& v : term::variables({term}))
      names.emplace(v.name(), term::variable(at(v.name(), k), v.sort()));
    return term::substitute(term, names);
  }

  void begin() {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      solver_->add(
          term::equal(place(t, 0), code(t == 0 ? program_.threads[0].entry.value : kUnborn)));
    for (const VariableId v : variables_) {
      const Variable& variable = program_.variable(v);
      if (!variable.initial)
        solver_->add(in_range(variable, copy(v, 0)));
      else
        solver_->add(term::equal(copy(v, 0), initial(v)));
    }
  }

  Term initial(VariableId v) const {
    const Variable& variable = program_.variable(v);
    if (variable.term.sort() == Sort::Boolean) return term::constant(*variable.initial != 0);
    return number(*variable.initial);
  }

  Term is_bad_at(std::size_t k) const {
    std::vector<Term> any;
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p)
        if (program_.threads[t].points[p].kind == PointInfo::Kind::Error)
          any.push_back(term::equal(place(t, k), code(p)));
    return term::disjunction(std::move(any));
  }

  void extend(std::size_t k) {
    const Term chosen = term::variable(at("chosen", k), Sort::Integer);
    solver_->add(term::at_most(number(0), chosen));
    solver_->add(
        term::at_most(chosen, number(Integer(static_cast<unsigned long>(all_.size())) - 1)));
    std::vector<Term> is;
    for (std::size_t s = 0; s < all_.size(); ++s) {
      is.push_back(term::equal(chosen, number(Integer(static_cast<unsigned long>(s)))));
      solver_->add(term::implication(is.back(), enabled(step(s), k)));
    }
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      Term next = place(t, k);
      for (std::size_t s = 0; s < all_.size(); ++s)
        if (const auto p = place_after(step(s), t)) next = term::choice(is[s], code(*p), next);
      solver_->add(term::equal(place(t, k + 1), next));
    }
    for (const VariableId v : variables_) {
      Term next = copy(v, k);
      for (std::size_t s = 0; s < all_.size(); ++s)
        if (const auto value = value_after(step(s), v))
          next = term::choice(is[s], in_state(*value, k), next);
      solver_->add(term::equal(copy(v, k + 1), next));
    }
  }

  Term enabled(const BlockStep& s, std::size_t k) const {
    std::vector<Term> parts = {term::equal(place(s.thread.index(), k), code(s.from.value)),
                               in_state(s.guard, k)};
    for (const Input& input : s.inputs) parts.push_back(in_state(in_range(input), k));
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (t == s.thread.index()) continue;
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p)
        if (prepared_.blocks.partition.is_cut[t][p] && !prepared_.blocks.partition.is_out[t][p])
          parts.push_back(term::negation(term::equal(place(t, k), code(p))));
    }
    return term::conjunction(std::move(parts));
  }

  std::optional<std::uint32_t> place_after(const BlockStep& s, std::size_t t) const {
    if (t == s.thread.index()) return s.to.value;
    for (const Creation& creation : s.creations)
      if (creation.thread.index() == t) return program_.threads[t].entry.value;
    return std::nullopt;
  }

  std::optional<Term> value_after(const BlockStep& s, VariableId v) const {
    for (const Creation& creation : s.creations)
      for (const Assignment& a : creation.locals)
        if (a.variable == v) return a.value;
    for (const Assignment& a : s.assignments)
      if (a.variable == v) return a.value;
    return std::nullopt;
  }

  Interleaving read(std::size_t length) {
    Interleaving out;
    for (const VariableId v : variables_)
      if (!program_.variable(v).initial)
        out.unknown_initial.emplace(program_.variable(v).term.name(), solver_->value(copy(v, 0)));
    for (std::size_t k = 0; k < length; ++k) {
      const Integer s = solver_->value(term::variable(at("chosen", k), Sort::Integer));
      const BlockStep& taken = step(s.get_ui());
      Interleaving::Step result{
          taken.thread, static_cast<std::uint32_t>(all_[s.get_ui()].second), {}};
      for (const Input& input : taken.inputs)
        result.inputs.emplace(input.term.name(), solver_->value(term::variable(
                                                     at(input.term.name(), k), input.term.sort())));
      out.steps.push_back(std::move(result));
    }
    return out;
  }

  const Prepared& prepared_;
  const ThreadProgram& program_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::size_t length_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> all_;
  std::vector<VariableId> variables_;
};

namespace {

/// Executes an interleaving in the thread program and in the interpreter side by side.
class Player : model::c::StepObserver {
 public:
  Player(const model::c::Program& program, const Prepared& prepared)
      : interpreter_(program),
        program_(prepared.instructions),
        prepared_(prepared),
        state_(interpreter_.initial()),
        threads_(program_.threads.size()) {
    threads_[0] = model::c::ThreadId(std::size_t{0});
  }

  std::optional<model::c::Run> run(const Interleaving& interleaving) {
    for (const Variable& v : program_.variables)
      values_[v.term.name()] = v.initial.value_or(Integer(0));
    for (const auto& [name, value] : interleaving.unknown_initial) values_[name] = value;
    for (const Interleaving::Step& step : interleaving.steps) {
      const BlockStep& block = prepared_.blocks.steps[step.thread.index()][step.step];
      for (const auto& [name, value] : step.inputs) values_[name] = value;
      for (const std::uint32_t i : block.path) {
        for (const std::uint32_t part :
             prepared_.program.thread(step.thread).transitions[i].parts) {
          const Transition& t = program_.thread(step.thread).transitions[part];
          if (!execute(step.thread, t)) return std::nullopt;
          if (run_.violation.kind == model::c::Violation::Kind::Failure && has_failed_) return run_;
          advance(t);
        }
      }
    }
    return std::nullopt;
  }

 private:
  void created(model::c::ThreadId, model::c::ThreadId made) override { created_ = made; }

  Integer evaluate(const Term& term) const {
    const auto value = [&](const Term& v) {
      const auto known = values_.find(v.name());
      return known == values_.end() ? Integer(0) : known->second;
    };
    if (term.sort() == Sort::Boolean) return term::holds(term, value) ? 1 : 0;
    return term::evaluate(term, value);
  }

  static std::uint64_t bits(Integer value, std::uint8_t width) {
    if (value < 0) value += Integer(1) << 64;
    const std::uint64_t word = value.get_ui();
    return width >= 64 ? word : word & ((std::uint64_t{1} << width) - 1);
  }

  /// What to choose where the interpreter asks.
  std::uint64_t choice(const Transition& t, const model::c::ChoiceRequest& request) const {
    using Kind = model::c::ChoiceRequest::Kind;
    const Integer input = t.inputs.empty() ? Integer(0) : evaluate(t.inputs.front().term);
    switch (request.kind) {
      case Kind::Value: return bits(input, request.width);
      case Kind::TimedOut: return input != 0 ? 1 : 0;
      case Kind::WeakFailure: return input != 0 ? 0 : 1;
      case Kind::Signalled: return 0;
      case Kind::Uninitialised:
        for (const Assignment& a : t.assignments)
          if (program_.variable(a.variable).kind == Variable::Kind::Register)
            return bits(evaluate(a.value), 64);
        return 0;
    }
    return 0;
  }

  bool execute(ThreadIndex thread, const Transition& t) {
    if (!threads_[thread.index()]) return false;
    const model::c::ThreadId id = *threads_[thread.index()];
    std::vector<std::uint64_t> choices;
    for (int tries = 0; tries < 16; ++tries) {
      const model::c::StepResult result = interpreter_.step(state_, id, choices, this);
      if (result.outcome == model::c::Outcome::NeedsChoice) {
        choices.push_back(choice(t, result.request));
        continue;
      }
      model::c::append(run_, id, choices);
      if (result.violation) {
        run_.violation = *result.violation;
        has_failed_ = true;
        return result.violation->kind == model::c::Violation::Kind::Failure;
      }
      if (t.creation && created_) threads_[t.creation->thread.index()] = created_;
      created_.reset();
      return result.outcome == model::c::Outcome::Continued ||
             result.outcome == model::c::Outcome::ProcessEnded;
    }
    return false;
  }

  void advance(const Transition& t) {
    std::map<std::string, Integer> next;
    for (const Assignment& a : t.assignments)
      next[program_.variable(a.variable).term.name()] = evaluate(a.value);
    if (t.creation)
      for (const Assignment& a : t.creation->locals)
        next[program_.variable(a.variable).term.name()] = evaluate(a.value);
    for (auto& [name, value] : next) values_[name] = std::move(value);
  }

  model::c::Interpreter interpreter_;
  const ThreadProgram& program_;
  const Prepared& prepared_;
  model::c::State state_;
  std::vector<std::optional<model::c::ThreadId>> threads_;
  std::optional<model::c::ThreadId> created_;
  std::map<std::string, Integer> values_;
  model::c::Run run_;
  bool has_failed_ = false;
};

}  // namespace

InterleavingSearch::InterleavingSearch(const Prepared& prepared)
    : unrolling_(std::make_unique<Unrolling>(prepared)) {}
InterleavingSearch::InterleavingSearch(InterleavingSearch&&) noexcept = default;
InterleavingSearch& InterleavingSearch::operator=(InterleavingSearch&&) noexcept = default;
InterleavingSearch::~InterleavingSearch() = default;

std::optional<Interleaving> InterleavingSearch::run(std::size_t length, base::RunContext& context) {
  return unrolling_->run(length, context);
}

std::optional<model::c::Run> replay(const model::c::Program& program, const Prepared& prepared,
                                    const Interleaving& interleaving) {
  return Player(program, prepared).run(interleaving);
}

}  // namespace heddle::engine::compositional
