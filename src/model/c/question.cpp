#include "model/c/question.hpp"

namespace heddle::model {

std::string initial_to_string(const CProgram&, const EntryCall&) { return "the program starts"; }

namespace c {

std::string target_to_string(const Program& program, const Property& property) {
  switch (property) {
    case Property::Reach:
      return program.error_function.empty() ? "an assertion fails"
                                            : "a call of " + program.error_function;
    case Property::NoDataRace: return "two threads race for the same data";
    case Property::NoDeadlock: return "threads wait for each other for ever";
    case Property::NoOverflow: return "a signed operation overflows";
    case Property::Memory: return "an invalid access to memory";
    case Property::NoFault: return "an execution ends in what C does not define";
    case Property::Termination: return "a run that does not end";
    case Property::FairTermination: return "a weakly fair run that does not end";
    case Property::MemorySafety: return "an invalid access to memory, or memory is lost";
    case Property::MemoryCleanup: return "memory is lost, or not freed in the end";
  }
  return {};
}

}  // namespace c

}  // namespace heddle::model
