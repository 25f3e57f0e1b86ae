#include "answer/report.hpp"

#include "base/invariant.hpp"

namespace heddle::answer {

std::string_view to_string(EvidenceStatus status) {
  switch (status) {
    case EvidenceStatus::Confirmed: return "confirmed";
    case EvidenceStatus::NotChecked: return "not_checked";
    case EvidenceStatus::Refuted: return "refuted";
  }
  base::fail_invariant("status", "EvidenceStatus should be one of its enumerators", __FILE__,
                       __LINE__);
}

}  // namespace heddle::answer
