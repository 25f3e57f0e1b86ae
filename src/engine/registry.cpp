#include <algorithm>
#include <array>

#include "engine/backward/backward.hpp"
#include "engine/concolic/concolic.hpp"
#include "engine/context/context.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "engine/engine.hpp"
#include "engine/onthefly/onthefly.hpp"
#include "engine/pushdown/pushdown.hpp"

namespace heddle::engine {

std::span<const EngineRow> registry() {
  static const std::array rows = {
      backward::row(),           concolic::row(),
      onthefly::row(),           cutoff::row(),
      pushdown::row(),           pushdown::backward_row(),
      context::sequential_row(), context::joint_row(),
      pushdown::stacks_row(),    context::lazy_row(),
      context::backward_row(),   context::eager_row(),
  };
  return rows;
}

const EngineRow* find_engine(std::string_view name) {
  const auto it = std::ranges::find(registry(), name, &EngineRow::name);
  return it == registry().end() ? nullptr : &*it;
}

namespace {

bool set_order(Options& options, std::string_view value) {
  if (value != "bfs" && value != "smallest") return false;
  options.order = value == "bfs" ? SearchOrder::BreadthFirst : SearchOrder::SmallestFirst;
  return true;
}

bool set_invariants(Options& options, std::string_view value) {
  if (value != "on" && value != "off") return false;
  options.use_invariants = value == "on";
  return true;
}

bool set_shared_states(Options& options, std::string_view value) {
  if (value != "on" && value != "off") return false;
  options.list_shared_states = value == "on";
  return true;
}

}  // namespace

std::span<const OptionRow> option_table() {
  static constexpr std::array rows = {
      OptionRow{"order", "bfs|smallest", "smallest",
                "which demand to take up next: the oldest, or the one with the fewest threads",
                set_order},
      OptionRow{"invariants", "on|off", "on",
                "prune with invariants that can be proved and checked cheaply", set_invariants},
      OptionRow{"shared-states", "on|off", "off",
                "list shared states among the figures, with the contexts per thread that they take "
                "(context-joint, pushdown; see --verbose and --json)",
                set_shared_states},
  };
  return rows;
}

}  // namespace heddle::engine
