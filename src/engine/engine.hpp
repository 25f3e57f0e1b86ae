#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "engine/options.hpp"
#include "model/task.hpp"

namespace heddle::engine {

/// Yes, or the reason why not.
struct Acceptance {
  std::optional<std::string> refusal;
  bool yes() const { return !refusal.has_value(); }
};

/// One row per engine. Help, portfolio, agreement tests and documentation loop over this table.
struct EngineRow {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view models;   ///< "thread systems, Petri nets"
  bool proves = false;       ///< can answer Safe
  bool refutes = false;      ///< can answer Unsafe
  bool complete = false;     ///< always answers, given time and memory
  /// Heeds `Question::contexts`: its traces keep to it. Others are not asked such a question.
  bool counts_contexts = false;
  std::vector<std::string_view>
      evidence;                         ///< kinds that it gives, as answer::evidence_kind has them
  std::vector<OptionRow> options = {};  ///< that its own struct of options has
  std::function<Acceptance(const model::AnyTask&)> accepts = {};
  /// Never prints, never exits. Out-of-budget and unsupported are Unknown verdicts.
  std::function<answer::Verdict(const model::AnyTask&, const Options&, base::RunContext&)> run = {};
  std::vector<model::AnyKind> kinds = {};  ///< that its functions are written for
};

template <class Model>
using AcceptsFunction = Acceptance (*)(const model::Task<Model>&);
/// `Own` is the engine's struct of options.
template <class Model, class Own>
using RunFunction = answer::Verdict (*)(const model::Task<Model>&, const Own&, base::RunContext&);

/// Why an engine does not take models of other kinds.
struct Refusal {
  std::string_view why;  ///< of any kind that is not listed
  std::vector<std::pair<model::AnyKind, std::string_view>> listed = {};

  std::string of(const model::AnyKind& kind) const;
};

template <class Given, class Model>
concept TaskFor = std::convertible_to<const model::Task<Given>&, const model::Task<Model>&>;

/// The row with the functions of an engine that is written for `Model`, a kind or `CountingModel`:
/// which kinds it takes, and which options it reads, follows from the types of its functions.
template <class Model, class Own>
EngineRow row_for(EngineRow row, AcceptsFunction<Model> accepts, RunFunction<Model, Own> run,
                  const Refusal& refusal) {
  static_assert(!std::same_as<Own, Options>, "an engine has a struct of options, or NoOptions");
  row.kinds.clear();
  base::for_each_type(model::Kinds(), [&]<class Given>() {
    if constexpr (TaskFor<Given, Model>) row.kinds.emplace_back(model::Tag<Given>());
  });
  row.accepts = [accepts, refusal](const model::AnyTask& any) {
    return std::visit(
        [&]<class Given>(const model::Task<Given>& task) -> Acceptance {
          if constexpr (TaskFor<Given, Model>) return accepts(task);
          return {refusal.of(model::Tag<Given>())};
        },
        any);
  };
  row.run = [run, refusal](const model::AnyTask& any, const Options& options,
                           base::RunContext& context) {
    return std::visit(
        [&]<class Given>(const model::Task<Given>& task) -> answer::Verdict {
          if constexpr (TaskFor<Given, Model>) return run(task, options.of<Own>(), context);
          return answer::Unknown{answer::UnknownReason::Unsupported,
                                 refusal.of(model::Tag<Given>())};
        },
        any);
  };
  return row;
}

std::span<const EngineRow> registry();
/// The engines that find how many threads are enough; their answers are Cutoff or Unknown.
std::span<const EngineRow> cutoff_registry();
const EngineRow* find_engine(std::string_view name);

}  // namespace heddle::engine
