#include <algorithm>
#include <map>
#include <string>

#include "support/metamorphosis.hpp"
#include "support/program_edits.hpp"

namespace heddle::test {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;

/// The task with the program edited by `edit`.
template <class Edit>
model::ProgramTask edited_program(const model::ProgramTask& task, Edit edit) {
  model::ProgramTask out = task;
  edit(out.model);
  return out;
}

Expression constant(bool value) { return {value ? Operator::True : Operator::False, {}, {}, {}}; }

/// Names with a meaning stay: main, init, threads (they start there), error and ASYNC_ labels.
bool has_a_meaning(const std::string& name) {
  return name == "main" || name == "init" || name.starts_with("thread") || name == "_" ||
         name == model::boolean::kErrorLabel || name.starts_with(model::boolean::kAsyncPrefix);
}

std::string renamed(const std::string& name) {
  if (name.empty() || has_a_meaning(name)) return name;
  const bool passive = name.ends_with('$');
  std::string stem = passive ? name.substr(0, name.size() - 1) : name;
  std::ranges::reverse(stem);  // so that the order of names changes as well
  return "z" + stem + "_q" + (passive ? "$" : "");
}

model::ProgramTask rename_all(const model::ProgramTask& task, Random&) {
  return edited_program(task, [](BooleanProgram& program) {
    const auto rename = [](auto& list) {
      for (Declaration& declaration : list) declaration.name = renamed(declaration.name);
    };
    rename(program.globals);
    for (Procedure& procedure : program.procedures) {
      procedure.name = renamed(procedure.name);
      rename(procedure.parameters);
      rename(procedure.locals);
    }
    for_each_expression(program, [](Expression& e) { e.name = renamed(e.name); });
    for_each_block(program, [](Block& block, Procedure&) {
      for (Statement& statement : block) {
        for (std::string& label : statement.labels) label = renamed(label);
        for (std::string& name : statement.names) name = renamed(name);
        statement.callee = renamed(statement.callee);
      }
    });
  });
}

model::ProgramTask permute_declarations(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    shuffle(program.globals, random);
    for (Procedure& procedure : program.procedures) shuffle(procedure.locals, random);
  });
}

/// Threads follow each other in the order of the file, so their order stays.
model::ProgramTask permute_procedures(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    std::vector<Procedure> starts, others;
    for (Procedure& procedure : program.procedures)
      (has_a_meaning(procedure.name) ? starts : others).push_back(std::move(procedure));
    shuffle(others, random);
    program.procedures = std::move(starts);
    std::ranges::move(others, std::back_inserter(program.procedures));
  });
}

/// Who steps first in a round is a matter of the order: it does not count without a bound only.
model::ProgramTask permute_listed_threads(const model::ProgramTask& task, Random& random) {
  if (task.question.contexts) return task;
  return edited_program(task, [&](BooleanProgram& program) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      if (program.procedures[i].name.starts_with("thread")) places.push_back(i);
    const std::vector<Procedure> before = program.procedures;
    const auto order = random_permutation(places.size(), random);
    for (std::size_t i = 0; i < places.size(); ++i) {
      program.procedures[places[i]] = before[places[order[i]]];
      program.procedures[places[i]].name = before[places[i]].name;
    }
  });
}

model::ProgramTask add_unused_variables(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    program = widen(std::move(program), random.between(1, 2));
  });
}

/// A branch that is never taken, and a procedure that nobody calls: both fail.
model::ProgramTask add_unreachable_code(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    Statement fails;
    fails.kind = StatementKind::Assert;
    fails.expressions = {constant(false)};
    Statement branch;
    branch.kind = StatementKind::If;
    branch.expressions = {constant(false)};
    branch.blocks = {{fails}};
    Block& body =
        program.procedures[random.below(static_cast<unsigned>(program.procedures.size()))].body;
    const auto at = random.below(static_cast<unsigned>(body.size()) + 1);
    body.insert(body.begin() + at, branch);
    Procedure never;
    never.name = "never_called";
    never.body = {fails};
    program.procedures.push_back(std::move(never));
  });
}

model::ProgramTask insert_skips(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    for_each_block(program, [&](Block& block, Procedure&) {
      Block out;
      for (Statement& statement : block) {
        if (random.one_in(3)) {  // labels stay where they are: a thread may start there
          Statement skip;
          std::swap(skip.labels, statement.labels);
          const auto is_kept = [](const std::string& label) { return has_a_meaning(label); };
          if (std::ranges::any_of(skip.labels, is_kept)) std::swap(skip.labels, statement.labels);
          out.push_back(std::move(skip));
        }
        out.push_back(std::move(statement));
      }
      block = std::move(out);
    });
  });
}

model::ProgramTask negate_twice(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    for_each_block(program, [&](Block& block, Procedure&) {
      for (Statement& statement : block)
        for (Expression& e : statement.expressions)
          if (random.one_in(2) && statement.kind != StatementKind::Assign) {
            const Expression inner{Operator::Not, {}, {e}, {}};
            e = {Operator::Not, {}, {inner}, {}};
          }
    });
  });
}

/// `x := e` becomes `atomic { if e then x := 1; else x := 0; fi; }`, at the top of a procedure.
model::ProgramTask split_assignments(const model::ProgramTask& task, Random& random) {
  return edited_program(task, [&](BooleanProgram& program) {
    for (Procedure& procedure : program.procedures) {
      bool inside = false;  // of an atomic section that is not a block
      for (Statement& statement : procedure.body) {
        inside = inside || statement.kind == StatementKind::AtomicBegin;
        const bool plain = statement.kind == StatementKind::Assign && statement.names.size() == 1 &&
                           !statement.constraint && !statement.names[0].ends_with('$') &&
                           statement.names[0] != "_";
        if (inside || !plain || random.one_in(2)) continue;
        Statement one = statement;
        one.labels.clear();
        Statement zero = one;
        one.expressions = {constant(true)};
        zero.expressions = {constant(false)};
        Statement branch;
        branch.kind = StatementKind::If;
        branch.expressions = statement.expressions;
        branch.blocks = {{one}, {zero}};
        Statement atomic;
        atomic.kind = StatementKind::Atomic;
        atomic.labels = statement.labels;
        atomic.blocks = {{branch}};
        statement = std::move(atomic);
      }
    }
  });
}

}  // namespace

model::BooleanProgram widen(model::BooleanProgram program, std::size_t more) {
  const auto pad = [&](std::vector<model::boolean::Declaration>& list, const std::string& name) {
    std::vector<model::boolean::Declaration> pads;
    for (std::size_t i = 0; i < more; ++i) pads.push_back({name + std::to_string(i), false, {}});
    list.insert(list.begin(), pads.begin(), pads.end());
  };
  const bool has_main = program.find("main") != nullptr;
  pad(program.globals, "shared_pad");
  for (model::boolean::Procedure& procedure : program.procedures)
    if (!has_main || procedure.name == "main") pad(procedure.locals, "pad");
  return program;
}

std::vector<Metamorphosis> program_metamorphoses() {
  return {metamorphosis("renamed", rename_all),
          metamorphosis("with permuted declarations", permute_declarations),
          metamorphosis("with permuted procedures", permute_procedures),
          metamorphosis("with permuted threads", permute_listed_threads),
          metamorphosis("with unused variables", add_unused_variables),
          metamorphosis("with unreachable code", add_unreachable_code),
          metamorphosis("with skips", insert_skips),
          metamorphosis("with double negations", negate_twice),
          metamorphosis("with assignments split in two", split_assignments)};
}

}  // namespace heddle::test
