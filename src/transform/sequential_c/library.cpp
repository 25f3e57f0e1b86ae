/// Bytes, objects, threads and mutexes of the sequential program.

#include "model/c/interpreter.hpp"
#include "transform/sequential_c/frame.hpp"
#include "transform/sequential_c/words.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

/// What happens where an access, or a `free`, is not valid.
std::string unless(const Environment& e, const std::string& valid, const std::string& otherwise) {
  return "  if (!(" + valid + ")) {\n" +
         (e.can_fail_by_access ? "    failed = 1;\n    stopped = 1;\n" : "    give_up();\n") +
         "    return" + otherwise + ";\n  }\n";
}

std::string pointer_type(const Environment& e) {
  return e.program.pointer_bytes == 8 ? "unsigned long long" : "unsigned int";
}

// ---- Bytes

std::string get_text(const Environment& e) {
  std::string out = "static unsigned int get(unsigned int at) {\n";
  if (e.layout.initial.empty()) return out + "  return at;\n}\n";  // there are none
  if (e.layout.own == 0) return out + "  return shared[round][at];\n}\n";
  if (e.layout.shared > 0)
    out += "  if (at < SHARED) return shared[round][at];\n  at = at - SHARED;\n";
  if (e.layout.has_undefined_own)
    out += "  if (undefined[at]) {\n    own[at] = any_byte();\n    undefined[at] = 0;\n  }\n";
  return out + "  return own[at];\n}\n";
}

std::string put_text(const Environment& e) {
  std::string out = "static void put(unsigned int at, unsigned int value) {\n";
  if (e.layout.initial.empty()) return out + "  (void)at;\n  (void)value;\n}\n";
  if (e.layout.own == 0) return out + "  shared[round][at] = (unsigned char)value;\n}\n";
  if (e.layout.shared > 0)
    out +=
        "  if (at < SHARED) {\n    shared[round][at] = (unsigned char)value;\n    return;\n  }\n"
        "  at = at - SHARED;\n";
  if (e.layout.has_undefined_own) out += "  undefined[at] = 0;\n";
  return out + "  own[at] = (unsigned char)value;\n}\n";
}

/// The parts of an address: `which` object, and the `offset` in it.
std::string parts_of_address(const Environment& e) {
  const std::string shift = number(e.places.shift());
  const std::uint64_t low = (std::uint64_t{1} << e.places.shift()) - 1;
  const unsigned width = 8u * e.program.pointer_bytes;
  return "  const unsigned int which = (unsigned int)(address >> " + shift + ");\n  const " +
         pointer_type(e) + " offset = (address & " + literal(low, width) + ") - " +
         literal(e.places.first_offset(), width) + ";\n";
}

bool has_mortal(const Environment& e) {
  for (const Layout::Row& row : e.layout.rows)
    if (row.life != 0) return true;
  return false;
}

std::string index_text(const Environment& e) {
  std::string valid =
      "which >= 1u && which <= OBJECTS && offset <= object_bytes[which] &&\n         bytes <= "
      "object_bytes[which] - offset";
  if (has_mortal(e))
    valid += " &&\n         (object_life[which] == 0u || get(object_life[which] - 1u) != 0u)";
  return "/* Where bytes are; it must be inside of an object that is alive. */\n"
         "static unsigned int index_of(" +
         pointer_type(e) + " address, unsigned int bytes) {\n" + parts_of_address(e) +
         unless(e, valid, " 0") + "  return object_at[which] + (unsigned int)offset;\n}\n";
}

std::string load_text(const Environment& e, unsigned bytes) {
  const std::string type = bytes > 4 ? "unsigned long long" : "unsigned int";
  std::string out = "static " + type + " load_" + number(bytes) + "(" + pointer_type(e) +
                    " address) {\n  const unsigned int at = index_of(address, " + number(bytes) +
                    "u);\n";
  out += "  if (stopped) return 0;\n";
  out += "  return ";
  for (unsigned i = 0; i < bytes; ++i) {
    const std::string byte = "get(at" + (i == 0 ? "" : " + " + number(i) + "u") + ")";
    const std::string wide = bytes > 4 ? "(unsigned long long)" + byte : byte;
    out += i == 0 ? wide : " | " + wide + " << " + number(8 * i);
  }
  return out + ";\n}\n";
}

std::string store_text(const Environment& e, unsigned bytes) {
  const std::string type = bytes > 4 ? "unsigned long long" : "unsigned int";
  std::string out = "static void store_" + number(bytes) + "(" + pointer_type(e) + " address, " +
                    type + " value) {\n  const unsigned int at = index_of(address, " +
                    number(bytes) + "u);\n";
  out += "  if (stopped) return;\n";
  bool has_constants = false;
  for (const Layout::Row& row : e.layout.rows) has_constants = has_constants || row.is_constant;
  if (has_constants)
    out += unless(e, "!object_is_constant[address >> " + number(e.places.shift()) + "]", "");
  for (unsigned i = 0; i < bytes; ++i)
    out += "  put(at" + (i == 0 ? "" : " + " + number(i) + "u") + ", " +
           (bytes > 4 ? "(unsigned int)(value >> " + number(8 * i) + ")"
            : i == 0  ? "value"
                      : "value >> " + number(8 * i)) +
           " & 255u);\n";
  return out + "}\n";
}

// ---- Objects

std::string make_text(const Environment& e) {
  std::string out =
      "/* An object begins its life: with zeros, or with anything. */\n"
      "static void make(unsigned int which, int is_zero) {\n  unsigned int i;\n"
      "  put(object_life[which] - 1u, 1u);\n"
      "  for (i = 0; i < object_bytes[which]; i = i + 1u) {\n"
      "    const unsigned int at = object_at[which] + i;\n";
  if (e.layout.has_undefined_own)
    out += std::string("    if (!is_zero") + (e.layout.shared > 0 ? " && at >= SHARED" : "") +
           ") undefined[at" + (e.layout.shared > 0 ? " - SHARED" : "") + "] = 1;\n    else ";
  else
    out += "    ";
  return out + "put(at, is_zero ? 0u : any_byte());\n  }\n}\n";
}

std::string release_text(const Environment& e) {
  return "/* free */\nstatic void release(" + pointer_type(e) + " address) {\n" +
         parts_of_address(e) + "  if (address == 0) return;\n" +
         unless(e,
                "which >= 1u && which <= OBJECTS && offset == 0 && object_is_heap[which] &&\n"
                "         get(object_life[which] - 1u) != 0u",
                "") +
         "  kill(which);\n}\n";
}

std::string life_text(const Environment& e) {
  return "static void life(" + pointer_type(e) + " address, int begins) {\n" + parts_of_address(e) +
         "  if (which < 1u || which > OBJECTS || offset != 0 || object_life[which] == 0u) return;\n"
         "  if (begins) make(which, 0);\n  else kill(which);\n}\n";
}

std::string size_text(const Environment& e) {
  return "static unsigned int object_size(" + pointer_type(e) + " address) {\n" +
         parts_of_address(e) +
         unless(
             e,
             "which >= 1u && which <= OBJECTS && offset == 0 &&\n         (object_life[which] == "
             "0u || get(object_life[which] - 1u) != 0u)",
             " 0") +
         "  return object_bytes[which];\n}\n";
}

template <class Value>
Part table(const Environment& e, const std::string& name, const Value& value) {
  std::string text = "static const unsigned int " + name + "[OBJECTS + 1] = {";
  for (std::size_t i = 0; i < e.layout.rows.size(); ++i)
    text += (i == 0 ? "" : i % 16 == 0 ? ",\n  " : ", ") + number(value(e.layout.rows[i]));
  return {name, text + "};\n"};
}

// ---- Mutexes

/// The parts of a mutex as expressions, and how they are changed.
struct MutexText {
  std::string owner, count, kind;
  std::function<std::string(const std::string&)> set_owner, set_count, set_kind;
  std::optional<std::uint32_t> fixed_kind;
  bool may_be(std::uint32_t k) const { return !fixed_kind || *fixed_kind == k; }
  /// `… && it is of this kind`
  std::string of_kind(std::uint32_t k) const {
    return fixed_kind ? "" : " && (" + kind + " & 3u) == " + number(k) + "u";
  }
};

constexpr std::uint32_t kRecursive = 1;
constexpr std::uint32_t kErrorChecking = 2;

std::string take_text(const MutexText& m) {
  return "  " + m.set_owner("me + 1u") + "\n  return 0u;\n";
}

std::string lock_text(const MutexText& m) {
  std::string out;
  if (m.may_be(kErrorChecking))
    out += "  if (" + m.owner + " == me + 1u" + m.of_kind(kErrorChecking) + ") return 35u;\n";
  if (m.may_be(kRecursive))
    out += "  if (" + m.owner + " == me + 1u" + m.of_kind(kRecursive) + ") {\n    " +
           m.set_count(m.count + " + 1u") + "\n    return 0u;\n  }\n";
  return out + "  assume(" + m.owner + " == 0u);\n" + take_text(m);
}

std::string try_lock_text(const MutexText& m) {
  std::string out;
  if (m.may_be(kRecursive))
    out += "  if (" + m.owner + " == me + 1u" + m.of_kind(kRecursive) + ") {\n    " +
           m.set_count(m.count + " + 1u") + "\n    return 0u;\n  }\n";
  return out + "  if (" + m.owner + " != 0u) return 16u;\n" + take_text(m);
}

std::string unlock_text(const MutexText& m) {
  std::string out;
  for (const std::uint32_t kind : {kErrorChecking, kRecursive})
    if (m.may_be(kind))
      out += "  if (" + m.owner + " != me + 1u" + m.of_kind(kind) + ") return 1u;\n";
  if (m.may_be(kRecursive))
    out += "  if (" + m.count + " > 0u" + m.of_kind(kRecursive) + ") {\n    " +
           m.set_count(m.count + " - 1u") + "\n    return 0u;\n  }\n";
  return out + "  " + m.set_owner("0u") + "\n  return 0u;\n";
}

std::string init_text(const MutexText& m) {
  std::string out = "  " + m.set_owner("0u") + "\n";
  if (m.may_be(kRecursive)) out += "  " + m.set_count("0u") + "\n";
  out += m.fixed_kind ? std::string("  (void)kind;\n") : "  " + m.set_kind("kind") + "\n";
  return out + "  return 0u;\n";
}

/// The four operations, as functions whose names end in `suffix` and that have these parameters.
void add_operations(std::vector<Part>& out, const MutexText& m, const std::string& suffix,
                    const std::string& parameter, const std::string& check) {
  const std::string none = parameter.empty() ? "void" : parameter;
  const std::string more = (parameter.empty() ? "" : parameter + ", ") + "unsigned int kind";
  const auto add = [&](const std::string& name, const std::string& parameters,
                       const std::string& body) {
    out.push_back({name + suffix, "static unsigned int " + name + suffix + "(" + parameters +
                                      ") {\n" + check + body + "}\n"});
  };
  add("lock", none, lock_text(m));
  add("try_lock", none, try_lock_text(m));
  add("unlock", none, unlock_text(m));
  add("init", more, init_text(m));
}

}  // namespace

std::vector<Part> mutex_parts(const Environment& e) {
  std::vector<Part> out;
  const auto assign = [&](std::size_t cell) {
    return [&e, cell](const std::string& value) {
      const std::string type = cell_type(e.places.cells()[cell]);
      const std::string cast = type == "unsigned char" ? "(unsigned char)(" + value + ")" : value;
      return e.cells[cell] + " = " + cast + ";";
    };
  };
  for (const auto& [place, cells] : e.places.mutexes()) {
    MutexText m;
    m.owner = e.cells[cells.owner];
    m.set_owner = assign(cells.owner);
    if (cells.count) {
      m.count = e.cells[*cells.count];
      m.set_count = assign(*cells.count);
    }
    if (cells.kind) {
      m.kind = e.cells[*cells.kind];
      m.set_kind = assign(*cells.kind);
    } else {
      m.fixed_kind = cells.fixed_kind;
    }
    add_operations(out, m, "__" + e.mutex_name(cells), "", "");
  }
  const std::string kind_at = "mutex + " + number(mutex_kind_offset(e.program.pointer_bytes)) + "u";
  const auto store = [](const std::string& where) {
    return [where](const std::string& value) { return "store_4(" + where + ", " + value + ");"; };
  };
  const MutexText bytes{"load_4(mutex)", "load_4(mutex + 4u)", "load_4(" + kind_at + ")",
                        store("mutex"),  store("mutex + 4u"),  store(kind_at),
                        std::nullopt};
  const std::string check = "  (void)index_of(mutex, 8u);\n  if (stopped) return 0u;\n";
  add_operations(out, bytes, "", pointer_type(e) + " mutex", check);
  return out;
}

std::vector<Part> memory_parts(const Environment& e) {
  std::vector<Part> out = {
      {"release", release_text(e)},
      {"life", life_text(e)},
      {"object_size", size_text(e)},
      {"make", make_text(e)},
      {"kill",
       "static void kill(unsigned int which) {\n  put(object_life[which] - 1u, "
       "0u);\n}\n"}};
  for (unsigned bytes = 1; bytes <= 8; ++bytes) {
    out.push_back({"load_" + number(bytes), load_text(e, bytes)});
    out.push_back({"store_" + number(bytes), store_text(e, bytes)});
  }
  out.push_back({"index_of", index_text(e)});
  out.push_back({"get", get_text(e)});
  out.push_back({"put", put_text(e)});
  out.push_back({"any_byte",
                 "static unsigned char any_byte(void) { return (unsigned "
                 "char)__VERIFIER_nondet_char(); }\n"});
  out.push_back(table(e, "object_at", [](const Layout::Row& row) { return row.at; }));
  out.push_back(table(e, "object_bytes", [](const Layout::Row& row) { return row.bytes; }));
  out.push_back(table(e, "object_life", [](const Layout::Row& row) { return row.life; }));
  out.push_back(
      table(e, "object_is_heap", [](const Layout::Row& row) { return row.is_heap ? 1u : 0u; }));
  out.push_back(table(e, "object_is_constant",
                      [](const Layout::Row& row) { return row.is_constant ? 1u : 0u; }));
  return out;
}

std::vector<Part> thread_parts(const Environment& e) {
  const std::string pointer = pointer_type(e);
  std::string create =
      "static unsigned int create_thread(unsigned long long start, unsigned long long value) {\n"
      "  const unsigned int which = threads;\n  assume(which < THREADS);\n"
      "  threads = which + 1u;\n  started[which] = round;\n  routine[which] = start;\n"
      "  argument[which] = value;\n";
  if (e.layout.has_joins) create += "  put(which, 1u);\n";
  create += "  return which;\n}\n";
  const std::string thread =
      "  const unsigned int which = (unsigned int)(handle - 1u);\n  unsigned int status;\n"
      "  if (handle == 0 || handle > THREADS) return 3u;\n";
  // 0: not created, 1: running, 2: ended, 3: gone, 4: running and detached.
  const std::string join =
      "/* Statuses: 1 running, 2 ended, 3 gone, 4 running and detached. */\n"
      "static unsigned int join(" +
      pointer + " handle) {\n" + thread +
      "  if (which == me) return 35u;\n  status = get(which);\n"
      "  if (status == 0u || status == 3u) return 3u;\n"
      "  if (status == 4u) return 22u;\n  assume(status == 2u);\n"
      "  put(which, 3u);\n  return 0u;\n}\n";
  const std::string detach = "static unsigned int detach(" + pointer + " handle) {\n" + thread +
                             "  status = get(which);\n"
                             "  if (status == 0u || status == 3u) return 3u;\n"
                             "  if (status == 4u) return 22u;\n"
                             "  put(which, status == 2u ? 3u : 4u);\n  return 0u;\n}\n";
  std::string result = "static unsigned long long result_of(" + pointer +
                       " handle) {\n  const unsigned int at = " + number(e.layout.results_at) +
                       "u + 8u * (unsigned int)(handle - 1u);\n  return ";
  for (unsigned i = 0; i < 8; ++i)
    result += (i == 0 ? "" : " | ") + std::string("(unsigned long long)get(at + ") + number(i) +
              "u) << " + number(8 * i);
  result += ";\n}\n";
  return {{"create_thread", create}, {"join", join}, {"detach", detach}, {"result_of", result}};
}

}  // namespace heddle::transform::sequential_c
