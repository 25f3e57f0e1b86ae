#include "frontend/c/module/signed_arithmetic.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>

namespace heddle::frontend::c {

namespace {

using SourcePlace = SignedArithmetic::SourcePlace;

class SignedArithmeticReader : public clang::ASTConsumer {
 public:
  explicit SignedArithmeticReader(SignedArithmetic& out) : out_(out) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // After an error there are expressions without a type, and no code is generated anyway.
    if (context_->getDiagnostics().hasErrorOccurred()) return true;
    for (const clang::Decl* decl : group)
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl))
        if (function->doesThisDeclarationHaveABody()) walk(function->getBody());
    return true;
  }

 private:
  void walk(const clang::Stmt* body) {
    std::vector<const clang::Stmt*> pending = {body};
    while (!pending.empty()) {
      const clang::Stmt* next = pending.back();
      pending.pop_back();
      if (!next || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(next)) continue;
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(next)) look_at(*binary);
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(next)) look_at(*unary);
      if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(next)) {
        for (const clang::Decl* decl : declares->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            if (!variable->hasGlobalStorage()) pending.push_back(variable->getInit());
        continue;
      }
      for (const clang::Stmt* child : next->children()) pending.push_back(child);
    }
  }

  SourcePlace place(clang::SourceLocation where) const {
    const clang::SourceManager& sources = context_->getSourceManager();
    const clang::PresumedLoc found = sources.getPresumedLoc(sources.getExpansionLoc(where));
    if (found.isInvalid()) return {};
    return {llvm::sys::path::filename(found.getFilename()).str(), found.getLine(),
            found.getColumn()};
  }

  bool is_signed(clang::QualType type) const { return type->isSignedIntegerType(); }

  void look_at(const clang::BinaryOperator& operation) {
    clang::QualType type = operation.getType();
    if (const auto* assignment = llvm::dyn_cast<clang::CompoundAssignOperator>(&operation))
      type = assignment->getComputationLHSType();
    if (operation.getOpcode() == clang::BO_Shl || operation.getOpcode() == clang::BO_ShlAssign)
      (is_signed(type) ? out_.signed_shifts : out_.other_shifts)
          .insert(place(operation.getOperatorLoc()));
    if (!is_signed(type) || operation.isAssignmentOp()) return;
    switch (operation.getOpcode()) {
      case clang::BO_Add:
      case clang::BO_Sub:
      case clang::BO_Mul:
      case clang::BO_Div:
      case clang::BO_Rem:
      case clang::BO_Shl: break;
      default: return;
    }
    const auto b = constant(*operation.getRHS());
    const auto a = b ? constant(*operation.getLHS()) : std::nullopt;
    if (a)
      compute(operation.getOpcode(), *a, *b, context_->getIntWidth(type),
              operation.getOperatorLoc());
  }

  void look_at(const clang::UnaryOperator& operation) {
    if (operation.getOpcode() != clang::UO_Minus || !is_signed(operation.getType())) return;
    if (const auto a = constant(*operation.getSubExpr()))
      compute(clang::BO_Sub, llvm::APInt(kWide, 0), *a, context_->getIntWidth(operation.getType()),
              operation.getOperatorLoc());
  }

  /// The value of a constant expression, wide enough to compute with.
  std::optional<llvm::APInt> constant(const clang::Expr& expression) const {
    clang::Expr::EvalResult result;
    if (!expression.getType()->isIntegralOrEnumerationType() ||
        !expression.EvaluateAsInt(result, *context_))
      return std::nullopt;
    const llvm::APSInt& value = result.Val.getInt();
    if (value.getBitWidth() > 64) return std::nullopt;
    return value.isSigned() ? value.sext(kWide) : value.zext(kWide);
  }

  void compute(clang::BinaryOperatorKind operation, const llvm::APInt& a, const llvm::APInt& b,
               unsigned width, clang::SourceLocation where) {
    const bool divides = operation == clang::BO_Div || operation == clang::BO_Rem;
    if (divides && b.isZero()) return;
    const bool shifts = operation == clang::BO_Shl;
    const bool is_too_far = shifts && (b.isNegative() || b.uge(width));
    llvm::APInt exact(kWide, 0);
    switch (operation) {
      case clang::BO_Add: exact = a + b; break;
      case clang::BO_Sub: exact = a - b; break;
      case clang::BO_Mul: exact = a * b; break;
      case clang::BO_Shl:
        if (!is_too_far) exact = a.shl(static_cast<unsigned>(b.getZExtValue()));
        break;
      default: exact = a.sdiv(b); break;
    }
    const bool overflows =
        is_too_far || (shifts && a.isNegative()) || exact.getSignificantBits() > width;
    if (!overflows) return;
    const bool has_result = !is_too_far && !divides;
    out_.overflows.push_back({place(where),
                              has_result ? exact.trunc(width).zextOrTrunc(64).getZExtValue() : 0,
                              has_result ? width : 0});
  }

  static constexpr unsigned kWide = 256;
  SignedArithmetic& out_;
  clang::ASTContext* context_ = nullptr;
};

SourcePlace place_of(const llvm::Instruction& i) {
  const llvm::DILocation* where = i.getDebugLoc().get();
  if (!where) return {};
  return {llvm::sys::path::filename(where->getFilename()).str(), where->getLine(),
          where->getColumn()};
}

bool is_on_line_of(const llvm::Instruction& i, const SourcePlace& place) {
  const SourcePlace own = place_of(i);
  return std::get<0>(own) == std::get<0>(place) && std::get<1>(own) == std::get<1>(place) &&
         !llvm::isa<llvm::PHINode>(i) && !llvm::isa<llvm::DbgInfoIntrinsic>(i);
}

/// Small numbers are used for other things, too.
bool is_telling(const SignedArithmetic::Folded& folded) {
  return folded.width >= 32 && folded.result > 128 &&
         folded.result < (~std::uint64_t{0} >> (64 - folded.width)) - 128;
}

bool uses(const llvm::Instruction& i, const SignedArithmetic::Folded& folded) {
  for (const llvm::Value* operand : i.operands()) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operand);
    if (number && number->getBitWidth() >= folded.width && number->getBitWidth() <= 64 &&
        number->getValue().trunc(folded.width).getZExtValue() == folded.result)
      return true;
  }
  return false;
}

void add_overflow(llvm::Instruction& before) {
  llvm::Type* type = llvm::Type::getInt32Ty(before.getContext());
  auto* added = llvm::BinaryOperator::CreateNSWAdd(llvm::ConstantInt::get(type, 0x7fffffff),
                                                   llvm::ConstantInt::get(type, 1));
  added->insertBefore(&before);
  added->setDebugLoc(before.getDebugLoc());
}

void add_end(llvm::Module& module, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  const llvm::FunctionCallee end =
      module.getOrInsertFunction("__heddle_unsupported", builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(
      end, {builder.CreateGlobalString("overflow of an operation on constants on this line")});
}

}  // namespace

std::unique_ptr<clang::ASTConsumer> signed_arithmetic_reader(SignedArithmetic& out) {
  return std::make_unique<SignedArithmeticReader>(out);
}

void mark_signed_arithmetic(llvm::Module& module, const SignedArithmetic& found,
                            bool asks_for_overflow) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& i : llvm::instructions(function)) {
      if (i.getOpcode() != llvm::Instruction::Shl) continue;
      const SourcePlace place = place_of(i);
      if (found.signed_shifts.contains(place) && !found.other_shifts.contains(place))
        i.setHasNoSignedWrap(true);
    }
  }
  for (const SignedArithmetic::Folded& folded : found.overflows) {
    llvm::Instruction* first = nullptr;
    std::vector<llvm::Instruction*> users;
    for (llvm::Function& function : module) {
      for (llvm::Instruction& i : llvm::instructions(function)) {
        if (!is_on_line_of(i, folded.place)) continue;
        if (!first) first = &i;
        if (is_telling(folded) && uses(i, folded)) users.push_back(&i);
      }
    }
    for (llvm::Instruction* user : users) add_overflow(*user);
    if (users.empty() && first && asks_for_overflow) add_end(module, *first);
  }
}

}  // namespace heddle::frontend::c
