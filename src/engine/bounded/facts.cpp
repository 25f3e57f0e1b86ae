#include "engine/bounded/facts.hpp"

#include <algorithm>
#include <optional>

namespace heddle::engine::bounded {

namespace {

/// After so many unrollings a byte varies as a whole if one of its bits does.
constexpr std::uint32_t kPatience = 3;

/// When `ancestor` created the thread, or the thread that led to it; none if it did not.
std::optional<std::uint32_t> created_by(std::uint32_t ancestor, std::uint32_t thread,
                                        const std::vector<Creation>& creations) {
  while (thread != 0) {
    if (creations[thread].creator == ancestor) return creations[thread].moment;
    thread = creations[thread].creator;
  }
  return std::nullopt;
}

/// Whether one thread at most writes to the bytes, and others that read them are created later.
bool is_private(const std::vector<const NotedAccess*>& accesses,
                const std::vector<Creation>& creations) {
  const NotedAccess* last_write = nullptr;
  for (const NotedAccess* access : accesses) {
    if (!access->is_write) continue;
    if (last_write != nullptr && last_write->thread != access->thread) return false;
    if (last_write == nullptr || last_write->moment < access->moment) last_write = access;
  }
  if (last_write == nullptr) return true;
  return std::ranges::all_of(accesses, [&](const NotedAccess* access) {
    if (access->thread == last_write->thread) return true;
    const auto moment = created_by(last_write->thread, access->thread, creations);
    return moment && *moment > last_write->moment;
  });
}

}  // namespace

bool Facts::is_shared(std::uint32_t object, std::uint32_t offset) const {
  const auto found = about_.find(object);
  return found != about_.end() && found->second.shared.contains(offset);
}

bool Facts::is_shared(std::uint32_t object, std::uint32_t first, std::uint32_t end) const {
  const auto found = about_.find(object);
  if (found == about_.end()) return false;
  const auto next = found->second.shared.lower_bound(first);
  return next != found->second.shared.end() && *next < end;
}

bool Facts::varies(std::uint32_t object, std::uint32_t offset, unsigned bit) const {
  const auto found = about_.find(object);
  if (found == about_.end()) return false;
  const auto byte = found->second.varying.find(offset);
  return byte != found->second.varying.end() && (byte->second >> bit & 1) != 0;
}

Pointees Facts::pointees(std::uint32_t object) const {
  const auto found = about_.find(object);
  return found == about_.end() ? nullptr : found->second.pointees;
}

bool Facts::is_protected(std::uint32_t object, std::uint32_t offset) const {
  const auto found = about_.find(object);
  return trusts_mutexes_ && found != about_.end() && !found->second.unprotected.contains(offset);
}

const std::set<std::uint32_t>& Facts::shared_bytes(std::uint32_t object) const {
  static const std::set<std::uint32_t> none;
  const auto found = about_.find(object);
  return found == about_.end() ? none : found->second.shared;
}

void Facts::share(std::uint32_t object, std::uint32_t first, std::uint32_t end) {
  std::set<std::uint32_t>& shared = about_[object].shared;
  for (std::uint32_t offset = first; offset < end; ++offset)
    if (shared.insert(offset).second) has_changed_ = true;
}

void Facts::vary(std::uint32_t object, std::uint32_t offset, unsigned bit) {
  std::uint8_t& varying = about_[object].varying[offset];
  if ((varying >> bit & 1) != 0) return;
  varying = static_cast<std::uint8_t>(unrollings_ > kPatience ? 255 : varying | 1u << bit);
  has_changed_ = true;
}

void Facts::point(std::uint32_t object, const Pointees& pointees) {
  Pointees& known = about_[object].pointees;
  const Pointees all = joined(known, pointees);
  if (all == known) return;
  known = all;
  has_changed_ = true;
}

void Facts::note(std::uint32_t object, const NotedAccess& access) {
  about_[object].noted.push_back(access);
}

void Facts::hold(std::uint32_t object, std::uint32_t offset, const std::set<std::uint64_t>& held) {
  const auto [place, is_new] = about_[object].held.try_emplace(offset, held);
  if (is_new) return;
  std::erase_if(place->second, [&](std::uint64_t mutex) { return !held.contains(mutex); });
}

void Facts::distrust_mutexes() {
  if (trusts_mutexes_) has_changed_ = true;
  trusts_mutexes_ = false;
}

void Facts::begin() {
  ++unrollings_;
  has_changed_ = false;
  for (auto& [object, about] : about_) {
    about.noted.clear();
    about.held.clear();
  }
}

void Facts::share_by_notes(std::uint32_t object, const std::vector<Creation>& creations) {
  const std::vector<NotedAccess>& noted = about_[object].noted;
  std::set<std::uint32_t> borders;
  bool has_writer = false;
  for (const NotedAccess& access : noted) {
    borders.insert({access.first, access.frees ? access.first + 1 : access.end});
    has_writer = has_writer || access.is_write;
  }
  if (!has_writer) return;
  for (auto next = borders.begin(); next != borders.end() && std::next(next) != borders.end();
       ++next) {
    const std::uint32_t first = *next;
    const std::uint32_t end = *std::next(next);
    std::vector<const NotedAccess*> here;
    for (const NotedAccess& access : noted)
      if (access.first <= first && end <= access.end) here.push_back(&access);
    if (is_private(here, creations)) continue;
    // An access is to shared bytes only, or to none.
    for (const NotedAccess* access : here)
      share(object, access->first, access->frees ? access->first + 1 : access->end);
  }
}

bool Facts::end(const std::vector<Creation>& creations) {
  std::vector<std::uint32_t> objects;
  for (const auto& [object, about] : about_) objects.push_back(object);
  for (const std::uint32_t object : objects) {
    share_by_notes(object, creations);
    AboutObject& about = about_[object];
    for (const auto& [offset, held] : about.held)
      if (held.empty() && about.unprotected.insert(offset).second) has_changed_ = true;
  }
  return has_changed_;
}

}  // namespace heddle::engine::bounded
