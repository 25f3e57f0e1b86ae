#include "engine/onthefly/antichain.hpp"

#include <algorithm>
#include <ranges>

namespace heddle::engine::onthefly {

namespace {

/// Maps demands first.. one to one to offers that `fits` accepts.
template <class Offers, class Fits>
bool embed(const std::vector<ThreadCube>& demands, std::size_t first, const Offers& offers,
           std::vector<bool>& used, Fits fits) {
  if (first == demands.size()) return true;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (used[i] || !fits(demands[first], offers[i])) continue;
    used[i] = true;
    if (embed(demands, first + 1, offers, used, fits)) return true;
    used[i] = false;
  }
  return false;
}

}  // namespace

bool includes(const Element& a, const Element& b) {
  if (a.threads.size() > b.threads.size() || !a.shared.contains(b.shared)) return false;
  std::vector<bool> used(b.threads.size());
  return embed(a.threads, 0, b.threads, used, [](const ThreadCube& wide, const ThreadCube& narrow) {
    return wide.node == narrow.node && wide.values.contains(narrow.values);
  });
}

bool covers(const model::boolean::State& state, const Element& element) {
  if (!element.shared.contains(state.shared)) return false;
  std::vector<bool> used(state.threads.size());
  return embed(element.threads, 0, state.threads, used,
               [](const ThreadCube& wanted, const model::boolean::LocalState& thread) {
                 return wanted.node == thread.node && wanted.values.contains(thread.values);
               });
}

bool Antichain::includes(const Element& element) const {
  const ThreadCube* last = nullptr;
  for (const ThreadCube& thread : element.threads) {
    if (last && last->node == thread.node) continue;
    last = &thread;
    for (const std::uint32_t number : anchored_[thread.node.index()])
      if (alive_[number] && onthefly::includes(elements_[number], element)) return true;
  }
  return false;
}

std::uint32_t Antichain::add(Element element) {
  const auto by_presence = [&](const ThreadCube& a, const ThreadCube& b) {
    return present_[a.node.index()].size() < present_[b.node.index()].size();
  };
  const ThreadCube& rarest = *std::ranges::min_element(element.threads, by_presence);
  for (const std::uint32_t number : present_[rarest.node.index()])
    if (alive_[number] && onthefly::includes(element, elements_[number])) alive_[number] = false;

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
