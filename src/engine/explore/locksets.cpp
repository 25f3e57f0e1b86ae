#include "engine/explore/locksets.hpp"

#include <algorithm>

namespace heddle::engine::explore {

using namespace model::c;

namespace {

bool holds(const State& state, ThreadId thread, std::uint64_t mutex) {
  return mutex_owner(state.memory, mutex) == thread.value + 1;
}

/// Others that run, or that have ended and are not joined: they may have ended early here.
bool has_others(const State& state, ThreadId thread) {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    if (i != thread.index() && state.threads[i]->status != Thread::Status::Unused) return true;
  }
  return false;
}

}  // namespace

void Locksets::add_mutex(std::uint64_t mutex) {
  if (std::ranges::find(mutexes_, mutex) == mutexes_.end()) mutexes_.push_back(mutex);
}

bool Locksets::note(const State& state, ThreadId thread, std::uint64_t object) {
  if (mutexes_.empty() || !has_others(state, thread)) return false;
  const auto [known, is_new] = protecting_.try_emplace(object);
  const auto is_not_held = [&](std::uint64_t mutex) { return !holds(state, thread, mutex); };
  if (is_new) {
    std::ranges::remove_copy_if(mutexes_, std::back_inserter(known->second), is_not_held);
    return false;
  }
  return std::erase_if(known->second, is_not_held) > 0;
}

bool Locksets::holds_any(const State& state, ThreadId thread) const {
  return std::ranges::any_of(mutexes_,
                             [&](std::uint64_t mutex) { return holds(state, thread, mutex); });
}

bool Locksets::protect(const State& state, ThreadId thread, std::uint64_t object) const {
  const auto known = protecting_.find(object);
  return known != protecting_.end() && std::ranges::any_of(known->second, [&](std::uint64_t mutex) {
           return holds(state, thread, mutex);
         });
}

}  // namespace heddle::engine::explore
