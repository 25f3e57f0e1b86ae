#include "engine/explore/symbolic_replay.hpp"

#include <algorithm>
#include <map>

#include "model/c/arithmetic.hpp"
#include "model/c/word_terms.hpp"

namespace heddle::engine::explore {

using namespace model::c;
using term::Term;
using words::Word;

namespace {

/// Terms that are built of more computations than this are too much for a solver.
constexpr std::size_t kMostComputations = 2000;
constexpr std::size_t kMostGoals = 16;

using MaybeWord = std::optional<Word>;

bool prefers_signed(const Compute& effect) {
  return effect.is_signed || effect.op == Operator::SDiv || effect.op == Operator::SRem ||
         effect.op == Operator::AShr || effect.op == Operator::SignExtend;
}

class SymbolicReplay {
 public:
  explicit SymbolicReplay(const Interpreter& interpreter) : interpreter_(interpreter) {}

  SymbolicRun run(const Run& run, ThreadId thread, const std::vector<std::uint64_t>& addresses) {
    const auto listen = [&](const ReplayedInstruction& step) { follow(step); };
    const Replay replayed = replay(interpreter_, run, nullptr, listen);
    const bool is_there = !replayed.error && thread.index() < replayed.state.threads.size() &&
                          replayed.state.thread(thread).is_live();
    if (is_there) set_goals(replayed.state, thread, addresses);
    return std::move(result_);
  }

 private:
  struct Stored {
    Word word;
    std::uint8_t bytes;
  };

  // ---- Words and their terms

  std::vector<MaybeWord>& registers(const State& state, ThreadId thread) {
    if (registers_.size() <= thread.index()) registers_.resize(thread.index() + 1);
    auto& own = registers_[thread.index()];
    own.resize(state.thread(thread).registers.size());
    return own;
  }

  MaybeWord term_of(const State& state, ThreadId thread, const Operand& operand) {
    if (operand.kind != Operand::Kind::Register) return std::nullopt;
    const auto& own = registers(state, thread);
    return own[state.thread(thread).frames.back().first_register + operand.index];
  }

  /// The operand's term, or the number that it is.
  Word word_of(const State& state, ThreadId thread, const Operand& operand, std::uint8_t width) {
    const MaybeWord found = term_of(state, thread, operand);
    if (found && found->width == width) return *found;
    return words::constant_word(interpreter_.value(state, thread, operand), width, false);
  }

  void set(const State& after, ThreadId thread, Register to, MaybeWord word) {
    auto& own = registers(after, thread);
    const Thread& owner = after.thread(thread);
    if (owner.frames.empty()) return;
    own[owner.frames.back().first_register + to.index()] = std::move(word);
  }

  Word choose(ChoiceSite site, std::uint8_t width, bool is_signed) {
    const std::string name = "chosen_" + std::to_string(result_.chosen.size());
    const Term variable =
        term::variable(name, width == 1 ? term::Sort::Boolean : term::Sort::Integer);
    if (width > 1) {
      result_.conditions.push_back(words::fits(variable, width, is_signed));
    }
    result_.chosen.push_back({site, variable, width, is_signed});
    return {variable, width, is_signed};
  }

  MaybeWord load(std::uint64_t address, std::uint8_t bytes) const {
    const auto found = memory_.find(address);
    if (found == memory_.end() || found->second.bytes != bytes) return std::nullopt;
    return found->second.word;
  }

  void store(std::uint64_t address, std::uint8_t bytes, MaybeWord word) {
    auto first = memory_.lower_bound(address - std::min<std::uint64_t>(address, 7));
    while (first != memory_.end() && first->first < address + bytes) {
      const bool overlaps = first->first + first->second.bytes > address;
      first = overlaps ? memory_.erase(first) : std::next(first);
    }
    if (word) memory_.insert_or_assign(address, Stored{*word, bytes});
  }

  // ---- Instructions

  void follow(const ReplayedInstruction& step) {
    if (step.result.outcome != Outcome::Continued) return;
    std::visit([&](const auto& effect) { execute(step, effect); }, step.instruction.effect);
  }

  /// What computes no word and decides nothing.
  template <class Other>
  void execute(const ReplayedInstruction&, const Other&) {}

  std::optional<Word> computed(const State& before, ThreadId thread, const Compute& effect) {
    const bool is_symbolic = term_of(before, thread, effect.a) ||
                             term_of(before, thread, effect.b) ||
                             (effect.op == Operator::Select && term_of(before, thread, effect.c));
    if (!is_symbolic || ++computations_ > kMostComputations) return std::nullopt;
    const bool selects = effect.op == Operator::Select;
    const std::uint8_t first = selects ? 1 : effect.width;
    return words::compute(effect, word_of(before, thread, effect.a, first),
                          word_of(before, thread, effect.b, effect.width),
                          word_of(before, thread, effect.c, effect.width), prefers_signed(effect));
  }

  void execute(const ReplayedInstruction& step, const Compute& effect) {
    set(step.after, step.thread, effect.to, computed(step.before, step.thread, effect));
  }

  void execute(const ReplayedInstruction& step, const Choose& effect) {
    set(step.after, step.thread, effect.to,
        choose(site_of(step.before, step.thread), effect.width, effect.is_signed));
  }

  void execute(const ReplayedInstruction& step, const Assign& effect) {
    std::vector<MaybeWord> words;
    for (const auto& [to, from] : effect.copies) {
      words.push_back(term_of(step.before, step.thread, from));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      set(step.after, step.thread, effect.copies[i].first, words[i]);
    }
  }

  void execute(const ReplayedInstruction& step, const Call& effect) {
    std::vector<MaybeWord> words;
    for (const Operand& argument : effect.arguments) {
      words.push_back(term_of(step.before, step.thread, argument));
    }
    auto& own = registers(step.after, step.thread);
    const std::size_t first = step.after.thread(step.thread).frames.back().first_register;
    std::fill(own.begin() + static_cast<std::ptrdiff_t>(first), own.end(), std::nullopt);
    for (std::size_t i = 0; i < words.size() && first + i < own.size(); ++i) {
      own[first + i] = words[i];
    }
  }

  void execute(const ReplayedInstruction& step, const Return& effect) {
    std::vector<MaybeWord> words;
    for (const Operand& value : effect.values) {
      words.push_back(term_of(step.before, step.thread, value));
    }
    const Thread& after = step.after.thread(step.thread);
    registers(step.after, step.thread);
    if (after.frames.empty()) return;
    const auto& frames = step.before.thread(step.thread).frames;
    const Frame& caller = frames[frames.size() - 2];
    const auto& code = interpreter_.program().functions[caller.function.index()].code;
    const auto* call = std::get_if<Call>(&code[caller.at.index()].effect);
    for (std::size_t i = 0; call != nullptr && i < call->to.size(); ++i) {
      set(step.after, step.thread, call->to[i], i < words.size() ? words[i] : std::nullopt);
    }
  }

  void execute(const ReplayedInstruction& step, const Load& effect) {
    const std::uint64_t address = interpreter_.value(step.before, step.thread, effect.address);
    MaybeWord word = load(address, effect.bytes);
    if (!step.choices.empty()) {
      word = choose(site_of(step.before, step.thread), static_cast<std::uint8_t>(8 * effect.bytes),
                    false);
      store(address, effect.bytes, word);
    }
    set(step.after, step.thread, effect.to, word);
  }

  void execute(const ReplayedInstruction& step, const Store& effect) {
    MaybeWord word = term_of(step.before, step.thread, effect.value);
    if (word && word->width != 8 * effect.bytes) word.reset();
    store(interpreter_.value(step.before, step.thread, effect.address), effect.bytes, word);
  }

  void execute(const ReplayedInstruction& step, const ReadModifyWrite& effect) {
    const std::uint64_t address = interpreter_.value(step.before, step.thread, effect.address);
    set(step.after, step.thread, effect.to, load(address, effect.bytes));
    const bool replaces = effect.operation == ReadModifyWrite::Operation::Exchange;
    MaybeWord word = replaces ? term_of(step.before, step.thread, effect.value) : std::nullopt;
    if (word && word->width != 8 * effect.bytes) word.reset();
    store(address, effect.bytes, word);
  }

  void execute(const ReplayedInstruction& step, const CompareExchange& effect) {
    const std::uint64_t address = interpreter_.value(step.before, step.thread, effect.address);
    set(step.after, step.thread, effect.old, load(address, effect.bytes));
    set(step.after, step.thread, effect.success, std::nullopt);
    if (interpreter_.value(step.after, step.thread,
                           Operand{Operand::Kind::Register, effect.success.value, 0}) == 0) {
      return;
    }
    store(address, effect.bytes, std::nullopt);
  }

  void execute(const ReplayedInstruction& step, const Synchronise& effect) {
    registers(step.after, step.thread);
    if (effect.to) set(step.after, step.thread, *effect.to, std::nullopt);
  }

  void execute(const ReplayedInstruction& step, const Allocate& effect) {
    set(step.after, step.thread, effect.to, std::nullopt);
  }

  void execute(const ReplayedInstruction& step, const ObjectSize& effect) {
    set(step.after, step.thread, effect.to, std::nullopt);
  }

  // ---- Decisions

  std::optional<Term> condition(const State& state, ThreadId thread, const Operand& operand) {
    const MaybeWord word = term_of(state, thread, operand);
    if (!word || word->width != 1) return std::nullopt;
    return word->term;
  }

  bool is_true(const State& state, ThreadId thread, const Operand& operand) const {
    return (interpreter_.value(state, thread, operand) & 1) != 0;
  }

  void execute(const ReplayedInstruction& step, const Branch& effect) {
    const auto decided = condition(step.before, step.thread, effect.condition);
    if (!decided) return;
    const bool holds = is_true(step.before, step.thread, effect.condition);
    result_.conditions.push_back(holds ? *decided : term::negation(*decided));
  }

  void execute(const ReplayedInstruction& step, const Assume& effect) {
    if (const auto decided = condition(step.before, step.thread, effect.condition)) {
      result_.conditions.push_back(*decided);
    }
  }

  void execute(const ReplayedInstruction& step, const Switch& effect) {
    const MaybeWord word = term_of(step.before, step.thread, effect.value);
    if (!word) return;
    const std::uint64_t value = interpreter_.value(step.before, step.thread, effect.value);
    result_.conditions.push_back(is_case(*word, value));
  }

  static Term is_case(const Word& word, std::uint64_t value) {
    return words::equal_words(word, words::constant_word(value, word.width, word.is_signed));
  }

  void set_goals(const State& state, ThreadId thread, const std::vector<std::uint64_t>& addresses) {
    const Effect& effect = interpreter_.next(state, thread).effect;
    if (const Operand* address = address_operand(effect)) {
      const MaybeWord word = term_of(state, thread, *address);
      for (const std::uint64_t other : addresses) {
        const bool is_goal = word && other != interpreter_.value(state, thread, *address);
        if (is_goal) result_.goals.push_back(is_case(*word, other));
      }
      return;
    }
    if (const auto* branch = std::get_if<Branch>(&effect)) {
      const auto decided = condition(state, thread, branch->condition);
      if (!decided) return;
      const bool holds = is_true(state, thread, branch->condition);
      result_.goals.push_back(holds ? term::negation(*decided) : *decided);
    } else if (const auto* assume = std::get_if<Assume>(&effect)) {
      const auto decided = condition(state, thread, assume->condition);
      if (decided) result_.goals.push_back(*decided);
    } else if (const auto* compute = std::get_if<Compute>(&effect)) {
      set_overflow(state, thread, *compute);
    } else if (const auto* cases = std::get_if<Switch>(&effect)) {
      set_cases(state, thread, *cases);
    }
  }

  void set_overflow(const State& state, ThreadId thread, const Compute& effect) {
    if (!computed(state, thread, effect)) return;
    const auto exact = words::unbounded(effect, word_of(state, thread, effect.a, effect.width),
                                        word_of(state, thread, effect.b, effect.width));
    if (!exact) return;
    result_.goals.push_back(term::negation(words::fits(*exact, effect.width, true)));
  }

  void set_cases(const State& state, ThreadId thread, const Switch& effect) {
    const MaybeWord word = term_of(state, thread, effect.value);
    if (!word) return;
    std::vector<Term> others;
    for (const auto& [value, location] : effect.cases) {
      if (result_.goals.size() >= kMostGoals) return;
      result_.goals.push_back(is_case(*word, value));
      others.push_back(term::negation(result_.goals.back()));
    }
    result_.goals.push_back(term::conjunction(std::move(others)));
  }

  static ChoiceSite site_of(const State& state, ThreadId thread) {
    const Frame& frame = state.thread(thread).frames.back();
    return {frame.function, frame.at};
  }

  const Interpreter& interpreter_;
  SymbolicRun result_;
  std::vector<std::vector<MaybeWord>> registers_;  ///< of each thread
  std::map<std::uint64_t, Stored> memory_;         ///< by address
  std::size_t computations_ = 0;
};

}  // namespace

const Operand* address_operand(const Effect& effect) {
  if (const auto* load = std::get_if<Load>(&effect)) return &load->address;
  if (const auto* store = std::get_if<Store>(&effect)) return &store->address;
  if (const auto* change = std::get_if<ReadModifyWrite>(&effect)) return &change->address;
  if (const auto* exchange = std::get_if<CompareExchange>(&effect)) return &exchange->address;
  if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    return sync->arguments.empty() ? nullptr : &sync->arguments.front();
  }
  return nullptr;
}

SymbolicRun replay_symbolically(const Interpreter& interpreter, const Run& run, ThreadId thread,
                                const std::vector<std::uint64_t>& addresses) {
  return SymbolicReplay(interpreter).run(run, thread, addresses);
}

}  // namespace heddle::engine::explore
