/// The check of SAFE: a second search over the states of the program, by code of its own. States
/// are stored byte for byte (state_store.hpp), and every thread is tried in every stored state.
///
/// A step is one instruction of a thread, whatever follows in the same atomic section, and then the
/// thread's *local* instructions, up to the first that is not. Local instructions commute with all
/// that other threads can do until they are executed, and enable others at most (sharing.hpp says
/// which ones they are, and why that is right although it is learned on the way). Hence every
/// execution can be reordered so that each thread's local instructions follow its previous
/// instruction at once, and then it is one of those searched:
///
///   - A failure is a place of one thread, which the reordered execution comes to. An instruction
///     that ends the run (a false assumption, an invalid access when that is not asked about) is
///     not executed: its thread stands there, and the others go on. `exit` is not local.
///   - A deadlock is a state in which nobody can step. All threads then stand before instructions
///     that are not local, or that cannot be executed: it is a stored state.
///   - A race is a state in which two threads stand before conflicting accesses of which one is not
///     atomic. Neither is local. Inside an atomic section every access is compared with those that
///     other threads stand before.
///   - A heap object that is lost stays lost: it is looked for where states are stored and where
///     branches end. Unfreed memory is looked for where the process ends; `free` is then not local.
///
/// A step is cut after some thousands of instructions, and after some choices. In a state in which
/// a thread stands before a local instruction, only that thread is tried; if that leads to no new
/// state, the others are, too. An execution that goes on with another thread from there is not
/// lost: if it contains the local instruction, that can be moved to the front, and what is left is
/// shorter; otherwise it can be added with any outcome, in particular with one that leads to a new
/// state. New states are finitely many, so that one comes to a state in which the others are tried.
///
///
/// What can make no difference any more is 0 in stored states: registers, and globals that every
/// thread writes before it reads them (program_flow.hpp). Signals are forgotten, unless deadlocks
/// are asked about, because threads may wake by themselves.
///
/// The search ends if the program has few states. It is repeated until nothing new is learned about
/// what threads share and read. Words that the run may choose are all tried if there are at most
/// 256 of them, and are unknown otherwise (unknown_words.hpp). Whatever it finds is real, because
/// each step is an execution of the interpreter's; unless an unknown word was compared or computed
/// with, or a global that was taken for dead was read, which is noticed. What was found out about
/// unknown words that are in memory only is forgotten first, and kept if that was not enough.
///
/// Termination: the steps between stored states must form no cycle, and no stored state may be
/// deadlocked. Why that suffices:
///
///   - An infinite execution has infinitely many instructions that are not local, or some thread
///     executes local ones for ever from some moment on. In the first case its beginnings, each
///     reordered and completed as above, are searched paths with more and more steps: what is added
///     to complete them is local and disables nothing, so that the rest can still be executed. In
///     the second case steps are cut, and there is a path of cut steps for ever. States have
///     finitely many steps, so there is an infinite path, and among finitely many states a cycle.
///   - Where only one thread is tried because it stands before a local instruction, an infinite
///     execution from there either contains that instruction, which can be moved to the front, or
///     does not, and then it can be put in front: what remains is infinite.
///   - A finite execution that cannot be continued ends the process, or all threads have ended, or
///     it fails, or it is deadlocked. A state in which some threads wait for ever while others go
///     on is followed by one of these or by an infinite execution.
///   - No thread wakes by itself, except from a timed wait: signals count, and are not local.
///   - A section that is undone is no step. What is undefined in C ends the check.
///
/// Termination of weakly fair runs (fair_steps.hpp): no strongly connected component of the graph
/// may serve all threads. A step serves the threads that execute instructions in it, and those that
/// cannot step at one of its moments. Why that suffices:
///
///   - In a fair execution, a thread before a local instruction executes it at some time, since
///     nobody can keep it from stepping. So where only that thread is tried, the instruction is
///     moved to the front, and what remains is the same execution without it, as fair as before.
///     Only one thread is tried only where all its steps lead to new states; such states form no
///     cycle, since each would be older than the next. So every instruction comes first after
///     finitely many moves: the searched path consists of all instructions of the execution, and
///     each thread has its own in the same order.
///   - A thread that does not step any more stands at one instruction and infinitely often cannot
///     execute it. It waits for a mutex, a thread, a signal, or for memory that its atomic section
///     reads. On the path as well: mutexes are taken as often, and are held for at least a moment,
///     which lies inside a step; threads end, and are signalled, in the same cases; and what
///     changes memory that somebody else's section reads is not local.
///   - So the steps that the path takes infinitely often serve everybody, and lie in one component.
///
/// Up to a bound on threads, a thread that would create one more than may live at a time waits for
/// ever instead.
///
/// Up to a bound on contexts, threads take turns in the order of their numbers, and a state knows
/// in which round it is and whose turn. A local instruction is executed by itself only in its own
/// thread's turn, which it makes longer. Moving it to the front then takes no more rounds, and all
/// else is as above. What a new thread executes at its creation belongs to its first turn, in the
/// same round at the earliest, since its number is greater than its creator's; where it is not, the
/// check is given up. So a violation that is found needs no more rounds than the state says, if
/// what is local has been learned before. But the two accesses of a race may need one round more:
/// it refutes nothing.

#include <algorithm>
#include <map>

#include "check/c/check.hpp"
#include "check/c/fair_steps.hpp"
#include "check/c/sharing.hpp"
#include "check/c/state_store.hpp"
#include "check/c/unknown_words.hpp"
#include "check/certificates.hpp"
#include "check/proof.hpp"
#include "model/c/arithmetic.hpp"
#include "model/c/lost_memory.hpp"

namespace heddle::check::c {

using namespace model::c;

namespace {

constexpr std::uint64_t kMostValues = 256;
/// Instructions in one step, and in one atomic section.
constexpr unsigned kLongStep = 5'000;
constexpr unsigned kLongSection = 1'000'000;
/// Branches of one step, as far as they can be told from one of them.
constexpr std::uint64_t kWideStep = 16;
/// A search that has learned something ends after so many states, then after twice as many, …
constexpr std::uint64_t kFirstStates = 2'000;
constexpr unsigned kMostContexts = 65'535;

bool is_creation(const Instruction& instruction) {
  const auto* sync = std::get_if<Synchronise>(&instruction.effect);
  return sync != nullptr && sync->operation == SyncOperation::CreateThread;
}

class SecondSearch {
 public:
  SecondSearch(const Program& program, Property property, const SafeBounds& bounds,
               base::RunContext& context)
      : interpreter_(program),
        property_(property),
        bounds_(bounds),
        context_(context),
        flow_(interpreter_),
        sharing_(interpreter_, flow_, property, bounds.threads.has_value()),
        lost_(interpreter_.program()) {}

  answer::CheckResult run() {
    search_until_learned();
    if (problem_ && problem_->status == answer::EvidenceStatus::NotChecked && has_guessed_ &&
        !context_.stopped()) {  // once more, and nothing is forgotten
      problem_.reset();
      has_guessed_ = forgets_ = false;
      search_until_learned();
    }
    if (!problem_ && is_fair() && has_fair_cycle(steps_, threads_))
      refute(Violation::Kind::Lasso, {});
    if (!problem_ && property_ == Property::Termination) look_for_cycle();
    if (problem_) return std::move(*problem_);
    if (is_about_ending(property_)) {
      return {answer::EvidenceStatus::Confirmed,
              "a second search through all interleavings (" +
                  base::counted(store_.size(), "state") + ")" +
                  (is_fair() ? " found no fair cycle and no blocked thread"
                             : " found no state that repeats and no blocked thread")};
    }
    return {answer::EvidenceStatus::Confirmed,
            "a second search through all interleavings (" + base::counted(store_.size(), "state") +
                ") found no violation",
            ends()};
  }

 private:
  /// A step that is being made.
  struct Branch {
    Moment moment;
    std::vector<ThreadId> threads;  ///< whose local instructions are executed, the last one first
    unsigned instructions = 0;
    unsigned before_section = 0;  ///< instructions before the last atomic section
    bool must_step = false;       ///< the first instruction need not be local
    std::uint64_t width = 1;      ///< the product of the numbers of words chosen from
    UnknownWords at_section;
    ThreadBits served = 0;  ///< for fairness
  };

  bool is_fair() const { return property_ == Property::FairTermination; }
  bool is_done() const { return problem_.has_value() || must_repeat_; }
  bool has_learned() const {
    return bounds_.reduces && (sharing_.has_changed() || flow_.has_learned());
  }
  /// A problem that comes after a global was taken for dead and then read may not exist.
  bool is_spoiled() {
    if (bounds_.reduces && flow_.has_learned()) must_repeat_ = true;
    return must_repeat_;
  }
  void give_up(std::string why) {
    if (!is_done() && !is_spoiled()) problem_ = not_checked(why);
  }
  void refute(Violation::Kind kind, Position position) {
    if (!violates(property_, kind) || is_done() || is_spoiled()) return;
    if (bounds_.contexts && has_learned()) {  // turns were not counted that count
      must_repeat_ = true;
      return;
    }
    const std::string what =
        "line " + std::to_string(position.line) + ": " + std::string(to_string(kind));
    if (bounds_.contexts && kind == Violation::Kind::DataRace) {
      problem_ = not_checked(what + " is reachable, perhaps with one context more");
      return;
    }
    problem_ = has_guessed_ ? not_checked(what +
                                          " may be reachable, with words that were not told "
                                          "apart")
                            : refuted(what + " is reachable");
  }

  // ---- Ends of executions that are not asked about

  void note_end(const Violation& violation, Position position) {
    if (is_fault(violation.kind) && !violates(property_, violation.kind))
      ends_.try_emplace({position.file, position.line}, violation.what);
  }

  base::Diagnostics ends() const {
    base::Diagnostics out;
    for (const auto& [place, what] : ends_) {
      base::Diagnostic warning;
      warning.severity = base::Severity::Warning;
      const auto& files = interpreter_.program().files;  // a program that was built has none
      warning.location = {place.first < files.size() ? files[place.first] : "", place.second, 0};
      warning.message = std::string(has_guessed_ ? "perhaps executions" : "executions") +
                        " end here, in what C does not define (" + what +
                        "); the answer is about what comes before";
      warning.hint = "--property no-fault looks for such an execution";
      out.push_back(std::move(warning));
    }
    return out;
  }

  // ---- All states

  void search_until_learned() {
    for (std::uint64_t most = kFirstStates;; most *= 2) {
      search(most);
      if (problem_ || !has_learned()) break;
      must_repeat_ = false;
      sharing_.begin_again();
      flow_.learn();
    }
  }

  /// Ends early if something was learned and there are more states than `most`.
  void search(std::uint64_t most) {
    store_ = StateStore();
    pending_.clear();
    steps_.clear();
    threads_.clear();
    expanded_.reset();
    ends_.clear();
    Moment initial{interpreter_.initial(), UnknownWords(forgets_)};
    if (bounds_.contexts) initial.turn.round = 1;
    follow({std::move(initial), {ThreadId(0u)}, 0, 0, false, 1, {}, 0});
    while (!pending_.empty() && !is_done()) {
      if (store_.size() > most && has_learned()) return;
      expanded_ = pending_.back();
      Moment moment = store_.restore(pending_.back());
      if (moment.unknown.is_empty()) moment.unknown = UnknownWords(forgets_);
      pending_.pop_back();
      look_at(moment.state);
      expand(moment);
      if (const auto stop = context_.step()) problem_ = not_checked(to_string(*stop));
    }
  }

  void expand(const Moment& moment) {
    const auto& threads = moment.state.threads;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < threads.size() && bounds_.reduces && !first; ++i) {
      if (!threads[i]->is_live() || is_held_back(moment.state, ThreadId(i))) continue;
      if (bounds_.contexts && i != moment.turn.thread) continue;
      if (sharing_.is_local(moment.state, ThreadId(i))) first = i;
    }
    const std::size_t known = store_.size();
    const ThreadBits waiting = waiting_in(moment);
    stored_ = 0;
    if (first) follow({moment, {ThreadId(*first)}, 0, 0, true, 1, {}, waiting});
    const std::size_t found = store_.size() - known;
    if (found > 0 && (!is_fair() || found == stored_)) return;
    for (std::size_t i = 0; i < threads.size() && !is_done(); ++i) {
      if (i == first || !threads[i]->is_live() || sleeps_on(moment, ThreadId(i))) continue;
      Moment begun = moment;
      if (take_turn(begun, i))
        follow({std::move(begun), {ThreadId(i)}, 0, 0, true, 1, {}, waiting});
    }
  }

  /// Whether the thread can step within the bound on contexts; it is its turn then.
  bool take_turn(Moment& moment, std::size_t thread) const {
    if (!bounds_.contexts) return true;
    const bool in_next_round = thread < moment.turn.thread;
    if (in_next_round && moment.turn.round >= *bounds_.contexts) return false;
    if (in_next_round) ++moment.turn.round;
    moment.turn.thread = static_cast<std::uint16_t>(thread);
    return true;
  }

  /// For fairness: the threads that cannot step at this moment.
  ThreadBits waiting_in(const Moment& moment) {
    if (!is_fair() || moment.state.section_owner || is_done()) return 0;
    if (moment.state.threads.size() > kMostServed)
      give_up("fairness is checked for at most 64 threads");
    else if (interpreter_.sections_may_block() && !moment.unknown.is_empty())
      give_up("an atomic section may depend on an input with too many values");
    return is_done() ? 0 : waiting_threads(interpreter_, moment.state);
  }

  /// No thread wakes by chance where termination is asked about.
  bool sleeps_on(const Moment& moment, ThreadId thread) const {
    const State& state = moment.state;
    return is_about_ending(property_) && state.thread(thread).status == Thread::Status::Sleeping &&
           !moment.unknown.matter_to(interpreter_, state, thread) &&
           !interpreter_.can_step(state, thread, false);
  }

  void store(Moment& moment, ThreadBits served) {
    State& state = moment.state;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const Thread& thread = *state.threads[i];
      if (thread.is_signalled && !is_about_waiting(property_)) {
        state.change(ThreadId(i)).is_signalled = false;
      }
      if (bounds_.reduces && thread.content_number == 0) {
        flow_.clear_dead_registers(state, ThreadId(i), moment.unknown);
      }
    }
    look_for_lost(state);
    if (bounds_.reduces && !tracks_memory(property_))
      flow_.clear_dead_globals(state, moment.unknown);
    moment.unknown.renumber();
    const auto [number, is_new] = store_.insert(moment);
    ++stored_;
    if (is_about_ending(property_) && expanded_) steps_.push_back({*expanded_, number, served});
    if (!is_new) return;
    if (is_fair()) threads_.push_back(static_cast<std::uint32_t>(state.threads.size()));
    if (store_.size() > bounds_.states) return give_up("there are too many states");
    pending_.push_back(number);
  }

  // ---- One step

  void follow(Branch branch) {
    work_.clear();
    work_.push_back(std::move(branch));
    while (!work_.empty() && !is_done()) {
      Branch next = std::move(work_.back());
      work_.pop_back();
      complete(std::move(next));
    }
  }

  void complete(Branch branch) {
    while (!is_done()) {
      if (branch.threads.empty()) return store(branch.moment, branch.served);
      const ThreadId thread = branch.threads.back();
      if (!goes_on(branch, thread)) {
        branch.threads.pop_back();
        continue;
      }
      branch.must_step = false;
      if (!execute(branch, thread)) return;
    }
  }

  bool goes_on(const Branch& branch, ThreadId thread) {
    const State& state = branch.moment.state;
    if (!state.thread(thread).is_live() || is_held_back(state, thread)) return false;
    if (state.section_owner == thread) {
      if (branch.instructions > kLongSection) give_up("an atomic section does not end");
      return true;
    }
    if (branch.must_step) return true;
    if (branch.instructions >= kLongStep || branch.width > kWideStep) return false;
    return bounds_.reduces && sharing_.is_local(state, thread);
  }

  /// A thread that waits because of the bound on threads.
  bool is_held_back(const State& state, ThreadId thread) const {
    if (!bounds_.threads || !is_creation(interpreter_.next(state, thread))) return false;
    return live_threads(state) >= *bounds_.threads;
  }

  /// One instruction; whether to go on with this branch. Other branches are put into `work_`.
  bool execute(Branch& branch, ThreadId thread) {
    const State& state = branch.moment.state;
    const UnknownWords& unknown = branch.moment.unknown;
    if (bounds_.reduces) sharing_.note(state, thread);
    if (state.section_owner && property_ == Property::NoDataRace) look_for_races(state, thread);
    if (!unknown.matter_to(interpreter_, state, thread) ||
        unknown.can_follow(interpreter_, state, thread, permissions())) {
      return attempt(branch, thread, {});
    }
    auto trials = UnknownWords::trials(interpreter_, branch.moment, thread);
    if (trials.empty()) {
      give_up("line " + std::to_string(interpreter_.position(state, thread).line) +
              ": an input has too many values");
    }
    has_guessed_ = true;
    for (Moment& trial : trials) {
      Branch tried = branch;
      tried.width = std::min(tried.width * 2, kWideStep + 1);
      tried.moment = std::move(trial);
      if (attempt(tried, thread, {})) work_.push_back(std::move(tried));
    }
    return false;
  }

  /// Errors of arithmetic on unknown words are not looked for, and whether a thread waits before an
  /// atomic section is asked of the contents of memory. (A mutex with unknown contents ends the
  /// check where a thread stands before it.)
  UnknownWords::Permissions permissions() const {
    return {property_ != Property::NoOverflow && !is_about_ending(property_),
            !is_about_waiting(property_) || !interpreter_.sections_may_block()};
  }

  /// Unknown words that matter have contents.
  bool attempt(Branch& branch, ThreadId thread, const std::vector<std::uint64_t>& choices) {
    auto& [state, unknown, turn] = branch.moment;
    const Instruction& next = interpreter_.next(state, thread);
    const bool follows = !unknown.is_empty();
    const bool was_in_section = state.section_owner.has_value();
    std::optional<State> before;
    if (follows || is_creation(next)) before = state;
    const Position position = interpreter_.position(state, thread);
    const StepResult result = interpreter_.step(state, thread, choices);
    if (result.overflowed) refute(Violation::Kind::Overflow, position);
    switch (result.outcome) {
      case Outcome::Continued:
        ++branch.instructions;
        if (!was_in_section && state.section_owner) {
          branch.at_section = unknown;
          branch.before_section = branch.instructions - 1;
        }
        if (follows && unknown.follow(interpreter_, *before, state, thread)) has_guessed_ = true;
        if (is_creation(next)) settle_created(*before, thread, branch);
        branch.served |= ThreadBits{1} << thread.index() % kMostServed;
        branch.served |= waiting_in(branch.moment);
        return true;
      case Outcome::NeedsChoice: choose(branch, thread, choices, result.request); return false;
      case Outcome::Undone:
        unknown = branch.at_section;
        branch.threads.pop_back();
        return !is_about_ending(property_) || branch.before_section > 0;
      case Outcome::Violated:
        if (result.violation->kind == Violation::Kind::Unsupported) {
          give_up("line " + std::to_string(position.line) + ": " + result.violation->what);
        }
        if (is_about_ending(property_) && is_undefined_behaviour(result.violation->kind)) {
          give_up("line " + std::to_string(position.line) + ": " + result.violation->what +
                  ", and C does not define what follows");
        }
        note_end(*result.violation, position);
        refute(result.violation->kind, position);
        if (result.violation->kind == Violation::Kind::Failure) look_for_unfreed(state, position);
        look_for_lost(state);
        return stands_still(branch, thread);
      case Outcome::Blocked:
      case Outcome::Pruned: look_for_lost(state); return stands_still(branch, thread);
      case Outcome::ProcessEnded:
        look_for_unfreed(state, position);
        look_for_lost(state);
        return false;
    }
    return false;
  }

  /// The thread never gets past this, or waits; the others go on, unless it is in a section.
  static bool stands_still(Branch& branch, ThreadId thread) {
    if (branch.moment.state.section_owner == thread || branch.instructions == 0) return false;
    branch.threads.pop_back();
    return true;
  }

  /// The new thread executes its local instructions, too.
  void settle_created(const State& before, ThreadId creator, Branch& branch) {
    const State& state = branch.moment.state;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const bool was_live = i < before.threads.size() && before.threads[i]->is_live();
      if (was_live || !state.threads[i]->is_live()) continue;
      if (bounds_.contexts && i < creator.index())
        give_up("a thread's number is less than that of the thread that creates it");
      branch.threads.insert(branch.threads.begin(), ThreadId(i));
    }
  }

  void choose(const Branch& branch, ThreadId thread, std::vector<std::uint64_t> choices,
              const ChoiceRequest& request) {
    const std::uint64_t count = request.count != 0   ? request.count
                                : request.width <= 8 ? std::uint64_t{1} << request.width
                                                     : kMostValues + 1;
    if (count > kMostValues) return leave_unknown(branch, thread, request);
    choices.push_back(0);
    for (std::uint64_t value = 0; value < count && !is_done(); ++value) {
      choices.back() = value;
      Branch chosen = branch;
      chosen.width = std::min(chosen.width * count, kWideStep + 1);
      if (attempt(chosen, thread, choices)) work_.push_back(std::move(chosen));
    }
  }

  /// The chosen word, or what is read from uninitialised memory, which holds it from then on.
  void leave_unknown(const Branch& branch, ThreadId thread, const ChoiceRequest& request) {
    const State& state = branch.moment.state;
    const Effect& effect = interpreter_.next(state, thread).effect;
    const auto* choice = std::get_if<Choose>(&effect);
    const auto* load = std::get_if<Load>(&effect);
    const std::uint64_t address =
        load != nullptr ? interpreter_.value(state, thread, load->address) : 0;
    const bool can_be_left =
        choice != nullptr || (load != nullptr && permissions().memory &&
                              !branch.moment.unknown.cuts(address, load->bytes));
    if (!can_be_left) return give_up("uninitialised memory has too many values");
    Branch left = branch;
    if (!attempt(left, thread, {0})) return;
    auto& [after, unknown, turn] = left.moment;
    if (choice != nullptr)
      unknown.add(interpreter_, after, thread, choice->to, choice->width);
    else if (request.undefined != low_bits(~std::uint64_t{0}, request.width))
      unknown.add_partly_loaded(interpreter_, after, thread, *load, address, request.undefined);
    else
      unknown.add_loaded(interpreter_, after, thread, *load, address);
    work_.push_back(std::move(left));
  }

  // ---- What is bad

  void look_for_lost(const State& state) {
    if (tracks_memory(property_) && lost_.find(state)) refute(Violation::Kind::LostMemory, {});
  }

  /// Here the process ends.
  void look_for_unfreed(const State& state, const Position& last) {
    if (property_ == Property::MemoryCleanup && find_allocated(state))
      refute(Violation::Kind::UnfreedMemory, last);
  }

  void look_at(const State& state) {
    if (is_about_waiting(property_) && is_deadlocked(interpreter_, state)) {
      refute(is_about_ending(property_) ? Violation::Kind::Blocked : Violation::Kind::Deadlock, {});
    }
    if (property_ != Property::NoDataRace) return;
    for (std::size_t i = 0; i < state.threads.size(); ++i) look_for_races(state, ThreadId(i));
  }

  /// Takes away states without predecessors, again and again: what is left is on a cycle or behind
  /// one.
  void look_for_cycle() {
    std::vector<std::uint32_t> predecessors(store_.size(), 0);
    for (const FairStep& step : steps_) ++predecessors[step.to];
    std::ranges::sort(steps_, {}, &FairStep::from);
    std::vector<StateStore::Number> free;
    for (StateStore::Number i = 0; i < store_.size(); ++i) {
      if (predecessors[i] == 0) free.push_back(i);
    }
    std::size_t taken = 0;
    for (; !free.empty(); ++taken) {
      const StateStore::Number from = free.back();
      free.pop_back();
      auto step = std::ranges::lower_bound(steps_, from, {}, &FairStep::from);
      for (; step != steps_.end() && step->from == from; ++step) {
        if (--predecessors[step->to] == 0) free.push_back(step->to);
      }
    }
    if (taken < store_.size()) refute(Violation::Kind::Lasso, {});
  }

  /// Between the next access of a thread and those of all others.
  void look_for_races(const State& state, ThreadId thread) {
    const Access a = access_of(state, thread);
    if (a.bytes == 0) return;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      if (i == thread.index()) continue;
      const Access b = access_of(state, ThreadId(i));
      const bool overlap =
          b.bytes != 0 && a.address < b.address + b.bytes && b.address < a.address + a.bytes;
      if (!overlap || !(a.is_write || b.is_write) || (a.is_atomic && b.is_atomic)) continue;
      refute(Violation::Kind::DataRace, interpreter_.position(state, thread));
    }
  }

  /// The access that a thread makes next, if it can make it.
  Access access_of(const State& state, ThreadId thread) const {
    if (state.thread(thread).status != Thread::Status::Running) return {};
    if (std::holds_alternative<Lifetime>(interpreter_.next(state, thread).effect)) return {};
    if (!interpreter_.can_step(state, thread, false) &&
        std::holds_alternative<Synchronise>(interpreter_.next(state, thread).effect)) {
      return {};
    }
    const Access access = interpreter_.next_access(state, thread);
    if (access.bytes == 0) return {};
    return state.memory.locate(access.address, access.bytes).error == AccessError::None ? access
                                                                                        : Access{};
  }

  Interpreter interpreter_;
  Property property_;
  SafeBounds bounds_;
  base::RunContext& context_;
  ProgramFlow flow_;
  Sharing sharing_;
  LostMemory lost_;
  StateStore store_;
  std::vector<StateStore::Number> pending_;
  std::optional<StateStore::Number> expanded_;
  std::vector<FairStep> steps_;         ///< for termination
  std::vector<std::uint32_t> threads_;  ///< by state, for fairness: how many there are
  std::vector<Branch> work_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> ends_;  ///< by file and line
  std::size_t stored_ = 0;  ///< states, new or not, that steps from the last one have led to
  bool must_repeat_ = false;
  bool forgets_ = true;       ///< what was found out about unknown words in memory
  bool has_guessed_ = false;  ///< something was forgotten about an unknown word
  Problem problem_;
};

}  // namespace

answer::CheckResult check_safe(const Program& program, Property property, const SafeBounds& bounds,
                               base::RunContext& context) {
  return SecondSearch(program, property, bounds, context).run();
}

}  // namespace heddle::check::c

namespace heddle::check {

answer::CheckResult check_certificate(const model::CTask& task, const answer::Exploration&,
                                      const ClaimedBound& bound, base::RunContext& context) {
  if (task.question.targets.size() != 1) return *refuted("the evidence is about one property");
  c::SafeBounds bounds;
  if (bound && is_about_ending(task.question.targets.front())) {
    return *refuted("termination is not claimed up to a bound");
  }
  if (bound && bound->what == answer::BoundKind::Contexts) {
    if (bound->value < 1 || bound->value > c::kMostContexts)
      return {answer::EvidenceStatus::NotChecked,
              "a bound of " + base::counted(bound->value, "context") + " is not looked at"};
    bounds.contexts = bound->value;
  } else if (bound) {
    bounds.threads = bound->value;
  }
  return c::check_safe(task.model, task.question.targets.front(), bounds, context);
}

}  // namespace heddle::check
