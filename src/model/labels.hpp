#pragma once

namespace heddle::model {

/// Questions about programs may name labels at which a thread has failed.
template <class Question>
concept HasLabels = requires(const Question& question) { question.labels; };

}  // namespace heddle::model
