#pragma once

/// The sets of configurations that the search by contexts works with.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/pushdown/languages.hpp"
#include "engine/pushdown/post_star.hpp"
#include "engine/pushdown/thread_rules.hpp"
#include "model/task.hpp"

namespace heddle::engine::pushdown {

/// The threads of a task, the languages of their stacks, and what each thread reaches by itself.
/// Shared by all searches of one run.
class StackThreads {
 public:
  explicit StackThreads(const model::PushdownTask& task);

  std::size_t count() const { return rules_.size(); }
  const ThreadRules& rules(std::size_t thread) const { return rules_[thread]; }
  Languages& languages(std::size_t thread) { return languages_[thread]; }
  const Languages& languages(std::size_t thread) const { return languages_[thread]; }

  /// What `thread` reaches from there without the others; nothing if the context ended it.
  /// Remembers.
  const std::vector<SharedStacks>* reached(std::size_t thread, SharedStacks from,
                                           base::RunContext& context);

  /// Gives back the memory of what was remembered.
  void forget() { reached_ = decltype(reached_)(count()); }

 private:
  std::vector<ThreadRules> rules_;
  std::vector<Languages> languages_;
  std::vector<std::unordered_map<std::uint64_t, std::vector<SharedStacks>>> reached_;
};

struct ProductTag;
using ProductId = base::Id<ProductTag>;

/// Products ⟨q, L₁, …, Lₙ⟩ with where each came from. No product is kept that differs from an
/// earlier one in one language only, and is smaller. If memory runs out while one is added, those
/// before it can still be read.
class Products {
 public:
  static constexpr std::uint32_t kNoThread = UINT32_MAX;

  explicit Products(StackThreads& facts) : facts_(facts), buckets_(facts.count()) {}

  std::size_t size() const { return turn_.size(); }
  Shared shared(ProductId id) const { return shared_[id.index()]; }
  std::span<const Language> stacks(ProductId id) const {
    return std::span(stacks_).subspan(id.index() * facts_.count(), facts_.count());
  }
  std::optional<ProductId> parent(ProductId id) const;
  /// Whose context led from the parent to it; kNoThread for an initial product.
  std::uint32_t maker(ProductId id) const { return maker_[id.index()]; }
  std::uint32_t turn(ProductId id) const { return turn_[id.index()]; }

  ProductId add_initial(Shared shared, const std::vector<Language>& stacks);

  /// The parent with another shared state and another language for `maker`; nothing if a product
  /// that is there contains it and differs from it in that language at most.
  std::optional<ProductId> add(ProductId parent, std::uint32_t maker, SharedStacks changed,
                               std::uint32_t turn);

 private:
  /// Products that agree but for one thread's language have the same key for that thread.
  std::vector<std::uint32_t> key(Shared shared, std::span<const Language> stacks,
                                 std::size_t but) const;
  ProductId append(Shared shared, std::span<const Language> stacks, std::uint32_t parent,
                   std::uint32_t maker, std::uint32_t turn);

  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };

  StackThreads& facts_;
  std::vector<Shared> shared_;
  std::vector<Language> stacks_;
  std::vector<std::uint32_t> parent_, maker_, turn_;
  std::vector<std::unordered_map<std::vector<std::uint32_t>, std::vector<Language>, KeyHash>>
      buckets_;  ///< by thread
};

}  // namespace heddle::engine::pushdown
