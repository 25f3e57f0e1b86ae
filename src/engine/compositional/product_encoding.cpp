#include "engine/compositional/encoding.hpp"

#include <deque>

#include "engine/compositional/clauses.hpp"

/// Product clauses. One predicate for each tuple of points, over globals and all locals. Statuses
/// of threads are constants then.

namespace heddle::engine::compositional {

using namespace model::threads;
using term::HornAtom;
using term::HornClause;
using term::HornPredicate;
using term::Sort;
using term::Substitution;
using term::Term;
using transform::blocks::BlockStep;

namespace {

class Product : Clauses {
 public:
  using Tuple = std::vector<std::uint32_t>;

  Product(const Prepared& prepared, std::size_t limit) : Clauses(prepared), limit_(limit) {
    for (const VariableId v : program_.globals)
      if (variable(v).kind != Variable::Kind::Status) globals_.push_back(v);
  }

  std::optional<Encoding> run() {
    for (const Thread& t : program_.threads)
      if (t.is_replicated) return std::nullopt;
    Tuple start(program_.threads.size(), kUnborn);
    start[0] = program_.threads[0].entry.value;
    begin(start);
    while (!work_.empty()) {
      const Tuple tuple = work_.front();
      work_.pop_front();
      for (std::size_t t = 0; t < tuple.size(); ++t) {
        if (tuple[t] == kUnborn || tuple[t] == kEnded || !may_step(tuple, t)) continue;
        for (const BlockStep& step : blocks_.steps[t])
          if (step.from.value == tuple[t]) take(tuple, step);
      }
      if (predicates_.size() > limit_) return std::nullopt;
    }
    return std::move(encoding_);
  }

 private:
  bool is_in(const Tuple& tuple, std::size_t t) const {
    return tuple[t] != kUnborn && tuple[t] != kEnded && !blocks_.partition.is_out[t][tuple[t]];
  }

  bool may_step(const Tuple& tuple, std::size_t t) const {
    for (std::size_t u = 0; u < tuple.size(); ++u)
      if (u != t && is_in(tuple, u)) return false;
    return true;
  }

  std::vector<VariableId> locals(const Tuple& tuple) const {
    std::vector<VariableId> out;
    for (std::size_t t = 0; t < tuple.size(); ++t)
      if (tuple[t] != kUnborn && tuple[t] != kEnded)
        out.insert(out.end(), blocks_.live[t][tuple[t]].begin(), blocks_.live[t][tuple[t]].end());
    return out;
  }

  HornPredicate predicate(const Tuple& tuple) {
    const auto known = predicates_.find(tuple);
    if (known != predicates_.end()) return known->second;
    std::string name = "P";
    PredicateMeaning meaning;
    for (std::size_t t = 0; t < tuple.size(); ++t) {
      name += tuple[t] == kUnborn  ? ".u"
              : tuple[t] == kEnded ? ".e"
                                   : "." + std::to_string(tuple[t]);
      meaning.at.emplace_back(ThreadIndex(t), tuple[t]);
    }
    std::vector<Term> parameters;
    for (const VariableId v : globals_) parameters.push_back(variable(v).term);
    for (const VariableId v : locals(tuple)) parameters.push_back(variable(v).term);
    const HornPredicate made = encoding_.system.add(name, std::move(parameters));
    encoding_.meanings.push_back(std::move(meaning));
    predicates_.emplace(tuple, made);
    work_.push_back(tuple);
    return made;
  }

  Term initial(VariableId v) const {
    const Variable& info = variable(v);
    if (!info.initial) return info.term;
    if (info.term.sort() == Sort::Boolean) return term::constant(*info.initial != 0);
    return term::constant(*info.initial);
  }

  void begin(const Tuple& start) {
    const HornPredicate first = predicate(start);
    std::vector<Term> arguments;
    for (const VariableId v : globals_) arguments.push_back(initial(v));
    for (const VariableId v : locals(start)) arguments.push_back(initial(v));
    encoding_.system.clauses.push_back(
        {{}, ranges_of_globals(), HornAtom{first, std::move(arguments)}, "initial"});
  }

  /// What is known at a tuple, with the statuses of threads.
  Substitution statuses(const Tuple& tuple) const {
    Substitution out;
    for (std::size_t t = 0; t < tuple.size(); ++t)
      if (program_.threads[t].status)
        out.emplace(variable(*program_.threads[t].status).term.name(),
                    number(tuple[t] == kUnborn  ? 0
                           : tuple[t] == kEnded ? 2
                                                : 1));
    return out;
  }

  Term known(const Tuple& tuple) const {
    std::vector<Term> parts = {ranges_of_globals()};
    for (std::size_t t = 0; t < tuple.size(); ++t) {
      if (tuple[t] == kUnborn || tuple[t] == kEnded) continue;
      parts.push_back(prepared_.facts.formula(ThreadIndex(t), Point(tuple[t])));
      parts.push_back(ranges_of_locals(ThreadIndex(t), Point(tuple[t]), ""));
    }
    return term::substitute(term::conjunction(std::move(parts)), statuses(tuple));
  }

  void take(const Tuple& tuple, const BlockStep& step) {
    const Substitution status = statuses(tuple);
    const Term constraint =
        term::conjunction({term::substitute(enabled(step, ""), status), known(tuple)});
    if (constraint.op() == term::Operator::Boolean && !constraint.boolean()) return;
    Tuple next = tuple;
    const PointInfo::Kind kind = thread(step.thread).points[step.to.index()].kind;
    next[step.thread.index()] =
        kind == PointInfo::Kind::End && step.thread.index() != 0 ? kEnded : step.to.value;
    if (kind == PointInfo::Kind::End && step.thread.index() == 0) next[0] = kEnded;
    HornClause clause{{atom(tuple)},
                      constraint,
                      {},
                      thread(step.thread).name + " " + std::to_string(step.from.value) + " to " +
                          std::to_string(step.to.value)};
    for (const Creation& creation : step.creations) {
      if (next[creation.thread.index()] != kUnborn) return;  // not a second time
      next[creation.thread.index()] = thread(creation.thread).entry.value;
    }
    if (!is_bad(kind)) {
      const HornPredicate target = predicate(next);
      std::vector<Term> arguments;
      for (const VariableId v : globals_)
        arguments.push_back(term::substitute(after(step, v, ""), status));
      for (const VariableId v : locals(next))
        arguments.push_back(term::substitute(value_after(step, v), status));
      clause.head = HornAtom{target, std::move(arguments)};
    }
    encoding_.system.clauses.push_back(std::move(clause));
  }

  Term value_after(const BlockStep& step, VariableId v) const {
    for (const Creation& creation : step.creations) {
      if (variable(v).owner != creation.thread) continue;
      for (const Assignment& a : creation.locals)
        if (a.variable == v) return a.value;
      return initial(v);
    }
    return after(step, v, "");
  }

  HornAtom atom(const Tuple& tuple) const {
    std::vector<Term> arguments;
    for (const VariableId v : globals_) arguments.push_back(variable(v).term);
    for (const VariableId v : locals(tuple)) arguments.push_back(variable(v).term);
    return {predicates_.at(tuple), std::move(arguments)};
  }

  std::size_t limit_;
  std::vector<VariableId> globals_;
  Encoding encoding_;
  std::map<Tuple, HornPredicate> predicates_;
  std::deque<Tuple> work_;
};

}  // namespace

std::optional<Encoding> encode_product(const Prepared& prepared, std::size_t limit) {
  return Product(prepared, limit).run();
}

}  // namespace heddle::engine::compositional
