#include "transform/races/locksets.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/c/control_flow.hpp"

/// Locksets (Savage et al., Eraser, 1997) as a static analysis: forward through each function, with
/// what calls take and release. A lock counts if it is known which one it is: one place of one
/// object, where all objects of one place of allocation are taken for one. Read locks count like
/// write locks, and semaphores that begin with 1 like mutexes. A lock that is only tried does not
/// count.

namespace heddle::transform::races {

using namespace model::c;

namespace {

using Names = std::array<std::string_view, 4>;
constexpr Names kTakes = {"pthread_rwlock_wrlock", "pthread_rwlock_rdlock", "pthread_spin_lock",
                          ""};
constexpr Names kReleases = {"pthread_rwlock_unlock", "pthread_spin_unlock", "", ""};

bool has(const Names& names, std::string_view name) {
  return !name.empty() && std::ranges::find(names, name) != names.end();
}

const std::string* called(const Program& program, const Call& call) {
  if (call.callee.kind != Operand::Kind::Function || call.arguments.empty()) return nullptr;
  return &program.functions[call.callee.index].name;
}

/// Locks of elements are told apart by their offsets alone, whoever uses them.
Spots named(const Spots& spots) {
  Spots out;
  for (Spot spot : spots) {
    spot.is_own = false;
    out.insert(spot);
  }
  return out;
}

bool is_one(const Spots& spots) { return spots.size() == 1 && spots.begin()->offsets.stride != 1; }

void keep_common(Spots& of, const Spots& with) {
  std::erase_if(of, [&](const Spot& lock) { return !with.contains(lock); });
}

}  // namespace

Locksets::Locksets(const PointsTo& points_to, const std::vector<std::uint32_t>& roots,
                   const std::function<bool()>& stops)
    : points_to_(points_to),
      program_(points_to.program()),
      summaries_(program_.functions.size()),
      held_(program_.functions.size()) {
  find_semaphores();
  summarise(stops);
  search(roots, stops);
}

void Locksets::find_semaphores() {
  Spots others;
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f)
    for (const Instruction& i : program_.functions[f].code) {
      const auto* call = std::get_if<Call>(&i.effect);
      const std::string* name = call != nullptr ? called(program_, *call) : nullptr;
      if (name == nullptr || *name != "sem_init" || call->arguments.size() < 3) continue;
      const Operand& count = call->arguments[2];
      const bool is_mutex = count.kind == Operand::Kind::Constant && count.value == 1;
      (is_mutex ? semaphores_ : others).merge(named(points_to_.values(f, call->arguments[0])));
    }
  std::erase_if(semaphores_, [&](const Spot& s) { return others.contains(s); });
}

/// The lock that an instruction takes or releases; several: it is not known which.
Locksets::Change Locksets::change_of(std::uint32_t f, std::uint32_t at, Spots& which) const {
  const Effect& effect = program_.functions[f].code[at].effect;
  if (const auto* e = std::get_if<Synchronise>(&effect)) {
    const bool takes = e->operation == SyncOperation::MutexLock;
    if (!takes && e->operation != SyncOperation::MutexUnlock) return Change::None;
    which = named(points_to_.values(f, e->arguments[0]));
    return takes ? Change::Take : Change::Release;
  }
  const auto* call = std::get_if<Call>(&effect);
  const std::string* name = call != nullptr ? called(program_, *call) : nullptr;
  if (name == nullptr) return Change::None;
  const bool takes_semaphore = *name == "sem_wait", releases_semaphore = *name == "sem_post";
  const bool takes = takes_semaphore || has(kTakes, *name);
  if (!takes && !releases_semaphore && !has(kReleases, *name)) return Change::None;
  which = named(points_to_.values(f, call->arguments[0]));
  const auto is_mutex = [&](const Spot& s) { return semaphores_.contains(s); };
  if ((takes_semaphore || releases_semaphore) && !std::ranges::all_of(which, is_mutex))
    return Change::None;
  return takes ? Change::Take : Change::Release;
}

Spots Locksets::behind(std::uint32_t f, std::uint32_t at, Spots held, Summary* summary) const {
  Spots which;
  const Change change = change_of(f, at, which);
  if (change == Change::Take) {
    if (is_one(which)) held.insert(*which.begin());
    return held;
  }
  if (change == Change::Release) {
    const bool is_any = !is_one(which);
    if (summary != nullptr) {
      summary->releases_any = summary->releases_any || is_any;
      if (!is_any) summary->released.insert(*which.begin());
    }
    if (is_any)
      held.clear();
    else
      held.erase(*which.begin());
    return held;
  }
  if (!std::holds_alternative<Call>(program_.functions[f].code[at].effect)) return held;
  std::optional<Spots> out;
  for (const auto& [site, callee] : points_to_.calls(f)) {
    if (site != at) continue;
    const Summary& of = summaries_[callee];
    Spots after = of.releases_any ? Spots{} : held;
    for (const Spot& lock : of.released) after.erase(lock);
    after.insert(of.taken.begin(), of.taken.end());
    if (summary != nullptr) {
      summary->releases_any = summary->releases_any || of.releases_any;
      summary->released.insert(of.released.begin(), of.released.end());
    }
    if (!out) out = after;
    keep_common(*out, after);
  }
  return out ? *out : held;
}

std::vector<std::optional<Spots>> Locksets::flow(std::uint32_t f, const Spots& entry,
                                                 Summary* summary) const {
  const Function& function = program_.functions[f];
  std::vector<std::optional<Spots>> held(function.code.size());
  std::vector<Location> pending;
  const auto reach = [&](Location at, const Spots& locks) {
    auto& known = held[at.index()];
    if (known && std::ranges::includes(locks, *known)) return;
    if (known)
      keep_common(*known, locks);
    else
      known = locks;
    pending.push_back(at);
  };
  if (!held.empty()) reach(Location(0U), entry);
  while (!pending.empty()) {
    const Location at = pending.back();
    pending.pop_back();
    const Spots after = behind(f, at.value, *held[at.index()], summary);
    for (const Location to : successors(function, at)) reach(to, after);
  }
  return held;
}

void Locksets::summarise(const std::function<bool()>& stops) {
  for (int pass = 0; pass < 8 && !stops(); ++pass)
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      Summary made;
      const auto held = flow(f, {}, &made);
      std::optional<Spots> at_end;
      for (std::uint32_t at = 0; at < held.size(); ++at) {
        if (!held[at] || !std::holds_alternative<Return>(program_.functions[f].code[at].effect))
          continue;
        if (!at_end) at_end = held[at];
        keep_common(*at_end, *held[at]);
      }
      if (at_end) made.taken = std::move(*at_end);
      summaries_[f] = std::move(made);
    }
}

/// Through calls, from the functions with which threads begin.
void Locksets::search(const std::vector<std::uint32_t>& roots, const std::function<bool()>& stops) {
  std::vector<std::optional<Spots>> entry(program_.functions.size());
  for (const std::uint32_t root : roots) entry[root] = Spots{};
  std::set<std::uint32_t> pending(roots.begin(), roots.end());
  while (!pending.empty() && !stops()) {
    const std::uint32_t f = *pending.begin();
    pending.erase(pending.begin());
    held_[f] = flow(f, *entry[f], nullptr);
    for (const auto& [at, callee] : points_to_.calls(f)) {
      const auto& held = held_[f][at];
      if (!held) continue;
      auto& known = entry[callee];
      const bool is_new = !known;
      const std::size_t before = is_new ? 0 : known->size();
      if (is_new)
        known = *held;
      else
        keep_common(*known, *held);
      if (is_new || known->size() != before) pending.insert(callee);
    }
  }
}

}  // namespace heddle::transform::races
