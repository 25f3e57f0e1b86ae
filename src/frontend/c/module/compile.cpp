/// How Clang is asked.
///
/// Code is generated as for -O1 but no pass is run over it. Clang then marks where the lives of
/// local variables begin and end, and lists the members that a copy of a structure copies; at -O0
/// it does neither. The preprocessor sees -O0, so that headers do not take other branches.
///
/// Old programs are read as compilers read them for thirty years: functions that are not declared,
/// types that are missing and mixtures of integers and pointers are accepted.
///
/// Assertions in comments become statements (annotations.hpp).
///
/// Line markers of preprocessed files are blanked out before Clang sees the text: a position is a
/// line of the file that the user has, not of one that went through a preprocessor elsewhere.

#include "frontend/c/module/compile.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <cctype>

#include "frontend/c/module/annotations.hpp"
#include "frontend/c/module/signed_arithmetic.hpp"

namespace heddle::frontend::c {

namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostSourceBytes = std::size_t{32} << 20;
constexpr unsigned kMostIncludes = 20'000;

/// Clang's diagnostics as ours: errors only, a note becomes the hint of the error before it.
class Collector : public clang::DiagnosticConsumer {
 public:
  Collector(base::Diagnostics& out, std::string unit) : out_(out), unit_(std::move(unit)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    if (level == clang::DiagnosticsEngine::Note) {
      if (took_last_ && !out_.empty() && out_.back().hint.empty()) out_.back().hint = text.str();
      return;
    }
    took_last_ = level >= clang::DiagnosticsEngine::Error && out_.size() < kMostErrors;
    if (!took_last_) return;
    base::Diagnostic d;
    d.message = text.str();
    if (!d.message.empty() && d.message.size() > 1 && std::islower(d.message[1]))
      d.message[0] = static_cast<char>(std::tolower(d.message[0]));
    d.location.file = unit_;
    if (info.hasSourceManager() && info.getLocation().isValid()) locate(info, d);
    out_.push_back(std::move(d));
  }

 private:
  static void locate(const clang::Diagnostic& info, base::Diagnostic& d) {
    const clang::SourceManager& manager = info.getSourceManager();
    const clang::SourceLocation at = manager.getFileLoc(info.getLocation());
    const clang::PresumedLoc place = manager.getPresumedLoc(at);
    if (place.isInvalid()) return;
    d.location = {name_of_user(place.getFilename()), place.getLine(), place.getColumn()};
    bool invalid = false;
    const llvm::StringRef buffer = manager.getBufferData(manager.getFileID(at), &invalid);
    if (invalid) return;
    const std::size_t offset = manager.getFileOffset(at);
    const std::size_t newline = buffer.rfind('\n', offset);  // the last one before the place
    const std::size_t begin = newline == llvm::StringRef::npos ? 0 : newline + 1;
    d.line_text = base::line_of(buffer.substr(begin, 1000), 1);
    const unsigned length = clang::Lexer::MeasureTokenLength(at, manager, clang::LangOptions());
    d.offending = buffer.substr(offset, length).split('\n').first.str();
  }

  base::Diagnostics& out_;
  std::string unit_;
  bool took_last_ = false;
};

/// Headers that include each other twice at every level would keep Clang busy for ever.
class IncludeLimit : public clang::PPCallbacks {
 public:
  explicit IncludeLimit(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void LexedFileChanged(clang::FileID, LexedFileChangeReason reason,
                        clang::SrcMgr::CharacteristicKind, clang::FileID,
                        clang::SourceLocation at) override {
    if (reason != LexedFileChangeReason::EnterFile || ++entered_ != kMostIncludes) return;
    clang::DiagnosticsEngine& diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(at, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                                       "more than %0 files are included"))
        << kMostIncludes;
    preprocessor_.getPreprocessorOpts().SingleFileParseMode = true;  // enters no more files
  }

 private:
  clang::Preprocessor& preprocessor_;
  unsigned entered_ = 0;
};

/// CBMC starts a thread at a label of a certain name. To Clang it is a label like others.
class ThreadsAtLabels : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl* decl : group)
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl))
        for (const clang::Decl* inner : function->decls())
          if (const auto* label = llvm::dyn_cast<clang::LabelDecl>(inner)) look_at(*label);
    return true;
  }

 private:
  static void look_at(const clang::LabelDecl& label) {
    if (!label.getName().starts_with("__CPROVER_ASYNC_")) return;
    clang::DiagnosticsEngine& diagnostics = label.getASTContext().getDiagnostics();
    diagnostics.Report(label.getLocation(),
                       diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                   "threads that start at a label are not known; "
                                                   "start them with pthread_create"));
  }
};

class Generate : public clang::EmitLLVMOnlyAction {
 public:
  Generate(llvm::LLVMContext* context, SignedArithmetic& arithmetic)
      : EmitLLVMOnlyAction(context), arithmetic_(arithmetic) {}

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<IncludeLimit>(preprocessor));
    preprocessor.addCommentHandler(assertions_.get());
    return EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    all.push_back(std::make_unique<ThreadsAtLabels>());
    all.push_back(signed_arithmetic_reader(arithmetic_));
    all.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

 private:
  SignedArithmetic& arithmetic_;
  std::unique_ptr<clang::CommentHandler> assertions_ = assertion_reader();
};

/// `# 12 "file"` and `#line 12 "file"` become empty lines of the same length.
std::string without_line_markers(const std::string& text) {
  std::string out = text;
  std::size_t begin = 0;
  while (begin < out.size()) {
    const std::size_t newline = out.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? out.size() : newline;
    std::size_t at = begin;
    const auto skip_blanks = [&] {
      while (at < end && (out[at] == ' ' || out[at] == '\t')) ++at;
    };
    skip_blanks();
    if (at < end && out[at] == '#') {
      ++at;
      skip_blanks();
      if (out.compare(at, 4, "line") == 0) at += 4;
      skip_blanks();
      if (at < end && std::isdigit(static_cast<unsigned char>(out[at])))
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin),
                  out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    begin = end + 1;
  }
  return out;
}

bool is_preprocessed(const std::string& name) {
  return name.size() > 2 && name.compare(name.size() - 2, 2, ".i") == 0;
}

void add_flags(const CompileOptions& options, std::vector<std::string>& out) {
  if (!options.standard.empty()) out.push_back("-std=" + options.standard);
  for (const std::string& path : options.include_paths) out.push_back("-I" + path);
  for (const std::string& name : options.definitions) out.push_back("-D" + name);
  for (const std::string& name : options.undefinitions) out.push_back("-U" + name);
  for (const std::string& file : options.forced_includes) out.insert(out.end(), {"-include", file});
  out.insert(out.end(), options.clang_flags.begin(), options.clang_flags.end());
}

std::vector<std::string> arguments(const SourceText& source, const ReadOptions& options,
                                   Unit unit) {
  std::vector<std::string> out = {HEDDLE_CLANG_BINARY,
                                  "-resource-dir",
                                  HEDDLE_CLANG_RESOURCES,
                                  options.pointer_bytes == 4 ? "-m32" : "-m64",
                                  "-O0",
                                  "-w",
                                  "-fno-stack-protector",
                                  "-ferror-limit=20",
                                  "-fno-caret-diagnostics"};
  for (const char* permitted :
       {"implicit-function-declaration", "implicit-int", "int-conversion",
        "incompatible-function-pointer-types", "return-type", "incompatible-pointer-types",
        "return-mismatch", "builtin-requires-header"})
    out.push_back(std::string("-Wno-error=") + permitted);
  if (unit == Unit::Library) {
    out.insert(out.end(), {"-ffreestanding", "-fno-builtin", "-std=gnu11"});
  } else {
    out.insert(out.end(), {"-g", "-fstandalone-debug"});
    const auto own = options.of_source.find(source.name);
    if (own != options.of_source.end()) add_flags(own->second, out);
    // What GCC 11 wrote into preprocessed headers, and Clang does not know.
    if (is_preprocessed(source.name)) out.insert(out.end(), {"-undef", "-D__malloc__(...)="});
    // The 32-bit headers of glibc are the 64-bit ones but for a list of stubs, which is ours.
    if (options.pointer_bytes == 4)
      out.insert(out.end(),
                 {"-idirafter", "/usr/include/x86_64-linux-gnu", "-idirafter", "/heddle/include"});
    add_flags(options, out);
  }
  out.insert(out.end(), {"-x", "c", name_for_clang(source.name)});
  return out;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const SourceText& source,
                                                         const ReadOptions& options) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> all = memory;
  if (options.headers_from_disk) {
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        llvm::vfs::createPhysicalFileSystem());
    overlay->pushOverlay(memory);
    all = overlay;
  }
  const auto add = [&](const std::string& name, std::string text) {
    memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text, name));
  };
  add("/heddle/include/gnu/stubs-32.h", "");
  for (const SourceText& header : options.headers) add(header.name, header.text);
  add(name_for_clang(source.name), without_line_markers(source.text));
  return all;
}

}  // namespace

std::unique_ptr<llvm::Module> compile(llvm::LLVMContext& context, const SourceText& source,
                                      const ReadOptions& options, Unit unit,
                                      base::Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  if (source.text.size() > kMostSourceBytes) {
    diagnostics.push_back(error_in(source.name, "the file has " +
                                                    std::to_string(source.text.size() >> 20) +
                                                    " MB; C files of up to 32 MB are read"));
    return nullptr;
  }
  auto files = files_of(source, options);
  Collector collector(diagnostics, source.name);
  auto engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions(),
                                                           &collector, /*ShouldOwnClient=*/false);
  const std::vector<std::string> texts = arguments(source, options, unit);
  std::vector<const char*> words;
  for (const std::string& text : texts) words.push_back(text.c_str());
  clang::CreateInvocationOptions how;
  how.Diags = engine;
  how.VFS = files;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(words, how);
  std::unique_ptr<llvm::Module> module;
  if (invocation && diagnostics.size() == errors_before) {
    invocation->getCodeGenOpts().OptimizationLevel = 1;
    invocation->getCodeGenOpts().DisableLLVMPasses = true;
    invocation->getCodeGenOpts().RelaxedAliasing = false;
    invocation->getFrontendOpts().DisableFree = false;
    clang::CompilerInstance compiler;
    compiler.setInvocation(invocation);
    compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
    compiler.createFileManager(files);
    SignedArithmetic arithmetic;
    Generate generate(&context, arithmetic);
    if (compiler.ExecuteAction(generate)) module = generate.takeModule();
    if (module) mark_signed_arithmetic(*module, arithmetic, options.asks_for_overflow);
    if (!module && diagnostics.size() == errors_before)
      diagnostics.push_back(error_in(source.name, "cannot be compiled"));
  } else if (diagnostics.size() == errors_before) {
    diagnostics.push_back(error_in(source.name, "Clang does not accept these options"));
  }
  return diagnostics.size() == errors_before ? std::move(module) : nullptr;
}

}  // namespace heddle::frontend::c
