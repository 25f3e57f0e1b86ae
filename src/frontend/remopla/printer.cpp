/// A program of one thread as a symbolic pushdown system (papers: Lal and Reps, section 5): modules
/// are procedures, labels are the nodes of the flow graph, and what follows a label are the rules
/// of its node. Steps of a node are the branches of an `if`; those that are not open block, as the
/// steps do. Whoever fails comes to the label SLIC_ERROR of its module.
///
/// Variables of Remopla start with any value, so `main` assigns the first values of shared
/// variables, and each module those of its local ones.

#include "frontend/remopla/format.hpp"

#include <algorithm>
#include <variant>

#include "frontend/remopla/step_text.hpp"

namespace heddle::frontend::remopla {

namespace {

using model::BooleanProgram;
using model::boolean::Assignment;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;

std::string declared(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "bool " : ", ") + name;
  return out.empty() ? out : out + ";\n";
}

class ModulePrinter {
 public:
  explicit ModulePrinter(const Flow& flow)
      : flow_(flow),
        names_(flow),
        edges_(flow.edges_by_source()),
        nodes_(flow.frames.size()),
        entries_(flow.frames.size()),
        met_(flow.frames.size()) {
    for (std::size_t n = 0; n < flow.nodes.size(); ++n)
      nodes_[flow.nodes[n].frame].push_back(NodeId(n));
    for (const FlowEdge& edge : flow.edges)
      if (edge.kind == EdgeKind::Call) entries_[frame_of(edge.child)] = &edge;
  }

  std::string run() {
    visit(frame_of(flow_.starts.front()));
    std::vector<std::string> globals;
    for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
      globals.push_back(names_.shared(i));
    for (std::size_t i = 0; i < most_results(); ++i) globals.push_back(names_.own("result", i));
    return declared(globals) + announced_ + modules_;
  }

 private:
  std::uint32_t frame_of(NodeId node) const { return flow_.nodes[node.index()].frame; }
  static std::string label(NodeId node) { return "n" + std::to_string(node.value); }

  /// Those that one variable is not enough for.
  std::size_t most_results() const {
    std::size_t most = 0;
    for (const FlowEdge& edge : flow_.edges)
      if (edge.kind == EdgeKind::Return) most = std::max(most, edge.child_values.size());
    return most > 1 ? most : 0;
  }

  std::size_t results(std::uint32_t frame) const {
    for (const NodeId node : nodes_[frame])
      for (const EdgeId edge : edges_[node.index()])
        if (const FlowEdge& e = flow_.edges[edge.index()]; e.kind == EdgeKind::Return)
          return e.child_values.size();
    return 0;
  }

  enum class Visit : std::uint8_t { None, Open, Done };

  /// Called modules first; those that are called by their own callees are announced.
  void visit(std::uint32_t frame) {
    met_[frame] = Visit::Open;
    for (const NodeId node : nodes_[frame])
      for (const EdgeId id : edges_[node.index()]) {
        const FlowEdge& edge = flow_.edges[id.index()];
        if (edge.kind != EdgeKind::Call) continue;
        const std::uint32_t callee = frame_of(edge.child);
        if (met_[callee] == Visit::None) visit(callee);
        if (met_[callee] == Visit::Open && callee != frame) announce(callee);
      }
    met_[frame] = Visit::Done;
    modules_ += "\n" + module(frame);
  }

  void announce(std::uint32_t frame) {
    const std::string line = head(frame) + ";\n";
    if (announced_.find(line) == std::string::npos) announced_ += line;
  }

  std::uint32_t parameters(std::uint32_t frame) const {
    return flow_.parameter_counts[flow_.frames[frame].procedure];
  }

  std::string head(std::uint32_t frame) const {
    std::string list;
    for (std::uint32_t i = 0; i < parameters(frame); ++i)
      list += (list.empty() ? "bool " : ", bool ") + names_.locals(frame)[i];
    const char* type = results(frame) == 1 ? "bool " : "void ";
    return std::string("module ") + type + names_.module(frame) + "(" + list + ")";
  }

  std::string module(std::uint32_t frame) const {
    const auto& names = names_.locals(frame);
    std::vector<std::string> locals(names.begin() + parameters(frame), names.end());
    std::size_t choices = 0, news = 0;
    std::string body;
    const auto nodes = in_order(frame);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string next = i + 1 < nodes.size() ? label(nodes[i + 1]) : "";
      body += label(nodes[i]) + ":" + rules(nodes[i], next, choices, news);
    }
    for (std::size_t i = 0; i < choices; ++i) locals.push_back(names_.own("any", i));
    for (std::size_t i = 0; i < news; ++i) locals.push_back(names_.own("new", i));
    const std::string variables = declared(locals);
    return head(frame) + " {\n" + (variables.empty() ? "" : "  " + variables) +
           first_values(frame, choices, news) + body + failures(frame) + "}\n";
  }

  /// Where it is entered comes first.
  std::vector<NodeId> in_order(std::uint32_t frame) const {
    std::vector<NodeId> out = nodes_[frame];
    const NodeId first = entries_[frame] ? entries_[frame]->child : flow_.starts.front();
    std::ranges::stable_partition(out, [&](NodeId node) { return node == first; });
    return out;
  }

  std::string first_values(std::uint32_t frame, std::size_t choices, std::size_t news) const {
    std::string out;
    const auto assign = [&](const std::string& name, const char* value) {
      out += "  " + name + " = " + value + ";\n";
    };
    if (const FlowEdge* call = entries_[frame]) {
      for (const Assignment& a : std::span(call->child_values).subspan(parameters(frame)))
        assign(names_.locals(frame)[a.index], first_value(a));
    } else {
      for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
        if (const auto value = flow_.initial_shared[i])
          assign(names_.shared(i), *value ? "true" : "false");
      for (std::size_t i = 0; i < most_results(); ++i) assign(names_.own("result", i), "false");
    }
    for (std::size_t i = 0; i < choices; ++i) assign(names_.own("any", i), "false");
    for (std::size_t i = 0; i < news; ++i) assign(names_.own("new", i), "false");
    return out;
  }

  static const char* first_value(const Assignment& a) {
    if (is_free(a)) return "undef";
    return a.value.kind == model::boolean::Formula::Kind::True ? "true" : "false";
  }

  /// What a thread does that is there; counts the variables of our own that it takes.
  std::string rules(NodeId node, const std::string& next, std::size_t& choices,
                    std::size_t& news) const {
    if (flow_.nodes[node.index()].failed) return " goto SLIC_ERROR;\n";
    const auto& edges = edges_[node.index()];
    if (edges.empty()) return " goto " + label(node) + ";  // stays here\n";
    std::size_t chosen = 0;
    std::vector<StepText> steps;
    for (const EdgeId edge : edges) {
      steps.emplace_back(flow_, names_, flow_.edges[edge.index()]);
      chosen = std::max(chosen, steps.back().choices());
      news = std::max(news, steps.back().news());
    }
    choices = std::max(choices, chosen);
    std::string out;
    for (std::size_t i = 0; i < chosen; ++i) out += " " + names_.own("any", i) + " = undef;";
    if (steps.size() == 1 && !steps.front().is_guarded())
      return out + only_step(steps.front(), flow_.edges[edges.front().index()], next);
    out += " if\n";
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const FlowEdge& edge = flow_.edges[edges[i].index()];
      out += "    :: " + steps[i].guard() + " ->" +
             steps[i].effect(" goto " + label(edge.target) + ";") + comment(edge);
    }
    return out + "  fi;\n";
  }

  static std::string only_step(const StepText& step, const FlowEdge& edge,
                               const std::string& next) {
    const bool falls_through = next == label(edge.target) && edge.kind != EdgeKind::Return;
    const std::string effect =
        step.effect(falls_through ? "" : " goto " + label(edge.target) + ";");
    return (effect.empty() ? " skip;" : effect) + comment(edge);
  }

  static std::string comment(const FlowEdge& edge) {
    return "  // line " + std::to_string(edge.at.line) + ": " + edge.text + "\n";
  }

  std::string failures(std::uint32_t frame) const {
    const bool fails = std::ranges::any_of(
        nodes_[frame], [&](NodeId node) { return flow_.nodes[node.index()].failed; });
    return fails ? "SLIC_ERROR: goto SLIC_ERROR;\n" : "";
  }

  const Flow& flow_;
  Names names_;
  std::vector<std::vector<EdgeId>> edges_;
  std::vector<std::vector<NodeId>> nodes_;  ///< by frame
  std::vector<const FlowEdge*> entries_;    ///< by frame: a call of it; null: the first one
  std::vector<Visit> met_;
  std::string announced_, modules_;
};

}  // namespace

std::optional<std::string> cannot_print(const ProgramFile& file) {
  if (file.model.procedures.empty()) return std::nullopt;
  const auto flow = model::boolean::keep_calls(file.model);
  if (!flow) return flow.error();
  const auto one = [](const model::ThreadsInMain& threads) {
    return threads.least == 1 && threads.most == threads.least;
  };
  if (flow->starts.size() == 1 && std::ranges::all_of(file.initial, one)) return std::nullopt;
  return "it has several threads; --contexts K makes one thread of them";
}

std::string print(const ProgramFile& file) {
  const BooleanProgram& program = file.model;
  if (program.procedures.empty()) return {};
  const Flow flow = *model::boolean::keep_calls(program);
  return ModulePrinter(flow).run();
}

}  // namespace heddle::frontend::remopla
