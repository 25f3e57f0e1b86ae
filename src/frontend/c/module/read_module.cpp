/// The whole way: compile every source, link them, add our library, translate.

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <new>

#include "base/exit_status.hpp"
#include "base/suggest.hpp"
#include "frontend/c/module/cleanups.hpp"
#include "frontend/c/module/compile.hpp"
#include "frontend/c/module/entry_points.hpp"
#include "frontend/c/module/library.hpp"
#include "frontend/c/module/program_builder.hpp"

namespace heddle::frontend::c {

namespace {

/// What the linker says: two definitions of one name, for example.
void collect(const llvm::DiagnosticInfo* info, void* into) {
  if (info->getSeverity() != llvm::DS_Error) return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  stream.flush();
  static_cast<base::Diagnostics*>(into)->push_back(error_in("", text));
}

std::unique_ptr<llvm::Module> link_sources(llvm::LLVMContext& context,
                                           std::span<const SourceText> sources,
                                           const ReadOptions& options,
                                           base::Diagnostics& diagnostics) {
  std::unique_ptr<llvm::Module> all;
  for (const SourceText& source : sources) {
    auto unit = compile(context, source, options, Unit::Source, diagnostics);
    if (!unit || !diagnostics.empty()) continue;  // errors of the other files are told, too
    if (!all) {
      all = std::move(unit);
      continue;
    }
    const std::size_t before = diagnostics.size();
    if (llvm::Linker::linkModules(*all, std::move(unit)) && diagnostics.size() == before)
      diagnostics.push_back(error_in("", "cannot be linked with the files before it"));
    for (std::size_t i = before; i < diagnostics.size(); ++i)
      diagnostics[i].location.file = source.name;
  }
  return diagnostics.empty() ? std::move(all) : nullptr;
}

base::Diagnostic no_entry(const llvm::Module& module, std::span<const SourceText> sources,
                          const std::string& entry) {
  base::Diagnostic out;
  out.location.file = sources.front().name;
  out.message = "there is no function '" + entry + "'";
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) names.push_back(function.getName().str());
  if (names.empty())
    out.hint = "the file defines no function";
  else
    out.hint = "name another function as the entry, for example '" + names.front() + "'";
  return out;
}

/// While Clang works, the process ends where memory does: LLVM's own reaction is abort(), which
/// would look like a crash, and neither can be left by an exception.
class OutOfMemory {
 public:
  OutOfMemory() : before_(std::set_new_handler([] { leave(); })) {
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { leave(); });
  }
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;
  ~OutOfMemory() { std::set_new_handler(before_); }

 private:
  [[noreturn]] static void leave() { _exit(base::kOutOfMemoryStatus); }
  std::new_handler before_;
};

void read(std::span<const SourceText> sources, const ReadOptions& options,
          std::expected<model::c::Program, base::Diagnostics>& result) {
  const OutOfMemory out_of_memory;
  base::Diagnostics diagnostics;
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack(collect, &diagnostics);
  auto module = link_sources(context, sources, options, diagnostics);
  if (!module && diagnostics.empty()) diagnostics.push_back(error_in("", "no source file"));
  const llvm::Function* entry = module ? module->getFunction(options.entry) : nullptr;
  if (module && (!entry || entry->isDeclaration()))
    diagnostics.push_back(no_entry(*module, sources, options.entry));
  if (diagnostics.empty()) {
    const auto from_library = link_library(*module, options, diagnostics);
    if (diagnostics.empty()) {
      resolve_cleanups(*module);
      ProgramBuilder builder(*module, from_library, options);
      model::c::Program program = builder.build(*module->getFunction(options.entry));
      diagnostics = std::move(builder.errors());
      if (diagnostics.empty()) {
        result = std::move(program);
        return;
      }
    }
  }
  result = std::unexpected(std::move(diagnostics));
}

}  // namespace

}  // namespace heddle::frontend::c

extern "C" void heddle_read_c(
    std::span<const heddle::frontend::SourceText> sources,
    const heddle::frontend::c::ReadOptions& options,
    std::expected<heddle::model::c::Program, heddle::base::Diagnostics>& result) {
  heddle::frontend::c::read(sources, options, result);
}
