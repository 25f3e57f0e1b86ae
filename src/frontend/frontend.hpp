#pragma once

/// Texts in, models out. Nothing here reads a disk: a caller hands over names and texts.
/// A new format is a folder with its parser and printer, and one row in `format_table`.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "model/task.hpp"

namespace heddle::frontend {

struct SourceText {
  std::string name;  ///< as messages should show it
  std::string text;
};

/// What a file says. A question may be missing from it (then the caller looks elsewhere).
struct ModelFile {
  model::Model model;
  std::vector<model::Region> initial;  ///< empty: the file does not say
  std::vector<model::Region> targets;  ///< empty: the file does not say
  base::Diagnostics warnings;
};

/// Where a part of the question (initial states, targets) stands.
enum class Place {
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
  base::Parsed<ModelFile> (*parse)(const SourceText& source);
  /// Why the format has no text for this file, as a clause such as "it has several initial
  /// regions"; nothing if `print` can write it. Linear in the file.
  std::optional<std::string> (*cannot_print)(const ModelFile& file);
  /// The text that parses to the same model, initial regions and targets; of Remopla, to a program
  /// that fails if and only if this one does. What of the question the format has no place for goes
  /// into comments (question_comments.hpp). Precondition: `cannot_print` finds no reason.
  std::string (*print)(const ModelFile& file);
  Place initial = Place::InFile;
  Place targets = Place::InFile;
};

std::span<const FormatRow> format_table();

/// The format of that name, or else the only one with that extension ("nbp"); null if there is
/// none.
const FormatRow* find_format(std::string_view name);
/// By extension and content; null if there is none.
const FormatRow* guess_format(std::string_view file_name, std::string_view text);

/// A target or an initial state as users write it on the command line or in a property file:
/// `s|l,l` and `s|l/l` for thread systems, `p>=1, q>=2` for nets, `s|a,-` for pushdown systems
/// (docs/formats/). `source.name` is
/// what messages call the text, for example "--target". A property file may hold several, one a
/// line.
base::Parsed<std::vector<model::Region>> parse_targets(const model::Model& model,
                                                       const SourceText& source);
base::Parsed<std::vector<model::Region>> parse_initial(const model::Model& model,
                                                       const SourceText& source);

/// Texts that these functions read as the same regions, one a line; "" if there are none. What the
/// notation has no text for (the target of a program, a place whose name has a quote in it) reads
/// as something else, or not at all.
std::string print_targets(const model::Model& model, const std::vector<model::Region>& regions);
std::string print_initial(const model::Model& model, const std::vector<model::Region>& regions);

/// The initial states that a model has if nobody says otherwise: `0/0` for thread systems, one
/// thread in main for Boolean programs.
std::vector<model::Region> default_initial(const model::Model& model);

}  // namespace heddle::frontend
