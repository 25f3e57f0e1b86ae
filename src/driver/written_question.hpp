#pragma once

/// The question about a model that is going to be written: how it gets there, so that whoever reads
/// the file without options is asked the same.

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "frontend/frontend.hpp"

namespace heddle::driver {

struct WrittenModel {
  std::string text;
  std::vector<OutputFile> siblings;  ///< with the parts of the question that the text lacks
  std::vector<std::string> notes;
  base::Diagnostics warnings;
};

/// The model as a text of its own. What the format has no place for stands in comments that its
/// reader knows; a warning names the options to pass where there is no such comment either.
/// Precondition: the format can print the file.
WrittenModel write_to_stream(const frontend::FormatRow& format, const frontend::AnyModelFile& file);

/// The model at `path`, with what the format has no place for in files beside it: `x.init` and
/// `x.prop`, or `x.tts.init` and `x.tts.prop` where the short name is taken or would be read as a
/// part of another model. The result is read as any command will read it; the error says what comes
/// in between. Precondition: the format can print the file.
base::Parsed<WrittenModel> write_to_file(const Disk& disk, const frontend::FormatRow& format,
                                         const frontend::AnyModelFile& file,
                                         const std::string& path);

}  // namespace heddle::driver
