#include "output/picture/run_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output/picture/svg.hpp"
#include "output/picture/trace_picture.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

constexpr double kRunTop = 116;
constexpr double kRunRow = 24;
constexpr double kRunNumber = 44;
constexpr double kRunShared = 56;
constexpr double kRunLanes = 220;
constexpr double kNarrowestLane = 110;
constexpr std::size_t kSharedText = 26;
constexpr std::size_t kStatementText = 48;
constexpr std::size_t kWordsText = 70;

/// Which steps have a row: all, or the first two thirds and the last third of what there is room
/// for.
std::vector<std::size_t> shown_steps(std::size_t steps) {
  std::vector<std::size_t> shown;
  const std::size_t cut = kMostTraceRows - kMostTraceRows / 3;
  for (std::size_t i = 0; i < steps; ++i)
    if (steps <= kMostTraceRows || i < cut || i >= steps - (kMostTraceRows - cut))
      shown.push_back(i);
  return shown;
}

class RunPicture {
 public:
  explicit RunPicture(const ListedRun& run)
      : run_(run),
        shown_(shown_steps(run.steps.size())),
        lanes_(run.moments.empty() ? 0
                                   : std::min(run.moments.back().threads.size(), kMostTraceLanes)),
        lane_width_(width_of_lanes()) {}

  std::string draw(const std::string& name, const std::string& warning) {
    svg_.text({16, 28}, name, "heading");
    svg_.text({16, 46}, summary(), "quiet");
    if (!warning.empty()) svg_.text({16, 62}, warning, "warning");
    draw_lanes();
    for (std::size_t row = 0; row < shown_.size(); ++row) draw_row(row);
    draw_end();
    if (!shown_.empty()) draw_legend();
    return svg_.finish(name);
  }

 private:
  /// So that the longest statement has room, if there is any.
  double width_of_lanes() const {
    std::size_t longest = 0;
    for (const std::size_t i : shown_)
      longest = std::max(longest, character_count(run_.steps[i].entry.change));
    return std::max(kNarrowestLane,
                    24 + kSmallCharacter * static_cast<double>(std::min(longest, kStatementText)));
  }

  void draw_legend() {
    Legend legend(svg_);
    legend.disc("step", "the thread makes a step");
    const auto any = [&](auto holds) {
      return std::ranges::any_of(shown_, [&](std::size_t i) { return holds(run_.steps[i]); });
    };
    if (any([](const ListedStep& step) { return step.started.has_value(); }))
      legend.disc("node initial", "a thread starts");
    if (any([](const ListedStep& step) { return !step.others.empty(); }))
      legend.disc("mark", "another thread is woken or changed");
    if (shown_.size() < run_.steps.size()) legend.edge("limit", "steps that are left out");
  }

  static double row_y(std::size_t row) {
    return kRunTop + kRunRow * (static_cast<double>(row) + 1.5);
  }
  double lane_x(std::size_t lane) const {
    return kRunLanes + lane_width_ * static_cast<double>(lane);
  }
  double words_x() const { return lane_x(lanes_) + 8; }
  double end_y() const { return row_y(shown_.size()); }

  std::string summary() const {
    if (run_.moments.empty()) return run_.broken;
    std::string out = counted(run_.steps.size(), "step") + " of " +
                      counted(run_.moments.back().threads.size(), "thread");
    if (shown_.size() < run_.steps.size())
      out += "; " + counted(run_.steps.size() - shown_.size(), "row") + " in the middle left out";
    if (lanes_ < run_.moments.back().threads.size()) out += "; not all threads have a lane";
    return out;
  }

  /// The row in which a thread starts; nothing for those that are there from the beginning.
  double start_of(std::size_t thread) const {
    for (std::size_t row = 0; row < shown_.size(); ++row)
      if (run_.steps[shown_[row]].started == thread) return row_y(row);
    return kRunTop;
  }

  void draw_lanes() {
    if (run_.moments.empty()) return;
    const Moment& first = run_.moments.front();
    svg_.text({kRunShared, kRunTop - 8}, "shared", "strong");
    svg_.text({kRunShared, kRunTop + 8}, shortened(first.shared, kSharedText), "small",
              first.shared);
    for (std::size_t i = 0; i < lanes_; ++i) {
      const ListedThread& thread = run_.moments.back().threads[i];
      svg_.text({lane_x(i), kRunTop - 8}, thread.name, "strong");
      svg_.line({lane_x(i), start_of(i)}, {lane_x(i), end_y() - 12}, "lane");
      if (i >= first.threads.size()) continue;
      const std::string start =
          first.threads[i].state + " " + model::values_text(first.threads[i].values);
      svg_.text({lane_x(i) + 8, kRunTop + 8}, shortened(start, kStatementText), "small quiet",
                start);
    }
  }

  void draw_row(std::size_t row) {
    const std::size_t i = shown_[row];
    const ListedStep& step = run_.steps[i];
    const double y = row_y(row);
    if (row > 0 && shown_[row - 1] + 1 != i)
      svg_.line({kRunNumber, y - kRunRow / 2}, {words_x(), y - kRunRow / 2}, "limit");
    svg_.text({kRunNumber, y + 4}, step.entry.number, "small quiet end");
    draw_shared(y, run_.moments[i], run_.moments[i + 1]);
    if (step.started) draw_branch(y, step);
    if (step.thread < lanes_) draw_statement(y, step);
    for (const std::uint32_t other : step.others)
      if (other < lanes_) svg_.circle({lane_x(other), y}, 4, "mark", title_of(step));
    draw_words(y, step);
  }

  void draw_shared(double y, const Moment& before, const Moment& after) {
    if (before.shared == after.shared) return;
    const std::string changes =
        after.values.empty() ? after.shared
                             : model::values_text(changed_values(before.values, after.values));
    svg_.text({kRunShared, y + 4}, shortened(changes, kSharedText), "small strong", after.shared);
  }

  static std::string title_of(const ListedStep& step) {
    std::string title = step.entry.who + ": " + step.entry.change;
    for (const std::string& detail : step.entry.details) title += "\n" + detail;
    return title;
  }

  void draw_statement(double y, const ListedStep& step) {
    svg_.circle({lane_x(step.thread), y}, 5, "step", title_of(step));
    svg_.text({lane_x(step.thread) + 10, y + 4}, shortened(step.entry.change, kStatementText),
              "small", title_of(step));
  }

  void draw_branch(double y, const ListedStep& step) {
    if (step.thread >= lanes_ || *step.started >= lanes_) return;
    const double from = lane_x(step.thread), to = lane_x(*step.started);
    svg_.path(fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", from, y + 8, to, y + 8), {to, y + 8},
              "branch", title_of(step));
    svg_.circle({to, y + 8}, 4, "node initial");
  }

  void draw_words(double y, const ListedStep& step) {
    std::string words = step.entry.where;
    for (const std::string& detail : step.entry.details)
      if (!detail.starts_with("shared ")) words += "; " + detail;
    svg_.text({words_x(), y + 4}, shortened(words, kWordsText), "small quiet", title_of(step));
  }

  void draw_end() {
    if (!run_.broken.empty() && !run_.moments.empty())
      svg_.text({16, end_y() + 4}, "the next step is impossible: " + run_.broken, "warning");
    if (!run_.reached.empty()) svg_.text({16, end_y() + 4}, run_.reached, "strong");
  }

  const ListedRun& run_;
  std::vector<std::size_t> shown_;
  std::size_t lanes_;
  double lane_width_;
  Svg svg_;
};

}  // namespace

std::string run_svg(const ListedRun& run, const std::string& name, const std::string& warning) {
  return RunPicture(run).draw(name, warning);
}

}  // namespace heddle::output::picture
