#include "engine/compositional/waits.hpp"

#include <algorithm>

namespace heddle::engine::compositional {

using namespace model::threads;
namespace mc = model::c;

namespace {

class WaitsOf {
 public:
  WaitsOf(const mc::Program& source, const Covering& covering, const ThreadProgram& program,
          Waits& out)
      : source_(source), covering_(covering), program_(program), out_(out) {}

  std::optional<std::string> run() {
    out_.at.resize(program_.threads.size());
    out_.ends.resize(program_.threads.size());
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      const auto& places = covering_.threads[t].places;
      std::set<std::uint32_t> inside;
      for (std::uint32_t p = 0; p < places.size(); ++p) {
        if (auto why = look_at(t, p, inside)) return why;
        const bool is_end = program_.threads[t].points[p].kind == PointInfo::Kind::End;
        if (is_end && !ends_process(t, places[p])) out_.ends[t].insert(p);
      }
      look_before_sections(t, inside);
    }
    return std::nullopt;
  }

 private:
  const mc::Instruction& instruction(const Covering::Place& place) const {
    const auto function = covering_.contexts[place.context].function;
    return source_.functions[function.index()].code[place.at.index()];
  }

  bool ends_process(std::uint32_t t, const Covering::Place& end) const {
    const mc::Effect& effect = instruction(covering_.threads[t].places[end.origin]).effect;
    return std::holds_alternative<mc::Exit>(effect) || std::holds_alternative<mc::Fail>(effect);
  }

  static std::optional<Wait::Kind> kind_of(mc::SyncOperation operation, bool is_asleep) {
    using enum mc::SyncOperation;
    switch (operation) {
      case MutexLock: return Wait::Kind::Lock;
      case JoinThread: return Wait::Kind::Join;
      case ConditionWait:
      case ConditionTimedWait: return is_asleep ? Wait::Kind::Asleep : Wait::Kind::FallAsleep;
      case ConditionSignal: return Wait::Kind::Signal;
      case ConditionBroadcast: return Wait::Kind::Broadcast;
      case BlockUntil: return Wait::Kind::Until;
      default: return std::nullopt;
    }
  }

  /// `inside`: points of conditions in sections.
  std::optional<std::string> look_at(std::uint32_t t, std::uint32_t p,
                                     std::set<std::uint32_t>& inside) {
    const Covering::Place& place = covering_.threads[t].places[p];
    if (place.kind != PointInfo::Kind::Ordinary) return std::nullopt;
    const auto* sync = std::get_if<mc::Synchronise>(&instruction(place).effect);
    if (sync == nullptr) return std::nullopt;
    const auto kind = kind_of(sync->operation, place.is_asleep);
    if (!kind) return std::nullopt;
    Wait wait{*kind, sync->operation == mc::SyncOperation::ConditionTimedWait, {}};
    const bool is_until = *kind == Wait::Kind::Until;
    if (place.sections > 0) {
      if (is_until) inside.insert(p);
      if (is_until || *kind == Wait::Kind::FallAsleep) return std::nullopt;
      const std::uint32_t line = instruction(place).position.line;
      return "a wait or a signal in an atomic section" +
             (line == 0 ? std::string() : " (line " + std::to_string(line) + ")");
    }
    const bool has_condition = *kind != Wait::Kind::Lock && *kind != Wait::Kind::Join && !is_until;
    if (has_condition) wait.condition = address(place, sync->arguments[0]);
    out_.at[t].emplace(p, wait);
    return std::nullopt;
  }

  std::optional<std::uint64_t> address(const Covering::Place& place,
                                       const mc::Operand& operand) const {
    using Kind = mc::Operand::Kind;
    if (operand.kind == Kind::Constant) return operand.value;
    if (operand.kind == Kind::Global) {
      for (const Covering::Object& object : covering_.objects)
        if (object.kind == Covering::Object::Kind::Global && object.global == operand.index)
          return object.base + operand.value;
      return std::nullopt;
    }
    for (const Covering::Constant& c : place.constants)
      if (operand.kind == Kind::Register && !c.is_cell && c.context == place.context &&
          c.index == operand.index)
        return c.value;
    return std::nullopt;
  }

  /// The points from which a section with a condition is entered.
  void look_before_sections(std::uint32_t t, const std::set<std::uint32_t>& inside) {
    const Thread& thread = program_.threads[t];
    std::set<std::uint32_t> leads = inside;
    for (bool changes = !leads.empty(); changes;) {
      changes = false;
      for (const Transition& step : thread.transitions) {
        if (!leads.contains(step.to.value)) continue;
        if (thread.points[step.from.index()].in_section)
          changes |= leads.insert(step.from.value).second;
        else
          out_.at[t].emplace(step.from.value, Wait{Wait::Kind::Until, false, {}});
      }
    }
  }

  const mc::Program& source_;
  const Covering& covering_;
  const ThreadProgram& program_;
  Waits& out_;
};

}  // namespace

bool Waits::stops(const Wait& wait) {
  using enum Wait::Kind;
  return wait.kind != FallAsleep && wait.kind != Signal && wait.kind != Broadcast;
}

bool Waits::has_sleepers() const {
  return std::ranges::any_of(at, [](const auto& of_thread) {
    return std::ranges::any_of(of_thread, [](const auto& entry) {
      return entry.second.kind == Wait::Kind::Asleep || entry.second.kind == Wait::Kind::FallAsleep;
    });
  });
}

std::optional<std::string> find_waits(const mc::Program& source, const Covering& covering,
                                      const ThreadProgram& program, Waits& out) {
  return WaitsOf(source, covering, program, out).run();
}

std::vector<std::vector<bool>> boundaries_for(const Waits& waits, const ThreadProgram& program) {
  using enum Wait::Kind;
  std::vector<std::vector<bool>> out;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    auto& points = out.emplace_back(program.threads[t].points.size());
    for (const auto& [p, wait] : waits.at[t]) {
      points[p] = true;
      if (wait.kind == Lock || wait.kind == Join || wait.kind == Until) continue;
      for (const Transition& step : program.threads[t].transitions)
        if (step.from.value == p) points[step.to.index()] = true;
    }
  }
  return out;
}

}  // namespace heddle::engine::compositional
