/// C types, from the debug information, as a person names them.

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "frontend/c/module/program_builder.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

/// Qualifiers change nothing that a type says here.
const llvm::DIType* unqualified(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
      default: return type;
    }
  }
  return type;
}

m::Type basic(const llvm::DIBasicType& type) {
  m::Type out;
  out.name = type.getName().str();
  out.bytes = type.getSizeInBits() / 8;
  switch (type.getEncoding()) {
    case llvm::dwarf::DW_ATE_boolean: out.kind = m::Type::Kind::Boolean; break;
    case llvm::dwarf::DW_ATE_signed_char:
      out.kind = m::Type::Kind::Character;
      out.is_signed = true;
      break;
    case llvm::dwarf::DW_ATE_unsigned_char: out.kind = m::Type::Kind::Character; break;
    case llvm::dwarf::DW_ATE_signed:
      out.kind = m::Type::Kind::Integer;
      out.is_signed = true;
      break;
    case llvm::dwarf::DW_ATE_unsigned: out.kind = m::Type::Kind::Integer; break;
    default: break;
  }
  return out;
}

std::uint64_t count_of(const llvm::DINode* range) {
  const auto* subrange = llvm::dyn_cast<llvm::DISubrange>(range);
  if (!subrange) return 0;
  const auto count = subrange->getCount();
  const auto* number = llvm::dyn_cast_if_present<llvm::ConstantInt*>(count);
  return number && number->getSExtValue() > 0 ? number->getZExtValue() : 0;
}

}  // namespace

std::optional<m::TypeId> ProgramBuilder::type(const llvm::DIType* wanted) {
  const llvm::DIType* type = unqualified(wanted);
  if (!type || llvm::isa<llvm::DISubroutineType>(type)) return std::nullopt;
  if (const auto known = type_ids_.find(type); known != type_ids_.end()) return known->second;
  // A name for a structure that has one already is not needed; for one without it is the name.
  if (const auto* alias = llvm::dyn_cast<llvm::DIDerivedType>(type);
      alias && alias->getTag() == llvm::dwarf::DW_TAG_typedef) {
    const auto base = this->type(alias->getBaseType());
    if (!base) return std::nullopt;
    m::Type& named = program_.types[base->index()];
    if (named.kind == m::Type::Kind::Struct || named.kind == m::Type::Kind::Union ||
        named.kind == m::Type::Kind::Array || named.kind == m::Type::Kind::Pointer) {
      if (named.name.empty()) named.name = alias->getName().str();
      type_ids_.emplace(type, *base);
      return base;
    }
    m::Type copy = named;
    copy.name = alias->getName().str();
    const m::TypeId id(program_.types.size());
    program_.types.push_back(std::move(copy));
    type_ids_.emplace(type, id);
    return id;
  }
  const m::TypeId id(program_.types.size());
  type_ids_.emplace(type, id);
  program_.types.emplace_back();
  m::Type described = describe(*type, id);
  m::Type& out = program_.types[id.index()];
  if (described.name.empty()) described.name = std::move(out.name);  // given by a typedef meanwhile
  out = std::move(described);
  return id;
}

m::Type ProgramBuilder::describe(const llvm::DIType& type, m::TypeId id) {
  if (const auto* simple = llvm::dyn_cast<llvm::DIBasicType>(&type)) return basic(*simple);
  m::Type out;
  out.bytes = type.getSizeInBits() / 8;
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(&type)) {
    if (derived->getTag() != llvm::dwarf::DW_TAG_pointer_type) return out;
    out.kind = program_.types[id.index()].kind = m::Type::Kind::Pointer;
    const llvm::DIType* target = unqualified(derived->getBaseType());
    out.element = this->type(target);
    if (target && llvm::isa<llvm::DISubroutineType>(target))
      out.name = "function *";
    else
      out.name = (out.element ? program_.types[out.element->index()].name : "void") + " *";
    return out;
  }
  describe_composite(type, id, out);
  return out;
}

void ProgramBuilder::describe_composite(const llvm::DIType& type, m::TypeId id, m::Type& out) {
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(&type);
  if (!composite) return;
  const std::string name = composite->getName().str();
  switch (composite->getTag()) {
    case llvm::dwarf::DW_TAG_enumeration_type:
      out.kind = m::Type::Kind::Integer;
      out.name = name.empty() ? "" : "enum " + name;
      out.is_signed = true;
      return;
    case llvm::dwarf::DW_TAG_array_type: {
      out.kind = m::Type::Kind::Array;
      std::optional<m::TypeId> element = this->type(composite->getBaseType());
      const auto ranges = composite->getElements();
      for (unsigned i = ranges.size(); i-- > 1;) {  // inner dimensions are arrays of their own
        m::Type inner;
        inner.kind = m::Type::Kind::Array;
        inner.count = count_of(ranges[i]);
        inner.element = element;
        inner.bytes = inner.count * (element ? program_.types[element->index()].bytes : 0);
        if (element) inner.name = program_.types[element->index()].name + " []";
        element = m::TypeId(program_.types.size());
        program_.types.push_back(std::move(inner));
      }
      out.element = element;
      out.count = ranges.empty() ? 0 : count_of(ranges[0]);
      if (element) out.name = program_.types[element->index()].name + " []";
      return;
    }
    case llvm::dwarf::DW_TAG_structure_type: out.kind = m::Type::Kind::Struct; break;
    case llvm::dwarf::DW_TAG_union_type: out.kind = m::Type::Kind::Union; break;
    default: return;
  }
  if (!name.empty()) out.name = (out.kind == m::Type::Kind::Union ? "union " : "struct ") + name;
  // Pointers to this type are described while its members are.
  program_.types[id.index()].kind = out.kind;
  program_.types[id.index()].name = out.name;
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
    const auto member_type = this->type(member->getBaseType());
    if (!member_type) continue;
    m::Type::Member part{member->getName().str(), member->getOffsetInBits() / 8, *member_type};
    if (member->isBitField()) {
      part.bits = static_cast<std::uint8_t>(member->getSizeInBits());
      part.bit_offset = static_cast<std::uint8_t>(member->getOffsetInBits() % 8);
    }
    out.members.push_back(std::move(part));
  }
}

}  // namespace heddle::frontend::c
