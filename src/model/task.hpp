#pragma once

/// The kinds of models, and what is asked about them. `Kinds` is the one list that names them: the
/// variants of tasks, of questions and of runs are generated from it, and whoever serves all kinds
/// visits them with one overload each, so that a kind that is forgotten somewhere does not compile
/// (docs/adding-a-kind-of-model.md).

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/type_list.hpp"
#include "model/boolean_program/question.hpp"
#include "model/c/question.hpp"
#include "model/kind.hpp"
#include "model/petri_net.hpp"
#include "model/pushdown_system.hpp"
#include "model/thread_system.hpp"

namespace heddle::model {

using Kinds = base::TypeList<ThreadSystem, PetriNet, BooleanProgram, PushdownSystem, CProgram>;

/// The kinds whose configurations are counts, of threads or of tokens: they share coverability.
using CountingKinds = base::TypeList<ThreadSystem, PetriNet>;

/// A kind as a value, where there is no model of it.
template <class Model>
struct Tag {
  using Type = Model;
  friend bool operator==(const Tag&, const Tag&) = default;
};
using AnyKind = base::VariantOf<Tag, Kinds>;

template <class Model>
using Itself = Model;
using CountingModel = base::VariantOf<Itself, CountingKinds>;

template <>
struct Kind<CountingModel> {
  using Question = CountingQuestion;
  using Initial = Region;
  using Target = Region;
};

template <class Model>
struct Task;
using AnyTask = base::VariantOf<Task, Kinds>;
using AnyQuestion = base::VariantOf<QuestionOf, Kinds>;

/// A model and what is asked about it: all that an engine gets, all that a checker needs.
template <class Model>
struct Task {
  Model model;
  QuestionOf<Model> question = {};

  /// A copy, for what serves all models that count.
  operator Task<CountingModel>() const  // NOLINT(google-explicit-constructor)
    requires base::kContains<Model, CountingKinds>
  {
    return {model, question};
  }
  operator AnyTask() const  // NOLINT(google-explicit-constructor)
    requires std::same_as<Model, CountingModel>
  {
    return std::visit(
        [&](const auto& which) -> AnyTask {
          return Task<std::decay_t<decltype(which)>>{which, question};
        },
        model);
  }
};

template <class Model, class... Question>
Task(Model, Question...) -> Task<Model>;

using CountingTask = Task<CountingModel>;
using ThreadTask = Task<ThreadSystem>;
using NetTask = Task<PetriNet>;
using ProgramTask = Task<BooleanProgram>;
using PushdownTask = Task<PushdownSystem>;
using CTask = Task<CProgram>;

/// "thread system", "Petri net", "Boolean program", "pushdown system", "C program".
std::string kind_name(const AnyKind& kind);
std::string kind_name(const AnyTask& task);
AnyKind kind_of(const AnyTask& task);
/// The kind of that name, or nothing.
std::optional<AnyKind> find_kind(std::string_view name);

AnyQuestion question_of(const AnyTask& task);

/// The bound on contexts that was asked for.
const std::optional<std::uint32_t>& contexts_of(const AnyTask& task);

}  // namespace heddle::model
