#include "transform/sequential_c/flow.hpp"

#include <algorithm>
#include <functional>

#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

namespace {

using namespace model::c;
using Count = std::optional<std::uint64_t>;

constexpr std::uint64_t kMany = 1'000'000;  ///< counts beyond this are none

Count product(Count a, Count b) {
  if ((a && *a == 0) || (b && *b == 0)) return 0;
  if (!a || !b || *a > kMany || *b > kMany || *a * *b > kMany) return std::nullopt;
  return *a * *b;
}

Count sum(Count a, Count b) {
  if (!a || !b || *a + *b > kMany) return std::nullopt;
  return *a + *b;
}

bool is_creation(const Effect& effect) {
  const auto* sync = std::get_if<Synchronise>(&effect);
  return sync != nullptr && sync->operation == SyncOperation::CreateThread;
}

/// Calls `see` for each operand whose value the instruction uses, but not for a function that it
/// calls by name.
struct OperandVisitor {
  const std::function<void(const Operand&)>& see;

  void operator()(const Compute& i) const { see(i.a), see(i.b), see(i.c); }
  void operator()(const Assign& i) const {
    for (const auto& [to, from] : i.copies) see(from);
  }
  void operator()(const Branch& i) const { see(i.condition); }
  void operator()(const Switch& i) const { see(i.value); }
  void operator()(const Call& i) const {
    for (const Operand& argument : i.arguments) see(argument);
  }
  void operator()(const Return& i) const {
    for (const Operand& value : i.values) see(value);
  }
  void operator()(const Store& i) const { see(i.value); }
  void operator()(const ReadModifyWrite& i) const { see(i.value); }
  void operator()(const CompareExchange& i) const { see(i.expected), see(i.desired); }
  void operator()(const Synchronise& i) const {
    for (std::size_t n = 0; n < i.arguments.size(); ++n)
      if (!(i.operation == SyncOperation::CreateThread && n == 1)) see(i.arguments[n]);
  }
  void operator()(const auto&) const {}
};

}  // namespace

ControlFlow::ControlFlow(const Program& program, std::optional<std::uint32_t> bound)
    : program_(program), bound_(bound) {
  loops_.resize(program.functions.size());
  for (const Function& function : program.functions) {
    std::vector<bool> reached(function.code.size(), false);
    std::vector<Location> pending;
    if (!reached.empty()) pending.push_back(Location(0u));
    while (!pending.empty()) {
      const Location at = pending.back();
      pending.pop_back();
      if (reached[at.index()]) continue;
      reached[at.index()] = true;
      for (const Location next : successors(function, at)) pending.push_back(next);
    }
    reached_.push_back(std::move(reached));
  }
  find_pointed();
  find_starts();
  first_ = reached_from({program.entry});
  created_ = reached_from(starts_);
  find_recursion();
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    if (is_reached(FunctionId(i))) find_loops(FunctionId(i));
  count_threads();
  find_alone();
  find_sections();
}

// ---- Who calls whom

std::vector<FunctionId> ControlFlow::callees(const Call& call) const {
  if (call.callee.kind == Operand::Kind::Function) return {FunctionId(call.callee.index)};
  return pointed_;
}

void ControlFlow::find_pointed() {
  std::set<FunctionId> found;
  const std::function<void(const Operand&)> see = [&](const Operand& operand) {
    if (operand.kind == Operand::Kind::Function) found.insert(FunctionId(operand.index));
  };
  for (const Function& function : program_.functions)
    for (const Instruction& instruction : function.code)
      std::visit(OperandVisitor{see}, instruction.effect);
  for (const Global& global : program_.globals)
    for (const Relocation& relocation : global.relocations) see(relocation.target);
  for (const FunctionId function : found)
    if (!program_.functions[function.index()].code.empty()) pointed_.push_back(function);
}

/// What is created by functions that run is found round by round.
void ControlFlow::find_starts() {
  for (std::size_t before = ~std::size_t{0}; before != starts_.size();) {
    before = starts_.size();
    std::set<FunctionId> roots = starts_;
    roots.insert(program_.entry);
    for (const FunctionId function : reached_from(roots)) {
      const Function& f = program_.functions[function.index()];
      for (std::size_t i = 0; i < f.code.size(); ++i) {
        if (!reached_[function.index()][i] || !is_creation(f.code[i].effect)) continue;
        const Operand& start = std::get<Synchronise>(f.code[i].effect).arguments[1];
        if (start.kind == Operand::Kind::Function)
          starts_.insert(FunctionId(start.index));
        else
          starts_.insert(pointed_.begin(), pointed_.end());
      }
    }
  }
}

std::set<FunctionId> ControlFlow::reached_from(const std::set<FunctionId>& roots) const {
  std::set<FunctionId> seen;
  std::vector<FunctionId> pending(roots.begin(), roots.end());
  while (!pending.empty()) {
    const FunctionId function = pending.back();
    pending.pop_back();
    if (!seen.insert(function).second) continue;
    const Function& f = program_.functions[function.index()];
    for (std::size_t i = 0; i < f.code.size(); ++i)
      if (const auto* call = std::get_if<Call>(&f.code[i].effect);
          call != nullptr && reached_[function.index()][i])
        for (const FunctionId callee : callees(*call)) pending.push_back(callee);
  }
  return seen;
}

void ControlFlow::find_recursion() {
  for (std::size_t n = 0; n < program_.functions.size(); ++n) {
    const FunctionId function(n);
    if (!is_reached(function)) continue;
    std::set<FunctionId> called;
    const Function& f = program_.functions[n];
    for (std::size_t i = 0; i < f.code.size(); ++i)
      if (const auto* call = std::get_if<Call>(&f.code[i].effect);
          call != nullptr && reached_[n][i])
        for (const FunctionId callee : callees(*call)) called.insert(callee);
    if (reached_from(called).contains(function)) recursive_.insert(function);
  }
}

// ---- Loops

void ControlFlow::find_loops(FunctionId id) {
  const Function& function = program_.functions[id.index()];
  const std::size_t size = function.code.size();
  if (size == 0) return;
  // Edges back to what is being searched.
  std::map<Location, std::set<std::pair<Location, Location>>> back;
  std::vector<int> colour(size, 0);
  std::vector<std::pair<Location, std::size_t>> path{{Location(0u), 0}};
  colour[0] = 1;
  while (!path.empty()) {
    auto& [at, next] = path.back();
    const std::vector<Location> to = successors(function, at);
    if (next == to.size()) {
      colour[at.index()] = 2;
      path.pop_back();
      continue;
    }
    const Location there = to[next++];
    if (colour[there.index()] == 1) back[there].insert({at, there});
    if (colour[there.index()] != 0) continue;
    colour[there.index()] = 1;
    path.emplace_back(there, 0);
  }
  std::vector<std::vector<Location>> before(size);
  for (std::size_t i = 0; i < size; ++i)
    if (colour[i] != 0)
      for (const Location next : successors(function, Location(i)))
        before[next.index()].push_back(Location(i));
  for (const auto& [head, edges] : back) {
    Loop loop{head, {head}, edges, std::nullopt};
    std::vector<Location> pending;
    for (const auto& [from, to] : edges) pending.push_back(from);
    while (!pending.empty()) {
      const Location at = pending.back();
      pending.pop_back();
      if (!loop.inside.insert(at).second) continue;
      for (const Location earlier : before[at.index()]) pending.push_back(earlier);
    }
    // With one head, nothing outside leads to the inside but by way of the head.
    const auto is_entered_aside = [&](Location at) {
      const auto is_outside = [&](Location one) { return !loop.inside.contains(one); };
      return at != head &&
             (at == Location(0u) || std::ranges::any_of(before[at.index()], is_outside));
    };
    for (const Location at : loop.inside)
      if (bound_ && is_entered_aside(at))
        throw Refusal{"a jump into a loop", function.code[at.index()].position};
    find_rounds_begin(function, loop);
    loops_[id.index()].push_back(std::move(loop));
  }
}

/// A round of `while` and `for` begins where the first branch behind the head stays inside; of
/// other loops it begins at the head.
void ControlFlow::find_rounds_begin(const Function& function, Loop& loop) const {
  Location at = loop.head;
  std::set<Location> seen;
  while (seen.insert(at).second) {
    const std::vector<Location> next = successors(function, at);
    if (next.size() == 2 && std::holds_alternative<Branch>(function.code[at.index()].effect)) {
      const bool first = loop.inside.contains(next[0]) && next[0] != loop.head;
      const bool second = loop.inside.contains(next[1]) && next[1] != loop.head;
      const bool leaves = !loop.inside.contains(next[0]) || !loop.inside.contains(next[1]);
      if (leaves && first != second) loop.entrance = {at, first ? next[0] : next[1]};
      return;
    }
    if (next.size() != 1 || !loop.inside.contains(next[0])) return;
    at = next[0];
  }
}

// ---- How often

Count ControlFlow::times_here(FunctionId function, Location at) const {
  Count out = 1;
  for (const Loop& loop : loops_[function.index()]) {
    if (!loop.inside.contains(at)) continue;
    if (!bound_) return std::nullopt;
    // What comes before the branch of the head is executed once more.
    out = product(out, std::uint64_t{*bound_} + (loop.entrance ? 1 : 0));
    if (loop.entrance && out) {
      // Behind the entrance only: as often as there are rounds.
      std::set<Location> chain;
      Location here = loop.head;
      const Function& f = program_.functions[function.index()];
      while (chain.insert(here).second && here != loop.entrance->first)
        here = successors(f, here).front();
      if (!chain.contains(at)) out = *out / (std::uint64_t{*bound_} + 1) * *bound_;
    }
  }
  return out;
}

/// How often a thread that begins with `root` calls a function.
Count ControlFlow::calls_from(FunctionId root, FunctionId function) const {
  if (const auto known = calls_.find({root, function}); known != calls_.end()) return known->second;
  const auto [from, is_new] = families_.try_emplace(root);
  if (is_new) from->second = reached_from({root});
  Count out = root == function ? 1 : 0;
  if (!from->second.contains(function)) return 0;
  if (is_recursive(function)) return std::nullopt;
  for (const FunctionId caller : from->second) {
    const Function& f = program_.functions[caller.index()];
    for (std::size_t i = 0; i < f.code.size(); ++i) {
      const auto* call = std::get_if<Call>(&f.code[i].effect);
      if (call == nullptr || !reached_[caller.index()][i]) continue;
      const std::vector<FunctionId> called = callees(*call);
      if (std::ranges::find(called, function) == called.end()) continue;
      out = sum(out, product(times_here(caller, Location(i)), calls_from(root, caller)));
    }
  }
  calls_.emplace(std::pair(root, function), out);
  return out;
}

Count ControlFlow::times(FunctionId function, Location at) const {
  Count most = product(calls_from(program_.entry, function), times_here(function, at));
  for (const FunctionId start : starts_) {
    const Count here = product(calls_from(start, function), times_here(function, at));
    if (!here || !most)
      most = std::nullopt;
    else
      most = std::max(*most, *here);
  }
  return most;
}

void ControlFlow::count_threads() {
  // Threads that begin with a function, with those that they create.
  std::set<FunctionId> open;
  const std::function<Count(FunctionId)> family = [&](FunctionId root) -> Count {
    if (!open.insert(root).second) return std::nullopt;
    Count out = 1;
    for (const FunctionId function : reached_from({root})) {
      const Function& f = program_.functions[function.index()];
      for (std::size_t i = 0; i < f.code.size(); ++i) {
        if (!reached_[function.index()][i] || !is_creation(f.code[i].effect)) continue;
        const Operand& start = std::get<Synchronise>(f.code[i].effect).arguments[1];
        Count each = 0;
        if (start.kind == Operand::Kind::Function) {
          each = family(FunctionId(start.index));
        } else {
          for (const FunctionId one : pointed_) {
            const Count those = family(one);
            each = each && those ? Count(std::max(*each, *those)) : std::nullopt;
          }
        }
        const Count here = product(times_here(function, Location(i)), calls_from(root, function));
        out = sum(out, product(here, each));
        if (!out && unbounded_creation_.line == 0) unbounded_creation_ = f.code[i].position;
      }
    }
    open.erase(root);
    return out;
  };
  threads_ = family(program_.entry);
}

// ---- Before there are other threads

bool ControlFlow::is_alone(FunctionId function, Location at) const {
  return !runs_created(function) && is_reached(function, at) &&
         !accompanied_[function.index()][at.index()];
}

void ControlFlow::find_alone() {
  const std::size_t count = program_.functions.size();
  std::vector<bool> creates(count, false), enters(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    accompanied_.emplace_back(program_.functions[i].code.size(), false);
    for (const FunctionId function : reached_from({FunctionId(i)}))
      for (const Instruction& one : program_.functions[function.index()].code)
        creates[i] = creates[i] || is_creation(one.effect);
  }
  const auto goes_on_accompanied = [&](const Effect& effect) {
    const auto* call = std::get_if<Call>(&effect);
    if (call == nullptr) return is_creation(effect);
    return std::ranges::any_of(callees(*call), [&](FunctionId f) { return creates[f.index()]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto mark = [&](std::vector<bool>& bits, std::size_t i) {
      if (bits[i]) return;
      bits[i] = true;
      changed = true;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const Function& f = program_.functions[i];
      if (enters[i] && !f.code.empty()) mark(accompanied_[i], 0);
      for (std::size_t at = 0; at < f.code.size(); ++at) {
        const bool here = accompanied_[i][at];
        if (!reached_[i][at] || (!here && !goes_on_accompanied(f.code[at].effect))) continue;
        for (const Location next : successors(f, Location(at))) mark(accompanied_[i], next.index());
        if (const auto* call = std::get_if<Call>(&f.code[at].effect); call != nullptr && here)
          for (const FunctionId callee : callees(*call)) mark(enters, callee.index());
      }
    }
  }
}

// ---- Atomic sections

/// Depths are bits: 0, 1, and 2 or more. A call leaves them as they are, unless the function may
/// return inside of a section that it began.
void ControlFlow::find_sections() {
  const std::size_t count = program_.functions.size();
  std::vector<unsigned> enters(count, 0);
  std::vector<bool> returns_inside(count, false);
  for (const Function& function : program_.functions) depths_.emplace_back(function.code.size(), 0);
  enters[program_.entry.index()] = 1;
  for (const FunctionId start : starts_) enters[start.index()] = 1;
  const auto deeper = [](unsigned depths) { return (depths << 1 | (depths & 4)) & 7; };
  const auto higher = [](unsigned depths) { return depths >> 1 | (depths & 5); };
  for (bool changed = true; changed;) {
    changed = false;
    const auto add = [&](unsigned& depths, unsigned more) {
      changed = changed || (depths | more) != depths;
      depths |= more;
    };
    for (std::size_t f = 0; f < count; ++f) {
      const Function& function = program_.functions[f];
      if (!function.code.empty()) add(depths_[f][0], enters[f]);
      for (std::size_t i = 0; i < function.code.size(); ++i) {
        unsigned after = depths_[f][i];
        if (after == 0) continue;
        const Effect& effect = function.code[i].effect;
        const auto* sync = std::get_if<Synchronise>(&effect);
        if (sync != nullptr && sync->operation == SyncOperation::AtomicBegin) after = deeper(after);
        if (sync != nullptr && sync->operation == SyncOperation::AtomicEnd) after = higher(after);
        if (const auto* call = std::get_if<Call>(&effect))
          for (const FunctionId callee : callees(*call)) {
            const bool is_atomic = program_.functions[callee.index()].is_atomic;
            add(enters[callee.index()], is_atomic ? deeper(depths_[f][i]) : depths_[f][i]);
            if (returns_inside[callee.index()]) after |= deeper(after);
          }
        if (std::holds_alternative<Return>(effect) && (after & ~enters[f]) != 0 &&
            !returns_inside[f])
          returns_inside[f] = changed = true;
        for (const Location next : successors(function, Location(i)))
          add(depths_[f][next.index()], after);
      }
    }
  }
}

bool ControlFlow::may_be_in_section(FunctionId function, Location at) const {
  return (depths_[function.index()][at.index()] & 6) != 0;
}

}  // namespace heddle::transform::sequential_c
