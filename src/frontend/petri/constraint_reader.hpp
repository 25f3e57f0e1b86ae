#pragma once

/// Constraints on places, as they stand in guards, initial markings, targets and on the command
/// line:
///
///   conjunction := constraint ("," constraint)*
///   constraint  := place "=" N | place ">=" N | place "in" "[" N "," N "]" | "true"

#include <optional>
#include <vector>

#include "frontend/petri/place_table.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// Reads a place's name. An undeclared one is reported and read as `kUnknownPlace`; nothing comes
/// back only where there is no name at all, which is reported too.
std::optional<model::PlaceId> read_place(text::Lexer& lexer, const PlaceTable& places,
                                         text::Problems& problems);

/// Reads a natural number of any size; reports if there is none.
std::optional<base::Integer> read_number(text::Lexer& lexer, text::Problems& problems);

class ConstraintReader {
 public:
  ConstraintReader(text::Lexer& lexer, const PlaceTable& places, text::Problems& problems)
      : lexer_(lexer), places_(places), problems_(problems) {}

  /// Bounds as written, sorted by place. Nothing after a syntax error, which is then reported; an
  /// unknown place, an empty interval or a place constrained twice is reported too, but does not
  /// stop the reading.
  std::optional<std::vector<model::CounterBound>> conjunction();

 private:
  bool constraint(std::vector<model::CounterBound>& bounds);
  std::optional<model::CounterBound> bound(model::PlaceId place);
  std::optional<model::CounterBound> interval(model::PlaceId place);
  bool symbol(std::string_view wanted);

  text::Lexer& lexer_;
  const PlaceTable& places_;
  text::Problems& problems_;
  OncePerPlace constrained_;
};

}  // namespace heddle::frontend::petri
