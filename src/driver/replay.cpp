#include "driver/replay.hpp"

#include <algorithm>
#include <utility>

#include "answer/json.hpp"
#include "driver/stored_verdict.hpp"

namespace heddle::driver {

base::Parsed<CheckedTrace> load_trace(const Disk& disk, const RecheckRequest& request) {
  auto stored = load_stored(disk, request);
  if (!stored) return std::unexpected(std::move(stored.error()));
  auto* unsafe = std::get_if<answer::Unsafe>(&stored->verdict);
  if (!unsafe)
    return std::unexpected(
        complaint(request.evidence,
                  "holds no trace: its verdict is '" +
                      std::string(answer::verdict_name(stored->verdict)) + "'",
                  "'heddle check' looks at other evidence, 'heddle show --basis' draws it"));
  const model::Model& model = stored->answered.task.model;
  const model::Configuration& start = unsafe->trace.initial;
  const bool fits =
      stored->same_kind && (!model::is_counting(model) ||
                            (start.shared.index() < model::shared_count(model) &&
                             std::ranges::all_of(start.counts.entries(), [&](const auto& entry) {
                               return entry.first.index() < model::counter_count(model);
                             })));
  if (!fits)
    return std::unexpected(complaint(request.evidence, "is not about the model in " + request.file,
                                     "evidence belongs to the file that it was made for"));
  return CheckedTrace{std::move(stored->answered), std::move(unsafe->trace)};
}

}  // namespace heddle::driver
