#include "engine/onthefly/search.hpp"

/// Backward coverability on the program itself (papers/ucob.txt, Alg. 1): from "a thread has
/// failed" over cover predecessors, keeping the elements that no other includes, until an initial
/// state is met or nothing new turns up. Elements that the thread facts exclude have no reachable
/// state and are dropped; the basis is then one relative to the facts.

#include <algorithm>
#include <optional>
#include <queue>
#include <tuple>

#include "engine/onthefly/forward_run.hpp"
#include "engine/onthefly/predecessors.hpp"
#include "engine/onthefly/thread_facts.hpp"

namespace heddle::engine::onthefly {

namespace {

using base::Integer;
using base::StopReason;
using coverability::SearchOrder;
using model::Counter;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::NodeId;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

class Search {
 public:
  Search(const Flow& flow, const std::vector<model::Region>& initial,
         const SearchSettings& settings, base::RunContext& context)
      : flow_(flow),
        initial_(initial),
        settings_(settings),
        context_(context),
        predecessors_(flow, context.limits().memory_mb),
        facts_(settings.use_facts ? ThreadFacts(flow, predecessors_.preimage())
                                  : ThreadFacts(flow)),
        found_(flow.nodes.size()) {}

  SearchResult run() {
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (flow_.nodes[i].failed) meet({Cube::all(), {{NodeId(i), Cube::all()}}}, kNone, EdgeId());
    while (!queue_.empty() && !hit_ && !stop_) {
      const std::uint32_t next = std::get<2>(queue_.top());
      queue_.pop();
      if (found_.is_alive(next)) expand(next);
    }
    report();
    if (stop_) return *stop_;
    if (hit_) return run_of(*hit_);
    return answer::ProgramBasis{found_.alive(), facts_.facts()};
  }

 private:
  void expand(std::uint32_t number) {
    const Element element = found_[number];
    predecessors_.for_each(element, [&](EdgeId edge, Element before) {
      if (hit_ || stop_) return;
      stop_ = context_.step();
      if (!stop_) meet(std::move(before), number, edge);
    });
    if (context_.wants_event()) context_.emit({"backward search", figures()});
  }

  void meet(Element element, std::uint32_t parent, EdgeId edge) {
    if (!facts_.allow(element)) {
      ++excluded_;
      return;
    }
    if (found_.includes(element)) return;
    const auto threads = element.threads.size();
    const std::uint32_t number = found_.add(std::move(element));
    links_.push_back({parent, edge});
    if (initial_region(found_[number])) hit_ = number;
    const std::size_t priority = settings_.order == SearchOrder::SmallestFirst ? threads : 0;
    queue_.emplace(priority, number, number);
  }

  /// A region with an initial state among the element's.
  const model::Region* initial_region(const Element& element) const {
    if (!element.shared.meets(flow_.initial_shared)) return nullptr;
    for (const ThreadCube& thread : element.threads)
      if (thread.node != flow_.start || !thread.values.meets(flow_.initial_local)) return nullptr;
    for (const model::Region& region : initial_) {
      const model::CounterBound* bound = region.find(Counter(0U));
      if (bound && (!bound->upper || *bound->upper >= Integer(element.threads.size())))
        return &region;
    }
    return nullptr;
  }

  answer::ProgramRun run_of(std::uint32_t number) const {
    const model::Region& region = *initial_region(found_[number]);
    const Integer least = region.find(Counter(0U))->lower;
    ForwardRun run(flow_, found_[number], static_cast<std::size_t>(least.get_ui()));
    for (; links_[number].parent != kNone; number = links_[number].parent)
      run.step(links_[number].edge, found_[links_[number].parent]);
    return run.take();
  }

  std::vector<std::pair<std::string, double>> figures() const {
    return {{"elements", static_cast<double>(found_.size())},
            {"queue", static_cast<double>(queue_.size())}};
  }

  void report() {
    const auto set = [&](std::string_view name, std::size_t value) {
      context_.statistics().set(name, static_cast<double>(value));
    };
    set("nodes", flow_.nodes.size());
    set("edges", flow_.edges.size());
    set("unreachable nodes", facts_.unreachable());
    set("elements", found_.size());
    set("excluded", excluded_);
  }

  struct Link {
    std::uint32_t parent;
    EdgeId edge;
  };
  using Waiting = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;

  const Flow& flow_;
  const std::vector<model::Region>& initial_;
  const SearchSettings& settings_;
  base::RunContext& context_;
  Predecessors predecessors_;
  ThreadFacts facts_;
  Antichain found_;
  std::vector<Link> links_;  ///< by element: what it is a predecessor of
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::size_t excluded_ = 0;
  std::optional<std::uint32_t> hit_;
  std::optional<StopReason> stop_;
};

}  // namespace

SearchResult search(const Flow& flow, const std::vector<model::Region>& initial,
                    const SearchSettings& settings, base::RunContext& context) {
  return Search(flow, initial, settings, context).run();
}

}  // namespace heddle::engine::onthefly
