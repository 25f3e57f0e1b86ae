#pragma once

/// From a file name and what the user said to a model and a question about it.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/integer.hpp"
#include "driver/disk.hpp"
#include "frontend/frontend.hpp"
#include "model/task.hpp"

namespace heddle::driver {

/// What the command line says about the question.
struct QuestionOptions {
  std::string format;                     ///< a name of the format table; empty: guess
  std::vector<std::string> targets;       ///< as written; all of them count (OR)
  std::vector<std::string> labels;        ///< of a Boolean program, which are its failures then
  std::optional<std::string> property;    ///< a file with targets
  std::optional<std::string> initial;     ///< as written
  std::optional<base::Integer> threads;   ///< nothing: as the model has it
  bool any_threads = false;               ///< said so: any number, for programs too
  std::optional<std::uint32_t> contexts;  ///< see model::Question
};

struct LoadedModel {
  std::string format;
  frontend::ModelFile file;
  std::string initial_from;              ///< where its initial states, if any, come from
  std::vector<std::string> labels = {};  ///< see model::Question
};

/// Regions and where they came from, in words: "--target", "the file", "x.prop".
struct SourcedRegions {
  std::vector<model::Region> regions;
  std::string from;
};

base::Parsed<LoadedModel> load_model(const Disk& disk, const std::string& path,
                                     const std::string& format);

/// What a file beside the model may be called: `x.tts.prop`, and then `x.prop`.
std::vector<std::string> sibling_names(const std::string& path, const std::string& extension,
                                       frontend::Place place);

/// The names of all files that a run about this model may read: the model, the property file, and
/// whatever may be beside it. Not all of them need exist.
std::vector<std::string> input_files(const Disk& disk, const std::string& path,
                                     const QuestionOptions& options);

/// Makes the labels the failures of the program: its own failures do not count any more. Nothing
/// happens without labels. The error says which label there is not, or that it is no program.
base::Parsed<void> choose_labels(const std::string& path, const std::vector<std::string>& labels,
                                 LoadedModel& loaded);

/// The targets of the command line (`--target` and `--property` together), else of the file, else
/// of a sibling `.prop` or `.prp` (or `.spec`, beside a pushdown system; `.formula`, beside a net).
/// No regions if there are none anywhere.
base::Parsed<SourcedRegions> find_targets(const Disk& disk, const std::string& path,
                                          const LoadedModel& loaded,
                                          const QuestionOptions& options);

/// The initial states of the command line, else of the file. No regions if neither says.
base::Parsed<SourcedRegions> find_initial(const LoadedModel& loaded,
                                          const QuestionOptions& options);

/// The model's default initial states, with their reading in words. No regions if it has none.
SourcedRegions assumed_initial(const model::Model& model);

/// Exactly `threads` threads in the one local state of each region that has no upper bound.
base::Parsed<void> fix_thread_count(const model::Model& model, const base::Integer& threads,
                                    std::vector<model::Region>& initial);

/// What to tell a user who gave no target.
base::Diagnostics missing_target(const std::string& path, const model::Model& model);
base::Diagnostics missing_initial(const std::string& path, const model::Model& model);

base::Diagnostics complaint(std::string file, std::string message, std::string hint = {});

/// Do both lists hold the same regions, in whatever order?
bool same_set(const std::vector<model::Region>& a, const std::vector<model::Region>& b);

}  // namespace heddle::driver
