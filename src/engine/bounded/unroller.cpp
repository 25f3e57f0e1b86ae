/// Unrolling a thread.
///
/// Every place of the unrolled program has a key: for each frame the loops around the instruction
/// with their iterations, and the instruction's place in an order of the function that respects
/// control flow. Keys are compared from left to right, so that a place comes before all places that
/// can be reached from it. Paths are taken up in the order of their keys; those that arrive at one
/// place have all arrived when the first of them is taken up, and become one path whose words are
/// choices between theirs. So the unrolled program has as many instructions as places, not as
/// paths. Nothing depends on that order but the size: a path that is not merged is followed by
/// itself.
///
/// The accesses and actions of a thread are listed as they are met. Along every path, that is the
/// order of the program.
///
/// It ends: a loop is iterated as often as the bound says, unless constants decide its end, calls
/// nest as deep as that bound, and the number of instructions is bounded, too.

#include "engine/bounded/unroller.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::engine::bounded {

using model::c::FunctionId;
using model::c::Location;
using model::c::Property;

Unroller::Unroller(const model::c::Interpreter& interpreter, Property property,
                   const Bounds& bounds, Objects& objects, Facts& facts, base::RunContext& context)
    : interpreter_(interpreter),
      program_(interpreter.program()),
      property_(property),
      bounds_(bounds),
      objects_(objects),
      facts_(facts),
      context_(context) {}

bool Unroller::run() {
  objects_.forget_inputs();
  facts_.begin();
  Path entry;
  entry.moment = std::make_shared<const Moment>();
  result_.points.push_back(entry.moment);
  moments_ = 1;
  entry.is_alone = true;
  result_.threads.emplace_back();
  result_.threads.front().start = program_.entry;
  creations_.emplace_back();
  enter(entry, program_.entry, {});
  created_.emplace(0, std::move(entry));
  while (!created_.empty()) {
    auto first = created_.extract(created_.begin());
    thread_ = first.key();
    pending_.clear();
    enqueue(std::move(first.mapped()));
    if (!run_thread(thread_)) return false;
  }
  return true;
}

bool Unroller::run_thread(std::uint32_t) {
  moment_ = 0;
  spent_ = 0;
  while (!pending_.empty()) {
    auto first = pending_.extract(pending_.begin());
    for (Path& path : first.mapped()) follow(std::move(path));
    if (is_stopped_) return false;
  }
  result_.instructions += spent_;
  return true;
}

const ControlFlow& Unroller::flow(FunctionId function) {
  const auto found = flows_.find(function.value);
  if (found != flows_.end()) return found->second;
  return flows_.emplace(function.value, ControlFlow(program_.functions[function.index()]))
      .first->second;
}

PlaceKey Unroller::key_of(const Path& path) const {
  PlaceKey key;
  for (const PathFrame& frame : path.frames) {
    const ControlFlow& control = flows_.at(frame.function.value);
    for (const Iteration& iteration : frame.iterations) {
      key.push_back(control.order(control.loop(iteration.loop).header));
      key.push_back(iteration.number);
    }
    key.push_back(control.order(frame.at));
  }
  return key;
}

namespace {

bool is_same_place(const Path& a, const Path& b) {
  if (a.sections != b.sections || a.frames.size() != b.frames.size()) return false;
  return std::ranges::equal(a.frames, b.frames, [](const PathFrame& x, const PathFrame& y) {
    const auto is_same = [](const Iteration& i, const Iteration& j) {
      return i.loop == j.loop && i.number == j.number;
    };
    return x.function == y.function && x.at == y.at &&
           std::ranges::equal(x.iterations, y.iterations, is_same);
  });
}

}  // namespace

void Unroller::enqueue(Path path) {
  if (path.guard == kFalse || path.frames.empty()) return;
  std::vector<Path>& here = pending_[key_of(path)];
  for (Path& other : here) {
    if (is_same_place(other, path)) return merge(other, std::move(path));
  }
  here.push_back(std::move(path));
}

void Unroller::follow(Path path) {
  while (path.guard != kFalse && !path.frames.empty() && !is_stopped_) {
    is_stopped_ = context_.step().has_value();
    if (++spent_ > bounds_.instructions) {
      result_.meets_iterations = true;
      return end_path(path);
    }
    const PathFrame before = path.top();
    const auto& function = program_.functions[before.function.index()];
    HEDDLE_INVARIANT(before.at.index() < function.code.size(),
                     "control should stay in its function");
    const std::size_t depth = path.frames.size();
    std::visit([&](const auto& effect) { execute(path, effect); },
               function.code[before.at.index()].effect);
    if (path.guard == kFalse || path.frames.empty()) return;
    const bool has_returned = path.frames.size() < depth;
    if (has_returned || flow(path.top().function).is_join(path.top().at))
      return enqueue(std::move(path));
  }
}

void Unroller::go_to(Path& path, Location target) {
  PathFrame& frame = path.top();
  const ControlFlow& control = flow(frame.function);
  std::vector<Iteration> iterations;
  bool begins_anew = false;
  for (const std::uint32_t loop : control.loops_around(target)) {
    const auto is_it = [&](const Iteration& iteration) { return iteration.loop == loop; };
    const auto found = std::ranges::find_if(frame.iterations, is_it);
    Iteration iteration;
    iteration.loop = loop;
    if (found != frame.iterations.end() && !begins_anew) iteration = *found;
    if (found != frame.iterations.end() && control.loop(loop).header == target && !begins_anew) {
      ++iteration.number;
      if (iteration.may_leave || !iteration.stays_by_constants) ++iteration.counted;
      iteration.stays_by_constants = iteration.may_leave = false;
      begins_anew = true;
    }
    iterations.push_back(iteration);
  }
  frame.iterations = std::move(iterations);
  frame.at = target;
  const auto is_too_often = [&](const Iteration& iteration) {
    return iteration.counted > bounds_.iterations || iteration.number > bounds_.constant_iterations;
  };
  if (!std::ranges::any_of(frame.iterations, is_too_often)) return;
  result_.meets_iterations = true;
  end_path(path);
}

void Unroller::step_over(Path& path) { go_to(path, Location(path.top().at.value + 1)); }

void Unroller::enter(Path& path, FunctionId function, const std::vector<Word>& arguments) {
  const auto is_it = [&](const PathFrame& frame) { return frame.function == function; };
  if (std::ranges::count_if(path.frames, is_it) > static_cast<int>(bounds_.iterations)) {
    result_.meets_iterations = true;
    return end_path(path);
  }
  const model::c::Function& callee = program_.functions[function.index()];
  flow(function);
  PathFrame frame;
  frame.function = function;
  frame.first_register = static_cast<std::uint32_t>(path.registers.size());
  path.frames.push_back(std::move(frame));
  path.registers.resize(path.registers.size() + callee.register_widths.size());
  for (std::uint32_t i = 0; i < callee.parameters && i < arguments.size(); ++i)
    set(path, model::c::Register(i), arguments[i]);
  go_to(path, Location(0u));
}

void Unroller::end_path(Path& path) { drop_if(path, kTrue); }

// ---- Paths that meet

namespace {

/// A condition that tells which of two guards holds, given that one of them does.
Wire first_rather_than_second(const Circuit& circuit, Wire first, Wire second) {
  if (first.is_constant() || second.is_constant()) return first;
  const Circuit::Gate& a = circuit.gate(first.gate());
  const Circuit::Gate& b = circuit.gate(second.gate());
  const bool are_plain = a.kind == Circuit::Kind::And && b.kind == Circuit::Kind::And &&
                         !first.is_negated() && !second.is_negated();
  if (!are_plain) return first;
  for (const Wire x : {a.inputs[0], a.inputs[1]})
    for (const Wire y : {b.inputs[0], b.inputs[1]})
      if (x == !y) return x;
  return first;
}

}  // namespace

Word Unroller::select(Wire condition, const Word& then, const Word& otherwise) {
  if (condition.is_constant()) return condition == kTrue ? then : otherwise;
  return {choice(result_.circuit, condition, then.bits, otherwise.bits),
          joined(then.pointees, otherwise.pointees)};
}

void Unroller::merge(Path& into, Path other) {
  if (into.is_alone != other.is_alone) stop_being_alone(into.is_alone ? into : other);
  const Wire first = first_rather_than_second(result_.circuit, into.guard, other.guard);
  for (std::size_t i = 0; i < into.registers.size(); ++i) {
    auto& mine = into.registers[i];
    const auto& theirs = other.registers[i];
    if (mine == theirs) continue;
    const auto width = static_cast<unsigned>((mine != nullptr ? mine : theirs)->bits.size());
    const Word zero = number(0, width);
    mine = std::make_shared<const Word>(
        select(first, mine != nullptr ? *mine : zero, theirs != nullptr ? *theirs : zero));
  }
  for (const auto& [object, theirs] : other.memory) into.memory.try_emplace(object);
  for (auto& [object, mine] : into.memory) {
    const auto found = other.memory.find(object);
    const auto theirs = found != other.memory.end() ? found->second : nullptr;
    if (mine == theirs) continue;
    Content content = mine != nullptr ? *mine : Content();
    if (theirs != nullptr)
      for (const auto& [offset, byte] : *theirs)
        content.try_emplace(offset, objects_.initial(result_.circuit, object, offset));
    for (auto& [offset, byte] : content) {
      const Byte their_byte = byte_of(other, object, offset);
      for (std::size_t bit = 0; bit < 8; ++bit)
        byte.bits[bit] = result_.circuit.choice(first, byte.bits[bit], their_byte.bits[bit]);
      byte.pointees = joined(byte.pointees, their_byte.pointees);
    }
    mine = std::make_shared<Content>(std::move(content));
  }
  if (into.moment != other.moment) {
    Moment either;
    either.thread = thread_;
    either.number = moments_++;
    either.condition = first;
    either.first = into.moment;
    either.second = other.moment;
    either.never = result_.circuit.choice(first, into.moment->never, other.moment->never);
    into.moment = std::make_shared<const Moment>(std::move(either));
  }
  for (std::size_t i = 0; i < into.frames.size(); ++i) {
    for (std::size_t j = 0; j < into.frames[i].iterations.size(); ++j) {
      Iteration& mine = into.frames[i].iterations[j];
      const Iteration& theirs = other.frames[i].iterations[j];
      mine.counted = std::max(mine.counted, theirs.counted);
      mine.stays_by_constants = mine.stays_by_constants && theirs.stays_by_constants;
      mine.may_leave = mine.may_leave || theirs.may_leave;
    }
  }
  std::erase_if(into.held, [&](std::uint64_t mutex) { return !other.held.contains(mutex); });
  into.guard = result_.circuit.disjunction(into.guard, other.guard);
}

bool depends_on_undefined_bytes(const Unrolling& unrolling) {
  std::vector<bool> seen(unrolling.circuit.size(), false);
  std::vector<std::uint32_t> open;
  const auto reach = [&](Wire wire) {
    if (wire.is_constant() || seen[wire.gate()]) return;
    seen[wire.gate()] = true;
    open.push_back(wire.gate());
  };
  for (const Wire wire : unrolling.violations) reach(wire);
  for (const auto& clause : unrolling.requirements) std::ranges::for_each(clause, reach);
  while (!open.empty()) {
    const Circuit::Gate& gate = unrolling.circuit.gate(open.back());
    open.pop_back();
    if (gate.kind != Circuit::Kind::Input) std::ranges::for_each(gate.inputs, reach);
  }
  return std::ranges::any_of(unrolling.undefined,
                             [&](Wire wire) { return bool{seen[wire.gate()]}; });
}

std::optional<Unrolling> unroll(const model::c::Interpreter& interpreter, Property property,
                                const Bounds& bounds, Objects& objects, Facts& facts,
                                base::RunContext& context) {
  while (true) {
    Unroller unroller(interpreter, property, bounds, objects, facts, context);
    if (!unroller.run()) return std::nullopt;
    if (!facts.end(unroller.creations())) return unroller.take();
  }
}

}  // namespace heddle::engine::bounded
