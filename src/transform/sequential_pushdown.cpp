#include "transform/sequential_pushdown.hpp"

#include <algorithm>
#include <map>

/// Threads one after the other instead of side by side (Lal and Reps, CAV 2008, section 4).
///
/// With K rounds of n threads, let g₂, …, g_K be guesses of the shared state at the beginning of
/// rounds 2 to K. The sequential system has K copies of the shared state, at first the initial one
/// and the guesses. It runs all contexts of thread 1, the k-th on the k-th copy, then all of
/// thread 2 on the copies as thread 1 left them, and so on. So copy k goes through what happens to
/// the shared state in round k. In the end the run of the threads fits together if copy k ends
/// as g_{k+1}, the beginning of the next round; the last copy is then the shared state at the
/// end. Contexts may be empty, so K means at most K.
///
/// A state of the sequential system is (target, thread, context, copies, guesses); only those that
/// can be reached if stacks are ignored are made. The stack holds what the current thread has,
/// above a mark of that thread that stands for its bottom. A thread that has had its contexts is
/// looked at (has it the top that the target wants?), and what it leaves on the stack is covered
/// by the next thread's stack for good. A rule writes at most two symbols, and the next thread's
/// mark and first symbol are two: they replace the top, which is not needed any more.
///
/// If any thread may have the first turn, the start chooses it, and "thread 1, thread 2, …" are
/// those from it on and around.
///
/// Shared state 0 is the start, 1 is where a run has fitted together and met the target.

namespace heddle::transform {

namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::SharedState;
using model::StackSymbol;

struct Control {
  std::uint32_t target = 0;
  std::uint32_t first = 0;  ///< the thread with the first turn
  std::uint32_t thread = 0;
  std::uint32_t context = 0;
  std::vector<std::uint32_t> copies;   ///< of the shared state, one per round
  std::vector<std::uint32_t> guesses;  ///< of rounds 2 to K
  friend auto operator<=>(const Control&, const Control&) = default;
};

class Sequentialiser {
 public:
  Sequentialiser(const model::PushdownTask& task, std::size_t most_rules, FirstTurn first)
      : question_(task.question),
        system_(task.model),
        rounds_(*task.question.contexts),
        most_rules_(most_rules),
        first_(first) {}

  std::expected<SequentialPushdown, std::string> run() {
    if (question_.initial.size() != 1) return std::unexpected("it has several initial states");
    number_symbols();
    start();
    for (std::size_t i = 0; i < order_.size() && !too_large(); ++i) expand(*order_[i]);
    if (too_large())
      return std::unexpected("the sequential system would be too large (more than " +
                             std::to_string(most_rules_) + " rules or copies of shared states)");
    return finish();
  }

 private:
  static constexpr std::uint32_t kStart = 0;
  static constexpr std::uint32_t kMet = 1;

  /// States have a copy of the shared state per round, so many rounds cost memory, too.
  bool too_large() const {
    return out_.transitions.size() > most_rules_ || states_.size() > most_rules_ / rounds_;
  }

  /// Symbol 0 is that of the start; each thread has its mark and its symbols.
  void number_symbols() {
    symbols_.resize(system_.threads.size());
    std::uint32_t next = 1;
    const auto number = [&](std::uint32_t thread, const std::optional<StackSymbol>& symbol) {
      if (symbols_[thread].try_emplace(symbol, next).second) ++next;
    };
    for (std::uint32_t thread = 0; thread < symbols_.size(); ++thread) {
      number(thread, std::nullopt);
      number(thread, initial_top(thread));
    }
    for (const PushdownRule& rule : system_.transitions) {
      number(rule.thread, rule.top);
      for (const StackSymbol pushed : rule.pushed) number(rule.thread, pushed);
    }
    out_.threads = {{StackSymbol(0U), StackSymbol(next - 1)}};
  }

  std::optional<StackSymbol> initial_top(std::uint32_t thread) const {
    const model::ThreadTop* at = question_.initial.front().find(thread);
    return at ? at->top : std::nullopt;
  }

  StackSymbol number_of(std::uint32_t thread, const std::optional<StackSymbol>& symbol) const {
    return StackSymbol(symbols_[thread].at(symbol));
  }

  /// What a thread has at first: its symbol, if any, above its mark.
  std::vector<StackSymbol> first_stack(std::uint32_t thread) const {
    std::vector<StackSymbol> stack;
    if (const auto top = initial_top(thread)) stack.push_back(number_of(thread, top));
    stack.push_back(number_of(thread, std::nullopt));
    return stack;
  }

  std::uint32_t state_of(const Control& control) {
    const auto [it, fresh] =
        states_.try_emplace(control, static_cast<std::uint32_t>(states_.size() + 2));
    if (fresh) order_.push_back(&it->first);
    return it->second;
  }

  void add(std::uint32_t from, StackSymbol top, std::uint32_t to, std::vector<StackSymbol> pushed,
           std::optional<SimulatedStep> origin = std::nullopt) {
    out_.transitions.push_back({0, SharedState(from), top, SharedState(to), std::move(pushed), 0});
    origin_.push_back(origin);
  }

  void start() {
    const std::uint32_t threads = first_ == FirstTurn::Any ? thread_count() : 1;
    for (std::uint32_t target = 0; target < question_.targets.size(); ++target)
      for (std::uint32_t thread = 0; thread < threads; ++thread) start(target, thread);
  }

  /// A rule for each way to guess.
  void start(std::uint32_t target, std::uint32_t thread) {
    Control control{target, thread, thread, 0, {question_.initial.front().shared.value}, {}};
    control.guesses.assign(rounds_ - 1, 0);
    do {
      control.copies.resize(1);
      control.copies.insert(control.copies.end(), control.guesses.begin(), control.guesses.end());
      add(kStart, StackSymbol(0U), state_of(control), first_stack(thread));
    } while (next_guess(control.guesses) && !too_large());
  }

  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(system_.threads.size()); }

  bool next_guess(std::vector<std::uint32_t>& guesses) const {
    for (std::uint32_t& guess : guesses) {
      if (++guess < system_.shared_count) return true;
      guess = 0;
    }
    return false;
  }

  void expand(const Control& control) {
    const std::uint32_t from = states_.at(control);
    for (std::size_t i = 0; i < system_.transitions.size(); ++i) {
      const PushdownRule& rule = system_.transitions[i];
      if (rule.thread == control.thread && rule.from.value == control.copies[control.context])
        simulate(control, from, rule, model::TransitionId(i));
    }
    for (const auto& [symbol, number] : symbols_[control.thread]) {
      if (control.context + 1 < rounds_) {
        Control next = control;
        ++next.context;
        add(from, StackSymbol(number), state_of(next), {StackSymbol(number)});
      } else {
        leave(control, from, symbol);
      }
    }
  }

  void simulate(const Control& control, std::uint32_t from, const PushdownRule& rule,
                model::TransitionId id) {
    Control next = control;
    next.copies[control.context] = rule.to.value;
    std::vector<StackSymbol> pushed;
    for (const StackSymbol symbol : rule.pushed) pushed.push_back(number_of(rule.thread, symbol));
    if (!rule.top) pushed.push_back(number_of(rule.thread, std::nullopt));
    add(from, number_of(rule.thread, rule.top), state_of(next), std::move(pushed),
        SimulatedStep{id, rule.thread, control.context,
                      (rule.thread + thread_count() - control.first) % thread_count()});
  }

  /// The thread has had all its contexts and has this top.
  void leave(const Control& control, std::uint32_t from, const std::optional<StackSymbol>& top) {
    const model::VisibleState& target = question_.targets[control.target];
    const model::ThreadTop* wanted = target.find(control.thread);
    if (wanted && wanted->top != top) return;
    const StackSymbol number = number_of(control.thread, top);
    Control next = control;
    next.thread = (control.thread + 1) % thread_count();
    next.context = 0;
    if (next.thread != control.first) {
      add(from, number, state_of(next), first_stack(next.thread));
    } else if (fits_together(control) && control.copies.back() == target.shared.value) {
      add(from, number, kMet, {number});
    }
  }

  static bool fits_together(const Control& control) {
    return std::equal(control.guesses.begin(), control.guesses.end(), control.copies.begin());
  }

  SequentialPushdown finish() {
    out_.shared_count = static_cast<std::uint32_t>(states_.size() + 2);
    model::PushdownQuestion question{{{SharedState(kStart), {{0, StackSymbol(0U)}}}},
                                     {{SharedState(kMet), {}}}};
    return {{std::move(out_), std::move(question)}, std::move(origin_)};
  }

  const model::PushdownQuestion& question_;
  const PushdownSystem& system_;
  std::uint32_t rounds_;
  std::size_t most_rules_;
  FirstTurn first_;
  std::vector<std::map<std::optional<StackSymbol>, std::uint32_t>> symbols_;  ///< by thread
  std::map<Control, std::uint32_t> states_;
  std::vector<const Control*> order_;  ///< keys of `states_`, as they came
  PushdownSystem out_;
  std::vector<std::optional<SimulatedStep>> origin_;
};

}  // namespace

std::expected<SequentialPushdown, std::string> sequentialise(const model::PushdownTask& task,
                                                             std::size_t most_rules,
                                                             FirstTurn first) {
  return Sequentialiser(task, most_rules, first).run();
}

answer::PushdownRun interleaving_of(const model::PushdownTask& task,
                                    const SequentialPushdown& reduction,
                                    const answer::PushdownRun& run) {
  std::vector<SimulatedStep> steps;
  for (const answer::PushdownStep& step : run.steps)
    if (const auto& origin = reduction.origin.at(step.rule.index())) steps.push_back(*origin);
  std::ranges::stable_sort(
      steps, {}, [](const SimulatedStep& step) { return std::pair(step.context, step.turn); });
  answer::PushdownRun out{task.question.initial.front(), {}};
  for (const SimulatedStep& step : steps)
    out.steps.push_back({step.rule, answer::ThreadId(step.thread)});
  return out;
}

}  // namespace heddle::transform
