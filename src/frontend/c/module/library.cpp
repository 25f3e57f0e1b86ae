#include "frontend/c/module/library.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>

#include "frontend/c/module/compile.hpp"

namespace heddle::frontend::c {

namespace {

/// What the translation calls although no C text does: models of LLVM's intrinsic functions, and
/// what happens before main.
constexpr std::string_view kHelpers[] = {"__heddle_copy",
                                         "__heddle_move",
                                         "__heddle_fill",
                                         "__heddle_argument_count",
                                         "__heddle_any_argument_count",
                                         "__heddle_argument_vector",
                                         "__heddle_scan_space",
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

SourceText whole_library() {
  SourceText all{"library.c", ""};
  for (const bool wants_headers : {true, false})
    for (const LibraryText& text : library_texts())
      if (text.name.ends_with(".h") == wants_headers) all.text.append(text.text).append("\n");
  return all;
}

}  // namespace

std::unordered_set<std::string> link_library(llvm::Module& program, const ReadOptions& options,
                                             base::Diagnostics& diagnostics) {
  std::unordered_set<std::string> names;
  auto library =
      compile(program.getContext(), whole_library(), options, Unit::Library, diagnostics);
  if (!library) return names;
  for (const llvm::Function& function : *library) {
    if (function.isDeclaration()) continue;
    const llvm::Function* own = program.getFunction(function.getName());
    if (!own || own->isDeclaration()) names.insert(function.getName().str());
  }
  auto* any = llvm::FunctionType::get(llvm::Type::getVoidTy(program.getContext()), false);
  for (const std::string_view helper : kHelpers) program.getOrInsertFunction(helper, any);
  if (llvm::Linker::linkModules(program, std::move(library), llvm::Linker::LinkOnlyNeeded))
    diagnostics.push_back(error_in("", "the library of models cannot be linked"));
  return names;
}

}  // namespace heddle::frontend::c
