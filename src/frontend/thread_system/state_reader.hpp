#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "model/thread_system.hpp"

namespace heddle::frontend::thread_system {

/// Reads numbers of states and holds them against the system's ranges. A number out of range is
/// reported and read as 0, so that the rest of the line can still be looked at; nothing comes back
/// only where there is no number at all.
class StateReader {
 public:
  StateReader(text::Lexer& lexer, text::Problems& problems, std::uint32_t shared_count,
              std::uint32_t local_count)
      : lexer_(lexer),
        problems_(problems),
        shared_count_(shared_count),
        local_count_(local_count) {}

  /// The same where states may be called by their names, if the file has any: in questions.
  StateReader(text::Lexer& lexer, text::Problems& problems, const model::ThreadSystem& system)
      : StateReader(lexer, problems, system.shared_count, system.local_count) {
    if (!system.shared_names.empty() || !system.local_names.empty()) names_ = &system;
  }

  /// `hint` tells how the whole construct is written.
  std::optional<model::SharedState> shared(std::string_view hint);
  std::optional<model::LocalState> local(std::string_view hint);

 private:
  std::optional<std::uint32_t> state(const std::string& kind, std::uint32_t count,
                                     std::string_view hint);
  std::optional<std::uint32_t> named(const std::string& kind, const text::Token& name) const;

  text::Lexer& lexer_;
  text::Problems& problems_;
  std::uint32_t shared_count_;
  std::uint32_t local_count_;
  const model::ThreadSystem* names_ = nullptr;
};

/// The number that a token of kind Number stands for, unless it needs more than 32 bits.
std::optional<std::uint32_t> small_number(const text::Token& token);

}  // namespace heddle::frontend::thread_system
