#include <algorithm>
#include <array>

#include "engine/backward/backward.hpp"
#include "engine/bounded/bounded.hpp"
#include "engine/compositional/engine.hpp"
#include "engine/concolic/concolic.hpp"
#include "engine/context/context.hpp"
#include "engine/cover/cover.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "engine/engine.hpp"
#include "engine/explore/engine.hpp"
#include "engine/forward/forward.hpp"
#include "engine/onthefly/cutoff.hpp"
#include "engine/onthefly/onthefly.hpp"
#include "engine/pushdown/pushdown.hpp"

namespace heddle::engine {

std::span<const EngineRow> registry() {
  static const std::array rows = {
      backward::row(),
      concolic::row(),
      onthefly::row(),
      cutoff::row(),
      cover::row(),
      forward::row(),
      pushdown::row(),
      pushdown::backward_row(),
      context::sequential_row(),
      context::joint_row(),
      pushdown::stacks_row(),
      context::lazy_row(),
      context::backward_row(),
      context::eager_row(),
      explore::row(),
      compositional::row(),
      bounded::row(),
  };
  return rows;
}

std::span<const EngineRow> cutoff_registry() {
  static const std::array rows = {cutoff::cutoff_row(), onthefly::cutoff_row()};
  return rows;
}

const EngineRow* find_engine(std::string_view name) {
  const auto it = std::ranges::find(registry(), name, &EngineRow::name);
  return it == registry().end() ? nullptr : &*it;
}

std::string Refusal::of(const model::AnyKind& kind) const {
  for (const auto& [other, reason] : listed)
    if (other == kind) return std::string(reason);
  return std::string(why);
}

}  // namespace heddle::engine
