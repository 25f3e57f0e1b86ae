#include "engine/explore/word_classes.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/explore/future_accesses.hpp"
#include "model/c/arithmetic.hpp"
#include "model/c/liveness.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

/// More candidates than these are not worth it.
constexpr std::size_t kMostCompared = 16;

bool is_comparison(Operator op) { return op >= Operator::Eq && op <= Operator::SLe; }

/// Whether something reads the results of threads.
bool reads_results(const Program& program) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      const auto* sync = std::get_if<Synchronise>(&instruction.effect);
      if (sync == nullptr || sync->operation != SyncOperation::JoinThread) continue;
      const Operand& target = sync->arguments[1];
      if (target.kind != Operand::Kind::Constant || target.value != 0) return true;
    }
  }
  return false;
}

/// Functions that calls may return from.
std::set<std::uint32_t> called_functions(const Program& program) {
  std::set<std::uint32_t> called = functions_taken(program);
  called.insert(program.entry.value);
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      const auto* call = std::get_if<Call>(&instruction.effect);
      if (call != nullptr && call->callee.kind == Operand::Kind::Function) {
        called.insert(call->callee.index);
      }
    }
  }
  return called;
}

/// What becomes of words that are chosen in one function.
class Uses {
 public:
  Uses(const Function& function, bool returns_matter)
      : function_(function), returns_matter_(returns_matter) {
    for (std::uint32_t at = 0; at < function.code.size(); ++at)
      flows_.push_back(flow_of(function, at));
  }

  std::optional<std::vector<std::uint64_t>> classes(std::uint32_t at, const Choose& choice) {
    constants_.clear();
    are_ordered_ = false;
    const auto is_harmless = [&](std::uint32_t location, std::uint32_t r) {
      return !reads(location, r) || is_harmless_use(location, r);
    };
    if (!holds_wherever_it_comes(at, choice, is_harmless) || constants_.size() > kMostCompared)
      return std::nullopt;
    return candidates(choice.width);
  }

  /// Whether nothing is computed with the word in this function, but for remainders and masks.
  bool is_data(std::uint32_t at, const Choose& choice) {
    return holds_wherever_it_comes(at, choice, [&](std::uint32_t location, std::uint32_t r) {
      const Effect& effect = function_.code[location].effect;
      if (const auto* assign = std::get_if<Assign>(&effect)) follow(location, r, *assign);
      const auto* compute = std::get_if<Compute>(&effect);
      if (compute == nullptr || !reads(location, r)) return true;
      if (is_copying(compute->op)) leak(location, compute->to.value);
      return keeps_data(*compute);
    });
  }

 private:
  static bool is_copying(Operator op) {
    return op == Operator::Copy || op == Operator::ZeroExtend || op == Operator::SignExtend ||
           op == Operator::Truncate || op == Operator::Select;
  }
  static bool keeps_data(const Compute& compute) {
    const bool is_bounded = compute.op == Operator::URem || compute.op == Operator::And;
    return is_copying(compute.op) || is_comparison(compute.op) ||
           (is_bounded && compute.b.kind == Operand::Kind::Constant);
  }
  bool reads(std::uint32_t at, std::uint32_t r) const {
    return std::ranges::find(flows_[at].reads, r) != flows_[at].reads.end();
  }
  bool writes(std::uint32_t at, std::uint32_t r) const {
    return std::ranges::find(flows_[at].writes, r) != flows_[at].writes.end();
  }
  void follow(std::uint32_t at, std::uint32_t r, const Assign& effect) {
    for (const auto& [to, from] : effect.copies)
      if (is_register(from, r)) leak(at, to.value);
  }

  /// After the instruction, the register may hold what leaked.
  void leak(std::uint32_t at, std::uint32_t r) {
    for (const std::uint32_t next : flows_[at].next)
      if (seen_.emplace(next, r).second) pending_.emplace_back(next, r);
  }

  /// Follows the word from where it is chosen, and asks at each location, and for each register
  /// that may hold the word before it.
  template <class Predicate>
  bool holds_wherever_it_comes(std::uint32_t at, const Choose& choice, Predicate holds) {
    seen_.clear();
    pending_.clear();
    leak(at, choice.to.value);
    while (!pending_.empty()) {
      const auto [location, r] = pending_.back();
      pending_.pop_back();
      if (!holds(location, r)) return false;
      if (!writes(location, r)) leak(location, r);
    }
    return true;
  }

  /// Collects the constants that the word is compared with; false: it matters.
  bool is_harmless_use(std::uint32_t at, std::uint32_t r) {
    const Effect& effect = function_.code[at].effect;
    if (const auto* compute = std::get_if<Compute>(&effect)) return compare(at, r, *compute);
    if (const auto* cases = std::get_if<Switch>(&effect)) {
      for (const auto& [value, location] : cases->cases) constants_.insert(value);
      return true;
    }
    if (const auto* assign = std::get_if<Assign>(&effect)) {
      follow(at, r, *assign);
      return true;
    }
    return std::holds_alternative<Return>(effect) && !returns_matter_;
  }

  bool compare(std::uint32_t at, std::uint32_t r, const Compute& compute) {
    const bool copies = compute.op == Operator::Copy || compute.op == Operator::ZeroExtend ||
                        compute.op == Operator::SignExtend;
    if (copies) {
      leak(at, compute.to.value);
      return true;
    }
    if (!is_comparison(compute.op)) return false;
    const bool is_first = is_register(compute.a, r);
    const Operand& other = is_first ? compute.b : compute.a;
    if (other.kind != Operand::Kind::Constant) return false;
    constants_.insert(other.value);
    are_ordered_ = are_ordered_ || (compute.op != Operator::Eq && compute.op != Operator::Ne);
    return true;
  }

  static bool is_register(const Operand& operand, std::uint32_t r) {
    return operand.kind == Operand::Kind::Register && operand.index == r;
  }

  std::vector<std::uint64_t> candidates(std::uint8_t width) const {
    std::set<std::uint64_t> words;
    for (const std::uint64_t constant : constants_) {
      words.insert(low_bits(constant, width));
      if (!are_ordered_) continue;
      words.insert(low_bits(constant + 1, width));
      words.insert(low_bits(constant - 1, width));
    }
    if (are_ordered_) {
      const std::uint64_t half = std::uint64_t{1} << (width - 1);
      words.insert({0, half - 1, half, low_bits(~std::uint64_t{0}, width)});
    } else {
      std::uint64_t other = 0;
      while (words.contains(other)) ++other;
      if (low_bits(other, width) == other) words.insert(other);
    }
    return {words.begin(), words.end()};
  }

  const Function& function_;
  bool returns_matter_;
  std::vector<RegisterUse> flows_;                             ///< by location
  using RegisterAt = std::pair<std::uint32_t, std::uint32_t>;  ///< a location, and a register there
  std::set<RegisterAt> seen_;
  std::vector<RegisterAt> pending_;
  std::set<std::uint64_t> constants_;
  bool are_ordered_ = false;
};

}  // namespace

std::map<ChoiceSite, std::vector<std::uint64_t>> word_classes(const Program& program) {
  std::map<ChoiceSite, std::vector<std::uint64_t>> classes;
  const bool has_readers = reads_results(program);
  const std::set<std::uint32_t> called = called_functions(program);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[f];
    std::optional<Uses> uses;
    for (std::uint32_t at = 0; at < function.code.size(); ++at) {
      const auto* choice = std::get_if<Choose>(&function.code[at].effect);
      if (choice == nullptr) continue;
      if (!uses) uses.emplace(function, has_readers || called.contains(f));
      if (auto found = uses->classes(at, *choice)) {
        classes.emplace(ChoiceSite{FunctionId(f), Location(at)}, std::move(*found));
      }
    }
  }
  return classes;
}

bool inputs_are_data(const Program& program) {
  for (const Function& function : program.functions) {
    std::optional<Uses> uses;
    for (std::uint32_t at = 0; at < function.code.size(); ++at) {
      const auto* choice = std::get_if<Choose>(&function.code[at].effect);
      if (choice == nullptr) continue;
      if (!uses) uses.emplace(function, true);
      if (!uses->is_data(at, *choice)) return false;
    }
  }
  return true;
}

}  // namespace heddle::engine::explore
