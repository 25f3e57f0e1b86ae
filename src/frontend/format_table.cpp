#include <algorithm>
#include <array>

#include "frontend/boolean_program/format.hpp"
#include "frontend/c/format.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/lola.hpp"
#include "frontend/petri/pnet.hpp"
#include "frontend/petri/pnml.hpp"
#include "frontend/petri/spec.hpp"
#include "frontend/petri/tina.hpp"
#include "frontend/pushdown/format.hpp"
#include "frontend/remopla/format.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/thread_system/format.hpp"

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

/// The row of a format whose functions are written for models of one kind.
template <class Model>
using Parse = std::function<base::Parsed<ModelFile<Model>>(const SourceText&, const ReadSettings&)>;

template <class Model>
FormatRow row_with_settings(FormatRow row, const Parse<Model>& parse,
                            std::optional<std::string> (*cannot_print)(const ModelFile<Model>&),
                            std::string (*print)(const ModelFile<Model>&)) {
  row.kind = model::Tag<Model>();
  row.parse = [parse](const SourceText& source,
                      const ReadSettings& settings) -> base::Parsed<AnyModelFile> {
    auto file = parse(source, settings);
    if (!file) return std::unexpected(std::move(file.error()));
    return std::move(*file);
  };
  row.cannot_print = [cannot_print](const AnyModelFile& file) -> std::optional<std::string> {
    if (const auto* typed = std::get_if<ModelFile<Model>>(&file)) return cannot_print(*typed);
    return "it is a " + model::kind_name(kind_of(file)) + ", the format holds " +
           std::string(model::Kind<Model>::kName) + "s";
  };
  row.print = [print](const AnyModelFile& file) { return print(std::get<ModelFile<Model>>(file)); };
  return row;
}

template <class Model>
FormatRow row_for(FormatRow row, base::Parsed<ModelFile<Model>> (*parse)(const SourceText&),
                  std::optional<std::string> (*cannot_print)(const ModelFile<Model>&),
                  std::string (*print)(const ModelFile<Model>&)) {
  return row_with_settings<Model>(
      std::move(row),
      [parse](const SourceText& source, const ReadSettings&) { return parse(source); },
      cannot_print, print);
}

}  // namespace

base::Diagnostics thread_count_complaint(std::string message) {
  return base::complaint("--threads", std::move(message),
                         "--threads N fixes the number of threads in the one local state that "
                         "--initial 's/l' leaves open");
}

model::Region plain_initial_region(model::Region region) {
  std::erase_if(region.bounds, [](const model::CounterBound& bound) { return bound.upper == 0; });
  return region;
}

model::Region plain_target_region(model::Region region) {
  std::erase_if(region.bounds,
                [](const model::CounterBound& bound) { return bound.lower == 0 && !bound.upper; });
  return region;
}

model::AnyKind kind_of(const AnyModelFile& file) {
  return std::visit(
      []<class Model>(const ModelFile<Model>&) -> model::AnyKind { return model::Tag<Model>(); },
      file);
}

const base::Diagnostics& warnings_of(const AnyModelFile& file) {
  return std::visit(
      []<class Model>(const ModelFile<Model>& typed) -> const base::Diagnostics& {
        return typed.warnings;
      },
      file);
}

std::span<const FormatRow> format_table() {
  static const std::array rows = {
      row_for({.name = "tts",
               .extensions = {".tts", ".ttd"},
               .summary = "thread systems: any number of threads, finite states",
               .recognises = thread_system::recognises,
               .initial = QuestionPlace::Beside,
               .targets = QuestionPlace::Beside},
              thread_system::parse, thread_system::cannot_print, thread_system::print),
      row_for({.name = "spec",
               .extensions = {".spec"},
               .summary = "Petri nets of MIST, with resets and transfers",
               .recognises = petri::recognises_spec},
              petri::parse_spec, petri::cannot_print_spec, petri::print_spec),
      row_for({.name = "pnet",
               .extensions = {".pnet"},
               .summary = "Petri nets of Petrinizer, with safety properties",
               .recognises = petri::recognises_pnet},
              petri::parse_pnet, petri::cannot_print_pnet, petri::print_pnet),
      row_for({.name = "net",
               .extensions = {".net"},
               .summary = "place/transition nets of TINA, test and inhibitor arcs",
               .recognises = petri::recognises_tina,
               .targets = QuestionPlace::Beside},
              petri::parse_tina, petri::cannot_print_tina, petri::print_tina),
      row_for({.name = "lola",
               .extensions = {".lola", ".llnet", ".net"},
               .summary = "place/transition nets of LoLA, with a formula",
               .recognises = petri::recognises_lola},
              petri::parse_lola, petri::cannot_print_lola, petri::print_lola),
      row_for({.name = "pnml",
               .extensions = {".pnml"},
               .summary = "place/transition nets in XML, ISO/IEC 15909-2",
               .recognises = petri::recognises_pnml,
               .targets = QuestionPlace::Beside},
              petri::parse_pnml, petri::cannot_print_pnml, petri::print_pnml),
      row_for({.name = "rem",
               .extensions = {".rem"},
               .summary = "Remopla, the language of Moped",
               .recognises = remopla::recognises},
              remopla::parse, remopla::cannot_print, remopla::print),
      row_for({.name = "bp",
               .extensions = {".bp", ".nbp"},
               .summary = "Boolean programs of SLAM, SATABS, Getafix",
               .recognises = boolean_program::recognises,
               .initial = QuestionPlace::BesideLongName},
              boolean_program::parse, boolean_program::cannot_print, boolean_program::print),
      row_for({.name = "pds",
               .extensions = {".pds"},
               .summary = "concurrent pushdown systems of CUBA, a stack per thread",
               .recognises = pushdown::recognises,
               .initial = QuestionPlace::Beside,
               .targets = QuestionPlace::Beside},
              pushdown::parse, pushdown::cannot_print, pushdown::print),
      row_with_settings<model::CProgram>({.name = "c",
                                          .extensions = {".c", ".i"},
                                          .summary = "C with POSIX threads, as Clang reads it",
                                          .recognises = c::recognises,
                                          .has_settings = true},
                                         c::parse, c::cannot_print, c::print),
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
