#include "driver/bench/campaign.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace heddle::driver::bench {

namespace {

using output::bench::Record;
using Slots = std::vector<std::optional<Record>>;

/// Slot `case * tools + tool` for each pair; filled where it has been run before.
Slots slots_for(const Campaign& campaign, const std::vector<Record>& finished) {
  std::map<std::pair<std::string_view, std::string_view>, const Record*> known;
  for (const Record& record : finished) known[{record.path, record.tool}] = &record;
  Slots slots;
  for (const Case& entry : campaign.cases)
    for (const Tool& tool : campaign.tools) {
      const auto it = known.find({entry.path, tool.name});
      slots.push_back(it == known.end() ? std::nullopt : std::optional(*it->second));
    }
  return slots;
}

}  // namespace

std::vector<Record> run_campaign(const Campaign& campaign, const CaseKeys& keys,
                                 const std::vector<Record>& finished, Runner& runner,
                                 const OnRecord& on_record) {
  Slots slots = slots_for(campaign, finished);
  std::map<std::size_t, std::string> key_of;  // of what is running: files may change meanwhile
  const auto case_of = [&](std::size_t slot) -> const Case& {
    return campaign.cases[slot / campaign.tools.size()];
  };
  const auto tool_of = [&](std::size_t slot) -> const Tool& {
    return campaign.tools[slot % campaign.tools.size()];
  };
  unsigned running = 0;
  for (std::size_t slot = 0; slot < slots.size() || running > 0;) {
    if (slot < slots.size() && running < campaign.jobs) {
      if (!slots[slot]) {
        key_of[slot] = keys.key(case_of(slot), tool_of(slot));
        runner.start(slot, command_for(tool_of(slot), case_of(slot), campaign.limits));
        ++running;
      }
      ++slot;
      continue;
    }
    const auto ended = runner.next();
    if (!ended) break;
    --running;
    Record record = judge(tool_of(ended->id), case_of(ended->id), ended->end);
    record.key = key_of.extract(ended->id).mapped();
    if (!on_record(record)) break;
    slots[ended->id] = std::move(record);
  }
  std::vector<Record> records;
  for (std::optional<Record>& record : slots)
    if (record) records.push_back(std::move(*record));
  return records;
}

}  // namespace heddle::driver::bench
