#include "model/boolean_program/question.hpp"

#include "model/boolean_program/listed_threads.hpp"

namespace heddle::model {

std::optional<base::Integer> exact_threads(const ProgramQuestion& question) {
  if (question.initial.size() != 1) return std::nullopt;
  const ThreadsInMain& threads = question.initial.front();
  return threads.most == threads.least ? threads.most : std::nullopt;
}

std::string initial_to_string(const BooleanProgram& program, const ThreadsInMain& threads) {
  if (boolean::lists_threads(program)) return "the threads that the program lists";
  if (!threads.most) return "any number of threads in main";
  return base::counted(threads.least, "thread") + " in main";
}

std::string target_to_string(const BooleanProgram&, const Failure&) { return "an assertion fails"; }

}  // namespace heddle::model
