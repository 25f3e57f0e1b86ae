#pragma once

/// The text of one function of the sequential program. See function_text.cpp.

#include <set>
#include <string>
#include <vector>

#include "transform/sequential_c/layout.hpp"
#include "transform/sequential_c/words.hpp"

namespace heddle::transform::sequential_c {

class FunctionText {
 public:
  FunctionText(const Environment& environment, FunctionId id);

  /// `static unsigned int f(unsigned int r0)`
  std::string head() const;
  /// Throws Refusal.
  std::string definition();

 private:
  using Operand = model::c::Operand;
  using Register = model::c::Register;

  std::string body();
  void write(Location at);
  void line(const std::string& text);
  void go(Location from, Location to);
  void pass(Location from, Location to);
  bool is_next(Location from, Location to) const;
  void go_if(const std::string& condition, Location from, Location to);

  void execute(const model::c::Compute& i);
  void execute(const model::c::Choose& i);
  void execute(const model::c::Assign& i);
  void execute(const model::c::Jump& i);
  void execute(const model::c::Branch& i);
  void execute(const model::c::Switch& i);
  void execute(const model::c::Call& i);
  void execute(const model::c::Return& i);
  void execute(const model::c::Allocate& i);
  void execute(const model::c::Free& i);
  void execute(const model::c::Lifetime& i);
  void execute(const model::c::ObjectSize& i);
  void execute(const model::c::Load& i);
  void execute(const model::c::Store& i);
  void execute(const model::c::ReadModifyWrite& i);
  void execute(const model::c::CompareExchange& i);
  void execute(const model::c::Synchronise& i);
  void execute(const model::c::Assume& i);
  void execute(const model::c::Fail& i);
  void execute(const model::c::Exit& i);
  void execute(const model::c::Unsupported& i);

  void call(FunctionId callee, const model::c::Call& i);
  void create(const model::c::Synchronise& i);
  void join(const model::c::Synchronise& i);
  void wait(const model::c::Synchronise& i);
  /// `lock__m()`, `lock(address)`; the name of the operation comes first.
  std::string mutex_call(const std::string& operation, const Operand& mutex,
                         const std::string& more = "");
  void check_condition(const Operand& condition);
  void finish(const model::c::Synchronise& i, const std::string& result);
  void finish_call(const model::c::Synchronise& i, const std::string& call, bool may_stop);
  void turn_for_release(const Operand& mutex);

  // Control
  std::string stop() const;
  void turn();
  /// Before an access to memory that others may notice.
  void turn_for(const Operand& address, bool is_plain);
  void violate(model::c::Violation::Kind kind, const std::string& condition);
  void give_up_if(const std::string& condition);
  void stop_after_access();
  bool is_bytes(const Operand& address) const;
  void leave_frame();

  // Values
  Word word(const Operand& operand, unsigned width);
  std::string text(const Operand& operand, unsigned width) { return word(operand, width).text; }
  std::string condition(const Operand& operand);
  std::string name_of(Register r) const { return names_[r.index()]; }
  bool is_needed(Register r) const { return needed_.contains(r); }
  void set(Register to, const std::string& value, unsigned width);
  unsigned pointer_width() const { return 8u * environment_.program.pointer_bytes; }

  // Memory
  std::string read(const Operand& address, unsigned bytes);
  void write_to(const Operand& address, unsigned bytes, const std::string& value);
  std::string number_of(ObjectId object) const;
  void make_undefined(ObjectId object);
  bool is_written_soon(ObjectId object) const;
  std::string cell_name(const Cell& cell) const;
  void set_cell(const Cell& cell, const std::string& value);

  const Environment& environment_;
  FunctionId id_;
  const model::c::Function& function_;
  std::vector<std::string> names_;  ///< of registers
  std::map<const Cell*, std::string> locals_;
  std::vector<const Cell*> local_cells_;
  // What the text reads and where it jumps to: that of the last pass, and of this one.
  std::set<Register> needed_, read_;
  std::set<const Cell*> needed_cells_, read_cells_;
  std::set<Location> labels_, jumped_;
  Location at_;
  std::uint32_t last_line_ = 0;
  std::string out_;
};

}  // namespace heddle::transform::sequential_c
