#pragma once

#include <string>

#include "answer/certificate.hpp"
#include "model/task.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// What a certificate says: which minimal states no reachable state covers, relative to what.
std::string certificate_text(const model::AnyTask& task, const answer::Certificate& certificate,
                             const TextOptions& options);

}  // namespace heddle::output
