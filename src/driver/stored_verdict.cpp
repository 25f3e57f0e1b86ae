#include "driver/stored_verdict.hpp"

#include <utility>

#include "answer/json.hpp"

namespace heddle::driver {

base::Parsed<StoredVerdict> load_stored(const Disk& disk, const RecheckRequest& request) {
  auto answered = recheck(disk, request);
  if (!answered) return std::unexpected(std::move(answered.error()));
  const auto text = disk.read(request.evidence);
  if (!text) return std::unexpected(complaint(request.evidence, "cannot be read: " + text.error()));
  auto evidence = answer::read_evidence(*text);
  if (!evidence) return std::unexpected(complaint(request.evidence, evidence.error()));
  const bool same_kind = evidence->model_kind == model::kind_name(answered->task.model);
  return StoredVerdict{std::move(*answered), std::move(evidence->verdict), same_kind};
}

}  // namespace heddle::driver
