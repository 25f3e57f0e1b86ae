#include "transform/races/unshared.hpp"

#include <algorithm>

#include "model/c/control_flow.hpp"

/// Registers that certainly hold the address of the object that was allocated last at some place,
/// as long as that address has not been stored, returned or handed to a thread: until then only the
/// thread that allocated it can use it, and whoever finds it later has been told about it by a
/// store, which is where races are to be looked for. Forward through each function; a function that
/// is always called with such an address, and does not store it, goes on with it.

namespace heddle::transform::races {

using namespace model::c;

Unshared::Unshared(const PointsTo& points_to, const std::vector<std::uint32_t>& roots,
                   const std::function<bool()>& stops)
    : points_to_(points_to),
      program_(points_to.program()),
      escapes_(program_.functions.size()),
      returns_new_(program_.functions.size()),
      new_(program_.functions.size()) {
  find_escapes(stops);
  std::vector<std::optional<New>> entry(program_.functions.size());
  std::set<std::uint32_t> pending(roots.begin(), roots.end());
  for (const std::uint32_t root : roots) entry[root] = New{};
  while (!pending.empty() && !stops()) {
    const std::uint32_t f = *pending.begin();
    pending.erase(pending.begin());
    new_[f] = flow(f, *entry[f]);
    for (const auto& [at, callee] : points_to_.calls(f)) {
      if (!new_[f][at]) continue;
      New given;
      const auto& call = std::get<Call>(program_.functions[f].code[at].effect);
      for (std::uint32_t i = 0;
           i < call.arguments.size() && i < program_.functions[callee].parameters; ++i)
        if (is_new(f, at, call.arguments[i])) given.emplace(i, kParameters + i);
      auto& known = entry[callee];
      if (known && std::ranges::includes(given, *known)) continue;
      if (known)
        std::erase_if(*known, [&](const auto& one) { return !given.contains(one); });
      else
        known = given;
      pending.insert(callee);
    }
  }
}

bool Unshared::is_new(std::uint32_t f, std::uint32_t at, const Operand& address) const {
  if (address.kind != Operand::Kind::Register || at >= new_[f].size() || !new_[f][at]) return false;
  const auto found = new_[f][at]->lower_bound({address.index, 0});
  return found != new_[f][at]->end() && found->first == address.index;
}

Unshared::New Unshared::behind(std::uint32_t f, std::uint32_t at, const New& before,
                               std::set<std::uint32_t>* escaped) const {
  const Effect& effect = program_.functions[f].code[at].effect;
  New out = before;
  const auto source = [&](const Operand& operand) -> std::optional<std::uint32_t> {
    if (operand.kind != Operand::Kind::Register) return std::nullopt;
    const auto found = before.lower_bound({operand.index, 0});
    if (found == before.end() || found->first != operand.index) return std::nullopt;
    return found->second;
  };
  const auto assign = [&](Register to, const std::optional<std::uint32_t>& from) {
    std::erase_if(out, [&](const auto& entry) { return entry.first == to.value; });
    if (from) out.emplace(to.value, *from);
  };
  const auto escape = [&](const Operand& operand) {
    const auto from = source(operand);
    if (!from) return;
    if (escaped != nullptr) escaped->insert(*from);
    std::erase_if(out, [&](const auto& entry) { return entry.second == *from; });
  };
  const auto make = [&](Register to) {
    std::erase_if(out, [&](const auto& entry) { return entry.second == at; });
    assign(to, at);
  };
  if (const auto* e = std::get_if<Compute>(&effect)) {
    const bool is_moved = e->op == Operator::SignExtend || e->op == Operator::ZeroExtend ||
                          e->op == Operator::Truncate || e->op == Operator::Copy ||
                          e->op == Operator::Add || e->op == Operator::Sub;
    const auto from = source(e->a);
    assign(e->to, is_moved ? (from || e->op != Operator::Add ? from : source(e->b)) : std::nullopt);
  } else if (const auto* copies = std::get_if<Assign>(&effect)) {
    for (const auto& [to, from] : copies->copies) assign(to, source(from));
  } else if (const auto* allocation = std::get_if<Allocate>(&effect)) {
    make(allocation->to);
  } else if (const auto* load = std::get_if<Load>(&effect)) {
    assign(load->to, std::nullopt);
  } else if (const auto* store = std::get_if<Store>(&effect)) {
    escape(store->value);
  } else if (const auto* rmw = std::get_if<ReadModifyWrite>(&effect)) {
    escape(rmw->value);
    assign(rmw->to, std::nullopt);
  } else if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    escape(exchange->desired);
    assign(exchange->old, std::nullopt);
  } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    if (sync->operation == SyncOperation::CreateThread)
      for (const Operand& argument : sync->arguments) escape(argument);
  } else if (const auto* call = std::get_if<Call>(&effect)) {
    bool returns_new = false;
    for (const auto& [site, callee] : points_to_.calls(f)) {
      if (site != at) continue;
      returns_new = returns_new_[callee];
      for (const std::uint32_t p : escapes_[callee])
        if (p < call->arguments.size()) escape(call->arguments[p]);
    }
    for (const Register to : call->to) assign(to, std::nullopt);
    if (returns_new && call->to.size() == 1) make(call->to.front());
  }
  return out;
}

std::vector<std::optional<Unshared::New>> Unshared::flow(std::uint32_t f, const New& entry) const {
  const Function& function = program_.functions[f];
  std::vector<std::optional<New>> known(function.code.size());
  std::vector<Location> pending;
  const auto reach = [&](Location at, const New& now) {
    auto& there = known[at.index()];
    if (there && std::ranges::includes(now, *there)) return;
    if (there)
      std::erase_if(*there, [&](const auto& one) { return !now.contains(one); });
    else
      there = now;
    pending.push_back(at);
  };
  if (!known.empty()) reach(Location(0U), entry);
  while (!pending.empty()) {
    const Location at = pending.back();
    pending.pop_back();
    const New after = behind(f, at.value, *known[at.index()], nullptr);
    for (const Location to : successors(function, at)) reach(to, after);
  }
  return known;
}

/// Parameters that are stored or handed over, and functions whose result is always new: a few
/// passes over all functions.
void Unshared::find_escapes(const std::function<bool()>& stops) {
  bool changed = true;
  for (int pass = 0; pass < 8 && changed && !stops(); ++pass) {
    changed = false;
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      New entry;
      for (std::uint32_t p = 0; p < function.parameters; ++p) entry.emplace(p, kParameters + p);
      const auto known = flow(f, entry);
      bool all_new = true, returns = false;
      std::set<std::uint32_t> sources, escaped;
      for (std::uint32_t at = 0; at < known.size(); ++at) {
        if (!known[at]) continue;
        const Effect& effect = function.code[at].effect;
        behind(f, at, *known[at], &sources);
        if (const auto* r = std::get_if<Return>(&effect)) {
          returns = true;
          const auto value = r->values.size() == 1 ? r->values.front() : Operand{};
          const auto found = known[at]->lower_bound({value.index, 0});
          all_new = all_new && value.kind == Operand::Kind::Register && found != known[at]->end() &&
                    found->first == value.index && found->second < kParameters;
        }
      }
      for (const std::uint32_t source : sources)
        if (source >= kParameters) escaped.insert(source - kParameters);
      const bool returns_new = returns && all_new;
      changed = changed || returns_new != returns_new_[f] || escaped != escapes_[f];
      returns_new_[f] = returns_new;
      escapes_[f] = std::move(escaped);
    }
  }
}

}  // namespace heddle::transform::races
