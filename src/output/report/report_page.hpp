#pragma once

/// An answer as one HTML file that needs nothing else: no network, no other file. It holds the
/// verdict, the question, the run beside the source with stepping, or the proof in words with its
/// invariants at the lines of the source, pictures, and what each engine did when.
///
/// All that does not move is written as HTML here; the run is data for page.js, which draws only
/// what is visible.

#include <span>
#include <string>
#include <vector>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "output/engine_turn.hpp"

namespace heddle::output {

struct PageInput {
  const model::AnyTask& task;
  const Asked& asked;
  const answer::Report& report;
  /// What is shown: of a C program the files of `asked.sources`, else the model's file.
  std::span<const SourceFile> sources;
  std::span<const std::vector<EngineTurn>> turns;  ///< of each of `report.runs`, or none
  std::string limits;                              ///< "60 s, 2000 MB"; empty: none
};

std::string report_page(const PageInput& input);

}  // namespace heddle::output
