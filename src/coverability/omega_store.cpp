#include "coverability/omega_store.hpp"

#include <algorithm>

namespace heddle::coverability {

std::uint64_t signature_of(std::span<const OmegaWord> vector) {
  std::uint64_t result = 0;
  for (const OmegaWord word : vector) result |= std::uint64_t{1} << (counter_of(word) % 64);
  return result;
}

std::size_t OmegaStore::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.control + 0x9e3779b97f4a7c15U;
  for (const OmegaWord word : key.vector) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32;
  }
  return hash;
}

bool OmegaStore::Same::operator()(const Key& key, OmegaId id) const {
  return store->nodes_[id].control == key.control &&
         std::ranges::equal(store->vector(id), key.vector);
}

OmegaStore::OmegaStore() : known_(64, Hash{this}, Same{this}) {}

OmegaId OmegaStore::add(Control control, const OmegaVector& vector, const Origin& origin) {
  const auto id = static_cast<OmegaId>(nodes_.size());
  const std::uint32_t depth = origin.parent == kNoOmegaId ? 0 : nodes_[origin.parent].depth + 1;
  nodes_.push_back({words_.size(), signature_of(vector), static_cast<std::uint32_t>(vector.size()),
                    control, origin.parent, origin.transition, origin.choice, depth});
  words_.insert(words_.end(), vector.begin(), vector.end());
  known_.insert(id);
  return id;
}

void OmegaStore::set_pumped_from(OmegaId id, std::vector<std::uint32_t> depths) {
  if (!depths.empty()) pumped_from_.emplace(id, std::move(depths));
}

bool OmegaStore::contains(Control control, const OmegaVector& vector) const {
  return known_.contains(Key{control, vector});
}

OmegaPath OmegaStore::path_to(OmegaId id) const {
  OmegaPath path;
  for (; nodes_[id].parent != kNoOmegaId; id = nodes_[id].parent) {
    const auto pumped = pumped_from_.find(id);
    path.steps.push_back(
        {nodes_[id].transition, nodes_[id].choice,
         pumped == pumped_from_.end() ? std::vector<std::uint32_t>() : pumped->second});
  }
  std::ranges::reverse(path.steps);
  path.initial = nodes_[id].transition;
  return path;
}

void OmegaIndex::insert(OmegaId id) {
  if (is_removed_.size() <= id) is_removed_.resize(id + 1, false);
  const Control control = store_.node(id).control;
  all_[control].push_back(id);
  for (const OmegaWord word : store_.vector(id))
    postings_[posting_key(control, counter_of(word))].push_back(id);
}

OmegaId OmegaIndex::find_above(Control control, std::span<const OmegaWord> vector,
                               std::uint64_t signature, OmegaId except) {
  std::vector<OmegaId>* shortest = &all_[control];
  for (const OmegaWord word : vector) {
    const auto it = postings_.find(posting_key(control, counter_of(word)));
    if (it == postings_.end()) return kNoOmegaId;
    if (it->second.size() < shortest->size()) shortest = &it->second;
  }
  return find_in(*shortest, vector, signature, except);
}

/// The youngest first: they tend to be large. Forgets those that were removed.
OmegaId OmegaIndex::find_in(std::vector<OmegaId>& list, std::span<const OmegaWord> vector,
                            std::uint64_t signature, OmegaId except) {
  std::size_t removed = 0;
  OmegaId found = kNoOmegaId;
  for (std::size_t i = list.size(); i-- > 0;) {
    const OmegaId id = list[i];
    ++compared_;
    if ((signature & ~store_.node(id).signature) != 0 || id == except) continue;
    if (is_removed_[id]) {
      ++removed;
      continue;
    }
    if (!is_below(vector, store_.vector(id))) continue;
    found = id;
    break;
  }
  if (removed > 8 && removed > list.size() / 4)
    std::erase_if(list, [&](OmegaId id) { return is_removed_[id]; });
  return found;
}

}  // namespace heddle::coverability
