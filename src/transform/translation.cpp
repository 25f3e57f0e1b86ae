#include "transform/translation.hpp"

#include <memory>

#include "base/invariant.hpp"
#include "transform/net_to_threads.hpp"
#include "transform/program_to_pushdown.hpp"
#include "transform/program_to_threads.hpp"
#include "transform/threads_to_net.hpp"

namespace heddle::transform {

ModelKind kind_of(const model::Model& model) {
  if (model::is_program(model)) return ModelKind::BooleanProgram;
  if (model::is_pushdown(model)) return ModelKind::PushdownSystem;
  return std::holds_alternative<model::ThreadSystem>(model) ? ModelKind::ThreadSystem
                                                            : ModelKind::PetriNet;
}

namespace {

/// To a thread system, and from there to a net if that is wanted.
std::expected<Translation, std::string> translate_program(const model::Task& task, ModelKind to,
                                                          const std::function<bool()>& stopped) {
  auto threads = program_to_threads(task, stopped);
  if (!threads) return std::unexpected(std::move(threads.error()));
  const auto kept = std::make_shared<const ProgramAsThreads>(std::move(*threads));
  const auto back = [kept](const answer::Verdict& verdict) {
    return translate_back(*kept, verdict);
  };
  if (to == ModelKind::ThreadSystem) return Translation{kept->translated, back};
  auto further = translate(kept->translated, to, stopped);
  if (!further) return further;
  return Translation{std::move(further->translated),
                     [back, first = further->back](const answer::Verdict& verdict) {
                       return back(first(verdict));
                     }};
}

std::expected<Translation, std::string> translate_to_stacks(const model::Task& task,
                                                            const std::function<bool()>& stopped) {
  auto stacks = program_to_pushdown(task, kMostPushdownRules, stopped);
  if (!stacks) return std::unexpected(std::move(stacks.error()));
  stacks->translated.model = with_names(task, *stacks);
  const auto kept = std::make_shared<const ProgramAsPushdown>(std::move(*stacks));
  return Translation{kept->translated, [kept](const answer::Verdict& verdict) {
                       return translate_back(*kept, verdict);
                     }};
}

}  // namespace

std::expected<Translation, std::string> translate(const model::Task& task, ModelKind to,
                                                  const std::function<bool()>& stopped) {
  HEDDLE_INVARIANT(kind_of(task.model) != to, "a model should be translated to another kind");
  if (to == ModelKind::BooleanProgram)
    return std::unexpected("there is no translation to Boolean programs");
  if (to == ModelKind::PushdownSystem) {
    if (model::is_program(task.model)) return translate_to_stacks(task, stopped);
    return std::unexpected("it has no calls that could become stacks");
  }
  if (model::is_pushdown(task.model))
    return std::unexpected("stacks have no counterpart among threads and tokens");
  if (model::is_program(task.model)) return translate_program(task, to, stopped);
  if (to == ModelKind::ThreadSystem) {
    auto threads = net_to_threads(task);
    if (!threads) return std::unexpected(std::move(threads.error()));
    const auto kept = std::make_shared<const NetAsThreads>(std::move(*threads));
    return Translation{kept->translated, [kept](const answer::Verdict& verdict) {
                         return translate_back(*kept, verdict);
                       }};
  }
  const auto kept = std::make_shared<const ThreadsAsNet>(threads_to_net(task));
  const auto& system = std::get<model::ThreadSystem>(task.model);
  return Translation{kept->translated, [kept, system](const answer::Verdict& verdict) {
                       return translate_back(system, *kept, verdict);
                     }};
}

}  // namespace heddle::transform
