#include "model/c/races.hpp"

#include <algorithm>

namespace heddle::model::c {

namespace {

void join(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

RaceDetector::Clock& RaceDetector::clock(ThreadId thread) {
  while (clocks_.size() <= thread.index()) {
    clocks_.emplace_back(clocks_.size() + 1, 0);
    clocks_.back().back() = 1;
    locks_.emplace_back();
  }
  return clocks_[thread.index()];
}

/// What the thread does from now on has not been seen by who has its clock until now.
void RaceDetector::release(ThreadId thread) { ++clock(thread)[thread.index()]; }

void RaceDetector::accessed(ThreadId thread, const Access& access, Position position) {
  for (std::uint64_t i = 0; i < access.bytes; ++i) {
    access_byte(thread, access.address + i, access, position);
  }
  if (access.is_atomic && access.is_write) release(thread);
}

void RaceDetector::access_byte(ThreadId thread, std::uint64_t address, const Access& access,
                               const Position& position) {
  Clock& now = clock(thread);
  Byte& byte = bytes_[address];
  if (access.is_atomic && access.is_read) join(now, byte.released);
  const RacingAccess current{thread, access.is_write, access.is_atomic, position,
                             locks_[thread.index()]};
  for (const Seen& seen : byte.accesses) {
    const std::size_t other = seen.access.thread.index();
    const bool conflicts = other != thread.index() && (seen.access.is_write || access.is_write) &&
                           !(seen.access.is_atomic && access.is_atomic);
    const bool is_ordered = other < now.size() && seen.time <= now[other];
    if (conflicts && !is_ordered)
      note(Race{address, access.address + access.bytes - address, seen.access, current});
  }
  if (access.is_atomic && access.is_write) {
    if (access.is_read) {
      join(byte.released, now);
    } else {
      byte.released = now;
    }
  }
  const auto is_replaced = [&](const Seen& seen) {
    return seen.access.thread == thread && seen.access.is_write == access.is_write &&
           seen.access.is_atomic == access.is_atomic;
  };
  std::erase_if(byte.accesses, is_replaced);
  byte.accesses.push_back(Seen{current, now[thread.index()]});
}

void RaceDetector::note(const Race& race) {
  if (!race_) race_ = race;
  for (const RacingAccess& access : {race.first, race.second})
    if (!races_at(access.thread, access.position))
      racing_.emplace_back(access.thread, access.position);
}

bool RaceDetector::races_at(ThreadId thread, const Position& position) const {
  return std::ranges::find(racing_, std::pair{thread, position}) != racing_.end();
}

void RaceDetector::allocated(ThreadId, std::uint64_t address, std::uint64_t bytes) {
  const auto is_inside = [&](const auto& entry) {
    return address <= entry.first && entry.first - address < bytes;
  };
  std::erase_if(bytes_, is_inside);
}

void RaceDetector::locked(ThreadId thread, std::uint64_t mutex) {
  join(clock(thread), mutexes_[mutex]);
  locks_[thread.index()].push_back(mutex);
}

void RaceDetector::unlocked(ThreadId thread, std::uint64_t mutex) {
  mutexes_[mutex] = clock(thread);
  release(thread);
  std::erase(locks_[thread.index()], mutex);
}

void RaceDetector::created(ThreadId creator, ThreadId created) {
  clock(std::max(creator, created));
  const std::uint32_t time = clock(created)[created.index()];  // a slot may have been in use
  join(clocks_[created.index()], clocks_[creator.index()]);
  clocks_[created.index()][created.index()] = time + 1;
  locks_[created.index()].clear();
  release(creator);
}

void RaceDetector::joined(ThreadId waiting, ThreadId ended) {
  clock(std::max(waiting, ended));
  join(clocks_[waiting.index()], clocks_[ended.index()]);
}

}  // namespace heddle::model::c
