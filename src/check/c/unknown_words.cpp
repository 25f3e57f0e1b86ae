#include "check/c/unknown_words.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace heddle::check::c {

using namespace model::c;

std::optional<Symbol> UnknownWords::at(const std::vector<InRegister>& registers, ThreadId thread,
                                       std::uint32_t index) {
  const auto key = std::pair(thread.value, index);
  const auto found = std::ranges::lower_bound(
      registers, key, {}, [](const InRegister& one) { return std::pair(one.thread, one.index); });
  if (found == registers.end() || found->thread != thread.value || found->index != index)
    return std::nullopt;
  return found->symbol;
}

std::optional<Symbol> UnknownWords::of(const State& state, ThreadId thread,
                                       const Operand& operand) const {
  if (operand.kind != Operand::Kind::Register || registers_.empty()) return std::nullopt;
  return at(registers_, thread, state.thread(thread).frames.back().first_register + operand.index);
}

std::pair<std::size_t, std::size_t> UnknownWords::found_in(std::uint64_t address,
                                                           std::uint64_t bytes) const {
  const auto begin = std::ranges::partition_point(
      memory_, [&](const InMemory& one) { return one.address + one.bytes <= address; });
  const auto end = std::partition_point(
      begin, memory_.end(), [&](const InMemory& one) { return one.address < address + bytes; });
  return {static_cast<std::size_t>(begin - memory_.begin()),
          static_cast<std::size_t>(end - memory_.begin())};
}

const UnknownWords::InMemory* UnknownWords::exactly_at(std::uint64_t address,
                                                       std::uint8_t bytes) const {
  const auto found = std::ranges::lower_bound(memory_, address, {}, &InMemory::address);
  const bool is_it = found != memory_.end() && found->address == address && found->bytes == bytes;
  return is_it ? &*found : nullptr;
}

bool UnknownWords::overlaps(std::uint64_t address, std::uint64_t bytes) const {
  const auto [begin, end] = found_in(address, bytes);
  return begin < end;
}

bool UnknownWords::cuts(std::uint64_t address, std::uint64_t bytes) const {
  const auto [begin, end] = found_in(address, bytes);
  if (begin == end) return false;
  const InMemory& last = memory_[end - 1];
  return memory_[begin].address < address || last.address + last.bytes > address + bytes;
}

void UnknownWords::forget(ThreadId thread, std::uint32_t index) {
  if (registers_.empty()) return;
  std::erase_if(registers_, [&](const InRegister& one) {
    return one.thread == thread.value && one.index == index;
  });
}

void UnknownWords::forget_memory(std::uint64_t address, std::uint64_t bytes) {
  const auto [begin, end] = found_in(address, bytes);
  memory_.erase(memory_.begin() + static_cast<std::ptrdiff_t>(begin),
                memory_.begin() + static_cast<std::ptrdiff_t>(end));
}

void UnknownWords::set(ThreadId thread, std::uint32_t index, const Symbol& symbol) {
  forget(thread, index);
  const auto key = std::pair(thread.value, index);
  const auto place = std::ranges::lower_bound(
      registers_, key, {}, [](const InRegister& one) { return std::pair(one.thread, one.index); });
  registers_.insert(place, {thread.value, index, symbol});
}

void UnknownWords::set_memory(std::uint64_t address, std::uint8_t bytes, const Symbol& symbol) {
  forget_memory(address, bytes);
  const auto place = std::ranges::lower_bound(memory_, address, {}, &InMemory::address);
  memory_.insert(place, {address, bytes, symbol});
}

Arc UnknownWords::arc_of(const Symbol& symbol) const {
  const auto found = std::ranges::lower_bound(arcs_, symbol.number, {}, &InArc::number);
  const bool is_it = found != arcs_.end() && found->number == symbol.number;
  return is_it ? found->arc : Arc::whole(symbol.width);
}

void UnknownWords::set_arc(const Symbol& symbol, const Arc& arc) {
  std::erase_if(arcs_, [&](const InArc& one) { return one.number == symbol.number; });
  if (arc.is_whole()) return;
  std::uint32_t time = 0;
  for (const InArc& one : arcs_) time = std::max(time, one.time + 1);
  const auto place = std::ranges::lower_bound(arcs_, symbol.number, {}, &InArc::number);
  arcs_.insert(place, {symbol.number, arc, time});
}

bool UnknownWords::is_one_of_few(const Symbol& symbol) const {
  constexpr std::uint64_t kFew = 16;
  return arc_of(symbol).length() < kFew;
}

Symbol UnknownWords::fresh(std::uint8_t width) { return {next_++, width, Symbol::Form::Plain}; }

void UnknownWords::add(const Interpreter& interpreter, State& state, ThreadId thread, Register to,
                       std::uint8_t width) {
  const Frame frame = state.thread(thread).frames.back();
  const Function& function = interpreter.program().functions[frame.function.index()];
  Symbol symbol = fresh(width);
  if (function.register_widths[to.index()] > width) symbol.form = Symbol::Form::ZeroExtended;
  state.change(thread).registers[frame.first_register + to.value] = 0;
  set(thread, frame.first_register + to.value, symbol);
}

void UnknownWords::add_loaded(const Interpreter& interpreter, State& state, ThreadId thread,
                              const Load& load, std::uint64_t address) {
  const auto width = static_cast<std::uint8_t>(8 * load.bytes);
  add(interpreter, state, thread, load.to, width);
  Symbol symbol = *of(state, thread, {Operand::Kind::Register, load.to.value, 0});
  symbol.form = Symbol::Form::Plain;
  set_memory(address, load.bytes, symbol);
  state.memory.store_anyway(address, load.bytes, 0);
}

void UnknownWords::add_partly_loaded(const Interpreter& interpreter, State& state, ThreadId thread,
                                     const Load& load, std::uint64_t address,
                                     std::uint64_t unknown_bits) {
  add(interpreter, state, thread, load.to, static_cast<std::uint8_t>(8 * load.bytes));
  const Symbol symbol = *of(state, thread, {Operand::Kind::Register, load.to.value, 0});
  for (std::uint8_t i = 0; i < load.bytes; ++i)
    if ((unknown_bits >> 8 * i & 255) != 0) set_memory(address + i, 1, fresh(8));
  compose(symbol, state, address, load.bytes);
}

void UnknownWords::compose(const Symbol& symbol, const State& state, std::uint64_t address,
                           std::uint8_t bytes) {
  Composition made{symbol.number, state.memory.load(address, bytes).value, {}};
  const auto [begin, end] = found_in(address, bytes);
  for (std::size_t i = begin; i < end; ++i)
    made.parts.push_back({static_cast<std::uint8_t>(memory_[i].address - address), memory_[i].bytes,
                          memory_[i].symbol});
  compositions_.push_back(std::move(made));  // its number is the greatest
}

const UnknownWords::Composition* UnknownWords::composition_of(const Symbol& symbol) const {
  const auto found =
      std::ranges::lower_bound(compositions_, symbol.number, {}, &Composition::number);
  const bool is_it = found != compositions_.end() && found->number == symbol.number &&
                     symbol.form == Symbol::Form::Plain;
  return is_it ? &*found : nullptr;
}

void UnknownWords::settle(const Symbol& symbol, std::uint64_t value, State& state) {
  const auto is_it = [&](const Symbol& one) {
    return one.number == symbol.number && one.form == Symbol::Form::Plain;
  };
  for (const InRegister& one : registers_)
    if (is_it(one.symbol)) state.change(ThreadId(one.thread)).registers[one.index] = value;
  std::erase_if(registers_, [&](const InRegister& one) { return is_it(one.symbol); });
  if (forgets_) return set_arc(symbol, {value, value, symbol.width});
  for (const InMemory& one : memory_)
    if (is_it(one.symbol)) state.memory.store_anyway(one.address, one.bytes, value);
  std::erase_if(memory_, [&](const InMemory& one) { return is_it(one.symbol); });
}

void UnknownWords::unite(const Symbol& kept, const Symbol& other) {
  if (const auto arc = meet(arc_of(kept), arc_of(other))) set_arc(kept, *arc);
  for (InRegister& one : registers_)
    if (one.symbol.number == other.number) one.symbol.number = kept.number;
  for (InMemory& one : memory_)
    if (one.symbol.number == other.number) one.symbol.number = kept.number;
}

void UnknownWords::renumber() {
  std::map<std::uint32_t, std::uint32_t> numbers;
  const auto change = [&](Symbol& symbol) {
    symbol.number =
        numbers.emplace(symbol.number, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (InRegister& one : registers_) change(one.symbol);
  const auto in_registers = static_cast<std::uint32_t>(numbers.size());
  for (InMemory& one : memory_) change(one.symbol);
  std::erase_if(compositions_,
                [&](const Composition& one) { return !numbers.contains(one.number); });
  for (Composition& one : compositions_) one.number = numbers.at(one.number);
  std::ranges::sort(compositions_, {}, &Composition::number);
  for (Composition& one : compositions_)
    for (Composition::Part& part : one.parts) change(part.symbol);
  next_ = static_cast<std::uint32_t>(numbers.size());
  std::erase_if(arcs_, [&](const InArc& one) { return !numbers.contains(one.number); });
  for (InArc& one : arcs_) one.number = numbers.at(one.number);
  if (forgets_) {
    constexpr std::ptrdiff_t kKept = 2;
    std::ranges::sort(arcs_, std::greater(), &InArc::time);
    std::ptrdiff_t kept = 0;
    std::erase_if(arcs_,
                  [&](const InArc& one) { return one.number >= in_registers && ++kept > kKept; });
  }
  std::ranges::sort(arcs_, {}, &InArc::number);
}

void UnknownWords::write(std::vector<std::uint32_t>& row) const {
  if (is_empty()) return;
  const auto write_symbol = [&](const Symbol& symbol) {
    row.push_back(symbol.number);
    row.push_back(symbol.width * 4u + static_cast<std::uint32_t>(symbol.form));
  };
  const auto write_long = [&](std::uint64_t word) {
    row.push_back(static_cast<std::uint32_t>(word));
    row.push_back(static_cast<std::uint32_t>(word >> 32));
  };
  row.push_back(static_cast<std::uint32_t>(registers_.size()));
  row.push_back(static_cast<std::uint32_t>(arcs_.size()));
  row.push_back(static_cast<std::uint32_t>(compositions_.size()));
  for (const Composition& one : compositions_) {
    row.push_back(one.number);
    write_long(one.known);
    row.push_back(static_cast<std::uint32_t>(one.parts.size()));
    for (const Composition::Part& part : one.parts) {
      row.push_back(part.offset * 16u + part.bytes);
      write_symbol(part.symbol);
    }
  }
  for (const InRegister& one : registers_) {
    row.push_back(one.thread);
    row.push_back(one.index);
    write_symbol(one.symbol);
  }
  for (const InMemory& one : memory_) {
    write_long(one.address);
    row.push_back(one.bytes);
    write_symbol(one.symbol);
  }
  for (const InArc& one : arcs_) {
    row.push_back(one.number);
    write_long(one.arc.first);
    write_long(one.arc.last);
  }
}

}  // namespace heddle::check::c
