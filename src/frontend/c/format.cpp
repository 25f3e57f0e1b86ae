#include "frontend/c/format.hpp"

#include <charconv>

#include "model/c/print.hpp"

namespace heddle::frontend::c {

namespace {

/// The first characters of the text's lines, up to the first that is neither blank nor comment.
std::string_view first_line_of_code(std::string_view text) {
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return {};
    text.remove_prefix(start);
    if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else if (text.starts_with("//")) {
      const std::size_t end = text.find('\n');
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    } else {
      return text.substr(0, text.find('\n'));
    }
  }
  return {};
}

/// Warnings that begin with a place (`x.c:12: …`) are shown there, others at the file.
base::Diagnostics as_warnings(const std::string& file, const model::c::Program& program) {
  base::Diagnostics out;
  for (const std::string& line : program.warnings) {
    base::Diagnostic warning{base::Severity::Warning, {file, 0, 0}, line, {}, {}, {}};
    for (const std::string& name : program.files) {
      std::uint32_t number = 0;
      if (!line.starts_with(name + ":")) continue;
      const char* const begin = line.data() + name.size() + 1;
      const auto [end, error] = std::from_chars(begin, line.data() + line.size(), number);
      if (error != std::errc() || !std::string_view(end).starts_with(": ")) continue;
      warning.location = {name, number, 0};
      warning.message = end + 2;
      break;
    }
    out.push_back(std::move(warning));
  }
  return out;
}

}  // namespace

bool recognises(std::string_view text) {
  const std::string_view line = first_line_of_code(text);
  for (const std::string_view beginning :
       {"#include", "# include", "#define", "#pragma", "#ifndef", "# 1 \"", "# 0 \"", "extern ",
        "typedef ", "static ", "struct ", "int ", "void *", "unsigned "})
    if (line.starts_with(beginning)) return true;
  return false;
}

base::Parsed<CFile> parse(const SourceText& source, const ReadSettings& settings) {
  std::vector<SourceText> sources = {source};
  sources.insert(sources.end(), settings.further.begin(), settings.further.end());
  auto program = read_c(sources, settings.c);
  if (!program) return std::unexpected(std::move(program.error()));
  base::Diagnostics warnings = as_warnings(source.name, *program);
  return CFile{std::move(*program), {}, {model::c::Property::Reach}, std::move(warnings)};
}

std::optional<std::string> cannot_print(const CFile&) {
  return "C programs are read, not written (--to model shows what they become)";
}

std::string print(const CFile& file) { return model::c::print(file.model); }

}  // namespace heddle::frontend::c
