#pragma once

namespace heddle::base {

/// A process ends with this status if a library asked for memory that there is not, and leaves no
/// other way to say so (it would abort).
inline constexpr int kOutOfMemoryStatus = 101;

}  // namespace heddle::base
