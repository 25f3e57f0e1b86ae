#include "transform/sequential_c/words.hpp"

#include "model/c/arithmetic.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

std::uint64_t mask_of(unsigned width) { return low_bits(~std::uint64_t{0}, width); }

/// As a signed number of C: `(int)x`.
std::string as_number(const std::string& text, unsigned width) {
  switch (width) {
    case 8: return "(signed char)" + text;
    case 16: return "(short)" + text;
    case 32: return "(int)" + text;
    case 64: return "(long long)" + text;
    default: break;
  }
  const std::string sign = literal(std::uint64_t{1} << (width - 1), width);
  const std::string wide = width < 32 ? "(int)" : "(long long)";
  return wide + "((" + text + " ^ " + sign + ") - " + sign + ")";
}

Word yes_or_no(bool value) { return {value ? "1u" : "0u", true, value ? 1u : 0u}; }

Word plain(std::string text) { return {std::move(text), false, 0}; }

/// Comparisons with the ends of a range are decided here: compilers warn about them.
Word unsigned_comparison(const Compute& i, const Word& a, const Word& b) {
  const bool is_strict = i.op == Operator::ULt;
  const std::uint64_t most = mask_of(i.width);
  if (is_strict && ((b.is_constant && b.value == 0) || (a.is_constant && a.value == most)))
    return yes_or_no(false);
  if (!is_strict && ((a.is_constant && a.value == 0) || (b.is_constant && b.value == most)))
    return yes_or_no(true);
  return plain(a.text + (is_strict ? " < " : " <= ") + b.text);
}

Word signed_comparison(const Compute& i, const Word& a, const Word& b) {
  const bool is_strict = i.op == Operator::SLt;
  const std::uint64_t least = std::uint64_t{1} << (i.width - 1);
  const std::uint64_t most = least - 1;
  if (is_strict && ((b.is_constant && b.value == least) || (a.is_constant && a.value == most)))
    return yes_or_no(false);
  if (!is_strict && ((a.is_constant && a.value == least) || (b.is_constant && b.value == most)))
    return yes_or_no(true);
  return plain(as_number(a.text, i.width) + (is_strict ? " < " : " <= ") +
               as_number(b.text, i.width));
}

std::string quotient(const Compute& i, const Word& a, const Word& b) {
  if (i.op == Operator::UDiv) return a.text + " / " + b.text;
  if (i.op == Operator::URem) return a.text + " % " + b.text;
  const bool divides = i.op == Operator::SDiv;
  const std::string type = i.width > 32 ? "(unsigned long long)" : "(unsigned int)";
  const std::string usual = type + "(" + as_number(a.text, i.width) + (divides ? " / " : " % ") +
                            as_number(b.text, i.width) + ")";
  if (b.is_constant && b.value != mask_of(i.width)) return usual;
  // The least number divided by -1 would trap.
  const std::string opposite = divides ? literal(0, i.width) + " - " + a.text : literal(0, i.width);
  if (b.is_constant) return opposite;
  return b.text + " == " + literal(mask_of(i.width), i.width) + " ? " + opposite + " : " + usual;
}

std::string shifted(const Compute& i, const Word& a, const Word& b) {
  const std::string distance = b.is_constant
                                   ? literal(b.value % i.width, 32)
                                   : "(" + b.text + " % " + literal(i.width, i.width) + ")";
  if (i.op == Operator::Shl) return a.text + " << " + distance;
  if (i.op == Operator::LShr) return a.text + " >> " + distance;
  const std::string type = i.width > 32 ? "(unsigned long long)" : "(unsigned int)";
  return type + "((" + as_number(a.text, i.width) + ") >> " + distance + ")";
}

const char* symbol(Operator op) {
  switch (op) {
    case Operator::Add: return " + ";
    case Operator::Sub: return " - ";
    case Operator::Mul: return " * ";
    case Operator::And: return " & ";
    case Operator::Or: return " | ";
    default: return " ^ ";
  }
}

/// The result before its low bits are taken; of the type of words of `width` bits.
std::string arithmetic(const Compute& i, const Word& a, const Word& b) {
  switch (i.op) {
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul:
    case Operator::And:
    case Operator::Or:
    case Operator::Xor: return a.text + symbol(i.op) + b.text;
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr: return shifted(i, a, b);
    case Operator::UDiv:
    case Operator::SDiv:
    case Operator::URem:
    case Operator::SRem: return quotient(i, a, b);
    default: return a.text;
  }
}

std::string extended(const Compute& i, const Word& a) {
  const char* type = i.to_width > 32 ? "(unsigned long long)" : "(unsigned int)";
  if (i.op == Operator::ZeroExtend)
    return i.width > 32 || i.to_width <= 32 ? a.text : type + a.text;
  if (i.width == 1)
    return a.text + " ? " + literal(mask_of(i.to_width), i.to_width) + " : " +
           literal(0, i.to_width);
  return type + std::string("(") + as_number(a.text, i.width) + ")";
}

}  // namespace

std::string type_of(unsigned width) {
  if (width <= 8) return "unsigned char";
  if (width <= 16) return "unsigned short";
  return width <= 32 ? "unsigned int" : "unsigned long long";
}

std::string literal(std::uint64_t value, unsigned width) {
  return std::to_string(low_bits(value, width)) + (width > 32 ? "ull" : "u");
}

std::string narrowed(const std::string& text, unsigned of, unsigned width) {
  if (of <= width) return text;
  const std::string low = of > 32 && width <= 32 ? "(unsigned int)(" + text + ")" : text;
  if (width == 32) return low;
  return "(" + low + ") & " + literal(mask_of(width), width);
}

std::string any_word(unsigned width) {
  const char* name = width == 1    ? "bool"
                     : width <= 8  ? "uchar"
                     : width <= 16 ? "ushort"
                     : width <= 32 ? "uint"
                                   : "ulonglong";
  return "__VERIFIER_nondet_" + std::string(name) + "()";
}

Word computed(const Compute& i, const Word& a, const Word& b, const Word& c) {
  const bool compares = i.op >= Operator::Eq && i.op <= Operator::SLe;
  const bool is_unary = i.op == Operator::Copy || i.op == Operator::Truncate ||
                        i.op == Operator::ZeroExtend || i.op == Operator::SignExtend;
  if (i.op == Operator::Select) {
    if (a.is_constant) return a.value != 0 ? b : c;
    return plain(a.text + " ? " + b.text + " : " + c.text);
  }
  if (a.is_constant && (is_unary || b.is_constant)) {
    const std::uint64_t value = compute(i, a.value, b.value, 0).value;
    return {literal(value, compares ? 1 : i.to_width), true, value};
  }
  if (compares && a.text == b.text)
    return yes_or_no(i.op == Operator::Eq || i.op == Operator::ULe || i.op == Operator::SLe);
  switch (i.op) {
    case Operator::Eq: return plain(a.text + " == " + b.text);
    case Operator::Ne: return plain(a.text + " != " + b.text);
    case Operator::ULt:
    case Operator::ULe: return unsigned_comparison(i, a, b);
    case Operator::SLt:
    case Operator::SLe: return signed_comparison(i, a, b);
    case Operator::ZeroExtend:
    case Operator::SignExtend:
      return plain(i.op == Operator::SignExtend && i.width > 1 && i.to_width != 32 &&
                           i.to_width != 64
                       ? narrowed(extended(i, a), i.to_width > 32 ? 64 : 32, i.to_width)
                       : extended(i, a));
    case Operator::Copy:
    case Operator::Truncate: return plain(narrowed(a.text, i.width, i.to_width));
    default: break;
  }
  const bool stays_inside = i.op == Operator::And || i.op == Operator::Or ||
                            i.op == Operator::Xor || i.op == Operator::LShr ||
                            i.op == Operator::UDiv || i.op == Operator::URem;
  const unsigned of = stays_inside ? i.width : i.width > 32 ? 64 : 32;
  return plain(narrowed(arithmetic(i, a, b), of, i.to_width));
}

std::string modified(ReadModifyWrite::Operation operation, unsigned width, const std::string& old,
                     const std::string& value) {
  using Operation = ReadModifyWrite::Operation;
  const unsigned of = width > 32 ? 64 : 32;
  const auto choice = [&](const char* relation, bool is_signed) {
    const std::string a = is_signed ? as_number(old, width) : old;
    const std::string b = is_signed ? as_number(value, width) : value;
    return a + relation + b + " ? " + old + " : " + value;
  };
  switch (operation) {
    case Operation::Exchange: return value;
    case Operation::Add: return narrowed(old + " + " + value, of, width);
    case Operation::Sub: return narrowed(old + " - " + value, of, width);
    case Operation::And: return old + " & " + value;
    case Operation::Nand: return narrowed("~(" + old + " & " + value + ")", of, width);
    case Operation::Or: return old + " | " + value;
    case Operation::Xor: return old + " ^ " + value;
    case Operation::Max: return choice(" > ", true);
    case Operation::Min: return choice(" < ", true);
    case Operation::UMax: return choice(" > ", false);
    case Operation::UMin: return choice(" < ", false);
  }
  return value;
}

}  // namespace heddle::transform::sequential_c
