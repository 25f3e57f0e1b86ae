#pragma once

/// The options of engines. Each engine that has options declares a struct of its own, with their
/// defaults, and lists them with its row: command line, help, `heddle engines` and tests are made
/// from those lists. An engine is handed its own struct and cannot see another's.

#include <any>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coverability/backward_search.hpp"

namespace heddle::engine {

using coverability::SearchOrder;

/// Of an engine without options.
struct NoOptions {};

/// What users have set, for all engines: a struct of options for each, found by its type.
class Options {
 public:
  template <class Own>
  const Own& of() const {
    static const Own standard;
    const auto it = own_.find(typeid(Own));
    return it == own_.end() ? standard : *std::any_cast<Own>(&it->second);
  }
  template <class Own>
  Own& of() {
    return *std::any_cast<Own>(&own_.try_emplace(typeid(Own), Own()).first->second);
  }

 private:
  std::unordered_map<std::type_index, std::any> own_;
};

/// One option as the command line, the help and the documentation see it.
struct OptionRow {
  std::string name;      ///< without the dashes
  std::string values;    ///< "bfs|smallest"
  std::string standard;  ///< the value taken if the option is not given
  std::string help;
  /// Sets the option; false if the value is not one of `values`.
  std::function<bool(Options& options, std::string_view value)> set;
};

/// An option that is a member of an engine's struct.
template <class Own, class Value>
OptionRow option(std::string name, Value Own::* member, std::string help,
                 std::vector<std::pair<std::string, Value>> values) {
  OptionRow row{std::move(name), {}, {}, std::move(help), {}};
  for (const auto& [text, value] : values) {
    row.values += (row.values.empty() ? "" : "|") + text;
    if (value == Own().*member) row.standard = text;
  }
  row.set = [member, values = std::move(values)](Options& options, std::string_view given) {
    for (const auto& [text, value] : values)
      if (text == given) {
        options.of<Own>().*member = value;
        return true;
      }
    return false;
  };
  return row;
}

template <class Own>
OptionRow on_off_option(std::string name, bool Own::* member, std::string help) {
  return option<Own, bool>(std::move(name), member, std::move(help),
                           {{"on", true}, {"off", false}});
}

// Options that several engines have, each in its own struct.

template <class Own>
OptionRow order_option(SearchOrder Own::* member) {
  return option<Own, SearchOrder>(
      "order", member, "search order: the oldest demand first, or the one with the fewest threads",
      {{"bfs", SearchOrder::BreadthFirst}, {"smallest", SearchOrder::SmallestFirst}});
}

template <class Own>
OptionRow invariants_option(bool Own::* member) {
  return on_off_option("invariants", member,
                       "prune with invariants that can be proved and checked cheaply");
}

template <class Own>
OptionRow shared_states_option(bool Own::* member) {
  return on_off_option(
      "shared-states", member,
      "list the reachable shared states, with the contexts per thread that they take, in "
      "--verbose and --json");
}

/// The options of all engines, each name once: setting one sets it for every engine that has it.
std::span<const OptionRow> option_table();

/// Sets an option of that name. Precondition: there is one, with that value.
void set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace heddle::engine
