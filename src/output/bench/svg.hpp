#pragma once

/// The little of SVG that plots need: shapes on a canvas, and axes.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::output::bench {

struct Point {
  double x = 0;
  double y = 0;
};

/// Text with the characters that mean something to XML written out.
std::string xml_escaped(std::string_view text);

enum class Anchor { Start, Middle, End };

class Canvas {
 public:
  Canvas(double width, double height, std::string_view title);

  /// `look` is a list of presentation attributes, such as `stroke="#888"`.
  void line(Point from, Point to, std::string_view look);
  void polyline(const std::vector<Point>& points, std::string_view look);
  void rectangle(Point corner, double width, double height, std::string_view look);
  /// A dot that tells its name when the pointer rests on it.
  void dot(Point centre, std::string_view look, std::string_view name);
  void cross(Point centre, std::string_view look, std::string_view name);
  void text(Point at, std::string_view words, Anchor anchor, std::string_view look = {});
  /// Reads upward, centred at the point.
  void upward_text(Point at, std::string_view words, std::string_view look = {});

  std::string svg() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

/// From values to pixels, by their logarithms. The ends are powers of ten around the values.
class LogScale {
 public:
  LogScale(double least, double greatest, double first_pixel, double last_pixel);

  /// Values outside are moved to the nearer end.
  double pixel(double value) const;
  std::vector<double> decades() const;       ///< 0.01, 0.1, 1, …
  std::vector<double> subdivisions() const;  ///< 2, 3, … 9 times each but the last of them

 private:
  int first_decade_;
  int last_decade_;
  double first_pixel_;
  double last_pixel_;
};

/// `0.01`, `1`, `1000`.
std::string tick_label(double value);

}  // namespace heddle::output::bench
