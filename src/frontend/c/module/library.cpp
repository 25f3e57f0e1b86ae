#include "frontend/c/module/library.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "frontend/c/module/compile.hpp"

namespace heddle::frontend::c {

namespace {

/// What the translation calls although no C text does: models of LLVM's intrinsic functions, of
/// calls with formats, and what happens before and after main.
constexpr std::string_view kHelpers[] = {"__heddle_copy",
                                         "__heddle_move",
                                         "__heddle_fill",
                                         "__heddle_read_bytes",
                                         "__heddle_read_text",
                                         "__heddle_read_printed",
                                         "__heddle_put_any",
                                         "__heddle_argument_count",
                                         "__heddle_any_argument_count",
                                         "__heddle_argument_vector",
                                         "__heddle_scan_space",
                                         "__heddle_scan_place",
                                         "__heddle_scan_literal",
                                         "__heddle_scan_number",
                                         "__heddle_scan_characters",
                                         "__heddle_scan_word",
                                         "__heddle_scan_result",
                                         "__heddle_input_number",
                                         "__heddle_input_characters",
                                         "__heddle_input_word",
                                         "__heddle_input_result",
                                         "__heddle_print_text",
                                         "__heddle_print_character",
                                         "__heddle_print_number",
                                         "__heddle_print_end",
                                         "__heddle_create_with",
                                         "__heddle_run_at_exit",
                                         "__heddle_popcount",
                                         "__heddle_leading_zeros",
                                         "__heddle_trailing_zeros",
                                         "__heddle_byte_swap",
                                         "__heddle_umul_overflows",
                                         "__heddle_smul_overflows"};

/// Files whose helpers any program may need.
constexpr std::string_view kAlways[] = {"bits.c", "memory.c", "process.c"};

/// Files whose helpers are needed where a function with such a name is called.
constexpr std::pair<std::string_view, std::string_view> kNeededBy[] = {{"print.c", "printf"},
                                                                       {"scan.c", "scanf"}};

using Names = std::unordered_set<std::string_view>;

/// What a file of the library says at first sight. Both sets may be too large: then a file is
/// compiled in vain.
struct Surface {
  Names declares;  ///< names outside all braces and parentheses
  Names mentions;
};

bool in_identifier(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

Surface surface_of(std::string_view text) {
  Surface out;
  int depth = 0;  // of braces and parentheses
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      const char quote = text[at++];
      const std::size_t begin = at;
      while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
      const std::string_view quoted = text.substr(begin, std::min(at, text.size()) - begin);
      if (std::ranges::all_of(quoted, in_identifier))
        out.declares.insert(quoted);  // a name for the linker
      ++at;
    } else if (in_identifier(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && in_identifier(text[at])) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      out.mentions.insert(word);
      // A function or a variable, rather than a type or a word of the language.
      if (depth == 0 &&
          (text.substr(at, 1) == "(" || text.substr(at, 1) == ";" || text.substr(at, 1) == "," ||
           text.substr(at, 1) == "[" || text.substr(at, 2) == " ="))
        out.declares.insert(word);
    } else {
      if (text[at] == '{' || text[at] == '(') ++depth;
      if (text[at] == '}' || text[at] == ')') --depth;
      ++at;
    }
  }
  return out;
}

const std::vector<Surface>& surfaces() {
  static const std::vector<Surface> all = [] {
    std::vector<Surface> out;
    for (const LibraryText& text : library_texts()) out.push_back(surface_of(text.text));
    return out;
  }();
  return all;
}

/// Headers, and the files that declare what the program leaves open, or what these files mention.
SourceText needed_library(const llvm::Module& program) {
  const std::vector<LibraryText>& texts = library_texts();
  std::vector<bool> is_needed(texts.size());
  std::vector<std::size_t> pending;
  const auto need = [&](std::size_t text) {
    if (is_needed[text]) return;
    is_needed[text] = true;
    pending.push_back(text);
  };
  const auto need_what = [&](std::string_view name) {
    for (std::size_t text = 0; text < texts.size(); ++text)
      if (!texts[text].name.ends_with(".h") && surfaces()[text].declares.contains(name)) need(text);
  };
  const auto need_file = [&](std::string_view name) {
    for (std::size_t text = 0; text < texts.size(); ++text)
      if (texts[text].name == name) need(text);
  };
  for (const std::string_view name : kAlways) need_file(name);
  for (const llvm::GlobalValue& value : program.global_values()) {
    if (!value.isDeclaration()) continue;
    need_what(value.getName());
    for (const auto& [file, part] : kNeededBy)
      if (value.getName().contains(part)) need_file(file);
  }
  while (!pending.empty()) {
    const std::size_t text = pending.back();
    pending.pop_back();
    for (const std::string_view name : surfaces()[text].mentions) need_what(name);
  }
  SourceText all{"library.c", ""};
  for (const bool wants_headers : {true, false})
    for (std::size_t text = 0; text < texts.size(); ++text)
      if (texts[text].name.ends_with(".h") == wants_headers && (wants_headers || is_needed[text]))
        all.text.append(texts[text].text).append("\n");
  return all;
}

}  // namespace

std::unordered_set<std::string> link_library(llvm::Module& program, const ReadOptions& options,
                                             base::Diagnostics& diagnostics) {
  std::unordered_set<std::string> names;
  auto library =
      compile(program.getContext(), needed_library(program), options, Unit::Library, diagnostics);
  if (!library) return names;
  for (const llvm::Function& function : *library) {
    if (function.isDeclaration()) continue;
    const llvm::Function* own = program.getFunction(function.getName());
    if (!own || own->isDeclaration()) names.insert(function.getName().str());
  }
  auto* any = llvm::FunctionType::get(llvm::Type::getVoidTy(program.getContext()), false);
  for (const std::string_view helper : kHelpers)
    if (library->getFunction(helper)) program.getOrInsertFunction(helper, any);
  if (llvm::Linker::linkModules(program, std::move(library), llvm::Linker::LinkOnlyNeeded))
    diagnostics.push_back(error_in("", "the library of models cannot be linked"));
  return names;
}

}  // namespace heddle::frontend::c
