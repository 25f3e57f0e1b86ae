#include "transform/races/points_to.hpp"

#include <algorithm>
#include <numeric>

#include "base/components.hpp"
#include "model/c/control_flow.hpp"

/// Inclusions between sets of places, one set for each register and each stored word (Andersen,
/// 1994), without contexts: a function is looked at once, whoever calls it. What it tells apart:
///
/// * objects by the place that makes them; if a function does no more than allocate and initialise,
///   by the place of its call;
/// * offsets by arithmetic progressions: `&a[i].next` is at offset 8 modulo the size of an element,
///   because the products that form addresses have constant factors. More than `kMost` offsets of
///   one object become one progression;
/// * the element that a thread was given, if each thread is given another one: from an array by an
///   index, from an allocation in the loop that creates threads.
///
/// Integers that are converted to pointers are followed like pointers. Words that are copied by
/// library functions (memcpy) are not.

namespace heddle::transform::races {

using namespace model::c;

namespace {

constexpr std::ptrdiff_t kMost = 24;

Offsets normal(std::uint64_t stride, std::int64_t offset) {
  if (stride == 0 || stride > (1U << 30)) return stride == 0 ? Offsets{0, offset} : kAnyOffset;
  const auto s = static_cast<std::int64_t>(stride);
  return {stride, ((offset % s) + s) % s};
}

/// All offsets of both, and more.
Offsets joined(const Offsets& a, const Offsets& b) {
  const auto apart = static_cast<std::uint64_t>(std::abs(a.offset - b.offset));
  return normal(std::gcd(std::gcd(a.stride, b.stride), apart), a.offset);
}

}  // namespace

bool Offsets::includes(const Offsets& other) const {
  if (stride == 0) return *this == other;
  return other.stride % stride == 0 && normal(stride, other.offset).offset == offset;
}

bool Offsets::overlaps(const Offsets& other, std::uint64_t bytes, std::uint64_t other_bytes) const {
  const std::uint64_t modulus = std::gcd(stride, other.stride);
  if (modulus == 0)
    return offset < other.offset + static_cast<std::int64_t>(other_bytes) &&
           other.offset < offset + static_cast<std::int64_t>(bytes);
  const auto apart = static_cast<std::uint64_t>(normal(modulus, other.offset - offset).offset);
  return apart < bytes || modulus - apart < other_bytes || apart == 0;
}

PointsTo::PointsTo(const Program& program, const std::function<bool()>& stops)
    : program_(program),
      registers_(program.functions.size()),
      multiples_(program.functions.size()),
      in_loop_(program.functions.size()),
      loop_(program.functions.size()),
      calls_(program.functions.size()) {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    registers_[f].resize(program.functions[f].register_widths.size());
  find_loops();
  find_multiples();
  const auto global_place = [](std::uint32_t g) {
    return ObjectPlace{ObjectPlace::Kind::Global, g, 0};
  };
  for (std::uint32_t g = 0; g < program.globals.size(); ++g)
    for (const Relocation& r : program.globals[g].relocations)
      content_[global_place(g)][{0, static_cast<std::int64_t>(r.offset)}].merge(values(r.target));
  is_changed_ = true;
  for (int pass = 0; pass < 60 && is_changed_ && !stops(); ++pass) {
    is_changed_ = false;
    for (function_ = 0; function_ < program_.functions.size(); ++function_)
      for (at_ = 0; at_ < program_.functions[function_].code.size(); ++at_)
        follow(program_.functions[function_].code[at_].effect);
  }
}

// ---- multiples and loops

std::uint64_t PointsTo::multiple_of(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Register) return multiples_[function_][operand.index];
  if (operand.kind != Operand::Kind::Constant) return 1;
  const auto word = static_cast<std::int64_t>(operand.value);
  return word < 0 ? ~operand.value + 1 : operand.value;
}

void PointsTo::find_multiples() {
  for (function_ = 0; function_ < program_.functions.size(); ++function_) {
    const Function& f = program_.functions[function_];
    auto& multiples = multiples_[function_];
    multiples.assign(f.register_widths.size(), 0);  // 0: no value yet, or 0 only
    for (std::size_t i = 0; i < f.parameters; ++i) multiples[i] = 1;
    bool changed = true;
    const auto take = [&](Register to, std::uint64_t multiple) {
      const std::uint64_t both = std::gcd(multiples[to.index()], multiple);
      changed = changed || both != multiples[to.index()];
      multiples[to.index()] = both;
    };
    const auto result = [&](const Compute& e) -> std::uint64_t {
      const std::uint64_t a = multiple_of(e.a), b = multiple_of(e.b);
      switch (e.op) {
        case Operator::Copy:
        case Operator::SignExtend:
        case Operator::ZeroExtend:
        case Operator::Truncate: return a;
        case Operator::Add:
        case Operator::Sub: return std::gcd(a, b);
        case Operator::Select: return std::gcd(b, multiple_of(e.c));
        case Operator::Mul: return a < (1U << 20) && b < (1U << 20) ? a * b : 1;
        case Operator::Shl:
          return e.b.kind == Operand::Kind::Constant && e.b.value < 20 && a < (1U << 20)
                     ? a << e.b.value
                     : 1;
        default: return 1;
      }
    };
    while (changed) {
      changed = false;
      for (const Instruction& i : f.code) {
        if (const auto* e = std::get_if<Compute>(&i.effect))
          take(e->to, result(*e));
        else if (const auto* copies = std::get_if<Assign>(&i.effect))
          for (const auto& [to, from] : copies->copies) take(to, multiple_of(from));
        else if (const auto* load = std::get_if<Load>(&i.effect))
          take(load->to, 1);
        else if (const auto* call = std::get_if<Call>(&i.effect))
          for (const Register to : call->to) take(to, 1);
        else if (const auto* choice = std::get_if<Choose>(&i.effect))
          take(choice->to, 1);
        else if (const auto* rmw = std::get_if<ReadModifyWrite>(&i.effect))
          take(rmw->to, 1);
        else if (const auto* exchange = std::get_if<CompareExchange>(&i.effect))
          take(exchange->old, 1);
      }
    }
  }
}

void PointsTo::find_loops() {
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    const Function& function = program_.functions[f];
    std::vector<std::vector<std::uint32_t>> next(function.code.size());
    for (std::uint32_t at = 0; at < function.code.size(); ++at)
      for (const Location to : successors(function, Location(at))) next[at].push_back(to.value);
    in_loop_[f].resize(function.code.size());
    loop_[f].resize(function.code.size());
    std::uint32_t number = 0;
    for (const auto& component : base::strongly_connected_components(next)) {
      for (const std::uint32_t at : component) {
        in_loop_[f][at] = component.size() > 1 || std::ranges::find(next[at], at) != next[at].end();
        loop_[f][at] = number;
      }
      ++number;
    }
  }
}

bool PointsTo::is_repeated(std::uint32_t function) const {
  std::set<std::uint32_t> seen;
  for (std::uint32_t f = function; seen.insert(f).second;) {
    std::vector<std::uint32_t> callers;
    for (std::uint32_t g = 0; g < calls_.size(); ++g)
      for (const auto& [at, callee] : calls_[g]) {
        if (callee != f) continue;
        if (is_in_loop(g, at)) return true;
        callers.push_back(g);
      }
    if (callers.size() != 1) return callers.size() > 1;
    f = callers.front();
  }
  return true;
}

std::vector<bool> PointsTo::reached_from(std::uint32_t function) const {
  std::vector<bool> seen(program_.functions.size());
  std::vector<std::uint32_t> pending = {function};
  seen[function] = true;
  while (!pending.empty()) {
    const std::uint32_t f = pending.back();
    pending.pop_back();
    for (const auto& [at, callee] : calls_[f])
      if (!seen[callee]) {
        seen[callee] = true;
        pending.push_back(callee);
      }
  }
  return seen;
}

// ---- inclusions

Spots PointsTo::values(std::uint32_t function, const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::Constant: return {};
    case Operand::Kind::Register: return registers_[function][operand.index];
    case Operand::Kind::Global:
      return {{{ObjectPlace::Kind::Global, operand.index, 0},
               {0, static_cast<std::int64_t>(operand.value)},
               false}};
    case Operand::Kind::Function: break;
  }
  return {{{ObjectPlace::Kind::Function, operand.index, 0}, {}, false}};
}

Spots PointsTo::stored(const ObjectPlace& object, const Offsets& where) const {
  Spots out;
  const auto cells = content_.find(object);
  if (cells == content_.end()) return out;
  for (const auto& [offsets, spots] : cells->second)
    if (offsets.overlaps(where, 1, 1)) out.insert(spots.begin(), spots.end());
  return out;
}

void PointsTo::add(Spots& to, const Spots& more) {
  for (const Spot& spot : more) {
    const auto is_same = [&](const Spot& other) {
      return other.object == spot.object && other.is_own == spot.is_own;
    };
    if (std::ranges::any_of(to, [&](const Spot& other) {
          return is_same(other) && other.offsets.includes(spot.offsets);
        }))
      continue;
    is_changed_ = true;
    if (std::ranges::count_if(to, is_same) < kMost) {
      to.insert(spot);
      continue;
    }
    Spot all = spot;
    for (const Spot& other : to)
      if (is_same(other)) all.offsets = joined(all.offsets, other.offsets);
    std::erase_if(to, is_same);
    to.insert(all);
  }
}

Spots PointsTo::moved(const Spots& spots, const Operand& by, bool is_forward) const {
  const bool is_constant = by.kind == Operand::Kind::Constant;
  const auto distance = static_cast<std::int64_t>(by.value);
  Spots out;
  for (Spot spot : spots) {
    if (spot.object.kind != ObjectPlace::Kind::Function)
      spot.offsets =
          is_constant ? normal(spot.offsets.stride,
                               spot.offsets.offset + (is_forward ? distance : -distance))
                      : normal(std::gcd(spot.offsets.stride, multiple_of(by)), spot.offsets.offset);
    out.insert(spot);
  }
  return out;
}

void PointsTo::follow(const Compute& e) {
  if (e.to_width == 1) return;
  Spots out;
  switch (e.op) {
    case Operator::Copy:
    case Operator::ZeroExtend:
    case Operator::SignExtend:
    case Operator::Truncate: out = values(e.a); break;
    case Operator::Add:
      out = moved(values(e.a), e.b, true);
      out.merge(moved(values(e.b), e.a, true));
      break;
    case Operator::Sub: out = moved(values(e.a), e.b, false); break;
    case Operator::Select:
      out = values(e.b);
      out.merge(values(e.c));
      break;
    case Operator::And:
    case Operator::Or:
    case Operator::Xor:  // marks in the low bits of a pointer
      for (Spot spot : values(e.a)) {
        spot.offsets = kAnyOffset;
        out.insert(spot);
      }
      break;
    default: return;
  }
  set(e.to, out);
}

Spots PointsTo::loaded(const Operand& address) const {
  Spots out;
  for (const Spot& spot : values(address)) out.merge(stored(spot.object, spot.offsets));
  return out;
}

/// Whoever finds the word there may be another thread.
void PointsTo::follow_store(const Operand& address, const Operand& value) {
  Spots stored;
  for (Spot spot : values(value)) {
    spot.is_own = false;
    stored.insert(spot);
  }
  if (stored.empty()) return;
  for (const Spot& spot : values(address)) add(content_[spot.object][spot.offsets], stored);
}

void PointsTo::pass(std::uint32_t callee, std::size_t parameter, const Spots& argument) {
  if (parameter < program_.functions[callee].parameters)
    add(registers_[callee][parameter], argument);
}

/// The function allocates, and nothing that it stores or calls can reach the object.
bool PointsTo::is_wrapper(std::uint32_t callee, const ObjectPlace& object) const {
  const auto reaches = [&](const Operand& operand) {
    return std::ranges::any_of(values(callee, operand),
                               [&](const Spot& spot) { return spot.object == object; });
  };
  return std::ranges::none_of(program_.functions[callee].code, [&](const Instruction& i) {
    if (const auto* store = std::get_if<Store>(&i.effect))
      return reaches(store->value) || reaches(store->address);
    const auto* call = std::get_if<Call>(&i.effect);
    return call != nullptr && std::ranges::any_of(call->arguments, reaches) &&
           !(call->callee.kind == Operand::Kind::Function &&
             program_.functions[call->callee.index].is_library);
  });
}

void PointsTo::follow(const Call& e) {
  for (const Spot& s : values(e.callee)) {
    if (s.object.kind != ObjectPlace::Kind::Function) continue;
    const std::uint32_t callee = s.object.index;
    is_changed_ = calls_[function_].emplace(at_, callee).second || is_changed_;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) pass(callee, i, values(e.arguments[i]));
    for (const Instruction& i : program_.functions[callee].code) {
      const auto* r = std::get_if<Return>(&i.effect);
      if (r == nullptr) continue;
      for (std::size_t v = 0; v < r->values.size() && v < e.to.size(); ++v) {
        Spots out;
        for (Spot spot : values(callee, r->values[v])) {
          const ObjectPlace& o = spot.object;
          if (o.kind == ObjectPlace::Kind::Allocation && o.index == callee && is_wrapper(callee, o))
            spot.object = {ObjectPlace::Kind::Allocation, function_, at_};
          out.insert(spot);
        }
        set(e.to[v], out);
      }
    }
  }
}

void PointsTo::follow(const Synchronise& e) {
  if (e.operation != SyncOperation::CreateThread) return;
  for (const Spot& s : values(e.arguments[1])) {
    if (s.object.kind != ObjectPlace::Kind::Function) continue;
    is_changed_ = creations_.insert({function_, at_, s.object.index}).second || is_changed_;
    const bool is_once = !is_in_loop(function_, at_) && !is_repeated(function_);
    Spots given, shared;
    for (Spot spot : values(e.arguments[2])) {
      const ObjectPlace& o = spot.object;
      const bool is_new = o.kind == ObjectPlace::Kind::Allocation && o.index == function_ &&
                          (is_in_loop(function_, o.at) || !is_in_loop(function_, at_));
      spot.is_own = false;
      shared.insert(spot);
      spot.is_own = is_once || is_new || spot.offsets.stride > 1;
      given.insert(spot);
    }
    pass(s.object.index, 0, given);
    add(handed_over_, shared);
  }
}

void PointsTo::follow(const Effect& effect) {
  if (const auto* compute = std::get_if<Compute>(&effect)) {
    follow(*compute);
  } else if (const auto* a = std::get_if<Assign>(&effect)) {
    for (const auto& [to, from] : a->copies) set(to, values(from));
  } else if (const auto* allocation = std::get_if<Allocate>(&effect)) {
    set(allocation->to, {{{ObjectPlace::Kind::Allocation, function_, at_}, {}, false}});
  } else if (const auto* load = std::get_if<Load>(&effect)) {
    set(load->to, loaded(load->address));
  } else if (const auto* store = std::get_if<Store>(&effect)) {
    follow_store(store->address, store->value);
  } else if (const auto* rmw = std::get_if<ReadModifyWrite>(&effect)) {
    set(rmw->to, loaded(rmw->address));
    follow_store(rmw->address, rmw->value);
  } else if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    set(exchange->old, loaded(exchange->address));
    follow_store(exchange->address, exchange->desired);
  } else if (const auto* call = std::get_if<Call>(&effect)) {
    follow(*call);
  } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    follow(*sync);
  }
}

}  // namespace heddle::transform::races
