#pragma once

/// One rule of a MIST file (docs/formats/mist-spec.md):
///
///   rule   := conjunction "->" [update ("," update)*] ";"
///   update := place "'" "=" term (("+" | "-") term)*      term := N | [N "*"] place
///
/// Only numbers can be subtracted.

#include <optional>
#include <utility>
#include <vector>

#include "frontend/petri/constraint_reader.hpp"

namespace heddle::frontend::petri {

class RuleReader {
 public:
  RuleReader(text::Lexer& lexer, const PlaceTable& places, text::Problems& problems)
      : lexer_(lexer),
        places_(places),
        problems_(problems),
        constraints_(lexer, places, problems) {}

  /// Reads up to and including the ';'. Nothing after a syntax error, which is then reported.
  std::optional<model::PetriTransition> rule();

 private:
  bool updates(model::PetriTransition& t);
  void warn_of_copies();
  std::optional<model::PlaceUpdate> update();
  bool sum(model::PlaceUpdate& update);
  bool term(model::PlaceUpdate& update, bool subtracted);
  bool source(model::PlaceUpdate& update, const base::Integer& weight);
  bool symbol(std::string_view wanted, std::string_view expected);

  text::Lexer& lexer_;
  const PlaceTable& places_;
  text::Problems& problems_;
  ConstraintReader constraints_;
  OncePerPlace updated_;
  std::vector<std::pair<model::PlaceId, text::Token>> sources_;  ///< read by the rule so far
};

}  // namespace heddle::frontend::petri
