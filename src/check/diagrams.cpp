#include "check/diagrams.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace heddle::check {

namespace {

constexpr std::uint32_t kNoVariable = ~std::uint32_t{0};
constexpr std::uint32_t kEnd = 0;  ///< of a bucket: no inner node has number 0
constexpr std::size_t kResults = std::size_t{1} << 18;

std::size_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = a * 0x9E3779B97F4A7C15U ^ (b + 0x7F4A7C15U) * 0xC2B2AE3D27D4EB4FU ^
                    (c + 0x165667B1U) * 0x165667B19E3779F9U;
  return static_cast<std::size_t>(h ^ (h >> 29U));
}

}  // namespace

Diagrams::Diagrams(const std::vector<answer::DiagramNode>& nodes)
    : nodes_{{kNoVariable, 0, 0, kEnd}, {kNoVariable, 1, 1, kEnd}},
      results_(kResults),
      entailed_(kResults) {
  buckets_.assign(1024, kEnd);
  for (const answer::DiagramNode& node : nodes) append(node.variable, node.low, node.high);
  keep_all();
}

Diagrams::Set Diagrams::append(std::uint32_t variable, Set low, Set high) {
  if (nodes_.size() >= buckets_.size()) grow_buckets();
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

void Diagrams::grow_buckets() {
  buckets_.assign(std::max<std::size_t>(buckets_.size(), 512) * 2, kEnd);
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
  std::ranges::fill(results_, Result{});
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
  const std::size_t place = mix(condition, then, otherwise) & (kResults - 1);
  const Result& known = results_[place];
  if (known.used && known.a == condition && known.b == then && known.c == otherwise)
    return known.out;
  const std::uint32_t variable = std::min({top(condition), top(then), top(otherwise)});
  const Set low = choose(below(condition, variable, false), below(then, variable, false),
                         below(otherwise, variable, false));
  const Set high = choose(below(condition, variable, true), below(then, variable, true),
                          below(otherwise, variable, true));
  const Set out = make(variable, low, high);
  results_[place] = {condition, then, otherwise, out, true};
  return out;
}

Diagrams::Set Diagrams::product(Set a, Set b, const std::vector<bool>& forgotten) {
  ++call_;
  products_.resize(kResults);
  return multiplied(a, b, forgotten);
}

Diagrams::Set Diagrams::multiplied(Set a, Set b, const std::vector<bool>& forgotten) {
  if (a == 0 || b == 0) return 0;
  if (a == 1 && b == 1) return 1;
  if (a > b) std::swap(a, b);
  const std::size_t place = mix(a, b, 0) & (kResults - 1);
  if (const Product& known = products_[place]; known.call == call_ && known.a == a && known.b == b)
    return known.out;
  const std::uint32_t variable = std::min(top(a), top(b));
  const Set low = multiplied(below(a, variable, false), below(b, variable, false), forgotten);
  Set out = low;
  if (!forgotten[variable] || low != 1) {
    const Set high = multiplied(below(a, variable, true), below(b, variable, true), forgotten);
    out = forgotten[variable] ? disjunction(low, high) : make(variable, low, high);
  }
  products_[place] = {a, b, out, call_};
  return out;
}

Diagrams::Set Diagrams::substitute(Set set, std::span<const std::uint32_t> image) {
  std::unordered_map<Set, Set> known;
  return substituted(set, image, keeps_order(set, image), known);
}

Diagrams::Set Diagrams::substituted(Set set, std::span<const std::uint32_t> image, bool in_order,
                                    std::unordered_map<Set, Set>& known) {
  if (set <= 1) return set;
  if (const auto found = known.find(set); found != known.end()) return found->second;
  const Node node = nodes_[set];
  const Set low = substituted(node.low, image, in_order, known);
  const Set high = substituted(node.high, image, in_order, known);
  const std::uint32_t now = image[node.variable];
  const Set out = in_order ? make(now, low, high) : choose(variable(now), high, low);
  known.emplace(set, out);
  return out;
}

bool Diagrams::entails(Set a, Set b, Set conclusion, std::span<const std::uint32_t> image) {
  ++call_;
  if (keeps_order(conclusion, image)) return entailed(a, b, conclusion, image);
  std::vector<std::uint32_t> identity(image.size());
  std::iota(identity.begin(), identity.end(), 0U);
  return entailed(a, b, substitute(conclusion, image), identity);
}

bool Diagrams::keeps_order(Set set, std::span<const std::uint32_t> image) const {
  std::vector<bool> occurs(image.size());
  std::vector<bool> met(nodes_.size());
  for (std::vector<Set> open{set}; !open.empty();) {
    const Set at = open.back();
    open.pop_back();
    if (at <= 1 || met[at]) continue;
    met[at] = true;
    occurs[nodes_[at].variable] = true;
    open.insert(open.end(), {nodes_[at].low, nodes_[at].high});
  }
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
  Entailed& place = entailed_[mix(a, b, conclusion) & (kResults - 1)];
  if (place.call == call_ && place.a == a && place.b == b && place.conclusion == conclusion)
    return true;
  const std::uint32_t last = conclusion <= 1 ? kNoVariable : image[top(conclusion)];
  const std::uint32_t variable = std::min({top(a), top(b), last});
  for (const bool value : {false, true}) {
    const Set below_conclusion =
        variable == last ? below(conclusion, top(conclusion), value) : conclusion;
    if (!entailed(below(a, variable, value), below(b, variable, value), below_conclusion, image))
      return false;
  }
  place = {a, b, conclusion, call_};
  return true;
}

}  // namespace heddle::check
