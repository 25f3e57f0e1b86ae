#include "transform/program_to_pushdown.hpp"

/// Every edge of the flow graph with calls kept, from every shared valuation s and every valuation
/// v of the procedure's variables that may occur together, becomes rules of the thread:
///
///    a step                  ⟨s, (n, v)⟩ → ⟨s', (n', v')⟩
///    a call                  ⟨s, (n, v)⟩ → ⟨s', (entry, a) (n, v')*⟩
///    a return of results r   ⟨s, (n, v)⟩ → ⟨(s', r), ε⟩, and then, for each call (c, u)* that may
///                            lie below, ⟨(s', r), (c, u)*⟩ → ⟨s'', (n'', u'')⟩
///    a node that has failed  ⟨s, (n, v)⟩ → ⟨failed, (n, v)⟩
///
/// where (n, v) is a procedure that is at n, and (c, u)* one that waits for its call at c to
/// return. The bit of atomic sections is a shared variable like others: guards read it and steps
/// set it.
///
/// Why it is right. A configuration of the program is one of the system: the thread's procedure and
/// its callers, from the top down. In such a configuration the top of each stack is an (n, v) and
/// all below it are (c, u)*, so the first three rules for ⟨s, (n, v)⟩ are exactly the thread's
/// steps from there, but for the second half of a return. Between its halves the shared state is an
/// (s', r), for which nobody has a rule but with a (c, u)* on top; that is the thread that returns,
/// and it alone. So the second half follows at once, before any other thread's step, and both
/// together are the return. If nothing lies below, the program cannot return and the system is
/// stuck for ever: no failure comes of it, and none is missed, since the outermost procedure of a
/// thread never returns. The shared state `failed` is reached exactly from configurations in which
/// a thread has failed, by that thread itself. Hence a run of the program is one of the system with
/// the same threads in the same order, and the other way round, and it can be cut into the same
/// number of rounds: the halves of a return, and a failure and what follows, are steps of one
/// thread, one directly after the other.
///
/// Which valuations may occur together? For each thread the least set of pairs ⟨s, (n, v)⟩ that
/// holds its start with all initial valuations, the thread's own steps, and with ⟨s, (n, v)⟩ and a
/// step of another thread from s to s' the pair ⟨s', (n, v)⟩; a procedure may return to whoever has
/// called it at all. It holds all pairs of all reachable configurations, so rules for others are
/// never used.

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "transform/fixed_threads.hpp"

namespace heddle::transform {

namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::StackSymbol;
using model::values_text;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NextValues;
using model::boolean::NodeId;
using model::boolean::Valuation;

using SharedNumber = std::uint32_t;
using SymbolNumber = std::uint32_t;
using SharedValues = ProgramAsPushdown::Shared;
using FrameSymbol = ProgramAsPushdown::Symbol;

constexpr SharedNumber kFailed = 0;
constexpr unsigned kMostOpenFirstValues = 16;

/// What is known of one thread.
struct StackThread {
  /// The shared state in which a procedure returned, and the one with its results.
  using Return = std::pair<SharedNumber, SharedNumber>;

  std::map<FrameSymbol, SymbolNumber> numbers;
  std::unordered_set<std::uint64_t> heads;              ///< pairs that may occur
  std::vector<std::vector<SymbolNumber>> tops;          ///< the same, by shared state
  std::vector<std::set<SharedNumber>> changes;          ///< by shared state: where steps lead
  std::vector<std::set<SymbolNumber>> callers;          ///< by frame of the flow graph
  std::vector<std::set<Return>> returns;                ///< likewise
  std::set<std::pair<SharedNumber, SymbolNumber>> met;  ///< results and calls that have a rule
};

class StackTranslation {
 public:
  StackTranslation(FixedThreads threads, std::size_t most, const std::function<bool()>& stopped)
      : program_(std::move(threads)),
        flow_(program_.flow),
        edges_(flow_.edges_by_source()),
        most_(most),
        stopped_(stopped),
        threads_(program_.starts.size()) {
    out_.symbols.resize(threads_.size());
    out_.shared.emplace_back();
    for (StackThread& thread : threads_) {
      thread.callers.resize(flow_.frames.size());
      thread.returns.resize(flow_.frames.size());
    }
  }

  std::expected<ProgramAsPushdown, std::string> run(const model::ProgramQuestion& question) {
    const Valuation open = Valuation::first(flow_.shared_names.size()) & ~flow_.initial_shared.mask;
    if (open.count() > kMostOpenFirstValues)
      return std::unexpected("it has more than " + std::to_string(kMostOpenFirstValues) +
                             " shared variables without a first value");
    start(open);
    for (std::size_t i = 0; i < work_.size() && !is_full(); ++i) {
      if (stopped_ && stopped_())
        return std::unexpected("there was no time left for all of its rules");
      expand(work_[i]);
    }
    if (is_full())
      return std::unexpected("it has more than " + std::to_string(most_) +
                             " rules, value by value");
    finish(question);
    return std::move(out_);
  }

 private:
  struct Head {
    std::uint32_t thread;
    SharedNumber shared;
    SymbolNumber symbol;
  };

  bool is_full() const { return system_.transitions.size() > most_ || work_.size() > most_; }

  SharedNumber number(const SharedValues& values) {
    const auto [it, fresh] = shared_.try_emplace(values, out_.shared.size());
    if (fresh) out_.shared.push_back(values);
    return static_cast<SharedNumber>(it->second);
  }

  SymbolNumber number(std::uint32_t thread, const FrameSymbol& symbol) {
    auto& known = out_.symbols[thread];
    const auto [it, fresh] =
        threads_[thread].numbers.try_emplace(symbol, static_cast<SymbolNumber>(known.size()));
    if (fresh) known.push_back(symbol);
    return it->second;
  }

  void start(const Valuation& open) {
    for (Valuation pick = 0;; pick = pick.next_within(open)) {
      const SharedNumber shared = number(SharedValues{flow_.initial_shared.value | pick, {}});
      model::VisibleState initial{model::SharedState(shared), {}};
      for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        const SymbolNumber symbol = number(i, {program_.starts[i], 0, false});
        reach(i, shared, symbol);
        initial.tops.push_back({i, StackSymbol(symbol)});
      }
      out_.translated.question.initial.push_back(std::move(initial));
      if (pick == open) return;
    }
  }

  void reach(std::uint32_t thread, SharedNumber shared, SymbolNumber symbol) {
    StackThread& known = threads_[thread];
    if (!known.heads.insert(std::uint64_t{shared} << 32 | symbol).second) return;
    if (known.tops.size() <= shared) known.tops.resize(shared + 1);
    known.tops[shared].push_back(symbol);
    work_.push_back({thread, shared, symbol});
  }

  /// A step of the thread: what it does to the others' pairs.
  void change(std::uint32_t thread, SharedNumber from, SharedNumber to) {
    StackThread& own = threads_[thread];
    if (own.changes.size() <= from) own.changes.resize(from + 1);
    if (from == to || !own.changes[from].insert(to).second) return;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      if (i == thread || threads_[i].tops.size() <= from) continue;
      for (const SymbolNumber symbol : std::vector(threads_[i].tops[from])) reach(i, to, symbol);
    }
  }

  void expand(const Head head) {
    for (std::uint32_t i = 0; i < threads_.size(); ++i)
      if (i != head.thread && threads_[i].changes.size() > head.shared)
        for (const SharedNumber to : threads_[i].changes[head.shared])
          reach(head.thread, to, head.symbol);
    const FrameSymbol at = out_.symbols[head.thread][head.symbol];
    if (flow_.nodes[at.node.index()].failed)
      return add_rule(head, kFailed, {StackSymbol(head.symbol)}, std::nullopt);
    const Valuation shared = out_.shared[head.shared].values;
    for (const EdgeId edge : edges_[at.node.index()])
      for_each_outcome(flow_.edges[edge.index()], shared, at.values,
                       [&](const NextValues& outcome) {
                         take(head, edge, outcome);
                         return !is_full();
                       });
  }

  void take(const Head& head, EdgeId id, const NextValues& outcome) {
    const FlowEdge& edge = flow_.edges[id.index()];
    if (edge.kind == EdgeKind::Return) return leave(head, id, outcome);
    const SharedNumber to = number(SharedValues{outcome.shared, {}});
    std::vector<StackSymbol> pushed;
    if (edge.kind == EdgeKind::Call) {
      const SymbolNumber entry = number(head.thread, {edge.child, outcome.child, false});
      const SymbolNumber caller = number(head.thread, {edge.source, outcome.local, true});
      pushed = {StackSymbol(entry), StackSymbol(caller)};
      enter(head.thread, flow_.nodes[edge.child.index()].frame, caller);
    } else {
      pushed = {StackSymbol(number(head.thread, {edge.target, outcome.local, false}))};
    }
    reach(head.thread, to, pushed.front().value);
    change(head.thread, head.shared, to);
    add_rule(head, to, std::move(pushed), ProgramAsPushdown::Origin{id, outcome});
  }

  void enter(std::uint32_t thread, std::uint32_t frame, SymbolNumber caller) {
    StackThread& known = threads_[thread];
    if (!known.callers[frame].insert(caller).second) return;
    for (const StackThread::Return& back : known.returns[frame]) resume(thread, back, caller);
  }

  void leave(const Head& head, EdgeId id, const NextValues& outcome) {
    StackThread& known = threads_[head.thread];
    const SharedNumber results = number(SharedValues{outcome.shared, outcome.child});
    const NodeId node = out_.symbols[head.thread][head.symbol].node;
    const std::uint32_t frame = flow_.nodes[node.index()].frame;
    add_rule(head, results, {}, ProgramAsPushdown::Origin{id, outcome});
    const StackThread::Return back{head.shared, results};
    if (!known.returns[frame].insert(back).second) return;
    for (const SymbolNumber caller : known.callers[frame]) resume(head.thread, back, caller);
  }

  /// The caller takes the results and goes on.
  void resume(std::uint32_t thread, const StackThread::Return& back, SymbolNumber caller) {
    const SharedValues results = out_.shared[back.second];
    const FrameSymbol waiting = out_.symbols[thread][caller];
    const FlowEdge& call = flow_.call_at(waiting.node);
    Valuation shared = results.values, local = waiting.values;
    for (std::uint32_t i = 0; i < call.received.size(); ++i) {
      if (!call.received[i]) continue;
      const bool is_local = call.received[i]->kind == model::boolean::AtomKind::Local;
      const Valuation which = model::boolean::bit(call.received[i]->index);
      Valuation& values = is_local ? local : shared;
      values = (*results.results)[i] ? values | which : values & ~which;
    }
    const SharedNumber to = number(SharedValues{shared, {}});
    const SymbolNumber top = number(thread, {call.target, local, false});
    reach(thread, to, top);
    change(thread, back.first, to);
    if (threads_[thread].met.emplace(back.second, caller).second)
      add_rule({thread, back.second, caller}, to, {StackSymbol(top)}, std::nullopt);
  }

  void add_rule(const Head& head, SharedNumber to, std::vector<StackSymbol> pushed,
                std::optional<ProgramAsPushdown::Origin> origin) {
    system_.transitions.push_back({head.thread, model::SharedState(head.shared),
                                   StackSymbol(head.symbol), model::SharedState(to),
                                   std::move(pushed), 0});
    out_.origins.push_back(origin);
  }

  void finish(const model::ProgramQuestion& question) {
    system_.shared_count = static_cast<std::uint32_t>(out_.shared.size());
    for (const auto& symbols : out_.symbols)
      system_.threads.push_back({StackSymbol(0U), StackSymbol(symbols.size() - 1), {}});
    sort_by_thread();
    out_.translated.model = std::move(system_);
    out_.translated.question.targets = {{model::SharedState(kFailed), {}}};
    out_.translated.question.contexts = question.contexts;
  }

  /// As files list them.
  void sort_by_thread() {
    std::vector<std::vector<std::size_t>> of_thread(threads_.size());
    for (std::size_t i = 0; i < system_.transitions.size(); ++i)
      of_thread[system_.transitions[i].thread].push_back(i);
    std::vector<PushdownRule> rules;
    std::vector<std::optional<ProgramAsPushdown::Origin>> origins;
    for (const auto& positions : of_thread)
      for (const std::size_t i : positions) {
        rules.push_back(std::move(system_.transitions[i]));
        origins.push_back(out_.origins[i]);
      }
    system_.transitions = std::move(rules);
    out_.origins = std::move(origins);
  }

  const FixedThreads program_;
  const Flow& flow_;
  const std::vector<std::vector<EdgeId>> edges_;
  std::size_t most_;
  const std::function<bool()>& stopped_;
  ProgramAsPushdown out_;
  PushdownSystem system_;
  std::map<SharedValues, std::size_t> shared_;
  std::vector<StackThread> threads_;
  std::vector<Head> work_;  ///< grows
};

}  // namespace

std::expected<ProgramAsPushdown, std::string> program_to_pushdown(
    const model::ProgramTask& task, std::size_t most_rules, const std::function<bool()>& stopped) {
  auto threads = fixed_threads(task);
  if (!threads) return std::unexpected(std::move(threads.error()));
  return StackTranslation(std::move(*threads), most_rules, stopped).run(task.question);
}

namespace {

/// `returning 10 to`: as many digits as procedures have results at most, the first one first.
std::string results_text(const Flow& flow, const Valuation& results) {
  std::size_t most = 0;
  for (const FlowEdge& edge : flow.edges)
    if (edge.kind == EdgeKind::Return) most = std::max(most, edge.child_values.size());
  std::string digits = most == 0 ? "" : " ";
  for (std::uint32_t i = 0; i < most; ++i) digits += results[i] ? '1' : '0';
  return "returning" + digits + " to";
}

std::string described(std::string what, const std::string& values) {
  if (!what.empty() && !values.empty()) what += " ";
  return what + values;
}

}  // namespace

model::PushdownSystem with_names(const model::ProgramTask& task,
                                 const ProgramAsPushdown& translation) {
  using model::boolean::Cube;
  const Flow flow = fixed_threads(task)->flow;
  auto system = translation.translated.model;
  for (const SharedValues& shared : translation.shared)
    system.shared_names.push_back(
        described(shared.results ? results_text(flow, *shared.results) : "",
                  values_text(shared_values(flow, Cube::only(shared.values)))));
  system.shared_names.front() = "an assertion has failed";
  for (std::size_t i = 0; i < translation.symbols.size(); ++i)
    for (const FrameSymbol& symbol : translation.symbols[i])
      system.threads[i].symbol_names.push_back(
          described(node_text(flow, symbol.node) + (symbol.waits ? " has called" : ""),
                    values_text(local_values(flow, symbol.node, Cube::only(symbol.values)))));
  return system;
}

}  // namespace heddle::transform
