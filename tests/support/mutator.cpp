#include "support/mutator.hpp"

#include <utility>

namespace heddle::test {

namespace {

using nlohmann::json;

/// Names of the formats that can take each other's place, whether or not the document has them.
constexpr const char* kWords[] = {"safe",
                                  "unsafe",
                                  "safe_up_to",
                                  "unknown",
                                  "cutoff",
                                  "backward_basis",
                                  "forward_cover",
                                  "pathwise_proof",
                                  "linear",
                                  "closed_thread_states",
                                  "concurrent_places",
                                  "=",
                                  "<=",
                                  "Petri net",
                                  "thread system",
                                  "configuration_sets",
                                  "turn_facts",
                                  "context_relations",
                                  "program_stacks",
                                  "program_basis",
                                  "pushdown_invariant",
                                  "contexts"};

}  // namespace

Mutator::Mutator(json document, Visit visit, Changes changes)
    : document_(std::move(document)),
      visit_(std::move(visit)),
      changes_(changes),
      words_(std::begin(kWords), std::end(kWords)) {
  collect_words(document_);
}

void Mutator::collect_words(const json& node) {
  if (node.is_string()) words_.insert(node.get<std::string>());
  if (node.is_structured())
    for (const json& inner : node) collect_words(inner);
}

void Mutator::run() {
  is_chosen_ = [](std::size_t) { return true; };
  offered_ = 0;
  corrupt(document_);
}

void Mutator::run(Random& random, unsigned count) {
  is_chosen_ = [](std::size_t) { return false; };
  offered_ = 0;
  corrupt(document_);
  if (offered_ == 0) return;
  std::set<std::size_t> chosen;
  for (unsigned i = 0; i < count; ++i) chosen.insert(random.next() % offered_);
  is_chosen_ = [chosen = std::move(chosen)](std::size_t index) { return chosen.contains(index); };
  offered_ = 0;
  corrupt(document_);
}

/// Visits the document with `node` replaced, if this corruption is chosen.
template <class Make>
void Mutator::offer(json& node, Make make) {
  if (!is_chosen_(offered_++)) return;
  json replacement = make();
  if (replacement == node) return;
  std::swap(node, replacement);
  visit_(document_);
  std::swap(node, replacement);
}

void Mutator::corrupt(json& node) {
  if (changes_ == Changes::All)
    for (const json& other : {json(nullptr), json(true), json("?"), json(-1), json(0.5),
                              json(json::array()), json(json::object())})
      offer(node, [&] { return other; });
  if (node.is_boolean()) offer(node, [&] { return json(!node.get<bool>()); });
  if (node.is_number_integer()) corrupt_number(node);
  if (node.is_string()) corrupt_string(node);
  if (node.is_array()) corrupt_array(node);
  if (node.is_object()) corrupt_object(node);
}

void Mutator::corrupt_number(json& node) {
  const auto value = node.get<std::int64_t>();
  for (const std::int64_t other :
       {value + 1, value - 1, -value, value + 2, std::int64_t{4294967295}, std::int64_t{0}})
    offer(node, [&] { return json(other); });
  if (changes_ == Changes::All)
    offer(node, [] { return json("340282366920938463463374607431768211456"); });
}

void Mutator::corrupt_string(json& node) {
  for (const std::string& word : words_) offer(node, [&] { return json(word); });
}

void Mutator::corrupt_array(json& node) {
  const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto changed = [&](auto change) {
      offer(node, [&] {
        json copy = node;
        change(copy);
        return copy;
      });
    };
    changed([&](json& copy) { copy.erase(i); });
    changed([&](json& copy) { copy.insert(copy.begin() + at(i), node[i]); });
    changed([&](json& copy) { copy.erase(copy.begin() + at(i), copy.end()); });
    if (node.size() == 1) continue;
    const std::size_t next = (i + 1) % node.size();
    changed([&](json& copy) { std::swap(copy[i], copy[next]); });
    changed([&](json& copy) { copy[i] = node[next]; });
  }
  for (json& item : node) corrupt(item);
}

void Mutator::corrupt_object(json& node) {
  const json original = node;
  for (const auto& entry : original.items()) {
    const auto without = [&] {
      json smaller = original;
      smaller.erase(entry.key());
      return smaller;
    };
    offer(node, without);
    if (changes_ == Changes::WellTyped) continue;
    offer(node, [&] {
      json renamed = without();
      renamed[entry.key() + "x"] = entry.value();
      return renamed;
    });
  }
  for (json& value : node) corrupt(value);
}

}  // namespace heddle::test
