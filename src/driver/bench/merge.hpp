#pragma once

/// `heddle bench --merge`: the parts of a suite, run by whatever scheduler, put together.

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "output/bench/record.hpp"

namespace heddle::driver::bench {

struct MergeRequest {
  std::vector<std::string> sources;  ///< result files, or folders that hold some
  std::string output;                ///< a folder
};

struct Merged {
  output::bench::Results results;
  std::size_t replaced = 0;          ///< records that a later file replaced by another one
  std::vector<std::string> missing;  ///< parts that no file is named after: "2 of 5"
};

/// Writes what a run of the whole suite would have written. Parts are dealt out in turns, so taking
/// a case of each in turns gives the order of the suite. The error says which file cannot be read,
/// or which setting differs.
base::Parsed<Merged> merge(Disk& disk, const MergeRequest& request);

}  // namespace heddle::driver::bench
