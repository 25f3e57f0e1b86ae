#include "output/bench/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "output/bench/log_scale.hpp"
#include "output/bench/statistics.hpp"
#include "output/picture/svg.hpp"

namespace heddle::output::bench {

namespace {

constexpr double kLeastSeconds = 1e-3;  // the clock's grain: faster is not told apart
constexpr std::size_t kColours = 6;     // of the style sheet
constexpr double kMark = 4;             // half the size of a dot or a cross

using picture::Point;
using picture::Svg;

/// The rectangle that a plot is drawn in; y grows downward.
struct Area {
  double left, top, right, bottom;
};

double shown_seconds(const Record& record) { return std::max(record.cpu_seconds, kLeastSeconds); }

void draw_frame(Svg& svg, const Area& area) {
  svg.rectangle({area.left, area.top}, area.right - area.left, area.bottom - area.top, "frame");
}

void draw_time_rows(Svg& svg, const Area& area, const LogScale& scale) {
  for (const double value : scale.subdivisions())
    svg.line({area.left, scale.pixel(value)}, {area.right, scale.pixel(value)}, "subgrid");
  for (const double value : scale.decades()) {
    svg.line({area.left, scale.pixel(value)}, {area.right, scale.pixel(value)}, "grid");
    svg.text({area.left - 8, scale.pixel(value) + 4}, tick_label(value), "end");
  }
}

void draw_time_columns(Svg& svg, const Area& area, const LogScale& scale) {
  for (const double value : scale.subdivisions())
    svg.line({scale.pixel(value), area.top}, {scale.pixel(value), area.bottom}, "subgrid");
  for (const double value : scale.decades()) {
    svg.line({scale.pixel(value), area.top}, {scale.pixel(value), area.bottom}, "grid");
    svg.text({scale.pixel(value), area.bottom + 18}, tick_label(value), "middle");
  }
}

/// Times of the solved cases, ascending.
std::vector<double> solved_times(const std::vector<Record>& records, const std::string& tool) {
  std::vector<double> times;
  for (const Record& record : records)
    if (record.tool == tool && record.outcome == CaseOutcome::Solved)
      times.push_back(shown_seconds(record));
  std::ranges::sort(times);
  return times;
}

/// A round number such that at most eight of its multiples fit.
std::size_t count_step(std::size_t greatest) {
  for (std::size_t step = 1;; step *= 10)
    for (const std::size_t factor : {1u, 2u, 5u})
      if (greatest / (step * factor) <= 8) return step * factor;
}

void draw_count_columns(Svg& svg, const Area& area, std::size_t greatest) {
  const std::size_t step = count_step(greatest);
  for (std::size_t count = 0; count <= greatest; count += step) {
    const double x = area.left + (area.right - area.left) * static_cast<double>(count) /
                                     static_cast<double>(greatest);
    svg.line({x, area.top}, {x, area.bottom}, "grid");
    svg.text({x, area.bottom + 18}, std::to_string(count), "middle");
  }
}

void draw_limit_row(Svg& svg, const Area& area, double y, std::string_view words) {
  svg.line({area.left, y}, {area.right, y}, "limit");
  svg.text({area.right - 6, y - 5}, words, "quiet end");
}

struct Curve {
  std::string tool;
  std::vector<double> times;
};

/// The class of a tool's marks in the style sheet.
std::string tool_class(std::size_t tool) { return fmt::format("tool{}", tool % kColours); }

void draw_curve(Svg& svg, const Area& area, const LogScale& scale, std::size_t greatest,
                const Curve& curve, const std::string& colour) {
  const double width = (area.right - area.left) / static_cast<double>(greatest);
  std::string path;
  Point end;
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    end = {area.left + width * static_cast<double>(i + 1), scale.pixel(curve.times[i])};
    path += fmt::format("{}{:.1f},{:.1f} ", i == 0 ? "M" : "L", end.x, end.y);
  }
  if (path.empty()) return;
  svg.path(path, end, "curve " + colour);
  svg.circle(end, kMark, colour, curve.tool);
}

void draw_legend(Svg& svg, const Area& area, const std::vector<Curve>& curves) {
  double y = area.top + 28;
  for (std::size_t i = 0; i < curves.size(); ++i, y += 18) {
    svg.line({area.left + 12, y - 4}, {area.left + 36, y - 4}, "curve " + tool_class(i));
    svg.text({area.left + 44, y},
             fmt::format("{} ({} solved)", curves[i].tool, curves[i].times.size()), "");
  }
}

/// A case: a cross if it is unsafe, a dot if it is safe.
void draw_case(Svg& svg, Point at, Claim verdict, std::string_view name) {
  if (verdict != Claim::Unsafe) return svg.circle(at, kMark, "safe-case", name);
  svg.path(fmt::format("M{0:.1f} {1:.1f}l{2} {2}m0 -{2}l-{2} {2}", at.x - kMark, at.y - kMark,
                       2 * kMark),
           at, "unsafe-case", name);
}

void upward_text(Svg& svg, Point at, const std::string& words, std::string_view classes) {
  svg.text(at, words, fmt::format("middle {}", classes), {}, -90);
}

/// Two time axes of the same length and one more step beyond them for "not solved".
struct ScatterAxes {
  LogScale across;
  LogScale up;
  double across_unsolved;
  double up_unsolved;

  Point place(const Pair& pair) const {
    const bool ours = pair.ours->outcome == CaseOutcome::Solved;
    const bool theirs = pair.theirs->outcome == CaseOutcome::Solved;
    return {ours ? across.pixel(shown_seconds(*pair.ours)) : across_unsolved,
            theirs ? up.pixel(shown_seconds(*pair.theirs)) : up_unsolved};
  }
};

std::vector<Pair> shown_pairs(std::vector<Pair> pairs) {
  std::erase_if(pairs, [](const Pair& pair) {
    return pair.ours->outcome != CaseOutcome::Solved && pair.theirs->outcome != CaseOutcome::Solved;
  });
  return pairs;
}

std::pair<double, double> time_range(const std::vector<Pair>& pairs,
                                     std::optional<double> timeout) {
  double least = timeout.value_or(1);
  double greatest = timeout.value_or(kLeastSeconds);
  for (const Pair& pair : pairs)
    for (const Record* record : {pair.ours, pair.theirs}) {
      if (record->outcome != CaseOutcome::Solved) continue;
      least = std::min(least, shown_seconds(*record));
      greatest = std::max(greatest, shown_seconds(*record));
    }
  return {least, greatest};
}

void draw_pair(Svg& svg, const ScatterAxes& axes, const Pair& pair) {
  const Claim verdict =
      pair.ours->outcome == CaseOutcome::Solved ? pair.ours->verdict : pair.theirs->verdict;
  const std::string name =
      fmt::format("{}: {} {:.3f} s, {} {:.3f} s", pair.ours->path, pair.ours->tool,
                  pair.ours->cpu_seconds, pair.theirs->tool, pair.theirs->cpu_seconds);
  draw_case(svg, axes.place(pair), verdict, name);
}

/// The diagonal, and fainter ones for ten times faster and slower.
void draw_diagonals(Svg& svg, const ScatterAxes& axes) {
  const std::vector<double> decades = axes.across.decades();
  const double least = decades.front();
  const double greatest = decades.back();
  const auto at = [&](double x, double y) { return Point{axes.across.pixel(x), axes.up.pixel(y)}; };
  svg.line(at(least, least), at(greatest, greatest), "diagonal");
  svg.line(at(least, least * 10), at(greatest / 10, greatest), "limit");
  svg.line(at(least * 10, least), at(greatest, greatest / 10), "limit");
  const Point label = at(greatest / 10, greatest);
  svg.text({label.x - 4, label.y + 14}, "10×", "quiet end");
}

void draw_timeouts(Svg& svg, const Area& area, const ScatterAxes& axes, double timeout) {
  const double x = axes.across.pixel(timeout);
  const double y = axes.up.pixel(timeout);
  svg.line({area.left, y}, {area.right, y}, "limit");
  svg.line({x, area.top}, {x, area.bottom}, "limit");
  svg.text({area.left + 6, y - 5}, fmt::format("timeout {:g} s", timeout), "quiet");
}

void draw_scatter_words(Svg& svg, const Area& area, const std::string& ours,
                        const std::string& theirs, std::size_t points) {
  const double middle = (area.left + area.right) / 2;
  svg.text({area.left, 26}, fmt::format("{} and {}: {} cases", ours, theirs, points), "heading");
  svg.text({middle, area.bottom + 42}, ours + ", CPU seconds", "middle");
  upward_text(svg, {area.left - 50, (area.top + area.bottom) / 2}, theirs + ", CPU seconds", "");
  draw_case(svg, {area.right - 130, 22}, Claim::Safe, "safe");
  svg.text({area.right - 120, 26}, "safe", "");
  draw_case(svg, {area.right - 60, 22}, Claim::Unsafe, "unsafe");
  svg.text({area.right - 50, 26}, "unsafe", "");
}

}  // namespace

std::string cactus_svg(const std::vector<Record>& records, std::optional<double> timeout) {
  std::vector<Curve> curves;
  std::size_t cases = 1;
  double least = timeout.value_or(1);
  double greatest = timeout.value_or(kLeastSeconds);
  for (const std::string& tool : tools_of(records)) {
    curves.push_back({tool, solved_times(records, tool)});
    cases = std::max(cases, summarise(records, tool).cases);
    const std::vector<double>& times = curves.back().times;
    if (times.empty()) continue;
    least = std::min(least, times.front());
    greatest = std::max(greatest, times.back());
  }
  const Area area{70, 44, 740, 430};
  const LogScale scale(least, greatest, area.bottom, area.top);
  Svg svg;
  svg.text({area.left, 26}, fmt::format("Solved within a time, of {} cases", cases), "heading");
  draw_time_rows(svg, area, scale);
  draw_count_columns(svg, area, cases);
  if (timeout)
    draw_limit_row(svg, area, scale.pixel(*timeout), fmt::format("timeout {:g} s", *timeout));
  draw_frame(svg, area);
  for (std::size_t i = 0; i < curves.size(); ++i)
    draw_curve(svg, area, scale, cases, curves[i], tool_class(i));
  draw_legend(svg, area, curves);
  svg.text({(area.left + area.right) / 2, area.bottom + 42}, "cases solved", "middle");
  upward_text(svg, {22, (area.top + area.bottom) / 2}, "CPU seconds a case", "");
  return svg.finish("cases solved within a time");
}

std::string scatter_svg(const std::vector<Record>& records, const std::string& ours,
                        const std::string& theirs, std::optional<double> timeout) {
  constexpr double kUnsolvedBand = 26;
  const std::vector<Pair> pairs = shown_pairs(pairs_of(records, ours, theirs));
  const auto [least, greatest] = time_range(pairs, timeout);
  const Area area{76, 44, 606, 574};
  const ScatterAxes axes{{least, greatest, area.left, area.right - kUnsolvedBand},
                         {least, greatest, area.bottom, area.top + kUnsolvedBand},
                         area.right - kUnsolvedBand / 2,
                         area.top + kUnsolvedBand / 2};
  Svg svg;
  svg.rectangle({area.left, area.top}, area.right - area.left, kUnsolvedBand, "band");
  svg.rectangle({area.right - kUnsolvedBand, area.top}, kUnsolvedBand, area.bottom - area.top,
                "band");
  draw_time_rows(svg, area, axes.up);
  draw_time_columns(svg, area, axes.across);
  draw_diagonals(svg, axes);
  if (timeout) draw_timeouts(svg, area, axes, *timeout);
  svg.text({area.right - kUnsolvedBand - 6, axes.up_unsolved + 4}, "not solved by " + theirs,
           "quiet end");
  upward_text(svg, {axes.across_unsolved + 4, area.top + kUnsolvedBand + 70},
              "not solved by " + ours, "quiet");
  draw_frame(svg, area);
  for (const Pair& pair : pairs) draw_pair(svg, axes, pair);
  draw_scatter_words(svg, area, ours, theirs, pairs.size());
  return svg.finish(ours + " and " + theirs);
}

}  // namespace heddle::output::bench
