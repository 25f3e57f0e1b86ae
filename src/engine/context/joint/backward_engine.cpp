/// The engine `context-backward`: the backward search of joint_backward.cpp, round by round.

#include <algorithm>

#include "engine/context/context.hpp"
#include "engine/context/diagram_work.hpp"
#include "engine/context/joint/joint.hpp"
#include "engine/context/joint/joint_backward.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::context {

namespace {

using answer::Verdict;
using base::RunContext;

Verdict backward_verdict(const BackwardSearch& search) {
  if (search.hits_start()) return answer::Unsafe{run_of(search)};
  if (search.closed()) return answer::Safe{search.certificate()};
  return answer::SafeUpTo{answer::context_bound(base::Integer(search.round())),
                          search.certificate()};
}

/// Does a round without a failure say that there is none? Not where stacks were cut off unnoticed.
enum class NoFailure { Proven, MaybeMissed };

/// Puts rounds in front until the question is answered, or there is no time for more.
std::optional<base::StopReason> play_backward(BackwardSearch& search, NoFailure no_failure,
                                              const std::optional<std::uint32_t>& asked,
                                              RunContext& context) {
  const auto start = cpu_time();
  while (!search.closed() && !search.hits_start() && (!asked || search.round() < *asked) &&
         (asked || search.round() == 0 || time_for_a_round(context, start))) {
    if (const auto stop = search.play(context)) return stop;
    if (!search.hits_start() && no_failure == NoFailure::Proven)
      report_free_contexts(context, search.round());
  }
  report_joint(search.system(), search.round(), context);
  return std::nullopt;
}

bool has_cut_offs(const JointSystem& system) {
  return std::ranges::any_of(system.threads(), [](const ThreadPlaces& places) {
    for (PlaceNumber place = 1; place <= places.count(); ++place)
      if (places[place].cut_off) return true;
    return false;
  });
}

std::optional<Verdict> search_backward(const JointSystem& system,
                                       const std::optional<std::uint32_t>& asked,
                                       const JointOptions&, RunContext& context) {
  for (const Wrong wrong : {Wrong::Failures, Wrong::FailuresAndCutOffs}) {
    BackwardSearch search(system, wrong);
    const bool proves = wrong == Wrong::FailuresAndCutOffs || !has_cut_offs(system);
    const NoFailure no_failure = proves ? NoFailure::Proven : NoFailure::MaybeMissed;
    if (const auto stop = play_backward(search, no_failure, asked, context))
      return answer::Unknown{unknown_reason(*stop),
                             "stopped in round " + std::to_string(search.round())};
    if (search.hits_start() && wrong == Wrong::FailuresAndCutOffs) break;
    if (search.hits_start() || proves) return backward_verdict(search);
  }
  return std::nullopt;
}

Verdict run_backward(const model::ProgramTask& task, const NoOptions&, RunContext& context) {
  return answer_jointly(task, search_backward, {}, context);
}

}  // namespace

EngineRow backward_row() {
  EngineRow out = joint_row();
  out.name = "context-backward";
  out.summary = "what leads to a failure, of all fixed threads together, from the last round back";
  out.evidence = {"trace", "configuration_sets"};
  out.options = {};
  return row_for(std::move(out), accepts_joint, run_backward, refusal());
}

}  // namespace heddle::engine::context
