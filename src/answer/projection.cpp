#include "answer/projection.hpp"

#include <algorithm>

namespace heddle::answer {

std::size_t Projection::count(OnErrorTrace which) const {
  return static_cast<std::size_t>(
      std::ranges::count(statements, which, &ProjectedStatement::on_error_trace));
}

}  // namespace heddle::answer
