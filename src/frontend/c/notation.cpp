#include "frontend/c/notation.hpp"

#include <algorithm>

#include "frontend/c/task_file.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend {

namespace {

using CNotation = Notation<model::CProgram>;
using model::c::Property;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

base::Diagnostics unsupported(const SourceText& source, const std::string& what) {
  text::Problems problems(source);
  problems.error("the property " + what + " is not supported", std::string(CNotation::kProperties));
  return problems.take_errors();
}

base::Parsed<std::vector<Property>> from_file(const SourceText& source) {
  const auto file = c::read_property_file(source);
  if (!file) return std::unexpected(file.error());
  std::vector<Property> out;
  for (const auto& [property, function, text] : file->properties) {
    if (!property) return std::unexpected(unsupported(source, text));
    if (std::ranges::find(out, *property) == out.end()) out.push_back(*property);
  }
  if (std::ranges::find(out, Property::MemorySafety) != out.end())
    std::erase(out, Property::Memory);
  return out;
}

}  // namespace

std::optional<Property> CNotation::find_property(std::string_view name) {
  const auto property = model::c::parse_property(name);
  return property == Property::FairTermination ? std::nullopt : property;
}

std::optional<Property> CNotation::in_weakly_fair_runs(Property property) {
  return model::c::is_about_ending(property) ? std::optional(Property::FairTermination)
                                             : std::nullopt;
}

base::Parsed<std::vector<Property>> CNotation::parse_targets(const model::CProgram&,
                                                             const SourceText& source) {
  const std::string_view text = trimmed(source.text);
  if (const auto property = find_property(text)) return std::vector{*property};
  if (text.starts_with("CHECK")) return from_file(source);
  return std::unexpected(unsupported(source, "'" + std::string(text) + "'"));
}

std::string CNotation::vacuity(const model::CProgram& program,
                               const std::vector<Property>& targets) {
  const auto fails = [](const model::c::Instruction& instruction) {
    return std::holds_alternative<model::c::Fail>(instruction.effect);
  };
  const bool may_fail =
      targets != std::vector{Property::Reach} ||
      std::ranges::any_of(program.functions, [&](const model::c::Function& function) {
        return std::ranges::any_of(function.code, fails);
      });
  if (may_fail) return "";
  return program.error_function.empty() ? "the program has no assertion and calls no error function"
                                        : "the program does not call " + program.error_function;
}

base::Parsed<std::vector<model::EntryCall>> CNotation::parse_initial(const model::CProgram&,
                                                                     const SourceText& source) {
  text::Problems problems(source);
  problems.error("a C program begins with its entry function", "--entry NAME chooses another one");
  return std::unexpected(problems.take_errors());
}

std::string CNotation::print_initial(const model::CProgram& program,
                                     const model::EntryCall& initial) {
  return model::initial_to_string(program, initial);
}

base::Parsed<void> CNotation::fix_thread_count(const base::Integer&,
                                               std::vector<model::EntryCall>&) {
  return std::unexpected(base::complaint("--threads", "a C program creates its threads itself",
                                         "leave out --threads"));
}

}  // namespace heddle::frontend
