#include "frontend/c/read.hpp"

#include "base/module.hpp"
#include "frontend/c/module/entry_points.hpp"

namespace heddle::frontend::c {

namespace {

/// Calls a function of the module with these arguments and a result to fill in.
template <class Function, class T, class... Arguments>
std::expected<T, base::Diagnostics> ask_module([[maybe_unused]] const char* function,
                                               [[maybe_unused]] const std::string& file,
                                               [[maybe_unused]] const Arguments&... arguments) {
#ifdef HEDDLE_C
  auto* call = reinterpret_cast<Function*>(base::module_symbol("heddle_c.so", function));
  std::expected<T, base::Diagnostics> result;
  call(arguments..., result);
  return result;
#else
  base::Diagnostic missing;
  missing.location.file = file;
  missing.message = "this build of heddle does not read C";
  missing.hint = "configure it with -DHEDDLE_C=ON (needs the packages of Clang and LLVM 19)";
  return std::unexpected(base::Diagnostics{missing});
#endif
}

}  // namespace

bool can_read_c() {
#ifdef HEDDLE_C
  return true;
#else
  return false;
#endif
}

std::expected<model::c::Program, base::Diagnostics> read_c(std::span<const SourceText> sources,
                                                           const ReadOptions& options) {
  const std::string file = sources.empty() ? "" : sources.front().name;
  return ask_module<ReadC, model::c::Program>("heddle_read_c", file, sources, options);
}

base::Parsed<TaskFile> read_task_file(const SourceText& source) {
  return ask_module<ReadTaskFile, TaskFile>("heddle_read_task_file", source.name, source);
}

base::Parsed<std::vector<CompileCommand>> read_compile_commands(const SourceText& source) {
  return ask_module<ReadCompileCommands, std::vector<CompileCommand>>(
      "heddle_read_compile_commands", source.name, source);
}

}  // namespace heddle::frontend::c
