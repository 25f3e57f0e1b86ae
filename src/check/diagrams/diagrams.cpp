#include "check/diagrams/diagrams.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <optional>

namespace heddle::check {

namespace {

constexpr std::uint32_t kNoVariable = ~std::uint32_t{0};
constexpr std::uint32_t kEnd = 0;  ///< of a bucket: no inner node has number 0
constexpr std::size_t kFewestBuckets = std::size_t{1} << 12;
constexpr std::size_t kMostEntries = std::size_t{1} << 18;

std::size_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = a * 0x9E3779B97F4A7C15U ^ (b + 0x7F4A7C15U) * 0xC2B2AE3D27D4EB4FU ^
                    (c + 0x165667B1U) * 0x165667B19E3779F9U;
  return static_cast<std::size_t>(h ^ (h >> 29U));
}

std::vector<std::uint32_t> identity(std::size_t variables) {
  std::vector<std::uint32_t> out(variables);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace

Diagrams::Memo::Entry& Diagrams::Memo::of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return entries_[mix(a, b, c) & (entries_.size() - 1)];
}

Diagrams::Diagrams(const std::vector<answer::DiagramNode>& nodes)
    : nodes_{{kNoVariable, 0, 0, kEnd}, {kNoVariable, 1, 1, kEnd}} {
  nodes_.reserve(2 * nodes.size());
  buckets_.resize(std::max(kFewestBuckets, std::bit_ceil(nodes.size())) / 2);
  grow();
  for (const answer::DiagramNode& node : nodes) append(node.variable, node.low, node.high);
  keep_all();
}

Diagrams::Set Diagrams::append(std::uint32_t variable, Set low, Set high) {
  if (nodes_.size() > std::numeric_limits<Set>::max()) throw std::bad_alloc();  // out of numbers
  if (nodes_.size() >= buckets_.size()) grow();
  std::uint32_t& bucket = buckets_[mix(variable, low, high) & (buckets_.size() - 1)];
  nodes_.push_back({variable, low, high, bucket});
  return bucket = static_cast<Set>(nodes_.size() - 1);
}

Diagrams::Set Diagrams::make(std::uint32_t variable, Set low, Set high) {
  if (low == high) return low;
  Set at = buckets_[mix(variable, low, high) & (buckets_.size() - 1)];
  for (; at != kEnd; at = nodes_[at].next)
    if (nodes_[at].variable == variable && nodes_[at].low == low && nodes_[at].high == high)
      return at;
  return append(variable, low, high);
}

/// What is known is lost; that happens once while the number of nodes doubles.
void Diagrams::grow() {
  buckets_.assign(2 * buckets_.size(), kEnd);
  for (Memo* memo : {&chosen_, &entailed_, &of_this_call_})
    memo->resize(std::min(buckets_.size(), kMostEntries));
  for (std::size_t i = 2; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    std::uint32_t& bucket =
        buckets_[mix(node.variable, node.low, node.high) & (buckets_.size() - 1)];
    node.next = bucket;
    bucket = static_cast<Set>(i);
  }
}

void Diagrams::forget_results() {
  // Newest first: each is then the head of its bucket.
  for (; nodes_.size() > kept_; nodes_.pop_back()) {
    const Node& node = nodes_.back();
    buckets_[mix(node.variable, node.low, node.high) & (buckets_.size() - 1)] = node.next;
  }
  chosen_.clear();
}

/// What earlier calls have found is told by their numbers, which must not come again.
void Diagrams::begin_call() {
  if (++call_ != 0) return;
  entailed_.clear();
  of_this_call_.clear();
  call_ = 1;
}

Diagrams::Set Diagrams::below(Set set, std::uint32_t variable, bool value) const {
  const Node& node = nodes_[set];
  if (node.variable != variable) return set;
  return value ? node.high : node.low;
}

Diagrams::Set Diagrams::equivalence(Set a, Set b) { return choose(a, b, complement(b)); }

Diagrams::Set Diagrams::choose(Set condition, Set then, Set otherwise) {
  if (condition == 1 || then == otherwise) return then;
  if (condition == 0) return otherwise;
  if (then == 1 && otherwise == 0) return condition;
  if (const Memo::Entry& known = chosen_.of(condition, then, otherwise);
      known.a == condition && known.b == then && known.c == otherwise)
    return known.value;
  const std::uint32_t variable = std::min({top(condition), top(then), top(otherwise)});
  const Set low = choose(below(condition, variable, false), below(then, variable, false),
                         below(otherwise, variable, false));
  const Set high = choose(below(condition, variable, true), below(then, variable, true),
                          below(otherwise, variable, true));
  const Set out = make(variable, low, high);
  chosen_.of(condition, then, otherwise) = {condition, then, otherwise, out};
  return out;
}

Diagrams::Set Diagrams::product(Set a, Set b, const std::vector<bool>& forgotten) {
  return product(a, identity(forgotten.size()), b, forgotten);
}

Diagrams::Set Diagrams::product(Set a, std::span<const std::uint32_t> image, Set b,
                                const std::vector<bool>& forgotten) {
  if (!keeps_order(a, image)) return product(substitute(a, image), b, forgotten);
  std::uint32_t last = 0;
  for (std::uint32_t v = 0; v < image.size(); ++v) {
    if (forgotten[v]) last = std::max(last, v);
    if (image[v] != v) last = std::max({last, v, image[v]});
  }
  begin_call();
  return multiplied(a, b, {image, forgotten, last});
}

Diagrams::Set Diagrams::multiplied(Set a, Set b, const Factors& factors) {
  if (a == 0 || b == 0) return 0;
  const std::uint32_t top_a = a == 1 ? kNoVariable : factors.image[top(a)];
  const std::uint32_t variable = std::min(top_a, top(b));
  if (variable > factors.last && (a == 1 || b == 1)) return a == 1 ? b : a;
  if (const Memo::Entry& known = of_this_call_.of(a, b, call_);
      known.a == a && known.b == b && known.c == call_)
    return known.value;
  const auto factor = [&](bool value) {
    const Set below_a = top_a == variable ? below(a, top(a), value) : a;
    return multiplied(below_a, below(b, variable, value), factors);
  };
  const bool forgotten = factors.forgotten[variable];
  Set out = factor(false);
  if (!forgotten)
    out = make(variable, out, factor(true));
  else if (out != 1)
    out = disjunction(out, factor(true));
  of_this_call_.of(a, b, call_) = {a, b, call_, out};
  return out;
}

Diagrams::Set Diagrams::substitute(Set set, std::span<const std::uint32_t> image) {
  const bool in_order = keeps_order(set, image);
  begin_call();
  return substituted(set, image, in_order);
}

Diagrams::Set Diagrams::substituted(Set set, std::span<const std::uint32_t> image, bool in_order) {
  if (set <= 1) return set;
  if (const Memo::Entry& known = of_this_call_.of(set, 0, call_);
      known.a == set && known.b == 0 && known.c == call_)
    return known.value;
  const Node node = nodes_[set];
  const Set low = substituted(node.low, image, in_order);
  const Set high = substituted(node.high, image, in_order);
  const std::uint32_t now = image[node.variable];
  const Set out = in_order ? make(now, low, high) : choose(variable(now), high, low);
  of_this_call_.of(set, 0, call_) = {set, 0, call_, out};
  return out;
}

bool Diagrams::entails(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image) {
  begin_call();
  if (keeps_order(conclusion, image)) return entailed(a, b, conclusion, image);
  const Set replaced = substitute(conclusion, image);
  begin_call();
  return entailed(a, b, replaced, identity(image.size()));
}

std::vector<Diagrams::Set> Diagrams::nodes_of(Set set) const {
  std::vector<Set> out;
  std::vector<bool> met(nodes_.size());
  const auto add = [&](Set at) {
    if (at <= 1 || met[at]) return;
    met[at] = true;
    out.push_back(at);
  };
  add(set);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Node& node = nodes_[out[i]];
    add(node.low);
    add(node.high);
  }
  return out;
}

bool Diagrams::keeps_order(Set set, std::span<const std::uint32_t> image) const {
  if (std::ranges::adjacent_find(image, std::greater_equal{}) == image.end()) return true;
  std::vector<bool> occurs(image.size());
  for (const Set node : nodes_of(set)) occurs[top(node)] = true;
  std::optional<std::uint32_t> last;
  for (std::size_t v = 0; v < occurs.size(); ++v) {
    if (!occurs[v]) continue;
    if (last && image[v] <= *last) return false;
    last = image[v];
  }
  return true;
}

/// Whatever the cache says holds, for a triple that does not hold ends the search.
bool Diagrams::entailed(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image) {
  if (a == 0 || b == 0 || conclusion == 1) return true;
  if (a == 1 && b == 1) return false;
  if (conclusion == 0 && (a == 1 || b == 1 || a == b)) return false;
  if (const Memo::Entry& known = entailed_.of(a, b, conclusion);
      known.value == call_ && known.a == a && known.b == b && known.c == conclusion)
    return true;
  const std::uint32_t last = conclusion <= 1 ? kNoVariable : image[top(conclusion)];
  const std::uint32_t variable = std::min({top(a), top(b), last});
  for (const bool value : {false, true}) {
    const Set below_conclusion =
        variable == last ? below(conclusion, top(conclusion), value) : conclusion;
    if (!entailed(below(a, variable, value), below(b, variable, value), below_conclusion, image))
      return false;
  }
  entailed_.of(a, b, conclusion) = {a, b, conclusion, call_};
  return true;
}

}  // namespace heddle::check
