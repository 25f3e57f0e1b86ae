/// A function of the model as a function of C: registers become variables, locations become labels.
///
/// Before each step that other threads can notice, the turn may end (`turn()`), and with the last
/// one the thread stops: the function returns, and so do its callers. What does not need it: steps
/// on registers and on objects that no other thread uses at the same time; steps that may as well
/// be made earlier, since no other thread can tell (creating a thread, the end of a thread, the
/// release of a mutex that nobody tries to take without waiting).
///
/// A step that cannot be made, because a mutex is taken or a thread to be joined has not ended, is
/// assumed to be possible: that the thread waits is a turn that ends before. Behind an assumption
/// that does not hold, and where C leaves undefined what follows, the thread stops (`give_up`).
///
/// The text is written several times: what no text reads needs no assignment, and what nobody jumps
/// to needs no label, so that compilers have nothing to warn about.

#include "transform/sequential_c/function_text.hpp"

#include <algorithm>

#include "base/invariant.hpp"
#include "model/c/arithmetic.hpp"
#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

/// The width of the first result; 0: none.
unsigned result_width(const Function& function) {
  if (!function.result_widths.empty()) return function.result_widths[0];
  for (const Instruction& instruction : function.code)
    if (const auto* back = std::get_if<Return>(&instruction.effect); back && !back->values.empty())
      return 64;
  return 0;
}

unsigned result_width(const Function& function, std::size_t i) {
  if (i == 0) return result_width(function);
  return i < function.result_widths.size() ? function.result_widths[i] : 0;
}

}  // namespace

FunctionText::FunctionText(const Environment& environment, FunctionId id)
    : environment_(environment), id_(id), function_(environment.program.functions[id.index()]) {
  Names names;
  for (const std::string& one : environment.functions) names.fresh(one);
  for (const std::string& one : environment.cells) names.fresh(one);
  for (std::size_t i = 0; i < function_.register_widths.size(); ++i) {
    std::string name = "r" + std::to_string(i);
    for (const LocalVariable& variable : function_.variables)
      if (variable.reg == Register(i) && !variable.is_address) name = variable.name;
    names_.push_back(names.fresh(name));
  }
  for (const Cell& cell : environment.places.cells())
    if (cell.kind == Cell::Kind::Local && environment.places.site(cell.object).first == id) {
      locals_[&cell] = names.fresh(cell.name);
      local_cells_.push_back(&cell);
    }
}

std::string FunctionText::head() const {
  const unsigned width = result_width(function_);
  std::string out = "static " + (width == 0 ? std::string("void") : type_of(width)) + " " +
                    environment_.functions[id_.index()] + "(";
  for (std::uint32_t i = 0; i < function_.parameters; ++i)
    out += (i == 0 ? "" : ", ") + type_of(function_.register_widths[i]) + " " + names_[i];
  return out + (function_.parameters == 0 ? "void)" : ")");
}

std::string FunctionText::definition() {
  for (std::size_t i = 0; i < names_.size(); ++i) needed_.insert(Register(i));
  for (const Cell* cell : local_cells_) needed_cells_.insert(cell);
  std::string text;
  for (bool changed = true; changed;) {
    const auto needed = needed_;
    const auto cells = needed_cells_;
    const auto labels = labels_;
    read_.clear();
    read_cells_.clear();
    jumped_.clear();
    text = body();
    needed_ = read_;
    needed_cells_ = read_cells_;
    labels_ = jumped_;
    changed = needed != needed_ || cells != needed_cells_ || labels != labels_;
  }
  std::string out = head() + " {\n";
  for (std::size_t i = function_.parameters; i < names_.size(); ++i)
    if (needed_.contains(Register(i)))
      out += "  " + type_of(function_.register_widths[i]) + " " + names_[i] + " = 0;\n";
  for (const Cell* cell : local_cells_)
    if (needed_cells_.contains(cell))
      out += "  " + type_of(8u * cell->bytes) + " " + locals_.at(cell) + " = 0;\n";
  if (environment_.flow.bound())
    for (const Loop& loop : environment_.flow.loops(id_))
      out += "  unsigned int rounds__" + std::to_string(loop.head.value) + " = 0;\n";
  for (std::uint32_t i = 0; i < function_.parameters; ++i)
    if (!needed_.contains(Register(i))) out += "  (void)" + names_[i] + ";\n";
  return out + text + "}\n";
}

std::string FunctionText::body() {
  out_.clear();
  last_line_ = 0;
  if (environment_.flow.bound() && environment_.flow.is_recursive(id_)) {
    const std::string depth = "depth__" + environment_.functions[id_.index()];
    line(depth + " = " + depth + " + 1u;");
    give_up_if(depth + " > " + std::to_string(*environment_.flow.bound()) + "u");
  }
  for (std::size_t i = 0; i < function_.code.size(); ++i)
    if (environment_.flow.is_reached(id_, Location(i))) write(Location(i));
  return out_;
}

void FunctionText::line(const std::string& text) {
  out_ += "  " + text;
  const Position& position = function_.code[at_.index()].position;
  if (position.line != 0 && position.line != last_line_) {
    last_line_ = position.line;
    std::string file = environment_.program.files[position.file];
    file = file.substr(file.find_last_of('/') + 1);
    std::replace(file.begin(), file.end(), '*', '_');
    out_ += "  /* " + file + ":" + std::to_string(position.line) + " */";
  }
  out_ += "\n";
}

void FunctionText::write(Location at) {
  at_ = at;
  if (labels_.contains(at)) out_ += "L" + std::to_string(at.value) + ":;\n";
  const Effect& effect = function_.code[at.index()].effect;
  std::visit([&](const auto& one) { execute(one); }, effect);
  const bool jumps =
      std::holds_alternative<Jump>(effect) || std::holds_alternative<Assign>(effect) ||
      std::holds_alternative<Branch>(effect) || std::holds_alternative<Switch>(effect);
  if (!jumps && !successors(function_, at).empty()) pass(at, Location(at.value + 1));
}

// ---- Control

std::string FunctionText::stop() const {
  return result_width(function_) == 0 ? "return;" : "return 0;";
}

void FunctionText::turn() {
  if (!environment_.flow.is_alone(id_, at_)) line("if (turn()) " + stop());
}

void FunctionText::violate(Violation::Kind kind, const std::string& condition) {
  if (violates(environment_.property, kind))
    line("if (" + condition + ") { failed = 1; stopped = 1; " + stop() + " }");
  else
    give_up_if(condition);
}

/// The step is never made.
void FunctionText::give_up_if(const std::string& condition) {
  line("if (" + condition + ") {");
  line("  give_up();");
  line("  " + stop());
  line("}");
}

void FunctionText::stop_after_access() { line("if (stopped) " + stop()); }

/// What an edge does to the numbers of rounds.
void FunctionText::pass(Location from, Location to) {
  const auto bound = environment_.flow.bound();
  if (!bound) return;
  const std::pair edge(from, to);
  for (const Loop& loop : environment_.flow.loops(id_)) {
    const std::string rounds = "rounds__" + std::to_string(loop.head.value);
    const bool goes_back = loop.back.contains(edge);
    if (loop.entrance == edge || (goes_back && !loop.entrance)) {
      line(rounds + " = " + rounds + " + 1u;");
      give_up_if(rounds + (loop.entrance ? " > " : " >= ") + std::to_string(*bound) + "u");
    } else if (to == loop.head && !goes_back) {
      line(rounds + " = 0;");
    }
  }
}

/// Whether one text follows the other.
bool FunctionText::is_next(Location from, Location to) const {
  for (std::uint32_t i = from.value + 1; i < to.value; ++i)
    if (environment_.flow.is_reached(id_, Location(i))) return false;
  return from < to;
}

void FunctionText::go(Location from, Location to) {
  pass(from, to);
  if (is_next(from, to)) return;
  jumped_.insert(to);
  line("goto L" + std::to_string(to.value) + ";");
}

void FunctionText::go_if(const std::string& condition, Location from, Location to) {
  const std::size_t before = out_.size();
  const std::uint32_t last_line = last_line_;
  line("if (" + condition + ") {");
  const std::size_t inside = out_.size();
  pass(from, to);
  jumped_.insert(to);
  const std::string jump = "goto L" + std::to_string(to.value) + ";";
  if (out_.size() == inside) {  // nothing but the jump
    out_.resize(before);
    last_line_ = last_line;
    return line("if (" + condition + ") " + jump);
  }
  line("  " + jump);
  line("}");
}

void FunctionText::execute(const Jump& i) { go(at_, i.next); }

void FunctionText::execute(const Branch& i) {
  const Word tested = word(i.condition, 1);
  if (tested.is_constant || i.if_true == i.if_false)
    return go(at_, tested.is_constant && tested.value == 0 ? i.if_false : i.if_true);
  const bool swaps = is_next(at_, i.if_true);
  go_if((swaps ? "!" : "") + condition(i.condition), at_, swaps ? i.if_false : i.if_true);
  go(at_, swaps ? i.if_true : i.if_false);
}

void FunctionText::execute(const Switch& i) {
  unsigned width = 64;
  if (i.value.kind == Operand::Kind::Register) width = function_.register_widths[i.value.index];
  const Word tested = word(i.value, width);
  for (const auto& [value, next] : i.cases) {
    if (low_bits(value, width) != value) continue;
    if (tested.is_constant && tested.value == value) return go(at_, next);
    if (!tested.is_constant) go_if(tested.text + " == " + literal(value, width), at_, next);
  }
  go(at_, i.otherwise);
}

void FunctionText::execute(const Assume& i) { give_up_if("!" + condition(i.condition)); }

void FunctionText::execute(const Fail&) {
  const bool fails = violates(environment_.property, Violation::Kind::Failure);
  line(fails ? "failed = 1;" : "give_up();");
  line("stopped = 1;");
  line(stop());
}

/// The others may go on as if the thread had not come to it.
void FunctionText::execute(const Exit&) {
  line("give_up();");
  line(stop());
}

void FunctionText::execute(const Unsupported& i) {
  throw Refusal{i.what + (function_.is_library ? " (in " + function_.name + ")" : ""),
                function_.code[at_.index()].position};
}

// ---- Registers

Word FunctionText::word(const Operand& operand, unsigned width) {
  const auto constant = [&](std::uint64_t value) {
    return Word{literal(value, width), true, low_bits(value, width)};
  };
  switch (operand.kind) {
    case Operand::Kind::Constant: return constant(operand.value);
    case Operand::Kind::Function:
      return constant(environment_.places.address_of(FunctionId(operand.index)));
    case Operand::Kind::Global: {
      const ObjectId object(operand.index);
      HEDDLE_INVARIANT(environment_.places.is_stored(object), "an address should be of bytes");
      const Stored& stored = environment_.places.stored(object);
      const std::uint64_t first = environment_.places.address(stored.first_number) + operand.value;
      if (stored.threads == 1) return constant(first);
      const std::string type = width > 32 ? "(unsigned long long)" : "";
      return {"(" + literal(first, width) + " + (" + type + "me << " +
                  std::to_string(environment_.places.shift()) + "))",
              false, 0};
    }
    case Operand::Kind::Register: break;
  }
  const Register r(operand.index);
  read_.insert(r);
  const unsigned own = function_.register_widths[r.index()];
  std::string text = name_of(r);
  if (width > 32) {
    if (own <= 32) text = "(unsigned long long)" + text;
    if (own > width) text = "(" + text + " & " + literal(~std::uint64_t{0}, width) + ")";
  } else {
    if (own > 32 || own <= 16) text = "(unsigned int)" + text;
    if (own > width && width < 32)
      text = "(" + text + " & " + literal(~std::uint64_t{0}, width) + ")";
  }
  return {text, false, 0};
}

std::string FunctionText::condition(const Operand& operand) {
  if (operand.kind != Operand::Kind::Register || function_.register_widths[operand.index] != 1)
    return text(operand, 1);
  read_.insert(Register(operand.index));
  return name_of(Register(operand.index));
}

void FunctionText::set(Register to, const std::string& value, unsigned width) {
  if (!is_needed(to)) return;
  const unsigned own = function_.register_widths[to.index()];
  std::string text = narrowed(value, width, own);
  if (own <= 16) text = "(" + type_of(own) + ")(" + text + ")";
  line(name_of(to) + " = " + text + ";");
}

void FunctionText::execute(const Compute& i) {
  const auto is_cells = [&](const Operand& operand) {
    const auto at = environment_.places.tracked(id_, operand);
    return at && !environment_.places.is_stored(at->object);
  };
  if (is_cells(i.a) || is_cells(i.b)) return;  // accesses name the cell
  const bool divides = i.op >= Operator::UDiv && i.op <= Operator::SRem;
  if (!is_needed(i.to) && !divides) return;
  const bool selects = i.op == Operator::Select;
  const bool is_binary = selects || (i.op != Operator::Copy && i.op < Operator::ZeroExtend);
  const Word a = word(i.a, selects ? 1 : i.width);
  const Word b = is_binary ? word(i.b, i.width) : Word{};
  const Word c = selects ? word(i.c, i.width) : Word{};
  if (divides && (!b.is_constant || b.value == 0))
    violate(Violation::Kind::DivisionByZero, b.text + " == " + literal(0, i.width));
  const bool compares = i.op >= Operator::Eq && i.op <= Operator::SLe;
  set(i.to, computed(i, a, b, c).text, compares ? 1 : i.to_width);
}

void FunctionText::execute(const Choose& i) {
  const unsigned of = i.width == 1    ? 1
                      : i.width <= 8  ? 8
                      : i.width <= 16 ? 16
                      : i.width <= 32 ? 32
                                      : 64;
  set(i.to, narrowed(any_word(i.width), of, i.width), i.width);
}

void FunctionText::execute(const Assign& i) {
  std::vector<std::pair<Register, Operand>> copies;
  for (const auto& [to, from] : i.copies)
    if (is_needed(to) && from != Operand{Operand::Kind::Register, to.value, 0})
      copies.emplace_back(to, from);
  bool crosses = false;
  for (std::size_t a = 0; a < copies.size(); ++a)
    for (std::size_t b = a + 1; b < copies.size(); ++b)
      crosses = crosses || (copies[b].second.kind == Operand::Kind::Register &&
                            copies[b].second.index == copies[a].first.value);
  const auto width = [&](Register r) { return function_.register_widths[r.index()]; };
  if (crosses) {
    line("{");
    for (std::size_t n = 0; n < copies.size(); ++n)
      line("  const " +
           std::string(width(copies[n].first) > 32 ? "unsigned long long" : "unsigned int") +
           " copy__" + std::to_string(n) + " = " + text(copies[n].second, width(copies[n].first)) +
           ";");
  }
  for (std::size_t n = 0; n < copies.size(); ++n) {
    const Register to = copies[n].first;
    set(to, crosses ? "copy__" + std::to_string(n) : text(copies[n].second, width(to)), width(to));
  }
  if (crosses) line("}");
  go(at_, i.next);
}

// ---- Calls

void FunctionText::call(FunctionId callee, const Call& i) {
  const Function& called = environment_.program.functions[callee.index()];
  if (called.code.empty())
    throw Refusal{"a call of " + called.name + ", which has no body",
                  function_.code[at_.index()].position};
  std::string arguments;
  for (std::uint32_t n = 0; n < called.parameters; ++n) {
    const unsigned width = called.register_widths[n];
    arguments += n == 0 ? "" : ", ";
    arguments += n < i.arguments.size() ? text(i.arguments[n], width) : literal(0, width);
  }
  const std::string text = environment_.functions[callee.index()] + "(" + arguments + ")";
  if (called.is_atomic) {
    turn();
    line("sections = sections + 1u;");
  }
  const unsigned width = result_width(called);
  const bool returns = width != 0 && !i.to.empty() && is_needed(i.to[0]);
  if (returns)
    set(i.to[0], (width <= 16 ? "(unsigned int)" : "") + text, width);
  else
    line((width != 0 ? "(void)" : "") + text + ";");
  line("if (stopped) " + stop());
  if (called.is_atomic) line("sections = sections - 1u;");
  for (std::size_t n = 0; n < i.to.size(); ++n) {
    const unsigned other = result_width(called, n);
    if (other == 0)
      set(i.to[n], literal(0, 32), 32);
    else if (n > 0)
      set(i.to[n], "returned__" + std::to_string(n), 64);
  }
}

void FunctionText::execute(const Call& i) {
  if (i.callee.kind == Operand::Kind::Function) return call(FunctionId(i.callee.index), i);
  const std::string address = text(i.callee, pointer_width());
  bool is_first = true;
  for (const FunctionId one : environment_.flow.pointed()) {
    line(std::string(is_first ? "" : "} else ") + "if (" + address +
         " == " + literal(environment_.places.address_of(one), pointer_width()) + ") {");
    is_first = false;
    call(one, i);
  }
  if (is_first) return violate(Violation::Kind::InvalidAccess, "1");
  line("} else {");
  violate(Violation::Kind::InvalidAccess, "1");
  line("}");
}

void FunctionText::execute(const Return& i) {
  leave_frame();
  if (environment_.flow.bound() && environment_.flow.is_recursive(id_)) {
    const std::string depth = "depth__" + environment_.functions[id_.index()];
    line(depth + " = " + depth + " - 1u;");
  }
  for (std::size_t n = 1; n < i.values.size(); ++n)
    line("returned__" + std::to_string(n) + " = " + text(i.values[n], 64) + ";");
  const unsigned width = result_width(function_);
  if (width == 0) return line("return;");
  const std::string value = i.values.empty() ? "0" : text(i.values[0], width);
  line("return " + (width <= 16 ? "(" + type_of(width) + ")" : std::string()) + value + ";");
}

}  // namespace heddle::transform::sequential_c
