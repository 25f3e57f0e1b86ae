#include "frontend/question_comments.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "frontend/text/problems.hpp"

namespace heddle::frontend {

namespace {

constexpr std::string_view kWord = "heddle:";
constexpr std::string_view kInitial = "initial";
constexpr std::string_view kTarget = "target";
constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kXmlDeclaration = "<?xml";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string in_lines(const std::string& regions, const CommentMarks& marks, std::string_view what) {
  std::string out;
  for (std::size_t start = 0; start < regions.size();) {
    const std::size_t end = regions.find('\n', start);
    out.append(marks.start).append(" ").append(kWord).append(" ").append(what).append(" ");
    out.append(regions, start, end - start);
    if (!marks.end.empty()) out.append(" ").append(marks.end);
    out += '\n';
    start = end + 1;
  }
  return out;
}

void skip_blanks(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
}

/// Takes the text and the blanks before it from the front; false if it is not there.
bool take(std::string_view& line, std::string_view text) {
  skip_blanks(line);
  if (!line.starts_with(text)) return false;
  line.remove_prefix(text.size());
  return true;
}

std::string_view take_word(std::string_view& line) {
  skip_blanks(line);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

/// The lines of one kind, with blanks in place of everything else: what is read has the lines and
/// columns of the file.
struct Question {
  std::string initial;
  std::string targets;
  bool has_initial = false;
  bool has_targets = false;
  std::vector<text::Token> unknown;  ///< words in the place of "initial" and "target"

  void add(std::string_view line, const CommentMarks& marks, std::uint32_t number) {
    std::string_view rest = line;
    if (take(rest, marks.start) && take(rest, kWord)) {
      const std::string_view word = take_word(rest);
      const auto column = static_cast<std::uint32_t>(line.size() - rest.size());
      if (!marks.end.empty()) rest = rest.substr(0, rest.find(marks.end));
      if (word == kInitial)
        has_initial = add_region(initial, column, rest);
      else if (word == kTarget)
        has_targets = add_region(targets, column, rest);
      else
        unknown.push_back({text::TokenKind::Word, word, number,
                           column - static_cast<std::uint32_t>(word.size()) + 1});
    }
    initial += '\n';
    targets += '\n';
  }

 private:
  static bool add_region(std::string& text, std::uint32_t column, std::string_view region) {
    text.append(column, ' ').append(region);
    return true;
  }
};

bool belongs_to_top(std::string_view line, const CommentMarks& marks) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return true;
  return line.substr(first).starts_with(marks.start) || line.starts_with(kXmlDeclaration);
}

Question read_top(std::string_view text, const CommentMarks& marks) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Question question;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!belongs_to_top(line, marks)) break;
    question.add(line, marks, number);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return question;
}

}  // namespace

std::string question_lines(const std::string& initial, const std::string& targets,
                           const CommentMarks& marks) {
  if (marks.start == kXmlComment.start && (initial + targets).find("--") != std::string::npos)
    return {};
  return in_lines(initial, marks, kInitial) + in_lines(targets, marks, kTarget);
}

base::Parsed<QuestionTexts> read_question_lines(const SourceText& source,
                                                const CommentMarks& marks) {
  Question question = read_top(source.text, marks);
  text::Problems problems(source);
  for (const text::Token& word : question.unknown)
    problems.expected("'initial' or 'target'", word,
                      "a question in a comment is 'heddle: initial …' or 'heddle: target …'");
  if (problems.any_error()) return std::unexpected(problems.take_errors());
  QuestionTexts texts;
  if (question.has_initial) texts.initial = {source.name, std::move(question.initial)};
  if (question.has_targets) texts.targets = {source.name, std::move(question.targets)};
  return texts;
}

}  // namespace heddle::frontend
