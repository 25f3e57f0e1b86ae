#include "solver/bdd.hpp"

#include <bdd.h>
#undef bdd_ithvar  // which stands for a function of BuDDy's own class

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <unordered_set>

#include "base/invariant.hpp"

/// BuDDy's own C++ class is not used: it prints and exits when memory is short. Out of memory,
/// BuDDy calls the error hook and returns 0 from then on; `checked` turns that into std::bad_alloc,
/// and the space is of no use any more but for being destroyed. Reordering is never switched on.
///
/// BuDDy keeps intermediate results on a stack, from which a collection marks what is in use. It
/// takes the place for a result before it calls the function that computes it, so a collection
/// within that call follows whatever the fresh memory of the stack holds. We clear it.
///
/// BuDDy keeps all renamings in a list, which it walks through to free one, and what it has
/// computed by one is lost on another that is equal. A program of a million statements has as many
/// renamings, few of which differ. So there is one of each, for as long as the space is alive.

/// BuDDy's own, which its header leaves out.
extern "C" int* bddrefstack;

namespace heddle::solver {

namespace {

constexpr int kFirstNodes = 20'000;
constexpr int kFirstCache = 10'000;
constexpr int kCacheRatio = 4;            ///< nodes per place in a cache
constexpr int kMostNewNodes = 4'000'000;  ///< that the table grows by at once

/// In the table, while it grows, and in the caches. BuDDy does not survive that a cache finds no
/// memory, so the table is kept from growing that far.
constexpr std::uint64_t kBytesPerNode = 80;

/// What the error hook has seen: BuDDy has no other way to say it.
int last_error = 0;

void note_error(int code) { last_error = code; }

int checked(int root) {
  if (last_error == 0 && root >= 0) return root;
  const int code = last_error != 0 ? last_error : root;
  if (code == BDD_MEMORY || code == BDD_NODENUM) throw std::bad_alloc();
  throw base::InternalError(std::string("decision diagrams: ") + bdd_errstring(code));
}

/// The renamings of the space, as BuDDy has them, by what they replace.
std::map<std::vector<std::pair<BddVariable, BddVariable>>, bddPair*> renamings;

bddPair* new_renaming(std::span<const std::pair<BddVariable, BddVariable>> from_to) {
  bddPair* const pairs = bdd_newpair();
  if (!pairs) throw std::bad_alloc();
  for (const auto& [from, to] : from_to)
    bdd_setpair(pairs, static_cast<int>(from), static_cast<int>(to));
  return pairs;
}

}  // namespace

Bdd::Bdd(int root) : root_(bdd_addref(checked(root))) {}
Bdd::Bdd(const Bdd& other) : root_(other.root_) {
  if (root_ > 1) bdd_addref(root_);
}
Bdd& Bdd::operator=(const Bdd& other) {
  if (this != &other) *this = Bdd(other);
  return *this;
}
Bdd& Bdd::operator=(Bdd&& other) noexcept {
  Bdd taken(std::move(other));
  std::swap(root_, taken.root_);
  return *this;
}
Bdd::~Bdd() {
  if (root_ > 1 && bdd_isrunning()) bdd_delref(root_);
}

Bdd Bdd::operator&(const Bdd& other) const { return Bdd(bdd_apply(root_, other.root_, bddop_and)); }
Bdd Bdd::operator|(const Bdd& other) const { return Bdd(bdd_apply(root_, other.root_, bddop_or)); }
Bdd Bdd::operator-(const Bdd& other) const {
  return Bdd(bdd_apply(root_, other.root_, bddop_diff));
}
Bdd Bdd::operator!() const { return Bdd(bdd_not(root_)); }
Bdd Bdd::iff(const Bdd& other) const { return Bdd(bdd_apply(root_, other.root_, bddop_biimp)); }
Bdd Bdd::ite(const Bdd& then, const Bdd& otherwise) const {
  return Bdd(bdd_ite(root_, then.root_, otherwise.root_));
}

std::size_t Bdd::node_count() const { return static_cast<std::size_t>(bdd_nodecount(root_)); }

// BuDDy's own way to find them does not survive that a space is followed by another one.
std::vector<std::uint32_t> Bdd::variables() const {
  std::set<std::uint32_t> out;
  std::unordered_set<int> met{0, 1};
  for (std::vector<int> open{root_}; !open.empty();) {
    const int root = open.back();
    open.pop_back();
    if (!met.insert(root).second) continue;
    out.insert(static_cast<std::uint32_t>(bdd_var(root)));
    open.insert(open.end(), {bdd_low(root), bdd_high(root)});
  }
  return {out.begin(), out.end()};
}

std::uint32_t Bdd::variable() const { return static_cast<std::uint32_t>(bdd_var(root_)); }
Bdd Bdd::low() const { return Bdd(bdd_low(root_)); }
Bdd Bdd::high() const { return Bdd(bdd_high(root_)); }

BddRenaming::BddRenaming(std::span<const std::pair<BddVariable, BddVariable>> from_to) {
  std::vector<std::pair<BddVariable, BddVariable>> key(from_to.begin(), from_to.end());
  std::ranges::sort(key);
  const auto known = renamings.try_emplace(std::move(key), nullptr).first;
  if (!known->second) known->second = new_renaming(known->first);
  pairs_ = known->second;
}

Bdd BddRenaming::operator()(const Bdd& set) const {
  return Bdd(bdd_replace(set.root_, static_cast<bddPair*>(pairs_)));
}

std::uint32_t BddWriter::add(const Bdd& set) {
  std::vector<int> open{set.root_};
  const auto number = [&](int root) -> std::uint32_t {
    return root <= 1 ? static_cast<std::uint32_t>(root) : numbers_.at(root);
  };
  const auto is_known = [&](int root) { return root <= 1 || numbers_.contains(root); };
  while (!open.empty()) {
    const int root = open.back();
    const bool known = is_known(root);
    const int low = known ? 0 : bdd_low(root);
    const int high = known ? 0 : bdd_high(root);
    if (!is_known(low)) {
      open.push_back(low);
    } else if (!is_known(high)) {
      open.push_back(high);
    } else {
      open.pop_back();
      if (known) continue;
      nodes_.push_back({static_cast<BddVariable>(bdd_var(root)), number(low), number(high)});
      numbers_.emplace(root, static_cast<std::uint32_t>(nodes_.size() + 1));
    }
  }
  return number(set.root_);
}

namespace {
const BddSpace* the_space = nullptr;
}

const BddSpace* BddSpace::alive() { return the_space; }

BddSpace::BddSpace(std::uint32_t variables, std::optional<std::uint64_t> memory_mb)
    : variables_(variables) {
  HEDDLE_INVARIANT(!bdd_isrunning(), "there should be one space of decision diagrams at a time");
  last_error = 0;
  if (bdd_init(kFirstNodes, kFirstCache) < 0) throw std::bad_alloc();
  // Hooks must be set after the start.
  bdd_error_hook(note_error);
  bdd_gbc_hook(nullptr);
  bdd_resize_hook(nullptr);
  bdd_setcacheratio(kCacheRatio);
  bdd_setmaxincrease(kMostNewNodes);
  if (memory_mb) {
    const std::uint64_t most = *memory_mb * 1'000'000 * 2 / 3 / kBytesPerNode;
    bdd_setmaxnodenum(static_cast<int>(std::clamp<std::uint64_t>(most, kFirstNodes, 1U << 30U)));
  }
  const std::uint32_t count = std::max(variables, 1U);
  if (bdd_setvarnum(static_cast<int>(count)) < 0) throw std::bad_alloc();
  std::fill_n(bddrefstack, 2 * std::size_t{count} + 4, 0);
  the_space = this;
}

BddSpace::~BddSpace() {
  the_space = nullptr;
  bdd_done();  // which frees the renamings, too
  renamings.clear();
  last_error = 0;
}

Bdd BddSpace::constant(bool value) const { return Bdd(value ? 1 : 0); }
Bdd BddSpace::variable(BddVariable variable) const {
  return Bdd(bdd_ithvar(static_cast<int>(variable)));
}

Bdd BddSpace::all_of(std::span<const BddVariable> variables) const {
  std::vector<std::pair<BddVariable, bool>> values;
  for (const BddVariable v : variables) values.emplace_back(v, true);
  return cube(values);
}

Bdd BddSpace::cube(std::span<const std::pair<BddVariable, bool>> values) const {
  std::vector<std::pair<BddVariable, bool>> sorted(values.begin(), values.end());
  std::ranges::sort(sorted, std::greater<>{});
  Bdd out = constant(true);
  for (const auto& [v, value] : sorted) out &= value ? variable(v) : !variable(v);
  return out;
}

Bdd BddSpace::exists(const Bdd& set, const Bdd& variables) const {
  return Bdd(bdd_exist(set.root_, variables.root_));
}

Bdd BddSpace::exists_and(const Bdd& a, const Bdd& b, const Bdd& variables) const {
  return Bdd(bdd_appex(a.root_, b.root_, bddop_and, variables.root_));
}

Bdd BddSpace::restrict_to(const Bdd& set, const Bdd& values) const {
  return Bdd(bdd_restrict(set.root_, values.root_));
}

std::vector<bool> BddSpace::pick(const Bdd& set) const {
  std::vector<bool> out(variables_);
  int at = set.root_;
  while (at > 1) {
    const bool high = bdd_low(at) == 0;
    out[static_cast<std::size_t>(bdd_var(at))] = high;
    at = high ? bdd_high(at) : bdd_low(at);
  }
  return out;
}

std::size_t BddSpace::nodes_in_use() const { return static_cast<std::size_t>(bdd_getnodenum()); }

std::uint64_t BddSpace::nodes_made() const {
  bddStat figures;
  bdd_stats(&figures);
  return static_cast<std::uint64_t>(figures.produced);
}

}  // namespace heddle::solver
