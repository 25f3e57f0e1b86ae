#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::frontend::remopla {

/// Names that Remopla can read and that mean one thing each: those of the program where that is
/// possible, others with `_` behind them.
class Names {
 public:
  explicit Names(const model::boolean::Flow& flow);

  const std::string& shared(std::uint32_t index) const { return shared_[index]; }
  const std::string& module(std::uint32_t frame) const { return modules_[frame]; }
  /// Of a frame's variables, parameters first.
  const std::vector<std::string>& locals(std::uint32_t frame) const { return locals_[frame]; }
  /// A variable of our own, `prefix_index`.
  std::string own(const char* prefix, std::size_t index) const;

 private:
  static std::string fresh(const std::string& wanted, std::set<std::string>& taken);

  std::string mark_ = "_";  ///< in names of our own
  std::vector<std::string> shared_, modules_;
  std::vector<std::vector<std::string>> locals_;
};

}  // namespace heddle::frontend::remopla
