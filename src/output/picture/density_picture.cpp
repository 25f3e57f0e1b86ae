#include "output/picture/density_picture.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/components.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using model::ThreadState;

constexpr std::size_t kMostRows = 24;
constexpr std::size_t kMostColumns = 32;
constexpr double kDensityWidth = 34;
constexpr double kDensityHeight = 26;
constexpr double kDensityLeft = 110;
constexpr double kDensityTop = 110;

/// Consecutive states that share a row or a column of the picture.
template <class State>
class Bands {
 public:
  Bands(const std::vector<State>& states, std::size_t most)
      : states_(states), size_((states.size() + most - 1) / most) {}

  std::size_t size() const { return size_; }
  std::size_t count() const { return (states_.size() + size_ - 1) / size_; }
  std::size_t band_of(State state) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(states_, state) - states_.begin()) /
           size_;
  }
  std::string label(std::size_t band) const {
    const std::size_t first = band * size_;
    const std::size_t last = std::min(first + size_, states_.size()) - 1;
    const std::string from = std::to_string(states_[first].value);
    return first == last ? from : from + "–" + std::to_string(states_[last].value);
  }

 private:
  const std::vector<State>& states_;
  std::size_t size_;
};

struct Cell {
  std::size_t states = 0;
  bool initial = false;
  bool target = false;
};

std::string components_text(const model::ThreadSystem& system, const ThreadGrid& grid) {
  std::map<ThreadState, std::uint32_t> number;
  for (const auto& [state, node] : grid.nodes)
    number.emplace(state, static_cast<std::uint32_t>(number.size()));
  std::vector<std::vector<std::uint32_t>> successors(number.size());
  for (const model::ThreadTransition& t : system.transitions)
    successors[number.at(t.source)].push_back(number.at(t.target));
  const auto components = base::strongly_connected_components(successors);
  const auto larger = std::ranges::count_if(components, [](const auto& c) { return c.size() > 1; });
  const auto largest =
      std::ranges::max_element(components, {}, [](const auto& c) { return c.size(); });
  return counted(components.size(), "strongly connected component") + ", " +
         std::to_string(larger) + " of them with more than one thread state, the largest with " +
         std::to_string(largest->size());
}

std::string kinds_text(const model::ThreadSystem& system) {
  const auto count = [&](auto holds) {
    return static_cast<std::size_t>(std::ranges::count_if(system.transitions, holds));
  };
  using model::StepKind;
  using model::ThreadTransition;
  return counted(count([](const ThreadTransition& t) { return t.kind == StepKind::Move; }),
                 "move") +
         " (" +
         std::to_string(count([](const ThreadTransition& t) { return !t.passive.empty(); })) +
         " with passive moves), " +
         counted(count([](const ThreadTransition& t) { return t.kind == StepKind::Spawn; }),
                 "spawn") +
         ", " +
         counted(count([](const ThreadTransition& t) { return t.kind == StepKind::Transfer; }),
                 "transfer");
}

class DensityPicture {
 public:
  explicit DensityPicture(const ThreadGrid& grid)
      : rows_(grid.rows, kMostRows), columns_(grid.columns, kMostColumns) {
    for (const auto& [state, node] : grid.nodes) {
      Cell& cell = cells_[{rows_.band_of(state.shared), columns_.band_of(state.local)}];
      ++cell.states;
      cell.initial |= !node.initial.empty();
      cell.target |= !node.target.empty();
      most_ = std::max(most_, cell.states);
    }
  }

  void draw(Svg& svg) const {
    for (std::size_t row = 0; row < rows_.count(); ++row)
      svg.text({kDensityLeft - 8, corner(row, 0).y + 17}, rows_.label(row), "small end");
    for (std::size_t column = 0; column < columns_.count(); ++column)
      svg.text({corner(0, column).x + 14, kDensityTop - 6}, columns_.label(column), "small", {},
               -55);
    svg.rectangle(corner(0, 0), kDensityWidth * static_cast<double>(columns_.count()),
                  kDensityHeight * static_cast<double>(rows_.count()), "frame");
    for (const auto& [at, cell] : cells_) draw_cell(svg, at, cell);
    for (const auto& [at, cell] : cells_) draw_ring(svg, at, cell);
  }

  std::string scale() const {
    return "each cell: the thread states that occur among up to " +
           counted(rows_.size(), "shared state") + " × " + counted(columns_.size(), "local state");
  }

 private:
  using CellPosition = std::pair<std::size_t, std::size_t>;

  static Point corner(std::size_t row, std::size_t column) {
    return {kDensityLeft + kDensityWidth * static_cast<double>(column),
            kDensityTop + kDensityHeight * static_cast<double>(row)};
  }

  std::string title(CellPosition at, const Cell& cell) const {
    return "shared " + rows_.label(at.first) + ", local " + columns_.label(at.second) + ": " +
           counted(cell.states, "thread state") + (cell.initial ? ", initial" : "") +
           (cell.target ? ", target" : "");
  }

  void draw_cell(Svg& svg, CellPosition at, const Cell& cell) const {
    const double share = static_cast<double>(cell.states) / static_cast<double>(most_);
    const Point where = corner(at.first, at.second);
    const std::string words = title(at, cell);
    svg.rectangle(where, kDensityWidth, kDensityHeight, "cell", words, heat_colour(share));
    svg.text({where.x + kDensityWidth / 2, where.y + 16}, std::to_string(cell.states),
             "tiny middle", words);
  }

  static void draw_ring(Svg& svg, CellPosition at, const Cell& cell) {
    const Point where = corner(at.first, at.second);
    if (cell.initial) svg.rectangle(where, kDensityWidth, kDensityHeight, "ring is-initial");
    if (cell.target)
      svg.rectangle({where.x + 3, where.y + 3}, kDensityWidth - 6, kDensityHeight - 6,
                    "ring is-target");
  }

  Bands<model::SharedState> rows_;
  Bands<model::LocalState> columns_;
  std::map<CellPosition, Cell> cells_;
  std::size_t most_ = 1;
};

}  // namespace

std::string density_svg(const model::ThreadSystem& system, const ThreadGrid& grid,
                        const std::string& name) {
  const DensityPicture picture(grid);
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46},
           counted(grid.nodes.size(), "thread state") + " and " +
               counted(system.transitions.size(), "edge") +
               " are too many to draw one by one: edges are left out, states are counted",
           "quiet");
  picture.draw(svg);
  double y = svg.bottom() + 24;
  for (const std::string& words :
       {picture.scale(), std::string("green frame: an initial thread state; red frame: a target"),
        kinds_text(system), components_text(system, grid)}) {
    svg.text({16, y}, words, "small");
    y += 15;
  }
  return svg.finish(name);
}

}  // namespace heddle::output::picture
