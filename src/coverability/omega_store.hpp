#pragma once

/// The ω-configurations that a forward search has found, each with how it was found, and which of
/// them lie above a given one.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "coverability/omega_path.hpp"
#include "coverability/omega_steps.hpp"

namespace heddle::coverability {

using OmegaId = std::uint32_t;
constexpr OmegaId kNoOmegaId = UINT32_MAX;

/// Which counters are not 0, modulo 64: a vector below another has no others.
std::uint64_t signature_of(std::span<const OmegaWord> vector);

struct OmegaNode {
  std::uint64_t begin;  ///< of its words
  std::uint64_t signature;
  std::uint32_t size;
  Control control;
  OmegaId parent;            ///< kNoOmegaId for an initial one
  std::uint32_t transition;  ///< from the parent; the region of an initial one
  std::uint32_t choice;
  std::uint32_t depth;
};

/// Append only.
class OmegaStore {
 public:
  /// How it was found: `transition` and `choice` from the parent, see OmegaNode.
  struct Origin {
    OmegaId parent = kNoOmegaId;
    std::uint32_t transition = 0;
    std::uint32_t choice = 0;
  };

  OmegaStore();

  /// Precondition: it is not there.
  OmegaId add(Control control, const OmegaVector& vector, const Origin& origin);
  void set_pumped_from(OmegaId id, std::vector<std::uint32_t> depths);

  std::size_t size() const { return nodes_.size(); }
  const OmegaNode& node(OmegaId id) const { return nodes_[id]; }
  /// Valid until the next `add`.
  std::span<const OmegaWord> vector(OmegaId id) const {
    return {words_.data() + nodes_[id].begin, nodes_[id].size};
  }
  /// Was exactly this one added?
  bool contains(Control control, const OmegaVector& vector) const;

  /// The nearest ancestors, the last one itself included, while `visit` says to go on: of most
  /// nodes so many that few are missed, of some all, so that an endless path has two nodes of which
  /// the smaller one is visited for the larger one (Dickson).
  template <class Visit>
  void for_each_ancestor(OmegaId last, Visit visit) const {
    constexpr std::uint32_t kNear = 256, kRarely = 1024;
    const std::uint32_t depth = nodes_[last].depth + 1;
    const std::uint32_t least = depth % kRarely == 0 || depth < kNear ? 0 : depth - kNear;
    for (OmegaId id = last; id != kNoOmegaId && nodes_[id].depth >= least; id = nodes_[id].parent)
      if (!visit(id)) return;
  }

  /// The way from an initial one to this one; which target it reaches is left open.
  OmegaPath path_to(OmegaId id) const;

 private:
  struct Key {
    Control control;
    std::span<const OmegaWord> vector;
  };
  struct Hash {
    using is_transparent = void;
    const OmegaStore* store;
    std::size_t operator()(OmegaId id) const { return (*this)(store->key(id)); }
    std::size_t operator()(const Key& key) const;
  };
  struct Same {
    using is_transparent = void;
    const OmegaStore* store;
    bool operator()(OmegaId a, OmegaId b) const { return a == b; }
    bool operator()(const Key& key, OmegaId id) const;
    bool operator()(OmegaId id, const Key& key) const { return (*this)(key, id); }
  };

  OmegaStore(const OmegaStore&) = delete;
  OmegaStore& operator=(const OmegaStore&) = delete;
  Key key(OmegaId id) const { return {nodes_[id].control, vector(id)}; }

  std::vector<OmegaWord> words_;
  std::vector<OmegaNode> nodes_;
  std::unordered_set<OmegaId, Hash, Same> known_;
  std::unordered_map<OmegaId, std::vector<std::uint32_t>> pumped_from_;
};

/// Finds an element above a vector, by the rarest of the vector's counters.
class OmegaIndex {
 public:
  explicit OmegaIndex(const OmegaStore& store, std::size_t controls)
      : store_(store), all_(controls) {}

  void insert(OmegaId id);
  /// It is found no more.
  void remove(OmegaId id) { is_removed_[id] = true; }
  bool is_removed(OmegaId id) const { return is_removed_[id]; }

  /// How many elements were compared with vectors since the beginning.
  std::uint64_t compared() const { return compared_; }

  /// Some element ≥ vector other than `except`; kNoOmegaId if there is none.
  OmegaId find_above(Control control, std::span<const OmegaWord> vector, std::uint64_t signature,
                     OmegaId except = kNoOmegaId);

 private:
  static std::uint64_t posting_key(Control control, std::uint32_t counter) {
    return std::uint64_t{control} << 32 | counter;
  }
  OmegaId find_in(std::vector<OmegaId>& list, std::span<const OmegaWord> vector,
                  std::uint64_t signature, OmegaId except);

  const OmegaStore& store_;
  std::vector<std::vector<OmegaId>> all_;  ///< by control
  std::unordered_map<std::uint64_t, std::vector<OmegaId>> postings_;
  std::vector<bool> is_removed_;
  std::uint64_t compared_ = 0;
};

}  // namespace heddle::coverability
