#include "output/replay_watch.hpp"

#include <optional>
#include <vector>

#include "base/integer.hpp"
#include "base/suggest.hpp"

namespace heddle::output {

namespace {

using model::Counter;
using model::SharedState;

/// A state by its number or its name in the file.
std::optional<std::uint32_t> find_state(std::string_view text, std::size_t count,
                                        const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty() && names[i] == text) return static_cast<std::uint32_t>(i);
  const auto number = base::parse_integer(text);
  if (!number || *number < 0 || *number >= base::Integer(count)) return std::nullopt;
  return base::to_uint32(*number);
}

std::string no_local(const model::ThreadSystem& system, std::string_view text) {
  return "there is no local state '" + std::string(text) + "': they are 0 to " +
         std::to_string(system.local_count - 1);
}

}  // namespace

std::expected<ReplayWatch, std::string> ReplayWatch::parse(const model::CountingModel& model,
                                                           std::string_view text) {
  const std::string name(text);
  if (const auto* net = std::get_if<model::PetriNet>(&model)) {
    for (std::size_t i = 0; i < net->places.size(); ++i)
      if (net->places[i] == text) return ReplayWatch(Kind::Counter, name, {}, Counter(i));
    const std::string guess = base::did_you_mean(name, net->places);
    return std::unexpected("there is no place '" + name + "'" +
                           (guess.empty() ? "" : "; " + guess));
  }
  const auto& system = std::get<model::ThreadSystem>(model);
  if (text == "shared") return ReplayWatch(Kind::Shared, name, {}, {});
  const auto local = find_state(text, system.local_count, system.local_names);
  if (local) return ReplayWatch(Kind::Counter, "local " + name, {}, Counter(*local));
  const std::size_t bar = text.find('|');
  if (bar == std::string_view::npos) return std::unexpected(no_local(system, text));
  const auto shared = find_state(text.substr(0, bar), system.shared_count, system.shared_names);
  const auto there = find_state(text.substr(bar + 1), system.local_count, system.local_names);
  if (!shared)
    return std::unexpected("there is no shared state '" + std::string(text.substr(0, bar)) + "'");
  if (!there) return std::unexpected(no_local(system, text.substr(bar + 1)));
  return ReplayWatch(Kind::ThreadState, name, SharedState(*shared), Counter(*there));
}

std::string ReplayWatch::value(const model::CountingModel& model,
                               const model::Configuration& configuration) const {
  if (kind_ == Kind::Shared) return model::shared_name(model, configuration.shared);
  if (kind_ == Kind::ThreadState && configuration.shared != shared_) return "0";
  return base::to_string(configuration.counts[counter_]);
}

}  // namespace heddle::output
