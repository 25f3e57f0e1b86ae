#pragma once

/// Symbolic elements ⟨shared cube, {(node, local cube)}⟩ and the order between them.
///
/// An element stands for all states with a shared valuation in its cube and different threads for
/// each of its thread cubes. `includes(a, b)` is a sufficient and, for a single pair of elements,
/// necessary condition for b's states to be states of a: a's shared cube contains b's, and a's
/// threads can be mapped one to one to threads of b in cubes that a's contain. There are finitely
/// many cubes, so this is the embedding of multisets over a finite order: a well-quasi-order.

#include <cstdint>
#include <vector>

#include "answer/program_evidence.hpp"

namespace heddle::engine::onthefly {

using Element = answer::ProgramElement;
using answer::ThreadCube;

/// Backtracks over the threads at the same node; fast for the few that elements have.
bool includes(const Element& a, const Element& b);

/// Does the state have a shared valuation and threads as the element demands?
bool covers(const model::boolean::State& state, const Element& element);

/// What an element demands, in three words: which nodes (once, twice or more often) and which
/// literals, each folded to few bits. An element demands at least what each one that includes it
/// demands, so that most pairs are told apart without a look at their threads.
struct Signature {
  std::uint64_t nodes = 0;
  std::uint64_t shared = 0;
  std::uint64_t local = 0;

  explicit Signature(const Element& element);
  bool is_within(const Signature& other) const {
    return ((nodes & ~other.nodes) | (shared & ~other.shared) | (local & ~other.local)) == 0;
  }
};

/// Elements, none of which includes another one that is alive.
class Antichain {
 public:
  explicit Antichain(std::size_t nodes) : anchored_(nodes), present_(nodes) {}

  bool includes(const Element& element) const;
  /// Adds an element that is not included, and kills those that it includes. Returns its number.
  std::uint32_t add(Element element);

  const Element& operator[](std::uint32_t number) const { return elements_[number]; }
  bool is_alive(std::uint32_t number) const { return alive_[number]; }
  std::size_t size() const { return elements_.size(); }  ///< dead ones included
  std::vector<Element> alive() const;

 private:
  std::vector<Element> elements_;
  std::vector<Signature> signatures_;
  std::vector<bool> alive_;
  /// Each element stands in the list of one node that it has a thread at.
  std::vector<std::vector<std::uint32_t>> anchored_;
  /// Each element stands in the lists of all of its nodes.
  std::vector<std::vector<std::uint32_t>> present_;
};

}  // namespace heddle::engine::onthefly
