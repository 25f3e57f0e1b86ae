#pragma once

/// What the user asks for, after the words of the command line have been understood.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driver/bench/bench.hpp"
#include "driver/bench/cluster_run.hpp"
#include "driver/bench/cutoff_table.hpp"
#include "driver/bench/merge.hpp"
#include "driver/budget.hpp"
#include "driver/disk.hpp"
#include "driver/recheck.hpp"
#include "driver/show.hpp"
#include "driver/slurm/verify_jobs.hpp"
#include "driver/stored_outputs.hpp"
#include "driver/translate.hpp"
#include "driver/verify.hpp"
#include "engine/engine.hpp"
#include "output/bench/comparison.hpp"

namespace heddle::cli {

enum class ColourChoice { Auto, Always, Never };

struct OutputChoice {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool colours = false;     ///< on standard output
  bool progress = false;    ///< shown on standard error
  bool names_file = false;  ///< begin with the model's name: one line for each of several
};

/// `heddle verify`, `heddle races` and `heddle cutoff`.
struct VerifyCommand {
  driver::VerifyRequest request;
  std::vector<engine::EngineRow> engines;
  std::vector<driver::WantedOutput> outputs;  ///< what to store beside the answer, and where
  bool svcomp = false;                        ///< end with the competition's verdict
  bool races = false;                         ///< `heddle races`: say what keeps threads apart
  std::string picture;                        ///< of a cutoff: a file; empty: none
  driver::PictureFormat format = driver::PictureFormat::Svg;
  OutputChoice output;
  std::optional<driver::slurm::JobSettings> jobs;  ///< engines as jobs of Slurm
};

/// `heddle verify` of several models, one after the other.
struct BatchCommand {
  std::vector<VerifyCommand> commands;
};

struct CheckCommand {
  driver::RecheckRequest request;
  OutputChoice output;
};

struct ReplayCommand {
  driver::RecheckRequest request;
  bool all = false;     ///< print the trace instead of stepping through it
  bool expand = false;  ///< unfold repetitions
};

struct TranslateCommand {
  driver::TranslateRequest request;
  driver::Budget budget;
  bool quiet = false;
};

struct ShowCommand {
  driver::ShowRequest request;
  std::string output;  ///< a file; empty: standard output
};

struct BenchCommand {
  driver::bench::BenchRequest request;
  std::optional<driver::bench::ClusterRequest> cluster;  ///< nothing: on this machine
};

/// Results of parts of a suite.
struct MergeCommand {
  driver::bench::MergeRequest request;
};

struct CutoffTableCommand {
  driver::bench::CutoffTableRequest request;
};

/// Two result files of `heddle bench`.
struct CompareCommand {
  std::string before;
  std::string after;
  output::bench::Threshold threshold;
};

struct EnginesCommand {
  std::optional<std::string> name;
  bool json = false;
};

struct FormatsCommand {
  bool json = false;
};

/// Manual pages and completions.
struct GenerateCommand {
  std::vector<driver::OutputFile> files;
};

/// Help and version: a text, and nothing else to do.
struct PrintCommand {
  std::string text;
};

using Command =
    std::variant<VerifyCommand, BatchCommand, CheckCommand, ReplayCommand, TranslateCommand,
                 ShowCommand, BenchCommand, CutoffTableCommand, MergeCommand, CompareCommand,
                 EnginesCommand, FormatsCommand, GenerateCommand, PrintCommand>;

/// The user's words make no sense, or those of the settings file.
struct UsageError {
  std::string message;
  std::string hint = {};     ///< may be empty
  bool in_settings = false;  ///< bad input instead of wrong usage
};

}  // namespace heddle::cli
