#include "engine/pushdown/products.hpp"

#include <algorithm>

namespace heddle::engine::pushdown {

StackThreads::StackThreads(const model::PushdownTask& task) {
  const model::PushdownSystem& system = task.model;
  for (std::uint32_t thread = 0; thread < system.threads.size(); ++thread)
    rules_.emplace_back(system, thread, task.question.initial);
  languages_.resize(rules_.size());
  reached_.resize(rules_.size());
}

const std::vector<SharedStacks>* StackThreads::reached(std::size_t thread, SharedStacks from,
                                                       base::RunContext& context) {
  const std::uint64_t key = (std::uint64_t{from.shared} << 32) | from.stacks.value;
  const auto it = reached_[thread].find(key);
  if (it != reached_[thread].end()) return &it->second;
  const PostStar saturated(rules_[thread], languages_[thread], from, context);
  if (saturated.stopped()) return nullptr;
  auto reached = saturated.reached(languages_[thread], context);
  if (!reached) return nullptr;
  return &reached_[thread].emplace(key, std::move(*reached)).first->second;
}

std::size_t Products::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t part : key) hash = (hash ^ part) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 31);
}

std::vector<std::uint32_t> Products::key(Shared shared, std::span<const Language> stacks,
                                         std::size_t but) const {
  std::vector<std::uint32_t> out{shared};
  for (std::size_t i = 0; i < stacks.size(); ++i)
    if (i != but) out.push_back(stacks[i].value);
  return out;
}

std::optional<ProductId> Products::parent(ProductId id) const {
  if (maker(id) == kNoThread) return std::nullopt;
  return ProductId(parent_[id.index()]);
}

ProductId Products::append(Shared shared, std::span<const Language> stacks, std::uint32_t parent,
                           std::uint32_t maker, std::uint32_t turn) {
  for (std::size_t i = 0; i < stacks.size(); ++i)
    buckets_[i][key(shared, stacks, i)].push_back(stacks[i]);
  shared_.push_back(shared);
  stacks_.insert(stacks_.end(), stacks.begin(), stacks.end());
  parent_.push_back(parent);
  maker_.push_back(maker);
  turn_.push_back(turn);
  return ProductId(size() - 1);
}

ProductId Products::add_initial(Shared shared, const std::vector<Language>& stacks) {
  return append(shared, stacks, 0, kNoThread, 0);
}

std::optional<ProductId> Products::add(ProductId parent, std::uint32_t maker, SharedStacks changed,
                                       std::uint32_t turn) {
  const std::span<const Language> before = stacks(parent);
  std::vector<Language> after(before.begin(), before.end());
  after[maker] = changed.stacks;
  const auto bucket = buckets_[maker].find(key(changed.shared, after, maker));
  if (bucket != buckets_[maker].end() && std::ranges::any_of(bucket->second, [&](Language known) {
        return facts_.languages(maker).includes(known, changed.stacks);
      }))
    return std::nullopt;
  return append(changed.shared, after, parent.value, maker, turn);
}

}  // namespace heddle::engine::pushdown
