#pragma once

/// What a step of a flow graph does, as statements of Remopla.

#include "frontend/remopla/names.hpp"

namespace heddle::frontend::remopla {

/// A step whose `undef`s have been told apart. Remopla has `undef` as the value of an assignment
/// only, and each one is another value; so a choice that is more than the value of one variable is
/// made before the step, in a variable `any_i`.
class StepText {
 public:
  StepText(const model::boolean::Flow& flow, const Names& names,
           const model::boolean::FlowEdge& edge);

  /// How many variables `any_i` and `new_i` it needs.
  std::size_t choices() const { return chosen_.size(); }
  std::size_t news() const;

  std::string guard() const { return text(edge_.guard); }
  bool is_guarded() const { return edge_.guard.kind != model::boolean::Formula::Kind::True; }
  /// Statements from the guard to the jump behind them, `go`, each with a blank in front.
  std::string effect(const std::string& go) const;

 private:
  struct Parallel {
    std::vector<std::string> names, values;
    void add(std::string name, std::string value);
    std::string text() const;  ///< empty if nothing is assigned
  };

  std::string text(const model::boolean::Formula& formula) const;
  std::string chain(const model::boolean::Formula& formula, const char* between) const;
  std::string text(const model::boolean::Atom& atom) const;
  std::string value(const model::boolean::Formula& formula) const;
  std::string name(const model::boolean::Atom& variable) const;
  void add_assignments(Parallel& out) const;
  void forget_choices(Parallel& out) const;
  std::string constrained(const std::string& go) const;
  std::string call(const std::string& go) const;
  std::string leave() const;
  bool has_constraint() const;
  std::vector<model::boolean::Atom> assigned() const;

  const model::boolean::Flow& flow_;
  const Names& names_;
  const model::boolean::FlowEdge& edge_;
  std::uint32_t frame_;
  std::vector<std::uint32_t> chosen_;  ///< choices that are made before the step
};

}  // namespace heddle::frontend::remopla
