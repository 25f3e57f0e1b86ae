#include "model/c/violation.hpp"

#include <array>
#include <utility>

namespace heddle::model::c {

namespace {

constexpr std::array<std::pair<std::string_view, Property>, 10> kProperties{{
    {"reach", Property::Reach},
    {"no-data-race", Property::NoDataRace},
    {"no-deadlock", Property::NoDeadlock},
    {"no-overflow", Property::NoOverflow},
    {"memory", Property::Memory},
    {"memory-safety", Property::MemorySafety},
    {"memory-cleanup", Property::MemoryCleanup},
    {"no-fault", Property::NoFault},
    {"termination", Property::Termination},
    {"fair-termination", Property::FairTermination},
}};

}  // namespace

std::string_view to_string(Violation::Kind kind) {
  switch (kind) {
    case Violation::Kind::Failure: return "failure";
    case Violation::Kind::InvalidAccess: return "invalid access";
    case Violation::Kind::InvalidFree: return "invalid free";
    case Violation::Kind::DoubleFree: return "double free";
    case Violation::Kind::LostMemory: return "lost memory";
    case Violation::Kind::UnfreedMemory: return "unfreed memory";
    case Violation::Kind::Overflow: return "overflow";
    case Violation::Kind::DivisionByZero: return "division by zero";
    case Violation::Kind::Deadlock: return "deadlock";
    case Violation::Kind::DataRace: return "data race";
    case Violation::Kind::Blocked: return "blocked";
    case Violation::Kind::Lasso: return "lasso";
    case Violation::Kind::Unsupported: return "unsupported";
  }
  return "";
}

std::string_view to_string(Property property) {
  for (const auto& [name, value] : kProperties) {
    if (value == property) return name;
  }
  return "";
}

std::optional<Property> parse_property(std::string_view name) {
  if (name == "unreach-call") return Property::Reach;
  if (name == "valid-memsafety") return Property::MemorySafety;
  if (name == "valid-memcleanup") return Property::MemoryCleanup;
  for (const auto& [known, value] : kProperties) {
    if (known == name) return value;
  }
  return std::nullopt;
}

bool violates(Property property, Violation::Kind kind) {
  switch (property) {
    case Property::Reach: return kind == Violation::Kind::Failure;
    case Property::NoDataRace: return kind == Violation::Kind::DataRace;
    case Property::NoDeadlock: return kind == Violation::Kind::Deadlock;
    case Property::NoOverflow: return kind == Violation::Kind::Overflow;
    case Property::Memory:
      return kind == Violation::Kind::InvalidAccess || kind == Violation::Kind::InvalidFree ||
             kind == Violation::Kind::DoubleFree;
    case Property::MemorySafety:
      return violates(Property::Memory, kind) || kind == Violation::Kind::LostMemory;
    case Property::MemoryCleanup:
      return kind == Violation::Kind::LostMemory || kind == Violation::Kind::UnfreedMemory;
    case Property::NoFault: return is_fault(kind);
    case Property::Termination:
    case Property::FairTermination:
      return kind == Violation::Kind::Blocked || kind == Violation::Kind::Lasso;
  }
  return false;
}

bool is_about_ending(Property property) { return violates(property, Violation::Kind::Lasso); }

bool is_about_waiting(Property property) {
  return property == Property::NoDeadlock || is_about_ending(property);
}

bool is_undefined_behaviour(Violation::Kind kind) {
  switch (kind) {
    case Violation::Kind::InvalidAccess:
    case Violation::Kind::InvalidFree:
    case Violation::Kind::DoubleFree:
    case Violation::Kind::Overflow:
    case Violation::Kind::DivisionByZero:
    case Violation::Kind::DataRace: return true;
    case Violation::Kind::Failure:
    case Violation::Kind::LostMemory:
    case Violation::Kind::UnfreedMemory:
    case Violation::Kind::Deadlock:
    case Violation::Kind::Blocked:
    case Violation::Kind::Lasso:
    case Violation::Kind::Unsupported: break;
  }
  return false;
}

bool is_fault(Violation::Kind kind) {
  return violates(Property::Memory, kind) || kind == Violation::Kind::DivisionByZero;
}

bool tracks_memory(Property property) { return violates(property, Violation::Kind::LostMemory); }

}  // namespace heddle::model::c
