#include "engine/compositional/relevant.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "term/print.hpp"

/// Backwards from guards: if a variable matters, so does what is assigned to it. Nothing is lost
/// for the product: a solution over all variables, with the others quantified away, is one over
/// those that matter. Of thread-modular proofs, those are lost in which a variable that nobody
/// reads says how far another thread has got; the counts of threads at places serve that, too.
///
/// A proof is right whatever is left out: the checker derives its conditions from the program.

namespace heddle::engine::compositional {

using namespace model::threads;
using transform::blocks::BlockStep;

namespace {

class Relevance {
 public:
  explicit Relevance(const Prepared& prepared) : prepared_(prepared) {
    for (const Variable& v : prepared.program.variables)
      if (v.kind == Variable::Kind::Owner || v.kind == Variable::Kind::Depth ||
          v.kind == Variable::Kind::Status || v.kind == Variable::Kind::Self)
        names_.insert(v.term.name());
    for_each_step([&](const BlockStep& step) { add(step.guard); });
    for (bool is_changed = true; is_changed;) {
      const std::size_t before = names_.size();
      for_each_step([&](const BlockStep& step) { add_values(step); });
      is_changed = names_.size() != before;
    }
  }

  bool contains(VariableId v) const {
    return names_.contains(prepared_.program.variable(v).term.name());
  }

 private:
  template <class Action>
  void for_each_step(const Action& action) const {
    for (const auto& steps : prepared_.blocks.steps)
      for (const BlockStep& step : steps) action(step);
  }

  void add(const term::Term& term) {
    for (const term::Term& v : term::variables({term})) names_.insert(v.name());
  }

  void add_values(const BlockStep& step) {
    for (const Assignment& a : step.assignments)
      if (contains(a.variable)) add(a.value);
    for (const Creation& creation : step.creations)
      for (const Assignment& a : creation.locals)
        if (contains(a.variable)) add(a.value);
  }

  const Prepared& prepared_;
  std::set<std::string> names_;
};

}  // namespace

Prepared only_relevant(const Prepared& prepared) {
  const Relevance relevance(prepared);
  const auto is_irrelevant = [&](VariableId v) { return !relevance.contains(v); };
  const auto is_lost = [&](const Assignment& a) { return is_irrelevant(a.variable); };
  Prepared out = prepared;
  std::erase_if(out.program.globals, is_irrelevant);
  for (Thread& thread : out.program.threads) std::erase_if(thread.locals, is_irrelevant);
  for (auto& points : out.blocks.live)
    for (auto& live : points) std::erase_if(live, is_irrelevant);
  for (auto& steps : out.blocks.steps)
    for (BlockStep& step : steps) {
      std::erase_if(step.assignments, is_lost);
      for (Creation& creation : step.creations) std::erase_if(creation.locals, is_lost);
    }
  return out;
}

}  // namespace heddle::engine::compositional
