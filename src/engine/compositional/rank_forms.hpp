#pragma once

/// Integer forms that steps do not increase and some of them decrease. See rank_forms.cpp.

#include <memory>
#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "solver/smt.hpp"

namespace heddle::engine::compositional {

/// What a step does to the variables of a form.
struct RankedStep {
  term::Term body = term::constant(true);  ///< when it is taken
  std::vector<term::Term> before, after;   ///< by variable
  std::optional<std::size_t> own;          ///< which step of the loop; none: of another thread
};

/// The greatest of several linear forms.
struct RankForm {
  struct Piece {
    std::vector<base::Integer> coefficients;  ///< by variable
    base::Integer constant;
  };
  std::vector<Piece> pieces;
  std::vector<bool> decreases;  ///< by step of the loop

  term::Term value(const std::vector<term::Term>& variables) const;
};

class RankForms {
 public:
  explicit RankForms(base::RunContext& context)
      : context_(context), examples_(solver::make_smt_solver(solver::SmtBackend::Z3)) {}

  /// A form of so many pieces that no step increases, and that at least one of the loop's decreases
  /// whenever it is taken. `decreases` names all of them.
  std::optional<RankForm> find(std::size_t variables, const std::vector<RankedStep>& steps,
                               std::size_t own_steps, std::size_t pieces);

  /// The greater one of a linear form and a constant that no step increases, and that some instance
  /// of one of the loop's decreases.
  std::optional<RankForm> find_phase(std::size_t variables, const std::vector<RankedStep>& steps,
                                     std::size_t own_steps);

  bool is_possible(const term::Term& formula);  ///< true if the solver gives up

  /// Whether the form plus a constant is never negative before a step that decreases it.
  bool is_bounded(const RankForm& form, const std::vector<RankedStep>& steps,
                  const base::Integer& constant);

 private:
  /// The values before and after a step.
  struct Instance {
    std::vector<base::Integer> before, after;
  };
  std::optional<Instance> instance(const RankedStep& step, const term::Term& such_that);
  std::vector<Instance> instances(const std::vector<RankedStep>& steps);
  std::optional<term::Term> contradiction(const RankForm& form,
                                          const std::vector<RankedStep>& steps);
  term::Term demand(const RankedStep& step, std::size_t pieces);
  RankForm proposal(solver::SmtSolver& proposals, std::size_t variables, std::size_t own_steps,
                    std::size_t pieces) const;
  void find_all_decreases(RankForm& form, const std::vector<RankedStep>& steps);

  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> examples_;
  bool is_undecided_ = false;
};

}  // namespace heddle::engine::compositional
