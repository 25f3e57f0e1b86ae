#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/explore/symbolic_replay.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::engine::explore {

/// The words that are tried where a run may choose.
struct Candidates {
  std::vector<std::uint64_t> values;
  bool are_all = false;  ///< nothing else can be chosen
};

/// All words where there are few, or one of each class where that is known (word_classes.hpp);
/// otherwise 0, 1, 2, -1 and what was suggested for the place where
/// the word is chosen, and on request also the constants that the program compares with and their
/// neighbours.
class Values {
 public:
  explicit Values(const model::c::Program& program);

  Candidates of(ChoiceSite site, const model::c::ChoiceRequest& request) const;
  /// Whether the word was not among the candidates of this place, and is from now on. No more than
  /// a few are taken for each place.
  bool suggest(ChoiceSite site, std::uint64_t word);
  /// Adds the constants of the program; whether there are any that were not there before.
  bool add_constants();
  /// From now on, words of up to 8 bits are all tried; whether the program chooses such words.
  bool add_small_words();
  /// From now on, a single word is tried where neither all words nor one of each class are.
  void try_one_word() { has_one_word_ = true; }

 private:
  const model::c::Program& program_;
  std::vector<std::uint64_t> everywhere_ = {0, 1, 2, ~std::uint64_t{0}};  ///< 64 bits wide
  std::map<ChoiceSite, std::vector<std::uint64_t>> classes_;
  std::map<ChoiceSite, std::vector<std::uint64_t>> suggested_;
  bool has_constants_ = false;
  bool has_small_words_ = false;
  bool has_one_word_ = false;
};

}  // namespace heddle::engine::explore
