#pragma once

/// What earlier runs left in an output folder: `results.tsv`, and a `shard-….tsv` for each part of
/// a suite that was run by itself.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/bench/shard.hpp"
#include "driver/disk.hpp"
#include "output/bench/record.hpp"

namespace heddle::driver::bench {

std::string in_folder(const std::string& folder, const std::string& name);

/// `results.tsv`, or `shard-2-of-5.tsv` with the job's number behind it if Slurm runs it: two jobs
/// never write to one file.
std::string result_name(const std::optional<Shard>& shard, const std::string& job);

/// The result files of a folder, in order of their names (2 before 10); none if there is no such
/// folder. Records of a later file replace those of an earlier one.
std::vector<std::string> result_files(const std::string& folder);

/// The name of a setting in which two runs differ, if there is one.
std::optional<std::string> difference(const output::bench::Header& before,
                                      const output::bench::Header& now);

/// Reads result files, which must be of the same version, build, limits and tools as `header`
/// (that of the first file if it is empty): the records file by file.
base::Parsed<std::vector<std::vector<output::bench::Record>>> read_known(
    const Disk& disk, const std::vector<std::string>& files, output::bench::Header& header);

}  // namespace heddle::driver::bench
