#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/run_context.hpp"

namespace heddle::driver {

/// Events on their way from a child process: the phase, then a line `name<TAB>value` per figure.
/// Phases and names hold no line breaks and no tabs. Reading ignores what it does not understand.
std::string write_event(const base::Event& event);
base::Event read_event(std::string_view text);

/// The same with the name of the engine before it.
std::string write_progress(std::string_view engine, const base::Event& event);
std::pair<std::string, base::Event> read_progress(std::string_view text);

}  // namespace heddle::driver
