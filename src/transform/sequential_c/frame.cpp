/// Rounds, and main.
///
/// A thread works on the variables themselves. Where a turn ends they are saved in the copies of
/// its round, and those of a later round are loaded (`turn`). Bytes have a row for each round
/// instead: whoever accesses them names the round. Threads run one after the other, each through
/// all of its turns; the first one finds guesses in the rounds behind the first, which in the end
/// must be what the last thread has left there in the round before.

#include "transform/sequential_c/frame.hpp"

#include <algorithm>
#include <cctype>

#include "transform/sequential_c/words.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

bool has_copies(const Environment& e) { return e.layout.rounds > 1; }

/// `if (number == 0u) { … } else { … }` over all rounds.
std::string by_round(const Environment& e, const std::string& of,
                     const std::function<std::string(std::uint32_t)>& what) {
  std::string out;
  for (std::uint32_t r = 0; r < e.layout.rounds; ++r) {
    const bool is_last = r + 1 == e.layout.rounds;
    out += r == 0 ? "  " : " else ";
    if (!is_last) out += "if (" + of + " == " + number(r) + "u) ";
    out += "{\n" + what(r) + "  }";
  }
  return out + "\n";
}

/// Bytes of `shared` that follow each other and have the same greatest value.
struct Range {
  std::size_t begin = 0, end = 0;
  std::uint8_t most = 255;
};

std::vector<Range> ranges_of(const Layout& layout) {
  std::vector<Range> out;
  for (std::size_t i = 0; i < layout.shared; ++i)
    if (out.empty() || out.back().most != layout.most[i])
      out.push_back({i, i + 1, layout.most[i]});
    else
      ++out.back().end;
  return out;
}

std::string over(const Range& range, const std::string& what) {
  return "  for (i = " + number(range.begin) + "; i < " + number(range.end) + "u; i = i + 1u) " +
         what + "\n";
}

/// Numbers that are known to be small are counted out, so that tools that try all of them have few
/// to try.
std::string guesses(const Environment& e) {
  std::string out = "static void guess(void) {\n";
  if (e.layout.shared > 0) out += "  unsigned int i;\n";
  for (std::uint32_t r = 1; r < e.layout.rounds; ++r) {
    for (const SharedVariable& v : shared_variables(e)) {
      const std::string copy = v.name + "__" + number(r);
      const std::string small = v.most ? "(" + v.type + ")up_to(" + number(*v.most) + "u)" : "";
      out += "  " + copy + " = " + (v.most ? small : any_word(v.width)) + ";\n";
      out += "  " + v.name + "__guess" + number(r) + " = " + copy + ";\n";
    }
    const std::string row = "[" + number(r) + "][i]";
    for (const Range& range : ranges_of(e.layout)) {
      const std::string value = range.most == 0 ? "shared[0][i]"
                                : range.most == 255
                                    ? "__VERIFIER_nondet_uchar()"
                                    : "(unsigned char)up_to(" + number(range.most) + "u)";
      out += over(range, "shared" + row + " = " + value + ";");
      if (range.most != 0) out += over(range, "guessed" + row + " = shared" + row + ";");
    }
  }
  return out + "}\n";
}

/// In the order of the guesses.
std::string checks(const Environment& e) {
  std::string out;
  for (std::uint32_t r = 0; r + 1 < e.layout.rounds; ++r) {
    for (const SharedVariable& v : shared_variables(e))
      out += "  agree(" + v.name + "__" + number(r) + ", " + v.name + "__guess" + number(r + 1) +
             ");\n";
    for (const Range& range : ranges_of(e.layout))
      if (range.most != 0)
        out +=
            over(range, "agree(shared[" + number(r) + "][i], guessed[" + number(r + 1) + "][i]);");
  }
  return out;
}

/// Ranges of bytes that are any at first.
std::string undefined_at_first(const Environment& e) {
  std::string out;
  const auto& undefined = e.layout.undefined;
  for (std::size_t i = 0; i < e.layout.shared; ++i) {
    if (undefined[i] == 0) continue;
    std::size_t end = i;
    while (end < e.layout.shared && undefined[end] != 0) ++end;
    out += "  for (i = " + number(i) + "; i < " + number(end) +
           "u; i = i + 1u) shared[0][i] = any_byte();\n";
    i = end;
  }
  for (std::size_t i = 0; i < e.places.cells().size(); ++i) {
    const Cell& cell = e.places.cells()[i];
    const bool is_local = cell.kind == Cell::Kind::Local;
    if (is_local || !cell.is_undefined) continue;
    const bool is_copied = cell.kind == Cell::Kind::Shared && has_copies(e);
    out += "  " + e.cells[i] + (is_copied ? "__0" : "") + " = " + any_word(8u * cell.bytes) + ";\n";
  }
  return out;
}

std::string call_of(const Environment& e, FunctionId function, bool is_entry) {
  const Function& called = e.program.functions[function.index()];
  const bool returns = !called.result_widths.empty();
  std::string arguments;
  for (std::uint32_t i = 0; i < called.parameters; ++i)
    arguments += (i == 0 ? "" : ", ") +
                 (i == 0 && !is_entry ? narrowed("argument[number]", 64, called.register_widths[0])
                                      : literal(0, called.register_widths[i]));
  return (returns && !is_entry ? "result = "
          : returns            ? "(void)"
                               : "") +
         e.functions[function.index()] + "(" + arguments + ");";
}

/// What a thread finds as its own: thread-local variables, and numbers of objects and calls.
std::string fresh_thread(const Environment& e) {
  std::string out;
  for (std::size_t i = 0; i < e.places.cells().size(); ++i) {
    const Cell& cell = e.places.cells()[i];
    const bool is_local =
        e.places.is_global(cell.object) && e.program.globals[cell.object.index()].is_thread_local;
    if (is_local && cell.kind == Cell::Kind::Own)
      out += "  " + e.cells[i] + " = " + literal(cell.initial, 8u * cell.bytes) + ";\n";
  }
  for (const auto& [site, counter] : e.made) out += "  " + counter + " = 0;\n";
  for (std::size_t f = 0; f < e.program.functions.size(); ++f)
    if (e.flow.bound() && e.flow.is_reached(FunctionId(f)) && e.flow.is_recursive(FunctionId(f)))
      out += "  depth__" + e.functions[f] + " = 0;\n";
  return out;
}

std::string end_of_thread(const Environment& e) {
  std::string out;
  for (const auto& [object, stored] : e.places.all_stored()) {
    if (e.places.is_global(object)) continue;
    const auto [function, at] = e.places.site(object);
    const auto& made =
        std::get<Allocate>(e.program.functions[function.index()].code[at.index()].effect);
    if (made.where != Allocate::Where::Stack) continue;
    const bool is_indexed = stored.threads > 1;
    const std::string first = number(stored.first_number) + "u";
    const std::string which = !is_indexed                ? first
                              : stored.first_thread == 0 ? first + " + number"
                                                         : first + " + number - 1u";
    const std::string whose = !is_indexed                ? "if (number == 0u) "
                              : stored.first_thread == 0 ? ""
                                                         : "if (number > 0u) ";
    out += "    " + (!is_indexed && stored.first_thread == 1 ? "if (number == 1u) " : whose) +
           "kill(" + which + ");\n";
  }
  if (e.layout.has_joins) out += "    put(number, get(number) == 4u ? 3u : 2u);\n";
  if (e.layout.has_results)
    for (unsigned i = 0; i < 8; ++i)
      out += "    put(" + number(e.layout.results_at + i) +
             "u + 8u * number, (unsigned int)(result >> " + number(8 * i) + ") & 255u);\n";
  return out;
}

std::string run_text(const Environment& e) {
  std::string out = "/* All turns of one thread. */\nstatic void run(unsigned int number) {\n";
  out +=
      "  me = number;\n  round = started[number];\n  stopped = 0;\n  ended = 0;\n  result = 0;\n";
  if (e.has_sections) out += "  sections = 0;\n";
  out += "  if (round == ROUNDS) return; /* nobody has created it */\n";
  if (has_copies(e) && !shared_variables(e).empty()) out += "  load(round);\n";
  out += fresh_thread(e);
  if (e.flow.start_routines().empty()) {
    out += "  " + call_of(e, e.program.entry, true) + "\n";
  } else {
    out += "  if (number == 0u) {\n    " + call_of(e, e.program.entry, true) + "\n  }";
    for (const FunctionId start : e.flow.start_routines())
      out += " else if (routine[number] == " + literal(e.places.address_of(start), 64) +
             ") {\n    " + call_of(e, start, false) + "\n  }";
    out += " else {\n    assume(0);\n  }\n";
  }
  out += std::string("  if (!stopped") + (e.has_detaches ? " && !turn()" : "") + ") ended = 1;\n";
  const std::string end = end_of_thread(e);
  if (!end.empty()) out += "  if (ended) {\n" + end + "  }\n";
  if (has_copies(e) && !shared_variables(e).empty()) out += "  if (round < ROUNDS) save(round);\n";
  return out + "}\n";
}

std::string initial_text(const std::vector<std::uint8_t>& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out += (i == 0 ? "" : i % 24 == 0 ? ",\n  " : ", ") + number(bytes[i]);
  return out;
}

bool is_zero(const std::vector<std::uint8_t>& bytes) {
  for (const std::uint8_t byte : bytes)
    if (byte != 0) return false;
  return true;
}

}  // namespace

std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find("/*", at), text.size());
    out += text.substr(at, begin - at);
    const std::size_t end = text.find("*/", begin);
    at = end == std::string::npos ? text.size() : end + 2;
  }
  return out;
}

bool mentions(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_part(text[at - 1]);
    const std::size_t end = at + name.size();
    if (begins && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

std::string cell_type(const Cell& cell) {
  return cell.most && *cell.most <= 255 ? "unsigned char" : type_of(8u * cell.bytes);
}

std::vector<SharedVariable> shared_variables(const Environment& e) {
  std::vector<SharedVariable> out;
  if (e.shares_counter) out.push_back({"threads", "unsigned int", 32, "1u", e.layout.threads});
  for (std::size_t i = 0; i < e.places.cells().size(); ++i) {
    const Cell& cell = e.places.cells()[i];
    if (cell.kind != Cell::Kind::Shared) continue;
    const std::string type = cell_type(cell);
    const unsigned width = type == "unsigned char" ? 8 : 8u * cell.bytes;
    out.push_back({e.cells[i], type, width, literal(cell.initial, 8u * cell.bytes), cell.most});
  }
  return out;
}

std::vector<Part> round_parts(const Environment& e) {
  std::vector<Part> out;
  std::string turn =
      "/* The turn may end here; later ones go on with what others have left. 1: it was the last. "
      "*/\n"
      "static int turn(void) {\n  unsigned int later = 0;\n";
  if (e.has_sections) turn += "  if (sections > 0u) return 0;\n";
  turn += "  if (threads == 1u) return 0; /* there is nobody else */\n";
  turn +=
      "  while (round + later < ROUNDS && __VERIFIER_nondet_bool()) later = later + 1u;\n"
      "  if (later == 0u) return 0;\n";
  const bool copies = has_copies(e) && !shared_variables(e).empty();
  if (copies) turn += "  save(round);\n";
  turn += "  round = round + later;\n";
  turn += "  if (round == ROUNDS) {\n    stopped = 1;\n    return 1;\n  }\n";
  if (copies) turn += "  load(round);\n";
  out.push_back({"turn", turn + "  return 0;\n}\n"});
  out.push_back(
      {"give_up", std::string("/* The next step is never made. */\nstatic void give_up(void) {\n") +
                      (e.has_sections ? "  assume(sections == 0u);\n" : "") +
                      "  stopped = 1;\n}\n"});
  if (has_copies(e)) {
    out.push_back({"guess", "/* What the rounds behind the first begin with. */\n" + guesses(e)});
    const auto moves = [&](bool saves) {
      return [&e, saves](std::uint32_t r) {
        std::string text;
        for (const SharedVariable& v : shared_variables(e)) {
          const std::string copy = v.name + "__" + number(r);
          text += "    " + (saves ? copy + " = " + v.name : v.name + " = " + copy) + ";\n";
        }
        return text;
      };
    };
    out.push_back(
        {"save", "static void save(unsigned int of) {\n" + by_round(e, "of", moves(true)) + "}\n"});
    out.push_back({"load", "static void load(unsigned int of) {\n" +
                               by_round(e, "of", moves(false)) + "}\n"});
    out.push_back(
        {"up_to",
         "static unsigned int up_to(unsigned int most) {\n  unsigned int value = 0;\n  while "
         "(value < most && __VERIFIER_nondet_bool()) value = value + 1u;\n  return value;\n}\n"});
    out.push_back({"agree",
                   "/* A guess was right. */\nstatic void agree(unsigned long long value, unsigned "
                   "long long expected) {\n  assume(value == expected);\n}\n"});
  }
  return out;
}

std::vector<Part> variable_parts(const Environment& e) {
  std::vector<Part> out;
  const auto variable = [&](const std::string& name, const std::string& text) {
    out.push_back({name, text + "\n"});
  };
  for (std::size_t i = 0; i < e.places.cells().size(); ++i) {
    const Cell& cell = e.places.cells()[i];
    if (cell.kind == Cell::Kind::Local || cell.kind == Cell::Kind::Constant) continue;
    variable(e.cells[i], "static " + cell_type(cell) + " " + e.cells[i] + " = " +
                             literal(cell.initial, 8u * cell.bytes) + ";");
  }
  for (const SharedVariable& v : shared_variables(e))
    for (std::uint32_t r = 0; r < e.layout.rounds && has_copies(e); ++r) {
      const std::string copy = v.name + "__" + number(r), guess = v.name + "__guess" + number(r);
      variable(copy, "static " + v.type + " " + copy + (r == 0 ? " = " + v.initial : "") + ";");
      variable(guess, "static " + v.type + " " + guess + ";");
    }
  const std::vector<std::uint8_t>& initial = e.layout.initial;
  const auto middle = initial.begin() + e.layout.shared;
  const std::vector<std::uint8_t> shared(initial.begin(), middle), own(middle, initial.end());
  variable("shared", "static unsigned char shared[ROUNDS][SHARED]" +
                         (is_zero(shared) ? "" : " = {{" + initial_text(shared) + "}}") + ";");
  variable("guessed", "static unsigned char guessed[ROUNDS][SHARED];");
  variable("own", "static unsigned char own[OWN]" +
                      (is_zero(own) ? "" : " = {" + initial_text(own) + "}") + ";");
  const std::vector<std::uint8_t> undefined(e.layout.undefined.begin() + e.layout.shared,
                                            e.layout.undefined.end());
  variable("undefined", "static unsigned char undefined[OWN]" +
                            (is_zero(undefined) ? "" : " = {" + initial_text(undefined) + "}") +
                            ";");
  for (const auto& [site, counter] : e.made)
    variable(counter, "static unsigned int " + counter + ";");
  for (std::size_t f = 0; f < e.functions.size(); ++f)
    variable("depth__" + e.functions[f], "static unsigned int depth__" + e.functions[f] + ";");
  for (unsigned i = 1; i < 32; ++i)
    variable("returned__" + number(i), "static unsigned long long returned__" + number(i) + ";");
  std::string started = "{0";
  for (std::uint32_t i = 1; i < e.layout.threads; ++i) started += ", ROUNDS";
  variable("started", "static unsigned int started[THREADS] = " + started +
                          "}; /* the round in which a thread begins */");
  variable("routine", "static unsigned long long routine[THREADS]; /* ... with this function */");
  variable("argument", "static unsigned long long argument[THREADS];");
  variable("threads", "static unsigned int threads = 1; /* that there are */");
  variable("round", "static unsigned int round = 0;");
  variable("me", "static unsigned int me = 0; /* the thread that runs */");
  variable("sections", "static unsigned int sections = 0; /* atomic ones that it is in */");
  variable("stopped", "static int stopped = 0; /* it makes no step any more */");
  variable("ended", "static int ended = 0; /* ... because it has ended */");
  variable("failed", "static int failed = 0;");
  variable("result", "static unsigned long long result = 0;");
  variable("number", "static unsigned int number = 0;");
  variable("code", "static unsigned int code = 0;");
  return out;
}

std::string main_text(const Environment& e) {
  std::string out = run_text(e) + "\nint main(void) {\n";
  const std::string first = undefined_at_first(e), last = checks(e);
  if (mentions(first + last, "i")) out += "  unsigned int i;\n";
  out += first;
  const bool guesses = has_copies(e) && (e.layout.shared > 0 || !shared_variables(e).empty());
  if (guesses) out += "  guess();\n";
  for (std::uint32_t i = 0; i < e.layout.threads; ++i) out += "  run(" + number(i) + "u);\n";
  return out + last + "  if (failed) reach_error();\n  return 0;\n}\n";
}

}  // namespace heddle::transform::sequential_c
