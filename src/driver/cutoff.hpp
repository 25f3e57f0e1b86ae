#pragma once

/// The line of `verify`, for the question how many threads are enough: read, run in a child
/// process, check in another. Nothing is printed here.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "answer/cutoff_report.hpp"
#include "base/diagnostic.hpp"
#include "driver/recheck.hpp"
#include "driver/show.hpp"
#include "driver/verify.hpp"
#include "engine/engine.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::driver {

struct CutoffRequest {
  std::string file;
  QuestionOptions question;  ///< targets do not matter
  engine::Options options;
  Budget budget;
  std::uint64_t seed = 0;
  bool check = true;
  bool as_threads = false;  ///< translate a net to a thread system even if it need not be
  std::function<void(std::string_view engine, const base::Event&)> on_event;
};

/// Nets that move or drop all tokens of a place have no thread count of their own. They are
/// translated to thread systems, and the answer is about these; a warning says so, and the checker
/// shows that the system is the net.
struct CutoffAnswered {
  model::Task task;  ///< what the answer is about, without targets
  /// The file's own, if the answer is about a translation of it.
  std::optional<model::Task> net;
  output::Asked asked;
  answer::CutoffReport report;
  std::optional<answer::Cutoff> unconfirmed;  ///< the claim whose check did not finish
  std::optional<int> interrupted_by;          ///< a signal
};

/// The error says what is wrong with the input.
base::Parsed<CutoffAnswered> find_cutoff(const Disk& disk, const CutoffRequest& request);

/// Re-validates stored evidence of a cutoff: the question is the one that `find_cutoff` puts.
base::Parsed<CutoffAnswered> recheck_cutoff(const Disk& disk, const RecheckRequest& request);

/// Is this a file with evidence of a cutoff? False as well if it cannot be read.
bool holds_cutoff(const Disk& disk, const std::string& path);

/// 0, 20, 70 or 71.
int exit_code(const answer::CutoffReport& report);

/// The text of an evidence file; nothing if there is no evidence.
std::optional<std::string> evidence_text(const CutoffAnswered& answered);

/// The grid of reachable thread states. The error: there is none to draw, or a program is missing.
base::Parsed<std::string> cutoff_picture(const CutoffAnswered& answered, PictureFormat format);

}  // namespace heddle::driver
