#pragma once

#include <string>
#include <string_view>

#include "answer/verdict.hpp"

namespace heddle::transform {

/// What no translation between kinds of models can carry back. A translator derives from it and
/// adds Safe and Unsafe.
struct BackTranslator {
  std::string_view original;  ///< "the net"

  answer::Verdict operator()(const answer::SafeUpTo& bounded) const {
    return lost("a bound on " + std::string(to_string(bounded.bound.what)));
  }
  answer::Verdict operator()(const answer::Cutoff&) const { return lost("a cutoff"); }
  answer::Verdict operator()(const answer::Unknown& unknown) const { return unknown; }

 private:
  answer::Verdict lost(const std::string& what) const {
    return answer::Unknown{
        answer::UnknownReason::Unsupported,
        what + " of the translated model says nothing about " + std::string(original)};
  }
};

}  // namespace heddle::transform
