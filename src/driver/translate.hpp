#pragma once

/// Reads a model in one format and writes it in another, through the other kind of model if need
/// be. Whoever reads the result is asked the same question. Nothing is printed or written here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/c_views.hpp"
#include "driver/disk.hpp"
#include "driver/question.hpp"
#include "transform/first_turn.hpp"

namespace heddle::driver {

/// Beside the formats: what a C program becomes, as text.
inline constexpr std::string_view kModelText = "model";
/// Beside the formats: the Horn clauses of a C program.
inline constexpr std::string_view kHornText = "smt2";

struct TranslateRequest {
  std::string file;
  QuestionOptions question;
  std::string to;  ///< a name of the format table, kModelText or kHornText; empty: by the extension
                   ///< of `out`
  std::optional<std::string> out;  ///< where the caller is going to put it; nothing: a stream
  /// Of rounds, if the question bounds the contexts.
  transform::FirstTurn first = transform::FirstTurn::First;
  HornChoice horn;  ///< its reduction is also that of sequential C programs
  /// Rounds of each loop of a C program that becomes a sequential one.
  std::optional<std::uint32_t> unroll;
};

struct TranslatedFile {
  std::string text;  ///< the model
  /// Beside the model, if `out` is a file: what of the question the format has no place for.
  std::vector<OutputFile> siblings;
  std::vector<std::string> notes;  ///< what the reader of the result should know
  base::Diagnostics warnings;
};

/// A file without a target is translated, too. The error says what is wrong with the input, or
/// what the format or the other kind of model cannot express.
base::Parsed<TranslatedFile> translate(const Disk& disk, const TranslateRequest& request);

}  // namespace heddle::driver
