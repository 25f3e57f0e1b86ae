#pragma once

/// Programs that list their threads as procedures: `main` and all whose names start with `thread`
/// are threads, one each. So are programs read that have no `main`, or a procedure `init` that
/// nobody else calls or starts. The threads start when `init`, if there is one, has returned.

#include <vector>

#include "model/boolean_program/syntax.hpp"

namespace heddle::model::boolean {

/// The threads in the order of the file, without `init`. None: the program does not list its
/// threads, and they start in `main`.
std::vector<const Procedure*> listed_threads(const BooleanProgram& program);

bool lists_threads(const BooleanProgram& program);

/// The procedure that runs before the listed threads; null if there is none.
const Procedure* initialiser(const BooleanProgram& program);

}  // namespace heddle::model::boolean
