#include "model/c/recurrence.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "model/c/arithmetic.hpp"
#include "model/c/varying_words.hpp"

/// Recurrent sets.
///
/// The question. A stem leads to a state s, and from there some steps lead to a state s'. Can they
/// be repeated for ever, although s' is another state: a counter has grown, a thread was created?
///
/// The set. D is a set of bits, of registers and of defined bytes of memory. S(D) are the states
/// that agree with s in everything but the bits of D, and that may have further threads behind
/// those of s, which live and have not made a step, with their thread-local objects. S(D) is closed
/// under the loop if the same instructions, with the same words chosen, can be executed from each
/// of its states, and lead into S(D) again. Since s is in S(D), the loop can then be repeated for
/// ever.
///
/// How that is shown. The loop is executed from s. Beside each state there is a set of open bits,
/// at first D: from whichever state of S(D) the instructions are executed, what they come to agrees
/// with the state here outside of the open bits (open_bits.hpp for arithmetic). An instruction
/// that could do something else depending on an open bit ends the attempt: a branch, a switch, an
/// assumption; an address, a size, a callee, a handle, a divisor, the distance of a shift; the
/// bytes of a mutex. Everything else that it may depend on, the threads, their frames and what they
/// wait for, which bytes are defined, which objects there are, is the same in all these states.
/// With two exceptions:
///
///   - The address of a new stack object depends on whether some word of the state lies there. So
///     no word with open bits may lie there, nor the argument of a further thread.
///   - A thread that is created gets the first slot that is not in use, or a new one behind all
///     others. Of threads beyond those of s, the number is open, so its handle is. No instruction
///     of the loop is one of theirs. They live, so that they are not joined; they hold nothing,
///     wait for nothing, and nobody else can know their thread-local objects. So they make no
///     difference. (The interpreter has room for some number of threads only; that there is no
///     limit is what programs that create threads for ever are about.)
///
/// At the end, D must contain the open bits, and all bits in which the state differs from s. If it
/// does not, these bits are added to D, and the loop is executed once more. D only grows.
///
/// Slopes. Often a branch depends on a relation between words that all change: x != y while both
/// grow. So some words may have a slope (varying_words.hpp). S(D) are then the states of which
/// there is a t such that each of these words is that of s plus t times its slope; what was said of
/// open bits is true of the others. At the end, t has grown by 1: such a word is that of s plus its
/// slope, and has the same slope again. If it is not so, its slope is forgotten. This is tried if
/// open bits alone do not suffice; the slopes are the differences after one round.

namespace heddle::model::c {

namespace {

constexpr std::size_t kMostAttempts = 200;
/// What the semantics of mutexes reads at an address.
constexpr std::uint64_t kMutexBytes = 24;

struct NotShown {
  std::string why;
};

using RegisterPlace = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, index

/// A word of memory that was stored as a whole.
struct Slope {
  unsigned bytes = 0;
  std::uint64_t by = 0;
  friend bool operator==(const Slope&, const Slope&) = default;
};

/// Open bits of a state. Words and bytes without any are not listed, nor words without a slope.
struct OpenBits {
  std::map<RegisterPlace, std::uint64_t> registers;
  std::map<std::uint64_t, std::uint8_t> memory;  ///< by address
  std::map<RegisterPlace, std::uint64_t> register_slopes;
  std::map<std::uint64_t, Slope> memory_slopes;  ///< by address

  friend bool operator==(const OpenBits&, const OpenBits&) = default;

  std::uint64_t of_register(std::uint32_t thread, std::uint32_t index) const {
    const auto found = registers.find({thread, index});
    return found == registers.end() ? 0 : found->second;
  }
  Variation variation(std::uint32_t thread, std::uint32_t index) const {
    const std::uint64_t open = of_register(thread, index);
    if (open == 0) return {};
    const auto found = register_slopes.find({thread, index});
    return {open, found == register_slopes.end() ? std::nullopt : std::optional(found->second)};
  }
  void set_register(std::uint32_t thread, std::uint32_t index, const Variation& varies) {
    registers.erase({thread, index});
    register_slopes.erase({thread, index});
    if (varies.open == 0) return;
    registers.emplace(RegisterPlace(thread, index), varies.open);
    if (varies.slope) register_slopes.emplace(RegisterPlace(thread, index), *varies.slope);
  }
  Variation variation_at(std::uint64_t address, unsigned bytes) const {
    const std::uint64_t open = of_memory(address, bytes);
    if (open == 0) return {};
    const auto found = memory_slopes.find(address);
    if (found == memory_slopes.end() || found->second.bytes != bytes) return {open, std::nullopt};
    return {open, found->second.by};
  }
  std::uint64_t of_memory(std::uint64_t address, unsigned bytes) const {
    std::uint64_t open = 0;
    for (auto at = memory.lower_bound(address); at != memory.end() && at->first - address < bytes;
         ++at)
      open |= std::uint64_t{at->second} << 8 * (at->first - address);
    return open;
  }
  bool has_memory(std::uint64_t address, std::uint64_t bytes) const {
    const auto at = memory.lower_bound(address);
    return at != memory.end() && at->first - address < bytes;
  }
  void set_memory(std::uint64_t address, unsigned bytes, const Variation& varies) {
    forget_memory(address, bytes);
    for (unsigned i = 0; i < bytes; ++i)
      if (const auto bits = static_cast<std::uint8_t>(varies.open >> 8 * i))
        memory[address + i] = bits;
    if (varies.open != 0 && varies.slope) memory_slopes[address] = {bytes, *varies.slope};
  }
  void forget_memory(std::uint64_t address, std::uint64_t bytes) {
    std::erase_if(memory_slopes, [&](const auto& one) {
      return one.first < address + bytes && address < one.first + one.second.bytes;
    });
    auto at = memory.lower_bound(address);
    while (at != memory.end() && at->first - address < bytes) at = memory.erase(at);
  }
  /// What is open in one of the two. Slopes are those that both have.
  void add(const OpenBits& other) {
    for (const auto& [place, open] : other.registers) registers[place] |= open;
    for (const auto& [address, open] : other.memory)
      memory[address] = static_cast<std::uint8_t>(memory[address] | open);
    keep_common(register_slopes, other.register_slopes);
    keep_common(memory_slopes, other.memory_slopes);
  }

 private:
  template <class Map>
  static void keep_common(Map& all, const Map& other) {
    std::erase_if(all, [&](const auto& one) {
      const auto found = other.find(one.first);
      return found == other.end() || !(found->second == one.second);
    });
  }
};

/// One execution of the loop, with the open bits.
class Round {
 public:
  Round(const Interpreter& interpreter, const State& begin, OpenBits open)
      : interpreter_(interpreter),
        begin_(begin),
        state_(begin),
        asked_(open),
        open_(std::move(open)) {}

  /// What D must contain.
  OpenBits run(std::span<const RunStep> loop) {
    execute_all(loop);
    for (const OpenWord& argument : new_arguments_)
      for (const auto& [first, end] : stack_objects_) demand_elsewhere(argument, first, end);
    for (std::uint32_t t = 0; t < state_.threads.size(); ++t) compare_thread(t);
    compare_memory();
    return std::move(open_);
  }

  /// The words that the loop changes, with what it adds to them.
  OpenBits differences(std::span<const RunStep> loop) {
    execute_all(loop);
    OpenBits out;
    for (std::uint32_t t = 0; t < threads(); ++t) {
      const auto& before = begin_.threads[t]->registers;
      const auto& after = state_.threads[t]->registers;
      for (std::uint32_t i = 0; i < before.size() && i < after.size(); ++i)
        if (before[i] != after[i])
          out.set_register(t, i, with_slope(after[i] - before[i], width_of(t, i)));
    }
    for (const auto& [address, bytes] : stored_) {
      const Memory::Loaded before = begin_.memory.load(address, bytes);
      const Memory::Loaded after = state_.memory.load(address, bytes);
      if (before.error == AccessError::None && after.error == AccessError::None &&
          before.value != after.value)
        out.set_memory(address, bytes, with_slope(after.value - before.value, 8u * bytes));
    }
    return out;
  }

 private:
  void execute_all(std::span<const RunStep> loop) {
    for (const RunStep& step : loop) {
      if (step.thread.index() >= begin_.threads.size())
        throw NotShown{"a thread that was created in the loop steps"};
      std::size_t used = 0;
      for (std::uint32_t i = 0; i < step.instructions; ++i) execute(step, used);
    }
    if (state_.section_owner || state_.has_ended) throw NotShown{"the loop ends in a section"};
  }

  /// What one instruction does to open bits.
  struct Plan {
    std::vector<std::pair<Register, Variation>> results;  ///< of the frame that executes it
    std::vector<Variation> handed_over;                   ///< arguments or results of a call
    std::optional<std::uint64_t> address;                 ///< of what is written
    std::uint8_t bytes = 0;
    Variation stored;
    std::optional<std::uint64_t> allocated;  ///< bytes
  };

  const Frame& frame() const { return state_.thread(thread_).frames.back(); }
  const Function& function() const {
    return interpreter_.program().functions[frame().function.index()];
  }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(begin_.threads.size()); }

  VaryingWord word(const Operand& operand) const {
    VaryingWord out{interpreter_.value(state_, thread_, operand), {}};
    if (operand.kind == Operand::Kind::Register)
      out.varies = open_.variation(thread_.value, frame().first_register + operand.index);
    return out;
  }
  std::uint64_t known(const Operand& operand) const {
    const VaryingWord out = word(operand);
    if (!out.is_known()) throw NotShown{"what the loop does depends on what changes"};
    return out.word;
  }
  void demand_known_bit(const Operand& operand) const {
    if ((word(operand).varies.open & 1) != 0) known(operand);
  }
  VaryingWord word_at(std::uint64_t address, std::uint8_t bytes) const {
    return {state_.memory.load(address, bytes).value, open_.variation_at(address, bytes)};
  }

  void execute(const RunStep& step, std::size_t& used) {
    thread_ = step.thread;
    if (!state_.thread(thread_).is_live()) throw NotShown{"a thread that has ended steps"};
    const Instruction& instruction = interpreter_.next(state_, thread_);
    const std::uint32_t first = frame().first_register;
    const auto& widths = function().register_widths;
    Plan plan;
    std::visit([&](const auto& effect) { prepare(effect, plan); }, instruction.effect);
    step_with(step.choices, used);
    for (const auto& [to, varies] : plan.results)
      open_.set_register(thread_.value, first + to.value, cut(varies, widths[to.index()]));
    if (plan.address) store(*plan.address, plan.bytes, plan.stored);
    std::visit([&](const auto& effect) { finish(effect, plan); }, instruction.effect);
  }

  static Variation cut(const Variation& varies, unsigned width) {
    Variation out{low_bits(varies.open, width), varies.slope};
    if (out.slope) out.slope = low_bits(*out.slope, width);
    return out.open == 0 ? Variation{} : out;
  }

  void store(std::uint64_t address, std::uint8_t bytes, const Variation& varies) {
    open_.set_memory(address, bytes, cut(varies, 8u * bytes));
    stored_.insert_or_assign(address, bytes);
  }

  void step_with(std::span<const std::uint64_t> choices, std::size_t& used) {
    for (std::size_t count = 0; used + count <= choices.size(); ++count) {
      const StepResult result = interpreter_.step(state_, thread_, choices.subspan(used, count));
      if (result.outcome == Outcome::NeedsChoice) continue;
      if (result.outcome != Outcome::Continued) break;
      used += count;
      return;
    }
    throw NotShown{"an instruction of the loop cannot be executed"};
  }

  // ---- Before a step: what must not depend on open bits, and which bits will be open

  void prepare(const Compute& effect, Plan& plan) const {
    const auto varies = varying_result(effect, word(effect.a), word(effect.b), word(effect.c));
    if (!varies) throw NotShown{"a division or a shift depends on what changes"};
    plan.results.emplace_back(effect.to, *varies);
  }
  void prepare(const Choose& effect, Plan& plan) const {
    plan.results.emplace_back(effect.to, Variation{});
  }
  void prepare(const Assign& effect, Plan& plan) const {
    for (const auto& [to, from] : effect.copies) plan.results.emplace_back(to, word(from).varies);
  }
  void prepare(const Jump&, Plan&) const {}
  void prepare(const Branch& effect, Plan&) const { demand_known_bit(effect.condition); }
  void prepare(const Switch& effect, Plan&) const { known(effect.value); }
  void prepare(const Call& effect, Plan& plan) const {
    known(effect.callee);
    for (const Operand& argument : effect.arguments)
      plan.handed_over.push_back(word(argument).varies);
  }
  void prepare(const Return& effect, Plan& plan) const {
    const bool ends_thread = state_.thread(thread_).frames.size() == 1;
    for (const Operand& value : effect.values) {
      if (ends_thread) known(value);
      plan.handed_over.push_back(word(value).varies);
    }
  }
  void prepare(const Allocate& effect, Plan& plan) {
    plan.allocated = known(effect.size);
    plan.results.emplace_back(effect.to, Variation{});
    if (effect.where != Allocate::Where::Stack) return;
    const std::uint64_t first = state_.thread(thread_).stack_next;
    const auto end = interpreter_.addresses().after(
        interpreter_.stack_address(state_, thread_, *plan.allocated), *plan.allocated);
    if (!end) throw NotShown{"an object does not fit"};
    stack_objects_.emplace_back(first, *end);
    for (const auto& [place, open] : open_.registers)
      demand_elsewhere({state_.threads[place.first]->registers[place.second], open}, first, *end);
    for (const auto& [address, open] : open_.memory)
      demand_elsewhere(pointer_around(address), first, *end);
  }
  void prepare(const Free& effect, Plan&) { forget_object(known(effect.address)); }
  void prepare(const Lifetime& effect, Plan&) { forget_object(known(effect.address)); }
  void prepare(const ObjectSize& effect, Plan& plan) const {
    known(effect.address);
    plan.results.emplace_back(effect.to, Variation{});
  }
  void prepare(const Load& effect, Plan& plan) const {
    plan.results.emplace_back(effect.to, open_.variation_at(known(effect.address), effect.bytes));
  }
  void prepare(const Store& effect, Plan& plan) const {
    plan.address = known(effect.address);
    plan.bytes = effect.bytes;
    plan.stored = word(effect.value).varies;
  }
  void prepare(const ReadModifyWrite& effect, Plan& plan) const {
    plan.address = known(effect.address);
    plan.bytes = effect.bytes;
    const VaryingWord old = word_at(*plan.address, effect.bytes);
    plan.results.emplace_back(effect.to, old.varies);
    plan.stored = varying_result(effect.operation, 8u * effect.bytes, old, word(effect.value));
  }
  void prepare(const CompareExchange& effect, Plan& plan) const {
    plan.address = known(effect.address);
    plan.bytes = effect.bytes;
    const unsigned width = 8u * effect.bytes;
    const VaryingWord old = word_at(*plan.address, effect.bytes);
    const VaryingWord expected = word(effect.expected), desired = word(effect.desired);
    const auto are_same = are_equal(old, expected, width);
    if (!are_same) throw NotShown{"an exchange depends on what changes"};
    plan.stored = *are_same ? desired.varies : old.varies;
    if (*are_same && effect.may_fail)  // it may store either
      plan.stored = {plan.stored.open | old.varies.open | (old.word ^ desired.word), std::nullopt};
    plan.results.emplace_back(effect.old, old.varies);
    plan.results.emplace_back(effect.success, Variation{});
  }
  void prepare(const Synchronise& effect, Plan& plan) {
    if (effect.to) plan.results.emplace_back(*effect.to, Variation{});
    if (effect.operation == SyncOperation::CreateThread) return create(effect, plan);
    for (const Operand& argument : effect.arguments) demand_known_object(known(argument));
    demand_known_object(state_.thread(thread_).mutex);
    using enum SyncOperation;
    if (effect.operation == JoinThread || effect.operation == DetachThread)
      if (known(effect.arguments[0]) > threads())
        throw NotShown{"the handle of a thread that was created in the loop is used"};
    if (effect.operation != JoinThread || known(effect.arguments[1]) == 0) return;
    plan.address = known(effect.arguments[1]);
    plan.bytes = interpreter_.addresses().pointer_bytes();
  }
  void prepare(const Assume& effect, Plan&) const { demand_known_bit(effect.condition); }
  void prepare(const Fail&, Plan&) const { throw NotShown{"the loop fails"}; }
  void prepare(const Exit&, Plan&) const { throw NotShown{"the process ends"}; }
  void prepare(const Unsupported& effect, Plan&) const { throw NotShown{effect.what}; }

  /// A mutex or a condition, if one lies there: neither its bytes nor its owner are open.
  void demand_known_object(std::uint64_t address) const {
    if (open_.has_memory(address, kMutexBytes)) throw NotShown{"what threads wait for changes"};
    const Memory::Loaded owner = state_.memory.load(address, 4);
    if (owner.error == AccessError::None && owner.value > threads() &&
        owner.value <= interpreter_.addresses().most_threads())
      throw NotShown{"a mutex seems to belong to a thread that was created in the loop"};
  }

  void create(const Synchronise& effect, Plan& plan) {
    const std::uint64_t handle = known(effect.arguments[0]);
    known(effect.arguments[1]);
    const OpenWord argument = word(effect.arguments[2]).open();
    const auto slot = std::ranges::find_if(state_.threads, [](const auto& thread) {
      return thread->status == Thread::Status::Unused;
    });
    const bool is_new = slot == state_.threads.end();
    if (handle != 0) {
      plan.address = handle;
      plan.bytes = interpreter_.addresses().pointer_bytes();
      if (is_new) plan.stored = {open_handle(), std::nullopt};
    }
    if (is_new)
      new_arguments_.push_back(argument);
    else if (argument.open != 0)
      throw NotShown{"what a thread is given changes"};
  }
  /// The bits that numbers of threads have.
  std::uint64_t open_handle() const {
    return std::bit_ceil(std::uint64_t{interpreter_.addresses().most_threads()} + 2) - 1;
  }

  static void demand_elsewhere(const OpenWord& word, std::uint64_t first, std::uint64_t end) {
    if (may_lie_in(word, first, end))
      throw NotShown{"where an object lies depends on what changes"};
  }

  /// The aligned word that a byte of memory lies in.
  OpenWord pointer_around(std::uint64_t address) const {
    const unsigned bytes = interpreter_.addresses().pointer_bytes();
    const Memory::ResolvedAddress place = state_.memory.locate(address, 1);
    const Object& object = state_.memory.object(place.slot);
    const std::uint64_t start = place.offset - place.offset % bytes;
    OpenWord out{0, open_.of_memory(address - place.offset + start, bytes)};
    for (unsigned i = 0; i < bytes && start + i < object.bytes.size(); ++i)
      out.word |= std::uint64_t{object.bytes[start + i]} << 8 * i;
    return out;
  }

  // ---- After a step: other frames, objects that are new or gone

  void finish(const Call&, const Plan& plan) {
    forget_registers(frame().first_register);
    for (std::uint32_t i = 0; i < plan.handed_over.size() && i < function().parameters; ++i)
      open_.set_register(thread_.value, frame().first_register + i,
                         cut(plan.handed_over[i], function().register_widths[i]));
  }
  void finish(const Return&, const Plan& plan) {
    forget_registers(static_cast<std::uint32_t>(state_.thread(thread_).registers.size()));
    forget_dead_memory();
    if (state_.thread(thread_).frames.empty()) return;
    const Location call_site(frame().at.value - 1);
    const auto& call = std::get<Call>(function().code[call_site.index()].effect);
    for (std::size_t i = 0; i < call.to.size(); ++i) {
      const Variation varies = i < plan.handed_over.size() ? plan.handed_over[i] : Variation{};
      open_.set_register(thread_.value, frame().first_register + call.to[i].value,
                         cut(varies, function().register_widths[call.to[i].index()]));
    }
  }
  void finish(const Allocate& effect, const Plan& plan) {
    const Operand to{Operand::Kind::Register, effect.to.value, 0};
    open_.forget_memory(interpreter_.value(state_, thread_, to), *plan.allocated);
  }
  void finish(const Synchronise& effect, const Plan&) {
    if (effect.operation != SyncOperation::ExitThread) return;
    forget_registers(0);
    forget_dead_memory();
  }
  template <class Other>
  void finish(const Other&, const Plan&) {}

  void forget_registers(std::uint32_t first) {
    const auto is_gone = [&](const auto& one) {
      return one.first.first == thread_.value && one.first.second >= first;
    };
    std::erase_if(open_.registers, is_gone);
    std::erase_if(open_.register_slopes, is_gone);
  }
  void forget_object(std::uint64_t address) {
    if (const auto slot = state_.memory.slot_at(address))
      open_.forget_memory(address, state_.memory.object(*slot).size);
  }
  void forget_dead_memory() {
    const auto is_dead = [&](const auto& one) {
      const AccessError error = state_.memory.locate(one.first, 1).error;
      return error != AccessError::None && error != AccessError::Constant;
    };
    std::erase_if(open_.memory, is_dead);
    std::erase_if(open_.memory_slopes, is_dead);
  }

  // ---- At the end: the bits in which the state differs from the one at the beginning are open,
  // too

  void compare_thread(std::uint32_t number) {
    const Thread& after = *state_.threads[number];
    if (number >= threads()) {
      if (!after.is_live()) throw NotShown{"a thread that was created in the loop has ended"};
      return;
    }
    const Thread& before = *begin_.threads[number];
    const bool is_same = before.status == after.status && before.is_detached == after.is_detached &&
                         before.is_signalled == after.is_signalled &&
                         before.sections == after.sections && before.condition == after.condition &&
                         before.mutex == after.mutex && before.held == after.held &&
                         before.result == after.result && before.heap_next == after.heap_next &&
                         before.stack_next == after.stack_next && before.start == after.start &&
                         before.frames == after.frames &&
                         before.registers.size() == after.registers.size();
    if (!is_same) throw NotShown{"a thread is not where it was"};
    for (std::uint32_t i = 0; i < before.registers.size(); ++i)
      compare_register(number, i, before.registers[i], after.registers[i]);
  }

  void compare_register(std::uint32_t thread, std::uint32_t i, std::uint64_t before,
                        std::uint64_t after) {
    const Variation asked = asked_.variation(thread, i), now = open_.variation(thread, i);
    if (has_slope(asked) && continues(asked, now, before, after, width_of(thread, i)))
      return open_.set_register(thread, i, asked);
    open_.set_register(thread, i, {now.open | (before ^ after), std::nullopt});
  }

  static bool has_slope(const Variation& varies) { return varies.open != 0 && varies.slope; }

  /// The word of the next round.
  static bool continues(const Variation& asked, const Variation& now, std::uint64_t before,
                        std::uint64_t after, unsigned width) {
    return now.slope == asked.slope && low_bits(after - before - *asked.slope, width) == 0;
  }

  /// Of a register of one of the thread's frames.
  unsigned width_of(std::uint32_t thread, std::uint32_t index) const {
    for (const Frame& frame : begin_.threads[thread]->frames) {
      const auto& widths = interpreter_.program().functions[frame.function.index()].register_widths;
      if (frame.first_register <= index && index < frame.first_register + widths.size())
        return widths[index - frame.first_register];
    }
    return 64;
  }

  bool is_of_new_thread(std::uint64_t address) const {
    const auto owner = interpreter_.addresses().region_of(address);
    return owner && owner->region == Region::ThreadLocal && owner->thread.value >= threads();
  }

  void compare_memory() {
    auto before = begin_.memory.slots().begin();
    for (const Memory::Slot& after : state_.memory.slots()) {
      const bool is_old = before != begin_.memory.slots().end() && before->address == after.address;
      if (is_old) {
        compare_object(after.address, *before->object, *after.object);
        ++before;
      } else if (!is_of_new_thread(after.address)) {
        throw NotShown{"there are other objects than before"};
      }
    }
    if (before != begin_.memory.slots().end())
      throw NotShown{"there are other objects than before"};
    keep_slopes();
  }

  /// Of words of memory that are as D says in the next round. All their bits are open.
  void keep_slopes() {
    const auto now = std::exchange(open_.memory_slopes, {});
    for (const auto& [address, slope] : asked_.memory_slopes) {
      const auto found = now.find(address);
      const auto bytes = static_cast<std::uint8_t>(slope.bytes);
      const Memory::Loaded before = begin_.memory.load(address, bytes);
      const Memory::Loaded after = state_.memory.load(address, bytes);
      if (found != now.end() && found->second == slope && before.error == AccessError::None &&
          after.error == AccessError::None &&
          low_bits(after.value - before.value - slope.by, 8 * slope.bytes) == 0)
        open_.set_memory(address, bytes, with_slope(slope.by, 8 * slope.bytes));
    }
  }

  void compare_object(std::uint64_t address, const Object& before, const Object& after) {
    if (before.size != after.size || before.kind != after.kind ||
        before.is_constant != after.is_constant || before.is_alive != after.is_alive ||
        before.rest_is_zero != after.rest_is_zero)
      throw NotShown{"an object is not what it was"};
    const std::uint64_t written = std::min<std::uint64_t>(
        after.size, std::max<std::uint64_t>(before.bytes.size(), after.bytes.size()));
    for (std::uint64_t i = 0; i < written; ++i) {
      const auto a = byte_of(before, i), b = byte_of(after, i);
      if (a.has_value() != b.has_value()) throw NotShown{"memory is initialised in the loop"};
      if (a && *a != *b) {
        std::uint8_t& open = open_.memory[address + i];
        open = static_cast<std::uint8_t>(open | (*a ^ *b));
      }
    }
  }

  const Interpreter& interpreter_;
  const State& begin_;
  State state_;
  OpenBits asked_, open_;  ///< D, and what is open now
  ThreadId thread_;
  /// Addresses that were looked at for new objects, and words that a thread without end of further
  /// ones holds.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stack_objects_;
  std::vector<OpenWord> new_arguments_;
  std::map<std::uint64_t, std::uint8_t> stored_;  ///< bytes, by address
};

}  // namespace

std::optional<std::string> refute_recurrence(const Interpreter& interpreter, const State& begin,
                                             std::span<const RunStep> loop) {
  if (loop.empty()) return "the loop is empty";
  if (begin.section_owner || begin.has_ended) return "the loop begins in a section";
  const auto is_closed = [&](OpenBits open) -> std::optional<std::string> {
    for (std::size_t i = 0; i < kMostAttempts; ++i) {
      OpenBits needed = Round(interpreter, begin, open).run(loop);
      needed.add(open);
      if (needed == open) return std::nullopt;
      open = std::move(needed);
    }
    return "too many bits change";
  };
  try {
    return is_closed({});
  } catch (const NotShown& reason) {
    try {
      return is_closed(Round(interpreter, begin, {}).differences(loop));
    } catch (const NotShown&) {
      return reason.why;
    }
  }
}

}  // namespace heddle::model::c
