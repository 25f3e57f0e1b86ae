#include "frontend/petri/xml_reader.hpp"

#include <algorithm>
#include <pugixml.hpp>
#include <utility>

namespace heddle::frontend::petri {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

std::string lower_case_start(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

bool XmlReader::load(pugi::xml_document& document) {
  const auto result = document.load_buffer(source_.text.data(), source_.text.size(),
                                           pugi::parse_default, pugi::encoding_utf8);
  if (result) return true;
  const auto offset = static_cast<std::size_t>(result.offset);
  problems_.error(lines_.token(offset, 20),
                  "this is not XML: " + lower_case_start(result.description()),
                  "the file must be well-formed XML in UTF-8");
  return false;
}

text::Token XmlReader::token(const pugi::xml_node& at, std::string_view shown) const {
  text::Token token = this->token(at);
  token.kind = text::TokenKind::Word;
  token.text = shown;
  return token;
}

text::Token XmlReader::token(const pugi::xml_node& at) const {
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at.offset_debug(), 0));
  return lines_.token(offset, std::string_view(at.name()).size());
}

void XmlReader::error(const pugi::xml_node& at, std::string message, std::string hint) {
  problems_.error(token(at), std::move(message), std::move(hint));
}

std::optional<base::Integer> XmlReader::number(const pugi::xml_node& element) {
  const std::string_view digits = trimmed_text(element);
  auto value = base::parse_integer(digits);
  if (value && *value >= 0) return value;
  problems_.expected("a natural number in '" + std::string(element.name()) + "'",
                     token(element, digits), "numbers are decimal, without sign");
  return std::nullopt;
}

bool is_xml(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return trimmed(text).starts_with('<');
}

std::string_view local_name(const pugi::xml_node& element) {
  const std::string_view name = element.name();
  return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
}

pugi::xml_node child(const pugi::xml_node& parent, std::string_view name) {
  for (const pugi::xml_node& node : parent.children())
    if (local_name(node) == name) return node;
  return {};
}

std::string_view trimmed_text(const pugi::xml_node& element) {
  return trimmed(element.child_value());
}

}  // namespace heddle::frontend::petri
