#include "output/picture/dot.hpp"

#include <fmt/format.h>

#include "output/picture/svg.hpp"

namespace heddle::output::picture {

namespace {

constexpr std::size_t kMarksInARow = 2;
constexpr std::size_t kMostTargetsNamed = 4;

std::string meaning_cell(std::string_view meaning) {
  return "<TD ALIGN=\"LEFT\">" + escaped(meaning) + "</TD>";
}

}  // namespace

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out + "\"";
}

void DotHead::targets(const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size() && i < kMostTargetsNamed; ++i)
    remark((i == 0 ? "target: " : "or: ") + texts[i]);
  if (texts.size() > kMostTargetsNamed)
    remark("or " + std::to_string(texts.size() - kMostTargetsNamed) + " more");
}

void DotHead::node(std::string_view fill, std::string_view border, std::string_view meaning) {
  marks_.push_back(fmt::format("<TD WIDTH=\"16\" HEIGHT=\"10\" FIXEDSIZE=\"TRUE\" BORDER=\"1\" "
                               "BGCOLOR=\"{}\" COLOR=\"{}\"></TD>",
                               fill, border) +
                   meaning_cell(meaning));
}

void DotHead::edge(std::string_view sign, std::string_view colour, std::string_view meaning) {
  marks_.push_back(fmt::format("<TD><FONT COLOR=\"{}\">{}</FONT></TD>", colour, escaped(sign)) +
                   meaning_cell(meaning));
}

std::string DotHead::text() const {
  std::string label = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\">\n    <TR><TD>" +
                      escaped(title_) + "</TD></TR>\n";
  for (const std::string& remark : remarks_)
    label += "    <TR><TD><FONT POINT-SIZE=\"10\">" + escaped(remark) + "</FONT></TD></TR>\n";
  if (!marks_.empty()) {
    label +=
        "    <TR><TD><FONT POINT-SIZE=\"9\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" "
        "CELLSPACING=\"3\">\n";
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (i % kMarksInARow == 0) label += i == 0 ? "      <TR>" : "</TR>\n      <TR>";
      label += marks_[i];
    }
    label += "</TR>\n    </TABLE></FONT></TD></TR>\n";
  }
  return "  label=<" + label +
         "  </TABLE>>;\n  labelloc=t; fontname=\"DejaVu Sans\"; fontsize=14;\n";
}

}  // namespace heddle::output::picture
