/// Print, parse, compare: the identity on models. RapidCheck makes the models under a fixed seed,
/// so that every run sees the same ones; RC_PARAMS cannot change it, kSeed can.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::round_trip_test {
namespace {

using base::Integer;
using model::CounterBound;
using model::LocalState;
using model::PetriNet;
using model::PlaceId;
using model::Region;
using model::SharedState;
using model::ThreadSystem;

constexpr std::uint64_t kSeed = 20240229;

template <class Property>
void check(const Property& property) {
  rc::detail::TestParams params;
  params.seed = kSeed;
  params.maxSuccess = 300;
  params.maxSize = 40;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  rc::detail::SuccessResult success;
  EXPECT_TRUE(result.match(success)) << result;
}

std::uint32_t below(std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); }
bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }

/// Mostly small, sometimes beyond any machine word.
Integer number() {
  Integer value = *rc::gen::inRange(0, 30);
  if (chance(5)) value *= Integer("123456789012345678901234567890");
  return value;
}

/// Lines that a comment can carry: not empty, trimmed, no mark in front.
std::string note() {
  static const std::vector<std::string> lines = {"x", "at main.c line 7", "a  b # c", "-> 1 2;",
                                                 "caf\xC3\xA9"};
  std::string out;
  for (std::uint32_t i = below(4); i > 0; --i)
    out += (out.empty() ? "" : "\n") + *rc::gen::elementOf(lines);
  return out;
}

std::vector<std::string> names(std::uint32_t states) {
  std::vector<std::string> out(below(states + 1));
  for (std::string& name : out)
    if (chance(60)) name = "m=" + std::to_string(below(9));
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

model::ThreadTransition edge(const ThreadSystem& system) {
  const auto shared = [&] { return SharedState(below(system.shared_count)); };
  const auto local = [&] { return LocalState(below(system.local_count)); };
  model::ThreadTransition t;
  t.kind = static_cast<model::StepKind>(below(3));
  t.source = {shared(), local()};
  t.target = {shared(), local()};
  t.note = note();
  if (t.kind != model::StepKind::Move) return t;
  std::set<model::PassiveMove> passive;
  for (std::uint32_t i = below(5); i > 0; --i) passive.insert({local(), local()});
  t.passive.assign(passive.begin(), passive.end());
  return t;
}

ThreadSystem thread_system() {
  ThreadSystem system;
  system.shared_count = 1 + below(6);
  system.local_count = 1 + below(6);
  system.shared_names = names(system.shared_count);
  system.local_names = names(system.local_count);
  for (std::uint32_t i = below(12); i > 0; --i) system.transitions.push_back(edge(system));
  return system;
}

std::vector<PlaceId> some_places(const PetriNet& net) {
  std::vector<PlaceId> out;
  for (std::size_t i = 0; i < net.places.size(); ++i)
    if (chance(40)) out.emplace_back(i);
  return out;
}

CounterBound bound(PlaceId place) {
  CounterBound out{place, number(), std::nullopt};
  if (chance(30)) out.upper = out.lower;
  if (chance(20)) out.upper = out.lower + number();
  return out;
}

std::vector<CounterBound> bounds(const PetriNet& net) {
  std::vector<CounterBound> out;
  for (const PlaceId place : some_places(net)) out.push_back(bound(place));
  return out;
}

std::vector<model::WeightedPlace> weights(const PetriNet& net) {
  std::vector<model::WeightedPlace> out;
  for (const PlaceId place : some_places(net)) out.push_back({place, number() + 1});
  return out;
}

model::PetriTransition rule(const PetriNet& net) {
  model::PetriTransition t;
  t.note = note();
  t.guard = bounds(net);
  std::erase_if(t.guard, [](const CounterBound& b) { return b.lower == 0 && !b.upper; });
  for (const PlaceId place : some_places(net)) {
    const Integer constant = chance(50) ? number() : Integer(-number());
    model::PlaceUpdate update{place, {{place, 1}}, constant};
    if (chance(40)) update.sources = weights(net);
    if (!update.is_shift() || constant != 0) t.updates.push_back(std::move(update));
  }
  return t;
}

NetFile net_file() {
  PetriNet net;
  for (std::uint32_t i = below(7); i > 0; --i)
    net.places.push_back(std::string(1, "p_X"[below(3)]) + std::to_string(i));
  for (std::uint32_t i = below(8); i > 0; --i) net.transitions.push_back(rule(net));
  for (std::uint32_t i = below(3); i > 0; --i)
    if (auto claim = weights(net); !claim.empty()) net.claimed_invariants.push_back(claim);
  NetFile file;
  for (std::uint32_t i = below(4); i > 0; --i)
    file.targets.push_back({SharedState(0u), bounds(net)});
  if (chance(80)) file.initial.push_back({SharedState(0u), bounds(net)});
  for (Region& region : file.initial)
    std::erase_if(region.bounds, [](const CounterBound& b) { return b.upper == 0; });
  file.model = std::move(net);
  return file;
}

model::Counts some_tokens(const PetriNet& net) {
  model::Counts out;
  for (const PlaceId place : some_places(net)) out.set(place, number());
  return out;
}

/// What `.pnet`, `.lola` and PNML can hold. Names are such that all of them can write them.
NetFile ordinary_net_file() {
  PetriNet net;
  for (std::uint32_t i = below(7); i > 0; --i)
    net.places.push_back(std::string(1, "p_X"[below(3)]) + std::to_string(i));
  for (std::uint32_t i = below(8); i > 0; --i) {
    static const std::vector<std::string> transition_names = {"", "t1", "t2", "p1", "a b", "<&\">"};
    const auto consume = some_tokens(net);
    model::add_transition(net, *rc::gen::elementOf(transition_names), consume, some_tokens(net));
  }
  NetFile file;
  for (std::uint32_t i = below(4); i > 0; --i)
    file.targets.push_back({SharedState(0u), bounds(net)});
  Region initial;
  const model::Counts marking = some_tokens(net);
  for (const auto& [place, tokens] : marking.entries())
    initial.bounds.push_back({place, tokens, tokens});
  file.initial.push_back(std::move(initial));
  file.model = std::move(net);
  return file;
}

void check_ordinary_nets(const std::string& format) {
  check([&format] {
    NetFile file = ordinary_net_file();
    if (format == "pnml")
      for (auto& transition : file.model.transitions) transition.note = note();
    RC_ASSERT(find_format(format)->cannot_print(file) == std::nullopt);
    RC_LOG(find_format(format)->print(file));
    RC_ASSERT(fuzz::round_trip_failure(*find_format(format), file) == "");
  });
}

TEST(RoundTrip, NetsOfPetrinizer) { check_ordinary_nets("pnet"); }
TEST(RoundTrip, NetsOfLola) { check_ordinary_nets("lola"); }
TEST(RoundTrip, NetsInXml) { check_ordinary_nets("pnml"); }
TEST(RoundTrip, NetsOfTina) { check_ordinary_nets("net"); }

/// A guard that asks for at most so many tokens, more than the transition takes.
void inhibit(model::PetriTransition& transition, PlaceId place) {
  auto bound = std::ranges::lower_bound(transition.guard, place, {}, &CounterBound::counter);
  if (bound == transition.guard.end() || bound->counter != place)
    bound = transition.guard.insert(bound, {place, 0, std::nullopt});
  bound->upper = bound->lower + static_cast<int>(below(3));
}

TEST(RoundTrip, NetsWithInhibitorArcs) {
  for (const char* format : {"pnml", "net"})
    check([format] {
      NetFile file = ordinary_net_file();
      const auto places = static_cast<std::uint32_t>(file.model.places.size());
      for (auto& transition : file.model.transitions)
        for (std::uint32_t i = places > 0 ? below(3) : 0; i > 0; --i)
          inhibit(transition, PlaceId(below(places)));
      RC_PRE(find_format(format)->cannot_print(file) == std::nullopt);
      RC_LOG(find_format(format)->print(file));
      RC_ASSERT(fuzz::round_trip_failure(*find_format(format), file) == "");
    });
}

/// Names with any characters, and inhibitor arcs.
TEST(RoundTrip, OddNetsOfTina) {
  check([] {
    NetFile file = ordinary_net_file();
    static const std::vector<std::string> fronts = {"tr",   "1", "{",        "\\",
                                                    "a}b ", "#", "\xC3\xA9", "'"};
    for (std::string& name : file.model.places)
      if (chance(50)) name = *rc::gen::elementOf(fronts) + name;
    for (auto& transition : file.model.transitions) {
      if (file.model.places.empty() || !chance(40)) continue;
      const PlaceId place(below(static_cast<std::uint32_t>(file.model.places.size())));
      const auto at = std::ranges::find(transition.guard, place, &CounterBound::counter);
      if (at == transition.guard.end())
        transition.guard.push_back({place, 0, number()});
      else
        at->upper = at->lower + number();
      std::ranges::sort(transition.guard, {}, &CounterBound::counter);
    }
    RC_LOG(find_format("net")->print(file));
    RC_ASSERT(fuzz::round_trip_failure(*find_format("net"), file) == "");
  });
}

Region thread_target(const ThreadSystem& model) {
  Region target{SharedState(below(1)), {}};
  for (LocalState local(0u); local.index() < model.local_count; local.value++)
    if (chance(50)) target.bounds.push_back({local, number() + 1, std::nullopt});
  return target;
}

Region thread_initial(const ThreadSystem& model) {
  Region initial{SharedState(below(1)), {}};
  for (LocalState local(0u); local.index() < model.local_count; local.value++) {
    const Integer lower = number();
    const Integer more = number() + 1;
    if (chance(25))
      initial.bounds.push_back({local, more, more});
    else if (chance(25))
      initial.bounds.push_back({local, lower, lower + more});
    else if (chance(25))
      initial.bounds.push_back({local, lower, std::nullopt});
  }
  return initial;
}

TEST(RoundTrip, ThreadSystems) {
  check([] {
    ThreadFile file{thread_system(), {}, {}, {}};
    for (std::uint32_t i = below(3); i > 0; --i) file.initial.push_back(thread_initial(file.model));
    for (std::uint32_t i = below(3); i > 0; --i) file.targets.push_back(thread_target(file.model));
    RC_LOG(find_format("tts")->print(file));
    RC_ASSERT(fuzz::round_trip_failure(*find_format("tts"), file) == "");
  });
}

TEST(RoundTrip, Nets) {
  check([] {
    const NetFile file = net_file();
    RC_LOG(find_format("spec")->print(file));
    RC_ASSERT(fuzz::round_trip_failure(*find_format("spec"), file) == "");
  });
}

TEST(RoundTrip, NotationOfThreadSystems) {
  check([] {
    const ThreadSystem model = thread_system();
    const Region target = thread_target(model);
    const Region initial = thread_initial(model);
    const auto again = parse_targets(model, {"", model::target_to_string(model, target)});
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == std::vector{target});
    const auto initial_again = parse_initial(model, {"", model::initial_to_string(model, initial)});
    RC_ASSERT(initial_again.has_value());
    RC_ASSERT(*initial_again == std::vector{initial});
  });
}

/// Fronts of names that are no words, and of some that are.
const std::vector<std::string> kOddNames = {"a-", "1", "in", "p q", "#", "\xC3\xA9", "(", "x'"};

TEST(RoundTrip, NotationOfReservedWords) {
  PetriNet net;
  net.places = {"in", "true", "false", "vars", "rules", "init", "target", "invariants"};
  const PetriNet& model = net;
  for (PlaceId place(0u); place.index() < net.places.size(); place.value++) {
    const std::vector targets{Region{SharedState(0u), {{place, 2, std::nullopt}}}};
    EXPECT_EQ(parse_targets(model, {"", print_targets(model, targets)}), targets);
  }
}

TEST(RoundTrip, NotationOfNets) {
  check([] {
    NetFile file = net_file();
    for (std::string& name : file.model.places)
      if (chance(30)) name = *rc::gen::elementOf(kOddNames) + name;
    for (const Region& target : file.targets) {
      const auto again =
          parse_targets(file.model, {"", model::target_to_string(file.model, target)});
      RC_ASSERT(again.has_value());
      RC_ASSERT(*again == std::vector{target});
    }
  });
}

/// A formula as a user might write it.
std::string formula(const PetriNet& net, int depth) {
  const auto sum = [&] {
    std::string out = std::to_string(below(4));
    for (std::uint32_t i = below(4); i > 0; --i)
      out += (chance(70) ? " + " : " - ") + std::to_string(1 + below(2)) + " * " +
             net.places[below(static_cast<std::uint32_t>(net.places.size()))];
    return out;
  };
  static const std::vector<std::string> relations = {"<", "<=", "=", "!=", ">=", ">"};
  if (depth == 0 || chance(30)) {
    if (chance(5)) return chance(50) ? "true" : "false";
    const std::string left = sum();
    const std::string relation = *rc::gen::elementOf(relations);
    return left + " " + relation + " " + sum();
  }
  if (chance(20)) return "!(" + formula(net, depth - 1) + ")";
  std::string out;
  const std::string joint = chance(50) ? " && " : " || ";
  for (std::uint32_t i = 2 + below(3); i > 0; --i)
    out += (out.empty() ? "(" : joint) + formula(net, depth - 1);
  return out + ")";
}

/// Regions that a formula is read as are written as a formula that is read as the same regions.
TEST(RoundTrip, NotationOfConditions) {
  check([] {
    PetriNet net;
    net.places = {"p", "q", "r", "s"};
    const PetriNet& model = net;
    std::string text = formula(net, 3) + " && true";
    if (chance(20))  // more cases than regions
      for (int i = 0; i < 20; ++i) text += " || " + formula(net, 1);
    RC_LOG(text + "\n");
    const auto targets = parse_targets(model, {"", text});
    RC_ASSERT(targets.has_value());
    RC_LOG(print_targets(model, *targets));
    const auto again = parse_targets(model, {"", print_targets(model, *targets)});
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == *targets);
    NetFile file{net, {Region{SharedState(0u), {}}}, *targets, {}};
    for (const std::string format : {"pnet", "lola", "pnml", "net"})
      RC_ASSERT(fuzz::round_trip_failure(*find_format(format), file) == "");
    const bool are_boxes = std::ranges::all_of(
        *targets, [](const Region& target) { return target.condition.is_true(); });
    RC_ASSERT(find_format("spec")->cannot_print(file).has_value() == !are_boxes);
  });
}

TEST(RoundTrip, ProgramCountersThatHeadSeveralEdges) {
  const auto file = parsed<model::ThreadSystem>(
      "tts",
      "1 2\n# plain\n0 0 -> 0 0\n# first\n# BP-PC1: GOTO\n# m=0\n0 0 -> 0 1\n"
      "# m=1\n0 1 -> 0 0\n0 1 -> 0 1\n");
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("tts"), file), "");
}

TEST(Printing, NamesOfTransitionsBecomeComments) {
  PetriNet net;
  net.places = {"p"};
  model::add_transition(net, "produce", {}, {{PlaceId(0u), 2}});
  const std::string text = find_format("spec")->print(NetFile{net, {}, {}, {}});
  EXPECT_EQ(text, "vars\n    p\n\nrules\n# produce\n    true -> p' = p + 2;\n");
}

}  // namespace
}  // namespace heddle::frontend::round_trip_test
