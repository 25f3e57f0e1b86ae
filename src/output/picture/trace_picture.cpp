#include "output/picture/trace_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "output/kinds.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/trace_rows.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using answer::ThreadId;
using answer::ThreadMove;
using model::Counter;

constexpr double kLaneTop = 116;
constexpr double kRow = 26;
constexpr double kNumber = 44;
constexpr double kShared = 84;
constexpr double kLanes = 150;
constexpr double kLane = 76;
constexpr double kWidestLane = 180;
constexpr double kPlaceCharacter = 6.8;
constexpr std::size_t kLongestText = 60;

std::string local_arrow(const ThreadMove& move) {
  const std::string from = std::to_string(move.from.value);
  return move.from == move.to ? from : from + "→" + std::to_string(move.to.value);
}

double row_y(std::size_t row) { return kLaneTop + kRow * static_cast<double>(row + 1); }

/// What the rows of both kinds of pictures share.
class TracePicture {
 public:
  TracePicture(const model::CountingTask& task, const answer::Trace& trace)
      : task_(task), trace_(trace), rows_(trace_rows(task.model, trace, kMostTraceRows)) {}
  virtual ~TracePicture() = default;

  std::string draw(const std::string& name, const std::string& warning) {
    svg_.text({16, 28}, name, "heading");
    svg_.text({16, 46}, summary(), "quiet");
    if (!warning.empty()) svg_.text({16, 62}, warning, "warning");
    draw_start();
    for (std::size_t i = 0; i < rows_.rows.size(); ++i) draw_row(i, rows_.rows[i]);
    draw_end();
    if (!rows_.rows.empty()) {
      Legend legend(svg_);
      draw_legend(legend);
      if (any([](const TraceRow& row) { return row.block; }))
        legend.box("block", "a part that is repeated");
    }
    return svg_.finish(name);
  }

 protected:
  virtual void draw_legend(Legend& legend) const = 0;
  virtual double lane_width() const { return kLane; }

  template <class Holds>
  bool any(const Holds& holds) const {
    return std::ranges::any_of(rows_.rows, holds);
  }

  virtual void draw_start() = 0;
  virtual void draw_step(double y, const TraceRow& row) = 0;
  virtual std::string remark() const = 0;  ///< what the columns leave out
  virtual std::size_t lane_count() const = 0;

  const model::CountingModel& model() const { return task_.model; }
  double lane_x(std::size_t lane) const {
    return kLanes + lane_width() * static_cast<double>(lane);
  }
  double text_x() const { return lane_x(lane_count()) + 4; }
  double end_y() const { return row_y(rows_.rows.size()); }

  const model::CountingTask& task_;
  const answer::Trace& trace_;
  TraceRows rows_;
  Svg svg_;

 private:
  std::string summary() const {
    return "starts in " + shortened(model::to_string(model(), trace_.initial), kLongestText) +
           "; " + counted(step_count(trace_), "step") + remark();
  }

  void draw_row(std::size_t i, const TraceRow& row) {
    const double y = row_y(i);
    if (row.left_out > 0) {
      svg_.text({kNumber, y + 4}, "⋮", "strong end");
      svg_.text({kLanes - 30, y + 4}, counted(row.left_out, "row") + " left out", "quiet");
      return;
    }
    svg_.line({kNumber + 6, y + kRow / 2}, {text_x(), y + kRow / 2}, "rule");
    svg_.text({kNumber, y + 4}, shortened(row.entry.number, 7), "small quiet end",
              row.entry.number);
    draw_step(y, row);
    draw_words(y, row.entry);
  }

  void draw_words(double y, const StoryEntry& entry) {
    std::string words = entry.where;
    for (const std::string& note : entry.notes) words += (words.empty() ? "" : ": ") + note;
    std::string title = entry.who + " " + entry.change;
    for (const std::string& detail : entry.details) title += "\n" + detail;
    svg_.text({text_x(), y + 4}, shortened(words, kLongestText), "small quiet",
              title + "\n" + words);
  }

  void draw_end() {
    if (!rows_.broken.empty()) {
      svg_.text({16, end_y() + 8}, "the next step is impossible: " + rows_.broken, "warning");
      return;
    }
    const model::Configuration& last =
        rows_.rows.empty() ? trace_.initial : rows_.rows.back().after;
    std::string words = "ends in " + model::to_string(model(), last);
    for (const model::Region& target : task_.question.targets)
      if (model::target_region_contains(target, last)) {
        words += ", reaches " + model::target_to_string(model(), target);
        break;
      }
    svg_.text({16, end_y() + 8}, shortened(words, 2 * kLongestText), "strong", words);
  }
};

/// One lane per thread that acts, is moved or is started.
class ThreadLanes final : public TracePicture {
 public:
  ThreadLanes(const model::CountingTask& task, const answer::Trace& trace)
      : TracePicture(task, trace) {
    std::set<ThreadId> busy;
    for (const TraceRow& row : rows_.rows) {
      if (!row.step) continue;
      if (row.step->active) busy.insert(row.step->active->thread);
      if (row.step->spawned) busy.insert(row.step->spawned->thread);
      for (const ThreadMove& move : row.step->passive) busy.insert(move.thread);
    }
    for (const ThreadId thread : busy) {
      if (lanes_.size() == kMostTraceLanes) break;
      lanes_.emplace(thread, lanes_.size());
    }
    hidden_ = busy.size() - lanes_.size();
    shared_ = trace.initial.shared;
  }

 private:
  void draw_legend(Legend& legend) const override {
    const auto has = [&](auto holds) {
      return any([&](const TraceRow& row) { return row.step && holds(*row.step); });
    };
    if (has([](const answer::NamedStep& step) { return step.active.has_value(); }))
      legend.disc("step", "a thread moves: its local states");
    if (has([](const answer::NamedStep& step) { return !step.passive.empty(); }))
      legend.disc("mark", "a thread is moved along");
    if (has([](const answer::NamedStep& step) { return step.spawned.has_value(); }))
      legend.disc("node initial", "a thread is started");
    if (has([](const answer::NamedStep& step) { return !step.active; }))
      legend.edge("edge transfer", "all threads there move");
  }

  std::size_t lane_count() const override { return std::max<std::size_t>(lanes_.size(), 2); }

  std::string remark() const override {
    const auto* system = std::get_if<model::ThreadSystem>(&model());
    const base::Integer idle = *threads_of(*system, trace_) - lanes_.size() - hidden_;
    std::string out;
    if (idle > 0) out += "; " + counted(idle, "thread") + " without a lane of their own";
    if (hidden_ > 0) out += "; " + counted(hidden_, "busy thread") + " left out";
    return out;
  }

  void draw_start() override {
    svg_.text({kShared, kLaneTop - 8}, "shared", "strong middle");
    svg_.text({kShared, kLaneTop + 6}, std::to_string(shared_.value), "strong middle",
              model::shared_name(model(), shared_));
    std::map<ThreadId, double> from;
    for (const auto& [thread, lane] : lanes_) from[thread] = kLaneTop;
    for (std::size_t i = 0; i < rows_.rows.size(); ++i)
      if (const auto& step = rows_.rows[i].step; step && step->spawned)
        if (const auto known = from.find(step->spawned->thread); known != from.end())
          known->second = row_y(i);
    for (const auto& [thread, lane] : lanes_) {
      svg_.text({lane_x(lane), kLaneTop - 8}, "thread " + std::to_string(thread.value),
                "strong middle");
      svg_.line({lane_x(lane), from[thread]}, {lane_x(lane), end_y() - 10}, "lane");
    }
  }

  void draw_step(double y, const TraceRow& row) override {
    if (row.after.shared != shared_)
      svg_.text({kShared, y + 4}, std::to_string(row.after.shared.value), "strong middle",
                model::shared_name(model(), row.after.shared));
    shared_ = row.after.shared;
    if (!row.step) return draw_anonymous(y, row);
    if (row.step->spawned) draw_spawn(y, *row.step);
    if (row.step->active) draw_mark(y, *row.step->active, "step", row);
    for (const ThreadMove& move : row.step->passive) draw_mark(y, move, "mark", row);
    if (row.step->active) return;
    svg_.line({kShared + 20, y}, {text_x() - 30, y}, "edge transfer", row.entry.change);
  }

  /// A block, or a step of nobody in particular.
  void draw_anonymous(double y, const TraceRow& row) {
    std::string words = row.entry.who + " " + row.entry.change;
    for (const std::string& detail : row.entry.details) words += "; " + detail;
    svg_.rectangle({kLanes - 36, y - 10}, text_x() - kLanes + 28, 20, row.block ? "block" : "node",
                   words);
    const auto room = static_cast<std::size_t>((text_x() - kLanes + 20) / 6);
    svg_.text({kLanes - 30, y + 4}, shortened(words, room), "small", words);
  }

  void draw_spawn(double y, const answer::NamedStep& step) {
    const auto from = lanes_.find(step.active->thread);
    const auto to = lanes_.find(step.spawned->thread);
    if (from == lanes_.end() || to == lanes_.end()) return;
    const double a = lane_x(from->second), b = lane_x(to->second);
    svg_.path(fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", a, y, b, y), {b, y}, "branch",
              "thread " + std::to_string(step.spawned->thread.value) + " starts");
    svg_.circle({b, y}, 5, "node initial");
    svg_.text({b + 8, y - 3}, local_arrow(*step.spawned), "tiny");
  }

  void draw_mark(double y, const ThreadMove& move, std::string_view classes, const TraceRow& row) {
    const auto lane = lanes_.find(move.thread);
    if (lane == lanes_.end()) return;
    const std::string title = model::counter_name(model(), move.from) + " → " +
                              model::counter_name(model(), move.to) + "\n" + row.entry.where;
    svg_.circle({lane_x(lane->second), y}, classes == "mark" ? 4 : 6, classes, title);
    svg_.text({lane_x(lane->second) + 9, y - 3}, local_arrow(move), "tiny strong", title);
  }

  std::map<ThreadId, std::size_t> lanes_;
  std::size_t hidden_ = 0;
  model::SharedState shared_;
};

/// One column per place whose tokens change.
class TokenTable final : public TracePicture {
 public:
  TokenTable(const model::CountingTask& task, const answer::Trace& trace)
      : TracePicture(task, trace), before_(trace.initial) {
    std::set<Counter> changing;
    model::Configuration last = trace.initial;
    for (const TraceRow& row : rows_.rows) {
      if (row.left_out > 0) continue;
      for (const model::Configuration& side : {last, row.after})
        for (const auto& [place, ignored] : side.counts.entries())
          if (last.counts[place] != row.after.counts[place]) changing.insert(place);
      last = row.after;
    }
    for (const Counter place : changing)
      if (places_.size() < kMostTraceLanes) places_.push_back(place);
    hidden_ = changing.size() - places_.size();
    std::size_t longest = 0;
    for (const Counter place : places_)
      longest = std::max(longest, character_count(model::counter_name(task.model, place)));
    width_ = std::clamp(12 + kPlaceCharacter * static_cast<double>(longest), kLane, kWidestLane);
  }

 private:
  void draw_legend(Legend& legend) const override {
    legend.box("changed", "the step changes the tokens of the place");
  }

  double lane_width() const override { return width_; }
  std::size_t lane_count() const override { return places_.size() + 1; }

  std::string remark() const override {
    return hidden_ == 0 ? "; places that do not change are left out"
                        : "; " + counted(hidden_, "changing place") + " left out";
  }

  void draw_start() override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::string name = model::counter_name(model(), places_[i]);
      const auto room = static_cast<std::size_t>((width_ - 8) / kPlaceCharacter);
      svg_.text({lane_x(i + 1), kLaneTop - 8}, shortened(name, room), "strong middle", name);
    }
    svg_.text({kShared - 20, kLaneTop + 6}, "start", "quiet");
    draw_tokens(kLaneTop + 2, trace_.initial, false);
  }

  void draw_step(double y, const TraceRow& row) override {
    if (row.block)
      svg_.rectangle({kShared - 26, y - 11}, text_x() - kShared + 18, 22, "block",
                     row.entry.who + " " + row.entry.change);
    svg_.text({kShared - 20, y + 4}, shortened(row.entry.who, 18), "small",
              row.entry.who + " " + row.entry.change);
    draw_tokens(y, row.after, true);
    before_ = row.after;
  }

  void draw_tokens(double y, const model::Configuration& now, bool compare) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::string tokens = base::to_string(now.counts[places_[i]]);
      const bool changed = compare && now.counts[places_[i]] != before_.counts[places_[i]];
      if (changed) svg_.rectangle({lane_x(i + 1) - 24, y - 9}, 48, 18, "changed", tokens);
      svg_.text({lane_x(i + 1), y + 4}, shortened(tokens, 9),
                changed ? "strong middle" : "quiet middle", tokens);
    }
  }

  std::vector<Counter> places_;
  std::size_t hidden_ = 0;
  double width_ = kLane;
  model::Configuration before_;
};

}  // namespace

std::string trace_svg(const model::CountingTask& task, const answer::Trace& trace,
                      const std::string& name, const std::string& warning) {
  if (std::holds_alternative<model::PetriNet>(task.model))
    return TokenTable(task, trace).draw(name, warning);
  return ThreadLanes(task, trace).draw(name, warning);
}

}  // namespace heddle::output::picture
