#pragma once

/// Violation witnesses and verdicts as the software-verification competition writes them.
/// GraphML 1.0 is an automaton whose edges say which thread executes which line; YAML 2.2 is a
/// sequence of segments with the same content. docs/formats/witnesses.md describes both.

#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/task.hpp"

namespace heddle::output {

enum class WitnessFormat { GraphMl, Yaml };

struct WitnessFile {
  std::string name;
  std::string sha256;
};

/// What a witness says about where it comes from.
struct WitnessHead {
  std::vector<WitnessFile> files;  ///< of the program; at least one
  std::string creation_time;       ///< ISO 8601
  std::string uuid;                ///< of YAML
};

/// Precondition: the run replays on the task.
std::string violation_witness(const model::CTask& task, const model::c::Run& run,
                              const WitnessHead& head, WitnessFormat format);

/// `TRUE`, `FALSE(unreach-call)`, `FALSE(valid-deref)`, …, `UNKNOWN`.
std::string competition_verdict(const model::AnyTask& task, const answer::Verdict& verdict);

}  // namespace heddle::output
