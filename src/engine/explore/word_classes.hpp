#pragma once

/// Words that stand for all others where a word is chosen.
///
/// The program chooses a word into a register. Say that it *leaks* from there to a register if it
/// is copied or extended to it. If no instruction does anything else with the chosen word than
///
///   - to compare it, or what leaked of it, with a constant, or to switch on it, and
///   - to return it from a start routine of threads, when nobody reads results of threads,
///
/// then two words that all these comparisons treat alike make no difference to any other part of
/// the state, now or later: one word of each class is enough. Extension preserves equality, and
/// the order up to where it begins; so along the circle of all words comparisons change their
/// results only next to their constants and at the least and the greatest words. These points are
/// the candidates, or where words are only tested for equality, the constants and one other word.
///
/// Only the reads count that the word can come to: it is followed from where it is chosen along the
/// flow of control, in each register up to where that is written again.

#include <map>
#include <vector>

#include "engine/explore/symbolic_replay.hpp"
#include "model/c/program.hpp"

namespace heddle::engine::explore {

/// For each choice of which it is known, words that stand for all.
std::map<ChoiceSite, std::vector<std::uint64_t>> word_classes(const model::c::Program& program);

/// Whether chosen words are only stored, copied and compared, as far as the functions show that
/// choose them: what the check of SAFE can follow.
bool inputs_are_data(const model::c::Program& program);

}  // namespace heddle::engine::explore
