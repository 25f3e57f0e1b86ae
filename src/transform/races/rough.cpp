#include "transform/races/rough.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

/// Locksets without contexts (Savage et al., Eraser, 1997, as a static analysis). Each function is
/// looked at once, whoever calls it: pointers by places of allocation with constant offsets where
/// they are known, mutexes held by a forward analysis with what calls take and release, threads by
/// their start routines. Accesses of main before any thread may exist do not count. What is not
/// told apart: objects of one place of allocation, threads that have been joined, values. Accesses
/// inside our library (memcpy) are left out. So this proves nothing; it says where to look.

namespace heddle::transform::races {

using namespace model::c;

namespace {

constexpr std::int64_t kSomewhere = -1;

/// A place in memory, or a function: what a pointer may point to.
struct Spot {
  enum class Kind : std::uint8_t { Global, Allocation, Function } kind = Kind::Global;
  std::uint32_t index = 0;  ///< of the global or function; of an allocation: its function
  std::uint32_t at = 0;     ///< of an allocation: its location
  std::int64_t offset = 0;
  friend auto operator<=>(const Spot&, const Spot&) = default;
  Spot base() const { return {kind, index, at, 0}; }
};
using Spots = std::set<Spot>;
using Locks = std::set<Spot>;

struct RoughAccess {
  std::uint32_t function = 0;
  std::uint32_t at = 0;
  Spot where;
  std::uint64_t bytes = 0;
  bool is_write = false, is_atomic = false;
  Locks held;
};

class RoughSearch {
 public:
  RoughSearch(const Program& program, const std::function<bool()>& stops)
      : program_(program),
        stops_(stops),
        registers_(program.functions.size()),
        calls_(program.functions.size()) {
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      registers_[f].resize(program.functions[f].register_widths.size());
  }

  std::vector<Warning> run() {
    for (std::uint32_t g = 0; g < program_.globals.size(); ++g)
      for (const Relocation& r : program_.globals[g].relocations)
        content_[{Spot::Kind::Global, g, 0, static_cast<std::int64_t>(r.offset)}].insert(
            spot_of(r.target));
    is_changed_ = true;
    for (int pass = 0; pass < 60 && is_changed_ && !stops_(); ++pass) {
      is_changed_ = false;
      for (function_ = 0; function_ < program_.functions.size(); ++function_)
        for (at_ = 0; at_ < code().size(); ++at_) follow(code()[at_].effect);
    }
    find_roots();
    find_shared();
    summarise_locks();
    find_accesses();
    return warn();
  }

 private:
  const std::vector<Instruction>& code() const { return program_.functions[function_].code; }

  // ---- pointers

  static Spot spot_of(const Operand& target) {
    const bool is_function = target.kind == Operand::Kind::Function;
    return {is_function ? Spot::Kind::Function : Spot::Kind::Global, target.index, 0,
            is_function ? 0 : static_cast<std::int64_t>(target.value)};
  }

  Spots value(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Constant: return {};
      case Operand::Kind::Register: return registers_[function_][operand.index];
      case Operand::Kind::Global:
      case Operand::Kind::Function: break;
    }
    return {spot_of(operand)};
  }

  void add(Spots& to, const Spots& more) {
    for (const Spot& spot : more) {
      if (to.contains({spot.kind, spot.index, spot.at, kSomewhere})) continue;
      // Too many offsets of one object are all of it.
      const auto same =
          std::ranges::count_if(to, [&](const Spot& other) { return other.base() == spot.base(); });
      Spot kept = spot;
      if (same >= 24) kept.offset = kSomewhere;
      is_changed_ = to.insert(kept).second || is_changed_;
    }
  }
  void set(Register to, const Spots& spots) { add(registers_[function_][to.index()], spots); }

  static Spots moved(const Spots& spots, std::optional<std::int64_t> by) {
    Spots out;
    for (Spot spot : spots) {
      if (spot.kind != Spot::Kind::Function)
        spot.offset = by && spot.offset != kSomewhere && spot.offset + *by >= 0 ? spot.offset + *by
                                                                                : kSomewhere;
      out.insert(spot);
    }
    return out;
  }

  /// What is stored there; of a place that is not known, what is stored anywhere in the object.
  Spots stored(const Spot& at) const {
    Spots out;
    const Spot all{at.kind, at.index, at.at, kSomewhere};
    for (auto i = content_.lower_bound(all); i != content_.end() && i->first.base() == at.base();
         ++i)
      if (at.offset == kSomewhere || i->first.offset == kSomewhere || i->first.offset == at.offset)
        out.insert(i->second.begin(), i->second.end());
    return out;
  }

  void follow(const Effect& effect) {
    if (const auto* e = std::get_if<Compute>(&effect)) {
      Spots out = value(e->a);
      if (e->op == Operator::Add || e->op == Operator::Sub) {
        const bool is_known = e->b.kind == Operand::Kind::Constant;
        const auto by = static_cast<std::int64_t>(e->b.value);
        out =
            moved(out, is_known ? std::optional(e->op == Operator::Add ? by : -by) : std::nullopt);
        for (const Spot& s : moved(value(e->b), std::nullopt)) out.insert(s);
      } else if (e->op == Operator::Select) {
        out = value(e->b);
        for (const Spot& s : value(e->c)) out.insert(s);
      } else if (e->op != Operator::Copy && e->op != Operator::ZeroExtend &&
                 e->op != Operator::Truncate && e->op != Operator::SignExtend) {
        out = moved(out, std::nullopt);
      }
      if (e->to_width > 1) set(e->to, out);
    } else if (const auto* a = std::get_if<Assign>(&effect)) {
      for (const auto& [to, from] : a->copies) set(to, value(from));
    } else if (const auto* allocation = std::get_if<Allocate>(&effect)) {
      set(allocation->to, {{Spot::Kind::Allocation, function_, at_, 0}});
    } else if (const auto* load = std::get_if<Load>(&effect)) {
      for (const Spot& s : value(load->address)) set(load->to, stored(s));
    } else if (const auto* store = std::get_if<Store>(&effect)) {
      for (const Spot& s : value(store->address)) add(content_[s], value(store->value));
    } else if (const auto* rmw = std::get_if<ReadModifyWrite>(&effect)) {
      for (const Spot& s : value(rmw->address)) {
        set(rmw->to, stored(s));
        add(content_[s], value(rmw->value));
      }
    } else if (const auto* cas = std::get_if<CompareExchange>(&effect)) {
      for (const Spot& s : value(cas->address)) {
        set(cas->old, stored(s));
        add(content_[s], value(cas->desired));
      }
    } else if (const auto* call = std::get_if<Call>(&effect)) {
      follow_call(*call);
    } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
      if (sync->operation == SyncOperation::CreateThread) follow_create(*sync);
    }
  }

  void pass(std::uint32_t callee, const std::vector<Operand>& arguments) {
    const Function& f = program_.functions[callee];
    for (std::size_t i = 0; i < arguments.size() && i < f.parameters; ++i)
      add(registers_[callee][i], value(arguments[i]));
  }

  void follow_call(const Call& e) {
    for (const Spot& s : value(e.callee)) {
      if (s.kind != Spot::Kind::Function) continue;
      is_changed_ = calls_[function_].emplace(at_, s.index).second || is_changed_;
      pass(s.index, e.arguments);
      for (const Instruction& i : program_.functions[s.index].code) {
        const auto* r = std::get_if<Return>(&i.effect);
        if (r == nullptr) continue;
        for (std::size_t v = 0; v < r->values.size() && v < e.to.size(); ++v) {
          const bool is_register = r->values[v].kind == Operand::Kind::Register;
          set(e.to[v],
              is_register ? Spots(registers_[s.index][r->values[v].index]) : value(r->values[v]));
        }
      }
    }
  }

  void follow_create(const Synchronise& e) {
    for (const Spot& s : value(e.arguments[1])) {
      if (s.kind != Spot::Kind::Function) continue;
      is_changed_ = creations_.emplace(function_, at_, s.index).second || is_changed_;
      pass(s.index, {e.arguments[2]});
      add(handed_over_, value(e.arguments[2]));
    }
  }

  // ---- threads

  std::vector<bool> reached_from(std::uint32_t root) const {
    std::vector<bool> seen(program_.functions.size());
    std::vector<std::uint32_t> work = {root};
    seen[root] = true;
    while (!work.empty()) {
      const std::uint32_t f = work.back();
      work.pop_back();
      for (const auto& [at, callee] : calls_[f])
        if (!seen[callee]) {
          seen[callee] = true;
          work.push_back(callee);
        }
    }
    return seen;
  }

  std::vector<std::uint32_t> next(std::uint32_t f, std::uint32_t at) const {
    const Effect& effect = program_.functions[f].code[at].effect;
    if (const auto* a = std::get_if<Assign>(&effect)) return {a->next.value};
    if (const auto* j = std::get_if<Jump>(&effect)) return {j->next.value};
    if (const auto* b = std::get_if<Branch>(&effect)) return {b->if_true.value, b->if_false.value};
    if (const auto* s = std::get_if<Switch>(&effect)) {
      std::vector<std::uint32_t> out = {s->otherwise.value};
      for (const auto& [bits, to] : s->cases) out.push_back(to.value);
      return out;
    }
    if (std::holds_alternative<Return>(effect) || std::holds_alternative<Exit>(effect) ||
        std::holds_alternative<Fail>(effect) || std::holds_alternative<Unsupported>(effect))
      return {};
    if (at + 1 >= program_.functions[f].code.size()) return {};
    return {at + 1};
  }

  bool is_in_loop(std::uint32_t f, std::uint32_t at) const {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work = {at};
    while (!work.empty()) {
      const std::uint32_t from = work.back();
      work.pop_back();
      for (const std::uint32_t to : next(f, from)) {
        if (to == at) return true;
        if (seen.insert(to).second) work.push_back(to);
      }
    }
    return false;
  }

  /// A function that may be executed more than once.
  bool is_repeated(std::uint32_t f, std::set<std::uint32_t> seen = {}) const {
    if (!seen.insert(f).second) return true;
    std::size_t callers = 0;
    for (std::uint32_t g = 0; g < calls_.size(); ++g)
      for (const auto& [at, callee] : calls_[g]) {
        if (callee != f) continue;
        if (++callers > 1 || is_in_loop(g, at) || is_repeated(g, seen)) return true;
      }
    return false;
  }

  void find_roots() {
    std::map<std::uint32_t, std::size_t> starts;
    for (const auto& [f, at, start] : creations_) {
      starts[start] += is_in_loop(f, at) || is_repeated(f) ? 2 : 1;
      creators_.insert(f);
    }
    roots_.push_back({program_.entry.value, false, reached_from(program_.entry.value)});
    for (const auto& [start, count] : starts)
      roots_.push_back({start, count > 1, reached_from(start)});
    may_create_.resize(program_.functions.size());
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      const std::vector<bool> reached = reached_from(f);
      may_create_[f] = std::ranges::any_of(creators_, [&](std::uint32_t g) { return reached[g]; });
    }
    find_alone();
  }

  /// Instructions that main executes while there is no other thread.
  void find_alone() {
    std::vector<std::optional<bool>> entry(program_.functions.size());  // whether alone at first
    entry[program_.entry.index()] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
        if (!entry[f]) continue;
        auto& alone = alone_[f];
        alone.assign(program_.functions[f].code.size(), std::nullopt);
        std::vector<std::uint32_t> work;
        const auto reach = [&](std::uint32_t at, bool is_alone) {
          if (alone[at] && (!*alone[at] || is_alone)) return;
          alone[at] = is_alone;
          work.push_back(at);
        };
        if (!alone.empty()) reach(0, *entry[f]);
        while (!work.empty()) {
          const std::uint32_t at = work.back();
          work.pop_back();
          bool is_alone = *alone[at];
          for (const auto& [site, callee] : calls_[f]) {
            if (site != at) continue;
            if (!entry[callee] || (*entry[callee] && !is_alone)) {
              entry[callee] = is_alone;
              changed = true;
            }
            if (may_create_[callee]) is_alone = false;
          }
          for (const auto& [g, site, start] : creations_)
            if (g == f && site == at) is_alone = false;
          for (const std::uint32_t to : next(f, at)) reach(to, is_alone);
        }
      }
    }
  }

  /// Objects that more than one thread can know.
  void find_shared() {
    std::vector<Spot> work(handed_over_.begin(), handed_over_.end());
    for (std::uint32_t g = 0; g < program_.globals.size(); ++g)
      if (!program_.globals[g].is_thread_local && !program_.globals[g].is_constant &&
          !program_.globals[g].name.starts_with("__heddle"))
        work.push_back({Spot::Kind::Global, g, 0, 0});
    while (!work.empty()) {
      const Spot spot = work.back().base();
      work.pop_back();
      if (spot.kind == Spot::Kind::Function || !shared_.insert(spot).second) continue;
      const Spots inner = stored({spot.kind, spot.index, spot.at, kSomewhere});
      work.insert(work.end(), inner.begin(), inner.end());
    }
  }

  // ---- mutexes

  /// The mutex that an instruction takes or releases; several: none is known.
  enum class Change : std::uint8_t { None, Take, Release };
  Change change_of(std::uint32_t f, std::uint32_t at, Spots& which) const {
    const Effect& effect = program_.functions[f].code[at].effect;
    const auto value_in = [&](const Operand& o) {
      if (o.kind == Operand::Kind::Register) return registers_[f][o.index];
      return o.kind == Operand::Kind::Global ? Spots{spot_of(o)} : Spots{};
    };
    if (const auto* e = std::get_if<Synchronise>(&effect)) {
      const bool takes = e->operation == SyncOperation::MutexLock;
      if (!takes && e->operation != SyncOperation::MutexUnlock) return Change::None;
      which = value_in(e->arguments[0]);
      return takes ? Change::Take : Change::Release;
    }
    const auto* call = std::get_if<Call>(&effect);
    if (call == nullptr || call->callee.kind != Operand::Kind::Function || call->arguments.empty())
      return Change::None;
    const std::string& name = program_.functions[call->callee.index].name;
    const bool takes = name == "pthread_rwlock_wrlock" || name == "pthread_rwlock_rdlock" ||
                       name == "pthread_spin_lock";
    if (!takes && name != "pthread_rwlock_unlock" && name != "pthread_spin_unlock")
      return Change::None;
    which = value_in(call->arguments[0]);
    return takes ? Change::Take : Change::Release;
  }

  static bool is_one(const Spots& spots) {
    return spots.size() == 1 && spots.begin()->offset != kSomewhere;
  }

  struct Summary {
    Locks taken;     ///< held at the end, if nothing was at the beginning
    Locks released;  ///< perhaps
    bool releases_any = false;
  };

  /// What is held behind an instruction.
  Locks behind(std::uint32_t f, std::uint32_t at, Locks held, Summary* summary) const {
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
    std::optional<Locks> out;
    for (const auto& [site, callee] : calls_[f]) {
      if (site != at) continue;
      const Summary& of = summaries_[callee];
      Locks after = held;
      if (of.releases_any) after.clear();
      for (const Spot& lock : of.released) after.erase(lock);
      after.insert(of.taken.begin(), of.taken.end());
      if (summary != nullptr) {
        summary->releases_any = summary->releases_any || of.releases_any;
        summary->released.insert(of.released.begin(), of.released.end());
      }
      if (!out) out = after;
      std::erase_if(*out, [&](const Spot& lock) { return !after.contains(lock); });
    }
    return out ? *out : held;
  }

  /// Mutexes held before each instruction, from those at the entry.
  std::vector<std::optional<Locks>> flow(std::uint32_t f, const Locks& entry,
                                         Summary* summary) const {
    const std::size_t size = program_.functions[f].code.size();
    std::vector<std::optional<Locks>> held(size);
    std::vector<std::uint32_t> work;
    const auto reach = [&](std::uint32_t at, const Locks& locks) {
      if (held[at]) {
        const auto gone = [&](const Spot& lock) { return !locks.contains(lock); };
        if (std::erase_if(*held[at], gone) == 0) return;
      } else {
        held[at] = locks;
      }
      work.push_back(at);
    };
    if (size > 0) reach(0, entry);
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      const Locks after = behind(f, at, *held[at], summary);
      for (const std::uint32_t to : next(f, at)) reach(to, after);
    }
    return held;
  }

  void summarise_locks() {
    summaries_.resize(program_.functions.size());
    for (int pass = 0; pass < 8 && !stops_(); ++pass)
      for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
        Summary made;
        const auto held = flow(f, {}, &made);
        std::optional<Locks> at_end;
        for (std::uint32_t at = 0; at < held.size(); ++at) {
          if (!held[at] || !std::holds_alternative<Return>(program_.functions[f].code[at].effect))
            continue;
          if (!at_end) at_end = held[at];
          std::erase_if(*at_end, [&](const Spot& lock) { return !held[at]->contains(lock); });
        }
        if (at_end) made.taken = std::move(*at_end);
        summaries_[f] = std::move(made);
      }
  }

  // ---- accesses

  void find_accesses() {
    std::vector<std::optional<Locks>> entry(program_.functions.size());
    for (const Root& root : roots_) entry[root.function] = Locks{};
    held_.resize(program_.functions.size());
    for (bool changed = true; changed && !stops_();) {
      changed = false;
      for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
        if (!entry[f]) continue;
        held_[f] = flow(f, *entry[f], nullptr);
        for (const auto& [at, callee] : calls_[f]) {
          if (!held_[f][at]) continue;
          if (!entry[callee]) {
            entry[callee] = held_[f][at];
            changed = true;
          } else {
            const auto gone = [&](const Spot& lock) { return !held_[f][at]->contains(lock); };
            changed = std::erase_if(*entry[callee], gone) > 0 || changed;
          }
        }
      }
    }
    for (function_ = 0; function_ < program_.functions.size(); ++function_) {
      if (program_.functions[function_].is_library) continue;
      for (at_ = 0; at_ < code().size(); ++at_) {
        const Effect& effect = code()[at_].effect;
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

  void note(const Operand& address, std::uint64_t bytes, bool writes, bool is_atomic) {
    if (held_[function_].size() <= at_ || !held_[function_][at_]) return;
    const bool in_atomic = program_.functions[function_].is_atomic;
    const auto is_ours = [&](const Spot& spot) {
      return spot.kind == Spot::Kind::Allocation && program_.functions[spot.index].is_library;
    };
    for (const Spot& spot : value(address))
      if (shared_.contains(spot.base()) && !is_ours(spot))
        accesses_[spot.base()].push_back(
            {function_, at_, spot, bytes, writes, is_atomic || in_atomic, *held_[function_][at_]});
  }

  // ---- pairs

  struct Root {
    std::uint32_t function = 0;
    bool is_repeated = false;
    std::vector<bool> reached;
  };

  bool is_alone(const RoughAccess& a) const {
    const auto found = alone_.find(a.function);
    return found != alone_.end() && found->second[a.at].value_or(false);
  }

  static bool overlap(const RoughAccess& a, const RoughAccess& b) {
    if (a.where.offset == kSomewhere || b.where.offset == kSomewhere) return true;
    return a.where.offset < b.where.offset + static_cast<std::int64_t>(b.bytes) &&
           b.where.offset < a.where.offset + static_cast<std::int64_t>(a.bytes);
  }

  /// Two roots that may execute the accesses at the same time.
  std::optional<std::pair<std::size_t, std::size_t>> roots_of(const RoughAccess& a,
                                                              const RoughAccess& b) const {
    for (std::size_t r = 0; r < roots_.size(); ++r)
      for (std::size_t s = 0; s < roots_.size(); ++s) {
        if (!roots_[r].reached[a.function] || !roots_[s].reached[b.function]) continue;
        if (r == s && !roots_[r].is_repeated) continue;
        if ((r == 0 && is_alone(a)) || (s == 0 && is_alone(b))) continue;
        return std::pair(r, s);
      }
    return std::nullopt;
  }

  std::vector<std::string> names(const Locks& locks) const {
    std::vector<std::string> out;
    for (const Spot& lock : locks) out.push_back(name(lock));
    return out;
  }

  std::string name(const Spot& spot) const {
    if (spot.kind == Spot::Kind::Allocation) {
      const Instruction& made = program_.functions[spot.index].code[spot.at];
      const auto* e = std::get_if<Allocate>(&made.effect);
      if (e != nullptr && !e->name.empty())
        return program_.functions[spot.index].name + "." + e->name;
      return "an object allocated at line " + std::to_string(made.position.line);
    }
    const Global& global = program_.globals[spot.index];
    if (spot.offset <= 0 || !global.type) return global.name;
    const Type& type = program_.types[global.type->index()];
    for (const Type::Member& m : type.members)
      if (static_cast<std::int64_t>(m.offset) == spot.offset) return global.name + "." + m.name;
    return global.name;
  }

  AccessPlace place(const RoughAccess& a, std::size_t root) const {
    return {root == 0 ? "main" : program_.functions[roots_[root].function].name, a.is_write,
            a.is_atomic, program_.functions[a.function].code[a.at].position, names(a.held)};
  }

  std::vector<Warning> warn() const {
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
    std::map<Key, Warning> found;
    for (const auto& [object, list] : accesses_) {
      if (stops_()) break;
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i; j < list.size(); ++j) {
          const RoughAccess &a = list[i], &b = list[j];
          if ((!a.is_write && !b.is_write) || (a.is_atomic && b.is_atomic) || !overlap(a, b))
            continue;
          if (std::ranges::any_of(a.held, [&](const Spot& m) { return b.held.contains(m); }))
            continue;
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
  std::vector<std::vector<Spots>> registers_;
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> calls_;  ///< location, callee
  std::map<Spot, Spots> content_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> creations_;
  Spots handed_over_;
  bool is_changed_ = false;
  std::uint32_t function_ = 0, at_ = 0;
  std::set<std::uint32_t> creators_;
  std::vector<bool> may_create_;
  std::vector<Root> roots_;
  std::map<std::uint32_t, std::vector<std::optional<bool>>> alone_;
  std::set<Spot> shared_;
  std::vector<Summary> summaries_;
  std::vector<std::vector<std::optional<Locks>>> held_;
  std::map<Spot, std::vector<RoughAccess>> accesses_;
};

}  // namespace

std::vector<Warning> rough_warnings(const Program& program, const std::function<bool()>& stops) {
  return RoughSearch(program, stops).run();
}

}  // namespace heddle::transform::races
