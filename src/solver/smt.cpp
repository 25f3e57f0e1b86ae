#include "solver/smt.hpp"

#include "solver/module.hpp"

namespace heddle::solver {

std::unique_ptr<SmtSolver> make_smt_solver(SmtBackend backend) {
  const char* file = backend == SmtBackend::Z3 ? "heddle_z3.so" : "heddle_cvc5.so";
  using Make = SmtSolver*();
  auto* make = reinterpret_cast<Make*>(module_symbol(file, "heddle_make_smt_solver"));
  return std::unique_ptr<SmtSolver>(make());
}

}  // namespace heddle::solver
