#pragma once

/// The checker's reading of a certificate's variables, and of a program's formulas over them.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/context_evidence.hpp"
#include "check/diagrams/diagrams.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::check {

using answer::Family;

/// Copies of the program's variables, by family and round: exactly those that the program needs
/// for the claim's rounds.
class Copies {
 public:
  /// Precondition: the claim has relations for each of its rounds, so that there are not too many.
  Copies(const model::boolean::Flow& flow, const answer::ContextRelations& relations);

  /// Why these are not the variables that the program needs, or nothing.
  const std::optional<std::string>& problem() const { return problem_; }
  const std::vector<std::uint32_t>& of(Family family, std::uint32_t round = 0) const {
    return copies_.at({family, round});
  }

  /// Where each variable goes in a substitution.
  class Image {
   public:
    explicit Image(const Copies& copies);
    Image& move(Family from, std::uint32_t round_from, Family to, std::uint32_t round_to);
    Image& move(Family from, Family to) { return move(from, 0, to, 0); }
    Image& move_one(Family from, std::uint32_t index, Family to, std::uint32_t index_to);
    std::span<const std::uint32_t> get() const { return image_; }

   private:
    const Copies& copies_;
    std::vector<std::uint32_t> image_;
  };

 private:
  void expect(Family family, std::uint32_t round, std::size_t count);

  std::map<answer::DiagramVariable, std::uint32_t> levels_;
  std::map<std::pair<Family, std::uint32_t>, std::vector<std::uint32_t>> copies_;
  std::size_t count_ = 0;
  std::optional<std::string> problem_;
};

/// The variables that an edge's formulas are about, by index.
struct StepCopies {
  std::span<const std::uint32_t> shared, next_shared, local, next_local, choices;
};

/// Formulas of one edge.
class EdgeSets {
 public:
  EdgeSets(const model::boolean::FlowEdge& edge, const StepCopies& copies, Diagrams& diagrams)
      : edge_(edge), copies_(copies), diagrams_(diagrams) {}

  Diagrams::Set condition() const;  ///< guard and constraint
  /// These copies of the assigned variables have their values.
  Diagrams::Set assigned(std::span<const model::boolean::Assignment> assignments,
                         std::span<const std::uint32_t> copy) const;

 private:
  Diagrams::Set set_of(const model::boolean::Formula& formula) const;
  Diagrams::Set set_of(const model::boolean::Atom& atom) const;
  bool is_any(const model::boolean::Formula& value) const;
  std::size_t uses(std::uint32_t choice) const;

  const model::boolean::FlowEdge& edge_;
  StepCopies copies_;
  Diagrams& diagrams_;
};

}  // namespace heddle::check
