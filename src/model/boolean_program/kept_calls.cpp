/// What is special about calls that are kept: threads start in nodes of their own, calls and
/// returns are edges of their own kinds.

#include <algorithm>
#include <utility>

#include "model/boolean_program/levels_left.hpp"
#include "model/boolean_program/listed_threads.hpp"
#include "model/boolean_program/silent_nodes.hpp"
#include "model/boolean_program/through.hpp"
#include "model/boolean_program/unfolder.hpp"

namespace heddle::model::boolean {

namespace {

/// What a thread's outermost frame belongs to.
constexpr std::string_view kThread = "(start)";
/// The shared variable that is set when `init` has returned; no program can use it.
constexpr std::string_view kInitialised = "(initialised)";

}  // namespace

void Unfolder::start_threads() {
  levels_left_ = levels_left(program_, codes_, kDeepestAtomic);
  flow_.procedures.emplace_back(kThread);
  flow_.local_names.emplace_back();
  flow_.local_encodings.emplace_back();
  flow_.parameter_counts.push_back(0);
  const auto threads = listed_threads(program_);
  flow_.lists_threads = !threads.empty();
  if (threads.empty()) {
    if (!program_.find("main")) throw Refusal{"it has no procedure main"};
    start_thread(index_of("main"), constant(true), std::nullopt);
  }
  std::optional<std::uint32_t> initialised;
  if (const Procedure* init = initialiser(program_)) {
    initialised = static_cast<std::uint32_t>(flow_.shared_names.size());
    declare_false(kInitialised);
    start_thread(index_of(init->name), constant(true), initialised);
  }
  const Formula guard = initialised ? atom(AtomKind::Shared, *initialised) : constant(true);
  for (const Procedure* procedure : threads)
    start_thread(index_of(procedure->name), guard, std::nullopt);
  flow_.start = flow_.starts.front();
}

void Unfolder::start_thread(std::uint32_t procedure, const Formula& guard,
                            const std::optional<std::uint32_t>& then_set) {
  const auto thread = static_cast<std::uint32_t>(flow_.procedures.size() - 1);
  const auto bottom = static_cast<std::uint32_t>(flow_.frames.size());
  add_frame(thread, 0, bottom, {});
  const Position& at = program_.procedures[procedure].at;
  const NodeId start = add_node(bottom, 0, at);
  NodeId returned = add_node(bottom, 0, at);
  FlowEdge call;
  call.source = start;
  call.at = at;
  call.guard = guard;
  if (atomic_)
    call.guard = conjunction(std::move(call.guard), negation(atom(AtomKind::Shared, *atomic_)));
  call.text = "start of " + program_.procedures[procedure].name;
  flow_.starts.push_back(start);
  if (then_set) {
    FlowEdge set;
    set.source = returned;
    set.at = at;
    set.text = "end of " + program_.procedures[procedure].name;
    Scope::assign(set, {AtomKind::Shared, *then_set}, constant(true));
    add(std::move(set), add_node(bottom, 0, at));
  }
  add_call(std::move(call), procedure, {}, 0, returned);
}

void Unfolder::expand_kept_call(const Point& point, const Instruction& code, const Statement& s,
                                FlowEdge edge) {
  for (const std::string& name : s.names)
    edge.received.push_back(name == "_" ? std::nullopt
                                        : std::optional(scope_.variable(name, point.frame)));
  add_call(std::move(edge), index_of(s.callee), s.expressions, point.depth, next(point, code));
}

void Unfolder::add_call(FlowEdge edge, std::uint32_t callee,
                        const std::vector<Expression>& arguments, std::uint32_t depth,
                        NodeId returned) {
  const std::uint32_t caller = flow_.nodes[edge.source.index()].frame;
  // One more level than the procedure can leave is as good as any number of them.
  const std::uint32_t entered = std::min(depth, levels_left_[callee] + 1);
  const std::uint32_t frame = root_frame(callee, entered);
  edge.kind = EdgeKind::Call;
  edge.child_values = scope_.entry_values(frame, arguments, caller, edge);
  edge.child = entry_node(frame, entered);
  add(std::move(edge), returned);
}

void Unfolder::expand_kept_return(const Point& point, const Instruction& code, FlowEdge edge) {
  const Procedure& procedure = procedure_of(point.frame);
  if (point.depth != entry_depths_[point.frame])
    throw Refusal{"its procedure '" + procedure.name +
                  "' does not return in the atomic section in which it was called"};
  edge.kind = EdgeKind::Return;
  for (std::uint32_t i = 0; i < procedure.results; ++i)
    edge.child_values.push_back({i, result(point, code, i, edge)});
  const NodeId source = edge.source;
  add(std::move(edge), source);
}

std::expected<Flow, std::string> keep_calls(const BooleanProgram& program) {
  try {
    return count_failures(skip_silent_nodes(Unfolder(program, Calls::Kept).run()), program.through);
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.why);
  }
}

}  // namespace heddle::model::boolean
