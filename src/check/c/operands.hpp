#pragma once

/// What instructions of C programs read and write of their thread's registers.

#include <vector>

#include "model/c/program.hpp"

namespace heddle::check::c {

/// What an instruction reads.
struct OperandsOf {
  using List = std::vector<model::c::Operand>;
  List operator()(const model::c::Compute& e) const {
    return e.op == model::c::Operator::Select ? List{e.a, e.b, e.c} : List{e.a, e.b};
  }
  List operator()(const model::c::Assign& e) const {
    List list;
    for (const auto& [to, from] : e.copies) list.push_back(from);
    return list;
  }
  List operator()(const model::c::Branch& e) const { return {e.condition}; }
  List operator()(const model::c::Switch& e) const { return {e.value}; }
  List operator()(const model::c::Call& e) const {
    List list = e.arguments;
    list.push_back(e.callee);
    return list;
  }
  List operator()(const model::c::Return& e) const { return e.values; }
  List operator()(const model::c::Allocate& e) const { return {e.size}; }
  List operator()(const model::c::Free& e) const { return {e.address}; }
  List operator()(const model::c::Lifetime& e) const { return {e.address}; }
  List operator()(const model::c::ObjectSize& e) const { return {e.address}; }
  List operator()(const model::c::Load& e) const { return {e.address}; }
  List operator()(const model::c::Store& e) const { return {e.address, e.value}; }
  List operator()(const model::c::ReadModifyWrite& e) const { return {e.address, e.value}; }
  List operator()(const model::c::CompareExchange& e) const {
    return {e.address, e.expected, e.desired};
  }
  List operator()(const model::c::Synchronise& e) const { return e.arguments; }
  List operator()(const model::c::Assume& e) const { return {e.condition}; }
  List operator()(const model::c::Choose&) const { return {}; }
  List operator()(const model::c::Jump&) const { return {}; }
  List operator()(const model::c::Fail&) const { return {}; }
  List operator()(const model::c::Exit&) const { return {}; }
  List operator()(const model::c::Unsupported&) const { return {}; }
};

/// The registers of its own frame that an instruction writes.
struct WrittenBy {
  using List = std::vector<model::c::Register>;
  List operator()(const model::c::Compute& e) const { return {e.to}; }
  List operator()(const model::c::Choose& e) const { return {e.to}; }
  List operator()(const model::c::Assign& e) const {
    List list;
    for (const auto& [to, from] : e.copies) list.push_back(to);
    return list;
  }
  List operator()(const model::c::Allocate& e) const { return {e.to}; }
  List operator()(const model::c::ObjectSize& e) const { return {e.to}; }
  List operator()(const model::c::Load& e) const { return {e.to}; }
  List operator()(const model::c::ReadModifyWrite& e) const { return {e.to}; }
  List operator()(const model::c::CompareExchange& e) const { return {e.old, e.success}; }
  List operator()(const model::c::Synchronise& e) const { return e.to ? List{*e.to} : List{}; }
  template <class Other>
  List operator()(const Other&) const {
    return {};
  }
};

}  // namespace heddle::check::c
