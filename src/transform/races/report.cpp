#include "transform/races/report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace heddle::transform::races {

using namespace model::threads;
using model::c::Position;

namespace {

/// `m` of `owner(m)`.
std::string mutex_name(const ThreadProgram& threads, VariableId owner) {
  std::string name = threads.variable(owner).name;
  if (name.starts_with("owner(") && name.ends_with(")")) name = name.substr(6, name.size() - 7);
  return name;
}

std::vector<std::string> mutex_names(const ThreadProgram& threads,
                                     const std::set<VariableId>& owners) {
  std::vector<std::string> out;
  for (const VariableId owner : owners) out.push_back(mutex_name(threads, owner));
  std::ranges::sort(out);
  return out;
}

/// Of the access, or of the call of the library that makes it.
Position position_of(const model::c::Program& program, const Covering& covering,
                     const MemoryAccess& access) {
  const auto& place = covering.threads[access.thread.index()].places[access.point.index()];
  const auto code_of = [&](std::uint32_t context) -> const auto& {
    return program.functions[covering.contexts[context].function.index()].code;
  };
  Position position = code_of(place.context)[place.at.index()].position;
  for (std::uint32_t c = place.context; position.line == 0 && covering.contexts[c].caller;) {
    const auto& context = covering.contexts[c];
    c = *context.caller;
    position = code_of(c)[context.call.index()].position;
  }
  return position;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string place_text(const model::c::Program& program, const AccessPlace& place) {
  std::string out = place.is_write ? "written" : "read";
  if (place.is_atomic) out += " atomically";
  out += place.position.file == 0 || place.position.file >= program.files.size()
             ? " at line "
             : " at " +
                   std::filesystem::path(program.files[place.position.file]).filename().string() +
                   ":";
  out += std::to_string(place.position.line) + " by " + place.thread + " holding ";
  return out + (place.mutexes.empty() ? "no mutex" : joined(place.mutexes));
}

}  // namespace

std::vector<Warning> warnings(const model::c::Program& program, const ThreadProgram& threads,
                              const Covering& covering, const blocks::Facts& facts,
                              const Conflicts& conflicts) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::string,
                         bool, bool>;
  std::map<Key, Warning> found;
  for (const Pair& pair : conflicts.pairs) {
    if (pair.reason != Reason::Open) continue;
    const auto place = [&](std::size_t index) {
      const MemoryAccess& a = conflicts.accesses[index];
      return AccessPlace{a.thread.index() == 0 ? "main" : threads.thread(a.thread).name, a.is_write,
                         a.is_atomic, position_of(program, covering, a),
                         mutex_names(threads, facts.held(a.thread, a.point))};
    };
    Warning made{name_of(program, covering, conflicts.accesses[pair.first], pair.object),
                 place(pair.first), place(pair.second)};
    const auto at = [](const AccessPlace& p) {
      return std::tuple(p.position.file, p.position.line, p.is_write);
    };
    if (at(made.second) < at(made.first)) std::swap(made.first, made.second);
    const Key key{made.first.position.file,
                  made.first.position.line,
                  made.second.position.file,
                  made.second.position.line,
                  made.variable,
                  made.first.is_write,
                  made.second.is_write};
    found.try_emplace(key, std::move(made));
  }
  std::vector<Warning> out;
  for (auto& [key, warning] : found) out.push_back(std::move(warning));
  return out;
}

std::vector<Protection> protections(const model::c::Program& program, const ThreadProgram& threads,
                                    const Covering& covering, const blocks::Facts& facts,
                                    const Conflicts& conflicts) {
  struct Use {
    std::set<std::uint32_t> threads;
    bool is_replicated = false, is_written = false, is_plain = false;
    std::set<std::string> how;
    bool is_open = false;
  };
  std::map<std::string, Use> uses;
  const std::vector<bool> is_private = private_objects(covering);
  for (const MemoryAccess& a : conflicts.accesses)
    for (const std::uint32_t o : a.objects) {
      if (is_private[o] || !facts.is_reachable(a.thread, a.point)) continue;
      Use& use = uses[name_of(program, covering, {}, o)];
      use.threads.insert(a.thread.value);
      use.is_replicated = use.is_replicated || threads.thread(a.thread).is_replicated;
      use.is_written = use.is_written || a.is_write;
      use.is_plain = use.is_plain || !a.is_atomic;
    }
  for (const Pair& pair : conflicts.pairs) {
    const MemoryAccess& a = conflicts.accesses[pair.first];
    const MemoryAccess& b = conflicts.accesses[pair.second];
    Use& use = uses[name_of(program, covering, {}, pair.object)];
    switch (pair.reason) {
      case Reason::Open: use.is_open = true; break;
      case Reason::Order: use.how.insert("order of threads"); break;
      case Reason::Address: use.how.insert("different bytes"); break;
      case Reason::Mutex: {
        const auto& held = facts.held(b.thread, b.point);
        for (const VariableId m : facts.held(a.thread, a.point))
          if (held.contains(m)) {
            use.how.insert("mutex " + mutex_name(threads, m));
            break;
          }
        break;
      }
    }
  }
  std::vector<Protection> out;
  for (const auto& [variable, use] : uses) {
    if (use.is_open || (use.threads.size() < 2 && !use.is_replicated)) continue;
    std::vector<std::string> how(use.how.begin(), use.how.end());
    if (!use.is_written)
      how = {"only read"};
    else if (!use.is_plain)
      how = {"atomic operations"};
    else if (how.empty())
      how = {"only read while several threads run"};
    out.push_back({variable, joined(how)});
  }
  return out;
}

std::string to_text(const model::c::Program& program, const Warning& warning) {
  return warning.variable + ": " + place_text(program, warning.first) + ", and " +
         place_text(program, warning.second);
}

}  // namespace heddle::transform::races
