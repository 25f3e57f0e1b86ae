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
  Search(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
         const SearchSettings& settings, const ReachablePairs* pairs, base::RunContext& context)
      : flow_(flow),
        initial_(initial),
        settings_(settings),
        pairs_(pairs),
        context_(context),
        predecessors_(flow, context.limits().memory_mb),
        facts_(settings.use_facts ? ThreadFacts(flow, predecessors_.preimage())
                                  : ThreadFacts(flow)),
        found_(flow.nodes.size()) {}

  SearchResult run() {
    for (const Element& root : settings_.roots) meet(root, kNone, EdgeId());
    for (std::size_t i = 0; i < flow_.nodes.size() && settings_.roots.empty(); ++i)
      if (flow_.nodes[i].failed) meet({Cube::all(), {{NodeId(i), Cube::all()}}}, kNone, EdgeId());
    while (!queue_.empty() && !hit_ && !stop_) {
      const auto [size, number, part] = queue_.top();
      queue_.pop();
      if (found_.is_alive(number)) expand(number, part);
    }
    report();
    if (stop_ || (hit_ && comes_from_lemma(*hit_))) return stop_.value_or(StopReason::Cancelled);
    if (hit_) return run_of(*hit_);
    return answer::ProgramBasis{found_.alive(), facts_.facts()};
  }

  bool refuted_lemma() const { return !stop_ && hit_ && comes_from_lemma(*hit_); }

 private:
  /// Which predecessors of an element are still to be visited. Those with more threads wait until
  /// there is nothing left to do for smaller elements: a run of few threads is found without them.
  enum class Part : std::uint8_t { AsLarge, Larger, All };

  void expand(std::uint32_t number, Part part) {
    const Element element = found_[number];
    const auto visit = [&](EdgeId edge, Element before) {
      if (hit_ || stop_) return;
      stop_ = context_.step();
      if (!stop_) meet(std::move(before), number, edge);
    };
    if (part != Part::Larger) predecessors_.for_each_as_large(element, visit);
    if (part != Part::AsLarge) predecessors_.for_each_larger(element, visit);
    if (context_.wants_event()) context_.emit({"backward search", figures()});
  }

  void meet(Element element, std::uint32_t parent, EdgeId edge) {
    if (!facts_.allow(element)) {
      ++excluded_;
      return;
    }
    if (found_.includes(element)) return;
    std::optional<Element> lemma = pairs_ ? pairs_->generalised(element) : std::nullopt;
    const bool is_lemma = lemma && *lemma != element;
    if (is_lemma) element = *std::move(lemma);
    const auto threads = element.threads.size();
    const std::uint32_t number = found_.add(std::move(element));
    links_.push_back({parent, edge, is_lemma});
    if (initial_threads(found_[number])) hit_ = number;
    if (settings_.order != SearchOrder::SmallestFirst) {
      queue_.emplace(0, number, Part::All);
      return;
    }
    queue_.emplace(threads, number, Part::AsLarge);
    queue_.emplace(threads + 1, number, Part::Larger);
  }

  /// A number of threads with which there is an initial state among the element's.
  const model::ThreadsInMain* initial_threads(const Element& element) const {
    if (!element.shared.meets(flow_.initial_shared)) return nullptr;
    for (const ThreadCube& thread : element.threads)
      if (thread.node != flow_.start || !thread.values.meets(flow_.initial_local)) return nullptr;
    for (const model::ThreadsInMain& threads : initial_)
      if (!threads.most || *threads.most >= Integer(element.threads.size())) return &threads;
    return nullptr;
  }

  bool comes_from_lemma(std::uint32_t number) const {
    for (; number != kNone; number = links_[number].parent)
      if (links_[number].is_lemma) return true;
    return false;
  }

  answer::ProgramRun run_of(std::uint32_t number) const {
    const Integer least = initial_threads(found_[number])->least;
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
    bool is_lemma;  ///< it includes more than that predecessor
  };
  using Waiting = std::tuple<std::size_t, std::uint32_t, Part>;

  const Flow& flow_;
  const std::vector<model::ThreadsInMain>& initial_;
  const SearchSettings& settings_;
  const ReachablePairs* pairs_;  ///< null: no lemmas
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

SearchResult search(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                    const SearchSettings& settings, base::RunContext& context) {
  return Search(flow, initial, settings, nullptr, context).run();
}

std::optional<SearchResult> search_with_lemmas(const Flow& flow,
                                               const std::vector<model::ThreadsInMain>& initial,
                                               const SearchSettings& settings,
                                               const ReachablePairs& pairs,
                                               base::RunContext& context) {
  Search search(flow, initial, settings, &pairs, context);
  SearchResult result = search.run();
  if (search.refuted_lemma()) return std::nullopt;
  return result;
}

}  // namespace heddle::engine::onthefly
