#pragma once

/// One translation unit through Clang, in this process: preprocessor, parser, code generation. No
/// file is written and no other program is run.

#include <memory>

#include "frontend/c/read.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace heddle::frontend::c {

/// Ordinary sources carry positions; our own library does not.
enum class Unit { Source, Library };

/// An error about a file as a whole.
inline base::Diagnostic error_in(std::string file, std::string message) {
  base::Diagnostic out;
  out.location.file = std::move(file);
  out.message = std::move(message);
  return out;
}

/// Clang would read standard input itself, which has been read already.
inline std::string name_for_clang(const std::string& name) { return name == "-" ? "./-" : name; }
inline std::string name_of_user(const std::string& name) { return name == "./-" ? "-" : name; }

/// LLVM code as Clang generates it, before any pass: every access in the source is an instruction.
/// Null if there were errors, which are appended to `diagnostics`.
std::unique_ptr<llvm::Module> compile(llvm::LLVMContext& context, const SourceText& source,
                                      const ReadOptions& options, Unit unit,
                                      base::Diagnostics& diagnostics);

}  // namespace heddle::frontend::c
