#include "engine/onthefly/antichain.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

namespace heddle::engine::onthefly {

using model::boolean::Cube;
using model::boolean::Valuation;

namespace {

/// Which of the offers are taken.
class Taken {
 public:
  explicit Taken(std::size_t offers) {
    if (offers > 64) many_.resize(offers);
  }
  bool operator[](std::size_t i) const {
    return many_.empty() ? ((few_ >> i) & 1) != 0 : static_cast<bool>(many_[i]);
  }
  void flip(std::size_t i) {
    if (many_.empty())
      few_ ^= std::uint64_t{1} << i;
    else
      many_[i].flip();
  }

 private:
  std::uint64_t few_ = 0;
  std::vector<bool> many_;  ///< if they are more than 64
};

/// Maps demands first.. one to one to offers that `fits` accepts.
template <class Offers, class Fits>
bool embed(const std::vector<ThreadCube>& demands, std::size_t first, const Offers& offers,
           Taken& taken, Fits fits) {
  if (first == demands.size()) return true;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (taken[i] || !fits(demands[first], offers[i])) continue;
    taken.flip(i);
    if (embed(demands, first + 1, offers, taken, fits)) return true;
    taken.flip(i);
  }
  return false;
}

/// 32 bits of literals that say true, 32 of those that say false.
std::uint64_t folded(const Cube& cube) {
  const auto fold = [](const Valuation& values) {
    const std::uint64_t both = values.low_word() | values.high_word();
    return (both | both >> 32) & 0xFFFFFFFF;
  };
  return fold(cube.value) | fold(cube.mask & ~cube.value) << 32;
}

}  // namespace

Signature::Signature(const Element& element) : shared(folded(element.shared)) {
  for (const ThreadCube& thread : element.threads) {
    const std::uint32_t node = thread.node.value;
    const std::uint64_t once = std::uint64_t{1} << (node % 32);
    nodes |= (nodes & once) != 0 ? once << 32 : once;
    local |= std::rotl(folded(thread.values), static_cast<int>(node * 11 % 64));
  }
}

bool includes(const Element& a, const Element& b) {
  if (a.threads.size() > b.threads.size() || !a.shared.contains(b.shared)) return false;
  Taken taken(b.threads.size());
  return embed(a.threads, 0, b.threads, taken,
               [](const ThreadCube& wide, const ThreadCube& narrow) {
                 return wide.node == narrow.node && wide.values.contains(narrow.values);
               });
}

bool covers(const model::boolean::State& state, const Element& element) {
  if (!element.shared.contains(state.shared)) return false;
  Taken taken(state.threads.size());
  return embed(element.threads, 0, state.threads, taken,
               [](const ThreadCube& wanted, const model::boolean::ThreadConfiguration& thread) {
                 return wanted.node == thread.node && wanted.values.contains(thread.values);
               });
}

bool Antichain::includes(const Element& element) const {
  const Signature signature(element);
  const ThreadCube* last = nullptr;
  for (const ThreadCube& thread : element.threads) {
    if (last && last->node == thread.node) continue;
    last = &thread;
    for (const std::uint32_t number : anchored_[thread.node.index()])
      if (signatures_[number].is_within(signature) && alive_[number] &&
          onthefly::includes(elements_[number], element))
        return true;
  }
  return false;
}

std::uint32_t Antichain::add(Element element) {
  const auto by_presence = [&](const ThreadCube& a, const ThreadCube& b) {
    return present_[a.node.index()].size() < present_[b.node.index()].size();
  };
  const ThreadCube& rarest = *std::ranges::min_element(element.threads, by_presence);
  const Signature signature(element);
  for (const std::uint32_t number : present_[rarest.node.index()])
    if (signature.is_within(signatures_[number]) && alive_[number] &&
        onthefly::includes(element, elements_[number]))
      alive_[number] = false;

  const auto number = static_cast<std::uint32_t>(elements_.size());
  const auto by_anchors = [&](const ThreadCube& a, const ThreadCube& b) {
    return anchored_[a.node.index()].size() < anchored_[b.node.index()].size();
  };
  const ThreadCube& anchor = *std::ranges::min_element(element.threads, by_anchors);
  anchored_[anchor.node.index()].push_back(number);
  for (const ThreadCube& thread : element.threads) {
    auto& list = present_[thread.node.index()];
    if (list.empty() || list.back() != number) list.push_back(number);
  }
  elements_.push_back(std::move(element));
  signatures_.push_back(signature);
  alive_.push_back(true);
  return number;
}

std::vector<Element> Antichain::alive() const {
  std::vector<Element> out;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (alive_[i]) out.push_back(elements_[i]);
  return out;
}

}  // namespace heddle::engine::onthefly
