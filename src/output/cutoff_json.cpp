#include <nlohmann/json.hpp>

#include "output/cutoff_text.hpp"
#include "output/cutoff_words.hpp"
#include "output/json_parts.hpp"

namespace heddle::output {

namespace {

using answer::Cutoff;
using answer::CutoffReport;
using answer::Unknown;
using nlohmann::ordered_json;

ordered_json state_json(const model::Model& model, const model::ThreadState& state) {
  return {{"shared", state.shared.value},
          {"local", state.local.value},
          {"name", thread_state_name(model, state)}};
}

ordered_json reachable_json(const model::Task& task, const Cutoff& cutoff) {
  const std::vector<bool> least = proved_least(task, cutoff);
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < cutoff.reachable.size(); ++i) {
    ordered_json next = state_json(task.model, cutoff.reachable[i].state);
    next["threads"] = cutoff.reachable[i].threads;
    next["proved_least"] = static_cast<bool>(least[i]);
    list.push_back(std::move(next));
  }
  return list;
}

ordered_json candidates_json(const model::Model& model, const Cutoff& cutoff) {
  ordered_json list = ordered_json::array();
  for (const answer::UnrealizableCandidate& candidate : cutoff.candidates) {
    ordered_json reason = nullptr;
    if (candidate.excluded_by)
      reason = model::to_string(model, cutoff.uncoverable.minimal[*candidate.excluded_by]);
    list.push_back({{"transition", candidate.transition.value},
                    {"together", model::to_string(model, candidate_demand(model, candidate))},
                    {"would_reach", state_json(model, candidate.missing)},
                    {"nothing_covers", std::move(reason)}});
  }
  return list;
}

ordered_json plateaus_json(const model::Task& task, const Cutoff& cutoff) {
  const std::uint32_t unproved = greatest_unproved(task, cutoff);
  ordered_json list = ordered_json::array();
  for (const Plateau& plateau : broken_plateaus(cutoff))
    list.push_back({{"first", plateau.first},
                    {"last", plateau.last},
                    {"broken", true},
                    {"proved", plateau.first > unproved}});
  list.push_back({{"first", std::uint64_t{cutoff.threads} + 1},
                  {"last", nullptr},
                  {"broken", false},
                  {"proved", true}});
  return list;
}

ordered_json rounds_json(const model::Task& task, const Cutoff& cutoff) {
  const std::uint32_t unproved = greatest_unproved(task, cutoff);
  ordered_json list = ordered_json::array();
  for (const CutoffRound& round : cutoff_rounds(cutoff))
    list.push_back({{"threads", round.first},
                    {"reached", round.reached},
                    {"proved", round.first >= unproved}});
  return list;
}

}  // namespace

std::string cutoff_json(const model::Task& task, const Asked& asked, const CutoffReport& report) {
  const auto* cutoff = std::get_if<Cutoff>(&report.answer);
  const auto* unknown = std::get_if<Unknown>(&report.answer);
  ordered_json object = {
      {"verdict", cutoff ? "cutoff" : "unknown"},
      {"reason", text_or_null(unknown ? answer::to_string(unknown->reason) : "")},
      {"detail", text_or_null(unknown ? unknown->detail : "")},
      {"cutoff", nullptr},
      {"reachable_thread_states", nullptr},
      {"candidates", nullptr},
      {"candidate_triples", nullptr},
      {"rounds", nullptr},
      {"plateaus", nullptr}};
  if (cutoff) {
    object["cutoff"] = cutoff->threads;
    object["reachable_thread_states"] = reachable_json(task, *cutoff);
    object["candidates"] = candidates_json(task.model, *cutoff);
    object["candidate_triples"] = triple_count(task.model, *cutoff);
    object["rounds"] = rounds_json(task, *cutoff);
    object["plateaus"] = plateaus_json(task, *cutoff);
  }
  object["engine"] = "cutoff";
  object["claim"] = text_or_null(report.has_claim ? "cutoff" : "");
  object["evidence"] = {{"kind", cutoff || report.has_claim ? "cutoff" : "none"},
                        {"status", answer::to_string(report.check.status)},
                        {"why", report.check.why}};
  object["seconds"] = figure(report.seconds);
  object["peak_memory_mb"] = figure(report.peak_memory_mb);
  object["statistics"] = statistics_json(report.statistics);
  object["question"] = question_json(task, asked);
  object["warnings"] = warnings_json(asked.warnings);
  object["version"] = HEDDLE_VERSION;
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::output
