#include "output/picture/cutoff_picture.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "output/cutoff_rounds.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

constexpr double kWidth = 26;
constexpr double kHeight = 20;
constexpr std::size_t kLongestLabel = 36;

class CutoffGrid {
 public:
  CutoffGrid(const model::CountingTask& task, const answer::Cutoff& cutoff)
      : task_(task), cutoff_(cutoff) {
    for (const answer::ReachedState& reached : cutoff.reachable) {
      rows_.try_emplace(reached.state.shared, 0);
      columns_.try_emplace(reached.state.local, 0);
    }
    std::size_t next = 0;
    for (auto& [shared, row] : rows_) row = next++;
    next = 0;
    for (auto& [local, column] : columns_) column = next++;
    std::size_t longest_row = 8, longest_column = 8;
    for (const auto& [shared, row] : rows_)
      longest_row = std::max(longest_row, character_count(row_label(shared)));
    for (const auto& [local, column] : columns_)
      longest_column = std::max(longest_column, character_count(column_label(local)));
    left_ = 32 + kSmallCharacter * static_cast<double>(longest_row);
    top_ = 72 + kLabelSlope * kSmallCharacter * static_cast<double>(longest_column);
  }

  void draw(Svg& svg) const {
    for (const auto& [shared, row] : rows_)
      svg.text({left_ - 8, corner(row, 0).y + 14}, row_label(shared), "small end");
    for (const auto& [local, column] : columns_)
      svg.text({corner(0, column).x + 14, top_ - 6}, column_label(local), "small", {}, kLabelTurn);
    for (const answer::ReachedState& reached : cutoff_.reachable) draw_cell(svg, reached);
    svg.rectangle(corner(0, 0), kWidth * static_cast<double>(columns_.size()),
                  kHeight * static_cast<double>(rows_.size()), "frame");
  }

 private:
  Point corner(std::size_t row, std::size_t column) const {
    return {left_ + kWidth * static_cast<double>(column),
            top_ + kHeight * static_cast<double>(row)};
  }

  std::string column_label(model::LocalState local) const {
    return shortened(model::counter_name(task_.model, local), kLongestLabel);
  }

  std::string row_label(model::SharedState shared) const {
    if (std::holds_alternative<model::PetriNet>(task_.model)) return "places";
    return shortened(model::shared_name(task_.model, shared), kLongestLabel);
  }

  void draw_cell(Svg& svg, const answer::ReachedState& reached) const {
    const Point where = corner(rows_.at(reached.state.shared), columns_.at(reached.state.local));
    const double share =
        static_cast<double>(reached.threads) / static_cast<double>(std::max(1u, cutoff_.threads));
    const std::string title =
        thread_state_name(task_.model, reached.state) + ": " + counted(reached.threads, "thread");
    svg.rectangle(where, kWidth, kHeight, "cell", title, heat_colour(share));
    svg.text({where.x + kWidth / 2, where.y + 14}, std::to_string(reached.threads), "tiny middle",
             title);
  }

  const model::CountingTask& task_;
  const answer::Cutoff& cutoff_;
  std::map<model::SharedState, std::size_t> rows_;
  std::map<model::LocalState, std::size_t> columns_;
  double left_ = 0, top_ = 0;
};

}  // namespace

std::string cutoff_svg(const model::CountingTask& task, const answer::Cutoff& cutoff,
                       const std::string& name) {
  Svg svg;
  const std::string heading = name + ": cutoff " + std::to_string(cutoff.threads);
  svg.text({16, 28}, heading, "heading");
  svg.text({16, 46},
           counted(cutoff.reachable.size(), "reachable thread state") +
               "; each cell: the fewest threads that reach it",
           "quiet");
  CutoffGrid(task, cutoff).draw(svg);
  Legend legend(svg);
  legend.box("cell", "1 thread", heat_colour(1.0 / std::max(1u, cutoff.threads)));
  if (cutoff.threads > 1) legend.box("cell", counted(cutoff.threads, "thread"), heat_colour(1));
  legend.box("frame", "empty: unreachable, whatever the number of threads");
  return svg.finish(heading);
}

}  // namespace heddle::output::picture
