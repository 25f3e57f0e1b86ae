#include "output/picture/components.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace heddle::output::picture {

namespace {

constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<std::size_t>>& successors)
      : successors_(successors),
        index_(successors.size(), kUnseen),
        low_(successors.size(), 0),
        open_(successors.size(), false) {}

  std::vector<std::size_t> run() {
    for (std::size_t node = 0; node < successors_.size(); ++node)
      if (index_[node] == kUnseen) explore(node);
    std::ranges::sort(sizes_, std::greater());
    return std::move(sizes_);
  }

 private:
  struct Visit {
    std::size_t node;
    std::size_t next = 0;
  };

  void enter(std::size_t node) {
    index_[node] = low_[node] = count_++;
    stack_.push_back(node);
    open_[node] = true;
    visits_.push_back({node});
  }

  void explore(std::size_t root) {
    enter(root);
    while (!visits_.empty()) {
      const std::size_t node = visits_.back().node;
      if (visits_.back().next == successors_[node].size()) {
        leave(node);
        continue;
      }
      const std::size_t successor = successors_[node][visits_.back().next++];
      if (index_[successor] == kUnseen)
        enter(successor);
      else if (open_[successor])
        low_[node] = std::min(low_[node], index_[successor]);
    }
  }

  void leave(std::size_t node) {
    visits_.pop_back();
    if (!visits_.empty()) {
      std::size_t& above = low_[visits_.back().node];
      above = std::min(above, low_[node]);
    }
    if (low_[node] != index_[node]) return;
    std::size_t size = 0;
    for (std::size_t last = kUnseen; last != node; ++size) {
      last = stack_.back();
      stack_.pop_back();
      open_[last] = false;
    }
    sizes_.push_back(size);
  }

  const std::vector<std::vector<std::size_t>>& successors_;
  std::vector<std::size_t> index_;
  std::vector<std::size_t> low_;
  std::vector<bool> open_;
  std::vector<std::size_t> stack_;
  std::vector<Visit> visits_;
  std::vector<std::size_t> sizes_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<std::size_t> component_sizes(const std::vector<std::vector<std::size_t>>& successors) {
  return Tarjan(successors).run();
}

}  // namespace heddle::output::picture
