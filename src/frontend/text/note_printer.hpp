#pragma once

#include <string>
#include <string_view>

namespace heddle::frontend::text {

/// Appends each line of `note` as a comment line of its own; empty lines are left out.
void print_note(std::string& out, std::string_view note);

}  // namespace heddle::frontend::text
