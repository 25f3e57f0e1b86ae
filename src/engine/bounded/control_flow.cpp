#include "engine/bounded/control_flow.hpp"

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

using namespace model::c;

std::vector<Location> successors(const Function& function, Location at) {
  const Effect& effect = function.code[at.index()].effect;
  if (const auto* jump = std::get_if<Jump>(&effect)) return {jump->next};
  if (const auto* assign = std::get_if<Assign>(&effect)) return {assign->next};
  if (const auto* branch = std::get_if<Branch>(&effect)) return {branch->if_true, branch->if_false};
  if (const auto* several = std::get_if<Switch>(&effect)) {
    std::vector<Location> targets = {several->otherwise};
    for (const auto& [value, target] : several->cases) targets.push_back(target);
    return targets;
  }
  const bool ends = std::holds_alternative<Return>(effect) ||
                    std::holds_alternative<Fail>(effect) || std::holds_alternative<Exit>(effect) ||
                    std::holds_alternative<Unsupported>(effect);
  if (ends || at.index() + 1 >= function.code.size()) return {};
  return {Location(at.value + 1)};
}

ControlFlow::ControlFlow(const Function& function)
    : order_(function.code.size(), 0),
      predecessors_(function.code.size(), 0),
      doomed_(function.code.size(), true),
      around_(function.code.size()) {
  if (!function.code.empty()) sort(function);
}

/// A search that goes deep; instructions are numbered backwards as it leaves them. An edge to an
/// instruction that it has not left closes a loop.
void ControlFlow::sort(const Function& function) {
  enum class Mark : std::uint8_t { New, Open, Done };
  struct Visit {
    std::uint32_t at;
    std::vector<Location> targets;
    std::size_t next = 0;
  };
  std::vector<Mark> marks(function.code.size(), Mark::New);
  std::vector<std::vector<std::uint32_t>> sources(function.code.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> closing;
  auto number = static_cast<std::uint32_t>(function.code.size());
  std::vector<Visit> path;
  const auto enter = [&](std::uint32_t at) {
    marks[at] = Mark::Open;
    path.push_back({at, successors(function, Location(at))});
  };
  enter(0);
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next == visit.targets.size()) {
      marks[visit.at] = Mark::Done;
      order_[visit.at] = --number;
      path.pop_back();
      continue;
    }
    const std::uint32_t target = visit.targets[visit.next++].value;
    ++predecessors_[target];
    sources[target].push_back(visit.at);
    if (marks[target] == Mark::Open) closing.emplace_back(visit.at, target);
    if (marks[target] == Mark::New) enter(target);
  }
  for (const auto& [from, header] : closing) add_to_loop(from, header, sources);
  nest_loops();
  find_doomed(function, sources);
}

/// What leads to the end of the loop without passing its header.
void ControlFlow::add_to_loop(std::uint32_t from, std::uint32_t header,
                              const std::vector<std::vector<std::uint32_t>>& sources) {
  const auto is_it = [&](const Loop& loop) { return loop.header.value == header; };
  auto found = std::ranges::find_if(loops_, is_it);
  if (found == loops_.end()) {
    loops_.push_back({Location(header), std::vector<bool>(order_.size(), false)});
    found = std::prev(loops_.end());
    found->body[header] = true;
  }
  std::vector<std::uint32_t> open = {from};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (found->body[at]) continue;
    found->body[at] = true;
    open.insert(open.end(), sources[at].begin(), sources[at].end());
  }
}

/// A loop's header stands before all else in the loop, hence outer loops before inner ones.
void ControlFlow::nest_loops() {
  std::ranges::sort(loops_, {}, [&](const Loop& loop) { return order_[loop.header.index()]; });
  for (std::uint32_t i = 0; i < loops_.size(); ++i)
    for (std::size_t at = 0; at < around_.size(); ++at)
      if (loops_[i].body[at]) around_[at].push_back(i);
}

namespace {

bool ends_well(const Instruction& instruction) {
  const auto* sync = std::get_if<Synchronise>(&instruction.effect);
  return std::holds_alternative<Return>(instruction.effect) ||
         (sync != nullptr && sync->operation == SyncOperation::ExitThread);
}

}  // namespace

/// What a return, the end of a thread or a loop cannot be reached from.
void ControlFlow::find_doomed(const Function& function,
                              const std::vector<std::vector<std::uint32_t>>& sources) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < function.code.size(); ++at) {
    if (ends_well(function.code[at]) || !around_[at].empty()) open.push_back(at);
  }
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (!doomed_[at]) continue;
    doomed_[at] = false;
    open.insert(open.end(), sources[at].begin(), sources[at].end());
  }
}

}  // namespace heddle::engine::bounded
