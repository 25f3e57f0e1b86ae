#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "model/counting.hpp"

namespace heddle::output {

/// Something of a configuration that a person wants to see after each step.
class ReplayWatch {
 public:
  /// Thread systems: `shared`, a local state by number or name (how many threads are there), or
  /// `s|l` (how many threads are in l while the shared state is s). Nets: a place by name.
  static std::expected<ReplayWatch, std::string> parse(const model::CountingModel& model,
                                                       std::string_view text);

  const std::string& name() const { return name_; }
  std::string value(const model::CountingModel& model,
                    const model::Configuration& configuration) const;

  friend bool operator==(const ReplayWatch&, const ReplayWatch&) = default;

 private:
  enum class Kind { Shared, Counter, ThreadState };

  ReplayWatch(Kind kind, std::string name, model::SharedState shared, model::Counter counter)
      : kind_(kind), name_(std::move(name)), shared_(shared), counter_(counter) {}

  Kind kind_;
  std::string name_;
  model::SharedState shared_;
  model::Counter counter_;
};

}  // namespace heddle::output
