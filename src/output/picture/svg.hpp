#pragma once

/// Drawings as self-contained SVG: one sheet of styles, every name escaped, the size found by what
/// was drawn.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::output::picture {

struct Point {
  double x = 0;
  double y = 0;
};

/// Text with & < > " ' replaced and characters that XML forbids left out.
std::string escaped(std::string_view text);

constexpr double kSmallCharacter = 5.8;  ///< the width of one, about
constexpr double kLabelTurn = -55;       ///< of labels above columns, in degrees
constexpr double kLabelSlope = 0.82;     ///< their height, of their length

/// At most `most` characters (not bytes), the last of them an ellipsis if the text is longer.
std::string shortened(const std::string& text, std::size_t most);

/// In lines of at most `most` characters, broken at blanks where there are any; beyond `lines`
/// lines the rest is an ellipsis.
std::vector<std::string> wrapped(const std::string& text, std::size_t most, std::size_t lines);

/// How many characters (not bytes).
std::size_t character_count(std::string_view text);

/// A colour from near white (0) to a blue on which black text is still legible (1), for cells that
/// stand for counts.
std::string heat_colour(double share);

/// The classes are those of the style sheet in svg.cpp. A title is what shows under the mouse.
class Svg {
 public:
  void circle(Point centre, double radius, std::string_view classes, std::string_view title = {});
  void rectangle(Point corner, double width, double height, std::string_view classes,
                 std::string_view title = {}, std::string_view fill = {});
  void line(Point from, Point to, std::string_view classes, std::string_view title = {});
  /// A path from `from`; `data` is its SVG form, `bulge` the outermost point that it comes near.
  void path(std::string_view data, Point bulge, std::string_view classes,
            std::string_view title = {});
  /// `turn` in degrees about the point.
  void text(Point at, std::string_view text, std::string_view classes, std::string_view title = {},
            double turn = 0);

  double right() const { return right_; }
  double bottom() const { return bottom_; }

  /// The document.
  std::string finish(std::string_view title) const;

 private:
  void element(std::string_view name, const std::string& attributes, std::string_view classes,
               std::string_view title, std::string_view content = {});
  void reach(Point point);

  std::string body_;
  double right_ = 0;
  double bottom_ = 0;
};

/// What the marks of a drawing mean, below it: from left to right, in lines as wide as the drawing.
class Legend {
 public:
  explicit Legend(Svg& svg);

  void edge(std::string_view classes, std::string_view meaning);
  void disc(std::string_view classes, std::string_view meaning);
  void box(std::string_view classes, std::string_view meaning, std::string_view fill = {});
  void remark(std::string_view text);

 private:
  /// Goes on to the next line if there is no room for the mark and its meaning.
  void begin(double width_of_mark, std::string_view meaning);
  void add(double width_of_mark, std::string_view meaning);

  Svg& svg_;
  Point at_;
  double right_;
};

}  // namespace heddle::output::picture
