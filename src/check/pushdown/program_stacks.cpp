#include <array>
#include <map>
#include <string>
#include <vector>

#include "check/certificates.hpp"
#include "check/program/fixed_threads.hpp"
#include "check/proof.hpp"
#include "check/pushdown/stack_products.hpp"
#include "model/boolean_program/interpreter.hpp"

/// A stack of frames is a thread: its topmost frame is where the thread is, the others wait for
/// their calls. A product names a valuation of the shared variables and a language of such stacks
/// for each thread. What steps there are is found out here, with the interpreter, for each top that
/// a product shows: a step that is no return looks at the topmost frame alone and replaces it by
/// one or, of a call, two; a return looks at the frame below as well and replaces both by one. So
/// the interpreter is asked about a thread with the top and, for returns, one caller; what lies
/// further down stays as it is. That the union holds the start of all threads with every initial
/// valuation, that all these steps stay in it, and that no top has failed, proves the claim
/// (stack_products.cpp). How the claim was found does not matter. All numbers must be those of
/// something that exists, values only be of variables that the program has, and no valuation or
/// frame be listed twice: then a number stands for one thing, and a step is looked up under it.

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::ProgramStacks;
using answer::StackFrame;
using answer::StackProduct;
using model::StackSymbol;
using model::boolean::Flow;
using model::boolean::NodeId;
using model::boolean::Valuation;

class StacksCheck {
 public:
  StacksCheck(const model::ProgramTask& task, const ProgramStacks& claim,
              const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task), claim_(claim), rounds_(rounds), context_(context) {
    for (std::uint32_t i = 0; i < claim.shared.size(); ++i) shared_.emplace(claim.shared[i], i);
    for (std::uint32_t i = 0; i < claim.frames.size(); ++i) frames_.emplace(claim.frames[i], i);
  }

  Problem well_formed() {
    auto flow = model::boolean::keep_calls(task_.model);
    if (!flow) return refuted("the program has no flow graph: " + flow.error());
    flow_ = std::move(*flow);
    starts_ = starts_of(flow_, task_);
    if (starts_.empty()) return refuted("the number of threads is not fixed");
    if (auto why =
            StackProducts::malformed(claim_.sets, starts_.size(), claim_.shared.size(), rounds_))
      return refuted(std::move(*why));
    if (!has_proper_tables()) return refuted("a value or frame is listed twice or out of range");
    products_.emplace(claim_.sets, claim_.shared.size(), rounds_);
    return std::nullopt;
  }

  /// Values are those of variables that the program has.
  Problem keeps_to_its_scope() const {
    const Valuation no_shared = ~Valuation::first(flow_.shared_names.size());
    const Valuation no_local = ~Valuation::first(flow_.local_count);
    const auto beyond = [](const Valuation& values, const Valuation& none) {
      return (values & none) != 0;
    };
    if (std::ranges::any_of(claim_.shared, [&](const auto& v) { return beyond(v, no_shared); }) ||
        std::ranges::any_of(claim_.frames,
                            [&](const StackFrame& f) { return beyond(f.values, no_local); }))
      return refuted("a value or frame has variables that the program does not have");
    return std::nullopt;
  }

  Problem contains_beginning() const {
    return holds_starts() ? std::nullopt : refuted("no product of turn 0 holds an initial state");
  }

  Problem is_closed() {
    for (const StackProduct& product : claim_.sets.products) {
      if (products_->is_empty(product)) continue;
      for (std::uint32_t thread = 0; thread < starts_.size(); ++thread)
        if (auto problem = check_thread(product, thread)) return problem;
    }
    return std::nullopt;
  }

  Problem excludes_end() const {
    for (const StackProduct& product : claim_.sets.products) {
      if (products_->is_empty(product)) continue;
      for (std::uint32_t thread = 0; thread < starts_.size(); ++thread)
        for (const auto& [top, below] : tops_of(product, thread))
          if (!products_->stacks(thread).is_empty(below) && has_failed(top))
            return refuted("thread " + std::to_string(thread) + " has failed in a product");
    }
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the sets contain every initial configuration, no failure, and all successors (" +
           base::counted(claim_.sets.products.size(), "set") + ")";
  }

 private:
  using Edges = std::vector<std::pair<StackSymbol, std::uint32_t>>;

  static constexpr std::uint32_t kNoCaller = UINT32_MAX;

  /// Steps that a shared state, a top and a caller (or none) allow; nothing if one of them leads to
  /// values that the claim does not have.
  using Steps = std::optional<std::vector<StackStep>>;

  const Edges& tops_of(const StackProduct& product, std::uint32_t thread) const {
    return claim_.sets.automata[thread].states[product.stacks[thread]].edges;
  }

  bool has_failed(StackSymbol top) const {
    return flow_.nodes[claim_.frames[top.index()].node.index()].failed;
  }

  bool has_proper_tables() const {
    for (const StackFrame& frame : claim_.frames)
      if (frame.node.index() >= flow_.nodes.size()) return false;
    if (shared_.size() != claim_.shared.size() || frames_.size() != claim_.frames.size())
      return false;  // something is there twice
    for (const answer::StackAutomaton& automaton : claim_.sets.automata)
      for (const answer::StackAutomaton::State& state : automaton.states)
        if (!state.edges.empty() && state.edges.back().first.index() >= claim_.frames.size())
          return false;
    return true;
  }

  /// There are exponentially many initial valuations, but no more than the claim lists are visited.
  bool holds_starts() const {
    StackProducts::Words stacks;
    for (const NodeId start : starts_) {
      const auto frame = frames_.find(StackFrame{start, 0});
      if (frame == frames_.end()) return false;
      stacks.push_back({StackSymbol(frame->second)});
    }
    const Valuation open = Valuation::first(flow_.shared_names.size()) & ~flow_.initial_shared.mask;
    for (Valuation pick = 0;; pick = pick.next_within(open)) {
      const auto shared = shared_.find(flow_.initial_shared.value | pick);
      if (shared == shared_.end() ||
          !products_->hold_initially(model::SharedState(shared->second), stacks))
        return false;
      if (pick == open) return true;
    }
  }

  Problem check_thread(const StackProduct& product, std::uint32_t thread) {
    if (!products_->may_step(product, thread)) return std::nullopt;
    const StackInclusion& stacks = products_->stacks(thread);
    for (const auto& [top, below] : tops_of(product, thread)) {
      if (stacks.is_empty(below)) continue;
      if (auto problem = check_steps(product, thread, top, kNoCaller)) return problem;
      for (const auto& [caller, rest] : claim_.sets.automata[thread].states[below].edges)
        if (!stacks.is_empty(rest))
          if (auto problem = check_steps(product, thread, top, caller.value)) return problem;
    }
    return std::nullopt;
  }

  Problem check_steps(const StackProduct& product, std::uint32_t thread, StackSymbol top,
                      std::uint32_t caller) {
    const auto outside = [&] {
      const NodeId node = claim_.frames[top.index()].node;
      return refuted("a step of thread " + std::to_string(thread) + " from " +
                     node_text(flow_, node) + " leads outside");
    };
    const auto [it, fresh] = steps_.try_emplace({product.shared.value, top.value, caller});
    if (fresh) it->second = find_steps(product.shared, top, caller);
    if (!it->second) return outside();
    for (StackStep& step : *it->second) {
      if (auto stop = count_step(context_)) return stop;
      step.thread = thread;
      if (!products_->hold_after(product, step)) return outside();
    }
    return std::nullopt;
  }

  /// Returns, if there is a caller; all other steps, if there is none.
  Steps find_steps(model::SharedState shared, StackSymbol top, std::uint32_t caller) const {
    const StackFrame& frame = claim_.frames[top.index()];
    model::boolean::State state{claim_.shared[shared.index()], {{frame.node, frame.values}}};
    StackStep step{0, {top}, {}, {}};
    if (caller != kNoCaller) {
      const StackFrame& waiting = claim_.frames[caller];
      if (!waits_at(waiting.node)) return std::vector<StackStep>{};
      state.threads[0].callers.push_back({waiting.node, waiting.values});
      step.read.emplace_back(caller);
    }
    std::vector<StackStep> out;
    bool known = true;
    for_each_step(flow_, state, [&](const model::boolean::Step& taken, const auto& after) {
      const auto kind = flow_.edges[taken.edge.index()].kind;
      if ((kind == model::boolean::EdgeKind::Return) != (caller != kNoCaller)) return;
      known = known && find_target(after, step);
      if (known) out.push_back(step);
    });
    return known ? Steps(std::move(out)) : std::nullopt;
  }

  /// Nobody returns to a frame that does not wait for a call.
  bool waits_at(NodeId node) const {
    return std::ranges::any_of(flow_.edges, [&](const model::boolean::FlowEdge& edge) {
      return edge.source == node && edge.kind == model::boolean::EdgeKind::Call;
    });
  }

  bool find_target(const model::boolean::State& after, StackStep& step) const {
    const auto shared = shared_.find(after.shared);
    if (shared == shared_.end()) return false;
    step.to = model::SharedState(shared->second);
    const model::boolean::ThreadConfiguration& thread = after.threads[0];
    std::vector<StackFrame> stack{{thread.node, thread.values}};
    for (auto it = thread.callers.rbegin(); it != thread.callers.rend(); ++it)
      stack.push_back({it->node, it->values});
    step.written.clear();
    for (const StackFrame& frame : stack) {
      const auto found = frames_.find(frame);
      if (found == frames_.end()) return false;
      step.written.emplace_back(found->second);
    }
    return true;
  }

  const model::ProgramTask& task_;
  const ProgramStacks& claim_;
  const std::optional<base::Integer>& rounds_;
  base::RunContext& context_;
  Flow flow_;
  std::vector<NodeId> starts_;
  std::optional<StackProducts> products_;
  std::map<Valuation, std::uint32_t> shared_;
  std::map<StackFrame, std::uint32_t> frames_;
  std::map<std::array<std::uint32_t, 3>, Steps> steps_;
};

}  // namespace

CheckResult check_certificate(const model::ProgramTask& task, const ProgramStacks& claim,
                              const ClaimedBound& bound, base::RunContext& context) {
  const auto rounds = rounds_of(bound);
  return prove(StacksCheck(task, claim, rounds, context));
}

}  // namespace heddle::check
