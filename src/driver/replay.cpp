#include "driver/replay.hpp"

#include <algorithm>
#include <utility>

#include "answer/json.hpp"
#include "driver/recheck.hpp"
#include "model/counting.hpp"

namespace heddle::driver {

namespace {

/// Has the run a beginning that can be shown as one of the model's?
/// Has the model what a trace begins with?
template <class Counting>
bool starts_in(const Counting& model, const answer::Trace& trace) {
  const model::Configuration& start = trace.initial;
  return start.shared.index() < model::shared_count(model) &&
         std::ranges::all_of(
             start.counts.entries(),
             [&](const auto& entry) { return entry.first.index() < model::counter_count(model); });
}
/// Other runs are shown as far as they go.
template <class Model, class Run>
bool starts_in(const Model&, const Run&) {
  return true;
}

}  // namespace

base::Parsed<CheckedTrace> load_trace(const Disk& disk, const RecheckRequest& request) {
  auto stored = load_stored(disk, request);
  if (!stored) return std::unexpected(std::move(stored.error()));
  auto* unsafe = std::get_if<answer::Unsafe>(&stored->verdict);
  if (!unsafe)
    return std::unexpected(
        complaint(request.evidence,
                  "holds no trace: its verdict is '" +
                      std::string(answer::verdict_name(stored->verdict)) + "'",
                  "'heddle check' checks other evidence, 'heddle show' draws it"));
  const bool fits =
      stored->same_kind &&
      std::visit(
          [&]<class Model>(const model::Task<Model>& task) {
            return starts_in(task.model, std::get<answer::RunOf<Model>>(unsafe->trace));
          },
          stored->answered.task);
  if (!fits)
    return std::unexpected(complaint(request.evidence, "is not about the model in " + request.file,
                                     "evidence belongs to the file that it was made for"));
  return CheckedTrace{std::move(stored->answered), std::move(unsafe->trace)};
}

}  // namespace heddle::driver
