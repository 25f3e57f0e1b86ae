/// Manual pages, written with the classic man macros so that every formatter takes them.

#include <fmt/format.h>

#include <algorithm>

#include "cli/generate.hpp"

namespace heddle::cli::generation {

namespace {

/// A character beyond ASCII, by its number: not every formatter reads UTF-8. `at` ends up on its
/// last byte.
std::string by_number(const std::string& text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const unsigned bits = first >= 0xf0 ? 3 : first >= 0xe0 ? 4 : 5;
  unsigned number = first & ((1u << bits) - 1);
  while (at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xc0) == 0x80)
    number = number << 6 | (static_cast<unsigned char>(text[++at]) & 0x3f);
  constexpr unsigned kEllipsis = 0x2026;  // unknown to formatters where the locale is C
  return number == kEllipsis ? "..." : fmt::format("\\[u{:04X}]", number);
}

/// A backslash, a hyphen that is a minus sign, and a line that would be a request.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (static_cast<unsigned char>(c) >= 128)
      out += by_number(text, i);
    else
      out += c;
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string option_text(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + ("\\fB" + escaped(name)) + "\\fR";
  if (option.kind != ValueKind::None) names += " \\fI" + escaped(option.placeholder) + "\\fR";
  return ".TP\n" + names + "\n" + escaped(option.help) + "\n";
}

std::string options_text(const CommandEntry& command) {
  std::string out;
  if (!command.arguments.empty()) out += ".SH ARGUMENTS\n";
  for (const OptionEntry& argument : command.arguments)
    out += ".TP\n\\fI" + escaped(argument.names[0]) + "\\fR\n" + escaped(argument.help) + "\n";
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options)
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  if (!groups.empty()) out += ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (groups.size() > 1) out += ".SS \"" + escaped(group) + "\"\n";
    for (const OptionEntry& option : command.options)
      if (option.group == group) out += option_text(option);
  }
  return out;
}

/// Examples and exit codes keep their layout.
std::string footer_text(const std::string& footer) {
  return footer.empty() ? "" : ".SH NOTES\n.nf\n" + escaped(footer) + "\n.fi\n";
}

std::string commands_text(const std::vector<CommandEntry>& catalogue) {
  std::string out = ".SH COMMANDS\n";
  for (std::size_t i = 1; i < catalogue.size(); ++i)
    out += ".TP\n\\fBheddle\\-" + escaped(catalogue[i].name) + "\\fR(1)\n" +
           escaped(catalogue[i].description) + "\n";
  return out;
}

std::string see_also(const std::vector<CommandEntry>& catalogue, const CommandEntry& command) {
  std::string out;
  for (const CommandEntry& other : catalogue) {
    if (&other == &command) continue;
    const std::string name = page_name(catalogue, other);
    out += std::string(out.empty() ? "" : ",\n") + ".BR " + escaped(name) + " (1)";
  }
  return ".SH \"SEE ALSO\"\n" + out + "\n";
}

}  // namespace

std::string page_name(const std::vector<CommandEntry>& catalogue, const CommandEntry& command) {
  return &command == &catalogue.front() ? "heddle" : "heddle-" + command.name;
}

std::string manual_page(const std::vector<CommandEntry>& catalogue, const CommandEntry& command) {
  const bool is_program = &command == &catalogue.front();
  const std::string name = page_name(catalogue, command);
  const std::string summary = is_program
                                  ? "verify multi-threaded programs, for any number of threads"
                                  : command.description;
  std::string out = ".TH " + upper(name) + " 1 \"\" \"heddle " HEDDLE_VERSION "\" \"Heddle\"\n";
  out += ".SH NAME\n" + escaped(name) + " \\- " + escaped(summary) + "\n";
  out += ".SH SYNOPSIS\n.B heddle\n" + escaped(command.usage) + "\n";
  if (is_program) out += ".SH DESCRIPTION\n" + escaped(command.description) + "\n";
  if (is_program) out += commands_text(catalogue);
  return out + options_text(command) + footer_text(command.footer) + see_also(catalogue, command);
}

}  // namespace heddle::cli::generation
