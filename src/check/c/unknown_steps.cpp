/// What instructions do with unknown words (unknown_words.hpp).

#include <algorithm>

#include "check/c/operands.hpp"
#include "check/c/unknown_words.hpp"
#include "model/c/arithmetic.hpp"

namespace heddle::check::c {

using namespace model::c;

namespace {

using Form = Symbol::Form;

/// What the semantics of mutexes, handles and results reads or writes at an address.
constexpr std::uint64_t kSynchronisedBytes = 24;

bool is_comparison(Operator op) { return op >= Operator::Eq && op <= Operator::SLe; }

bool is_division(Operator op) { return op >= Operator::UDiv && op <= Operator::SRem; }

bool is_resizing(Operator op) {
  return op == Operator::Copy || op == Operator::ZeroExtend || op == Operator::SignExtend ||
         op == Operator::Truncate;
}

/// Whether something reads the results of threads.
bool reads_results(const Program& program) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      const auto* sync = std::get_if<Synchronise>(&instruction.effect);
      if (sync == nullptr || sync->operation != SyncOperation::JoinThread) continue;
      if (sync->arguments[1] != Operand{}) return true;
    }
  }
  return false;
}

/// The symbol of a resized word, if there is one.
std::optional<Symbol> resized(const Symbol& symbol, const Compute& effect) {
  const bool is_extended = symbol.form != Form::Plain;
  switch (effect.op) {
    case Operator::Copy:
      if (effect.width == effect.to_width) return symbol;
      break;
    case Operator::ZeroExtend:
      if (symbol.form == Form::SignExtended || effect.to_width < effect.width) break;
      if (effect.to_width == effect.width) return symbol;
      return Symbol{symbol.number, symbol.width, Form::ZeroExtended};
    case Operator::SignExtend:  // the first bit of a word that was extended with zeros is 0
      if (effect.to_width < effect.width) break;
      if (effect.to_width == effect.width || is_extended) return symbol;
      return Symbol{symbol.number, symbol.width, Form::SignExtended};
    case Operator::Truncate:
      if (is_extended && effect.to_width == symbol.width)
        return Symbol{symbol.number, symbol.width, Form::Plain};
      if (is_extended && effect.to_width > symbol.width) return symbol;
      break;
    default: break;
  }
  return std::nullopt;
}

/// The symbol of a word of `width` bits that is put, with zeros in front or cut off, where there
/// are `own` bits, if there is one.
std::optional<Symbol> fitted(const Symbol& symbol, unsigned width, unsigned own) {
  if (own == width) return symbol;
  if (own < symbol.width) return std::nullopt;
  if (own < width)
    return Symbol{symbol.number, symbol.width, own == symbol.width ? Form::Plain : symbol.form};
  if (symbol.form == Form::SignExtended) return std::nullopt;
  return Symbol{symbol.number, symbol.width, Form::ZeroExtended};
}

std::uint64_t extended(const Symbol& symbol, std::uint64_t word, unsigned width) {
  if (symbol.form != Form::SignExtended) return word;
  return low_bits(static_cast<std::uint64_t>(as_signed(word, symbol.width)), width);
}

/// Whether the word, extended as the symbol says, can be this.
bool can_be(const Symbol& symbol, std::uint64_t content, unsigned width) {
  return extended(symbol, low_bits(content, symbol.width), width) == content;
}

bool is_signed_order(Operator op) { return op == Operator::SLt || op == Operator::SLe; }

/// The words less than another one, or greater, in the order of the comparison.
std::optional<Arc> words_beside(std::uint64_t other, bool is_less, bool is_signed,
                                std::uint8_t width) {
  const std::uint64_t least = is_signed ? std::uint64_t{1} << (width - 1) : 0;
  const std::uint64_t greatest = low_bits(least - 1, width);
  if (other == (is_less ? least : greatest)) return std::nullopt;
  if (is_less) return Arc{least, low_bits(other - 1, width), width};
  return Arc{low_bits(other + 1, width), greatest, width};
}

/// Where the result of an operation with a known word lies, if the unknown one lies in an arc.
Arc result_arc(const Compute& effect, const Arc& unknown, std::uint64_t known, bool is_left) {
  const Arc whole = Arc::whole(effect.width);
  if (unknown.width != effect.width || effect.to_width != effect.width) return whole;
  switch (effect.op) {
    case Operator::Add: return unknown.shifted(known);
    case Operator::Sub: return is_left ? unknown.shifted(0 - known) : whole;
    case Operator::And: return {0, known, effect.width};
    case Operator::URem: return is_left && known > 0 ? Arc{0, known - 1, effect.width} : whole;
    default: return whole;
  }
}

/// What one instruction reads from memory at a known address.
struct MemoryRead {
  const Operand* address = nullptr;
  std::uint8_t bytes = 0;
};

MemoryRead memory_read(const Effect& effect) {
  if (const auto* load = std::get_if<Load>(&effect)) return {&load->address, load->bytes};
  if (const auto* change = std::get_if<ReadModifyWrite>(&effect))
    return {&change->address, change->bytes};
  if (const auto* exchange = std::get_if<CompareExchange>(&effect))
    return {&exchange->address, exchange->bytes};
  return {};
}

}  // namespace

bool UnknownWords::matter_to(const Interpreter& interpreter, const State& state,
                             ThreadId thread) const {
  if (is_empty() || !state.thread(thread).is_live()) return false;
  const Effect& effect = interpreter.next(state, thread).effect;
  const auto operands = std::visit(OperandsOf{}, effect);
  if (std::ranges::any_of(operands,
                          [&](const Operand& operand) { return has(state, thread, operand); }))
    return true;
  if (memory_.empty()) return false;
  if (const MemoryRead read = memory_read(effect); read.address != nullptr)
    return overlaps(interpreter.value(state, thread, *read.address), read.bytes);
  if (const auto* store = std::get_if<Store>(&effect))
    return cuts(interpreter.value(state, thread, store->address), store->bytes);
  if (const auto* sync = std::get_if<Synchronise>(&effect))
    return std::ranges::any_of(sync->arguments, [&](const Operand& argument) {
      return overlaps(interpreter.value(state, thread, argument), kSynchronisedBytes);
    });
  return false;
}

bool UnknownWords::can_follow(const Interpreter& interpreter, const State& state, ThreadId thread,
                              const Permissions& permissions) const {
  const Effect& effect = interpreter.next(state, thread).effect;
  if (const auto* compute = std::get_if<Compute>(&effect)) {
    if (is_resizing(compute->op)) return true;
    if (compute->op == Operator::Select) return !has(state, thread, compute->a);
    if (is_comparison(compute->op)) {
      const auto a = of(state, thread, compute->a);
      return a && a == of(state, thread, compute->b);
    }
    if (one_of_few(state, thread, *compute) != nullptr) return false;
    return permissions.arithmetic && !(is_division(compute->op) && has(state, thread, compute->b));
  }
  if (const auto* call = std::get_if<Call>(&effect)) return !has(state, thread, call->callee);
  if (std::holds_alternative<Return>(effect)) {
    return state.thread(thread).frames.size() > 1 || !reads_results(interpreter.program());
  }
  if (const auto* store = std::get_if<Store>(&effect))
    return permissions.memory && !has(state, thread, store->address) &&
           !cuts(interpreter.value(state, thread, store->address), store->bytes);
  if (const auto* load = std::get_if<Load>(&effect)) return !has(state, thread, load->address);
  if (const auto* change = std::get_if<ReadModifyWrite>(&effect))
    return permissions.memory && permissions.arithmetic && !has(state, thread, change->address) &&
           !cuts(interpreter.value(state, thread, change->address), change->bytes);
  if (const auto* exchange = std::get_if<CompareExchange>(&effect))
    return permissions.memory && can_follow(interpreter, state, thread, *exchange);
  return std::holds_alternative<Assign>(effect);
}

/// The operand of arithmetic for which few words are left.
const Operand* UnknownWords::one_of_few(const State& state, ThreadId thread,
                                        const Compute& effect) const {
  for (const Operand* operand : {&effect.a, &effect.b}) {
    const auto symbol = of(state, thread, *operand);
    if (symbol && is_one_of_few(*symbol)) return operand;
  }
  return nullptr;
}

/// Whether it is known if the words are equal.
bool UnknownWords::can_follow(const Interpreter& interpreter, const State& state, ThreadId thread,
                              const CompareExchange& exchange) const {
  if (has(state, thread, exchange.address)) return false;
  const std::uint64_t address = interpreter.value(state, thread, exchange.address);
  const auto expected = of(state, thread, exchange.expected);
  if (!overlaps(address, exchange.bytes)) return !expected;
  const InMemory* word = exactly_at(address, exchange.bytes);
  return word != nullptr && expected == word->symbol;
}

// ---- After a step

/// One step. Registers are looked up as they were before it; memory is read before it is written.
class UnknownWords::Step {
 public:
  Step(const Interpreter& interpreter, const State& before, State& after, ThreadId thread,
       UnknownWords& words)
      : interpreter_(interpreter),
        before_(before),
        after_(after),
        thread_(thread),
        registers_(words.registers_),
        words_(words) {}

  bool run() {
    const Effect& effect = interpreter_.next(before_, thread_).effect;
    forget_registers(effect);
    std::visit([&](const auto& one) { copy(one); }, effect);
    forget_objects(effect);
    clear();
    return has_guessed_;
  }

 private:
  const Function& function_of(const Frame& frame) const {
    return interpreter_.program().functions[frame.function.index()];
  }
  std::uint8_t width_of(const Frame& frame, std::uint32_t index) const {
    return function_of(frame).register_widths[index];
  }
  std::uint64_t value(const Operand& operand) const {
    return interpreter_.value(before_, thread_, operand);
  }
  std::optional<Symbol> of(const Operand& operand) const {
    if (operand.kind != Operand::Kind::Register) return std::nullopt;
    return at(registers_, thread_, frame_before().first_register + operand.index);
  }
  const Frame& frame_before() const { return before_.thread(thread_).frames.back(); }

  /// The registers that the instruction wrote, and those of a frame that is gone or new.
  void forget_registers(const Effect& effect) {
    const Thread& thread = after_.thread(thread_);
    const std::uint32_t first = frame_before().first_register;
    for (const Register to : std::visit(WrittenBy{}, effect))
      words_.forget(thread_, first + to.value);
    auto end = static_cast<std::uint32_t>(thread.registers.size());
    if (thread.frames.empty()) end = 0;
    if (std::holds_alternative<Call>(effect)) end = thread.frames.back().first_register;
    std::erase_if(words_.registers_, [&](const InRegister& one) {
      return one.thread == thread_.value && one.index >= end;
    });
  }

  /// A register gets a copy.
  void put(const Frame& frame, std::uint32_t index, const Symbol& symbol, std::uint8_t width) {
    if (const auto copy = fitted(symbol, width, width_of(frame, index)))
      return words_.set(thread_, frame.first_register + index, *copy);
    guess(frame, index);
  }
  void guess(const Frame& frame, std::uint32_t index) {
    has_guessed_ = true;
    words_.set(thread_, frame.first_register + index, words_.fresh(width_of(frame, index)));
  }
  std::uint8_t width_before(const Operand& operand) const {
    return width_of(frame_before(), operand.index);
  }

  void copy(const Compute& effect) {
    const Frame& frame = frame_before();
    const auto a = of(effect.a);
    if (is_comparison(effect.op)) return;
    if (effect.op == Operator::Select) {
      const Operand& chosen = (value(effect.a) & 1) != 0 ? effect.b : effect.c;
      if (const auto symbol = of(chosen))
        put(frame, effect.to.value, *symbol, width_before(chosen));
      return;
    }
    const auto b = of(effect.b);
    if (!a && !b) return;
    if (!is_resizing(effect.op)) return compute(effect, a, b);
    if (!a) return;
    const bool has_width = width_before(effect.a) == effect.width;
    if (const auto symbol = has_width ? resized(*a, effect) : std::nullopt)
      return put(frame, effect.to.value, *symbol, effect.to_width);
    guess(frame, effect.to.value);
  }

  void compute(const Compute& effect, const std::optional<Symbol>& a,
               const std::optional<Symbol>& b) {
    guess(frame_before(), effect.to.value);
    if (a && b) return;
    const Symbol& symbol = a ? *a : *b;
    const Symbol result =
        *at(words_.registers_, thread_, frame_before().first_register + effect.to.value);
    if (symbol.form != Form::Plain || result.width != effect.width) return;
    const std::uint64_t known = low_bits(value(a ? effect.b : effect.a), effect.width);
    words_.set_arc(result, result_arc(effect, words_.arc_of(symbol), known, a.has_value()));
  }

  void copy(const Assign& effect) {
    for (const auto& [to, from] : effect.copies)
      if (const auto symbol = of(from)) put(frame_before(), to.value, *symbol, width_before(from));
  }

  void copy(const Call& effect) {
    const Frame& frame = after_.thread(thread_).frames.back();
    const std::size_t count =
        std::min<std::size_t>(effect.arguments.size(), function_of(frame).parameters);
    for (std::uint32_t i = 0; i < count; ++i)
      if (const auto symbol = of(effect.arguments[i]))
        put(frame, i, *symbol, width_before(effect.arguments[i]));
  }

  void copy(const Return& effect) {
    const auto& frames = before_.thread(thread_).frames;
    if (frames.size() < 2) return;
    const Frame& caller = frames[frames.size() - 2];
    const auto& call = std::get<Call>(function_of(caller).code[caller.at.index()].effect);
    for (const Register to : call.to) words_.forget(thread_, caller.first_register + to.value);
    for (std::size_t i = 0; i < call.to.size() && i < effect.values.size(); ++i)
      if (const auto symbol = of(effect.values[i]))
        put(caller, call.to[i].value, *symbol, width_before(effect.values[i]));
  }

  void load(Register to, std::uint64_t address, std::uint8_t bytes) {
    const Frame& frame = frame_before();
    if (const InMemory* word = words_.exactly_at(address, bytes)) {
      const Arc arc = words_.arc_of(word->symbol);
      if (arc.length() > 0)
        return put(frame, to.value, word->symbol, static_cast<std::uint8_t>(8 * bytes));
      after_.change(thread_).registers[frame.first_register + to.value] =
          extended(word->symbol, arc.first, 8u * bytes);
      return;
    }
    if (!words_.overlaps(address, bytes)) return;
    guess(frame, to.value);
    const Symbol whole = *at(words_.registers_, thread_, frame.first_register + to.value);
    if (whole.width == 8 * bytes && !words_.cuts(address, bytes))
      words_.compose(whole, before_, address, bytes);
  }
  void copy(const Load& effect) { load(effect.to, value(effect.address), effect.bytes); }

  void store(std::uint64_t address, std::uint8_t bytes, const Operand& from) {
    words_.forget_memory(address, bytes);
    const auto symbol = of(from);
    if (!symbol) return;
    if (const auto copy = fitted(*symbol, width_before(from), 8u * bytes)) {
      if (const Composition* parts = words_.composition_of(*copy);
          parts && copy->width == 8 * bytes)
        return store_parts(address, bytes, *parts);
      return words_.set_memory(address, bytes, *copy);
    }
    store_anything(address, bytes);
  }
  void store_parts(std::uint64_t address, std::uint8_t bytes, const Composition& word) {
    after_.memory.store_anyway(address, bytes, word.known);
    for (const Composition::Part& part : word.parts)
      words_.set_memory(address + part.offset, part.bytes, part.symbol);
  }
  void store_anything(std::uint64_t address, std::uint8_t bytes) {
    has_guessed_ = true;
    words_.set_memory(address, bytes, words_.fresh(static_cast<std::uint8_t>(8 * bytes)));
    after_.memory.store_anyway(address, bytes, 0);
  }
  void copy(const Store& effect) { store(value(effect.address), effect.bytes, effect.value); }

  void copy(const ReadModifyWrite& effect) {
    const std::uint64_t address = value(effect.address);
    const bool is_unknown = words_.overlaps(address, effect.bytes) || of(effect.value);
    load(effect.to, address, effect.bytes);
    if (effect.operation == ReadModifyWrite::Operation::Exchange)
      return store(address, effect.bytes, effect.value);
    if (is_unknown) store_anything(address, effect.bytes);
  }

  /// The trial has given contents to what is compared: they tell whether it succeeded.
  void copy(const CompareExchange& effect) {
    const std::uint64_t address = value(effect.address);
    load(effect.old, address, effect.bytes);
    const Frame& frame = after_.thread(thread_).frames.back();
    const std::uint64_t success =
        after_.thread(thread_).registers[frame.first_register + effect.success.value];
    if (success != 0) store(address, effect.bytes, effect.desired);
  }

  template <class Other>
  void copy(const Other&) {}

  /// Objects that are new, or gone.
  void forget_objects(const Effect& effect) {
    if (words_.memory_.empty()) return;
    if (const auto* made = std::get_if<Allocate>(&effect)) {
      const Frame& frame = after_.thread(thread_).frames.back();
      const std::uint64_t address =
          after_.thread(thread_).registers[frame.first_register + made->to.value];
      return words_.forget_memory(address, value(made->size));
    }
    if (const auto* life = std::get_if<Lifetime>(&effect)) {
      const auto slot = before_.memory.slot_at(value(life->address));
      if (slot) words_.forget_memory(value(life->address), before_.memory.object(*slot).size);
      return;
    }
    const bool ends_objects = std::holds_alternative<Free>(effect) ||
                              std::holds_alternative<Return>(effect) ||
                              std::holds_alternative<Synchronise>(effect);
    if (!ends_objects) return;
    std::erase_if(words_.memory_, [&](const InMemory& one) {
      const AccessError error = after_.memory.locate(one.address, one.bytes).error;
      return error != AccessError::None && error != AccessError::Constant;
    });
  }

  /// Contents that trials have given, and that were read together with known bytes.
  void clear() {
    for (const InRegister& one : words_.registers_)
      if (one.thread == thread_.value && after_.thread(thread_).registers[one.index] != 0)
        after_.change(thread_).registers[one.index] = 0;
  }

  const Interpreter& interpreter_;
  const State& before_;
  State& after_;
  ThreadId thread_;
  const std::vector<InRegister> registers_;
  UnknownWords& words_;
  bool has_guessed_ = false;
};

bool UnknownWords::follow(const Interpreter& interpreter, const State& before, State& after,
                          ThreadId thread) {
  return !is_empty() && Step(interpreter, before, after, thread, *this).run();
}

// ---- Decisions

/// The trials of one decision.
class UnknownWords::Trials {
 public:
  Trials(const Interpreter& interpreter, const Moment& moment, ThreadId thread)
      : interpreter_(interpreter),
        moment_(moment),
        thread_(thread),
        frame_(moment.state.thread(thread).frames.back()) {}

  std::vector<Moment> run() {
    std::visit([&](const auto& one) { decide(one); },
               interpreter_.next(moment_.state, thread_).effect);
    return std::move(trials_);
  }

 private:
  std::optional<Symbol> of(const Operand& operand) const {
    return moment_.unknown.of(moment_.state, thread_, operand);
  }
  std::uint8_t width_of(const Operand& operand) const {
    const Program& program = interpreter_.program();
    return program.functions[frame_.function.index()].register_widths[operand.index];
  }

  void set_content(State& state, const Operand& operand, std::uint64_t content) const {
    state.change(thread_).registers[frame_.first_register + operand.index] = content;
  }
  /// The outcome is one that this content gives, and perhaps others.
  Moment& add_example(const Operand& operand, std::uint64_t content) {
    Moment& trial = trials_.emplace_back(moment_);
    set_content(trial.state, operand, content);
    return trial;
  }
  /// The outcome shows that the operand, an extension perhaps, is this word.
  void add_equal(const Operand& operand, std::uint64_t word) {
    Moment& trial = trials_.emplace_back(moment_);
    const Symbol symbol = *of(operand);
    trial.unknown.settle(symbol, word, trial.state);
    trial.unknown.forget(thread_, frame_.first_register + operand.index);
    set_content(trial.state, operand, extended(symbol, word, width_of(operand)));
  }
  /// The outcome shows that the operand lies there.
  void add_words(const Operand& operand, const std::optional<Arc>& words) {
    if (!words) return;
    const Symbol symbol = *of(operand);
    const auto arc = meet(moment_.unknown.arc_of(symbol), *words);
    if (arc) add_example(operand, arc->first).unknown.set_arc(symbol, *arc);
  }
  void add_all(const Operand& operand) {
    const Arc arc = moment_.unknown.arc_of(*of(operand));
    for (std::uint64_t i = 0; i <= arc.length(); ++i)
      add_equal(operand, low_bits(arc.first + i, arc.width));
  }

  void decide_bit(const Operand& operand) {
    const auto symbol = of(operand);
    if (symbol && symbol->width == 1 && width_of(operand) == 1) add_all(operand);
  }
  void decide(const model::c::Branch& effect) { decide_bit(effect.condition); }
  void decide(const Assume& effect) { decide_bit(effect.condition); }

  /// Each case, and none of them.
  void decide(const Switch& effect) {
    const auto symbol = of(effect.value);
    if (!symbol) return;
    std::uint64_t other = 0;
    const auto is_other = [&](const auto& one) { return one.first == other; };
    while (std::ranges::any_of(effect.cases, is_other)) ++other;
    for (const auto& [value, location] : effect.cases)
      if (can_be(*symbol, value, width_of(effect.value)))
        add_equal(effect.value, low_bits(value, symbol->width));
    add_example(effect.value, other);
  }

  void decide(const Compute& effect) {
    const auto a = of(effect.a);
    const auto b = of(effect.b);
    if (effect.op == Operator::Select) return decide_bit(effect.a);
    if (!is_comparison(effect.op)) {
      const Operand* few = moment_.unknown.one_of_few(moment_.state, thread_, effect);
      if (few != nullptr) add_all(*few);
      return;
    }
    if (a && b) return compare_unknown(effect, *a, *b);
    if (a) compare(effect, effect.a, *a, effect.b);
    if (b) compare(effect, effect.b, *b, effect.a);
  }

  /// Equal, less, greater; the contents of both are 0.
  void compare_unknown(const Compute& effect, const Symbol& a, const Symbol& b) {
    const UnknownWords& unknown = moment_.unknown;
    const bool are_whole = a.width == b.width && a.width <= effect.width;
    if (!are_whole || meet(unknown.arc_of(a), unknown.arc_of(b))) {
      Moment& equal = trials_.emplace_back(moment_);
      if (are_whole) equal.unknown.unite(a, b);
    }
    add_example(effect.b, 1);
    add_example(effect.a, 1);
  }

  void compare(const Compute& effect, const Operand& operand, const Symbol& symbol,
               const Operand& known) {
    const std::uint64_t other =
        low_bits(interpreter_.value(moment_.state, thread_, known), effect.width);
    if (symbol.width > effect.width || symbol.form == Form::SignExtended)
      return compare_extended(effect, operand, symbol, other);
    // A narrower word has zeros in front: it is not negative, and less or greater than what has
    // ones there.
    const bool is_narrow = symbol.width < effect.width;
    const bool is_signed = is_signed_order(effect.op);
    if (is_narrow && low_bits(other, symbol.width) != other)
      return add_words(operand, Arc::whole(symbol.width));
    if (moment_.unknown.arc_of(symbol).contains(other)) add_equal(operand, other);
    if (effect.op == Operator::Eq || effect.op == Operator::Ne)
      return add_words(operand, Arc{low_bits(other + 1, symbol.width),
                                    low_bits(other - 1, symbol.width), symbol.width});
    for (const bool is_less : {true, false})
      add_words(operand, words_beside(other, is_less, is_signed && !is_narrow, symbol.width));
  }

  /// Contents near the other word and at both ends of both orders: one for each result.
  void compare_extended(const Compute& effect, const Operand& operand, const Symbol& symbol,
                        std::uint64_t other) {
    const std::uint64_t half = std::uint64_t{1} << (symbol.width - 1);
    for (std::uint64_t content : {other, other + 1, other - 1, std::uint64_t{0}, half - 1, 0 - half,
                                  half, ~std::uint64_t{0}}) {
      content = low_bits(content, effect.width);
      const bool is_whole = symbol.width <= effect.width;
      if (is_whole && !can_be(symbol, content, effect.width)) continue;
      if (is_whole && content == other)
        add_equal(operand, low_bits(content, symbol.width));
      else
        add_example(operand, content);
    }
  }

  template <class Other>
  void decide(const Other&) {}

  const Interpreter& interpreter_;
  const Moment& moment_;
  ThreadId thread_;
  const Frame& frame_;
  std::vector<Moment> trials_;
};

std::vector<Moment> UnknownWords::trials(const Interpreter& interpreter, const Moment& moment,
                                         ThreadId thread) {
  return Trials(interpreter, moment, thread).run();
}

}  // namespace heddle::check::c
