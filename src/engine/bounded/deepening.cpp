#include "engine/bounded/deepening.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "engine/bounded/rounds.hpp"
#include "engine/bounded/schedule.hpp"

namespace heddle::engine::bounded {

namespace {

using solver::SatAnswer;

class Deepening {
 public:
  Deepening(const model::c::Program& program, model::c::Property property,
            std::optional<std::uint32_t> contexts, base::RunContext& context)
      : interpreter_(program),
        property_(property),
        contexts_(contexts),
        context_(context),
        objects_(interpreter_) {}

  Found run() {
    Bounds bounds;
    while (true) {
      if (contexts_) bounds.rounds = std::min(bounds.rounds, *contexts_);
      if (!ask(bounds)) return std::move(found_);
      if (!next(bounds)) return std::move(found_);
    }
  }

 private:
  bool stop(std::string why, bool is_stopped) {
    found_.why = std::move(why);
    found_.is_stopped = is_stopped;
    return false;
  }

  /// Whether to go on with greater bounds.
  bool ask(const Bounds& bounds) {
    std::optional<Unrolling> unrolling =
        unroll(interpreter_, property_, bounds, objects_, facts_, context_);
    if (!unrolling) return stop(completed_, true);
    context_.add_steps(unrolling->instructions);
    if (context_.step()) return stop(completed_, true);
    encode_memory(*unrolling, objects_);
    solver::SatSolver solver;
    Clauses clauses(unrolling->circuit, solver);
    for (const auto& clause : unrolling->requirements) clauses.require(clause);
    clauses.require(unrolling->violations);
    const SatAnswer answer = solver.solve({}, context_);
    tell(bounds, *unrolling, clauses, answer);
    if (answer == SatAnswer::Unknown) return stop(completed_, true);
    meets_iterations_ = unrolling->meets_iterations;
    meets_threads_ = unrolling->meets_threads;
    if (unrolling->left_out) left_out_ = unrolling->left_out;
    if (answer == SatAnswer::Unsatisfiable) return true;
    auto run = run_of_model(interpreter_, property_, *unrolling, clauses);
    if (!run) {
      left_out_ = "a run was found that the program does not make: " + run.error();
      return true;
    }
    found_.run = std::move(*run);
    return false;
  }

  void tell(const Bounds& bounds, const Unrolling& unrolling, const Clauses& clauses,
            SatAnswer answer) {
    if (answer == SatAnswer::Unsatisfiable) {
      completed_ = "no violation with up to " + base::counted(bounds.rounds, "context") +
                   " per thread, " + base::counted(bounds.iterations, "iteration") +
                   " of a loop and " + base::counted(bounds.threads, "thread");
      context_.emit({completed_,
                     {{"instructions", static_cast<double>(unrolling.instructions)},
                      {"clauses", static_cast<double>(clauses.clauses())}},
                     true});
    }
    context_.statistics().set("clauses", static_cast<double>(clauses.clauses()));
  }

  /// Greater bounds; none if there is nothing that they could add.
  bool next(Bounds& bounds) {
    const bool more_rounds = !contexts_ || bounds.rounds < *contexts_;
    if (!more_rounds && !meets_iterations_ && !meets_threads_)
      return stop(left_out_.value_or(completed_), false);
    if (bounds.rounds > kMostRounds) return stop(left_out_.value_or(completed_), false);
    ++stage_;
    if (stage_ % 2 == 0 || !(meets_iterations_ || meets_threads_)) {
      ++bounds.rounds;
    } else {
      bounds.iterations *= 2;
      bounds.instructions *= 2;
      bounds.constant_iterations *= 2;
      bounds.threads = bounds.threads * 2 - 1;
    }
    return true;
  }

  static constexpr std::uint32_t kMostRounds = 32;

  model::c::Interpreter interpreter_;
  model::c::Property property_;
  std::optional<std::uint32_t> contexts_;
  base::RunContext& context_;
  Objects objects_;
  Facts facts_;
  Found found_;
  std::string completed_ = "no bound was completed";
  std::optional<std::string> left_out_;
  std::uint32_t stage_ = 0;
  bool meets_iterations_ = false;
  bool meets_threads_ = false;
};

}  // namespace

Found deepen(const model::c::Program& program, model::c::Property property,
             std::optional<std::uint32_t> contexts, base::RunContext& context) {
  return Deepening(program, property, contexts, context).run();
}

}  // namespace heddle::engine::bounded
