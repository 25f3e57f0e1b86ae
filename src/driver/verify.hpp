#pragma once

/// The whole line: read, ask, transform, run, translate back, check; the same for both questions
/// that can be asked. Nothing is printed here.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "answer/report.hpp"
#include "base/diagnostic.hpp"
#include "driver/budget.hpp"
#include "driver/disk.hpp"
#include "driver/portfolio.hpp"
#include "driver/pose.hpp"
#include "driver/question.hpp"
#include "engine/engine.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "transform/translation.hpp"

namespace heddle::driver {

struct VerifyRequest {
  std::string file;
  Asking asking = Asking::Reachability;
  QuestionOptions question;
  /// Solve on a model of this kind, translated where the file's is of another; the answer and its
  /// check are about the file's own model. Nothing: take the model as it is.
  std::optional<model::AnyKind> via;
  engine::Options options;
  Budget budget;
  std::uint64_t seed = 0;
  unsigned jobs = 1;
  bool check = true;
  bool projection = false;  ///< which statements or rules lie on an error trace?
  bool as_threads = false;  ///< find the cutoff of a net as a thread system in any case
  std::function<void(std::string_view engine, const base::Event&)> on_event;
};

/// A question with its answer.
struct Answered {
  model::AnyTask task;                ///< what the answer is about
  std::optional<model::NetTask> net;  ///< of which `task` is a translation (cutoff.hpp)
  output::Asked asked;
  answer::Report report;
  std::optional<answer::Verdict> unconfirmed;          ///< see PortfolioResult
  std::optional<int> interrupted_by;                   ///< a signal
  std::vector<std::vector<output::EngineTurn>> turns;  ///< see PortfolioResult
  Budget budget;                                       ///< that it had
};

/// Asks the given engines about a file. The error says what is wrong with the input.
base::Parsed<Answered> verify(const Disk& disk, const VerifyRequest& request,
                              std::span<const engine::EngineRow> engines);

/// The text of an evidence file for this answer: of its verdict, or of the claim whose check did
/// not finish. Nothing if there is no evidence.
std::optional<std::string> evidence_text(const Answered& answered);

}  // namespace heddle::driver
