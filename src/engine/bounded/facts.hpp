#pragma once

/// What is assumed about memory while a program is unrolled. Assumptions begin as strong as can be
/// (no byte is shared, no bit of a shared byte ever changes, no shared byte holds a pointer) and
/// are weakened where the unrolled program contradicts them; then the program is unrolled again.
/// Since there are finitely many bytes, that ends. What is assumed at the end holds in every run of
/// the unrolled program, by induction over its steps: the first step that broke an assumption would
/// be one of the unrolled program, which has no such step.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "engine/bounded/path.hpp"

namespace heddle::engine::bounded {

/// Bytes of an object that one thread accessed.
struct NotedAccess {
  std::uint32_t thread = 0;
  std::uint32_t moment = 0;  ///< counted over the unrolled program of the thread
  std::uint32_t first = 0, end = 0;
  bool is_write = false;
  bool frees = false;  ///< the object ends, which shares its first byte at most
};

/// Who created a thread, and when.
struct Creation {
  std::uint32_t creator = 0;
  std::uint32_t moment = 0;
};

class Facts {
 public:
  bool is_shared(std::uint32_t object, std::uint32_t offset) const;
  bool is_shared(std::uint32_t object, std::uint32_t first, std::uint32_t end) const;
  /// Whether a bit of a shared byte may differ from its initial value.
  bool varies(std::uint32_t object, std::uint32_t offset, unsigned bit) const;
  Pointees pointees(std::uint32_t object) const;
  /// Whether there is a mutex that is held at every access to this byte.
  bool is_protected(std::uint32_t object, std::uint32_t offset) const;
  /// Offsets of shared bytes.
  const std::set<std::uint32_t>& shared_bytes(std::uint32_t object) const;

  // What the unrolled program does; returns at once, and `has_changed` tells at the end.
  void share(std::uint32_t object, std::uint32_t first, std::uint32_t end);
  void vary(std::uint32_t object, std::uint32_t offset, unsigned bit);
  void point(std::uint32_t object, const Pointees& pointees);
  void note(std::uint32_t object, const NotedAccess& access);
  /// An access is made while these mutexes are held.
  void hold(std::uint32_t object, std::uint32_t offset, const std::set<std::uint64_t>& held);
  /// A mutex is given up by a thread that may not hold it: then no mutex protects anything.
  void distrust_mutexes();

  /// Before the program is unrolled.
  void begin();
  /// After it was: shares what the noted accesses say is shared; whether anything has changed.
  bool end(const std::vector<Creation>& creations);

 private:
  struct AboutObject {
    std::set<std::uint32_t> shared;
    std::map<std::uint32_t, std::uint8_t> varying;
    Pointees pointees;
    std::set<std::uint32_t> unprotected;
    std::map<std::uint32_t, std::set<std::uint64_t>> held;  ///< at all accesses of this unrolling
    std::vector<NotedAccess> noted;
  };
  void share_by_notes(std::uint32_t object, const std::vector<Creation>& creations);

  std::map<std::uint32_t, AboutObject> about_;
  bool has_changed_ = false;
  bool trusts_mutexes_ = true;
  std::uint32_t unrollings_ = 0;
};

}  // namespace heddle::engine::bounded
