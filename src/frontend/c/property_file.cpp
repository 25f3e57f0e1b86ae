#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "frontend/c/task_file.hpp"

namespace heddle::frontend::c {

namespace {

using model::c::Property;

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

struct Formula {
  std::string_view text;  ///< without blanks
  std::optional<Property> property;
};

constexpr std::array kFormulas = {Formula{"G!data-race", Property::NoDataRace},
                                  Formula{"G!overflow", Property::NoOverflow},
                                  Formula{"Fend", Property::Termination},
                                  Formula{"Gvalid-free", Property::Memory},
                                  Formula{"Gvalid-deref", Property::Memory},
                                  Formula{"Gvalid-memtrack", Property::MemorySafety},
                                  Formula{"Gvalid-memcleanup", Property::MemoryCleanup},
                                  Formula{"G!deadlock", Property::NoDeadlock},
                                  Formula{"Gdef-behavior", std::nullopt}};

/// Reads one line; the place of an error is a column.
class LineParser {
 public:
  LineParser(const SourceText& source, std::string_view line, std::uint32_t number)
      : source_(source), line_(line), number_(number) {}

  base::Parsed<SpecifiedProperty> parse(std::string& entry) {
    const std::string text = without_blanks(line_);
    if (text.starts_with("COVER(")) return other(text);
    constexpr std::string_view kBegin = "CHECK(init(";
    if (!text.starts_with(kBegin)) return error("expected CHECK( init(main()), LTL(...) )");
    const std::size_t call = text.find("()),LTL(", kBegin.size());
    if (call == std::string::npos || !text.ends_with("))"))
      return error("expected CHECK( init(main()), LTL(...) )");
    entry = text.substr(kBegin.size(), call - kBegin.size());
    const std::size_t begin = call + std::string_view("()),LTL(").size();
    return formula(text.substr(begin, text.size() - 2 - begin));
  }

 private:
  base::Parsed<SpecifiedProperty> formula(const std::string& text) const {
    constexpr std::string_view kCall = "G!call(", kLabel = "G!label(";
    if (text.starts_with(kCall) && text.ends_with("())"))
      return SpecifiedProperty{Property::Reach,
                               text.substr(kCall.size(), text.size() - kCall.size() - 3), text};
    if (text.starts_with(kLabel)) return other(text);
    for (const Formula& known : kFormulas)
      if (text == known.text) return SpecifiedProperty{known.property, "", text};
    return error("unknown property '" + text + "'");
  }

  static SpecifiedProperty other(const std::string& text) { return {std::nullopt, "", text}; }

  std::unexpected<base::Diagnostics> error(std::string message) const {
    base::Diagnostic out;
    out.location = {source_.name, number_, 1};
    out.message = std::move(message);
    out.line_text = std::string(line_);
    out.hint = "for example CHECK( init(main()), LTL(G ! call(reach_error())) )";
    return std::unexpected(base::Diagnostics{std::move(out)});
  }

  const SourceText& source_;
  std::string_view line_;
  std::uint32_t number_;
};

}  // namespace

base::Parsed<PropertyFile> read_property_file(const SourceText& source) {
  PropertyFile out;
  std::uint32_t number = 0;
  std::size_t begin = 0;
  while (begin < source.text.size()) {
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    const std::string_view line = std::string_view(source.text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::string text = without_blanks(line);
    if (text.empty() || text.starts_with("//")) continue;
    auto property = LineParser(source, line, number).parse(out.entry);
    if (!property) return std::unexpected(property.error());
    out.properties.push_back(std::move(*property));
  }
  if (out.properties.empty()) {
    base::Diagnostic none;
    none.location.file = source.name;
    none.message = "no property";
    none.hint = "for example CHECK( init(main()), LTL(G ! call(reach_error())) )";
    return std::unexpected(base::Diagnostics{std::move(none)});
  }
  return out;
}

}  // namespace heddle::frontend::c
