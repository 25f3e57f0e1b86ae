#pragma once

/// A claim that no bad point of a thread program can be reached, as data.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

/// Where a thread stands that is at no point.
constexpr std::uint32_t kUnborn = 0xffffffff;
constexpr std::uint32_t kEnded = 0xfffffffe;

/// A variable of formulas: how many threads of this kind stand at the cut. No symbol of a covering
/// has a `!` in it.
inline term::Term count_at(ThreadIndex thread, std::uint32_t point) {
  return term::variable("at!" + std::to_string(thread.value) + "!" + std::to_string(point),
                        term::Sort::Integer);
}

/// Whether threads are counted there: at cuts where they may stand when all is well.
inline bool is_counted(const ThreadProgram& program, const std::vector<std::vector<bool>>& is_cut,
                       std::size_t thread, std::size_t point) {
  return is_cut[thread][point] && !is_bad(program.threads[thread].points[point].kind);
}

/// The locals of the second thread in an invariant about two have this behind their names.
constexpr const char* kSecondMark = "!2";

struct ThreadProof {
  enum class Rule : std::uint8_t {
    Modular,  ///< each invariant speaks about globals and the locals of one thread or of two
    Product   ///< each invariant speaks about all threads at given points
  };
  Rule rule = Rule::Modular;

  /// By thread and point. *Out*: other threads may step while this one stands there; outside atomic
  /// sections only. *Cut*: steps begin and end there; all of the above, and enough others to cut
  /// every loop. While a thread stands at a cut that is not out, no other thread steps.
  std::vector<std::vector<bool>> is_out, is_cut;

  /// By thread and point: holds there in the program without reduction, whatever the other threads
  /// do. Over globals and the number of the thread.
  std::vector<std::vector<term::Term>> facts;

  struct Invariant {
    /// Modular: one thread; or two, the smaller thread and point first. The formula about two
    /// holds for any two different threads that stand there, with the locals of the second marked;
    /// if both stand at one point, in both orders. Product: all threads in order (with kUnborn and
    /// kEnded).
    std::vector<std::pair<ThreadIndex, std::uint32_t>> at;
    term::Term formula = term::constant(false);
  };
  /// For cuts; where there is none for a place, it is claimed to be unreachable. A pair of places
  /// need not have one. Modular invariants may
  /// mention the integer `busy`: the index + 1 of the thread that stands at a cut inside a block,
  /// or 0; and how many threads stand where (`count_at`).
  std::vector<Invariant> invariants;

  /// Holds whenever all threads stand at cuts. Over globals, locals of threads that are not
  /// replicated, and `count_at`. Modular proofs only.
  term::Term lemma = term::constant(true);
};

}  // namespace heddle::model::threads
