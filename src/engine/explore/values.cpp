#include "engine/explore/values.hpp"

#include <algorithm>

#include "engine/explore/word_classes.hpp"
#include "model/c/arithmetic.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

constexpr std::size_t kMostConstants = 12;
constexpr std::size_t kMostSuggestions = 16;
constexpr std::uint64_t kFew = 4;
constexpr unsigned kSmall = 8;
constexpr std::uint64_t kOneWord = 1'000'003;  ///< that programs hardly compare with

bool add(std::vector<std::uint64_t>& values, std::uint64_t value) {
  if (std::ranges::find(values, value) != values.end()) return false;
  values.push_back(value);
  return true;
}

std::vector<std::uint64_t> compared_constants(const Program& program) {
  std::vector<std::uint64_t> constants;
  for (const Function& function : program.functions) {
    if (function.is_library) continue;
    for (const Instruction& instruction : function.code) {
      const auto* compute = std::get_if<Compute>(&instruction.effect);
      if (compute == nullptr || compute->op < Operator::Eq || compute->op > Operator::SLe) continue;
      for (const Operand& operand : {compute->a, compute->b}) {
        if (operand.kind != Operand::Kind::Constant) continue;
        add(constants, static_cast<std::uint64_t>(as_signed(operand.value, compute->width)));
      }
    }
  }
  if (constants.size() > kMostConstants) constants.resize(kMostConstants);
  return constants;
}

}  // namespace

Values::Values(const Program& program) : program_(program), classes_(word_classes(program)) {}

bool Values::add_constants() {
  if (has_constants_) return false;
  has_constants_ = true;
  bool is_new = false;
  for (const std::uint64_t constant : compared_constants(program_)) {
    for (const std::uint64_t near : {constant, constant + 1, constant - 1}) {
      is_new = add(everywhere_, near) || is_new;
    }
  }
  return is_new;
}

bool Values::add_small_words() {
  if (has_small_words_) return false;
  has_small_words_ = true;
  for (const Function& function : program_.functions) {
    for (const Instruction& instruction : function.code) {
      const auto* choice = std::get_if<Choose>(&instruction.effect);
      if (choice != nullptr && choice->width > 2 && choice->width <= kSmall) return true;
    }
  }
  return false;
}

bool Values::suggest(ChoiceSite site, std::uint64_t word) {
  const Function& function = program_.functions[site.function.index()];
  const auto* choice = std::get_if<Choose>(&function.code[site.at.index()].effect);
  const unsigned width = choice != nullptr ? choice->width : 64;
  const auto is_it = [&](std::uint64_t one) { return low_bits(one, width) == word; };
  if (std::ranges::any_of(everywhere_, is_it)) return false;
  auto& values = suggested_[site];
  return values.size() < kMostSuggestions && add(values, word);
}

Candidates Values::of(ChoiceSite site, const ChoiceRequest& request) const {
  Candidates result;
  const std::uint64_t count = request.count != 0   ? request.count
                              : request.width <= 2 ? std::uint64_t{1} << request.width
                                                   : 0;
  if (count != 0 && (count <= kFew || request.count != 0)) {
    for (std::uint64_t i = 0; i < count; ++i) result.values.push_back(i);
    result.are_all = true;
    return result;
  }
  if (const auto known = classes_.find(site); known != classes_.end()) {
    return {known->second, true};
  }
  const bool is_small = request.kind != ChoiceRequest::Kind::Uninitialised && request.count == 0 &&
                        request.width <= kSmall;
  if (has_small_words_ && is_small) {
    for (std::uint64_t i = 0; i < std::uint64_t{1} << request.width; ++i)
      result.values.push_back(i);
    result.are_all = true;
    return result;
  }
  const std::uint64_t mask = request.kind == ChoiceRequest::Kind::Uninitialised
                                 ? request.undefined
                                 : low_bits(~std::uint64_t{0}, request.width);
  if (has_one_word_) {
    result.values = {kOneWord & mask};
    return result;
  }
  for (const std::uint64_t value : everywhere_) add(result.values, value & mask);
  const auto suggested = suggested_.find(site);
  if (suggested == suggested_.end()) return result;
  for (const std::uint64_t value : suggested->second) add(result.values, value & mask);
  return result;
}

}  // namespace heddle::engine::explore
