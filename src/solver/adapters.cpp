/// The solvers that live in modules: each is loaded when it is needed for the first time.

#include "base/module.hpp"
#include "solver/horn.hpp"
#include "solver/linear_cone.hpp"
#include "solver/smt.hpp"

namespace heddle::solver {

std::unique_ptr<SmtSolver> make_smt_solver(SmtBackend backend) {
  const char* file = backend == SmtBackend::Z3 ? "heddle_z3.so" : "heddle_cvc5.so";
  using Make = SmtSolver*();
  auto* make = reinterpret_cast<Make*>(base::module_symbol(file, "heddle_make_smt_solver"));
  return std::unique_ptr<SmtSolver>(make());
}

HornResult solve_horn(const term::HornSystem& system, const HornOptions& options,
                      const base::RunContext& context) {
  using Solve =
      void(const term::HornSystem&, const HornOptions&, const base::RunContext&, HornResult&);
  auto* solve = reinterpret_cast<Solve*>(base::module_symbol("heddle_z3.so", "heddle_solve_horn"));
  HornResult result;
  solve(system, options, context, result);
  return result;
}

std::optional<std::vector<std::int64_t>> find_in(const LinearCone& cone, std::uint64_t& work) {
  using Weights = std::optional<std::vector<std::int64_t>>;
  using Find = void(const LinearCone&, std::uint64_t&, Weights&);
  static auto* const find =
      reinterpret_cast<Find*>(base::module_symbol("heddle_glpk.so", "heddle_find_in_cone"));
  Weights found;
  find(cone, work, found);
  return found;
}

}  // namespace heddle::solver
