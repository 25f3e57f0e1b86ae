#pragma once

/// A question in the comments at the top of a file, for formats that have no other place for one:
///
///     # heddle: initial 0|1/2
///     # heddle: target 3|1,1
///
/// in the notation of the command line, one region a line. "The top" is everything before the first
/// line that is neither blank nor a comment line (nor an XML declaration); the word behind the mark
/// is no other tool's, so that nobody's remark is taken for a question.

#include <string>
#include <string_view>

#include "frontend/frontend.hpp"

namespace heddle::frontend {

/// How a comment on a line of its own is written.
struct CommentMarks {
  std::string_view start;
  std::string_view end = {};
};

inline constexpr CommentMarks kXmlComment = {"<!--", "-->"};

/// The file's initial regions and, unless it is a program (it holds its own), targets as such
/// lines. Nothing if a name holds "--", which no XML comment can.
std::string question_comments(const ModelFile& file, const CommentMarks& marks);

/// Adds what such lines of the source say. A line that cannot be read is an error at its place.
/// Linear in the source.
base::Parsed<ModelFile> with_question_comments(base::Parsed<ModelFile> file,
                                               const SourceText& source, const CommentMarks& marks);

}  // namespace heddle::frontend
