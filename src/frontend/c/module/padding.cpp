/// Structures in words. Clang passes and returns small structures in words of up to 8 bytes, which
/// may have padding in them. What is in padding is not defined, and reading it would be a choice
/// that the program never made. Where the words of a parameter or a result are loaded and stored,
/// only the members are: the word that is passed has zeros in between, which nobody can see, and
/// the padding of the copy stays undefined. Which bytes are members is said by the variable that
/// the called function stores its parameter to, or loads its result from.

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

/// A place in a structure.
struct StructurePlace {
  llvm::StructType* type = nullptr;
  std::uint64_t offset = 0;
};

const llvm::AllocaInst* base_of(const llvm::Value* address, const llvm::DataLayout& layout,
                                std::uint64_t& offset) {
  llvm::APInt moved(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value* base = address->stripAndAccumulateConstantOffsets(layout, moved, true);
  offset = moved.getZExtValue();
  return llvm::dyn_cast<llvm::AllocaInst>(base);
}

llvm::StructType* structure_of(const llvm::AllocaInst& variable) {
  auto* type = llvm::dyn_cast<llvm::StructType>(variable.getAllocatedType());
  return type && !type->isLiteral() ? type : nullptr;
}

/// Words that are copied to or from a structure, where that has another size or alignment.
llvm::StructType* structure_behind(const llvm::AllocaInst& words, const llvm::DataLayout& layout) {
  if (llvm::StructType* type = structure_of(words)) return type;
  if (variable_at(&words)) return nullptr;
  for (const llvm::User* user : words.users()) {
    const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
    if (!copy) continue;
    const llvm::Value* other =
        copy->getRawDest() == &words ? copy->getRawSource() : copy->getRawDest();
    std::uint64_t offset = 0;
    const llvm::AllocaInst* variable = base_of(other, layout, offset);
    if (variable && offset == 0 && structure_of(*variable)) return structure_of(*variable);
  }
  return nullptr;
}

StructurePlace place_of(const llvm::Value* address, const llvm::DataLayout& layout) {
  std::uint64_t offset = 0;
  const llvm::AllocaInst* variable = base_of(address, layout, offset);
  return {variable ? structure_behind(*variable, layout) : nullptr, offset};
}

bool returns_structure(const llvm::Function& function) {
  const llvm::DISubprogram* info = function.getSubprogram();
  if (!info || !info->getType() || info->getType()->getTypeArray().size() == 0) return false;
  const llvm::DIType* type = info->getType()->getTypeArray()[0];
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type))
    type = derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ? nullptr : derived->getBaseType();
  return llvm::isa_and_nonnull<llvm::DICompositeType>(type);
}

StructurePlace place_of_parameter(const llvm::Argument& parameter, const llvm::DataLayout& layout) {
  for (const llvm::User* user : parameter.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store && store->getValueOperand() == &parameter)
      return place_of(store->getPointerOperand(), layout);
  }
  return {};
}

StructurePlace place_of_result(const llvm::Function& function, const llvm::DataLayout& layout) {
  if (!returns_structure(function)) return {};
  for (const llvm::BasicBlock& block : function) {
    const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    const auto* load =
        end ? llvm::dyn_cast_or_null<llvm::LoadInst>(end->getReturnValue()) : nullptr;
    if (load) return place_of(load->getPointerOperand(), layout);
  }
  return {};
}

/// What a load is for: the argument of a call, or the result of the function.
StructurePlace place_of_load(const llvm::LoadInst& load, const llvm::DataLayout& layout) {
  if (!load.hasOneUse()) return {};
  const llvm::User* user = *load.user_begin();
  if (llvm::isa<llvm::ReturnInst>(user)) return place_of_result(*load.getFunction(), layout);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isDeclaration()) return {};
  for (unsigned i = 0; i < callee->arg_size() && i < call->arg_size(); ++i)
    if (call->getArgOperand(i) == &load && callee->getArg(i)->getType() == load.getType())
      return place_of_parameter(*callee->getArg(i), layout);
  return {};
}

/// Where a stored word comes from: a parameter, or the result of a call.
StructurePlace place_of_store(const llvm::StoreInst& store, const llvm::DataLayout& layout) {
  const llvm::Value* value = store.getValueOperand();
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(value))
    return place_of_parameter(*parameter, layout);
  std::uint64_t offset = 0;
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
    value = part->getAggregateOperand();
    auto* record = llvm::dyn_cast<llvm::StructType>(value->getType());
    if (!record || part->getNumIndices() != 1) return {};
    offset = layout.getStructLayout(record)->getElementOffset(*part->idx_begin());
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  if (!call) return {};
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee) return place_of(store.getPointerOperand(), layout);
  StructurePlace place = place_of_result(*callee, layout);
  place.offset += offset;
  return place;
}

}  // namespace

/// The members in a word of a structure, as offsets in the word; nothing if there is no padding.
std::optional<std::vector<FunctionBody::Span>> FunctionBody::members(llvm::Type* structure,
                                                                     std::uint64_t offset,
                                                                     std::uint64_t bytes) const {
  std::vector<bool> is_member(bytes, false);
  for (const Leaf& leaf : leaves(structure))
    for (std::uint64_t i = 0; i < (leaf.width + 7U) / 8; ++i)
      if (leaf.offset + i >= offset && leaf.offset + i < offset + bytes)
        is_member[leaf.offset + i - offset] = true;
  if (std::ranges::find(is_member, false) == is_member.end()) return std::nullopt;
  std::vector<Span> out;
  for (std::uint64_t at = 0; at < bytes;) {
    std::uint8_t size = 4;
    const auto is_whole = [&] {
      if (at % size != 0 || at + size > bytes) return false;
      return std::all_of(is_member.begin() + static_cast<std::ptrdiff_t>(at),
                         is_member.begin() + static_cast<std::ptrdiff_t>(at + size),
                         [](bool is) { return is; });
    };
    while (size > 1 && !is_whole()) size /= 2;
    if (is_member[at]) out.push_back({at, size});
    at += size;
  }
  return out;
}

/// A word of a structure; nothing if it is to be loaded as it is.
std::optional<FunctionBody::Operand> FunctionBody::load_members(const llvm::LoadInst& load,
                                                                const Leaf& word, Operand address) {
  const StructurePlace place = place_of_load(load, builder_.layout());
  if (!place.type || load.isAtomic() || load.isVolatile()) return std::nullopt;
  const auto parts = members(place.type, place.offset + word.offset, (word.width + 7U) / 8);
  if (!parts) return std::nullopt;
  Operand out = number(0);
  for (const Span& part : *parts) {
    const auto bits = static_cast<std::uint8_t>(8 * part.bytes);
    const Register loaded = fresh(bits);
    emit(m::Load{loaded, moved(address, word.offset + part.offset), part.bytes, false});
    Operand value = resized(use(loaded), bits, word.width, false);
    if (part.offset != 0)
      value = compute(m::Operator::Shl, word.width, value, number(8 * part.offset));
    out = part.offset == parts->front().offset ? value
                                               : compute(m::Operator::Or, word.width, out, value);
  }
  return out;
}

bool FunctionBody::store_members(const llvm::StoreInst& store, const Leaf& word, Operand address,
                                 Operand value) {
  const StructurePlace place = place_of_store(store, builder_.layout());
  if (!place.type || store.isAtomic() || store.isVolatile()) return false;
  const auto parts = members(place.type, place.offset + word.offset, (word.width + 7U) / 8);
  if (!parts) return false;
  for (const Span& part : *parts) {
    const auto bits = static_cast<std::uint8_t>(8 * part.bytes);
    Operand low = value;
    if (part.offset != 0)
      low = compute(m::Operator::LShr, word.width, value, number(8 * part.offset));
    low = resized(low, word.width, bits, false);
    emit(m::Store{moved(address, word.offset + part.offset), low, part.bytes, false});
  }
  return true;
}

/// Between words and the structure that they hold: the structure has padding, the words have not.
std::optional<std::vector<FunctionBody::Span>> FunctionBody::members_copied(
    const llvm::MemIntrinsic& copy, std::uint64_t size) const {
  const auto* transfer = llvm::dyn_cast<llvm::MemCpyInst>(&copy);
  if (!transfer) return std::nullopt;
  std::uint64_t to_offset = 0, from_offset = 0;
  const llvm::AllocaInst* to = base_of(transfer->getRawDest(), builder_.layout(), to_offset);
  const llvm::AllocaInst* from = base_of(transfer->getRawSource(), builder_.layout(), from_offset);
  if (!to || !from || to_offset != 0 || from_offset != 0) return std::nullopt;
  llvm::StructType* one = structure_of(*to);
  llvm::StructType* other = structure_of(*from);
  if ((one != nullptr) == (other != nullptr)) return std::nullopt;
  const llvm::AllocaInst* words = one ? from : to;
  if (variable_at(words) || words->getAllocatedType()->isArrayTy()) return std::nullopt;
  return members(one ? one : other, 0, size);
}

}  // namespace heddle::frontend::c
