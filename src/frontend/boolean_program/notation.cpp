#include "frontend/boolean_program/notation.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend {

namespace {

using base::Integer;
using model::ThreadsInMain;
using ProgramNotation = Notation<model::BooleanProgram>;

/// A run of a Boolean program lists each of its threads.
constexpr unsigned long kMostListedThreads = 1'000'000;

base::Parsed<void> check_listed(const std::string& option, const Integer& threads) {
  if (threads <= kMostListedThreads) return {};
  return std::unexpected(base::complaint(
      option,
      "runs of a Boolean program list their threads: " + base::to_string(threads) + " are too many",
      "give at most " + std::to_string(kMostListedThreads) + ", or any"));
}

/// Is there a statement among these at which a thread may fail?
bool has_failure(const model::BooleanProgram& program,
                 const std::vector<model::boolean::Statement>& statements) {
  const bool counts_assertions = program.failure_labels.empty();
  return std::ranges::any_of(statements, [&](const model::boolean::Statement& statement) {
    return (counts_assertions && statement.kind == model::boolean::StatementKind::Assert) ||
           is_failure(statement, program.failure_labels) ||
           std::ranges::any_of(statement.blocks,
                               [&](const auto& block) { return has_failure(program, block); });
  });
}

}  // namespace

std::string ProgramNotation::vacuity(const model::BooleanProgram& program,
                                     const std::vector<model::Failure>&) {
  const bool may_fail =
      std::ranges::any_of(program.procedures, [&](const model::boolean::Procedure& procedure) {
        return has_failure(program, procedure.body);
      });
  return may_fail ? "" : "the program has no assertion and no label SLIC_ERROR";
}

base::Parsed<std::vector<model::Failure>> ProgramNotation::parse_targets(
    const model::BooleanProgram&, const SourceText& source) {
  text::Problems problems(source);
  problems.error("the target of a Boolean program is that one of its assertions fails",
                 "write what should hold as assert(…) in the program");
  return std::unexpected(problems.take_errors());
}

base::Parsed<std::vector<ThreadsInMain>> ProgramNotation::parse_initial(
    const model::BooleanProgram&, const SourceText& source) {
  text::Lexer lexer(source.text, text::LineEnds::Blanks);
  const text::Token word = lexer.next();
  const bool alone = lexer.peek().kind == text::TokenKind::End;
  if (alone && word.is("any")) return std::vector{ThreadsInMain{1, std::nullopt}};
  const auto count = base::parse_integer(word.text);
  if (alone && count && *count >= 1) return std::vector{ThreadsInMain{*count, count}};
  text::Problems problems(source);
  problems.error("this is not a number of threads",
                 "give the number of threads that start in main, or 'any'");
  return std::unexpected(problems.take_errors());
}

std::string ProgramNotation::print_initial(const model::BooleanProgram&,
                                           const ThreadsInMain& initial) {
  return initial.most ? base::to_string(*initial.most) : "any";
}

base::Parsed<void> ProgramNotation::check_initial(const std::vector<ThreadsInMain>& initial) {
  for (const ThreadsInMain& threads : initial)
    if (auto listed = check_listed("--initial", threads.least); !listed) return listed;
  return {};
}

base::Parsed<void> ProgramNotation::fix_thread_count(const Integer& threads,
                                                     std::vector<ThreadsInMain>& initial) {
  if (auto listed = check_listed("--threads", threads); !listed) return listed;
  for (ThreadsInMain& numbers : initial) numbers = {threads, threads};
  return {};
}

ThreadsInMain ProgramNotation::plain_initial(ThreadsInMain initial) { return initial; }

}  // namespace heddle::frontend
