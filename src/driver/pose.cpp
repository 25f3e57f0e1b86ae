#include "driver/pose.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::driver {

namespace {

using base::Diagnostics;
using base::Parsed;

/// The initial states of command line or file, else the model's default, with the number of threads
/// that the command line fixes.
Parsed<SourcedRegions> settle_initial(const LoadedModel& loaded, const QuestionOptions& options) {
  const model::Model& model = loaded.file.model;
  auto initial = find_initial(loaded, options);
  if (!initial) return initial;
  const bool assumed = initial->regions.empty();
  if (assumed) initial = assumed_initial(model);
  if (!options.threads) return initial;
  auto fixed = fix_thread_count(model, *options.threads, initial->regions);
  if (!fixed) return std::unexpected(std::move(fixed.error()));
  initial->from = (assumed ? "" : initial->from + " and ") + "--threads";
  return initial;
}

Parsed<SourcedRegions> settle_targets(const Disk& disk, const std::string& file,
                                      const LoadedModel& loaded, const QuestionOptions& options,
                                      Asking asking) {
  if (asking == Asking::Cutoff) return SourcedRegions{};
  auto targets = find_targets(disk, file, loaded, options);
  if (targets && targets->regions.empty() && model::is_pushdown(loaded.file.model))
    targets->from = "none given: all that is reachable is found";
  return targets;
}

/// A cutoff is about all thread states, in runs of any length.
Diagnostics foreign_to_cutoff(const QuestionOptions& options) {
  const auto refuse = [](const char* option) {
    return complaint(option, "is no part of the question how many threads are enough",
                     "leave out " + std::string(option));
  };
  if (!options.targets.empty()) return refuse("--target");
  if (options.property) return refuse("--property");
  if (!options.labels.empty()) return refuse("--label");
  if (options.contexts) return refuse("--contexts");
  return {};
}

}  // namespace

Parsed<Posed> pose(const Disk& disk, const std::string& file, const QuestionOptions& options,
                   Asking asking) {
  if (asking == Asking::Cutoff)
    if (auto foreign = foreign_to_cutoff(options); !foreign.empty())
      return std::unexpected(std::move(foreign));
  auto loaded = load_model(disk, file, options.format);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  if (auto chosen = choose_labels(file, options.labels, *loaded); !chosen)
    return std::unexpected(std::move(chosen.error()));
  auto targets = settle_targets(disk, file, *loaded, options, asking);
  if (!targets) return std::unexpected(std::move(targets.error()));
  auto initial = settle_initial(*loaded, options);
  if (!initial) return std::unexpected(std::move(initial.error()));
  Posed posed;
  posed.asked = {file, loaded->format, targets->from, initial->from};
  posed.asked.warnings = std::move(loaded->file.warnings);
  posed.task = {std::move(loaded->file.model),
                {std::move(initial->regions), std::move(targets->regions), options.contexts,
                 std::move(loaded->labels)}};
  return posed;
}

Diagnostics missing_part(const Posed& posed, Asking asking) {
  const model::Model& model = posed.task.model;
  const bool wants_target = asking == Asking::Reachability && !model::is_pushdown(model);
  if (wants_target && posed.task.question.targets.empty()) {
    Diagnostics said = posed.asked.warnings;  // perhaps they tell why there is none
    std::ranges::move(missing_target(posed.asked.file, model), std::back_inserter(said));
    return said;
  }
  if (posed.task.question.initial.empty()) return missing_initial(posed.asked.file, model);
  return {};
}

Parsed<Posed> pose_whole(const Disk& disk, const std::string& file, const QuestionOptions& options,
                         Asking asking) {
  auto posed = pose(disk, file, options, asking);
  if (!posed) return posed;
  if (auto missing = missing_part(*posed, asking); !missing.empty())
    return std::unexpected(std::move(missing));
  return posed;
}

}  // namespace heddle::driver
