#include "transform/c_threads/threads_of_c.hpp"

#include <algorithm>

#include "term/print.hpp"
#include "transform/c_threads/explorer.hpp"

/// From C to thread programs.
///
/// The question. Proofs speak about integers; a C program speaks about bytes at addresses, calls
/// and thread handles. Which integers are there?
///
/// The idea. Execute the program abstractly, thread by thread, with calls inlined. A point of a
/// thread program is an instruction in a chain of calls, together with the constants that some
/// registers and cells of memory have there: those that end up as addresses, as functions, as
/// handles, or as counters of loops that create threads (register_facts.cpp). So a loop that
/// creates three threads is unrolled and gives three threads; a loop that creates n of them has no
/// constant counter, its creating instruction lies on a cycle, and the thread is replicated. An
/// address that is a constant names its cell; one that is not is a number, which is compared with
/// the addresses of the cells that it may point to.
///
/// Every pass assumes something: a cell that was not seen to be stored to keeps its initial value,
/// one that only one thread writes to can be followed, pointers point only where they were seen to
/// point. What a pass refutes is remembered, and another pass begins; what is remembered only
/// grows, so this ends. The result of the last pass rests on no assumption that it refutes itself.
///
/// Why it is right. By induction over a run of the C program, its state corresponds to a state
/// here: each thread stands at the point for its instruction and chain of calls, followed constants
/// are right, cells have the values of their bytes. What is not exact has more behaviour: objects
/// that are accessed in several widths or that stand for many are blurred (reads give any value),
/// products of variables and the like are any value, freed objects stay. Accesses that we cannot
/// place lead to a point of kind Unsupported, which a proof must show unreachable. Where the
/// semantics ends a run (invalid accesses, division by zero), there is no transition, and the point
/// is marked as one that may block.
///
/// Two properties of C are taken for granted: arithmetic on a pointer does not lead into another
/// object, and the numbers that addresses are do not matter but for equality.

namespace heddle::transform::c_threads {

using namespace model::threads;

std::expected<ThreadProgram, Refusal> threads_of_c(const model::c::Program& program,
                                                   const Options& options) {
  auto covered = cover(program, options);
  if (!covered) return std::unexpected(covered.error());
  return std::move(covered->program);
}

std::expected<Covered, Refusal> cover(const model::c::Program& program, const Options& options) {
  try {
    return Explorer(program, options).run();
  } catch (const RefusedError& refused) {
    return std::unexpected(refused.refusal);
  }
}

namespace {

/// Names of variables that guards depend on, directly or through assignments.
class Cone {
 public:
  explicit Cone(const ThreadProgram& program) {
    for (const model::threads::Thread& thread : program.threads) {
      for (const Transition& t : thread.transitions) {
        if (!t.range_check_of) need(t.guard);
        for (const Assignment& a : t.assignments)
          feeds_[program.variable(a.variable).term.name()].push_back(a.value);
        if (t.creation)
          for (const Assignment& a : t.creation->locals)
            feeds_[program.variable(a.variable).term.name()].push_back(a.value);
      }
      // Numbers and statuses of threads are what facts are about.
      if (thread.self) need(program.variable(*thread.self).term);
      if (thread.status) need(program.variable(*thread.status).term);
    }
    while (!work_.empty()) {
      const std::string name = work_.back();
      work_.pop_back();
      const auto values = feeds_.find(name);
      if (values == feeds_.end()) continue;
      for (const term::Term& value : values->second) need(value);
    }
  }

  bool contains(const Variable& variable) const { return needed_.contains(variable.term.name()); }
  bool contains(const term::Term& term) const { return needed_.contains(term.name()); }

 private:
  void need(const term::Term& term) {
    for (const term::Term& v : term::variables({term}))
      if (needed_.insert(v.name()).second) work_.push_back(v.name());
  }

  std::set<std::string> needed_;
  std::vector<std::string> work_;
  std::map<std::string, std::vector<term::Term>> feeds_;
};

}  // namespace

void slice(ThreadProgram& program) {
  const Cone cone(program);
  const auto is_idle = [&](const Assignment& a) {
    return !cone.contains(program.variable(a.variable));
  };
  for (model::threads::Thread& thread : program.threads) {
    // Arithmetic whose result does not matter may leave its range.
    const auto is_free = [&](const Transition& t) {
      return t.range_check_of && !cone.contains(program.variable(*t.range_check_of));
    };
    std::erase_if(thread.transitions, [&](const Transition& t) {
      return is_free(t) && thread.points[t.to.index()].kind == PointInfo::Kind::Overflow;
    });
    for (Transition& t : thread.transitions) {
      if (is_free(t)) t.guard = term::constant(true);
      std::erase_if(t.assignments, is_idle);
      if (t.creation) std::erase_if(t.creation->locals, is_idle);
      std::vector<term::Term> used = {t.guard};
      for (const Assignment& a : t.assignments) used.push_back(a.value);
      if (t.creation)
        for (const Assignment& a : t.creation->locals) used.push_back(a.value);
      std::set<std::string> names;
      for (const term::Term& v : term::variables(used)) names.insert(v.name());
      std::erase_if(t.inputs, [&](const Input& i) { return !names.contains(i.term.name()); });
    }
  }
  program.globals.clear();
  for (model::threads::Thread& thread : program.threads) thread.locals.clear();
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (!cone.contains(variable)) continue;
    if (variable.owner)
      program.threads[variable.owner->index()].locals.emplace_back(i);
    else
      program.globals.emplace_back(i);
  }
}

}  // namespace heddle::transform::c_threads
