#pragma once

/// Binary decision diagrams, by BuDDy. It has one table of nodes for the whole process, so there
/// can be one BddSpace at a time; engines run in processes of their own. It is a small shared
/// library without start-up cost and is linked.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::solver {

/// A set of valuations of the space's variables. Copies are cheap. Must not outlive its space.
class Bdd {
 public:
  Bdd() = default;  ///< the empty set
  Bdd(const Bdd& other);
  Bdd(Bdd&& other) noexcept : root_(std::exchange(other.root_, 0)) {}
  Bdd& operator=(const Bdd& other);
  Bdd& operator=(Bdd&& other) noexcept;
  ~Bdd();

  bool is_false() const { return root_ == 0; }
  bool is_true() const { return root_ == 1; }
  bool is_constant() const { return root_ <= 1; }
  friend bool operator==(const Bdd&, const Bdd&) = default;

  /// These may throw std::bad_alloc.
  Bdd operator&(const Bdd& other) const;
  Bdd operator|(const Bdd& other) const;
  Bdd operator-(const Bdd& other) const;  ///< difference
  Bdd operator!() const;
  Bdd& operator|=(const Bdd& other) { return *this = *this | other; }
  Bdd& operator&=(const Bdd& other) { return *this = *this & other; }
  Bdd iff(const Bdd& other) const;
  Bdd ite(const Bdd& then, const Bdd& otherwise) const;

  std::size_t node_count() const;
  std::vector<std::uint32_t> variables() const;  ///< those that matter, in their order

  /// The first variable that matters, and what is left if it is 0 or 1. Precondition: not constant.
  std::uint32_t variable() const;
  Bdd low() const;
  Bdd high() const;

 private:
  friend class BddSpace;
  friend class BddRenaming;
  friend class BddWriter;
  explicit Bdd(int root);
  int root_ = 0;
};

/// Variables are numbered from 0; the number is the position in the order.
using BddVariable = std::uint32_t;

/// Replaces variables by others, all at once. Copies are cheap. Must not outlive its space, which
/// keeps one table for all renamings that are equal.
class BddRenaming {
 public:
  /// Precondition: a space is alive.
  explicit BddRenaming(std::span<const std::pair<BddVariable, BddVariable>> from_to);

  /// Precondition: no new variable occurs in the set, unless it is replaced as well.
  Bdd operator()(const Bdd& set) const;

 private:
  void* pairs_ = nullptr;
};

/// A node of a diagram: `variable` decides between `low` (0) and `high` (1). Numbers of nodes: 0 is
/// false, 1 is true, i + 2 is the i-th of the list.
struct BddNode {
  BddVariable variable;
  std::uint32_t low;
  std::uint32_t high;
};

/// Writes sets as lists of nodes that they share. Sets that were added must stay alive meanwhile.
class BddWriter {
 public:
  /// Appends the nodes of the set that are not yet there, children first; returns its number.
  std::uint32_t add(const Bdd& set);
  const std::vector<BddNode>& nodes() const { return nodes_; }

 private:
  std::vector<BddNode> nodes_;
  std::unordered_map<int, std::uint32_t> numbers_;
};

class BddSpace {
 public:
  /// Throws an InternalError if another one is alive. With a limit, operations throw std::bad_alloc
  /// before the space takes about two thirds of it.
  explicit BddSpace(std::uint32_t variables, std::optional<std::uint64_t> memory_mb = std::nullopt);
  ~BddSpace();
  /// The one that is alive, or null.
  static const BddSpace* alive();
  BddSpace(const BddSpace&) = delete;
  BddSpace& operator=(const BddSpace&) = delete;

  Bdd constant(bool value) const;
  Bdd variable(BddVariable variable) const;
  /// All of these variables are 1. As an argument of `exists`: these variables.
  Bdd all_of(std::span<const BddVariable> variables) const;
  /// Each of these variables has this value.
  Bdd cube(std::span<const std::pair<BddVariable, bool>> values) const;

  Bdd exists(const Bdd& set, const Bdd& variables) const;
  Bdd exists_and(const Bdd& a, const Bdd& b, const Bdd& variables) const;

  /// The set where `values`, a cube, holds, as a set of valuations of the other variables.
  Bdd restrict_to(const Bdd& set, const Bdd& values) const;

  /// A valuation of the set, by variable; 0 where it does not matter. Precondition: not empty.
  std::vector<bool> pick(const Bdd& set) const;

  std::size_t nodes_in_use() const;
  /// Nodes made so far, those that are gone included: how much work was done.
  std::uint64_t nodes_made() const;
  std::uint32_t variable_count() const { return variables_; }

 private:
  std::uint32_t variables_;
};

}  // namespace heddle::solver
