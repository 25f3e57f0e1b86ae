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

#include <map>

#include "engine/bounded/encoding.hpp"

namespace heddle::engine::bounded {

namespace {

class RoundsEncoding final : public Encoding {
 public:
  RoundsEncoding(Unrolling& unrolling, std::uint32_t rounds)
      : unrolling_(unrolling), rounds_(rounds) {}

  void encode(Objects& objects) {
    for (const Cell& cell : cells_of(unrolling_)) {
      Bits content = initial_content(unrolling_.circuit, objects, cell);
      for (std::uint32_t round = 0; round < rounds_; ++round)
        for (const SharedAccess* access : cell.accesses) make(cell, *access, round, content);
      for (const SharedAccess* access : cell.accesses)
        if (!access->is_write) see(cell, *access, access->at_end, content);
    }
    for (const MomentRef& point : unrolling_.points) begun(point);
  }

  bool comes_before(Clauses& model, const MomentRef& a, std::uint32_t thread_of_a,
                    const MomentRef& b, std::uint32_t thread_of_b) override {
    return std::pair(round_of(model, a), thread_of_a) < std::pair(round_of(model, b), thread_of_b);
  }

  Wire precedes(const MomentRef& a, std::uint32_t thread_of_a, const MomentRef& b,
                std::uint32_t thread_of_b) override {
    const std::vector<Wire> begun_a = begun(a);
    const std::vector<Wire>& begun_b = begun(b);
    Circuit& circuit = unrolling_.circuit;
    Wire is_earlier = kFalse, is_later = kFalse;
    for (std::uint32_t i = 0; i < rounds_; ++i) {
      is_earlier = circuit.disjunction(is_earlier, circuit.conjunction(!begun_a[i], begun_b[i]));
      is_later = circuit.disjunction(is_later, circuit.conjunction(begun_a[i], !begun_b[i]));
    }
    return thread_of_a < thread_of_b ? !is_later : is_earlier;
  }

 private:
  std::uint32_t round_of(Clauses& model, const MomentRef& moment) {
    std::uint32_t round = 0;
    while (round < rounds_ && model.value(begun(moment)[round])) ++round;
    return round;
  }

  /// In unary: wire k says that it is round k + 1 or a later one; the last one, that it is never.
  const std::vector<Wire>& begun(const MomentRef& moment) {
    const auto found = begun_.find(moment->number);
    if (found != begun_.end()) return found->second;
    std::vector<Wire> wires(rounds_, kFalse);
    wires.back() = moment->never;
    if (moment->is_choice()) {
      const std::vector<Wire> second = begun(moment->second);
      wires = choice(unrolling_.circuit, moment->condition, begun(moment->first), second);
    } else if (moment->first != nullptr) {
      const std::vector<Wire>& before = begun(moment->first);
      for (std::uint32_t i = 0; i < rounds_; ++i) {
        if (i + 1 < rounds_) wires[i] = unrolling_.circuit.input();
        unrolling_.requirements.push_back({!before[i], wires[i]});
        if (i > 0) unrolling_.requirements.push_back({!wires[i], wires[i - 1]});
      }
    }
    return begun_.emplace(moment->number, std::move(wires)).first->second;
  }

  void make(const Cell& cell, const SharedAccess& access, std::uint32_t round, Bits& content) {
    Circuit& circuit = unrolling_.circuit;
    const std::vector<Wire>& rounds = begun(access.moment);
    const Wire has_begun = round == 0 ? kTrue : rounds[round - 1];
    const Wire in_round = circuit.conjunction(has_begun, !rounds[round]);
    const Wire active = circuit.conjunction(access.guard, in_round);
    if (active == kFalse) return;
    if (!access.is_write) return see(cell, access, active, content);
    const std::size_t first = 8 * std::size_t{access.offset - cell.first};
    for (std::size_t i = 0; i < access.value.size(); ++i) {
      Wire& held = content[first + i];
      held = circuit.choice(active, access.value[i], held);
    }
  }

  /// If the condition holds, a read agrees with the content.
  void see(const Cell& cell, const SharedAccess& read, Wire condition, const Bits& content) {
    if (condition == kFalse) return;
    const std::size_t first = 8 * std::size_t{read.offset - cell.first};
    for (std::size_t i = 0; i < read.value.size(); ++i) {
      const Wire held = content[first + i];
      const Wire value = read.value[i];
      if (held == value) continue;
      unrolling_.requirements.push_back({!condition, !value, held});
      unrolling_.requirements.push_back({!condition, value, !held});
    }
  }

  Unrolling& unrolling_;
  std::uint32_t rounds_;
  std::map<std::uint32_t, std::vector<Wire>> begun_;  ///< by numbers of moments
};

}  // namespace

std::unique_ptr<Encoding> encode_rounds(Unrolling& unrolling, Objects& objects,
                                        std::uint32_t rounds) {
  auto encoding = std::make_unique<RoundsEncoding>(unrolling, rounds);
  encoding->encode(objects);
  return encoding;
}

}  // namespace heddle::engine::bounded
