#pragma once

/// The forward oracle: what always holds of a thread at a node, found without counting threads.

#include <vector>

#include "answer/program_evidence.hpp"
#include "engine/onthefly/antichain.hpp"
#include "engine/onthefly/preimage.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

class ThreadFacts {
 public:
  /// No facts: everything is possible.
  explicit ThreadFacts(const model::boolean::Flow& flow);
  /// One cube of shared and local variables for each node; thread_facts.cpp explains it.
  ThreadFacts(const model::boolean::Flow& flow, const Preimage& preimage);

  /// Can a reachable state be one of the element's? False is certain.
  bool allow(const Element& element) const;

  /// What `allow` relies on, as a certificate says it.
  std::vector<answer::ThreadFact> facts() const;

  /// How many nodes no thread can reach.
  std::size_t unreachable() const;

 private:
  friend class FactFinder;
  struct Fact {
    bool reachable = false;
    model::boolean::Cube shared;
    model::boolean::Cube local;
    friend bool operator==(const Fact&, const Fact&) = default;
  };

  const model::boolean::Flow& flow_;
  bool known_ = false;
  std::vector<Fact> facts_;  ///< by node
};

}  // namespace heddle::engine::onthefly
