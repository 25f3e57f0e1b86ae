#pragma once

#include <expected>
#include <string>

#include "answer/certificate.hpp"
#include "transform/threads_to_net.hpp"

namespace heddle::transform {

/// A basis of the net as one of the thread system, with no invariant left. The error names an
/// invariant that has no counterpart. Linear in the basis; concurrent places add at most one
/// element for each shared state and pair of local states.
std::expected<answer::BackwardBasis, std::string> basis_of_threads(
    const ThreadsAsNet& translation, const answer::BackwardBasis& basis);

}  // namespace heddle::transform
