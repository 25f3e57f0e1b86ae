#include "transform/races/rough.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "transform/races/lifetimes.hpp"
#include "transform/races/locksets.hpp"
#include "transform/races/points_to.hpp"
#include "transform/races/unshared.hpp"

/// Two accesses are listed if they may be to the same bytes (points_to.cpp), one of them writes and
/// one is not atomic, two threads may make them at the same time (lifetimes.cpp), no lock is held
/// at both (locksets.cpp), and neither is to an object that no other thread knows yet
/// (unshared.cpp). Each of these is believed, not proved: objects of one place of allocation are
/// taken for one, functions are looked at once for all calls, and accesses inside our library
/// (memcpy) are left out. So this proves nothing; it says where to look.

namespace heddle::transform::races {

using namespace model::c;

namespace {

struct RoughAccess {
  std::uint32_t function = 0;
  std::uint32_t at = 0;
  Spot where;
  std::uint64_t bytes = 0;
  bool is_write = false, is_atomic = false;
};

/// A function that threads begin with.
struct Root {
  std::uint32_t function = 0;
  bool is_repeated = false;      ///< several threads begin with it
  bool has_own_argument = true;  ///< each of them is given other places, as far as is known
  std::vector<bool> reached;     ///< functions
};

class RoughSearch {
 public:
  RoughSearch(const Program& program, const std::function<bool()>& stops)
      : program_(program),
        stops_(stops),
        points_to_(program, stops),
        roots_(find_roots()),
        locksets_(points_to_, starts(), stops),
        lifetimes_(points_to_, stops),
        unshared_(points_to_, starts(), stops) {}

  std::vector<Warning> run() {
    find_shared();
    find_accesses();
    return warn();
  }

 private:
  // ---- threads

  std::vector<Root> find_roots() const {
    std::vector<Root> out;
    out.push_back(
        {program_.entry.value, false, true, points_to_.reached_from(program_.entry.value)});
    std::map<std::uint32_t, std::vector<Creation>> creations;
    for (const Creation& c : points_to_.creations()) creations[c.start].push_back(c);
    for (const auto& [start, list] : creations) {
      const auto is_repeated = [&](const Creation& c) {
        return points_to_.is_in_loop(c.function, c.at) || points_to_.is_repeated(c.function);
      };
      out.push_back({start, list.size() > 1 || is_repeated(list.front()), has_own_arguments(list),
                     points_to_.reached_from(start)});
    }
    return out;
  }

  Spots given_by(const Creation& c) const {
    const auto& create = std::get<Synchronise>(program_.functions[c.function].code[c.at].effect);
    return points_to_.values(c.function, create.arguments[2]);
  }

  /// No two creations hand over the same place; of elements of one array, this is believed.
  bool has_own_arguments(const std::vector<Creation>& creations) const {
    for (std::size_t i = 0; i < creations.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (const Spot& a : given_by(creations[i]))
          for (const Spot& b : given_by(creations[j]))
            if (a.object == b.object && a.offsets == b.offsets && a.offsets.stride == 0)
              return false;
    return true;
  }

  std::vector<std::uint32_t> starts() const {
    std::vector<std::uint32_t> out;
    for (const Root& root : roots_) out.push_back(root.function);
    return out;
  }

  /// Objects that more than one thread can know.
  void find_shared() {
    std::vector<ObjectPlace> pending;
    for (const Spot& spot : points_to_.handed_over()) pending.push_back(spot.object);
    for (std::uint32_t g = 0; g < program_.globals.size(); ++g)
      if (!program_.globals[g].is_thread_local && !program_.globals[g].is_constant &&
          !program_.globals[g].name.starts_with("__heddle"))
        pending.push_back({ObjectPlace::Kind::Global, g, 0});
    while (!pending.empty()) {
      const ObjectPlace object = pending.back();
      pending.pop_back();
      if (object.kind == ObjectPlace::Kind::Function || !shared_.insert(object).second) continue;
      for (const Spot& inner : points_to_.stored(object, kAnyOffset))
        pending.push_back(inner.object);
    }
  }

  // ---- accesses

  void find_accesses() {
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      if (function.is_library) continue;
      for (std::uint32_t at = 0; at < function.code.size(); ++at) {
        const auto note = [&](const Operand& address, std::uint64_t bytes, bool writes,
                              bool is_atomic) {
          if (!locksets_.held(f, at) || unshared_.is_new(f, at, address)) return;
          for (const Spot& spot : points_to_.values(f, address))
            if (shared_.contains(spot.object) && !is_of_library(spot.object))
              accesses_[spot.object].push_back(
                  {f, at, spot, bytes, writes, is_atomic || function.is_atomic});
        };
        const Effect& effect = function.code[at].effect;
        if (const auto* e = std::get_if<Load>(&effect))
          note(e->address, e->bytes, false, e->is_atomic);
        if (const auto* e = std::get_if<Store>(&effect))
          note(e->address, e->bytes, true, e->is_atomic);
        if (const auto* e = std::get_if<ReadModifyWrite>(&effect))
          note(e->address, e->bytes, true, true);
        if (const auto* e = std::get_if<CompareExchange>(&effect))
          note(e->address, e->bytes, true, true);
      }
    }
  }

  bool is_of_library(const ObjectPlace& object) const {
    if (object.kind == ObjectPlace::Kind::Allocation)
      return program_.functions[object.index].is_library;
    return program_.globals[object.index].name.starts_with("__heddle");
  }

  // ---- pairs

  /// Main prepares an element of an array and hands it to a new thread of this start routine, in
  /// one round of a loop: the access is to an element that no thread has yet.
  bool prepares(const RoughAccess& a, const Root& root) const {
    return std::ranges::any_of(points_to_.creations(), [&](const Creation& c) {
      if (c.start != root.function || c.function != a.function || a.at > c.at ||
          points_to_.loop(c.function, c.at) != points_to_.loop(a.function, a.at))
        return false;
      return std::ranges::any_of(given_by(c), [&](const Spot& s) {
        return s.object == a.where.object && s.offsets.stride > 1;
      });
    });
  }

  /// Two roots that may execute the accesses at the same time.
  std::optional<std::pair<std::size_t, std::size_t>> roots_of(const RoughAccess& a,
                                                              const RoughAccess& b) const {
    for (std::size_t r = 0; r < roots_.size(); ++r)
      for (std::size_t s = 0; s < roots_.size(); ++s) {
        if (!roots_[r].reached[a.function] || !roots_[s].reached[b.function]) continue;
        if (r == s && !roots_[r].is_repeated) continue;
        if (r == s && a.where.is_own && b.where.is_own && roots_[r].has_own_argument) continue;
        if (r == 0 && !lifetimes_.may_run(roots_[s].function, a.function, a.at)) continue;
        if (s == 0 && !lifetimes_.may_run(roots_[r].function, b.function, b.at)) continue;
        if ((r == 0 && b.where.is_own && prepares(a, roots_[s])) ||
            (s == 0 && a.where.is_own && prepares(b, roots_[r])))
          continue;
        return std::pair(r, s);
      }
    return std::nullopt;
  }

  const Spots& held(const RoughAccess& a) const { return *locksets_.held(a.function, a.at); }

  bool may_race(const RoughAccess& a, const RoughAccess& b) const {
    if ((!a.is_write && !b.is_write) || (a.is_atomic && b.is_atomic)) return false;
    return a.where.offsets.overlaps(b.where.offsets, a.bytes, b.bytes) &&
           std::ranges::none_of(held(a), [&](const Spot& lock) { return held(b).contains(lock); });
  }

  std::string name(const Spot& spot) const {
    if (spot.object.kind == ObjectPlace::Kind::Allocation) {
      const Instruction& made = program_.functions[spot.object.index].code[spot.object.at];
      const auto* e = std::get_if<Allocate>(&made.effect);
      if (e != nullptr && !e->name.empty())
        return program_.functions[spot.object.index].name + "." + e->name;
      return "an object allocated at line " + std::to_string(made.position.line);
    }
    const Global& global = program_.globals[spot.object.index];
    if (spot.offsets.offset <= 0 || spot.offsets.stride != 0 || !global.type) return global.name;
    const Type& type = program_.types[global.type->index()];
    for (const Type::Member& m : type.members)
      if (static_cast<std::int64_t>(m.offset) == spot.offsets.offset)
        return global.name + "." + m.name;
    return global.name;
  }

  AccessPlace place(const RoughAccess& a, std::size_t root) const {
    std::vector<std::string> mutexes;
    for (const Spot& lock : held(a)) mutexes.push_back(name(lock));
    return {root == 0 ? "main" : program_.functions[roots_[root].function].name, a.is_write,
            a.is_atomic, program_.functions[a.function].code[a.at].position, mutexes};
  }

  std::vector<Warning> warn() const {
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
    std::map<Key, Warning> found;
    for (const auto& [object, list] : accesses_) {
      if (stops_()) break;
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i; j < list.size(); ++j) {
          const RoughAccess &a = list[i], &b = list[j];
          if (!may_race(a, b)) continue;
          const auto roots = roots_of(a, b);
          if (!roots) continue;
          Warning made{name(a.where), place(a, roots->first), place(b, roots->second)};
          const auto at = [](const AccessPlace& p) {
            return std::pair(p.position.file, p.position.line);
          };
          if (at(made.second) < at(made.first)) std::swap(made.first, made.second);
          const Key key{made.first.position.file, made.first.position.line,
                        made.second.position.file, made.second.position.line, made.variable};
          found.try_emplace(key, std::move(made));
        }
    }
    std::vector<Warning> out;
    for (auto& [key, warning] : found) out.push_back(std::move(warning));
    return out;
  }

  const Program& program_;
  const std::function<bool()>& stops_;
  PointsTo points_to_;
  std::vector<Root> roots_;
  Locksets locksets_;
  Lifetimes lifetimes_;
  Unshared unshared_;
  std::set<ObjectPlace> shared_;
  std::map<ObjectPlace, std::vector<RoughAccess>> accesses_;
};

}  // namespace

std::vector<Warning> rough_warnings(const Program& program, const std::function<bool()>& stops) {
  return RoughSearch(program, stops).run();
}

}  // namespace heddle::transform::races
