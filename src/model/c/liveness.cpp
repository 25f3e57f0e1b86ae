#include "model/c/liveness.hpp"

#include <algorithm>

namespace heddle::model::c {

namespace {

/// Collects the flow of one instruction.
class FlowOf {
 public:
  explicit FlowOf(std::uint32_t location) : next_(location + 1) {}

  void operator()(const Compute& effect) {
    read(effect.a);
    read(effect.b);
    if (effect.op == Operator::Select) read(effect.c);
    write(effect.to);
  }
  void operator()(const Choose& effect) { write(effect.to); }
  void operator()(const Assign& effect) {
    for (const auto& [to, from] : effect.copies) {
      read(from);
      write(to);
    }
    flow.next = {effect.next.value};
  }
  void operator()(const Jump& effect) { flow.next = {effect.next.value}; }
  void operator()(const Branch& effect) {
    read(effect.condition);
    flow.next = {effect.if_true.value, effect.if_false.value};
  }
  void operator()(const Switch& effect) {
    read(effect.value);
    flow.next = {effect.otherwise.value};
    for (const auto& [value, location] : effect.cases) flow.next.push_back(location.value);
  }
  void operator()(const Call& effect) {
    read(effect.callee);
    for (const Operand& argument : effect.arguments) read(argument);
    for (const Register to : effect.to) write(to);
  }
  void operator()(const Return& effect) {
    for (const Operand& value : effect.values) read(value);
    flow.next.clear();
    ends_ = true;
  }
  void operator()(const Allocate& effect) {
    read(effect.size);
    write(effect.to);
  }
  void operator()(const Free& effect) { read(effect.address); }
  void operator()(const Lifetime& effect) { read(effect.address); }
  void operator()(const ObjectSize& effect) {
    read(effect.address);
    write(effect.to);
  }
  void operator()(const Load& effect) {
    read(effect.address);
    write(effect.to);
  }
  void operator()(const Store& effect) {
    read(effect.address);
    read(effect.value);
  }
  void operator()(const ReadModifyWrite& effect) {
    read(effect.address);
    read(effect.value);
    write(effect.to);
  }
  void operator()(const CompareExchange& effect) {
    read(effect.address);
    read(effect.expected);
    read(effect.desired);
    write(effect.old);
    write(effect.success);
  }
  void operator()(const Synchronise& effect) {
    for (const Operand& argument : effect.arguments) read(argument);
    if (effect.to) write(*effect.to);
    ends_ = effect.operation == SyncOperation::ExitThread;
  }
  void operator()(const Assume& effect) { read(effect.condition); }
  void operator()(const Fail&) { ends_ = true; }
  void operator()(const Exit&) { ends_ = true; }
  void operator()(const Unsupported&) { ends_ = true; }

  RegisterUse take(std::size_t size) {
    if (flow.next.empty() && !ends_ && next_ < size) flow.next = {next_};
    return std::move(flow);
  }

  RegisterUse flow;

 private:
  void read(const Operand& operand) {
    if (operand.kind == Operand::Kind::Register) flow.reads.push_back(operand.index);
  }
  void write(Register to) { flow.writes.push_back(to.value); }

  std::uint32_t next_;
  bool ends_ = false;
};

void insert(std::uint64_t* set, std::uint32_t element) {
  set[element / 64] |= std::uint64_t{1} << element % 64;
}

void erase(std::uint64_t* set, std::uint32_t element) {
  set[element / 64] &= ~(std::uint64_t{1} << element % 64);
}

bool contains(const std::uint64_t* set, std::size_t element) {
  return (set[element / 64] >> element % 64 & 1) != 0;
}

}  // namespace

RegisterUse flow_of(const Function& function, std::uint32_t location) {
  FlowOf visitor(location);
  std::visit(visitor, function.code[location].effect);
  return visitor.take(function.code.size());
}

Liveness::Liveness(const Program& program) {
  for (const Function& function : program.functions) functions_.push_back(analyse(function));
}

Liveness::OfFunction Liveness::analyse(const Function& function) {
  OfFunction result;
  const std::size_t size = function.code.size();
  result.words = function.register_widths.size() / 64 + 1;
  result.before.assign(size * result.words, 0);
  result.after.assign(size * result.words, 0);
  std::vector<RegisterUse> flows;
  for (std::uint32_t i = 0; i < size; ++i) flows.push_back(flow_of(function, i));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = size; i-- > 0;) {
      std::uint64_t* after = result.after.data() + i * result.words;
      for (const std::uint32_t next : flows[i].next) {
        for (std::size_t w = 0; w < result.words; ++w) {
          after[w] |= result.before[next * result.words + w];
        }
      }
      for (const std::uint32_t written : flows[i].writes) erase(after, written);
      std::vector<std::uint64_t> before(after, after + result.words);
      for (const std::uint32_t read : flows[i].reads) insert(before.data(), read);
      const auto begin = result.before.begin() + static_cast<std::ptrdiff_t>(i * result.words);
      if (!std::equal(before.begin(), before.end(), begin)) {
        std::copy(before.begin(), before.end(), begin);
        changed = true;
      }
    }
  }
  return result;
}

bool Liveness::is_live(const Thread& thread, std::size_t frame, std::size_t reg) const {
  const Frame& one = thread.frames[frame];
  const OfFunction& function = functions_[one.function.index()];
  const bool is_top = frame + 1 == thread.frames.size();
  const auto& sets = is_top ? function.before : function.after;
  return contains(sets.data() + one.at.index() * function.words, reg);
}

void Liveness::clear_dead(State& state, ThreadId id) const {
  const Thread& thread = state.thread(id);
  for (std::size_t f = 0; f < thread.frames.size(); ++f) {
    const Frame& frame = thread.frames[f];
    const OfFunction& function = functions_[frame.function.index()];
    const bool is_top = f + 1 == thread.frames.size();
    const std::size_t end = is_top ? thread.registers.size() : thread.frames[f + 1].first_register;
    const auto& sets =
        is_top ? function.before : function.after;  // a caller has read its arguments
    const std::uint64_t* live = sets.data() + frame.at.index() * function.words;
    for (std::size_t r = frame.first_register; r < end; ++r) {
      if (thread.registers[r] != 0 && !contains(live, r - frame.first_register)) {
        state.change(id).registers[r] = 0;
      }
    }
  }
}

}  // namespace heddle::model::c
