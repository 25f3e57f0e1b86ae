#include <nlohmann/json.hpp>

#include "output/cutoff_rounds.hpp"
#include "output/cutoff_text.hpp"
#include "output/json_parts.hpp"
#include "output/program_states.hpp"
#include "output/verdict_sentence.hpp"

namespace heddle::output {

namespace {

using answer::Cutoff;
using answer::Report;
using answer::Unknown;
using nlohmann::ordered_json;

ordered_json state_json(const model::CountingModel& model, const model::ThreadState& state) {
  return {{"shared", state.shared.value},
          {"local", state.local.value},
          {"name", thread_state_name(model, state)}};
}

ordered_json reachable_json(const model::CountingTask& task, const Cutoff& cutoff) {
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

ordered_json candidates_json(const model::CountingModel& model, const Cutoff& cutoff) {
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

ordered_json plateaus_json(const model::CountingTask& task, const Cutoff& cutoff) {
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

ordered_json rounds_json(const model::CountingTask& task, const Cutoff& cutoff) {
  const std::uint32_t unproved = greatest_unproved(task, cutoff);
  ordered_json list = ordered_json::array();
  for (const CutoffRound& round : cutoff_rounds(cutoff))
    list.push_back({{"threads", round.first},
                    {"reached", round.reached},
                    {"proved", round.first >= unproved}});
  return list;
}

constexpr std::size_t kCubesWritten = 64;

ordered_json number_json(const base::Integer& number) {
  const auto machine = base::to_int64(number);
  constexpr std::int64_t kGreatest = std::int64_t{1} << 53;
  if (machine && *machine <= kGreatest) return *machine;
  return base::to_string(number);
}

void add_program(const model::AnyTask& any, const Cutoff& cutoff, ordered_json& object) {
  const auto flow = model::boolean::unfold(std::get<model::ProgramTask>(any).model).value();
  const auto places = reached_places(flow, *cutoff.program, kCubesWritten);
  ordered_json list = ordered_json::array();
  for (const ReachedPlace& place : places)
    list.push_back({{"name", place.name},
                    {"line", place.line},
                    {"node", place.node.value},
                    {"states", number_json(place.states)},
                    {"values", place.cubes},
                    {"complete", place.is_complete}});
  object["cutoff"] = cutoff.threads;
  object["thread_state_count"] = number_json(state_count(places));
  object["reachable_thread_states"] = std::move(list);
}

}  // namespace

std::string cutoff_json(const model::AnyTask& any, const Asked& asked, const Report& report) {
  const auto* cutoff = std::get_if<Cutoff>(&report.verdict);
  const auto* unknown = std::get_if<Unknown>(&report.verdict);
  ordered_json object = {
      {"verdict", cutoff ? "cutoff" : "unknown"},
      {"reason", text_or_null(unknown ? answer::to_string(unknown->reason) : "")},
      {"detail", text_or_null(unknown ? unknown->detail : "")},
      {"headline", headline(any, asked, report)},
      {"cutoff", nullptr},
      {"thread_state_count", nullptr},
      {"reachable_thread_states", nullptr},
      {"candidates", nullptr},
      {"candidate_triples", nullptr},
      {"rounds", nullptr},
      {"plateaus", nullptr}};
  if (cutoff && cutoff->program) {
    add_program(any, *cutoff, object);
  } else if (cutoff) {
    object["thread_state_count"] = cutoff->reachable.size();
    const model::CountingTask task = model::counting_task(any).value();
    object["cutoff"] = cutoff->threads;
    object["reachable_thread_states"] = reachable_json(task, *cutoff);
    object["candidates"] = candidates_json(task.model, *cutoff);
    object["candidate_triples"] = triple_count(task.model, *cutoff);
    object["rounds"] = rounds_json(task, *cutoff);
    object["plateaus"] = plateaus_json(task, *cutoff);
  }
  object["engine"] = cutoff && cutoff->program ? "onthefly" : "cutoff";
  object["claim"] = text_or_null(report.claim);
  object["evidence"] = {{"kind", cutoff || !report.claim.empty() ? "cutoff" : "none"},
                        {"status", answer::to_string(report.check.status)},
                        {"why", report.check.why}};
  object["seconds"] = figure(report.seconds);
  object["peak_memory_mb"] = figure(report.peak_memory_mb);
  object["statistics"] = statistics_json(report.statistics);
  object["question"] = question_json(any, asked);
  object["warnings"] = warnings_json(asked.warnings);
  object["version"] = HEDDLE_VERSION;
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::output
