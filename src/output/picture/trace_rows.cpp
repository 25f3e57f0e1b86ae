#include "output/picture/trace_rows.hpp"

#include "output/replay_cursor.hpp"

namespace heddle::output::picture {

TraceRows trace_rows(const model::CountingModel& model, const answer::Trace& trace,
                     std::size_t most) {
  std::vector<answer::NamedStep> named;
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    named = answer::named_steps(*system, trace);
  ReplayCursor cursor(model, trace, Blocks::Folded);
  const std::size_t size = cursor.size();
  const std::size_t left_out = size > most ? size - most : 0;
  const std::size_t cut = most - most / 3;

  TraceRows result;
  while (cursor.forward()) {
    const std::size_t i = cursor.position() - 1;
    if (left_out > 0 && i == cut) {
      TraceRow gap;
      gap.left_out = left_out;
      result.rows.push_back(std::move(gap));
    }
    if (left_out > 0 && i >= cut && i < cut + left_out) continue;
    const Leg& leg = cursor.legs()[i];
    TraceRow row{cursor.last_entry(), std::nullopt, cursor.configuration(), !leg.step, 0};
    if (leg.step && leg.written < named.size()) row.step = named[leg.written];
    result.rows.push_back(std::move(row));
  }
  result.broken = cursor.broken();
  return result;
}

}  // namespace heddle::output::picture
