#pragma once

/// Texts in, models out. Nothing here reads a disk: a caller hands over names and texts.
/// A new format is a folder with its parser and printer, and one row in `format_table`. How
/// questions are written is in notation.hpp.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/c/read.hpp"
#include "frontend/source_text.hpp"
#include "model/task.hpp"

namespace heddle::frontend {

/// What a command line says about reading beside the file: for formats that have settings.
struct ReadSettings {
  c::ReadOptions c;
  std::vector<SourceText> further;  ///< other translation units of the same C program
};

/// What a file says. A question may be missing from it (then the caller looks elsewhere).
template <class Model>
struct ModelFile {
  Model model;
  std::vector<model::InitialOf<Model>> initial;  ///< empty: the file does not say
  std::vector<model::TargetOf<Model>> targets;   ///< empty: the file does not say
  base::Diagnostics warnings;
};
using AnyModelFile = base::VariantOf<ModelFile, model::Kinds>;

using ThreadFile = ModelFile<model::ThreadSystem>;
using NetFile = ModelFile<model::PetriNet>;
using ProgramFile = ModelFile<model::BooleanProgram>;
using PushdownFile = ModelFile<model::PushdownSystem>;
using CFile = ModelFile<model::CProgram>;

model::AnyKind kind_of(const AnyModelFile& file);
const base::Diagnostics& warnings_of(const AnyModelFile& file);

/// Where a part of the question (initial states, targets) stands.
enum class QuestionPlace {
  InFile,
  Beside,          ///< in a file of its own: `x.tts.init`, else `x.init`
  BesideLongName,  ///< in `x.bp.init` only: `x.init` is likely to be another model's
};

struct FormatRow {
  std::string_view name;                     ///< "tts", "spec"
  std::vector<std::string_view> extensions;  ///< with the dot
  std::string_view summary;
  /// Could this text be of the format? Decides between formats that share an extension.
  bool (*recognises)(std::string_view text);
  std::function<base::Parsed<AnyModelFile>(const SourceText& source, const ReadSettings& settings)>
      parse = {};
  /// Why the format has no text for this file, as a clause such as "it has several initial
  /// regions"; nothing if `print` can write it. Linear in the file.
  std::function<std::optional<std::string>(const AnyModelFile& file)> cannot_print = {};
  /// The text that parses to the same model, initial regions and targets; of Remopla, to a program
  /// that fails if and only if this one does. What of the question the format has no place for goes
  /// into comments (question_comments.hpp). Precondition: `cannot_print` finds no reason.
  std::function<std::string(const AnyModelFile& file)> print = {};
  model::AnyKind kind = {};  ///< of the models that it holds
  QuestionPlace initial = QuestionPlace::InFile;
  QuestionPlace targets = QuestionPlace::InFile;
  bool has_settings = false;  ///< `parse` heeds its settings
};

std::span<const FormatRow> format_table();

/// How questions about a kind of model are written. Specialised for each kind in its folder's
/// notation.hpp, with these static members; `Initial` and `Target` are those of model::Kind.
///
///   base::Parsed<std::vector<Target>> parse_targets(const Model&, const SourceText&)
///   base::Parsed<std::vector<Initial>> parse_initial(const Model&, const SourceText&)
///       as users write them on the command line or in a property file, several of them separated
///       by line ends or ';'. `SourceText::name` is what messages call the text: "--target"
///   std::string print_initial(const Model&, const Initial&)
///   std::vector<Initial> default_initial()   if nobody says otherwise; may be empty
///   base::Parsed<void> fix_thread_count(const base::Integer&, std::vector<Initial>&)
///   Initial plain_initial(Initial), Target plain_target(Target)   without what goes without saying
///   kInitialOption        the option that puts initial states: "--initial", "--threads"
///   kAssumed              the default initial states, in words
///   kTargetSiblings       extensions of files with targets beside the model
///   kWritesTargets        have targets a text? (The target of a program is in the program.)
///   kNeedsTarget          is a question without target no question?
///   kTargetHint, kInitialHint   what to tell a user who gave none
template <class Model>
struct Notation;

/// What is wrong with a --threads N.
base::Diagnostics thread_count_complaint(std::string message);
/// Regions without bounds that go without saying: 0 in an initial region, anything in a target.
model::Region plain_initial_region(model::Region region);
model::Region plain_target_region(model::Region region);

/// The format of that name, or else the only one with that extension ("nbp"); null if there is
/// none.
const FormatRow* find_format(std::string_view name);
/// By extension and content; null if there is none.
const FormatRow* guess_format(std::string_view file_name, std::string_view text);

}  // namespace heddle::frontend
