#pragma once

/// C sources in, `model::c::Program` out. The reader (Clang, LLVM and our translation of its
/// intermediate code) is a module beside the program that is loaded by the first call: linking it
/// would cost every start 28 ms. Nothing here includes a header of LLVM.

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/source_text.hpp"
#include "model/c/program.hpp"

namespace heddle::frontend::c {

/// What a call of a function without a body and without a model does.
enum class UnknownFunctions {
  Any,    ///< returns any value and changes nothing; one warning a function
  Refuse  ///< the program is not read
};

/// How a translation unit is compiled.
struct CompileOptions {
  std::vector<std::string> include_paths;    ///< -I
  std::vector<std::string> definitions;      ///< -D: NAME or NAME=VALUE
  std::vector<std::string> undefinitions;    ///< -U
  std::vector<std::string> forced_includes;  ///< -include
  std::string standard;                      ///< -std=; empty: Clang's default
  std::vector<std::string> clang_flags;      ///< after all others
};

/// The inherited options hold for all translation units.
struct ReadOptions : CompileOptions {
  std::map<std::string, CompileOptions> of_source;  ///< by its name; given before those for all
  std::uint8_t pointer_bytes = 8;                   ///< 4: ILP32, 8: LP64
  std::string entry = "main";
  UnknownFunctions unknown_functions = UnknownFunctions::Any;
  /// A call of one of these violates the property, whether or not it has a body.
  std::vector<std::string> error_functions = {"reach_error", "__VERIFIER_error"};
  /// The function that the property names, unless it is one of these. Then neither they nor
  /// assertions count: a failed assertion aborts.
  std::string error_function;
  /// Overflows of constants that Clang computes matter.
  bool asks_for_overflow = false;
  /// What functions of output read matters, too: for properties about accesses to memory.
  bool asks_for_accesses = false;
  /// Variables that may hold pointers become objects, not registers: for properties that ask
  /// whether memory is lost.
  bool keeps_pointers = false;
  std::vector<SourceText> headers;  ///< files that exist for `#include` only in memory
  bool headers_from_disk = true;
};

/// Reads, links and translates the translation units; Clang reads headers itself, and looks for
/// those in "" beside the file of that name. Not to be called by two threads at a time.
/// Errors are Clang's (syntax, types, missing headers), the linker's (a function defined twice) and
/// ours (no such entry); at most 20. Throws InternalError if the module cannot be loaded.
std::expected<model::c::Program, base::Diagnostics> read_c(std::span<const SourceText> sources,
                                                           const ReadOptions& options);

/// Whether this build has the reader. If not, `read_c` returns one diagnostic that says so.
bool can_read_c();

}  // namespace heddle::frontend::c
