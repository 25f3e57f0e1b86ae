#include "transform/races/lifetimes.hpp"

#include <algorithm>

#include "model/c/control_flow.hpp"

/// Start routines of threads that may be running, forward through what main executes: creating a
/// thread adds its start routine. Joining removes one if the handle was read where all creations of
/// that start routine store theirs; a loop that joins removes it when it is left, since it joins as
/// many as were created, which is believed and not proved. Detached threads are never joined.

namespace heddle::transform::races {

using namespace model::c;

namespace {

/// Where the word in a register was read: the addresses of the loads into it.
Spots sources(const PointsTo& points_to, std::uint32_t f, const Operand& operand) {
  Spots out;
  if (operand.kind != Operand::Kind::Register) return out;
  for (const Instruction& i : points_to.program().functions[f].code)
    if (const auto* load = std::get_if<Load>(&i.effect);
        load != nullptr && load->to.value == operand.index)
      out.merge(points_to.values(f, load->address));
  return out;
}

}  // namespace

Lifetimes::Lifetimes(const PointsTo& points_to, const std::function<bool()>& stops)
    : points_to_(points_to),
      program_(points_to.program()),
      joined_(program_.functions.size()),
      left_(program_.functions.size()),
      ended_(program_.functions.size()),
      running_(program_.functions.size()) {
  find_joins();
  summarise(stops);
  search(stops);
}

bool Lifetimes::may_run(std::uint32_t start, std::uint32_t function, std::uint32_t at) const {
  if (at >= running_[function].size() || !running_[function][at]) return true;
  return running_[function][at]->contains(start);
}

Lifetimes::Starts Lifetimes::joined_by(std::uint32_t f, std::uint32_t at) const {
  Starts out;
  const auto* join = std::get_if<Synchronise>(&program_.functions[f].code[at].effect);
  if (join == nullptr || join->operation != SyncOperation::JoinThread) return out;
  const Spots handles = sources(points_to_, f, join->arguments[0]);
  const bool is_repeated = points_to_.is_in_loop(f, at) || points_to_.is_repeated(f);
  Starts others;
  for (const Creation& c : points_to_.creations()) {
    const auto& create = std::get<Synchronise>(program_.functions[c.function].code[c.at].effect);
    const Spots stored = points_to_.values(c.function, create.arguments[0]);
    const auto is_read = [&](const Spot& s) {
      return std::ranges::any_of(handles, [&](const Spot& h) {
        return h.object == s.object && h.offsets.overlaps(s.offsets, 1, 1);
      });
    };
    const bool is_created_once =
        !points_to_.is_in_loop(c.function, c.at) && !points_to_.is_repeated(c.function);
    const bool is_joined =
        !stored.empty() && std::ranges::all_of(stored, is_read) && (is_repeated || is_created_once);
    (is_joined ? out : others).insert(c.start);
  }
  for (const std::uint32_t start : others) out.erase(start);
  return out;
}

void Lifetimes::find_joins() {
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f)
    for (std::uint32_t at = 0; at < program_.functions[f].code.size(); ++at)
      if (Starts joined = joined_by(f, at); !joined.empty())
        joined_[f][points_to_.loop(f, at)].merge(joined);
}

/// Of an instruction that main executes with what is running before it.
Lifetimes::Starts Lifetimes::behind(std::uint32_t f, std::uint32_t at, Starts running) const {
  for (const Creation& c : points_to_.creations())
    if (c.function == f && c.at == at) running.insert(c.start);
  Starts left;
  for (const auto& [site, callee] : points_to_.calls(f)) {
    if (site != at) continue;
    left.insert(left_[callee].begin(), left_[callee].end());
    for (const std::uint32_t start : ended_[callee]) running.erase(start);
  }
  running.merge(left);
  return running;
}

Lifetimes::Running Lifetimes::flow(std::uint32_t f, const Starts& entry) const {
  const Function& function = program_.functions[f];
  Running running(function.code.size());
  std::vector<Location> pending;
  const auto reach = [&](Location at, const Starts& starts) {
    auto& known = running[at.index()];
    if (known && std::ranges::includes(*known, starts)) return;
    if (!known) known.emplace();
    known->insert(starts.begin(), starts.end());
    pending.push_back(at);
  };
  if (!running.empty()) reach(Location(0U), entry);
  while (!pending.empty()) {
    const Location at = pending.back();
    pending.pop_back();
    const Starts after = behind(f, at.value, *running[at.index()]);
    const auto joined = joined_[f].find(points_to_.loop(f, at.value));
    for (const Location to : successors(function, at)) {
      Starts there = after;
      if (joined != joined_[f].end() && points_to_.loop(f, to.value) != joined->first)
        for (const std::uint32_t start : joined->second) there.erase(start);
      reach(to, there);
    }
  }
  return running;
}

void Lifetimes::summarise(const std::function<bool()>& stops) {
  bool changed = true;
  const auto grow = [&](Starts& set, const Starts& by) {
    const std::size_t before = set.size();
    set.insert(by.begin(), by.end());
    changed = changed || set.size() != before;
  };
  while (changed && !stops()) {
    changed = false;
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      for (const auto& [loop, starts] : joined_[f]) grow(ended_[f], starts);
      for (const auto& [at, callee] : points_to_.calls(f)) grow(ended_[f], Starts(ended_[callee]));
      const Running running = flow(f, {});
      for (std::uint32_t at = 0; at < running.size(); ++at)
        if (running[at] && std::holds_alternative<Return>(program_.functions[f].code[at].effect))
          grow(left_[f], *running[at]);
    }
  }
}

void Lifetimes::search(const std::function<bool()>& stops) {
  std::vector<std::optional<Starts>> entry(program_.functions.size());
  entry[program_.entry.index()] = Starts{};
  std::set<std::uint32_t> pending = {program_.entry.value};
  while (!pending.empty() && !stops()) {
    const std::uint32_t f = *pending.begin();
    pending.erase(pending.begin());
    running_[f] = flow(f, *entry[f]);
    for (const auto& [at, callee] : points_to_.calls(f)) {
      const auto& here = running_[f][at];
      if (!here || (entry[callee] && std::ranges::includes(*entry[callee], *here))) continue;
      if (!entry[callee]) entry[callee].emplace();
      entry[callee]->insert(here->begin(), here->end());
      pending.insert(callee);
    }
  }
}

}  // namespace heddle::transform::races
