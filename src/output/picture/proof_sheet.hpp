#pragma once

#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::output::picture {

constexpr std::size_t kMostSheetLines = 200;

/// Evidence of a kind without a picture of its own, as SVG: what it proves (`sentence`), its
/// contents in words and, of a C program, the lines of the source that it says something about,
/// with what holds there. Evidence that the checker did not confirm is not read: its picture has
/// only the `warning`.
std::string proof_svg(const model::AnyTask& task, const Asked& asked,
                      const answer::Verdict& verdict, const std::string& name,
                      const std::string& sentence, const std::string& warning);

}  // namespace heddle::output::picture
