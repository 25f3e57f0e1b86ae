#include "transform/blocks/report.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "term/print.hpp"

namespace heddle::transform::blocks {

using namespace model::threads;

namespace {

bool touches_globals(const ThreadProgram& program, const std::set<std::string>& globals,
                     const Transition& t) {
  std::vector<term::Term> used = {t.guard};
  for (const Assignment& a : t.assignments) {
    used.push_back(a.value);
    used.push_back(program.variable(a.variable).term);
  }
  const auto all = term::variables(used);
  return std::ranges::any_of(all, [&](const term::Term& v) { return globals.contains(v.name()); });
}

MoverLine::Class class_of(const Mover& mover) {
  if (mover.right) return mover.left ? MoverLine::Class::Both : MoverLine::Class::Right;
  return mover.left ? MoverLine::Class::Left : MoverLine::Class::None;
}

}  // namespace

std::string_view to_string(MoverLine::Class mover) {
  switch (mover) {
    case MoverLine::Class::Both: return "moves both ways";
    case MoverLine::Class::Right: return "right mover";
    case MoverLine::Class::Left: return "left mover";
    case MoverLine::Class::None: break;
  }
  return "not a mover";
}

std::vector<MoverLine> mover_report(const ThreadProgram& program, const Movers& movers,
                                    const Partition& partition) {
  std::set<std::string> globals;
  for (const VariableId v : program.globals) globals.insert(program.variable(v).term.name());
  std::vector<MoverLine> lines;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    for (std::size_t i = 0; i < thread.transitions.size(); ++i) {
      const Transition& transition = thread.transitions[i];
      const bool begins = partition.is_out[t][transition.from.index()];
      if (!begins && !touches_globals(program, globals, transition)) continue;
      MoverLine line;
      line.thread = ThreadIndex(t);
      line.transition = static_cast<std::uint32_t>(i);
      line.position = thread.points[transition.from.index()].position;
      line.mover = class_of(movers.of[t][i]);
      line.begins_block = begins;
      line.because = movers.because[t][i];
      if (line.because) {
        const Thread& other = program.thread(line.because->thread);
        const Point from = other.transitions[line.because->transition].from;
        line.because_at = other.points[from.index()].position;
      }
      lines.push_back(line);
    }
  }
  std::ranges::stable_sort(lines, {}, [](const MoverLine& line) {
    return std::tuple(line.thread, line.position.file, line.position.line, line.position.column);
  });
  return lines;
}

std::string to_text(const ThreadProgram& program, const MoverLine& line) {
  std::string out = std::to_string(line.position.line) + ":" +
                    std::to_string(line.position.column) + " " + program.thread(line.thread).name +
                    ": " + std::string(to_string(line.mover));
  if (line.begins_block) out += ", begins a block";
  if (line.because)
    out += ", because of line " + std::to_string(line.because_at.line) + " in " +
           program.thread(line.because->thread).name;
  return out;
}

}  // namespace heddle::transform::blocks
