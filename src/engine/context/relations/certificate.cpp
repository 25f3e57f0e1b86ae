#include "base/invariant.hpp"
#include "engine/context/relations/rounds.hpp"

namespace heddle::engine::context {

using answer::ContextRelations;
using answer::RelationKind;

namespace {

class CertificateWriter {
 public:
  explicit CertificateWriter(const Rounds& rounds) : rounds_(rounds) {
    out_.rounds = rounds.round();
    take_variables(rounds.system().variables().order());
    for (std::size_t j = 0; j < rounds.thread_count(); ++j)
      out_.analyses.push_back(first_with_analysis_of(j));
  }

  std::uint32_t first_with_analysis_of(std::size_t thread) const {
    std::uint32_t first = 0;
    while (&rounds_.analysis(first) != &rounds_.analysis(thread)) ++first;
    return first;
  }

  void add(RelationKind kind, std::size_t thread, std::uint32_t where, std::uint32_t entered,
           std::uint32_t round, const Bdd& set) {
    if (set.is_false()) return;
    kept_.push_back(set);
    out_.relations.push_back(
        {kind, static_cast<std::uint32_t>(thread), where, entered, round, writer_.add(set)});
  }

  /// The relations of threads that do the same, under the first one's number.
  void add_analysis(std::size_t number) {
    const ThreadAnalysis& thread = rounds_.analysis(number);
    for (const auto& [at, reached] : thread.reached())
      add(RelationKind::Reached, number, at.node.value, at.entered, at.round, reached.facts);
    for (const auto& [key, summary] : thread.summaries())
      add(RelationKind::Summary, number, std::get<0>(key), std::get<1>(key), std::get<2>(key),
          rounds_.system().for_callee(summary));
    for (std::uint32_t round = 1; round <= rounds_.round(); ++round)
      add(RelationKind::Effect, number, 0, 0, round, thread.effect(round));
  }

  ContextRelations take() {
    for (const solver::BddNode& node : writer_.nodes()) {
      HEDDLE_INVARIANT(levels_[node.variable] < out_.variables.size(),
                       "a relation should depend on variables of its own rounds");
      out_.nodes.push_back({levels_[node.variable], node.low, node.high});
    }
    return std::move(out_);
  }

 private:
  /// The engine makes variables for rounds to come; the evidence lists those of its own rounds.
  void take_variables(const std::vector<answer::DiagramVariable>& order) {
    for (const answer::DiagramVariable& variable : order) {
      const bool is_used = variable.round <= out_.rounds;
      levels_.push_back(is_used ? static_cast<std::uint32_t>(out_.variables.size()) : kUnused);
      if (is_used) out_.variables.push_back(variable);
    }
  }

  static constexpr std::uint32_t kUnused = ~std::uint32_t{0};

  const Rounds& rounds_;
  solver::BddWriter writer_;
  std::vector<Bdd> kept_;              ///< so that no node's number is used again meanwhile
  std::vector<std::uint32_t> levels_;  ///< in the evidence, by level in the engine's diagrams
  ContextRelations out_;
};

}  // namespace

ContextRelations Rounds::certificate() const {
  CertificateWriter writer(*this);
  for (std::size_t j = 0; j < members_.size(); ++j)
    if (writer.first_with_analysis_of(j) == j) writer.add_analysis(j);
  for (std::uint32_t round = 1; round <= round_; ++round)
    for (std::size_t j = 0; j < members_.size(); ++j) {
      writer.add(RelationKind::Before, j, 0, 0, round, before_[round - 1][j]);
      writer.add(RelationKind::After, j, 0, 0, round, after_[round - 1][j]);
      writer.add(RelationKind::Turn, j, 0, 0, round, turns_[round - 1][j]);
    }
  return writer.take();
}

}  // namespace heddle::engine::context
