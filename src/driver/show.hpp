#pragma once

/// Pictures of models and of stored evidence.

#include <optional>
#include <string>

#include "driver/recheck.hpp"

namespace heddle::driver {

enum class PictureFormat { Svg, Png, Pdf, Dot };

struct ShowRequest {
  std::string file;
  QuestionOptions question;
  Budget budget;                        ///< of the check of the evidence
  std::optional<std::string> evidence;  ///< a file; nothing: draw the model
  bool quotient = false;  ///< draw the expanded diagram and its quotient, and the path of a trace
  bool movers = false;    ///< list a C program with its movers and blocks, as text
  PictureFormat format = PictureFormat::Svg;
};

struct Picture {
  std::string bytes;
  base::Diagnostics warnings;
  answer::CheckResult check;          ///< of the evidence; Confirmed for a model
  std::optional<int> interrupted_by;  ///< a signal
};

/// Draws. Nets are laid out by Graphviz' `dot`, PNG (of twice the size of the SVG) and PDF are made
/// by `dot` or `rsvg-convert`; the error
/// names the package if the program is missing. A picture of evidence that is not confirmed says so
/// in itself.
base::Parsed<Picture> show(const Disk& disk, const ShowRequest& request);

/// An SVG text as a picture of that format (not Dot).
base::Parsed<std::string> picture_from_svg(std::string svg, PictureFormat format);

}  // namespace heddle::driver
