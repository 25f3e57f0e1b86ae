#pragma once

#include <string>

#include "driver/verify.hpp"

namespace heddle::driver {

/// The answer as a page for a browser (output/report/report_page.hpp), with the text of the model.
std::string answer_page(const Disk& disk, const Answered& answered);

/// The files whose lines an answer is about: of a C program all with code, else the model's file.
std::vector<output::SourceFile> shown_sources(const Disk& disk, const Answered& answered);

}  // namespace heddle::driver
