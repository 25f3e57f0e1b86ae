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

nlohmann::json regions_to_json(const std::vector<model::Region>& regions);
std::vector<model::Region> regions_from_json(const JsonNode& node);

/// Tops of stacks are written as regions over threads: 0 is the empty stack, σ + 1 stands for σ.
/// So are numbers of threads, as bounds of counter 0.
nlohmann::json question_to_json(const model::AnyQuestion& question);
/// Of a model of this kind.
model::AnyQuestion question_from_json(const JsonNode& node, const model::AnyKind& kind);

nlohmann::json step_to_json(const TraceStep& step);

nlohmann::json run_to_json(const Trace& trace);
nlohmann::json run_to_json(const ProgramRun& run);
nlohmann::json run_to_json(const PushdownRun& run);
nlohmann::json run_to_json(const model::c::Run& run);
AnyRun run_from_json(const JsonNode& node, const model::AnyKind& kind);

/// `[shared, thread, σ + 1, …]`
nlohmann::json visible_state_to_json(const model::VisibleState& state);
model::VisibleState visible_state_from_json(const JsonNode& node);

/// The number whose binary digits are the variables' values: decimal text beyond 2^53, as with all
/// integers.
nlohmann::json values_to_json(const model::boolean::Valuation& values);
model::boolean::Valuation values_from_json(const JsonNode& node);

nlohmann::json program_run_to_json(const ProgramRun& run);
ProgramRun program_run_from_json(const JsonNode& node);
model::c::Run c_run_from_json(const JsonNode& node);

/// The fields `automata` and `products`.
nlohmann::json stack_sets_to_json(const PushdownInvariant& invariant);
PushdownInvariant stack_sets_from_json(const JsonNode& node);

/// Certificates, kind by kind. `to_fields` gives everything but the field `kind`, which a reader
/// finds in its node beside the others.
nlohmann::json to_fields(const BackwardBasis& basis);
nlohmann::json to_fields(const ClosedThreadStates& closed);
nlohmann::json to_fields(const ForwardCover& cover);
nlohmann::json to_fields(const PathwiseProof& proof);
nlohmann::json to_fields(const ProgramBasis& basis);
nlohmann::json to_fields(const PushdownInvariant& invariant);
nlohmann::json to_fields(const ContextRelations& relations);
nlohmann::json to_fields(const ConfigurationSets& sets);
nlohmann::json to_fields(const TurnFacts& facts);
nlohmann::json to_fields(const ProgramStacks& stacks);
nlohmann::json to_fields(const Exploration& exploration);
nlohmann::json to_fields(const ThreadInvariants& invariants);
nlohmann::json to_fields(const RaceFreedom& freedom);
nlohmann::json to_fields(const TerminationProof& proof);
nlohmann::json to_fields(const DeadlockFreedom& freedom);
void read_fields(const JsonNode& node, BackwardBasis& basis);
void read_fields(const JsonNode& node, ClosedThreadStates& closed);
void read_fields(const JsonNode& node, ForwardCover& cover);
void read_fields(const JsonNode& node, PathwiseProof& proof);
void read_fields(const JsonNode& node, ProgramBasis& basis);
void read_fields(const JsonNode& node, PushdownInvariant& invariant);
void read_fields(const JsonNode& node, ContextRelations& relations);
void read_fields(const JsonNode& node, ConfigurationSets& sets);
void read_fields(const JsonNode& node, TurnFacts& facts);
void read_fields(const JsonNode& node, ProgramStacks& stacks);
void read_fields(const JsonNode& node, Exploration& exploration);
void read_fields(const JsonNode& node, ThreadInvariants& invariants);
void read_fields(const JsonNode& node, RaceFreedom& freedom);
void read_fields(const JsonNode& node, TerminationProof& proof);
void read_fields(const JsonNode& node, DeadlockFreedom& freedom);

/// The fields of thread invariants, which other kinds have as well, out of a node that has them.
void read_covering_and_proof(const JsonNode& node, ThreadInvariants& invariants);

nlohmann::json certificate_to_json(const Certificate& certificate);
Certificate certificate_from_json(const JsonNode& node);

nlohmann::json program_states_to_json(const ProgramThreadStates& states);
ProgramThreadStates program_states_from_json(const JsonNode& node);
nlohmann::json cutoff_to_json(const Cutoff& cutoff);
Cutoff cutoff_from_json(const JsonNode& node);

}  // namespace heddle::answer
