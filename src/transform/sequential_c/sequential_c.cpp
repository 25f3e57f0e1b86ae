/// From threads to one, in C (papers: Lal and Reps, sections 2 and 3).
///
/// The idea is that of sequential_program.cpp: K copies of what threads share, one for each round;
/// threads run one after the other, each through all of its turns; the rounds behind the first
/// begin with guesses, and in the end what round i has become must be what was guessed for round
/// i + 1. What is different in C:
///
/// *Threads are created.* They are numbered in the order of their creation, and in each round they
/// have their turns in that order. The creator writes down in which round it creates a thread, with
/// which function and argument. Its own number is smaller, so it has run by the time that the
/// thread runs, and in that round the thread's turn is still to come. Whether a thread has ended,
/// for those who join it, is a byte that is shared like others.
///
/// *Memory is bytes* where addresses are values, and variables where they are not (places.cpp).
///
/// *Waiting is assuming.* A thread that waits makes no step; so whenever it makes one, what it
/// waits for holds, and before that its turn may end. Nothing else is lost: a run in which a thread
/// waits for ever is one in which its turns have ended. A step that is never made, because an
/// assumption does not hold or because C leaves it undefined, may have no end of a turn before it;
/// there the thread stops, and the others go on as they would with a thread that is not scheduled
/// any more. In an atomic section it cannot stop: nobody else makes a step behind it. There the
/// whole run is given up; the one in which the section is not begun is another run.
///
/// *Turns end before steps that others notice, only.* Let s be a step of a thread, and let it be
/// such that it could be made earlier without any difference, directly behind the thread's step
/// before it and in the same turn: a step on registers, on objects of its own, on an object that no
/// other thread accesses while it is about to do so; the creation of a thread, which may begin
/// later; the end of a thread; the release of a mutex, for which others only wait (locks.cpp). A
/// run with a turn that ends before s becomes, step by step, one with a turn that ends behind it,
/// within the same rounds; so no turn needs to end before s. (They are left movers in the sense of
/// Lipton.) `is_quiet` says which accesses are such steps.
///
/// *A run that fails.* The failing thread sets `failed` and stops. Threads that run later, or go on
/// in later rounds, can always do nothing, so no failure is lost; and what they do comes behind the
/// failure, so none is added. `exit` is a step that is never made: it changes nothing that the
/// others could notice, but that they make no step any more.

#include "transform/sequential_c/sequential_c.hpp"

#include <algorithm>

#include "transform/sequential_c/frame.hpp"
#include "transform/sequential_c/function_text.hpp"

namespace heddle::transform {

using namespace model::c;
using namespace sequential_c;

namespace {

constexpr std::uint64_t kMostThreads = 64;

Environment environment_of(const Program& program, const ControlFlow& flow, const Places& places,
                           const Layout& layout, Property property) {
  Environment e{program, flow, places, layout, property};
  Names names;
  for (const Function& function : program.functions)
    e.functions.push_back(
        names.fresh(function.is_library ? "library_" + function.name : function.name));
  for (const Cell& cell : places.cells())
    e.cells.push_back(cell.kind == Cell::Kind::Local ? "" : names.fresh(cell.name));
  e.disciplined = disciplined_mutexes(program, flow, places);
  e.can_fail_by_access = violates(property, Violation::Kind::InvalidAccess);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const FunctionId function(f);
    if (!flow.is_reached(function)) continue;
    e.has_sections = e.has_sections || program.functions[f].is_atomic;
    for (std::size_t i = 0; i < program.functions[f].code.size(); ++i) {
      if (!flow.is_reached(function, Location(i))) continue;
      const auto* sync = std::get_if<Synchronise>(&program.functions[f].code[i].effect);
      if (sync == nullptr) continue;
      using enum SyncOperation;
      e.has_sections = e.has_sections || sync->operation == AtomicBegin;
      e.has_detaches = e.has_detaches || sync->operation == DetachThread;
      e.shares_counter =
          e.shares_counter || (sync->operation == CreateThread && flow.runs_created(function));
    }
  }
  for (const auto& [object, stored] : places.all_stored()) {
    if (places.is_global(object)) continue;
    const auto [function, at] = places.site(object);
    const auto& made =
        std::get<Allocate>(program.functions[function.index()].code[at.index()].effect);
    const bool is_stack = made.where == Allocate::Where::Stack;
    e.has_shared_stack = e.has_shared_stack || (is_stack && !stored.is_private);
    if (stored.copies > 1)
      e.made[{function, at}] =
          "made__" + e.functions[function.index()] + "_" + std::to_string(at.value);
  }
  return e;
}

std::string functions_text(const Environment& e) {
  std::string heads, texts;
  for (std::size_t f = 0; f < e.program.functions.size(); ++f) {
    const FunctionId function(f);
    if (!e.flow.is_reached(function) || e.program.functions[f].code.empty()) continue;
    FunctionText text(e, function);
    heads += text.head() + ";\n";
    texts += "\n" + text.definition();
  }
  return heads + texts;
}

std::string constants_text(const Environment& e) {
  const auto row = [](const char* name, std::uint64_t value) {
    return std::string(", ") + name + " = " + std::to_string(value);
  };
  std::string out = "enum { ROUNDS = " + std::to_string(e.layout.rounds);
  out += row("THREADS", e.layout.threads);
  if (e.layout.shared > 0) out += row("SHARED", e.layout.shared);
  if (e.layout.own > 0) out += row("OWN", e.layout.own);
  out += row("OBJECTS", e.layout.rows.size() - 1);
  return out + " };\n";
}

std::vector<Part> prelude_parts() {
  std::vector<Part> out = {
      {"assume", "static void assume(int condition) {\n  if (!condition) abort();\n}\n"},
      {"reach_error", "void reach_error(void) { abort(); }\n"}};
  const std::pair<const char*, const char*> inputs[] = {
      {"bool", "_Bool"},          {"char", "char"},
      {"uchar", "unsigned char"}, {"ushort", "unsigned short"},
      {"uint", "unsigned int"},   {"ulonglong", "unsigned long long"}};
  for (const auto& [name, type] : inputs)
    out.push_back({"__VERIFIER_nondet_" + std::string(name),
                   "extern " + std::string(type) + " __VERIFIER_nondet_" + name + "(void);\n"});
  out.push_back({"abort", "extern void abort(void);\n"});
  return out;
}

/// The parts that a text mentions, and those that they mention.
std::string parts_of(const std::string& text, const std::vector<Part>& parts, const char* between) {
  std::string out, seen = without_comments(text);
  for (const Part& part : parts) {
    if (!mentions(seen, part.name)) continue;
    out = part.text + between + out;
    seen += without_comments(part.text);
  }
  return out;
}

std::string whole_text(const Environment& e) {
  std::string text = functions_text(e) + "\n" + main_text(e);
  std::vector<Part> library;
  for (const auto& parts : {thread_parts(e), mutex_parts(e), memory_parts(e), round_parts(e)})
    library.insert(library.end(), parts.begin(), parts.end());
  text = parts_of(text, library, "\n") + text;
  // Variables do not mention each other: they stay in their order.
  std::vector<Part> variables = variable_parts(e);
  std::ranges::reverse(variables);
  text = constants_text(e) + parts_of(text, variables, "") + "\n" + text;
  return parts_of(text, prelude_parts(), "") + text;
}

std::string title(const Environment& e, const SequentialCOptions& options) {
  std::string out = "/* A sequential program: ";
  out += e.program.files.empty()
             ? "a C program"
             : e.program.files.front().substr(e.program.files.front().find_last_of('/') + 1);
  std::replace(out.begin() + 3, out.end(), '*', '_');
  out += " with " + std::to_string(e.layout.threads) + " threads at most, " +
         std::to_string(options.contexts) + " turns of each";
  if (options.unroll) out += ", " + std::to_string(*options.unroll) + " rounds of each loop";
  return out +
         ".\n   It calls reach_error() if and only if the program can fail within these bounds. "
         "Written by\n"
         "   heddle; docs/translations.md says how it is made. */\n";
}

}  // namespace

bool has_sequential_c(Property property) {
  return property == Property::Reach || property == Property::Memory;
}

std::expected<SequentialC, Refusal> sequentialise(const Program& program, Property property,
                                                  const SequentialCOptions& options) {
  try {
    const ControlFlow flow(program, options.unroll);
    const auto threads = flow.threads();
    if (!threads)
      return std::unexpected(Refusal{options.unroll
                                         ? "threads are created without a bound on their number"
                                         : "threads are created in a loop, or in a recursive "
                                           "function, without --unroll",
                                     flow.unbounded_creation()});
    if (*threads > kMostThreads)
      return std::unexpected(Refusal{"there may be " + std::to_string(*threads) +
                                         " threads, more than " + std::to_string(kMostThreads),
                                     flow.unbounded_creation()});
    const auto count = static_cast<std::uint32_t>(*threads);
    const Places places(program, flow, count);
    const Layout layout = layout_of(program, flow, places, count, options.contexts);
    Environment e = environment_of(program, flow, places, layout, property);
    e.is_quiet = options.is_quiet;
    return SequentialC{title(e, options) + whole_text(e), count};
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal);
  }
}

}  // namespace heddle::transform
