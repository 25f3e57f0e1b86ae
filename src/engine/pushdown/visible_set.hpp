#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "engine/pushdown/products.hpp"

namespace heddle::engine::pushdown {

/// What is seen of a configuration: the shared state and the top of each stack.
struct Visible {
  Shared shared = 0;
  std::vector<Symbol> tops;
};

/// A set of visible states, each as one number.
class VisibleSet {
 public:
  using Code = std::uint64_t;

  explicit VisibleSet(const StackThreads& facts) : facts_(&facts) {}

  /// Are the numbers large enough for all visible states of these threads?
  static bool fits(const StackThreads& facts);

  Code encode(const Visible& state) const;
  Visible decode(Code code) const;

  std::size_t size() const { return codes_.size(); }
  bool empty() const { return codes_.empty(); }
  /// False if it was there.
  bool insert(Code code) { return codes_.insert(code).second; }

  /// What is seen of the configurations in a product: puts it in, or takes it out. The latter goes
  /// through what is seen or through the set, whatever is less.
  void insert(Shared shared, std::span<const Language> stacks);
  void erase(Shared shared, std::span<const Language> stacks);

 private:
  std::vector<std::vector<Symbol>> tops_of(std::span<const Language> stacks) const;
  template <class Do>
  void for_each(Shared shared, const std::vector<std::vector<Symbol>>& tops, Do&& visit) const;

  const StackThreads* facts_;
  std::unordered_set<Code> codes_;
};

}  // namespace heddle::engine::pushdown
