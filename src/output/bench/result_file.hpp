#pragma once

/// Result files. The TSV form grows by a line per finished case and is what an interrupted run is
/// resumed from; the JSON form says the same to other programs.
///
///     # name: value            the header
///     path  tool  outcome …    the columns
///     …                        a record a line

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "output/bench/record.hpp"

namespace heddle::output::bench {

/// Header and column line; records follow.
std::string tsv_head(const Header& header);
/// One record, with its line break. Tabs and line breaks in texts become blanks.
std::string tsv_line(const Record& record);
std::string to_tsv(const Results& results);

std::string to_json(const Results& results);

/// Either form, told apart by its first character. A last line without its line break is what an
/// interruption left of a record: it is passed over.
base::Parsed<Results> read_results(const std::string& name, std::string_view text);

}  // namespace heddle::output::bench
