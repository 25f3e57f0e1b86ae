#pragma once

/// All small Boolean programs over a choice of statements.
///
/// A theme fixes what stands around the statements (declarations, procedures, threads) and, for
/// each place in it, an alphabet of statements and a length. Its programs are all sequences of up
/// to that length in every place, shorter ones first, so that the first program that shows
/// something is a smallest one. Statements of a sequence have the labels A, B, C, … in turn.
/// Programs without a statement that can fail are left out, and so are those that jump to a label
/// that is not there.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heddle::test {

struct SmallPlace {
  std::vector<std::string> statements;
  std::size_t longest = 0;
};

struct SmallTheme {
  std::string name;
  /// With `{0}`, `{1}`, … for the places.
  std::vector<std::string> frames;
  std::vector<SmallPlace> places;
  std::size_t most = 0;  ///< statements in all places together
};

/// Themes that have every construct of the language, and the ways in which constructs meet.
const std::vector<SmallTheme>& small_themes();

/// Programs on which something once contradicted the step function, or an answer was refuted.
const std::vector<std::string>& kept_small_programs();

/// Every program of the theme with so many statements in all its places.
void for_each_small_program(const SmallTheme& theme, std::size_t statements,
                            const std::function<void(const std::string& text)>& visit);

}  // namespace heddle::test
