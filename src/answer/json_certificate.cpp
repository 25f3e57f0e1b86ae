#include <array>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> kInvariantNames = {"linear", ClosedThreadStates::kName,
                                                             "concurrent_places"};
static_assert(kInvariantNames.size() == std::variant_size_v<Invariant>);

json invariant_fields(const LinearInvariant& invariant) {
  json weights = json::array();
  for (const auto& [counter, weight] : invariant.weights)
    weights.push_back(json::array({counter.value, integer_to_json(weight)}));
  return {{"weights", std::move(weights)},
          {"relation", invariant.relation == LinearInvariant::Relation::Equal ? "=" : "<="},
          {"bound", integer_to_json(invariant.bound)}};
}

/// The pairs of one place in a row: [p, [q, …]].
json invariant_fields(const ConcurrentPlaces& places) {
  json markable = json::array();
  for (const model::PlaceId p : places.markable) markable.push_back(p.value);
  json together = json::array();
  for (std::size_t i = 0; i < places.together.size();) {
    const model::PlaceId first = places.together[i].first;
    json row = json::array();
    for (; i < places.together.size() && places.together[i].first == first; ++i)
      row.push_back(places.together[i].second.value);
    together.push_back(json::array({first.value, std::move(row)}));
  }
  return {{"markable", std::move(markable)}, {"together", std::move(together)}};
}

/// Appends `next` to a list that is strictly sorted by `key`.
template <class T, class Key>
void append_ascending(std::vector<T>& list, T next, Key key, const JsonNode& node) {
  if (!list.empty() && !(key(list.back()) < key(next))) node.fail("entries should ascend");
  list.push_back(std::move(next));
}

LinearInvariant linear_from_json(const JsonNode& node) {
  node.expect_fields({"kind", "weights", "relation", "bound"});
  LinearInvariant invariant;
  const JsonNode weights = node.field("weights");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const JsonNode pair = weights.item(i);
    pair.expect_size(2);
    model::WeightedPlace next{model::Counter(pair.item(0).number()), pair.item(1).integer()};
    if (next.weight == 0) pair.fail("a weight of zero should be left out");
    append_ascending(
        invariant.weights, std::move(next), [](const model::WeightedPlace& w) { return w.place; },
        pair);
  }
  using Relation = LinearInvariant::Relation;
  invariant.relation =
      node.field("relation").one_of({"=", "<="}) == 0 ? Relation::Equal : Relation::AtMost;
  invariant.bound = node.field("bound").integer();
  return invariant;
}

ConcurrentPlaces concurrent_from_json(const JsonNode& node) {
  node.expect_fields({"kind", "markable", "together"});
  const auto itself = [](const auto& x) { return x; };
  ConcurrentPlaces places;
  const JsonNode markable = node.field("markable");
  for (std::size_t i = 0; i < markable.size(); ++i) {
    const JsonNode item = markable.item(i);
    append_ascending(places.markable, model::PlaceId(item.number()), itself, item);
  }
  const JsonNode together = node.field("together");
  for (std::size_t i = 0; i < together.size(); ++i) {
    const JsonNode row = together.item(i);
    row.expect_size(2);
    const model::PlaceId first(row.item(0).number());
    const JsonNode partners = row.item(1);
    if (partners.size() == 0) partners.fail("a row without partners should be left out");
    for (std::size_t j = 0; j < partners.size(); ++j) {
      const model::PlaceId second(partners.item(j).number());
      if (second < first) partners.item(j).fail("a partner should not precede its place");
      append_ascending(places.together, std::pair(first, second), itself, partners.item(j));
    }
  }
  return places;
}

json invariant_fields(const ClosedThreadStates& closed) { return to_fields(closed); }

json invariant_to_json(const Invariant& invariant) {
  json object = std::visit([](const auto& which) { return invariant_fields(which); }, invariant);
  object["kind"] = kInvariantNames[invariant.index()];
  return object;
}

ClosedThreadStates closed_from_json(const JsonNode& node) {
  ClosedThreadStates closed;
  read_fields(node, closed);
  return closed;
}

Invariant invariant_from_json(const JsonNode& node) {
  switch (node.field("kind").one_of(kInvariantNames)) {
    case 0: return linear_from_json(node);
    case 1: return closed_from_json(node);
    default: return concurrent_from_json(node);
  }
}

BackwardBasis basis_from_json(const JsonNode& node) {
  BackwardBasis basis;
  const JsonNode minimal = node.field("minimal");
  basis.minimal.reserve(minimal.size());
  for (std::size_t i = 0; i < minimal.size(); ++i)
    basis.minimal.push_back(configuration_from_json(minimal.item(i)));
  const JsonNode relative_to = node.field("relative_to");
  for (std::size_t i = 0; i < relative_to.size(); ++i)
    basis.relative_to.push_back(invariant_from_json(relative_to.item(i)));
  return basis;
}

/// Reads a certificate of the kind with this name.
template <class... Kinds>
Certificate read_kind(std::string_view name, const JsonNode& node, base::TypeList<Kinds...>) {
  Certificate certificate;
  const auto read_if = [&]<class Kind>() {
    if (name == Kind::kName) read_fields(node, certificate.emplace<Kind>());
  };
  (read_if.template operator()<Kinds>(), ...);
  return certificate;
}

}  // namespace

json to_fields(const BackwardBasis& basis) {
  json minimal = json::array();
  minimal.get_ref<json::array_t&>().reserve(basis.minimal.size());
  for (const model::Configuration& m : basis.minimal) minimal.push_back(configuration_to_json(m));
  json relative_to = json::array();
  for (const Invariant& invariant : basis.relative_to)
    relative_to.push_back(invariant_to_json(invariant));
  return {{"minimal", std::move(minimal)}, {"relative_to", std::move(relative_to)}};
}

void read_fields(const JsonNode& node, BackwardBasis& basis) {
  node.expect_fields({"kind", "minimal", "relative_to"});
  basis = basis_from_json(node);
}

json to_fields(const ClosedThreadStates& closed) {
  json shared = json::array();
  for (const model::SharedState s : closed.shared) shared.push_back(s.value);
  json states = json::array();
  for (const auto& [s, l] : closed.states) states.push_back(json::array({s.value, l.value}));
  return {{"shared", std::move(shared)}, {"states", std::move(states)}};
}

void read_fields(const JsonNode& node, ClosedThreadStates& closed) {
  node.expect_fields({"kind", "shared", "states"});
  const auto itself = [](const auto& x) { return x; };
  const JsonNode shared = node.field("shared");
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const JsonNode item = shared.item(i);
    append_ascending(closed.shared, model::SharedState(item.number()), itself, item);
  }
  const JsonNode states = node.field("states");
  for (std::size_t i = 0; i < states.size(); ++i) {
    const JsonNode pair = states.item(i);
    pair.expect_size(2);
    const model::ThreadState next{model::SharedState(pair.item(0).number()),
                                  model::LocalState(pair.item(1).number())};
    append_ascending(closed.states, next, itself, pair);
  }
}

json to_fields(const PathwiseProof& proof) { return {{"spaghetti", to_fields(proof.spaghetti)}}; }

void read_fields(const JsonNode& node, PathwiseProof& proof) {
  node.expect_fields({"kind", "spaghetti"});
  const JsonNode spaghetti = node.field("spaghetti");
  spaghetti.expect_fields({"minimal", "relative_to"});
  proof.spaghetti = basis_from_json(spaghetti);
}

json certificate_to_json(const Certificate& certificate) {
  json object = std::visit([](const auto& which) { return to_fields(which); }, certificate);
  object["kind"] = certificate_kind(certificate);
  return object;
}

Certificate certificate_from_json(const JsonNode& node) {
  const std::size_t kind = node.field("kind").one_of(kCertificateNames);
  return read_kind(kCertificateNames[kind], node, CertificateKinds{});
}

}  // namespace heddle::answer
