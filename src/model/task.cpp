#include "model/task.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "model/boolean_program/listed_threads.hpp"

namespace heddle::model {

namespace {

using base::Integer;

constexpr unsigned kLongestRun = 4;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

void append_list(std::string& out, std::string_view separator, const std::string& item) {
  if (!out.empty()) out += separator;
  out += item;
}

/// `3,3,3`, or `3^17` for long runs.
std::string repeated(Counter counter, const Integer& count) {
  const std::string name = std::to_string(counter.value);
  if (count > kLongestRun) return name + "^" + base::to_string(count);
  std::string out;
  for (Integer i = 0; i < count; ++i) append_list(out, ",", name);
  return out;
}

/// `3,3`, or `3^[2,5]` for a range; of a bound without an upper end, its least number.
std::string number_of_threads(const CounterBound& bound) {
  if (!bound.upper || *bound.upper == bound.lower) return repeated(bound.counter, bound.lower);
  return std::to_string(bound.counter.value) + "^[" + base::to_string(bound.lower) + "," +
         base::to_string(*bound.upper) + "]";
}

std::string thread_multiset(const Counts& counts) {
  std::string out;
  for (const auto& [counter, count] : counts.entries())
    append_list(out, ",", repeated(counter, count));
  return out;
}

std::string marking(const PetriNet& net, const Counts& counts) {
  std::string out;
  for (const auto& [place, count] : counts.entries())
    append_list(out, ", ", net.places[place.index()] + "=" + base::to_string(count));
  return out.empty() ? "no tokens" : out;
}

/// Words of the notation itself; a place of such a name stands in quotes.
constexpr std::array<std::string_view, 7> kReservedWords = {"in",   "true",   "vars",      "rules",
                                                            "init", "target", "invariants"};

bool is_word(const std::string& name) {
  const auto in_word = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
  return !name.empty() && std::ranges::all_of(name, in_word) &&
         !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::find(kReservedWords, name) == kReservedWords.end();
}

std::string place_bound(const PetriNet& net, const CounterBound& bound) {
  const std::string& place = net.places[bound.counter.index()];
  const std::string name = is_word(place) ? place : "\"" + place + "\"";
  if (!bound.upper) return name + ">=" + base::to_string(bound.lower);
  if (*bound.upper == bound.lower) return name + "=" + base::to_string(bound.lower);
  return name + " in [" + base::to_string(bound.lower) + "," + base::to_string(*bound.upper) + "]";
}

std::string place_bounds(const PetriNet& net, const Region& region) {
  std::string out;
  for (const CounterBound& bound : region.bounds) append_list(out, ", ", place_bound(net, bound));
  return out;
}

/// A marking without tokens still names a place, for the notation has no word for it.
std::string net_initial(const PetriNet& net, const Region& region) {
  if (!region.bounds.empty() || net.places.empty()) return place_bounds(net, region);
  return place_bound(net, {PlaceId(0U), 0, Integer(0)});
}

std::string named(std::uint32_t number, const std::vector<std::string>& names) {
  std::string out = std::to_string(number);
  if (number < names.size() && !names[number].empty()) out += " (" + names[number] + ")";
  return out;
}

/// `1 thread in main`, `any number of threads in main`
std::string program_threads(const Region& region) {
  const CounterBound* bound = region.find(Counter(0U));
  if (!bound) return "no thread";
  if (!bound->upper) return "any number of threads in main";
  return base::to_string(bound->lower) + (bound->lower == 1 ? " thread" : " threads") + " in main";
}

/// `3|1,-,*`
std::string tops(const PushdownSystem& system, const Region& region) {
  std::string out;
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    const CounterBound* bound = region.find(Counter(i));
    append_list(out, ",",
                !bound              ? "*"
                : bound->lower == 0 ? "-"
                                    : base::to_string(bound->lower - 1));
  }
  return std::to_string(region.shared.value) + "|" + out;
}

}  // namespace

bool is_program(const Model& model) { return std::holds_alternative<BooleanProgram>(model); }

bool is_pushdown(const Model& model) { return std::holds_alternative<PushdownSystem>(model); }

bool is_counting(const Model& model) { return !is_program(model) && !is_pushdown(model); }

std::size_t counter_count(const Model& model) {
  return std::visit(
      Overloaded{[](const ThreadSystem& system) -> std::size_t { return system.local_count; },
                 [](const PetriNet& net) { return net.places.size(); },
                 [](const BooleanProgram&) -> std::size_t { return 1; },
                 [](const PushdownSystem& system) { return system.threads.size(); }},
      model);
}

std::size_t shared_count(const Model& model) {
  if (const auto* pushdown = std::get_if<PushdownSystem>(&model)) return pushdown->shared_count;
  const auto* system = std::get_if<ThreadSystem>(&model);
  return system ? system->shared_count : 1;
}

std::size_t transition_count(const Model& model) {
  return std::visit(Overloaded{[](const auto& m) { return m.transitions.size(); },
                               [](const BooleanProgram&) -> std::size_t { return 0; }},
                    model);
}

std::string kind_name(const Model& model) {
  if (is_program(model)) return "Boolean program";
  if (is_pushdown(model)) return "pushdown system";
  return std::holds_alternative<ThreadSystem>(model) ? "thread system" : "Petri net";
}

std::string shared_name(const Model& model, SharedState shared) {
  if (is_pushdown(model)) return std::to_string(shared.value);
  const auto* system = std::get_if<ThreadSystem>(&model);
  return system ? named(shared.value, system->shared_names) : "";
}

std::string counter_name(const Model& model, Counter counter) {
  if (const auto* system = std::get_if<ThreadSystem>(&model))
    return named(counter.value, system->local_names);
  if (is_program(model)) return "threads in main";
  if (is_pushdown(model)) return "stack of thread " + std::to_string(counter.value + 1);
  return std::get<PetriNet>(model).places[counter.index()];
}

std::string to_string(const Model& model, const Configuration& configuration) {
  if (const auto* pushdown = std::get_if<PushdownSystem>(&model))
    return visible_to_string(*pushdown, configuration);
  if (const auto* net = std::get_if<PetriNet>(&model)) return marking(*net, configuration.counts);
  return std::to_string(configuration.shared.value) + "|" + thread_multiset(configuration.counts);
}

std::string initial_to_string(const Model& model, const Region& region) {
  if (const auto* program = std::get_if<BooleanProgram>(&model))
    return boolean::lists_threads(*program) ? "the threads that the program lists"
                                            : program_threads(region);
  if (is_pushdown(model)) return to_string(model, least_element(region));
  if (const auto* net = std::get_if<PetriNet>(&model)) return net_initial(*net, region);
  std::string listed;
  std::string any;
  for (const CounterBound& bound : region.bounds) {
    if (const std::string threads = number_of_threads(bound); !threads.empty())
      append_list(listed, ",", threads);
    if (!bound.upper) append_list(any, ",", std::to_string(bound.counter.value));
  }
  std::string out = std::to_string(region.shared.value);
  if (!listed.empty() || any.empty()) out += "|" + listed;
  if (!any.empty()) out += "/" + any;
  return out;
}

std::string target_to_string(const Model& model, const Region& region) {
  if (is_program(model)) return "an assertion fails";
  if (const auto* pushdown = std::get_if<PushdownSystem>(&model)) return tops(*pushdown, region);
  if (const auto* net = std::get_if<PetriNet>(&model))
    return region.bounds.empty() ? "true" : place_bounds(*net, region);
  return to_string(model, least_element(region));
}

}  // namespace heddle::model
