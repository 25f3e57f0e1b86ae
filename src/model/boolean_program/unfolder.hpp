#pragma once

/// The work of unfold.cpp, which has the idea, and kept_calls.cpp. Private to them.

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/boolean_program/code.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/scope.hpp"

namespace heddle::model::boolean {

enum class Calls { Unfolded, Kept };

/// Where a frame goes on when it returns.
struct Continuation {
  const Statement* call = nullptr;
  std::uint32_t next = 0;  ///< an instruction of the caller
};

/// Throws a Refusal if the program has no flow graph.
class Unfolder {
 public:
  Unfolder(const BooleanProgram& program, Calls calls)
      : program_(program), calls_(calls), scope_(program, flow_), codes_(codes_of(program)) {
    for (const Procedure& procedure : program.procedures) {
      numbers_.try_emplace(procedure.name, static_cast<std::uint32_t>(flow_.procedures.size()));
      flow_.procedures.push_back(procedure.name);
      auto& names = flow_.local_names.emplace_back();
      auto& encodings = flow_.local_encodings.emplace_back();
      for (const auto* declared : {&procedure.parameters, &procedure.locals})
        for (const Declaration& d : *declared) {
          names.push_back(d.name);
          encodings.push_back(d.encoding);
        }
      flow_.parameter_counts.push_back(static_cast<std::uint32_t>(procedure.parameters.size()));
    }
  }

  Flow run();

 private:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 20;
  static constexpr std::uint32_t kDeepestAtomic = 64;

  struct Point {
    std::uint32_t frame;
    std::uint32_t instruction;
    std::uint32_t depth;
    auto operator<=>(const Point&) const = default;
  };

  // ---- variables ----

  void declare_shared();

  void declare_false(std::string_view name) {
    const auto index = static_cast<std::uint32_t>(flow_.shared_names.size());
    flow_.shared_names.emplace_back(name);
    check_count(flow_.shared_names.size(), "shared variables");
    flow_.initial_shared = flow_.initial_shared.with(index, false);
  }

  std::uint32_t index_of(std::string_view procedure) const { return numbers_.at(procedure); }

  const Procedure& procedure_of(std::uint32_t frame) const {
    return program_.procedures[flow_.frames[frame].procedure];
  }

  bool is_root(std::uint32_t frame) const { return flow_.frames[frame].caller == frame; }

  // ---- where threads start ----

  void start_main();

  void start_threads();

  /// A node that calls the procedure as soon as the guard holds, and then sets the variable.
  void start_thread(std::uint32_t procedure, const Formula& guard,
                    const std::optional<std::uint32_t>& then_set);

  // ---- frames and nodes ----

  std::uint32_t add_frame(std::uint32_t procedure, std::uint32_t first_local, std::uint32_t caller,
                          Continuation continuation) {
    const auto number = static_cast<std::uint32_t>(flow_.frames.size());
    if (number > kMostNodes) throw Refusal{"unfolding its calls gives too many frames"};
    flow_.frames.push_back({procedure, first_local, caller});
    continuations_.push_back(continuation);
    entry_depths_.push_back(0);
    const std::uint32_t end = scope_.end_of_locals(number);
    check_count(end, "local variables, those of callers included");
    flow_.local_count = std::max(flow_.local_count, end);
    return number;
  }

  /// A frame without a caller, or, with calls kept, with any.
  std::uint32_t root_frame(std::uint32_t procedure, std::uint32_t depth) {
    const auto [it, is_new] = roots_.try_emplace(std::pair{procedure, depth}, 0);
    if (!is_new) return it->second;
    it->second = add_frame(procedure, 0, static_cast<std::uint32_t>(flow_.frames.size()), {});
    entry_depths_[it->second] = depth;
    return it->second;
  }

  NodeId entry_node(std::uint32_t frame, std::uint32_t depth) {
    return node(frame, codes_[flow_.frames[frame].procedure].entry, depth);
  }

  std::uint32_t called_frame(const Point& from, const Statement& call, std::uint32_t next);

  /// Which procedures call only such procedures, or none? These are not recursive.
  void find_well_founded();

  NodeId add_node(std::uint32_t frame, std::uint32_t depth, const Position& at) {
    FlowNode node;
    node.frame = frame;
    node.atomic_depth = depth;
    node.at = at;
    flow_.nodes.push_back(node);
    return NodeId(flow_.nodes.size() - 1);
  }

  NodeId node(std::uint32_t frame, std::uint32_t instruction, std::uint32_t depth) {
    const Point point{frame, instruction, depth};
    const auto found = nodes_.find(point);
    if (found != nodes_.end()) return found->second;
    const Instruction& code = codes_[flow_.frames[frame].procedure].instructions[instruction];
    const NodeId id = add_node(frame, depth, code.at);
    flow_.nodes[id.index()].failed = code.failed;
    nodes_.emplace(point, id);
    todo_.push_back(point);
    return id;
  }

  /// Where threads go that have ended, or failed at this instruction; they do nothing any more.
  using Sinks = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, NodeId>;
  NodeId sink(Sinks& sinks, std::uint32_t frame, std::uint32_t depth, const Position& at,
              std::uint32_t which) {
    const auto [it, is_new] = sinks.try_emplace({frame, depth, which}, NodeId());
    if (is_new) it->second = add_node(frame, depth, at);
    return it->second;
  }

  // ---- edges ----

  FlowEdge edge_from(const Point& point, const Instruction& code) const;

  void add(FlowEdge edge, NodeId target) {
    edge.target = target;
    const auto by_index = [](const Assignment& a, const Assignment& b) {
      return a.index < b.index;
    };
    std::ranges::sort(edge.shared, by_index);
    std::ranges::sort(edge.local, by_index);
    flow_.edges.push_back(std::move(edge));
  }

  void set_atomic(FlowEdge& edge, bool value) const {
    Scope::assign(edge, {AtomKind::Shared, *atomic_}, constant(value));
  }

  // ---- instructions ----

  void expand(const Point& point);

  NodeId next(const Point& point, const Instruction& code, std::size_t which = 0) {
    return node(point.frame, code.next[which], point.depth);
  }

  void expand_branch(const Point& point, const Instruction& code);

  void expand_begin(const Point& point, const Instruction& code);

  void expand_end(const Point& point, const Instruction& code);

  void expand_plain(const Point& point, const Instruction& code);

  void expand_assert(const Point& point, const Instruction& code, const Statement& s);

  void expand_call(const Point& point, const Instruction& code, const Statement& s);

  void expand_kept_call(const Point& point, const Instruction& code, const Statement& s,
                        FlowEdge edge);

  void add_call(FlowEdge edge, std::uint32_t callee, const std::vector<Expression>& arguments,
                std::uint32_t depth, NodeId returned);

  void expand_return(const Point& point, const Instruction& code);

  /// The i-th value that is returned; any, where the procedure ends without a statement.
  Formula result(const Point& point, const Instruction& code, std::size_t i, FlowEdge& edge) const;

  void expand_kept_return(const Point& point, const Instruction& code, FlowEdge edge);

  void expand_thread_end(const Point& point, FlowEdge edge);

  void expand_wait(const Point& point, const Instruction& code, const Statement& s);

  void refuse_if_kept(const std::string& why) const {
    if (calls_ == Calls::Kept) throw Refusal{"its " + why};
  }

  void expand_spawn(const Point& point, const Instruction& code, const Statement& s);

  std::uint32_t condition(const Statement& s) {
    const std::string name = s.names.empty() ? "" : s.names[0];
    return conditions_.try_emplace(name, static_cast<std::uint32_t>(conditions_.size()))
        .first->second;
  }

  // ---- the end ----

  /// What needs the number of local variables, which is known now.
  void finish();

  const BooleanProgram& program_;
  Calls calls_;
  Flow flow_;
  Scope scope_;
  std::vector<Code> codes_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  ///< of procedures
  std::vector<Continuation> continuations_;                      ///< by frame
  std::vector<std::uint32_t> entry_depths_;                      ///< by frame, if calls are kept
  std::vector<std::uint32_t> levels_left_;                       ///< by procedure, likewise
  std::vector<bool> well_founded_;  ///< by procedure, if calls are unfolded
  std::optional<std::uint32_t> atomic_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> roots_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> called_;
  std::map<Point, NodeId> nodes_;
  std::vector<Point> todo_;
  std::size_t done_ = 0;
  Sinks failed_;
  Sinks ended_;
  std::map<std::string, std::uint32_t> conditions_;
  std::vector<std::size_t> clears_locals_;
  std::vector<std::size_t> fresh_children_;
};

}  // namespace heddle::model::boolean
