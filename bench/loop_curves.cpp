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
#include "output/bench/svg.hpp"
#include "support/loop_models.hpp"

namespace heddle {
namespace {

using output::bench::Anchor;
using output::bench::Canvas;
using output::bench::LogScale;
using output::bench::Point;

constexpr double kMostSeconds = 10;  // a curve ends where a run takes longer
constexpr double kLeastSeconds = 1e-5;
constexpr double kEnoughSeconds = 0.1;  // short runs are repeated for as long as this

/// CPU seconds for an answer and its check; nothing if it took too long.
std::optional<double> measure_once(const engine::EngineRow& engine, const model::Task& task) {
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
std::optional<double> measure(const engine::EngineRow& engine, const model::Task& task) {
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
  model::Task (*make)(unsigned size);
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

void draw_axes(Canvas& canvas, const Family& family, const LogScale& across, const LogScale& up,
               Point top_left, Point bottom_right) {
  constexpr std::string_view kFaint = R"(stroke="#e6e6e6" stroke-width="1")";
  for (const double value : up.decades()) {
    canvas.line({top_left.x, up.pixel(value)}, {bottom_right.x, up.pixel(value)}, kFaint);
    canvas.text({top_left.x - 6, up.pixel(value) + 4}, output::bench::tick_label(value),
                Anchor::End);
  }
  for (const double value : across.decades()) {
    canvas.line({across.pixel(value), top_left.y}, {across.pixel(value), bottom_right.y}, kFaint);
    canvas.text({across.pixel(value), bottom_right.y + 18}, output::bench::tick_label(value),
                Anchor::Middle);
  }
  canvas.rectangle(top_left, bottom_right.x - top_left.x, bottom_right.y - top_left.y,
                   R"(fill="none" stroke="#444" stroke-width="1")");
  canvas.text({top_left.x, top_left.y - 12}, family.title, Anchor::Start,
              R"(font-size="14" font-weight="bold")");
  canvas.text({(top_left.x + bottom_right.x) / 2, bottom_right.y + 40}, family.axis,
              Anchor::Middle);
}

void draw_family(Canvas& canvas, const Family& family, const std::vector<Curve>& curves,
                 double left) {
  constexpr std::string_view kColours[] = {"#1f6fb4", "#d9622b"};
  const Point top_left{left, 44}, bottom_right{left + 360, 360};
  const LogScale across(family.sizes.front(), family.sizes.back(), top_left.x, bottom_right.x);
  const LogScale up(kLeastSeconds, kMostSeconds, bottom_right.y, top_left.y);
  draw_axes(canvas, family, across, up, top_left, bottom_right);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Point> pixels;
    for (const Point& point : curves[i].points)
      pixels.push_back({across.pixel(point.x), up.pixel(point.y)});
    canvas.polyline(pixels, fmt::format(R"(stroke="{}" stroke-width="2")", kColours[i]));
    for (const Point& pixel : pixels)
      canvas.dot(pixel, fmt::format(R"(fill="{}")", kColours[i]), curves[i].engine);
    canvas.text({top_left.x + 12, top_left.y + 20 + 18 * static_cast<double>(i)}, curves[i].engine,
                Anchor::Start, fmt::format(R"(fill="{}")", kColours[i]));
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
       {1, 2, 3, 4, 6, 8, 10, 20, 50, 100, 200},
       test::doubling_chain},
  };
  Canvas canvas(920, 430, "loops");
  double left = 70;
  for (const Family& family : families) {
    draw_family(canvas, family,
                {measure_curve(family, "concolic"), measure_curve(family, "backward")}, left);
    left += 440;
  }
  canvas.upward_text({20, 200}, "CPU seconds, with the check");
  if (argc > 1) std::ofstream(argv[1]) << canvas.svg();
}
