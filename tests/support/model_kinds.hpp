#pragma once

/// One row for each kind of model and question. Agreement, conformance, metamorphic and evidence
/// tests loop over this table: a new kind joins by its row.

#include <cstdint>
#include <span>
#include <string_view>

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

struct ModelKind {
  std::string_view name;  ///< as a test's name: letters and digits
  model::AnyTask (*random)(Random& random);
  /// An engine's budget on such a task: large enough for nearly all of them.
  std::uint64_t steps;
  unsigned cases;            ///< how many are usually played
  std::uint64_t first_seed;  ///< every case has a seed of its own, to be found again by
  /// Every task is decided by each complete engine that accepts it, within the steps.
  bool always_decided;
  /// Kinds of claims (support/claims.hpp) that engines make about such tasks, without the kind of
  /// model: tests of evidence have to meet them here.
  std::span<const std::string_view> claims;
};

std::span<const ModelKind> model_kinds();

}  // namespace heddle::test
