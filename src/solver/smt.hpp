#pragma once

/// Satisfiability modulo linear integer arithmetic, whoever decides it. The adapters are modules
/// beside the program that are loaded when a solver is made for the first time: a run that needs no
/// solver does not pay for linking them (docs/architecture.md).

#include <cstdint>
#include <memory>

#include "base/integer.hpp"
#include "base/run_context.hpp"
#include "term/term.hpp"

namespace heddle::solver {

enum class SmtAnswer { Satisfiable, Unsatisfiable, Unknown };

/// A stack of assertions. Not shared between threads.
class SmtSolver {
 public:
  SmtSolver() = default;
  SmtSolver(const SmtSolver&) = delete;
  SmtSolver& operator=(const SmtSolver&) = delete;
  virtual ~SmtSolver() = default;

  virtual void push() = 0;
  virtual void pop() = 0;  ///< forgets what was added since the last push
  virtual void add(const term::Term& formula) = 0;

  /// Each check gives up after so many units of the solver's own, which unlike time are the same
  /// on every machine; 0: it does not. To be said before anything is added.
  virtual void limit_effort(std::uint64_t units) = 0;

  /// Unknown if the context's deadline passed or a stop was requested while the solver was at work
  /// (`context.stopped()` tells), or if the solver gave up.
  virtual SmtAnswer check(const base::RunContext& context) = 0;

  /// What a variable is in the model found by the last check, which was Satisfiable and after which
  /// nothing was added; a Boolean one is 0 or 1. A variable that does not matter is 0.
  virtual base::Integer value(const term::Term& variable) = 0;
};

/// Two solvers by different authors: engines ask the first, checkers the second.
enum class SmtBackend { Z3, Cvc5 };

/// Loads the adapter if it is not loaded yet. Throws InternalError if it cannot be loaded, which
/// means that the program was moved without its modules.
std::unique_ptr<SmtSolver> make_smt_solver(SmtBackend backend);

}  // namespace heddle::solver
