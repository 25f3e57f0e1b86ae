/// Memory, round by round.
///
/// Bytes that some access reads or writes together form a cell, so that casts and unions need no
/// rule. The accesses to a cell are listed as the schedule would make them if each access happened
/// in every round: round by round, in a round thread by thread, of a thread in its own order. An
/// access is active in the round in which it happens, once at most. Along this list the content of
/// the cell is a circuit: an active write replaces it, everything else leaves it. An active read
/// agrees with the content where it stands. The value of a read is an input, so no circuit depends
/// on itself.
///
/// Every interleaving in which each thread runs in at most K contexts is one of K rounds in this
/// order [Lal and Reps, "Reducing concurrent analysis under a context bound to sequential
/// analysis", FMSD 2009, section 2]. Their copies of memory at the beginning of each turn are the
/// contents at those places of the list. Here nothing is guessed but what reads see: a write that
/// is never read costs nothing, and a cell costs in proportion to its own accesses.

#include "engine/bounded/rounds.hpp"

#include <algorithm>
#include <map>

namespace heddle::engine::bounded {

namespace {

struct Cell {
  std::uint32_t first = 0, end = 0;  ///< offsets
  std::vector<const SharedAccess*> accesses;
};

std::uint32_t end_of(const SharedAccess& access) {
  return access.offset + static_cast<std::uint32_t>(access.value.size() / 8);
}

std::vector<Cell> cells_of(std::vector<const SharedAccess*> accesses) {
  std::ranges::stable_sort(accesses, {}, [](const SharedAccess* access) { return access->offset; });
  std::vector<Cell> cells;
  for (const SharedAccess* access : accesses) {
    if (cells.empty() || access->offset >= cells.back().end)
      cells.push_back({access->offset, end_of(*access), {}});
    cells.back().end = std::max(cells.back().end, end_of(*access));
    cells.back().accesses.push_back(access);
  }
  return cells;
}

class CellEncoder {
 public:
  CellEncoder(Unrolling& unrolling, Cell& cell) : unrolling_(unrolling), cell_(cell) {
    // By threads; of a thread in its order, which is that of the list of all accesses.
    std::ranges::sort(cell_.accesses);
  }

  void encode(Bits content, std::size_t rounds) {
    content_ = std::move(content);
    for (std::size_t round = 0; round < rounds; ++round)
      for (const SharedAccess* access : cell_.accesses) make(*access, round);
  }

 private:
  void make(const SharedAccess& access, std::size_t round) {
    Circuit& circuit = unrolling_.circuit;
    const Wire begun = round == 0 ? kTrue : (*access.rounds)[round - 1];
    const Wire in_round = circuit.conjunction(begun, !(*access.rounds)[round]);
    const Wire active = circuit.conjunction(access.guard, in_round);
    if (active == kFalse) return;
    const std::size_t first = 8 * std::size_t{access.offset - cell_.first};
    for (std::size_t i = 0; i < access.value.size(); ++i) {
      Wire& held = content_[first + i];
      const Wire value = access.value[i];
      if (access.is_write) {
        held = circuit.choice(active, value, held);
      } else if (held != value) {
        unrolling_.requirements.push_back({!active, !value, held});
        unrolling_.requirements.push_back({!active, value, !held});
      }
    }
  }

  Unrolling& unrolling_;
  Cell& cell_;
  Bits content_;
};

}  // namespace

void encode_memory(Unrolling& unrolling, Objects& objects) {
  if (unrolling.accesses.empty()) return;
  std::map<std::uint32_t, std::vector<const SharedAccess*>> by_object;
  for (const SharedAccess& access : unrolling.accesses) by_object[access.object].push_back(&access);
  const std::size_t rounds = unrolling.accesses.front().rounds->size();
  for (auto& [object, accesses] : by_object) {
    for (Cell& cell : cells_of(accesses)) {
      Bits content;
      for (std::uint32_t offset = cell.first; offset < cell.end; ++offset) {
        const Byte& byte = objects.initial(unrolling.circuit, object, offset);
        content.insert(content.end(), byte.bits.begin(), byte.bits.end());
      }
      CellEncoder(unrolling, cell).encode(std::move(content), rounds);
    }
  }
}

}  // namespace heddle::engine::bounded
