#pragma once

/// Formulas for which write a read of shared memory sees.

#include <memory>

#include "engine/bounded/unrolling.hpp"

namespace heddle::engine::bounded {

/// How the moments of an unrolling are ordered. It lives as long as the unrolling.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  /// Whether one moment of a thread comes before one of another thread, in the solver's model.
  /// A thread may act at a moment of the thread that created it.
  virtual bool comes_before(Clauses& model, const MomentRef& a, std::uint32_t thread_of_a,
                            const MomentRef& b, std::uint32_t thread_of_b) = 0;
  /// The same as a wire.
  virtual Wire precedes(const MomentRef& a, std::uint32_t thread_of_a, const MomentRef& b,
                        std::uint32_t thread_of_b) = 0;
};

/// Bytes that are accessed together.
struct Cell {
  std::uint32_t object = 0;
  std::uint32_t first = 0, end = 0;           ///< offsets
  std::vector<const SharedAccess*> accesses;  ///< by threads; of a thread in its order
};
std::vector<Cell> cells_of(const Unrolling& unrolling);
Bits initial_content(Circuit& circuit, Objects& objects, const Cell& cell);

/// Threads take turns in the order of their numbers, round by round. Adds gates and clauses: as
/// many as there are accesses, times rounds, times bits.
std::unique_ptr<Encoding> encode_rounds(Unrolling& unrolling, Objects& objects,
                                        std::uint32_t rounds);

/// Any order. Adds clauses for all triples of moments of different threads, and for all triples of
/// a read and two writes of a cell; null if there would be more than `most_clauses`.
std::unique_ptr<Encoding> encode_order(Unrolling& unrolling, Objects& objects,
                                       std::size_t most_clauses);

}  // namespace heddle::engine::bounded
