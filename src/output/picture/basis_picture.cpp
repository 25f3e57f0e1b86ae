#include "output/picture/basis_picture.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using base::Integer;
using model::Configuration;
using model::Counter;

constexpr double kBasisLeft = 150;
constexpr double kLeastBasisTop = 110;
constexpr std::size_t kLongestCounter = 36;
constexpr double kBasisWidth = 26;
constexpr double kBasisHeight = 18;

/// How many elements ask for each counter.
std::map<Counter, std::size_t> demand(const std::vector<Configuration>& elements) {
  std::map<Counter, std::size_t> found;
  for (const Configuration& element : elements)
    for (const auto& [counter, ignored] : element.counts.entries()) ++found[counter];
  return found;
}

/// The counters that are asked for most, in the model's order.
std::vector<Counter> chosen_columns(const std::map<Counter, std::size_t>& asked) {
  std::vector<Counter> columns;
  for (const auto& [counter, ignored] : asked) columns.push_back(counter);
  std::ranges::stable_sort(columns,
                           [&](Counter a, Counter b) { return asked.at(a) > asked.at(b); });
  if (columns.size() > kMostBasisColumns) columns.resize(kMostBasisColumns);
  std::ranges::sort(columns);
  return columns;
}

std::vector<Configuration> by_size(std::vector<Configuration> elements) {
  std::ranges::stable_sort(elements, [](const Configuration& a, const Configuration& b) {
    const Integer left = a.counts.total(), right = b.counts.total();
    return left != right ? left < right : a < b;
  });
  if (elements.size() > kMostBasisRows) elements.resize(kMostBasisRows);
  std::ranges::stable_sort(elements, {}, &Configuration::shared);
  return elements;
}

class BasisPicture {
 public:
  BasisPicture(const model::CountingModel& model, const answer::BackwardBasis& basis)
      : model_(model),
        threads_(std::holds_alternative<model::ThreadSystem>(model)),
        asked_(demand(basis.minimal)),
        columns_(chosen_columns(asked_)),
        rows_(by_size(basis.minimal)),
        left_out_(basis.minimal.size() - rows_.size()) {
    for (const Configuration& row : rows_)
      for (const auto& [counter, count] : row.counts.entries()) most_ = std::max(most_, count);
    std::size_t longest = 0;
    for (const Counter column : columns_)
      longest = std::max(longest, character_count(name_of(column)));
    top_ =
        std::max(kLeastBasisTop, 88 + kLabelSlope * kSmallCharacter * static_cast<double>(longest));
  }

  void draw(Svg& svg) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      svg.text({x(i) + 16, top_ - 8}, name_of(columns_[i]), "small",
               model::counter_name(model_, columns_[i]), kLabelTurn);
    }
    if (threads_) svg.text({kBasisLeft - 10, top_ - 8}, "shared", "small strong end");
    for (std::size_t row = 0; row < rows_.size(); ++row) draw_row(svg, row);
    svg.rectangle({kBasisLeft, top_}, kBasisWidth * static_cast<double>(columns_.size()),
                  kBasisHeight * static_cast<double>(rows_.size()), "frame");
    if (left_out_ > 0) draw_rest(svg);
    Legend legend(svg);
    legend.box("cell",
               threads_ ? "1: a row asks for so many threads in a local state"
                        : "1: a row asks for so many tokens on a place",
               heat_colour(0.15 + 0.6 / most_.get_d()));
    if (most_ > 1) legend.box("cell", base::to_string(most_), heat_colour(0.75));
  }

  std::string remark() const {
    std::string out;
    if (left_out_ > 0) out += "; the " + std::to_string(left_out_) + " largest are left out";
    if (columns_.size() < asked_.size())
      out += "; " + counted(asked_.size() - columns_.size(), "column") + " left out";
    return out;
  }

 private:
  static double x(std::size_t column) {
    return kBasisLeft + kBasisWidth * static_cast<double>(column);
  }
  double y(std::size_t row) const { return top_ + kBasisHeight * static_cast<double>(row); }
  std::string name_of(Counter column) const {
    return shortened(model::counter_name(model_, column), kLongestCounter);
  }

  void draw_row(Svg& svg, std::size_t row) const {
    const Configuration& element = rows_[row];
    const std::string title = model::to_string(model_, element);
    const std::string label =
        threads_ ? std::to_string(element.shared.value) : std::to_string(row + 1);
    if (!threads_ || row == 0 || rows_[row - 1].shared != element.shared)
      svg.text({kBasisLeft - 10, y(row) + 13}, label, "small end",
               threads_ ? model::shared_name(model_, element.shared) : title);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Integer count = element.counts[columns_[i]];
      if (count == 0) {
        svg.rectangle({x(i), y(row)}, kBasisWidth, kBasisHeight, "cell", title, "#fafafc");
        continue;
      }
      const double share = count.get_d() / most_.get_d();
      svg.rectangle({x(i), y(row)}, kBasisWidth, kBasisHeight, "cell", title,
                    heat_colour(0.15 + 0.6 * share));
      svg.text({x(i) + kBasisWidth / 2, y(row) + 13}, shortened(base::to_string(count), 4),
               "small strong middle", title);
    }
    if (const std::string beyond = beyond_the_columns(element); !beyond.empty())
      svg.text({x(columns_.size()) + 8, y(row) + 13}, "+ " + shortened(beyond, 40), "tiny quiet",
               title);
  }

  /// What the element asks for in columns that are left out.
  std::string beyond_the_columns(const Configuration& element) const {
    std::string out;
    for (const auto& [counter, count] : element.counts.entries()) {
      if (std::ranges::binary_search(columns_, counter)) continue;
      out += (out.empty() ? "" : ", ") + model::counter_name(model_, counter);
      if (count > 1) out += " " + base::to_string(count);
    }
    return out;
  }

  /// In how many elements, drawn or not, each column occurs.
  void draw_rest(Svg& svg) const {
    const double below = y(rows_.size()) + 18;
    svg.text({kBasisLeft - 10, below}, "in elements", "tiny quiet end");
    for (std::size_t i = 0; i < columns_.size(); ++i)
      svg.text({x(i) + kBasisWidth / 2, below}, std::to_string(asked_.at(columns_[i])),
               "tiny quiet middle");
  }

  const model::CountingModel& model_;
  bool threads_;
  std::map<Counter, std::size_t> asked_;
  std::vector<Counter> columns_;
  std::vector<Configuration> rows_;
  std::size_t left_out_;
  Integer most_ = 1;
  double top_ = 0;
};

}  // namespace

std::string basis_svg(const model::CountingTask& task, const answer::BackwardBasis& basis,
                      const std::string& name, const std::string& warning) {
  const BasisPicture picture(task.model, basis);
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46},
           "no reachable state covers " + counted(basis.minimal.size(), "minimal state") +
               picture.remark(),
           "quiet");
  if (!basis.relative_to.empty())
    svg.text({16, 61}, "relative to " + counted(basis.relative_to.size(), "invariant"), "quiet");
  if (!warning.empty()) svg.text({16, 76}, warning, "warning");
  if (!basis.minimal.empty()) picture.draw(svg);
  return svg.finish(name);
}

}  // namespace heddle::output::picture
