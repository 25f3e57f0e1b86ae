#include "model/c/question.hpp"

namespace heddle::model {

std::string initial_to_string(const CProgram&, const EntryCall&) { return "the program starts"; }

namespace c {

std::string target_to_string(const Program& program, const Property& property) {
  switch (property) {
    case Property::Reach:
      return program.error_function.empty() ? "an assertion fails"
                                            : "a call of " + program.error_function;
    case Property::NoDataRace: return "a data race";
    case Property::NoDeadlock: return "a deadlock";
    case Property::NoOverflow: return "a signed operation overflows";
    case Property::Memory: return "an invalid access to memory";
    case Property::NoFault: return "an execution ends in what C does not define";
    case Property::Termination: return "a run that does not end";
    case Property::FairTermination: return "a weakly fair run that does not end";
    case Property::MemorySafety: return "an invalid access to memory, or a memory leak";
    case Property::MemoryCleanup: return "a memory leak, or memory that is not freed in the end";
  }
  return {};
}

}  // namespace c

}  // namespace heddle::model
