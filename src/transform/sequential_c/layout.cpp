#include "transform/sequential_c/layout.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "transform/sequential_c/refusal.hpp"

namespace heddle::transform::sequential_c {

using namespace model::c;

namespace {

/// The first bytes of an object, in the addresses of the sequential program.
std::vector<std::uint8_t> initial_bytes(const Program& program, const Places& places,
                                        const Global& global) {
  std::vector<std::uint8_t> bytes = global.initial;
  bytes.resize(global.size, 0);
  for (const Relocation& relocation : global.relocations) {
    const Operand& target = relocation.target;
    const std::uint64_t address =
        target.kind == Operand::Kind::Function
            ? places.address_of(FunctionId(target.index))
            : places.address(places.stored(ObjectId(target.index)).first_number) + target.value;
    for (std::uint64_t i = 0; i < program.pointer_bytes; ++i)
      if (relocation.offset + i < bytes.size())
        bytes[relocation.offset + i] = static_cast<std::uint8_t>(address >> 8 * i);
  }
  return bytes;
}

/// Whether the first thread may end before the process does, or be detached.
bool first_may_end(const Program& program, const ControlFlow& flow) {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (std::size_t i = 0; i < program.functions[f].code.size(); ++i) {
      const FunctionId function(f);
      if (!flow.is_reached(function, Location(i))) continue;
      const Effect& effect = program.functions[f].code[i].effect;
      const auto* sync = std::get_if<Synchronise>(&effect);
      const bool is_back = std::holds_alternative<Return>(effect) && function == program.entry;
      const bool ends = sync != nullptr && (sync->operation == SyncOperation::ExitThread ||
                                            sync->operation == SyncOperation::DetachThread);
      if (is_back || ends) return true;
    }
  return false;
}

class LayoutBuilder {
 public:
  LayoutBuilder(const Program& program, const Places& places, Layout& out)
      : program_(program), places_(places), out_(out) {
    out_.rows.resize(places.last_number() + 1);
  }

  void add_all(bool is_private) {
    for (const auto& [object, stored] : places_.all_stored())
      if (stored.is_private == is_private)
        for (std::uint32_t i = 0; i < stored.numbers(); ++i) add(object, stored, i);
  }

 private:
  void add(ObjectId object, const Stored& stored, std::uint32_t which) {
    Layout::Row& row = out_.rows[stored.first_number + which];
    if (stored.is_mortal) {
      out_.initial.push_back(0);
      out_.undefined.push_back(0);
      out_.most.push_back(1);
      row.life = static_cast<std::uint32_t>(out_.initial.size());
    }
    row.at = static_cast<std::uint32_t>(out_.initial.size());
    row.bytes = stored.size;
    bool is_undefined = false;
    if (places_.is_global(object)) {
      const Global& global = program_.globals[object.index()];
      row.is_constant = global.is_constant;
      is_undefined = global.is_extern;
      for (const std::uint8_t byte : initial_bytes(program_, places_, global))
        out_.initial.push_back(byte);
    } else {
      const auto [function, at] = places_.site(object);
      const auto& made =
          std::get<Allocate>(program_.functions[function.index()].code[at.index()].effect);
      row.is_heap = made.where != Allocate::Where::Stack;
      out_.has_undefined_own = out_.has_undefined_own || (stored.is_private && !made.is_zeroed);
      out_.initial.resize(out_.initial.size() + stored.size, 0);
    }
    out_.undefined.resize(out_.initial.size(), is_undefined ? 1 : 0);
    out_.most.resize(out_.initial.size(), 255);
    out_.has_undefined_own = out_.has_undefined_own || (stored.is_private && is_undefined);
  }

  const Program& program_;
  const Places& places_;
  Layout& out_;
};

}  // namespace

Layout layout_of(const Program& program, const ControlFlow& flow, const Places& places,
                 std::uint32_t threads, std::uint32_t rounds) {
  Layout out;
  out.threads = threads;
  out.rounds = rounds;
  bool has_detaches = false;
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (std::size_t i = 0; i < program.functions[f].code.size(); ++i) {
      const auto* sync = std::get_if<Synchronise>(&program.functions[f].code[i].effect);
      if (sync == nullptr || !flow.is_reached(FunctionId(f), Location(i))) continue;
      const bool joins = sync->operation == SyncOperation::JoinThread;
      has_detaches = has_detaches || sync->operation == SyncOperation::DetachThread;
      out.has_joins = out.has_joins || joins || has_detaches;
      const auto is_null = [](const Operand& o) {
        return o.kind == Operand::Kind::Constant && o.value == 0;
      };
      out.has_results = out.has_results || (joins && !is_null(sync->arguments[1]));
    }
  if (out.has_joins) {
    out.initial.assign(threads, 0);
    out.initial[0] = 1;
    out.most.assign(threads, has_detaches ? 4 : 3);
    if (!first_may_end(program, flow)) out.most[0] = 0;
  }
  out.results_at = static_cast<std::uint32_t>(out.initial.size());
  if (out.has_results) out.initial.resize(out.initial.size() + 8 * threads, 0);
  out.undefined.assign(out.initial.size(), 0);
  out.most.resize(out.initial.size(), 255);
  LayoutBuilder builder(program, places, out);
  builder.add_all(false);
  out.shared = static_cast<std::uint32_t>(out.initial.size());
  builder.add_all(true);
  out.own = static_cast<std::uint32_t>(out.initial.size()) - out.shared;
  if (out.initial.size() > std::size_t{1} << 20)
    throw Refusal{"objects of more than one megabyte in all", {}};
  return out;
}

namespace {

/// Words of C, names of the sequential program itself, and functions that compilers know.
constexpr const char* kTaken =
    "auto break case char const continue default do double else enum extern float for "
    "goto if inline int long register restrict return short signed sizeof static struct "
    "switch typedef union unsigned void volatile while asm typeof main abort assume agree "
    "reach_error turn round threads me stopped ended failed result sections shared own "
    "guessed undefined started routine argument get put index_of make kill run save load "
    "guess create join detach code number any_byte release life object_size create_thread "
    "lock unlock try_lock init exit free malloc object_at object_bytes object_life object_is_heap "
    "object_is_constant bool true false nullptr constexpr alignas alignof static_assert "
    "thread_local rounds objects bytes seen old same ROUNDS THREADS SHARED OWN OBJECTS "
    "result_of give_up up_to printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf "
    "scanf "
    "sscanf "
    "fscanf puts putchar fputs fputc putc fwrite strlen strcpy strncpy strcat strncat strcmp "
    "strncmp strchr "
    "strrchr strstr strdup strndup strspn strcspn strpbrk strcasecmp strncasecmp stpcpy index "
    "rindex memcpy "
    "memmove memset memcmp memchr mempcpy bcopy bcmp bzero calloc realloc alloca aligned_alloc "
    "posix_memalign abs labs llabs ffs isalnum isalpha isblank iscntrl isdigit isgraph islower "
    "isprint ispunct isspace isupper isxdigit tolower toupper toascii isascii fork execl execv";

}  // namespace

Names::Names() {
  std::istringstream words(kTaken);
  for (std::string word; words >> word;) used_.insert(word);
  for (int bytes = 1; bytes <= 8; ++bytes) {
    used_.insert("load_" + std::to_string(bytes));
    used_.insert("store_" + std::to_string(bytes));
  }
}

std::string Names::fresh(const std::string& text) {
  std::string base;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    base += is_plain ? c : '_';
  }
  if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])) != 0 || base[0] == '_')
    base = "v" + base;
  // Names that end in two underscores and more are made of these.
  for (std::size_t at = base.find("__"); at != std::string::npos; at = base.find("__"))
    base.replace(at, 2, "_");
  if (base.ends_with('_')) base.pop_back();
  std::string name = base;
  for (int i = 2; !used_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  return name;
}

}  // namespace heddle::transform::sequential_c
