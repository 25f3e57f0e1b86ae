#pragma once

/// `heddle bench --cutoffs`: nets as they stand and translated to thread systems, beside published
/// figures, as a Markdown table.

#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "driver/verify.hpp"

namespace heddle::driver::bench {

struct CutoffTableRequest {
  std::string folder;     ///< of the nets
  std::string published;  ///< a file: path and figures of a net a line, separated by tabs
  Budget budget;          ///< of each answer
};

struct CutoffTable {
  std::string text;
  int exit_code = 0;                  ///< 71 if evidence was refuted, 70 if a search failed
  std::optional<int> interrupted_by;  ///< a signal; the rest is missing
  std::string complaint;              ///< about a net that cannot be read; the rest is missing
};

/// Three rows for each line of the file: the published figures, those of the translated net, those
/// of the net itself. The error says what is wrong with the file.
base::Parsed<CutoffTable> cutoff_table(const Disk& disk, const CutoffTableRequest& request);

}  // namespace heddle::driver::bench
