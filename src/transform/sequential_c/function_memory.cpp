/// Accesses to cells and to bytes, and objects that come and go.

#include <algorithm>

#include "base/invariant.hpp"
#include "transform/sequential_c/function_text.hpp"
#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

// ---- Places

std::string FunctionText::cell_name(const Cell& cell) const {
  if (cell.kind == Cell::Kind::Local) return locals_.at(&cell);
  return environment_.cells[static_cast<std::size_t>(&cell - environment_.places.cells().data())];
}

void FunctionText::set_cell(const Cell& cell, const std::string& value) {
  const bool is_local = cell.kind == Cell::Kind::Local;
  if (is_local && !needed_cells_.contains(&cell)) return;
  const std::string cast = cell.bytes < 4 ? "(" + type_of(8u * cell.bytes) + ")" : "";
  line(cell_name(cell) + " = " + (cast.empty() ? value : cast + "(" + value + ")") + ";");
}

/// A word of 8 * `bytes` bits.
std::string FunctionText::read(const Operand& address, unsigned bytes) {
  const Cell* cell = environment_.places.cell(environment_.places.tracked(id_, address), bytes);
  if (cell == nullptr)
    return "load_" + std::to_string(bytes) + "(" + text(address, pointer_width()) + ")";
  if (cell->kind == Cell::Kind::Constant) return literal(cell->initial, 8 * bytes);
  if (cell->kind == Cell::Kind::Local) read_cells_.insert(cell);
  return (bytes < 4 ? "(unsigned int)" : "") + cell_name(*cell);
}

void FunctionText::write_to(const Operand& address, unsigned bytes, const std::string& value) {
  const Cell* cell = environment_.places.cell(environment_.places.tracked(id_, address), bytes);
  if (cell != nullptr) return set_cell(*cell, value);
  line("store_" + std::to_string(bytes) + "(" + text(address, pointer_width()) + ", " + value +
       ");");
  stop_after_access();
}

/// Whether an access to it goes to the arrays.
bool FunctionText::is_bytes(const Operand& address) const {
  const auto at = environment_.places.tracked(id_, address);
  return !at || environment_.places.is_stored(at->object);
}

void FunctionText::turn_for(const Operand& address, bool is_plain) {
  const auto at = environment_.places.tracked(id_, address);
  if (is_plain && environment_.is_quiet && environment_.is_quiet(id_, at_)) return;
  if (!at) {
    if (has_shared_bytes(environment_)) turn();
    return;
  }
  if (environment_.places.is_stored(at->object)) {
    if (!environment_.places.stored(at->object).is_private) turn();
    return;
  }
  if (!at->offset) return;
  for (const Cell& cell : environment_.places.cells())
    if (cell.object == at->object && cell.offset == *at->offset && cell.kind == Cell::Kind::Shared)
      return turn();
}

// ---- Accesses

void FunctionText::execute(const Load& i) {
  turn_for(i.address, !i.is_atomic);
  const bool is_cell =
      environment_.places.cell(environment_.places.tracked(id_, i.address), i.bytes) != nullptr;
  if (is_needed(i.to))
    set(i.to, read(i.address, i.bytes), 8u * i.bytes);
  else if (!is_cell)
    line("(void)" + read(i.address, i.bytes) + ";");
  if (!is_cell) stop_after_access();
}

void FunctionText::execute(const Store& i) {
  turn_for(i.address, !i.is_atomic);
  write_to(i.address, i.bytes, text(i.value, 8u * i.bytes));
}

void FunctionText::execute(const ReadModifyWrite& i) {
  turn_for(i.address, false);
  const unsigned width = 8u * i.bytes;
  const std::string value = text(i.value, width);
  const bool returns = is_needed(i.to);
  if (!returns) {
    const std::string old = read(i.address, i.bytes);
    return write_to(i.address, i.bytes, modified(i.operation, width, old, value));
  }
  line("{");
  line(std::string("  const ") + (width > 32 ? "unsigned long long" : "unsigned int") +
       " old = " + read(i.address, i.bytes) + ";");
  if (is_bytes(i.address)) stop_after_access();
  write_to(i.address, i.bytes, modified(i.operation, width, "old", value));
  set(i.to, "old", width);
  line("}");
}

void FunctionText::execute(const CompareExchange& i) {
  turn_for(i.address, false);
  const unsigned width = 8u * i.bytes;
  line("{");
  line(std::string("  const ") + (width > 32 ? "unsigned long long" : "unsigned int") +
       " seen = " + read(i.address, i.bytes) + ";");
  if (is_bytes(i.address)) stop_after_access();
  line("  const unsigned int same = seen == " + text(i.expected, width) +
       (i.may_fail ? " && !__VERIFIER_nondet_bool();" : ";"));
  line("if (same) {");
  write_to(i.address, i.bytes, text(i.desired, width));
  line("}");
  set(i.old, "seen", width);
  set(i.success, "same", 1);
  line("}");
}

// ---- Objects

std::string FunctionText::number_of(ObjectId object) const {
  const Stored& stored = environment_.places.stored(object);
  const auto made = environment_.made.find(environment_.places.site(object));
  std::string out = std::to_string(stored.first_number) + "u";
  if (stored.threads > 1) {
    const std::string thread = stored.first_thread == 0 ? "me" : "(me - 1u)";
    out += " + " + thread + (stored.copies > 1 ? " * " + std::to_string(stored.copies) + "u" : "");
  }
  return made == environment_.made.end() ? out : out + " + " + made->second;
}

/// Cells that may be read before they are written hold anything.
void FunctionText::make_undefined(ObjectId object) {
  for (const Cell* cell : local_cells_)
    if (cell->object == object && environment_.places.may_be_read_first(*cell))
      set_cell(*cell, any_word(8u * cell->bytes));
}

/// Whether all bytes are written before anything else can happen to the object, which begins its
/// life here: then it does not matter what they are at first. The instructions that follow are
/// looked at as long as each has one successor and the address stays where it is known.
bool FunctionText::is_written_soon(ObjectId object) const {
  std::vector<bool> written(environment_.places.size_of(object), false);
  const auto is_it = [&](const Operand& operand) {
    const auto at = environment_.places.tracked(id_, operand);
    return at && at->object == object;
  };
  Location at(at_.value + 1);
  for (std::size_t steps = 0; steps < function_.code.size(); ++steps) {
    const Effect& effect = function_.code[at.index()].effect;
    if (const auto* store = std::get_if<Store>(&effect)) {
      if (is_it(store->value)) break;
      if (is_it(store->address)) {
        const auto place = environment_.places.tracked(id_, store->address);
        if (!place->offset || *place->offset + store->bytes > written.size()) break;
        std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(*place->offset), store->bytes,
                    true);
      }
    } else if (const auto* load = std::get_if<Load>(&effect)) {
      if (is_it(load->address)) break;
    } else if (const auto* life = std::get_if<Lifetime>(&effect)) {
      if (is_it(life->address)) return life->begins;  // that makes it undefined again
    } else if (!std::holds_alternative<Compute>(effect) && !std::holds_alternative<Jump>(effect) &&
               !std::holds_alternative<Choose>(effect) &&
               !std::holds_alternative<Allocate>(effect)) {
      break;
    }
    const std::vector<Location> next = successors(function_, at);
    if (next.size() != 1 || next[0] == at_) break;
    at = next[0];
  }
  return std::ranges::find(written, false) == written.end();
}

void FunctionText::execute(const Allocate& i) {
  const ObjectId object = environment_.places.allocation(id_, at_);
  if (!environment_.places.is_stored(object)) return make_undefined(object);
  line("number = " + number_of(object) + ";");
  if (const auto made = environment_.made.find({id_, at_}); made != environment_.made.end())
    line(made->second + " = " + made->second + " + 1u;");
  const bool is_zero = i.is_zeroed || is_written_soon(object);
  line(std::string("make(number, ") + (is_zero ? "1" : "0") + ");");
  const std::string first = literal(environment_.places.first_offset(), pointer_width());
  const std::string shift = std::to_string(environment_.places.shift());
  set(i.to,
      (pointer_width() == 64 ? "((unsigned long long)number << " : "(number << ") + shift + ") + " +
          first,
      pointer_width());
}

void FunctionText::execute(const Lifetime& i) {
  const auto at = environment_.places.tracked(id_, i.address);
  if (!at) {
    turn();
    return line("life(" + text(i.address, pointer_width()) + ", " + (i.begins ? "1" : "0") + ");");
  }
  if (!environment_.places.is_stored(at->object)) {
    if (i.begins) make_undefined(at->object);
    return;
  }
  if (i.begins && environment_.can_fail_by_access) turn_for(i.address, false);
  if (i.begins)
    return line("make(" + number_of(at->object) +
                (is_written_soon(at->object) ? ", 1);" : ", 0);"));
  turn_for(i.address, false);
  line("kill(" + number_of(at->object) + ");");
}

void FunctionText::execute(const Free& i) {
  turn();
  line("release(" + text(i.address, pointer_width()) + ");");
  stop_after_access();
}

void FunctionText::execute(const ObjectSize& i) {
  turn();
  const std::string size = "object_size(" + text(i.address, pointer_width()) + ")";
  if (is_needed(i.to))
    set(i.to, size, 32);
  else
    line("(void)" + size + ";");
  stop_after_access();
}

void FunctionText::leave_frame() {
  std::vector<ObjectId> leaving;
  for (const auto& [object, stored] : environment_.places.all_stored()) {
    if (environment_.places.is_global(object)) continue;
    const auto [function, at] = environment_.places.site(object);
    const auto& made = std::get<Allocate>(
        environment_.program.functions[function.index()].code[at.index()].effect);
    if (function == id_ && made.where == Allocate::Where::Stack) leaving.push_back(object);
  }
  const auto is_shared = [&](ObjectId one) { return !environment_.places.stored(one).is_private; };
  if (std::ranges::any_of(leaving, is_shared)) turn();
  for (const ObjectId one : leaving) line("kill(" + number_of(one) + ");");
}

}  // namespace heddle::transform::sequential_c
