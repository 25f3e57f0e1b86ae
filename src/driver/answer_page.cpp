#include "driver/answer_page.hpp"

#include "output/report/report_page.hpp"
#include "output/words.hpp"

namespace heddle::driver {

namespace {

/// Longer ones are left out of a page.
constexpr std::size_t kMostSourceBytes = 20'000'000;

std::string limits_text(const Budget& budget) {
  std::string out;
  const auto add = [&](const std::string& limit) { out += (out.empty() ? "" : ", ") + limit; };
  if (budget.time) add(output::duration_text(budget.time->count()));
  if (budget.memory_mb) add(std::to_string(*budget.memory_mb) + " MB for each process");
  if (budget.steps) add(std::to_string(*budget.steps) + " units of work for each engine");
  return out.empty() ? "none" : out;
}

}  // namespace

std::vector<output::SourceFile> shown_sources(const Disk& disk, const Answered& answered) {
  const output::Asked& asked = answered.asked;
  if (!asked.sources.empty() || std::holds_alternative<model::CTask>(answered.task))
    return asked.sources;
  auto text = disk.read(asked.file);
  if (!text || text->size() > kMostSourceBytes) return {};
  return {{asked.file, std::move(*text)}};
}

std::string answer_page(const Disk& disk, const Answered& answered) {
  const std::vector<output::SourceFile> sources = shown_sources(disk, answered);
  return output::report_page({answered.task, answered.asked, answered.report, sources,
                              answered.turns, limits_text(answered.budget)});
}

}  // namespace heddle::driver
