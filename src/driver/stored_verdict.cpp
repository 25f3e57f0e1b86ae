#include "driver/stored_verdict.hpp"

#include <utility>

namespace heddle::driver {

base::Parsed<StoredVerdict> load_stored(const Disk& disk, const RecheckRequest& request) {
  auto evidence = load_evidence(disk, request.evidence);
  if (!evidence) return std::unexpected(std::move(evidence.error()));
  auto answered = recheck(disk, request, *evidence);
  if (!answered) return std::unexpected(std::move(answered.error()));
  const bool same_kind = evidence->model_kind == model::kind_name(answered->task.model);
  return StoredVerdict{std::move(*answered), std::move(evidence->verdict), same_kind};
}

}  // namespace heddle::driver
