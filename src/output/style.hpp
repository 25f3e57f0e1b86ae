#pragma once

#include <string>
#include <string_view>

namespace heddle::output {

/// Colours and weights, on a terminal that wants them; plain text everywhere else.
class Style {
 public:
  explicit Style(bool coloured = false) : coloured_(coloured) {}

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string red(std::string_view text) const { return wrapped("1;31", text); }
  std::string green(std::string_view text) const { return wrapped("1;32", text); }
  std::string yellow(std::string_view text) const { return wrapped("1;33", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const {
    if (!coloured_ || text.empty()) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }

  bool coloured_;
};

}  // namespace heddle::output
