/// Memory by the order of all moments.
///
/// Two points of different threads, at which threads may be switched, are ordered by a variable;
/// those of one thread by the program. Clauses for three points of different threads make the order
/// transitive, clauses for a point and its predecessor make it agree with the program and with the
/// creation of threads. Then there is a total order of all points: a cycle through more threads has
/// a shorter one inside.
///
/// A read sees one write before it, or the initial content, if no other write that is made lies
/// between the two [Alglave, Kroening and Tautschnig, "Partial orders for efficient bounded model
/// checking of concurrent software", CAV 2013]. Which one is a choice of the solver. Cells whose
/// accesses differ in their bytes are encoded byte by byte.

#include <algorithm>
#include <map>

#include "engine/bounded/encoding.hpp"

namespace heddle::engine::bounded {

namespace {

/// A part of an access: a word that is read or written as a whole.
struct Part {
  const SharedAccess* access = nullptr;
  Bits value;
};

class OrderEncoding final : public Encoding {
 public:
  explicit OrderEncoding(Unrolling& unrolling) : unrolling_(unrolling) {
    for (const MomentRef& point : unrolling.points) by_thread_[point->thread].push_back(point);
  }

  std::size_t expected_clauses() const {
    std::size_t clauses = 0;
    for (auto a = by_thread_.begin(); a != by_thread_.end(); ++a)
      for (auto b = std::next(a); b != by_thread_.end(); ++b)
        for (auto c = std::next(b); c != by_thread_.end(); ++c)
          clauses += 2 * a->second.size() * b->second.size() * c->second.size();
    for (const Cell& cell : cells_of(unrolling_)) {
      const auto is_write = [](const SharedAccess* access) { return access->is_write; };
      const auto writes = static_cast<std::size_t>(std::ranges::count_if(cell.accesses, is_write));
      clauses += (cell.accesses.size() - writes) * (writes + 1) * (writes + 1);
    }
    return clauses;
  }

  void encode(Objects& objects) {
    for (const MomentRef& point : unrolling_.points) follow_program(point);
    for (auto a = by_thread_.begin(); a != by_thread_.end(); ++a)
      for (auto b = std::next(a); b != by_thread_.end(); ++b)
        for (auto c = std::next(b); c != by_thread_.end(); ++c)
          be_transitive(a->second, b->second, c->second);
    for (const Cell& cell : cells_of(unrolling_)) encode(cell, objects);
  }

  bool comes_before(Clauses& model, const MomentRef& a, std::uint32_t thread_of_a,
                    const MomentRef& b, std::uint32_t thread_of_b) override {
    return model.value(before(a, b, thread_of_a < thread_of_b));
  }

  Wire precedes(const MomentRef& a, std::uint32_t thread_of_a, const MomentRef& b,
                std::uint32_t thread_of_b) override {
    return before(a, b, thread_of_a < thread_of_b);
  }

 private:
  /// Whether a comes before b; `if_same` if they are one point.
  Wire before(const MomentRef& a, const MomentRef& b, bool if_same) {
    if (a == b && !a->is_choice()) return constant(if_same);
    const auto key = std::tuple(a->number, b->number, if_same);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Circuit& circuit = unrolling_.circuit;
    Wire result;
    if (a->is_choice()) {
      result =
          circuit.choice(a->condition, before(a->first, b, if_same), before(a->second, b, if_same));
    } else if (b->is_choice()) {
      result =
          circuit.choice(b->condition, before(a, b->first, if_same), before(a, b->second, if_same));
    } else if (a->thread == b->thread || a->number == 0 || b->number == 0) {
      result = constant(a->number < b->number);
    } else {
      result = circuit.input();
      known_.emplace(std::tuple(b->number, a->number, false), !result);
      known_.emplace(std::tuple(b->number, a->number, true), !result);
      known_.emplace(std::tuple(a->number, b->number, !if_same), result);
    }
    known_.emplace(key, result);
    return result;
  }

  void require(std::vector<Wire> clause) {
    if (std::ranges::find(clause, kTrue) == clause.end())
      unrolling_.requirements.push_back(std::move(clause));
  }

  /// What is not after the predecessor of a point is before the point.
  void follow_program(const MomentRef& point) {
    if (point->first == nullptr) return;
    for (const auto& [thread, points] : by_thread_) {
      if (thread == point->thread) continue;
      for (const MomentRef& other : points)
        require({!before(other, point->first, true), before(other, point, false)});
    }
  }

  void be_transitive(const std::vector<MomentRef>& first, const std::vector<MomentRef>& second,
                     const std::vector<MomentRef>& third) {
    for (const MomentRef& a : first) {
      for (const MomentRef& b : second) {
        const Wire a_b = before(a, b, false);
        for (const MomentRef& c : third) {
          const Wire b_c = before(b, c, false);
          const Wire a_c = before(a, c, false);
          require({!a_b, !b_c, a_c});
          require({a_b, b_c, !a_c});
        }
      }
    }
  }

  // ---- Reads and writes

  void encode(const Cell& cell, Objects& objects) {
    const Bits initial = initial_content(unrolling_.circuit, objects, cell);
    const bool is_uniform = std::ranges::all_of(cell.accesses, [&](const SharedAccess* access) {
      return access->offset == cell.first && access->value.size() == initial.size();
    });
    if (is_uniform) {
      std::vector<Part> parts;
      for (const SharedAccess* access : cell.accesses) parts.push_back({access, access->value});
      return encode(parts, initial);
    }
    for (std::uint32_t offset = cell.first; offset < cell.end; ++offset) {
      std::vector<Part> parts;
      for (const SharedAccess* access : cell.accesses) {
        const std::size_t from = 8 * (std::size_t{offset} - access->offset);
        if (offset < access->offset || from >= access->value.size()) continue;
        const auto begin = access->value.begin() + static_cast<std::ptrdiff_t>(from);
        parts.push_back({access, Bits(begin, begin + 8)});
      }
      const auto begin = initial.begin() + 8 * std::ptrdiff_t{offset - cell.first};
      encode(parts, Bits(begin, begin + 8));
    }
  }

  void encode(const std::vector<Part>& parts, const Bits& initial) {
    std::vector<const Part*> writes;
    for (const Part& part : parts)
      if (part.access->is_write) writes.push_back(&part);
    for (const Part& part : parts)
      if (!part.access->is_write && part.value != initial) see(part, writes, initial);
  }

  Wire is_made(const SharedAccess& access) {
    return unrolling_.circuit.conjunction(access.guard, !access.moment->never);
  }

  /// Accesses of one thread are in the order of the list.
  Wire before(const SharedAccess& a, const SharedAccess& b) {
    if (a.thread == b.thread) return constant(&a < &b);
    return before(a.moment, b.moment, a.thread < b.thread);
  }

  /// `read` sees one of the writes, or what was there initially.
  void see(const Part& read, const std::vector<const Part*>& writes, const Bits& initial) {
    Circuit& circuit = unrolling_.circuit;
    const Wire at_end = read.access->at_end;
    const Wire is_read = circuit.disjunction(is_made(*read.access), at_end);
    const auto comes_later = [&](const Part* write) {
      return circuit.conjunction(!at_end, before(*read.access, *write->access));
    };
    std::vector<Wire> some = {!is_read};
    for (const Part* write : writes) {
      const Wire precedes = circuit.disjunction(at_end, before(*write->access, *read.access));
      if (precedes == kFalse) continue;
      const Wire seen = circuit.input();
      some.push_back(seen);
      require({!seen, precedes});
      require({!seen, is_made(*write->access)});
      agree(seen, read.value, write->value);
      for (const Part* other : writes) {
        if (other == write) continue;
        require({!seen, !is_made(*other->access), before(*other->access, *write->access),
                 comes_later(other)});
      }
    }
    const Wire untouched = circuit.input();
    some.push_back(untouched);
    agree(untouched, read.value, initial);
    for (const Part* other : writes)
      require({!untouched, !is_made(*other->access), comes_later(other)});
    require(std::move(some));
  }

  void agree(Wire condition, const Bits& a, const Bits& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      require({!condition, !a[i], b[i]});
      require({!condition, a[i], !b[i]});
    }
  }

  Unrolling& unrolling_;
  std::map<std::uint32_t, std::vector<MomentRef>> by_thread_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, Wire> known_;
};

}  // namespace

std::unique_ptr<Encoding> encode_order(Unrolling& unrolling, Objects& objects,
                                       std::size_t most_clauses) {
  auto encoding = std::make_unique<OrderEncoding>(unrolling);
  if (encoding->expected_clauses() > most_clauses) return nullptr;
  encoding->encode(objects);
  return encoding;
}

}  // namespace heddle::engine::bounded
