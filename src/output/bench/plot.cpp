#include "output/bench/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "output/bench/statistics.hpp"
#include "output/bench/svg.hpp"

namespace heddle::output::bench {

namespace {

constexpr double kLeastSeconds = 1e-3;  // the clock's grain: faster is not told apart
constexpr std::array kColours{"#1f6fb4", "#d9622b", "#3a9441", "#8a4fb0", "#b0892f", "#5b6770"};
constexpr std::string_view kFaint = R"(stroke="#e6e6e6" stroke-width="1")";
constexpr std::string_view kFainter = R"(stroke="#f4f4f4" stroke-width="1")";
constexpr std::string_view kFrame = R"(fill="none" stroke="#444" stroke-width="1")";
constexpr std::string_view kDashed = R"(stroke="#999" stroke-width="1" stroke-dasharray="5 4")";
constexpr std::string_view kHeadline = R"(font-size="15" font-weight="bold")";
constexpr std::string_view kSmall = R"(font-size="11" fill="#666")";

/// The rectangle that a plot is drawn in; y grows downward.
struct Area {
  double left, top, right, bottom;
};

double shown_seconds(const Record& record) { return std::max(record.cpu_seconds, kLeastSeconds); }

void draw_frame(Canvas& canvas, const Area& area) {
  canvas.rectangle({area.left, area.top}, area.right - area.left, area.bottom - area.top, kFrame);
}

void draw_time_rows(Canvas& canvas, const Area& area, const LogScale& scale) {
  for (const double value : scale.subdivisions())
    canvas.line({area.left, scale.pixel(value)}, {area.right, scale.pixel(value)}, kFainter);
  for (const double value : scale.decades()) {
    canvas.line({area.left, scale.pixel(value)}, {area.right, scale.pixel(value)}, kFaint);
    canvas.text({area.left - 8, scale.pixel(value) + 4}, tick_label(value), Anchor::End);
  }
}

void draw_time_columns(Canvas& canvas, const Area& area, const LogScale& scale) {
  for (const double value : scale.subdivisions())
    canvas.line({scale.pixel(value), area.top}, {scale.pixel(value), area.bottom}, kFainter);
  for (const double value : scale.decades()) {
    canvas.line({scale.pixel(value), area.top}, {scale.pixel(value), area.bottom}, kFaint);
    canvas.text({scale.pixel(value), area.bottom + 18}, tick_label(value), Anchor::Middle);
  }
}

/// Times of the solved cases, ascending.
std::vector<double> solved_times(const std::vector<Record>& records, const std::string& tool) {
  std::vector<double> times;
  for (const Record& record : records)
    if (record.tool == tool && record.outcome == Outcome::Solved)
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

void draw_count_columns(Canvas& canvas, const Area& area, std::size_t greatest) {
  const std::size_t step = count_step(greatest);
  for (std::size_t count = 0; count <= greatest; count += step) {
    const double x = area.left + (area.right - area.left) * static_cast<double>(count) /
                                     static_cast<double>(greatest);
    canvas.line({x, area.top}, {x, area.bottom}, kFaint);
    canvas.text({x, area.bottom + 18}, std::to_string(count), Anchor::Middle);
  }
}

void draw_limit_row(Canvas& canvas, const Area& area, double y, std::string_view words) {
  canvas.line({area.left, y}, {area.right, y}, kDashed);
  canvas.text({area.right - 6, y - 5}, words, Anchor::End, kSmall);
}

struct Curve {
  std::string tool;
  std::vector<double> times;
};

void draw_curve(Canvas& canvas, const Area& area, const LogScale& scale, std::size_t greatest,
                const Curve& curve, std::string_view colour) {
  std::vector<Point> points;
  const double width = (area.right - area.left) / static_cast<double>(greatest);
  for (std::size_t i = 0; i < curve.times.size(); ++i)
    points.push_back({area.left + width * static_cast<double>(i + 1), scale.pixel(curve.times[i])});
  canvas.polyline(points,
                  fmt::format(R"(stroke="{}" stroke-width="2" stroke-linejoin="round")", colour));
  if (!points.empty()) canvas.dot(points.back(), fmt::format("fill=\"{}\"", colour), curve.tool);
}

void draw_legend(Canvas& canvas, const Area& area, const std::vector<Curve>& curves) {
  double y = area.top + 28;
  for (std::size_t i = 0; i < curves.size(); ++i, y += 18) {
    const char* colour = kColours[i % kColours.size()];
    canvas.line({area.left + 12, y - 4}, {area.left + 36, y - 4},
                fmt::format(R"(stroke="{}" stroke-width="3")", colour));
    canvas.text({area.left + 44, y},
                fmt::format("{} ({} solved)", curves[i].tool, curves[i].times.size()),
                Anchor::Start);
  }
}

std::string_view verdict_look(Claim verdict) {
  return verdict == Claim::Unsafe ? R"(stroke="#c2402a" stroke-width="2")"
                                  : R"(fill="#1f6fb4" fill-opacity="0.65")";
}

/// Two time axes of the same length and one more step beyond them for "not solved".
struct ScatterAxes {
  LogScale across;
  LogScale up;
  double across_unsolved;
  double up_unsolved;

  Point place(const Pair& pair) const {
    const bool ours = pair.ours->outcome == Outcome::Solved;
    const bool theirs = pair.theirs->outcome == Outcome::Solved;
    return {ours ? across.pixel(shown_seconds(*pair.ours)) : across_unsolved,
            theirs ? up.pixel(shown_seconds(*pair.theirs)) : up_unsolved};
  }
};

std::vector<Pair> shown_pairs(std::vector<Pair> pairs) {
  std::erase_if(pairs, [](const Pair& pair) {
    return pair.ours->outcome != Outcome::Solved && pair.theirs->outcome != Outcome::Solved;
  });
  return pairs;
}

std::pair<double, double> time_range(const std::vector<Pair>& pairs,
                                     std::optional<double> timeout) {
  double least = timeout.value_or(1);
  double greatest = timeout.value_or(kLeastSeconds);
  for (const Pair& pair : pairs)
    for (const Record* record : {pair.ours, pair.theirs}) {
      if (record->outcome != Outcome::Solved) continue;
      least = std::min(least, shown_seconds(*record));
      greatest = std::max(greatest, shown_seconds(*record));
    }
  return {least, greatest};
}

void draw_pair(Canvas& canvas, const ScatterAxes& axes, const Pair& pair) {
  const Claim verdict =
      pair.ours->outcome == Outcome::Solved ? pair.ours->verdict : pair.theirs->verdict;
  const std::string name =
      fmt::format("{}: {} {:.3f} s, {} {:.3f} s", pair.ours->path, pair.ours->tool,
                  pair.ours->cpu_seconds, pair.theirs->tool, pair.theirs->cpu_seconds);
  if (verdict == Claim::Unsafe)
    canvas.cross(axes.place(pair), verdict_look(verdict), name);
  else
    canvas.dot(axes.place(pair), verdict_look(verdict), name);
}

/// The diagonal, and fainter ones for ten times faster and slower.
void draw_diagonals(Canvas& canvas, const ScatterAxes& axes) {
  const std::vector<double> decades = axes.across.decades();
  const double least = decades.front();
  const double greatest = decades.back();
  const auto at = [&](double x, double y) { return Point{axes.across.pixel(x), axes.up.pixel(y)}; };
  canvas.line(at(least, least), at(greatest, greatest), R"(stroke="#444" stroke-width="1.2")");
  canvas.line(at(least, least * 10), at(greatest / 10, greatest), kDashed);
  canvas.line(at(least * 10, least), at(greatest, greatest / 10), kDashed);
  const Point label = at(greatest / 10, greatest);
  canvas.text({label.x - 4, label.y + 14}, "10×", Anchor::End, kSmall);
}

void draw_timeouts(Canvas& canvas, const Area& area, const ScatterAxes& axes, double timeout) {
  const double x = axes.across.pixel(timeout);
  const double y = axes.up.pixel(timeout);
  canvas.line({area.left, y}, {area.right, y}, kDashed);
  canvas.line({x, area.top}, {x, area.bottom}, kDashed);
  canvas.text({area.left + 6, y - 5}, fmt::format("timeout {:g} s", timeout), Anchor::Start,
              kSmall);
}

void draw_scatter_words(Canvas& canvas, const Area& area, const std::string& ours,
                        const std::string& theirs, std::size_t points) {
  const double middle = (area.left + area.right) / 2;
  canvas.text({area.left, 26}, fmt::format("{} and {}: {} cases", ours, theirs, points),
              Anchor::Start, kHeadline);
  canvas.text({middle, area.bottom + 42}, ours + ", CPU seconds", Anchor::Middle);
  canvas.upward_text({area.left - 50, (area.top + area.bottom) / 2}, theirs + ", CPU seconds");
  canvas.dot({area.right - 130, 22}, verdict_look(Claim::Safe), "safe");
  canvas.text({area.right - 120, 26}, "safe", Anchor::Start);
  canvas.cross({area.right - 60, 22}, verdict_look(Claim::Unsafe), "unsafe");
  canvas.text({area.right - 50, 26}, "unsafe", Anchor::Start);
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
  Canvas canvas(770, 490, "cases solved within a time");
  canvas.text({area.left, 26}, fmt::format("Solved within a time, of {} cases", cases),
              Anchor::Start, kHeadline);
  draw_time_rows(canvas, area, scale);
  draw_count_columns(canvas, area, cases);
  if (timeout)
    draw_limit_row(canvas, area, scale.pixel(*timeout), fmt::format("timeout {:g} s", *timeout));
  draw_frame(canvas, area);
  for (std::size_t i = 0; i < curves.size(); ++i)
    draw_curve(canvas, area, scale, cases, curves[i], kColours[i % kColours.size()]);
  draw_legend(canvas, area, curves);
  canvas.text({(area.left + area.right) / 2, area.bottom + 42}, "cases solved", Anchor::Middle);
  canvas.upward_text({22, (area.top + area.bottom) / 2}, "CPU seconds a case");
  return canvas.svg();
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
  Canvas canvas(640, 630, ours + " and " + theirs);
  canvas.rectangle({area.left, area.top}, area.right - area.left, kUnsolvedBand,
                   "fill=\"#f6f1e7\"");
  canvas.rectangle({area.right - kUnsolvedBand, area.top}, kUnsolvedBand, area.bottom - area.top,
                   "fill=\"#f6f1e7\"");
  draw_time_rows(canvas, area, axes.up);
  draw_time_columns(canvas, area, axes.across);
  draw_diagonals(canvas, axes);
  if (timeout) draw_timeouts(canvas, area, axes, *timeout);
  canvas.text({area.right - kUnsolvedBand - 6, axes.up_unsolved + 4}, "not solved by " + theirs,
              Anchor::End, kSmall);
  canvas.upward_text({axes.across_unsolved + 4, area.top + kUnsolvedBand + 70},
                     "not solved by " + ours, kSmall);
  draw_frame(canvas, area);
  for (const Pair& pair : pairs) draw_pair(canvas, axes, pair);
  draw_scatter_words(canvas, area, ours, theirs, pairs.size());
  return canvas.svg();
}

}  // namespace heddle::output::bench
