/// How the time of `concolic` and of `backward` grows with the number of rounds that a loop has to
/// be run, and with the number of loops in a chain each of which takes two threads of the one
/// before (2^k threads). Prints a table and draws both curves:
///
///     build-bench/bench/loop_curves [curves.svg]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <optional>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "output/bench/log_scale.hpp"
#include "output/picture/svg.hpp"
#include "support/loop_models.hpp"

namespace heddle {
namespace {

using output::bench::LogScale;
using output::picture::Point;
using output::picture::Svg;

constexpr double kMostSeconds = 10;  // a curve ends where a run takes longer
constexpr double kLeastSeconds = 1e-5;
constexpr double kEnoughSeconds = 0.1;  // short runs are repeated for as long as this

/// CPU seconds for an answer and its check; nothing if it took too long.
std::optional<double> measure_once(const engine::EngineRow& engine,
                                   const model::CountingTask& task) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() +
                    std::chrono::milliseconds(static_cast<int>(kMostSeconds * 1000));
  base::RunContext context(limits), checking;
  const std::clock_t before = std::clock();
  const answer::Verdict verdict = engine.run(task, {}, context);
  const auto checked = check::check(task, verdict, checking);
  const std::clock_t after = std::clock();
  if (checked.status != answer::EvidenceStatus::Confirmed) return std::nullopt;
  return static_cast<double>(after - before) / CLOCKS_PER_SEC;
}

/// The mean of many runs, if they are short.
std::optional<double> measure(const engine::EngineRow& engine, const model::CountingTask& task) {
  double total = 0;
  for (int runs = 1;; ++runs) {
    const auto seconds = measure_once(engine, task);
    if (!seconds) return std::nullopt;
    total += *seconds;
    if (total > kEnoughSeconds) return total / runs;
  }
}

struct Curve {
  std::string engine;
  std::vector<Point> points;
};

struct Family {
  std::string title;
  std::string axis;
  std::vector<unsigned> sizes;
  model::CountingTask (*make)(unsigned size);
};

Curve measure_curve(const Family& family, std::string_view name) {
  Curve curve{std::string(name), {}};
  const engine::EngineRow& engine = *engine::find_engine(name);
  for (const unsigned size : family.sizes) {
    const auto seconds = measure(engine, family.make(size));
    fmt::print("{:40} {:>6} {:>9} {}\n", family.title, size, name,
               seconds ? fmt::format("{:.6f} s", *seconds) : "no answer in time");
    if (!seconds) break;
    curve.points.push_back({static_cast<double>(size), std::max(*seconds, kLeastSeconds)});
  }
  return curve;
}

void draw_axes(Svg& svg, const Family& family, const LogScale& across, const LogScale& up,
               Point top_left, Point bottom_right) {
  using output::bench::tick_label;
  for (const double value : up.decades()) {
    svg.line({top_left.x, up.pixel(value)}, {bottom_right.x, up.pixel(value)}, "grid");
    svg.text({top_left.x - 6, up.pixel(value) + 4}, tick_label(value), "end");
  }
  for (const double value : across.decades()) {
    svg.line({across.pixel(value), top_left.y}, {across.pixel(value), bottom_right.y}, "grid");
    svg.text({across.pixel(value), bottom_right.y + 18}, tick_label(value), "middle");
  }
  svg.rectangle(top_left, bottom_right.x - top_left.x, bottom_right.y - top_left.y, "frame");
  svg.text({top_left.x, top_left.y - 12}, family.title, "strong");
  svg.text({(top_left.x + bottom_right.x) / 2, bottom_right.y + 40}, family.axis, "middle");
}

void draw_curve(Svg& svg, const Curve& curve, const LogScale& across, const LogScale& up,
                const std::string& colour) {
  std::string path;
  Point end{};
  for (const Point& point : curve.points) {
    end = {across.pixel(point.x), up.pixel(point.y)};
    path += fmt::format("{}{:.1f},{:.1f} ", path.empty() ? "M" : "L", end.x, end.y);
    svg.circle(end, 3, colour, curve.engine);
  }
  if (!path.empty()) svg.path(path, end, "curve " + colour);
}

void draw_family(Svg& svg, const Family& family, const std::vector<Curve>& curves, double left) {
  const Point top_left{left, 44}, bottom_right{left + 360, 360};
  const LogScale across(family.sizes.front(), family.sizes.back(), top_left.x, bottom_right.x);
  const LogScale up(kLeastSeconds, kMostSeconds, bottom_right.y, top_left.y);
  draw_axes(svg, family, across, up, top_left, bottom_right);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string colour = "tool" + std::to_string(i);
    draw_curve(svg, curves[i], across, up, colour);
    const double y = top_left.y + 20 + 18 * static_cast<double>(i);
    svg.circle({top_left.x + 16, y - 4}, 4, colour);
    svg.text({top_left.x + 26, y}, curves[i].engine, "");
  }
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  const std::vector<Family> families = {
      {"a loop that is run n times",
       "n",
       {10, 30, 100, 300, 1000, 3000, 10000},
       [](unsigned size) { return test::counting_loop(3, size); }},
      {"a chain of k loops, 2^k threads",
       "k",
       {1, 2, 3, 4, 6, 8, 10, 20, 50, 100, 200, 400, 1000},
       test::doubling_chain},
  };
  Svg svg;
  double left = 70;
  for (const Family& family : families) {
    draw_family(svg, family, {measure_curve(family, "concolic"), measure_curve(family, "backward")},
                left);
    left += 440;
  }
  svg.text({20, 280}, "CPU seconds, with the check", "", {}, -90);
  if (argc > 1) std::ofstream(argv[1]) << svg.finish("loops");
}
