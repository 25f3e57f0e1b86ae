#pragma once

/// A suite: the cases of an index file, or of all files below a folder.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "output/bench/record.hpp"

namespace heddle::driver::bench {

using output::bench::Claim;

struct Case {
  std::string path;     ///< as the suite names it: no other case has this name
  std::string file;     ///< where it is
  std::string format;   ///< a name of the format table; empty: guess
  std::string target;   ///< as `--property` takes it; empty: in the file, or beside it
  std::string initial;  ///< as `--initial` takes it; empty: the model's default
  Claim expected = Claim::Unknown;

  friend bool operator==(const Case&, const Case&) = default;
};

struct Suite {
  std::vector<Case> cases;
  /// Rows that cannot be run, counted by the reason.
  std::map<std::string, std::size_t> skipped;
};

/// Which paths take part.
using PathFilter = std::function<bool(const std::string& path)>;

/// An index: a line of column names, then a case a line, separated by tabs. `path` is needed;
/// `format`, `property` (`reach`, or a name that `--property` takes for the format's kind of
/// model), `target` ("in file" or a file beside the input), `initial` (a notation, or a file beside
/// the input), `expected` (safe, unsafe, unknown) may be missing or empty; other columns are passed
/// over. Files are sought in the index's folder. Where several lines are about one file, the
/// question is added to the path: "x.c [no-data-race]".
base::Parsed<Suite> read_index(const Disk& disk, const std::string& index, const PathFilter& takes);

/// Every file below the folder that has a known extension and looks like that format; nothing is
/// expected of it. In order of the paths.
base::Parsed<Suite> read_folder(const Disk& disk, const std::string& folder,
                                const PathFilter& takes);

/// The cases as a text that says all about them, files included: what jobs on other nodes are
/// given, so that none of them has to look through the suite.
std::string to_plan(const std::vector<Case>& cases);
base::Parsed<Suite> read_plan(const std::string& name, std::string_view text,
                              const PathFilter& takes);

/// Whichever of the three `path` is.
base::Parsed<Suite> read_suite(const Disk& disk, const std::string& path, const PathFilter& takes);

}  // namespace heddle::driver::bench
