#pragma once

#include <string_view>

namespace heddle::model {

/// What belongs to a kind of model; the model's type is its tag. Specialised in the header of each
/// kind, with these members:
///
///   using Question      what is asked about such a model; it has `initial` and `targets`, lists of
///                       alternatives of which each has a text, and `contexts`
///   using Initial       an element of `initial`
///   using Target        an element of `targets`
///   static constexpr std::string_view kName   "pushdown system"
///
/// and, beside it, the functions `initial_to_string(model, initial)` and
/// `target_to_string(model, target)`: the notation of the command line.
template <class Model>
struct Kind;

template <class Model>
using QuestionOf = typename Kind<Model>::Question;
template <class Model>
using InitialOf = typename Kind<Model>::Initial;
template <class Model>
using TargetOf = typename Kind<Model>::Target;

}  // namespace heddle::model
