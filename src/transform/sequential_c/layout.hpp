#pragma once

/// What the texts of functions have in common: names, and where bytes are in the arrays.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/c/violation.hpp"
#include "transform/sequential_c/locks.hpp"
#include "transform/sequential_c/places.hpp"

namespace heddle::transform::sequential_c {

/// Bytes have one index each: those of `shared`, which has a row for each round, and behind them
/// those of `own`, of which there is one.
struct Layout {
  std::uint32_t threads = 1;
  std::uint32_t rounds = 1;
  bool has_joins = false;    ///< statuses of threads are the first bytes of `shared`
  bool has_results = false;  ///< results of threads follow
  std::uint32_t results_at = 0;
  std::uint32_t shared = 0, own = 0;  ///< how many bytes
  struct Row {
    std::uint32_t at = 0;  ///< the index of its first byte
    std::uint64_t bytes = 0;
    std::uint32_t life = 0;  ///< the index of the byte that says whether it is alive, plus 1; or 0
    bool is_heap = false, is_constant = false;
  };
  std::vector<Row> rows;                ///< by number; the first one is not used
  std::vector<std::uint8_t> initial;    ///< of all bytes, in round 0
  std::vector<std::uint8_t> most;       ///< as many: no greater value is stored; 0: none at all
  std::vector<std::uint8_t> undefined;  ///< as many: 1 if the byte is any at first
  bool has_undefined_own = false;
};

Layout layout_of(const Program& program, const ControlFlow& flow, const Places& places,
                 std::uint32_t threads, std::uint32_t rounds);

/// Identifiers that nothing else has.
class Names {
 public:
  Names();
  /// An identifier made of this text that has not been given before.
  std::string fresh(const std::string& text);

 private:
  std::set<std::string> used_;
};

struct Environment {
  const Program& program;
  const ControlFlow& flow;
  const Places& places;
  const Layout& layout;
  model::c::Property property;
  std::vector<std::string> functions = {};  ///< names
  std::vector<std::string> cells = {};      ///< names, of cells that are not local
  bool has_sections = false;                ///< atomic ones
  bool has_detaches = false;
  Mutexes disciplined = {};     ///< their release needs no turn to end before it
  bool shares_counter = false;  ///< of threads: several of them create others
  bool has_shared_stack = false;
  bool can_fail_by_access = false;  ///< an invalid access violates the property
  std::map<std::pair<FunctionId, Location>, std::string> made = {};  ///< counters of allocations
  /// Whether nothing that another thread does at the same time conflicts with an access.
  std::function<bool(FunctionId, Location)> is_quiet = {};
  /// Of a cell that is a mutex: `m` of `lock__m`.
  std::string mutex_name(const MutexCells& mutex) const { return cells[mutex.owner]; }
};

/// Whether two or more threads may use bytes at an address that is not known.
inline bool has_shared_bytes(const Environment& environment) {
  for (const auto& [object, stored] : environment.places.all_stored())
    if (!stored.is_private) return true;
  return false;
}

}  // namespace heddle::transform::sequential_c
