#include <algorithm>
#include <array>

#include "frontend/boolean_program/parser.hpp"
#include "frontend/boolean_program/printer.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/lola_parser.hpp"
#include "frontend/petri/lola_printer.hpp"
#include "frontend/petri/pnet_parser.hpp"
#include "frontend/petri/pnet_printer.hpp"
#include "frontend/petri/pnml_parser.hpp"
#include "frontend/petri/pnml_printer.hpp"
#include "frontend/petri/spec_parser.hpp"
#include "frontend/petri/spec_printer.hpp"
#include "frontend/pushdown/parser.hpp"
#include "frontend/pushdown/printer.hpp"
#include "frontend/remopla/parser.hpp"
#include "frontend/remopla/printer.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/thread_system/parser.hpp"
#include "frontend/thread_system/printer.hpp"

namespace heddle::frontend {

namespace {

std::string_view extension(std::string_view file_name) {
  const std::size_t dot = file_name.find_last_of('.');
  return dot == std::string_view::npos ? std::string_view{} : file_name.substr(dot);
}

bool has_extension(const FormatRow& row, std::string_view wanted) {
  return std::ranges::find(row.extensions, wanted) != row.extensions.end();
}

/// `3|1,2` or `0/0`: a question about a model in a file of its own, as CUBA's `.spec` files are.
bool is_question(std::string_view text) {
  text::Lexer lexer(text, text::LineEnds::Blanks);
  if (lexer.next().kind != text::TokenKind::Number) return false;
  return lexer.peek().is("|") || lexer.peek().is("/");
}

}  // namespace

std::span<const FormatRow> format_table() {
  static const std::array rows = {
      FormatRow{.name = "tts",
                .extensions = {".tts", ".ttd"},
                .summary = "thread transition systems: shared and local states, any number of "
                           "threads",
                .recognises = thread_system::recognises,
                .parse = thread_system::parse,
                .cannot_print = thread_system::cannot_print,
                .print = thread_system::print,
                .initial = Place::Beside,
                .targets = Place::Beside},
      FormatRow{.name = "spec",
                .extensions = {".spec"},
                .summary = "Petri nets of MIST, with resets and transfers",
                .recognises = petri::recognises_spec,
                .parse = petri::parse_spec,
                .cannot_print = petri::cannot_print_spec,
                .print = petri::print_spec},
      FormatRow{.name = "pnet",
                .extensions = {".pnet"},
                .summary = "Petri nets of Petrinizer, with safety properties",
                .recognises = petri::recognises_pnet,
                .parse = petri::parse_pnet,
                .cannot_print = petri::cannot_print_pnet,
                .print = petri::print_pnet},
      FormatRow{.name = "lola",
                .extensions = {".lola", ".llnet"},
                .summary = "place/transition nets of LoLA, with a formula",
                .recognises = petri::recognises_lola,
                .parse = petri::parse_lola,
                .cannot_print = petri::cannot_print_lola,
                .print = petri::print_lola},
      FormatRow{.name = "pnml",
                .extensions = {".pnml"},
                .summary = "place/transition nets in XML, ISO/IEC 15909-2",
                .recognises = petri::recognises_pnml,
                .parse = petri::parse_pnml,
                .cannot_print = petri::cannot_print_pnml,
                .print = petri::print_pnml,
                .targets = Place::Beside},
      FormatRow{.name = "rem",
                .extensions = {".rem"},
                .summary = "Remopla, the language of Moped",
                .recognises = remopla::recognises,
                .parse = remopla::parse,
                .cannot_print = remopla::cannot_print,
                .print = remopla::print},
      FormatRow{.name = "bp",
                .extensions = {".bp", ".nbp"},
                .summary = "Boolean programs (SLAM, SATABS, Getafix), any number of threads",
                .recognises = boolean_program::recognises,
                .parse = boolean_program::parse,
                .cannot_print = boolean_program::cannot_print,
                .print = boolean_program::print,
                .initial = Place::BesideLongName},
      FormatRow{.name = "pds",
                .extensions = {".pds"},
                .summary = "concurrent pushdown systems of CUBA, a stack per thread",
                .recognises = pushdown::recognises,
                .parse = pushdown::parse,
                .cannot_print = pushdown::cannot_print,
                .print = pushdown::print,
                .initial = Place::Beside,
                .targets = Place::Beside},
  };
  return rows;
}

const FormatRow* find_format(std::string_view name) {
  const auto it = std::ranges::find(format_table(), name, &FormatRow::name);
  if (it != format_table().end()) return &*it;
  const FormatRow* found = nullptr;
  for (const FormatRow& row : format_table()) {
    if (!has_extension(row, "." + std::string(name))) continue;
    if (found) return nullptr;
    found = &row;
  }
  return found;
}

/// An extension decides as far as it can, so that a file with a mistake in its first line is still
/// read by the right parser, which explains the mistake.
const FormatRow* guess_format(std::string_view file_name, std::string_view text) {
  const FormatRow* by_extension = nullptr;
  const FormatRow* by_content = nullptr;
  for (const FormatRow& row : format_table()) {
    const bool named = has_extension(row, extension(file_name));
    const bool recognised = row.recognises(text);
    if (named && recognised) return &row;
    if (named && !by_extension) by_extension = &row;
    if (recognised && !by_content) by_content = &row;
  }
  if (by_extension) return is_question(text) ? nullptr : by_extension;
  return by_content;
}

}  // namespace heddle::frontend
