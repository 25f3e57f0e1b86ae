#include "frontend/remopla/variables.hpp"

namespace heddle::frontend::remopla {

namespace {

std::string bit_name(std::string_view name, const Variable& variable, std::size_t element,
                     std::size_t bit) {
  std::string result(name);
  if (variable.is_array) result += "_" + std::to_string(element);
  if (variable.is_integer) result += "_" + std::to_string(bit);
  return result;
}

model::boolean::Encoding encoding(std::string_view name, const Variable& variable,
                                  std::size_t element) {
  std::string own(name);
  if (variable.is_array) own += "[" + std::to_string(element) + "]";
  return {std::move(own), static_cast<std::uint32_t>(variable.width), variable.values};
}

}  // namespace

std::vector<model::boolean::Declaration> Variables::declare(boolean_program::Tokens& tokens,
                                                            const text::Token& name,
                                                            Variable variable,
                                                            std::size_t elements) {
  std::vector<model::boolean::Declaration> out;
  auto& known = in_module_ ? locals_ : globals_;
  auto& taken = in_module_ ? taken_locally_ : taken_;
  if (known.contains(name.text))
    tokens.fail(name, "'" + std::string(name.text) + "' is declared twice", "");
  for (std::size_t element = 0; element < elements; ++element) {
    auto& bits = variable.names.emplace_back();
    for (std::size_t bit = 0; bit < variable.width; ++bit) {
      bits.push_back(bit_name(name.text, variable, element, bit));
      out.push_back({bits.back(), std::nullopt, boolean_program::Tokens::position(name)});
      if (bit == 0) out.back().encoding = encoding(name.text, variable, element);
      if (taken.insert(bits.back()).second) continue;
      tokens.fail(name, "its part '" + bits.back() + "' has the name of another variable",
                  "rename one of them");
    }
  }
  known.emplace(name.text, std::move(variable));
  return out;
}

const Variable* Variables::find(std::string_view name) const {
  for (const auto* scope : {&locals_, &globals_})
    if (const auto it = scope->find(name); it != scope->end()) return &it->second;
  return nullptr;
}

void Variables::leave_module() {
  in_module_ = false;
  locals_.clear();
  taken_locally_.clear();
}

std::vector<std::string> Variables::declared() const {
  std::vector<std::string> names;
  for (const auto* scope : {&locals_, &globals_})
    for (const auto& [name, variable] : *scope) names.push_back(name);
  return names;
}

}  // namespace heddle::frontend::remopla
