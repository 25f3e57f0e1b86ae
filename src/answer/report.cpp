#include "answer/report.hpp"

#include <algorithm>

#include "answer/projection.hpp"
#include "base/invariant.hpp"

namespace heddle::answer {

std::string_view to_string(EvidenceStatus status) {
  switch (status) {
    case EvidenceStatus::Confirmed: return "confirmed";
    case EvidenceStatus::NotChecked: return "not_checked";
    case EvidenceStatus::Refuted: return "refuted";
    case EvidenceStatus::OtherQuestion: return "other_question";
  }
  base::fail_invariant("status", "EvidenceStatus should be one of its enumerators", __FILE__,
                       __LINE__);
}

std::size_t Projection::count(OnErrorTrace which) const {
  return static_cast<std::size_t>(
      std::ranges::count(statements, which, &ProjectedStatement::on_error_trace));
}

}  // namespace heddle::answer
