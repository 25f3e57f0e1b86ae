#pragma once

#include <string>
#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::model::boolean {

/// The program without `failure_labels`, with the same failures: statements with one of them get
/// the error label, which others lose, and assertions become assumptions. Linear.
BooleanProgram with_error_label(BooleanProgram program);

/// All labels of the program, sorted.
std::vector<std::string> labels_of(const BooleanProgram& program);

/// A name for the error label where it should not mean failure; no label of the program.
std::string harmless_error_label(const BooleanProgram& program);

}  // namespace heddle::model::boolean
