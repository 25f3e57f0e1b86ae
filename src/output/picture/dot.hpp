#pragma once

/// What the pictures that Graphviz lays out have in common.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::output::picture {

/// The text in double quotes, with quotes, backslashes and line ends escaped.
std::string dot_quoted(std::string_view text);

/// What stands above a graph: its title, what is to be said about all of it, and what its marks
/// mean. Callers name only marks that occur.
class DotHead {
 public:
  explicit DotHead(std::string title) : title_(std::move(title)) {}

  void remark(std::string text) { remarks_.push_back(std::move(text)); }
  /// The first few targets.
  void targets(const std::vector<std::string>& texts);
  void node(std::string_view fill, std::string_view border, std::string_view meaning);
  /// `sign` is drawn with letters: `⟶`, `┄►`.
  void edge(std::string_view sign, std::string_view colour, std::string_view meaning);

  /// The attributes of the graph, each line with its semicolon.
  std::string text() const;

 private:
  std::string title_;
  std::vector<std::string> remarks_;
  std::vector<std::string> marks_;  ///< two cells each
};

}  // namespace heddle::output::picture
