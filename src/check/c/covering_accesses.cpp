#include <algorithm>

#include "check/c/covering_parts.hpp"

/// Which memory an instruction reads or writes, as model/c/execution*.cpp tells observers: loads,
/// stores and atomic operations; `free`, which writes all of its object; the handle that
/// `pthread_create` stores, and the result that `pthread_join` does. Mutexes are not data. And
/// where a thread may wait for others, or wakes them.

namespace heddle::check::c::covering {

using namespace model::c;
using words::bits_of;

void Rebuild::record(const Operand& operand, std::uint64_t bytes, bool writes, bool is_atomic) {
  const Value address = eval(operand, pointer_width());
  if (bits_of(address.word) == std::uint64_t{0}) return;
  MemoryAccess made;
  made.thread = thread_;
  made.point = point_;
  made.is_write = writes;
  made.in_section = place_->sections > 0;
  made.is_atomic = is_atomic || made.in_section;
  made.bytes = bytes;
  made.address = address.word.is_signed ? address.word.term : words::unsigned_value(address.word);
  for (const Target& target : access(address, static_cast<std::uint8_t>(bytes)).list)
    made.objects.push_back(target.object);
  std::ranges::sort(made.objects);
  made.objects.erase(std::ranges::unique(made.objects).begin(), made.objects.end());
  if (!made.objects.empty()) accesses_.push_back(std::move(made));
}

/// Freeing anything but an object of the heap ends the run.
void Rebuild::record_free(const Operand& operand) {
  const Value address = eval(operand, pointer_width());
  if (bits_of(address.word) == std::uint64_t{0}) return;
  MemoryAccess made;
  made.thread = thread_;
  made.point = point_;
  made.is_write = true;
  made.in_section = made.is_atomic = place_->sections > 0;
  // A plain number might happen to be the address of any object.
  const bool may_be_any = address.targets.is_arbitrary || is_plain(address.targets);
  for (std::uint32_t o = 0; o < map_.objects.size(); ++o)
    if (map_.objects[o].kind == model::threads::Covering::Object::Kind::Heap &&
        (may_be_any || std::ranges::binary_search(address.targets.objects, o)))
      made.objects.push_back(o);
  if (!made.objects.empty()) accesses_.push_back(std::move(made));
}

void Rebuild::record_accesses() {
  const model::c::Effect& effect = instruction_->effect;
  if (const auto* e = std::get_if<Load>(&effect)) record(e->address, e->bytes, false, e->is_atomic);
  if (const auto* e = std::get_if<Store>(&effect)) record(e->address, e->bytes, true, e->is_atomic);
  if (const auto* e = std::get_if<ReadModifyWrite>(&effect))
    record(e->address, e->bytes, true, true);
  if (const auto* e = std::get_if<CompareExchange>(&effect))
    record(e->address, e->bytes, true, true);
  if (const auto* e = std::get_if<Free>(&effect)) record_free(e->address);
  const auto* e = std::get_if<Synchronise>(&effect);
  if (e == nullptr) return;
  if (e->operation == SyncOperation::CreateThread)
    record(e->arguments[0], program_.pointer_bytes, true, false);
  if (e->operation == SyncOperation::JoinThread)
    record(e->arguments[1], program_.pointer_bytes, true, false);
}

WaitingPlace& Rebuild::record_waiting(WaitingPlace::Kind kind) {
  WaitingPlace made;
  made.thread = thread_;
  made.point = point_;
  made.kind = kind;
  made.in_section = place_->sections > 0;
  return waiting_.emplace_back(std::move(made));
}

void Rebuild::record_condition(const Synchronise& e, WaitingPlace::Kind kind) {
  const Value address = eval(e.arguments[0], pointer_width());
  WaitingPlace& made = record_waiting(kind);
  made.is_timed = e.operation == SyncOperation::ConditionTimedWait;
  made.condition = bits_of(address.word);
  if (!made.condition) return;
  made.has_condition = std::ranges::any_of(map_.objects, [&](const auto& object) {
    return object.kind == model::threads::Covering::Object::Kind::Global && object.size &&
           object.base <= *made.condition && *made.condition < object.base + *object.size;
  });
}

/// Joining a thread that somebody else has joined returns at once and orders nothing. So all who
/// join a thread that is waited for are one.
void Rebuild::check_joins() const {
  for (const auto& [joined, points] : joins_) {
    if (!map_.threads[joined].is_waited_for || points.empty()) continue;
    const std::uint32_t who = points.front().first;
    const bool is_one = !is_replicated(who) && std::ranges::all_of(points, [&](const auto& point) {
      return point.first == who;
    }) && std::ranges::all_of(joiners_of_any_, [&](std::uint32_t t) { return t == who; });
    if (!is_one) give_up("several threads join the same one");
  }
}

CoveredAccesses Rebuild::run_with_accesses() {
  records_accesses_ = true;
  CoveredAccesses out;
  out.program = run();
  out.accesses = std::move(accesses_);
  out.waiting = std::move(waiting_);
  return out;
}

CoveredAccesses Rebuild::run_for_races() {
  is_for_races_ = true;
  records_accesses_ = true;
  CoveredAccesses out;
  out.program = run();
  check_joins();
  out.accesses = std::move(accesses_);
  out.waiting = std::move(waiting_);
  return out;
}

}  // namespace heddle::check::c::covering

namespace heddle::check::c {

CoveredAccesses covered_accesses(const model::c::Program& program,
                                 const model::threads::Covering& map) {
  return covering::Rebuild(program, map).run_for_races();
}

CoveredAccesses covered_program_where_failures_end(const model::c::Program& program,
                                                   const model::threads::Covering& map) {
  using model::threads::PointInfo;
  CoveredAccesses out = covering::Rebuild(program, map).run_with_accesses();
  for (auto& thread : out.program.threads)
    for (PointInfo& point : thread.points)
      if (point.kind == PointInfo::Kind::Error) point.kind = PointInfo::Kind::End;
  return out;
}

}  // namespace heddle::check::c
