#include "check/c/program_flow.hpp"

#include <algorithm>

#include "check/c/operands.hpp"

namespace heddle::check::c {

using namespace model::c;

namespace {

constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
/// Globals up to this size, in bytes, are looked at.
constexpr std::uint64_t kSmall = 8;

const Synchronise* synchronisation(const Instruction& instruction) {
  return std::get_if<Synchronise>(&instruction.effect);
}

bool manages_threads(const Instruction& instruction) {
  const Synchronise* sync = synchronisation(instruction);
  return sync != nullptr && (sync->operation == SyncOperation::CreateThread ||
                             sync->operation == SyncOperation::JoinThread ||
                             sync->operation == SyncOperation::DetachThread);
}

bool accesses_memory(const Instruction& instruction) {
  const Effect& effect = instruction.effect;
  return std::holds_alternative<Load>(effect) || std::holds_alternative<Store>(effect) ||
         std::holds_alternative<ReadModifyWrite>(effect) ||
         std::holds_alternative<CompareExchange>(effect) || std::holds_alternative<Free>(effect) ||
         std::holds_alternative<ObjectSize>(effect) || std::holds_alternative<Synchronise>(effect);
}

bool is_all_zero(const Object& object) {
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  return object.rest_is_zero && std::ranges::all_of(object.bytes, is_zero) &&
         std::ranges::all_of(object.undefined, is_zero);
}

}  // namespace

// ---- Rows of bits

void BitRows::resize(std::size_t rows, std::size_t bits) {
  width_ = bits / 64 + 1;
  words_.assign(rows * width_, 0);
}

void BitRows::set(std::size_t row, std::size_t bit) {
  words_[row * width_ + bit / 64] |= std::uint64_t{1} << bit % 64;
}

void BitRows::reset(std::size_t row, std::size_t bit) {
  words_[row * width_ + bit / 64] &= ~(std::uint64_t{1} << bit % 64);
}

void BitRows::clear_row(std::size_t row) {
  std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(row * width_), width_, 0);
}

bool SparseBits::insert(std::uint32_t bit) {
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  const auto place =
      std::ranges::lower_bound(words_, bit / 64, {}, [](const auto& w) { return w.first; });
  if (place == words_.end() || place->first != bit / 64) {
    words_.insert(place, {bit / 64, mask});
    return true;
  }
  const bool is_new = (place->second & mask) == 0;
  place->second |= mask;
  return is_new;
}

bool SparseBits::intersects(const BitRows& rows, std::size_t row) const {
  return std::ranges::any_of(
      words_, [&](const auto& part) { return (rows.word(row, part.first) & part.second) != 0; });
}

bool BitRows::add(std::size_t row, const BitRows& from, std::size_t from_row) {
  bool changed = false;
  for (std::size_t i = 0; i < width_; ++i) {
    std::uint64_t& word = words_[row * width_ + i];
    const std::uint64_t joined = word | from.words_[from_row * width_ + i];
    changed = changed || joined != word;
    word = joined;
  }
  return changed;
}

// ---- Control flow

ProgramFlow::ProgramFlow(const Interpreter& interpreter)
    : program_(interpreter.program()), addresses_(interpreter.addresses()) {
  std::size_t most_registers = 0;
  for (const Function& function : program_.functions) {
    first_site_.push_back(static_cast<Site>(instructions_.size()));
    for (const Instruction& one : function.code) instructions_.push_back(&one);
    most_registers = std::max(most_registers, function.register_widths.size());
  }
  first_site_.push_back(static_cast<Site>(instructions_.size()));
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    for (Site site = first_site_[f]; site < first_site_[f + 1]; ++site) {
      successors_.push_back(successors(f, site));
    }
  }
  find_targets();
  live_registers_.resize(instructions_.size(), most_registers);
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) find_live_registers(f);
  find_sites();
  note_static_reads();
  learn();
}

std::vector<ProgramFlow::Site> ProgramFlow::successors(std::uint32_t function, Site site) const {
  const Effect& effect = instruction(site).effect;
  const auto at = [&](Location location) { return first_site_[function] + location.value; };
  if (const auto* assign = std::get_if<Assign>(&effect)) return {at(assign->next)};
  if (const auto* jump = std::get_if<Jump>(&effect)) return {at(jump->next)};
  if (const auto* branch = std::get_if<Branch>(&effect)) {
    return {at(branch->if_true), at(branch->if_false)};
  }
  if (const auto* cases = std::get_if<Switch>(&effect)) {
    std::vector<Site> all{at(cases->otherwise)};
    for (const auto& [value, location] : cases->cases) all.push_back(at(location));
    return all;
  }
  const Synchronise* sync = synchronisation(instruction(site));
  const bool ends = std::holds_alternative<Return>(effect) ||
                    std::holds_alternative<Exit>(effect) || std::holds_alternative<Fail>(effect) ||
                    std::holds_alternative<Unsupported>(effect) ||
                    (sync != nullptr && sync->operation == SyncOperation::ExitThread);
  if (ends || site + 1 >= first_site_[function + 1]) return {};
  return {site + 1};
}

void ProgramFlow::find_targets() {
  std::set<std::uint32_t> taken;
  const auto note = [&](const Operand& operand) {
    if (operand.kind == Operand::Kind::Function) taken.insert(operand.index);
  };
  for (const Global& global : program_.globals) {
    for (const Relocation& relocation : global.relocations) note(relocation.target);
  }
  for (const Instruction* one : instructions_) {
    auto operands = std::visit(OperandsOf{}, one->effect);
    if (std::holds_alternative<Call>(one->effect)) operands.pop_back();  // the callee
    for (const Operand& operand : operands) note(operand);
  }
  taken_.assign(taken.begin(), taken.end());
}

std::vector<std::uint32_t> ProgramFlow::callees(const Operand& callee) const {
  if (callee.kind == Operand::Kind::Function) return {callee.index};
  return taken_;
}

/// The functions that an instruction calls or starts threads with, those without code left out.
std::vector<std::uint32_t> ProgramFlow::entered(Site site) const {
  std::vector<std::uint32_t> functions;
  if (const auto* call = std::get_if<Call>(&instruction(site).effect)) {
    functions = callees(call->callee);
  } else if (const Synchronise* sync = synchronisation(instruction(site));
             sync != nullptr && sync->operation == SyncOperation::CreateThread) {
    functions = callees(sync->arguments[1]);
  }
  std::erase_if(functions, [&](std::uint32_t f) { return program_.functions[f].code.empty(); });
  return functions;
}

/// Until nothing changes any more.
template <class Visit>
void ProgramFlow::for_each_site_backwards(const Visit& visit) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (Site site = first_site_.back(); site-- > 0;) changed = visit(site) || changed;
  }
}

// ---- Registers

void ProgramFlow::find_live_registers(std::uint32_t function) {
  const Site first = first_site_[function];
  const Site end = first_site_[function + 1];
  for (bool changed = true; changed;) {
    changed = false;
    for (Site site = end; site-- > first;) {
      std::vector<bool> live(program_.functions[function].register_widths.size(), false);
      for (const Site next : successors_[site]) {
        for (std::size_t r = 0; r < live.size(); ++r) {
          live[r] = live[r] || live_registers_.has(next, r);
        }
      }
      const Effect& effect = instruction(site).effect;
      for (const Register to : std::visit(WrittenBy{}, effect)) live[to.index()] = false;
      if (const auto* call = std::get_if<Call>(&effect)) {
        for (const Register to : call->to) live[to.index()] = false;
      }
      for (const Operand& operand : std::visit(OperandsOf{}, effect)) {
        if (operand.kind == Operand::Kind::Register) live[operand.index] = true;
      }
      for (std::size_t r = 0; r < live.size(); ++r) {
        if (!live[r] || live_registers_.has(site, r)) continue;
        live_registers_.set(site, r);
        changed = true;
      }
    }
  }
}

void ProgramFlow::clear_dead_registers(State& state, ThreadId thread, UnknownWords& unknown) const {
  const Thread& own = state.thread(thread);
  for (std::size_t i = 0; i < own.frames.size(); ++i) {
    const Frame frame = state.thread(thread).frames[i];
    const bool is_top = i + 1 == own.frames.size();
    const Site site = site_of(frame);
    const std::size_t count = program_.functions[frame.function.index()].register_widths.size();
    const auto* call = std::get_if<Call>(&instruction(site).effect);
    for (std::size_t r = 0; r < count; ++r) {
      bool is_live = is_top && live_registers_.has(site, r);
      for (const Site next : successors_[site]) {
        is_live = is_live || (!is_top && live_registers_.has(next, r));
      }
      if (!is_top && call != nullptr &&
          std::ranges::find(call->to, Register(r)) != call->to.end()) {
        is_live = false;  // it is written when the callee returns
      }
      if (is_live) continue;
      const auto index = static_cast<std::uint32_t>(frame.first_register + r);
      unknown.forget(thread, index);
      if (state.thread(thread).registers[index] != 0) state.change(thread).registers[index] = 0;
    }
  }
}

// ---- Instructions that may still be executed

void ProgramFlow::find_sites() {
  told_bit_.assign(instructions_.size(), kNoNumber);
  std::uint32_t bits = 0;
  for (Site site = 0; site < instructions_.size(); ++site) {
    const Synchronise* sync = synchronisation(instruction(site));
    if (sync != nullptr && sync->operation == SyncOperation::DetachThread) has_detach_ = true;
    if (accesses_memory(instruction(site))) told_bit_[site] = bits++;
    if (manages_threads(instruction(site))) insert(managing_, site);
  }
  executed_.resize(instructions_.size(), bits);
  for (Site site = 0; site < instructions_.size(); ++site) {
    if (told_bit_[site] != kNoNumber) executed_.set(site, told_bit_[site]);
  }
  for_each_site_backwards([&](Site site) {
    bool changed = false;
    for (const Site next : successors_[site]) changed |= executed_.add(site, executed_, next);
    for (const std::uint32_t f : entered(site)) {
      changed |= executed_.add(site, executed_, first_site_[f]);
    }
    return changed;
  });
}

bool ProgramFlow::may_execute(const Thread& thread, const SparseBits& sites) const {
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    const Site at = site_of(thread.frames[i]);
    if (i + 1 == thread.frames.size()) return sites.intersects(executed_, at);
    for (const Site next : successors_[at]) {
      if (sites.intersects(executed_, next)) return true;
    }
  }
  return false;
}

bool ProgramFlow::may_manage(const Thread& thread) const { return may_execute(thread, managing_); }

// ---- Globals that are read before they are written

void ProgramFlow::note_static_reads() {
  small_global_.assign(program_.globals.size(), kNoNumber);
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    const Global& global = program_.globals[i];
    if (global.is_thread_local || global.is_constant || global.size > kSmall) continue;
    const std::uint64_t address = addresses_.of_global(GlobalId(i));
    small_global_[i] = static_cast<std::uint32_t>(globals_.size());
    at_address_.emplace(address, small_global_[i]);
    globals_.push_back({address, global.size, false});
  }
  for (Site site = 0; site < instructions_.size(); ++site) {
    const Effect& effect = instruction(site).effect;
    std::uint32_t global = kNoNumber;
    if (const auto* load = std::get_if<Load>(&effect)) global = number_of_global(load->address);
    if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
      global = number_of_global(modify->address);
    }
    if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
      global = number_of_global(exchange->address);
    }
    if (global != kNoNumber) reads_.emplace(site, global);
  }
}

std::uint32_t ProgramFlow::number_of_global(const Operand& operand) const {
  return operand.kind == Operand::Kind::Global ? small_global_[operand.index] : kNoNumber;
}

void ProgramFlow::note_read(const Frame& frame, std::uint64_t address) {
  const auto global = at_address_.find(address);
  if (global == at_address_.end()) return;
  if (reads_.emplace(site_of(frame), global->second).second) has_learned_ = true;
}

void ProgramFlow::note_lock(std::uint64_t address) {
  const auto global = at_address_.find(address);
  if (global == at_address_.end() || globals_[global->second].is_pinned) return;
  globals_[global->second].is_pinned = true;
  has_learned_ = true;
}

void ProgramFlow::learn() {
  has_learned_ = false;
  find_live_globals();
}

void ProgramFlow::find_live_globals() {
  live_globals_.resize(instructions_.size(), globals_.size());
  BitRows own;
  own.resize(instructions_.size(), globals_.size());
  for (const auto& [site, global] : reads_) own.set(site, global);
  BitRows before;
  before.resize(1, globals_.size());
  for_each_site_backwards([&](Site site) {
    before.clear_row(0);
    for (const Site next : successors_[site]) before.add(0, live_globals_, next);
    if (const auto* store = std::get_if<Store>(&instruction(site).effect)) {
      const std::uint32_t global = number_of_global(store->address);
      const bool is_whole =
          global != kNoNumber && store->address.value == 0 && store->bytes == globals_[global].size;
      if (is_whole) before.reset(0, global);
    }
    for (const std::uint32_t f : entered(site)) before.add(0, live_globals_, first_site_[f]);
    before.add(0, own, site);
    return live_globals_.add(site, before, 0);
  });
}

void ProgramFlow::clear_dead_globals(State& state, UnknownWords& unknown) const {
  if (globals_.empty()) return;
  BitRows live;
  live.resize(1, globals_.size());
  for (const auto& thread : state.threads) {
    if (!thread->is_live()) continue;
    for (std::size_t i = 0; i < thread->frames.size(); ++i) {
      const Site at = site_of(thread->frames[i]);
      if (i + 1 == thread->frames.size()) {
        live.add(0, live_globals_, at);
        continue;
      }
      for (const Site next : successors_[at]) live.add(0, live_globals_, next);
    }
  }
  for (std::size_t g = 0; g < globals_.size(); ++g) {
    if (globals_[g].is_pinned || live.has(0, g)) continue;
    const auto slot = state.memory.slot_at(globals_[g].address);
    if (!slot) continue;
    unknown.forget_memory(globals_[g].address, state.memory.object(*slot).size);
    if (is_all_zero(state.memory.object(*slot))) continue;
    Object& object = state.memory.change(*slot);
    object.bytes.clear();
    object.undefined.clear();
    object.rest_is_zero = true;
  }
}

}  // namespace heddle::check::c
