#include <algorithm>
#include <map>

#include "engine/bounded/encoding.hpp"

namespace heddle::engine::bounded {

namespace {

std::uint32_t end_of(const SharedAccess& access) {
  return access.offset + static_cast<std::uint32_t>(access.value.size() / 8);
}

void add_cells(std::vector<Cell>& cells, std::vector<const SharedAccess*> accesses) {
  std::ranges::stable_sort(accesses, {}, [](const SharedAccess* access) { return access->offset; });
  const std::size_t before = cells.size();
  for (const SharedAccess* access : accesses) {
    if (cells.size() == before || access->offset >= cells.back().end)
      cells.push_back({access->object, access->offset, end_of(*access), {}});
    cells.back().end = std::max(cells.back().end, end_of(*access));
    cells.back().accesses.push_back(access);
  }
}

}  // namespace

std::vector<Cell> cells_of(const Unrolling& unrolling) {
  std::map<std::uint32_t, std::vector<const SharedAccess*>> by_object;
  for (const SharedAccess& access : unrolling.accesses) by_object[access.object].push_back(&access);
  std::vector<Cell> cells;
  for (auto& [object, accesses] : by_object) add_cells(cells, std::move(accesses));
  // The list of all accesses is by threads, and of a thread in its order.
  for (Cell& cell : cells) std::ranges::sort(cell.accesses);
  return cells;
}

Bits initial_content(Circuit& circuit, Objects& objects, const Cell& cell) {
  Bits content;
  for (std::uint32_t offset = cell.first; offset < cell.end; ++offset) {
    const Byte& byte = objects.initial(circuit, cell.object, offset);
    content.insert(content.end(), byte.bits.begin(), byte.bits.end());
  }
  return content;
}

}  // namespace heddle::engine::bounded
