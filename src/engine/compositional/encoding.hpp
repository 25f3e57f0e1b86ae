#pragma once

/// Proof rules as Horn clauses over the steps of a block program. See modular_encoding.cpp and
/// product_encoding.cpp.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/threads/covering.hpp"
#include "model/threads/thread_proof.hpp"
#include "term/horn_system.hpp"
#include "transform/blocks/blocks.hpp"

namespace heddle::engine::compositional {

/// A program prepared for proofs.
struct Prepared {
  model::threads::ThreadProgram program;
  transform::blocks::Facts facts;
  transform::blocks::Movers movers;
  transform::blocks::BlockProgram blocks;
  model::threads::Covering covering = {};           ///< of a C program; empty if there is none
  model::threads::ThreadProgram instructions = {};  ///< the program before sections were composed
};

/// What a predicate of an encoding speaks about.
struct PredicateMeaning {
  /// Threads and their points: one or two threads; or all of them, in the order of the program.
  std::vector<std::pair<model::threads::ThreadIndex, std::uint32_t>> at;
};

struct Encoding {
  term::HornSystem system;
  std::vector<PredicateMeaning> meanings;  ///< by predicate
};

/// What is known about how many threads stand where.
struct Counting {
  term::Term lemma = term::constant(true);  ///< of the proof (model/threads/thread_proof.hpp)
  /// Predicates speak about the counts of replicated threads, too.
  bool has_parameters = false;
  /// Predicates speak about where threads stand of which there is one.
  bool has_places = false;
  /// There are predicates for these points, too, at which threads have ended.
  std::vector<std::pair<model::threads::ThreadIndex, std::uint32_t>> ends = {};
};

/// One predicate for each thread and cut, over globals and that thread's locals: the rule of Owicki
/// and Gries, without auxiliary variables but for the counts. A refutation means nothing. Takes
/// replicated threads.
Encoding encode_modular(const Prepared& prepared, const Counting& counting = {});

/// The same with predicates for pairs of threads, of which at least one is replicated. None if
/// there is no such pair, or if there would be more than `limit` clauses about three threads.
std::optional<Encoding> encode_pairs(const Prepared& prepared, const Counting& counting,
                                     std::size_t limit);

/// One predicate for each reachable tuple of points, over all variables: exact. None if there would
/// be more than `limit` tuples, or if a thread is replicated.
std::optional<Encoding> encode_product(const Prepared& prepared, std::size_t limit);

}  // namespace heddle::engine::compositional
