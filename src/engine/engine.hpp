#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "model/task.hpp"

namespace heddle::engine {

using coverability::SearchOrder;

/// What users may set; every engine reads what concerns it. One row of `option_table` each.
struct Options {
  SearchOrder order = SearchOrder::SmallestFirst;
  bool use_invariants = true;       ///< prune with invariants, where they can be proved
  bool learn_invariants = true;     ///< and look for further ones during a search
  bool list_shared_states = false;  ///< among the figures, with the contexts that they take
};

/// One option as the command line, the help and the documentation see it.
struct OptionRow {
  std::string_view name;      ///< without the dashes
  std::string_view values;    ///< "bfs|smallest"
  std::string_view standard;  ///< the value taken if the option is not given
  std::string_view help;
  /// Sets the option; false if the value is not one of `values`.
  bool (*set)(Options& options, std::string_view value);
};

std::span<const OptionRow> option_table();

/// Yes, or the reason why not.
struct Acceptance {
  std::optional<std::string> refusal;
  bool yes() const { return !refusal.has_value(); }
};

/// One row per engine. Help, portfolio, agreement tests and documentation loop over this table.
struct EngineRow {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view models;   ///< "thread systems, Petri nets"
  bool proves = false;       ///< can answer Safe
  bool refutes = false;      ///< can answer Unsafe
  bool complete = false;     ///< always answers, given time and memory
  /// Heeds `Question::contexts`: its traces keep to it. Others are not asked such a question.
  bool counts_contexts = false;
  std::vector<std::string_view>
      evidence;  ///< kinds that it gives, as answer::evidence_kind has them
  std::vector<std::string_view> options;  ///< names of rows of option_table() that it reads
  Acceptance (*accepts)(const model::Task&);
  /// Never prints, never exits. Out-of-budget and unsupported are Unknown verdicts.
  answer::Verdict (*run)(const model::Task&, const Options&, base::RunContext&);
};

std::span<const EngineRow> registry();
const EngineRow* find_engine(std::string_view name);

}  // namespace heddle::engine
