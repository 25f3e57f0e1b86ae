#include "engine/explore/future_accesses.hpp"

#include <algorithm>
#include <set>

#include "model/c/liveness.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

using Bits = std::vector<std::uint64_t>;

/// In bytes. Mutexes are larger.
constexpr std::uint64_t kSmallGlobal = 8;

bool add(Bits& to, const Bits& from) {
  bool changed = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::uint64_t joined = to[i] | from[i];
    changed = changed || joined != to[i];
    to[i] = joined;
  }
  return changed;
}

bool has(const Bits& set, std::size_t element) {
  return (set[element / 64] >> element % 64 & 1) != 0;
}

void note_functions(const Operand& operand, std::set<std::uint32_t>& taken) {
  if (operand.kind == Operand::Kind::Function) taken.insert(operand.index);
}

bool manages_threads(const Function& function) {
  return std::ranges::any_of(function.code, [](const Instruction& instruction) {
    const auto* sync = std::get_if<Synchronise>(&instruction.effect);
    return sync != nullptr && (sync->operation == SyncOperation::CreateThread ||
                               sync->operation == SyncOperation::JoinThread ||
                               sync->operation == SyncOperation::DetachThread);
  });
}

}  // namespace

std::set<std::uint32_t> functions_taken(const Program& program) {
  std::set<std::uint32_t> taken;
  for (const Global& global : program.globals) {
    for (const Relocation& relocation : global.relocations)
      note_functions(relocation.target, taken);
  }
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      const Effect& effect = instruction.effect;
      if (const auto* store = std::get_if<Store>(&effect)) note_functions(store->value, taken);
      if (const auto* compute = std::get_if<Compute>(&effect)) {
        for (const Operand& operand : {compute->a, compute->b, compute->c}) {
          note_functions(operand, taken);
        }
      }
      if (const auto* assign = std::get_if<Assign>(&effect)) {
        for (const auto& [to, from] : assign->copies) note_functions(from, taken);
      }
      if (const auto* call = std::get_if<Call>(&effect)) {
        for (const Operand& operand : call->arguments) note_functions(operand, taken);
      }
      if (const auto* result = std::get_if<Return>(&effect)) {
        for (const Operand& operand : result->values) note_functions(operand, taken);
      }
      if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
        note_functions(modify->value, taken);
      }
      if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
        note_functions(exchange->desired, taken);
      }
      if (const auto* sync = std::get_if<Synchronise>(&effect)) {
        for (std::size_t i = 0; i < sync->arguments.size(); ++i) {
          const bool starts = sync->operation == SyncOperation::CreateThread && i == 1;
          if (!starts) note_functions(sync->arguments[i], taken);
        }
      }
    }
  }
  return taken;
}

FutureAccesses::FutureAccesses(const Program& program)
    : program_(program), words_(program.globals.size() / 64 + 1), memory_(words_, 0) {
  for (const Function& function : program.functions) {
    OfFunction one;
    one.registers.assign(function.register_widths.size(), empty());
    one.results = empty();
    one.all_reads = empty();
    one.all_writes = empty();
    for (auto* sets : {&one.reads, &one.writes, &one.after_reads, &one.after_writes, &one.live,
                       &one.after_live}) {
      sets->assign(function.code.size(), empty());
    }
    functions_.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    const Global& global = program.globals[i];
    if (global.is_thread_local) continue;
    if (global.size <= kSmallGlobal && !global.is_constant) {
      small_slots_.push_back(static_cast<std::uint32_t>(in_slots_.size()));
    }
    in_slots_.emplace_back(i);
  }
  const std::set<std::uint32_t> taken = functions_taken(program);
  taken_.assign(taken.begin(), taken.end());
  for (const Global& global : program.globals) {
    for (const Relocation& relocation : global.relocations) {
      if (relocation.target.kind != Operand::Kind::Global) continue;
      memory_[relocation.target.index / 64] |= std::uint64_t{1} << relocation.target.index % 64;
    }
  }
  flow();
  collect_calls();
  summarise();
}

// ---- Where addresses go

FutureAccesses::Set FutureAccesses::of_operand(std::uint32_t function,
                                               const Operand& operand) const {
  if (operand.kind == Operand::Kind::Register) return functions_[function].registers[operand.index];
  Set set = empty();
  if (operand.kind == Operand::Kind::Global) {
    set[operand.index / 64] |= std::uint64_t{1} << operand.index % 64;
  }
  return set;
}

std::vector<std::uint32_t> FutureAccesses::callees(const Operand& callee) const {
  if (callee.kind == Operand::Kind::Function) return {callee.index};
  return taken_;
}

bool FutureAccesses::flow_call(std::uint32_t caller, const Call& call) {
  bool changed = false;
  for (const std::uint32_t callee : callees(call.callee)) {
    const std::size_t parameters = program_.functions[callee].parameters;
    for (std::size_t i = 0; i < std::min(parameters, call.arguments.size()); ++i) {
      changed |= add(functions_[callee].registers[i], of_operand(caller, call.arguments[i]));
    }
    for (const Register to : call.to) {
      changed |= add(functions_[caller].registers[to.index()], functions_[callee].results);
    }
  }
  return changed;
}

bool FutureAccesses::flow_instruction(std::uint32_t f, const Effect& effect) {
  auto& registers = functions_[f].registers;
  const auto into = [&](Register to, const Operand& from) {
    return add(registers[to.index()], of_operand(f, from));
  };
  const auto to_memory = [&](const Operand& from) { return add(memory_, of_operand(f, from)); };
  bool changed = false;
  if (const auto* compute = std::get_if<Compute>(&effect)) {
    if (compute->op >= Operator::Eq && compute->op <= Operator::SLe) return false;
    changed |= into(compute->to, compute->a);
    changed |= into(compute->to, compute->b);
    if (compute->op == Operator::Select) changed |= into(compute->to, compute->c);
  } else if (const auto* assign = std::get_if<Assign>(&effect)) {
    for (const auto& [to, from] : assign->copies) changed |= into(to, from);
  } else if (const auto* call = std::get_if<Call>(&effect)) {
    changed = flow_call(f, *call);
  } else if (const auto* result = std::get_if<Return>(&effect)) {
    for (const Operand& value : result->values) {
      changed |= add(functions_[f].results, of_operand(f, value));
    }
    changed |= add(memory_, functions_[f].results);  // it may be a thread's
  } else if (const auto* load = std::get_if<Load>(&effect)) {
    changed = add(registers[load->to.index()], memory_);
  } else if (const auto* store = std::get_if<Store>(&effect)) {
    changed = to_memory(store->value);
  } else if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
    changed = to_memory(modify->value);
    changed |= add(registers[modify->to.index()], memory_);
  } else if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    changed = to_memory(exchange->desired);
    changed |= add(registers[exchange->old.index()], memory_);
  } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    if (sync->operation == SyncOperation::CreateThread) changed |= to_memory(sync->arguments[2]);
    if (sync->operation == SyncOperation::ExitThread && !sync->arguments.empty()) {
      changed |= to_memory(sync->arguments[0]);
    }
  }
  return changed;
}

void FutureAccesses::flow() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t f = 0; f < functions_.size(); ++f) {
      for (const Instruction& instruction : program_.functions[f].code) {
        changed |= flow_instruction(f, instruction.effect);
        const auto* sync = std::get_if<Synchronise>(&instruction.effect);
        if (sync == nullptr || sync->operation != SyncOperation::CreateThread) continue;
        for (const std::uint32_t start : callees(sync->arguments[1])) {
          if (program_.functions[start].parameters == 0) continue;
          changed |= add(functions_[start].registers[0], memory_);
        }
      }
    }
  }
}

// ---- What is accessed from where

void FutureAccesses::collect_calls() {
  for (std::uint32_t f = 0; f < functions_.size(); ++f) {
    for (const Instruction& instruction : program_.functions[f].code) {
      if (const auto* sync = std::get_if<Synchronise>(&instruction.effect)) {
        if (sync->operation != SyncOperation::CreateThread) continue;
        for (const std::uint32_t start : callees(sync->arguments[1])) {
          functions_[f].starts.push_back(start);
        }
      } else if (const auto* call = std::get_if<Call>(&instruction.effect)) {
        for (const std::uint32_t callee : callees(call->callee)) {
          functions_[f].calls.push_back(callee);
        }
      }
    }
  }
  // Does anything reachable from a start routine create, join or detach threads?
  std::set<std::uint32_t> reached;
  std::vector<std::uint32_t> pending;
  for (const OfFunction& function : functions_) {
    pending.insert(pending.end(), function.starts.begin(), function.starts.end());
  }
  only_entry_manages_ = true;
  while (!pending.empty()) {
    const std::uint32_t f = pending.back();
    pending.pop_back();
    if (!reached.insert(f).second) continue;
    only_entry_manages_ = only_entry_manages_ && !manages_threads(program_.functions[f]);
    pending.insert(pending.end(), functions_[f].calls.begin(), functions_[f].calls.end());
  }
}

void FutureAccesses::own_accesses(std::uint32_t f, const Effect& effect, Set& reads,
                                  Set& writes) const {
  if (const auto* load = std::get_if<Load>(&effect)) {
    add(reads, of_operand(f, load->address));
  } else if (const auto* store = std::get_if<Store>(&effect)) {
    add(writes, of_operand(f, store->address));
  } else if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
    add(reads, of_operand(f, modify->address));
    add(writes, of_operand(f, modify->address));
  } else if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    add(reads, of_operand(f, exchange->address));
    add(writes, of_operand(f, exchange->address));
  } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    for (const Operand& argument : sync->arguments) {
      add(reads, of_operand(f, argument));
      add(writes, of_operand(f, argument));
    }
    if (sync->operation == SyncOperation::CreateThread) {
      for (const std::uint32_t start : callees(sync->arguments[1])) {
        add(reads, functions_[start].all_reads);
        add(writes, functions_[start].all_writes);
      }
    }
  } else if (const auto* call = std::get_if<Call>(&effect)) {
    for (const std::uint32_t callee : callees(call->callee)) {
      add(reads, functions_[callee].all_reads);
      add(writes, functions_[callee].all_writes);
    }
  }
}

bool FutureAccesses::summarise_function(std::uint32_t f) {
  const Function& function = program_.functions[f];
  OfFunction& own = functions_[f];
  bool changed = false;
  for (std::size_t i = function.code.size(); i-- > 0;) {
    for (const std::uint32_t next : flow_of(function, static_cast<std::uint32_t>(i)).next) {
      changed |= add(own.after_reads[i], own.reads[next]);
      changed |= add(own.after_writes[i], own.writes[next]);
    }
    Set reads = own.after_reads[i];
    Set writes = own.after_writes[i];
    own_accesses(f, function.code[i].effect, reads, writes);
    changed |= add(own.reads[i], reads);
    changed |= add(own.writes[i], writes);
  }
  if (!function.code.empty()) {
    changed |= add(own.all_reads, own.reads[0]);
    changed |= add(own.all_writes, own.writes[0]);
  }
  return changed;
}

void FutureAccesses::summarise() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t f = 0; f < functions_.size(); ++f) changed |= summarise_function(f);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t f = 0; f < functions_.size(); ++f) changed |= find_live(f);
  }
}

/// The operands whose objects an instruction reads. What a synchronisation does to them is not told
/// apart.
namespace {

std::vector<Operand> read_addresses(const Effect& effect) {
  if (const auto* load = std::get_if<Load>(&effect)) return {load->address};
  if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) return {modify->address};
  if (const auto* exchange = std::get_if<CompareExchange>(&effect)) return {exchange->address};
  if (const auto* sync = std::get_if<Synchronise>(&effect)) return sync->arguments;
  return {};
}

}  // namespace

bool FutureAccesses::find_live(std::uint32_t f) {
  const Function& function = program_.functions[f];
  OfFunction& own = functions_[f];
  bool changed = false;
  for (std::size_t i = function.code.size(); i-- > 0;) {
    const Effect& effect = function.code[i].effect;
    for (const std::uint32_t next : flow_of(function, static_cast<std::uint32_t>(i)).next) {
      changed |= add(own.after_live[i], own.live[next]);
    }
    Set live = own.after_live[i];
    const auto* store = std::get_if<Store>(&effect);
    if (store != nullptr && store->address.kind == Operand::Kind::Global &&
        store->address.value == 0 && store->bytes == program_.globals[store->address.index].size) {
      live[store->address.index / 64] &= ~(std::uint64_t{1} << store->address.index % 64);
    }
    for (const Operand& address : read_addresses(effect)) add(live, of_operand(f, address));
    const auto* call = std::get_if<Call>(&effect);
    const auto* sync = std::get_if<Synchronise>(&effect);
    std::vector<std::uint32_t> entered;
    if (call != nullptr) entered = callees(call->callee);
    if (sync != nullptr && sync->operation == SyncOperation::CreateThread) {
      entered = callees(sync->arguments[1]);
    }
    for (const std::uint32_t callee : entered) {
      if (!functions_[callee].live.empty()) add(live, functions_[callee].live[0]);
    }
    changed |= add(own.live[i], live);
  }
  return changed;
}

void FutureAccesses::clear_dead(State& state) const {
  if (small_slots_.empty()) return;
  Set live = empty();
  for (const auto& thread : state.threads) {
    if (!thread->is_live()) continue;
    for (std::size_t i = 0; i < thread->frames.size(); ++i) {
      const Frame& frame = thread->frames[i];
      const OfFunction& function = functions_[frame.function.index()];
      const bool is_top = i + 1 == thread->frames.size();
      add(live, (is_top ? function.live : function.after_live)[frame.at.index()]);
    }
  }
  for (const std::uint32_t slot : small_slots_) {
    if (has(live, in_slots_[slot].index())) continue;
    const Object& object = state.memory.object(slot);
    const bool is_clear = object.bytes.empty() && object.rest_is_zero;
    if (is_clear) continue;
    Object& cleared = state.memory.change(slot);
    cleared.bytes.clear();
    cleared.undefined.clear();
    cleared.rest_is_zero = true;
  }
}

bool FutureAccesses::may_access(const Thread& thread, GlobalId global, bool writes) const {
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    const Frame& frame = thread.frames[i];
    const OfFunction& function = functions_[frame.function.index()];
    const bool is_top = i + 1 == thread.frames.size();
    const auto& sets = is_top ? (writes ? function.writes : function.reads)
                              : (writes ? function.after_writes : function.after_reads);
    if (has(sets[frame.at.index()], global.index())) return true;
  }
  return false;
}

bool FutureAccesses::may_be(std::uint32_t function, const Operand& operand, GlobalId global) const {
  if (operand.kind == Operand::Kind::Global) return operand.index == global.value;
  return operand.kind == Operand::Kind::Register &&
         has(functions_[function].registers[operand.index], global.index());
}

bool FutureAccesses::foresees(const Frame& frame, GlobalId global) const {
  const std::uint32_t f = frame.function.value;
  const Effect& effect = program_.functions[f].code[frame.at.index()].effect;
  if (const auto* load = std::get_if<Load>(&effect)) return may_be(f, load->address, global);
  if (const auto* store = std::get_if<Store>(&effect)) return may_be(f, store->address, global);
  if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
    return may_be(f, modify->address, global);
  }
  if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    return may_be(f, exchange->address, global);
  }
  const auto* sync = std::get_if<Synchronise>(&effect);
  return sync != nullptr && std::ranges::any_of(sync->arguments, [&](const Operand& argument) {
           return may_be(f, argument, global);
         });
}

}  // namespace heddle::engine::explore
