#include "driver/cutoff.hpp"

#include <filesystem>
#include <utility>

#include "check/check.hpp"
#include "check/cutoff/cutoff.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "model/counting.hpp"
#include "output/picture/cutoff_picture.hpp"
#include "transform/monotone_relaxation.hpp"
#include "transform/net_to_threads.hpp"

namespace heddle::driver {

using base::Parsed;

void see_as_threads(Answered& posed, bool wanted) {
  const auto* net = std::get_if<model::NetTask>(&posed.task);
  if (posed.asked.asking != Asking::Cutoff || !net) return;
  const auto refusal = engine::cutoff::accepts(*net).refusal;
  if (!wanted && !refusal) return;
  if (transform::needs_monotone_relaxation(*net)) return;
  auto translation = transform::net_to_threads(*net);
  if (!translation) return;
  posed.net = *net;
  posed.task = std::move(translation->translated);
  if (refusal)
    posed.asked.warnings.push_back(
        {base::Severity::Warning,
         {posed.asked.file, 0, 0},
         *refusal + "; it is translated to a thread system, in which (0, p) is a "
                    "token in place p",
         {},
         {},
         "'heddle translate' shows the thread system"});
}

CheckFunction checker_for(const Answered& posed) {
  if (!posed.net) return &check::check;
  return [&net = *posed.net](const model::AnyTask& task, const answer::Verdict& verdict,
                             base::RunContext& context) {
    const auto* cutoff = std::get_if<answer::Cutoff>(&verdict);
    if (!cutoff) return check::check(task, verdict, context);
    return check::check_cutoff_of_net(net, std::get<model::ThreadTask>(task), *cutoff, context);
  };
}

Parsed<std::string> cutoff_picture(const Answered& answered, PictureFormat format) {
  const auto* found = std::get_if<answer::Cutoff>(&answered.report.verdict);
  if (!found)
    return std::unexpected(
        complaint(answered.asked.file, "no cutoff was found, so there is nothing to draw"));
  if (found->program)
    return std::unexpected(
        complaint(answered.asked.file, "the thread states of a Boolean program cannot be drawn"));
  const std::string name = std::filesystem::path(answered.asked.file).filename().string();
  return picture_from_svg(
      output::picture::cutoff_svg(model::counting_task(answered.task).value(), *found, name),
      format);
}

}  // namespace heddle::driver
