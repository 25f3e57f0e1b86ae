#include "transform/translation.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/invariant.hpp"
#include "transform/net_to_threads.hpp"
#include "transform/program_to_pushdown.hpp"
#include "transform/program_to_threads.hpp"
#include "transform/threads_to_net.hpp"

namespace heddle::transform {

namespace {

using answer::Verdict;
using model::AnyKind;
using model::AnyTask;
using model::Tag;
using Stopped = std::function<bool()>;
using Result = std::expected<Translation, std::string>;

constexpr Tag<model::ThreadSystem> kThreads;
constexpr Tag<model::PetriNet> kNets;
constexpr Tag<model::BooleanProgram> kPrograms;
constexpr Tag<model::PushdownSystem> kPushdown;

/// What a step gives back, kept for the way back.
template <class Translated>
Result kept(std::expected<Translated, std::string> translated) {
  if (!translated) return std::unexpected(std::move(translated.error()));
  const auto keep = std::make_shared<const Translated>(std::move(*translated));
  return Translation{keep->translated,
                     [keep](const Verdict& verdict) { return translate_back(*keep, verdict); }};
}

Result net_as_threads(const model::NetTask& task, const Stopped&) {
  return kept(net_to_threads(task));
}

Result threads_as_net(const model::ThreadTask& task, const Stopped&) {
  const auto keep = std::make_shared<const ThreadsAsNet>(threads_to_net(task));
  return Translation{keep->translated, [keep, system = task.model](const Verdict& verdict) {
                       return translate_back(system, *keep, verdict);
                     }};
}

Result program_as_threads(const model::ProgramTask& task, const Stopped& stopped) {
  return kept(program_to_threads(task, stopped));
}

Result program_as_stacks(const model::ProgramTask& task, const Stopped& stopped) {
  auto stacks = program_to_pushdown(task, kMostPushdownRules, stopped);
  if (stacks) stacks->translated.model = with_names(task, *stacks);
  return kept(std::move(stacks));
}

struct Step {
  AnyKind from;
  AnyKind to;
  std::function<Result(const AnyTask&, const Stopped&)> translate;
};

template <class From>
Step step_to(AnyKind to, Result (*translate)(const model::Task<From>&, const Stopped&)) {
  return {Tag<From>(), to, [translate](const AnyTask& task, const Stopped& stopped) {
            return translate(std::get<model::Task<From>>(task), stopped);
          }};
}

const auto& steps() {
  static const std::array rows = {
      step_to(kThreads, net_as_threads),
      step_to(kNets, threads_as_net),
      step_to(kThreads, program_as_threads),
      step_to(kPushdown, program_as_stacks),
  };
  return rows;
}

/// Why nothing leads from one kind to another; a missing kind is any.
struct Obstacle {
  std::optional<AnyKind> from;
  std::optional<AnyKind> to;
  std::string_view why;
};

std::string obstacle(const AnyKind& from, const AnyKind& to) {
  static const std::array rows = {
      Obstacle{std::nullopt, kPrograms, "there is no translation to Boolean programs"},
      Obstacle{std::nullopt, kPushdown, "the model has no calls"},
      Obstacle{kPushdown, kThreads, "stacks have no counterpart among threads and tokens"},
      Obstacle{kPushdown, kNets, "stacks have no counterpart among threads and tokens"},
  };
  for (const Obstacle& row : rows)
    if ((!row.from || *row.from == from) && (!row.to || *row.to == to)) return std::string(row.why);
  return "there is no translation from a " + kind_name(from) + " to a " + kind_name(to);
}

/// The shortest chain, by breadth-first search; empty if there is none.
std::vector<const Step*> chain(const AnyKind& from, const AnyKind& to) {
  std::vector<std::vector<const Step*>> chains;
  for (const Step& step : steps())
    if (step.from == from) chains.push_back({&step});
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const AnyKind reached = chains[i].back()->to;
    if (reached == to) return chains[i];
    for (const Step& step : steps()) {
      const auto leads_back = [&](const Step* before) { return before->from == step.to; };
      if (step.from != reached || std::ranges::any_of(chains[i], leads_back)) continue;
      std::vector<const Step*> longer = chains[i];
      longer.push_back(&step);
      chains.push_back(std::move(longer));
    }
  }
  return {};
}

}  // namespace

Result translate(const AnyTask& task, const AnyKind& to, const Stopped& stopped) {
  const AnyKind from = model::kind_of(task);
  HEDDLE_INVARIANT(from != to, "a model should be translated to another kind");
  const std::vector<const Step*> way = chain(from, to);
  if (way.empty()) return std::unexpected(obstacle(from, to));
  Result result = way.front()->translate(task, stopped);
  for (std::size_t i = 1; result && i < way.size(); ++i) {
    Result next = way[i]->translate(result->translated, stopped);
    if (!next) return next;
    result = Translation{std::move(next->translated),
                         [first = std::move(result->back), second = std::move(next->back)](
                             const Verdict& verdict) { return first(second(verdict)); }};
  }
  return result;
}

}  // namespace heddle::transform
