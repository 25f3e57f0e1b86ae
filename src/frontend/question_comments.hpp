#pragma once

/// A question in the comments at the top of a file, for formats that have no other place for one:
///
///     # heddle: initial 0|1/2
///     # heddle: target 3|1,1
///
/// in the notation of the command line, one region a line. "The top" is everything before the first
/// line that is neither blank nor a comment line (nor an XML declaration); the word behind the mark
/// is no other tool's, so that nobody's remark is taken for a question.

#include <optional>
#include <string>
#include <string_view>

#include "frontend/notation.hpp"

namespace heddle::frontend {

/// How a comment on a line of its own is written.
struct CommentMarks {
  std::string_view start;
  std::string_view end = {};
};

inline constexpr CommentMarks kXmlComment = {"<!--", "-->"};

/// These texts, regions one a line, as such lines.
std::string question_lines(const std::string& initial, const std::string& targets,
                           const CommentMarks& marks);

/// What such lines of a source say, with blanks in place of everything else: what is read has the
/// lines and columns of the file.
struct QuestionTexts {
  std::optional<SourceText> initial;
  std::optional<SourceText> targets;
};
base::Parsed<QuestionTexts> read_question_lines(const SourceText& source,
                                                const CommentMarks& marks);

/// The file's initial regions and, unless it is a program (it holds its own), targets as such
/// lines. Nothing if a name holds "--", which no XML comment can.
template <class Model>
std::string question_comments(const ModelFile<Model>& file, const CommentMarks& marks) {
  return question_lines(
      print_initial(file.model, file.initial),
      Notation<Model>::kWritesTargets ? print_targets(file.model, file.targets) : std::string(),
      marks);
}

/// Adds what such lines of the source say. A line that cannot be read is an error at its place.
/// Linear in the source.
template <class Model>
base::Parsed<ModelFile<Model>> with_question_comments(base::Parsed<ModelFile<Model>> file,
                                                      const SourceText& source,
                                                      const CommentMarks& marks) {
  if (!file) return file;
  auto texts = read_question_lines(source, marks);
  if (!texts) return std::unexpected(std::move(texts.error()));
  if (texts->initial) {
    auto initial = Notation<Model>::parse_initial(file->model, *texts->initial);
    if (!initial) return std::unexpected(std::move(initial.error()));
    file->initial = std::move(*initial);
  }
  if (texts->targets) {
    auto targets = Notation<Model>::parse_targets(file->model, *texts->targets);
    if (!targets) return std::unexpected(std::move(targets.error()));
    file->targets = std::move(*targets);
  }
  return file;
}

}  // namespace heddle::frontend
