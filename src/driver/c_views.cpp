#include "driver/c_views.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "driver/pose.hpp"
#include "engine/compositional/compositional.hpp"
#include "output/source_lines.hpp"
#include "transform/blocks/report.hpp"
#include "transform/c_threads/threads_of_c.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
namespace blocks = transform::blocks;
namespace compositional = engine::compositional;

/// A C program, and what it becomes.
struct View {
  Posed posed;
  compositional::Prepared prepared;
  const model::c::Program& program() const { return std::get<model::CTask>(posed.task).model; }
};

Parsed<View> view(const Disk& disk, const std::string& file, const QuestionOptions& options,
                  bool reduction) {
  auto posed = pose_whole(disk, file, options);
  if (!posed) return std::unexpected(std::move(posed.error()));
  const auto* task = std::get_if<model::CTask>(&posed->task);
  if (task == nullptr)
    return std::unexpected(
        complaint(file, "is a " + model::kind_name(posed->task), "this is for C programs"));
  if (task->question.targets != std::vector{model::c::Property::Reach})
    return std::unexpected(
        complaint(file, "the property is not reach", "leave out --property, or give reach"));
  auto covered = transform::c_threads::cover(task->model);
  if (!covered) {
    const std::uint32_t line = covered.error().position.line;
    return std::unexpected(complaint(
        file, covered.error().why + (line == 0 ? "" : " (line " + std::to_string(line) + ")"),
        "docs/engines/compositional.md lists what cannot be translated"));
  }
  const base::RunContext context;
  return View{std::move(*posed),
              compositional::prepare(std::move(covered->program), reduction, context)};
}

/// What is written beside a line.
struct LineMarks {
  bool begins_block = false;
  std::set<blocks::MoverLine::Class> classes;
};

char letter_of(blocks::MoverLine::Class mover) {
  switch (mover) {
    case blocks::MoverLine::Class::Both: return 'B';
    case blocks::MoverLine::Class::Right: return 'R';
    case blocks::MoverLine::Class::Left: return 'L';
    case blocks::MoverLine::Class::None: break;
  }
  return 'N';
}

constexpr const char* kLegend =
    "steps that other threads can notice: R right mover, L left mover, B both, N neither;\n"
    "> a block begins here: elsewhere no other thread need step\n";

}  // namespace

Parsed<std::string> mover_listing(const Disk& disk, const std::string& file,
                                  const QuestionOptions& options) {
  const auto seen = view(disk, file, options, true);
  if (!seen) return std::unexpected(seen.error());
  const auto& threads = seen->prepared.program;
  const auto lines =
      blocks::mover_report(threads, seen->prepared.movers, seen->prepared.blocks.partition);
  std::map<std::pair<std::uint32_t, std::uint32_t>, LineMarks> marks;
  std::set<std::string> reasons;  // in the order of lines
  std::vector<std::string> why;
  for (const blocks::MoverLine& line : lines) {
    if (line.position.line == 0) continue;
    LineMarks& at = marks[{line.position.file, line.position.line}];
    at.begins_block = at.begins_block || line.begins_block;
    at.classes.insert(line.mover);
    if (line.mover != blocks::MoverLine::Class::None || !line.because) continue;
    const std::string text = blocks::to_text(threads, line);
    if (reasons.insert(text).second) why.push_back(text);
  }
  std::string out = kLegend;
  output::SourceLines sources(seen->program(), seen->posed.asked.sources);
  std::set<std::uint32_t> files;
  for (const auto& [where, mark] : marks) files.insert(where.first);
  for (const std::uint32_t f : files) {
    out += "\n" + seen->program().files[f] + "\n";
    for (std::uint32_t number = 1; number <= sources.count(f); ++number) {
      const auto mark = marks.find({f, number});
      std::string classes;
      if (mark != marks.end())
        for (const auto mover : mark->second.classes) classes += letter_of(mover);
      const bool begins = mark != marks.end() && mark->second.begins_block;
      out += fmt::format("{} {:4} {:5} | {}\n", begins ? '>' : ' ', classes, number,
                         sources.line({f, number, 0}));
    }
  }
  if (!why.empty()) out += "\nsteps that are not movers:\n";
  for (const std::string& text : why) out += "  " + text + "\n";
  return out;
}

Parsed<std::string> horn_clauses(const Disk& disk, const std::string& file,
                                 const QuestionOptions& options, const HornChoice& choice) {
  const auto seen = view(disk, file, options, choice.reduction);
  if (!seen) return std::unexpected(seen.error());
  if (choice.form == HornForm::Modular)
    return term::to_smtlib(compositional::encode_modular(seen->prepared).system);
  constexpr std::size_t kMostTuples = 100'000;
  const auto product = compositional::encode_product(seen->prepared, kMostTuples);
  if (!product)
    return std::unexpected(complaint(file,
                                     "there is no product: some threads are created any number of "
                                     "times, or there are too many tuples of points",
                                     "use --encoding modular"));
  return term::to_smtlib(product->system);
}

}  // namespace heddle::driver
