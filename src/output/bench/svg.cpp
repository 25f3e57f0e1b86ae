#include "output/bench/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::output::bench {

namespace {

std::string_view anchor_word(Anchor anchor) {
  if (anchor == Anchor::Start) return "start";
  return anchor == Anchor::Middle ? "middle" : "end";
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

Canvas::Canvas(double width, double height, std::string_view title) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" "
      "fill=\"#222\">\n<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height, xml_escaped(title));
}

void Canvas::line(Point from, Point to, std::string_view look) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                       from.x, from.y, to.x, to.y, look);
}

void Canvas::polyline(const std::vector<Point>& points, std::string_view look) {
  body_ += "<polyline points=\"";
  for (const auto& [x, y] : points) body_ += fmt::format("{:.1f},{:.1f} ", x, y);
  body_ += fmt::format("\" fill=\"none\" {}/>\n", look);
}

void Canvas::rectangle(Point corner, double width, double height, std::string_view look) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n",
                       corner.x, corner.y, width, height, look);
}

void Canvas::dot(Point centre, std::string_view look, std::string_view name) {
  body_ +=
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" {}><title>{}</title></circle>\n",
                  centre.x, centre.y, look, xml_escaped(name));
}

void Canvas::cross(Point centre, std::string_view look, std::string_view name) {
  body_ += fmt::format(
      "<path d=\"M{0:.1f} {1:.1f}l8 8m0 -8l-8 8\" fill=\"none\" {2}><title>{3}</title></path>\n",
      centre.x - 4, centre.y - 4, look, xml_escaped(name));
}

void Canvas::text(Point at, std::string_view words, Anchor anchor, std::string_view look) {
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", at.x,
                       at.y, anchor_word(anchor), look, xml_escaped(words));
}

void Canvas::upward_text(Point at, std::string_view words, std::string_view look) {
  text(at, words, Anchor::Middle,
       fmt::format("transform=\"rotate(-90 {:.1f} {:.1f})\" {}", at.x, at.y, look));
}

LogScale::LogScale(double least, double greatest, double first_pixel, double last_pixel)
    : first_decade_(static_cast<int>(std::floor(std::log10(least)))),
      last_decade_(std::max(first_decade_ + 1, static_cast<int>(std::ceil(std::log10(greatest))))),
      first_pixel_(first_pixel),
      last_pixel_(last_pixel) {}

double LogScale::pixel(double value) const {
  const double least = std::pow(10, first_decade_);
  const double place = (std::log10(std::max(value, least)) - first_decade_) /
                       static_cast<double>(last_decade_ - first_decade_);
  return first_pixel_ + std::min(place, 1.0) * (last_pixel_ - first_pixel_);
}

std::vector<double> LogScale::decades() const {
  std::vector<double> out;
  for (int decade = first_decade_; decade <= last_decade_; ++decade)
    out.push_back(std::pow(10, decade));
  return out;
}

std::vector<double> LogScale::subdivisions() const {
  std::vector<double> out;
  for (int decade = first_decade_; decade < last_decade_; ++decade)
    for (int digit = 2; digit <= 9; ++digit) out.push_back(digit * std::pow(10, decade));
  return out;
}

std::string tick_label(double value) { return fmt::format("{:g}", value); }

}  // namespace heddle::output::bench
