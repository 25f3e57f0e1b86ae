#include "frontend/remopla/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/boolean_program/tokens.hpp"

namespace heddle::frontend::remopla {

namespace {

constexpr std::array<std::string_view, 19> kReserved = {
    "A",    "E",   "bool", "break",  "choicep", "define", "enum", "exists", "false",   "forall",
    "init", "int", "main", "module", "pchoice", "struct", "true", "undef",  "unsigned"};

bool is_reserved(const std::string& name) {
  return std::ranges::find(kReserved, name) != kReserved.end() || boolean_program::is_keyword(name);
}

}  // namespace

Names::Names(const model::boolean::Flow& flow) {
  std::set<std::string> taken;
  for (const std::string& name : flow.shared_names) shared_.push_back(fresh(name, taken));
  const std::uint32_t first = flow.nodes[flow.starts.front().index()].frame;
  for (std::uint32_t frame = 0; frame < flow.frames.size(); ++frame)
    modules_.push_back(
        frame == first ? "main" : fresh(flow.procedures[flow.frames[frame].procedure], taken));
  std::set<std::string> all = taken;
  for (const model::boolean::Frame& frame : flow.frames) {
    std::set<std::string> taken_here = taken;
    auto& names = locals_.emplace_back();
    for (const std::string& name : flow.local_names[frame.procedure])
      names.push_back(fresh(name, taken_here));
    all.insert(names.begin(), names.end());
  }
  const auto clashes = [&](const std::string& name) {
    return std::ranges::any_of(std::array{"any", "new", "result"}, [&](const char* prefix) {
      return name.starts_with(prefix + mark_);
    });
  };
  while (std::ranges::any_of(all, clashes)) mark_ += '_';
}

std::string Names::own(const char* prefix, std::size_t index) const {
  return prefix + mark_ + std::to_string(index);
}

std::string Names::fresh(const std::string& wanted, std::set<std::string>& taken) {
  std::string name;
  for (const char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  while (is_reserved(name) || !taken.insert(name).second) name += '_';
  return name;
}

}  // namespace heddle::frontend::remopla
