#pragma once

/// Two more ways to find the preimages of an edge, which the engine does not use: to compare with
/// (bench/preimage_bench.cpp has the figures) and to agree with.

#include <memory>
#include <vector>

#include "engine/onthefly/edge_functions.hpp"
#include "engine/onthefly/edge_image.hpp"

namespace heddle::test {

using engine::onthefly::After;
using engine::onthefly::Before;
using engine::onthefly::EdgeFunctions;

/// Expands the formula (Shannon) over its variables until it is determined, choices last and only
/// for satisfiability, and merges neighbouring cubes.
class ImageByExpansion {
 public:
  explicit ImageByExpansion(const EdgeFunctions& edge) : edge_(edge) {}
  std::vector<Before> of(const After& after) const;

 private:
  const EdgeFunctions& edge_;
};

/// One incremental SAT solver: each model, with the literals dropped that three-valued evaluation
/// does not need, is a cube; a clause keeps it from coming again.
class ImageBySolver {
 public:
  explicit ImageBySolver(const EdgeFunctions& edge);
  ~ImageBySolver();
  ImageBySolver(ImageBySolver&&) noexcept;
  ImageBySolver(const ImageBySolver&) = delete;
  ImageBySolver& operator=(const ImageBySolver&) = delete;
  std::vector<Before> of(const After& after) const;

 private:
  class Encoding;
  const EdgeFunctions& edge_;
  std::unique_ptr<Encoding> encoding_;
};

}  // namespace heddle::test
