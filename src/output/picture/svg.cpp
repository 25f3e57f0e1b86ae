#include "output/picture/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::output::picture {

namespace {

constexpr double kMargin = 16;
constexpr double kCharacterWidth = 6.8;

constexpr std::string_view kStyles =
    "text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;font-size:11px;fill:#222}\n"
    ".heading{font-size:16px;font-weight:bold}.quiet{fill:#777}.small{font-size:9px}\n"
    ".mono{font-family:'DejaVu Sans "
    "Mono',Menlo,Consolas,monospace}.tiny{font-size:8px}.strong{font-weight:bold}.middle{text-"
    "anchor:middle}.end{text-anchor:end}"
    "\n"
    ".warning{fill:#b3261e;font-weight:bold}.rule{stroke:#e6e6ea;stroke-width:1}\n"
    ".node{fill:#f4f6fa;stroke:#5b6b8c;stroke-width:1.2}.initial{fill:#d3efd9;stroke:#1b7a36}\n"
    ".target{fill:#fbdcd9;stroke:#b3261e;stroke-width:2.2}.both{fill:#f3e5b5;stroke:#b3261e}\n"
    ".edge{fill:none;stroke:#44557a;stroke-width:1.2;marker-end:url(#head-move)}\n"
    ".spawn{stroke:#1b7a36;stroke-dasharray:5 3;marker-end:url(#head-spawn)}\n"
    ".transfer{stroke:#c25e00;stroke-width:2.4;marker-end:url(#head-transfer)}\n"
    ".passive{stroke:#7b2fa0;marker-end:url(#head-passive)}\n"
    ".mark{fill:#7b2fa0}.cell{stroke:#fff;stroke-width:1}.frame{fill:none;stroke:#999}\n"
    ".lane{stroke:#c3cad8;stroke-width:2}.step{fill:#44557a}.block{fill:#eef1f7;stroke:#5b6b8c}\n"
    ".changed{fill:#fdf0cf;stroke:#c99700}\n"
    ".branch{fill:none;stroke:#1b7a36;stroke-width:1.5;stroke-dasharray:4 3}\n"
    ".expansion{stroke:#98a2b8;stroke-dasharray:3 3;marker-end:url(#head-expansion)}\n"
    ".chosen{stroke:#0b57d0;stroke-width:2.6;marker-end:url(#head-chosen)}\n"
    ".loop{fill:#222;stroke:#222}.tangle{fill:#e88a2e;stroke:#a34d00;stroke-width:2}\n"
    ".in-loop{fill:#d9dde6}.in-tangle{fill:#fbe0c4}\n"
    ".ring{fill:none;stroke-width:2.5}.is-initial{stroke:#1b7a36}.is-target{stroke:#b3261e}\n"
    ".grid{stroke:#e6e6e6}.subgrid{stroke:#f4f4f4}.limit{stroke:#999;stroke-dasharray:5 4}\n"
    ".diagonal{stroke:#444;stroke-width:1.2}.band{fill:#f6f1e7}\n"
    ".tool0{fill:#1f6fb4;stroke:#1f6fb4}.tool1{fill:#d9622b;stroke:#d9622b}\n"
    ".tool2{fill:#3a9441;stroke:#3a9441}.tool3{fill:#8a4fb0;stroke:#8a4fb0}\n"
    ".tool4{fill:#b0892f;stroke:#b0892f}.tool5{fill:#5b6770;stroke:#5b6770}\n"
    ".curve{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".safe-case{fill:#1f6fb4;fill-opacity:.65}\n"
    ".unsafe-case{fill:none;stroke:#c2402a;stroke-width:2}\n";

std::string arrow_head(std::string_view name, std::string_view colour) {
  return fmt::format(
      "<marker id=\"head-{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      "<path d=\"M0,0 L8,4 L0,8 z\" fill=\"{}\"/></marker>\n",
      name, colour);
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t most, std::size_t lines) {
  std::vector<std::string> out;
  std::string rest = text;
  while (out.size() + 1 < lines && character_count(rest) > most) {
    std::size_t end = 0, blank = 0;
    for (std::size_t met = 0; end < rest.size() && met <= most; ++end) {
      if (!continues(rest[end])) ++met;
      if (rest[end] == ' ' && end > 0) blank = end;
    }
    const std::size_t cut = blank > 0 ? blank : end - 1;
    out.push_back(rest.substr(0, cut));
    rest.erase(0, blank > 0 ? cut + 1 : cut);
  }
  out.push_back(shortened(rest, most));
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  return out;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (character_count(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end)
    if (!continues(text[end]) && ++kept == most) break;
  return text.substr(0, end) + "…";
}

void Svg::reach(Point point) {
  right_ = std::max(right_, point.x);
  bottom_ = std::max(bottom_, point.y);
}

void Svg::element(std::string_view name, const std::string& attributes, std::string_view classes,
                  std::string_view title, std::string_view content) {
  body_ += fmt::format("<{} class=\"{}\" {}", name, classes, attributes);
  if (title.empty() && content.empty()) {
    body_ += "/>\n";
    return;
  }
  body_ += ">";
  if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>";
  body_ += escaped(content) + "</" + std::string(name) + ">\n";
}

std::string heat_colour(double share) {
  const double s = std::sqrt(std::clamp(share, 0.0, 1.0));
  const auto mix = [&](double light, double deep) {
    return static_cast<int>(std::lround(light + s * (deep - light)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(247, 120), mix(249, 160), mix(253, 220));
}

void Svg::circle(Point centre, double radius, std::string_view classes, std::string_view title) {
  reach({centre.x + radius, centre.y + radius});
  element("circle",
          fmt::format("cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", centre.x, centre.y, radius),
          classes, title);
}

void Svg::rectangle(Point corner, double width, double height, std::string_view classes,
                    std::string_view title, std::string_view fill) {
  reach({corner.x + width, corner.y + height});
  std::string attributes =
      fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", corner.x,
                  corner.y, width, height);
  if (!fill.empty()) attributes += fmt::format(" fill=\"{}\"", fill);
  element("rect", attributes, classes, title);
}

void Svg::line(Point from, Point to, std::string_view classes, std::string_view title) {
  reach(from);
  reach(to);
  element("line",
          fmt::format("x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", from.x, from.y,
                      to.x, to.y),
          classes, title);
}

void Svg::path(std::string_view data, Point bulge, std::string_view classes,
               std::string_view title) {
  reach(bulge);
  element("path", fmt::format("d=\"{}\"", data), classes, title);
}

void Svg::text(Point at, std::string_view text, std::string_view classes, std::string_view title,
               double turn) {
  const bool starts_here = classes.find("middle") == std::string_view::npos &&
                           classes.find("end") == std::string_view::npos && turn == 0;
  const double size = classes.find("heading") == std::string_view::npos ? 1 : 1.5;
  const double width = static_cast<double>(character_count(text)) * kCharacterWidth * size;
  reach({starts_here ? at.x + width : at.x, at.y + 4});
  std::string attributes = fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", at.x, at.y);
  if (turn != 0)
    attributes += fmt::format(" transform=\"rotate({:.0f} {:.1f} {:.1f})\"", turn, at.x, at.y);
  element("text", attributes, classes, title, text);
}

std::string Svg::finish(std::string_view title) const {
  const double width = right_ + kMargin;
  const double height = bottom_ + kMargin;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" xml:space=\"preserve\">\n<title>{2}</title>\n<defs>\n",
      width, height, escaped(title));
  out += arrow_head("move", "#44557a") + arrow_head("spawn", "#1b7a36") +
         arrow_head("transfer", "#c25e00") + arrow_head("passive", "#7b2fa0") +
         arrow_head("expansion", "#98a2b8") + arrow_head("chosen", "#0b57d0");
  out += "</defs>\n<style>\n" + std::string(kStyles) + "</style>\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  return out + body_ + "</svg>\n";
}

namespace {

constexpr double kLegendLeft = 24;
constexpr double kLegendLine = 18;
constexpr double kLeastLegend = 420;
constexpr double kLegendCharacter = 5.6;

}  // namespace

Legend::Legend(Svg& svg)
    : svg_(svg), at_{kLegendLeft, svg.bottom() + 34}, right_(std::max(svg.right(), kLeastLegend)) {}

void Legend::begin(double width_of_mark, std::string_view meaning) {
  const double width =
      width_of_mark + kLegendCharacter * static_cast<double>(character_count(meaning));
  if (at_.x == kLegendLeft || at_.x + width <= right_) return;
  at_ = {kLegendLeft, at_.y + kLegendLine};
}

void Legend::edge(std::string_view classes, std::string_view meaning) {
  begin(38, meaning);
  const Point end{at_.x + 32, at_.y};
  svg_.path(fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", at_.x, at_.y, end.x, end.y), end, classes);
  add(38, meaning);
}

void Legend::disc(std::string_view classes, std::string_view meaning) {
  begin(18, meaning);
  svg_.circle({at_.x + 6, at_.y}, 6, classes);
  add(18, meaning);
}

void Legend::box(std::string_view classes, std::string_view meaning, std::string_view fill) {
  begin(26, meaning);
  svg_.rectangle({at_.x, at_.y - 6}, 20, 12, classes, {}, fill);
  add(26, meaning);
}

void Legend::remark(std::string_view text) {
  begin(0, text);
  add(0, text);
}

void Legend::add(double width_of_mark, std::string_view meaning) {
  svg_.text({at_.x + width_of_mark, at_.y + 4}, meaning, "small");
  at_.x += width_of_mark + 12 + kLegendCharacter * static_cast<double>(character_count(meaning));
}

}  // namespace heddle::output::picture
