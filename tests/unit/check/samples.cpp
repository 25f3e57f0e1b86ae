#include "unit/check/samples.hpp"

#include "answer/thread_naming.hpp"
#include "support/builders.hpp"
#include "unit/check/naive.hpp"

namespace heddle::check {

namespace {

using answer::BackwardBasis;
using answer::ClosedThreadStates;
using answer::LinearInvariant;
using answer::Safe;
using answer::Trace;
using answer::TraceBlock;
using answer::TraceStep;
using answer::Unsafe;
using model::LocalState;
using model::PlaceId;
using model::SharedState;
using model::TransitionId;
using namespace heddle::test;

TraceStep fire(unsigned transition, std::vector<model::PassiveFlow> flows = {}) {
  return {TransitionId(transition), std::move(flows), std::nullopt, {}};
}

Trace steps(model::Configuration initial, std::vector<TraceStep> list) {
  Trace trace{std::move(initial), {}};
  for (TraceStep& step : list) trace.blocks.push_back({1, {std::move(step)}});
  return trace;
}

/// The sample itself and, for thread systems, the same with names.
void add_trace(std::vector<Sample>& out, const std::string& name, const model::CountingTask& task,
               const Trace& trace) {
  out.push_back({name, task, Unsafe{trace}});
  if (const auto* system = std::get_if<model::ThreadSystem>(&task.model))
    out.push_back({name + ", named", task, Unsafe{answer::with_thread_names(*system, trace)}});
}

void add_thread_traces(std::vector<Sample>& out) {
  add_trace(out, "moves and spawns",
            task(thread_system(2, 3, {spawn(0, 0, 0, 1), move(0, 1, 1, 2), move(1, 2, 0, 2)}),
                 {exactly(0, {0})}, {target(0, {0, 2, 2})}),
            steps(configuration(0, {1}), {fire(0), fire(0), fire(1), fire(2), fire(1), fire(2)}));
  add_trace(
      out, "passive choices",
      task(thread_system(2, 4, {move(0, 0, 1, 1, {{2, 0}, {2, 1}, {3, 2}}), move(1, 1, 1, 3)}),
           {any_number(0, {0, 2, 3})}, {target(1, {0, 1, 2, 3})}),
      steps(configuration(0, {1, 0, 3, 1}),
            {fire(0, {{LocalState(2u), LocalState(0u), 1}, {LocalState(2u), LocalState(1u), 2}}),
             fire(1), fire(1)}));
  add_trace(out, "transfers",
            task(thread_system(2, 3, {transfer(0, 0, 1, 1), move(1, 1, 0, 2)}),
                 {any_number(0, {0})}, {target(0, {1, 2})}),
            steps(configuration(0, {2}), {fire(0), fire(1)}));
  Trace pumped{configuration(0, {1}), {}};
  pumped.blocks.push_back({1, {fire(0)}});
  pumped.blocks.push_back({3, {fire(0), fire(1), fire(2)}});
  pumped.blocks.push_back({1, {fire(1)}});
  add_trace(out, "a repetition block",
            task(thread_system(2, 3, {spawn(0, 0, 0, 1), move(0, 1, 1, 2), move(1, 2, 0, 2)}),
                 {exactly(0, {0})}, {target(1, {0, 2, 2, 2, 2})}),
            pumped);
}

void add_net_trace(std::vector<Sample>& out) {
  model::PetriNet pipes = net(3);
  pipes.transitions = {rule({1}, {update(0, {0}, -1), update(1, {1}, 2)}),
                       rule({0, 1}, {update(1, {}, 1), update(2, {1, 1, 2})}),
                       rule({0, 0, 3}, {update(0, {0, 2}), update(2, {}, 0)})};
  Trace trace{configuration(0, {2}), {}};
  trace.blocks.push_back({2, {fire(0)}});
  trace.blocks.push_back({1, {fire(1), fire(2)}});
  add_trace(out, "a net with weights, a reset and transfers",
            task(pipes, {marking({2, 0, 0})}, {at_least({8, 1, 0})}), trace);
}

BackwardBasis whole_basis(const model::CountingTask& task) {
  return {naive::backward_basis(task, 4), {}};
}

void add_plain_bases(std::vector<Sample>& out) {
  const model::CountingTask lock = task(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}),
                                        {any_number(0, {0})}, {target(0, {1}), target(1, {1, 1})});
  out.push_back({"a lock", lock, Safe{whole_basis(lock)}});
  const model::CountingTask crew =
      task(thread_system(2, 3,
                         {spawn(0, 0, 0, 1), move(0, 1, 1, 2, {{1, 0}, {1, 2}}),
                          transfer(1, 2, 0, 0), move(1, 0, 1, 0)}),
           {exactly(0, {0})}, {target(0, {2})});
  out.push_back({"spawns, choices, transfers", crew, Safe{whole_basis(crew)}});
  model::PetriNet pipes = net(3);
  pipes.transitions = {rule({2}, {update(0, {0}, -2), update(1, {1}, 1)}),
                       rule({0, 1}, {update(1, {}), update(0, {0, 1}, 0)}),
                       rule({1, 0, 1}, {update(2, {2}, -1), update(0, {0, 0})})};
  const model::CountingTask drained = task(pipes, {marking({2, 0, 0})}, {at_least({0, 2, 0})});
  out.push_back({"a net with weights and transfers", drained, Safe{whole_basis(drained)}});
}

void add_relative_bases(std::vector<Sample>& out) {
  model::PetriNet mutex = net(3);  // idle, critical, lock
  mutex.transitions = {rule({1, 0, 1}, {update(0, {0}, -1), update(1, {1}, 1), update(2, {2}, -1)}),
                       rule({0, 1}, {update(0, {0}, 1), update(1, {1}, -1), update(2, {2}, 1)})};
  model::CountingTask lock = task(mutex, {marking({0, 0, 1})}, {at_least({0, 2, 0})});
  lock.question.initial[0].bounds[0].upper.reset();
  const std::vector<model::WeightedPlace> one_owner{{PlaceId(1u), 1}, {PlaceId(2u), 1}};
  for (const auto relation : {LinearInvariant::Relation::Equal, LinearInvariant::Relation::AtMost})
    out.push_back({relation == LinearInvariant::Relation::Equal ? "relative to an equation"
                                                                : "relative to an inequality",
                   lock,
                   Safe{BackwardBasis{{configuration(0, {0, 2, 0})},
                                      {LinearInvariant{one_owner, relation, 1}}}}});
  const answer::ConcurrentPlaces apart{
      {PlaceId(0u), PlaceId(1u), PlaceId(2u)},
      {{PlaceId(0u), PlaceId(0u)}, {PlaceId(0u), PlaceId(1u)}, {PlaceId(0u), PlaceId(2u)}}};
  out.push_back({"relative to concurrent places", lock,
                 Safe{BackwardBasis{{configuration(0, {0, 2, 0})}, {apart}}}});
  const model::CountingTask office =
      task(thread_system(2, 4,
                         {move(0, 0, 1, 1), move(1, 1, 0, 0), move(1, 2, 1, 1), move(0, 3, 0, 2),
                          transfer(1, 3, 1, 2)}),
           {any_number(0, {0})}, {target(1, {1, 1})});
  const ClosedThreadStates closed{{SharedState(0u), SharedState(1u)},
                                  {{SharedState(0u), LocalState(0u)},
                                   {SharedState(0u), LocalState(1u)},
                                   {SharedState(1u), LocalState(0u)},
                                   {SharedState(1u), LocalState(1u)}}};
  out.push_back(
      {"relative to closed thread states", office,
       Safe{BackwardBasis{{configuration(1, {0, 2}), configuration(0, {1, 1})}, {closed}}}});
  const LinearInvariant nobody{
      {{LocalState(2u), 1}, {LocalState(3u), 1}}, LinearInvariant::Relation::AtMost, 0};
  out.push_back(
      {"relative to an inequality over threads", office,
       Safe{BackwardBasis{{configuration(1, {0, 2}), configuration(0, {1, 1})}, {nobody}}}});
}

/// The lock is taken for good: nobody gets to shared state 2, which only its release leads to.
void add_closed_states(std::vector<Sample>& out) {
  const model::CountingTask stuck =
      task(thread_system(3, 3, {move(0, 0, 1, 1), move(1, 2, 2, 0), spawn(1, 1, 1, 0)}),
           {any_number(0, {0})}, {target(2, {0}), target(1, {2})});
  out.push_back({"closed thread states", stuck,
                 Safe{ClosedThreadStates{{SharedState(0u), SharedState(1u)},
                                         {{SharedState(0u), LocalState(0u)},
                                          {SharedState(1u), LocalState(0u)},
                                          {SharedState(1u), LocalState(1u)}}}}});
}

answer::OmegaConfiguration at_most(unsigned shared, const std::vector<unsigned>& amounts,
                                   const std::vector<unsigned>& unbounded = {}) {
  answer::OmegaConfiguration result{SharedState(shared), counts(amounts), {}};
  for (const unsigned counter : unbounded) result.unbounded.emplace_back(counter);
  return result;
}

/// Threads with every kind of step; and a net with weights, a reset and an upper bound in a guard.
void add_forward_covers(std::vector<Sample>& out) {
  const model::Task crew = task(thread_system(2, 4,
                                              {move(0, 0, 1, 1, {{2, 0}, {2, 1}}), move(1, 1, 0, 2),
                                               transfer(1, 1, 0, 0), spawn(0, 2, 0, 0)}),
                                {any_number(0, {0})}, {target(0, {3}), target(1, {3, 0})});
  out.push_back(
      {"a forward cover of threads", crew,
       Safe{answer::ForwardCover{{at_most(0, {}, {0, 1, 2}), at_most(1, {}, {0, 1, 2})}}}});
  model::PetriNet pipes = net(3);
  pipes.transitions = {rule({1}, {update(0, {0}, -1), update(1, {1}, 2)}),
                       rule({0, 1}, {update(1, {}), update(0, {0}, 1)}),
                       rule({0, 0, 1}, {update(0, {0, 2})})};
  pipes.transitions[2].guard[0].upper = 1;
  const model::Task drained = task(pipes, {marking({1, 0, 0})}, {at_least({1, 1, 0})});
  out.push_back({"a forward cover of a net", drained,
                 Safe{answer::ForwardCover{{at_most(0, {1}), at_most(0, {0, 2})}}}});
}

/// One with a formula only, and one with all parts: a target beside the spaghetti, and a basis that
/// leans on an invariant.
void add_pathwise_proofs(std::vector<Sample>& out) {
  const model::CountingTask lock = task(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}),
                                        {any_number(0, {0})}, {target(1, {1, 1}), target(0, {1})});
  out.push_back({"a proof by paths alone", lock, Safe{answer::PathwiseProof{}}});
  const model::CountingTask choice =
      task(thread_system(3, 3,
                         {move(0, 0, 1, 1), move(1, 1, 0, 0), move(1, 1, 0, 2), move(2, 0, 0, 1),
                          move(2, 0, 2, 2)}),
           {any_number(0, {0}), exactly(2, {0, 0})}, {target(1, {1, 1, 2}), target(2, {0, 0, 2})});
  ClosedThreadStates closed{{SharedState(0u), SharedState(1u), SharedState(2u)}, {}};
  for (const auto& [s, l] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 2}})
    closed.states.push_back({SharedState(s), LocalState(l)});
  BackwardBasis basis = whole_basis(choice);
  basis.relative_to.emplace_back(closed);
  out.push_back({"a proof by paths with spaghetti", choice, Safe{answer::PathwiseProof{basis}}});
}

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> out;
  add_thread_traces(out);
  add_net_trace(out);
  add_plain_bases(out);
  add_relative_bases(out);
  add_closed_states(out);
  add_pathwise_proofs(out);
  add_forward_covers(out);
  return out;
}

}  // namespace heddle::check
