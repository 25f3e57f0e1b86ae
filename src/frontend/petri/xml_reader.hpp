#pragma once

/// XML with places: what the readers of PNML and of property files share. Nothing of the parser's
/// headers shows here. Entities other than the predefined ones are not expanded.

#include <optional>
#include <string>
#include <string_view>

#include "base/integer.hpp"
#include "frontend/frontend.hpp"
#include "frontend/text/line_index.hpp"
#include "frontend/text/problems.hpp"

namespace pugi {
class xml_document;
class xml_node;
}  // namespace pugi

namespace heddle::frontend::petri {

class XmlReader {
 public:
  explicit XmlReader(const SourceText& source)
      : source_(source), lines_(source.text), problems_(source) {}

  /// False after a mistake in the syntax, which is then reported.
  bool load(pugi::xml_document& document);

  text::Problems& problems() { return problems_; }
  void error(const pugi::xml_node& at, std::string message, std::string hint);

  /// Where an element stands, with `shown` as its text.
  text::Token token(const pugi::xml_node& at, std::string_view shown) const;
  text::Token token(const pugi::xml_node& at) const;  ///< with its own name as the text

  /// The natural number that is the element's text; reports if it is none.
  std::optional<base::Integer> number(const pugi::xml_node& element);

 private:
  const SourceText& source_;
  text::LineIndex lines_;
  text::Problems problems_;
};

/// Does the text look like XML?
bool is_xml(std::string_view text);

/// The name of an element without its namespace's prefix.
std::string_view local_name(const pugi::xml_node& element);

/// The first child element with that local name; an empty node if there is none.
pugi::xml_node child(const pugi::xml_node& parent, std::string_view name);

/// The text directly in an element, without the blanks around it.
std::string_view trimmed_text(const pugi::xml_node& element);

}  // namespace heddle::frontend::petri
