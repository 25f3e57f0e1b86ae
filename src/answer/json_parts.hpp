#pragma once

/// The JSON forms of the parts of an answer (docs/evidence.md). Private to src/answer.
/// Readers report through their node and then give back something empty.

#include <nlohmann/json_fwd.hpp>

#include "answer/certificate.hpp"
#include "answer/cutoff.hpp"
#include "answer/json_node.hpp"
#include "answer/trace.hpp"
#include "model/task.hpp"

namespace heddle::answer {

/// `[shared, counter, count, counter, count, …]`, counters ascending, counts positive. Flat,
/// because a basis may have a million of them and every nested array costs an allocation.
nlohmann::json configuration_to_json(const model::Configuration& configuration);
model::Configuration configuration_from_json(const JsonNode& node);

nlohmann::json question_to_json(const model::Question& question);
model::Question question_from_json(const JsonNode& node);

nlohmann::json step_to_json(const TraceStep& step);

nlohmann::json trace_to_json(const Trace& trace);
Trace trace_from_json(const JsonNode& node);

/// The number whose binary digits are the variables' values: decimal text beyond 2^53, as with all
/// integers.
nlohmann::json values_to_json(const model::boolean::Valuation& values);
model::boolean::Valuation values_from_json(const JsonNode& node);

nlohmann::json program_run_to_json(const ProgramRun& run);
ProgramRun program_run_from_json(const JsonNode& node);

nlohmann::json program_basis_to_json(const ProgramBasis& basis);
ProgramBasis program_basis_from_json(const JsonNode& node);

/// The fields `automata` and `products`.
nlohmann::json stack_sets_to_json(const PushdownInvariant& invariant);
PushdownInvariant stack_sets_from_json(const JsonNode& node);

nlohmann::json pushdown_invariant_to_json(const PushdownInvariant& invariant);
PushdownInvariant pushdown_invariant_from_json(const JsonNode& node);

nlohmann::json context_relations_to_json(const ContextRelations& relations);
ContextRelations context_relations_from_json(const JsonNode& node);

nlohmann::json configuration_sets_to_json(const ConfigurationSets& sets);
ConfigurationSets configuration_sets_from_json(const JsonNode& node);
nlohmann::json turn_facts_to_json(const TurnFacts& facts);
TurnFacts turn_facts_from_json(const JsonNode& node);

nlohmann::json program_stacks_to_json(const ProgramStacks& stacks);
ProgramStacks program_stacks_from_json(const JsonNode& node);

nlohmann::json certificate_to_json(const Certificate& certificate);
Certificate certificate_from_json(const JsonNode& node);

nlohmann::json cutoff_to_json(const Cutoff& cutoff);
Cutoff cutoff_from_json(const JsonNode& node);

}  // namespace heddle::answer
