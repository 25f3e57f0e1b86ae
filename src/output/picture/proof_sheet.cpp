#include "output/picture/proof_sheet.hpp"

#include <filesystem>
#include <sstream>

#include "output/certificate_text.hpp"
#include "output/cutoff_text.hpp"
#include "output/line_notes.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

constexpr double kSheetLeft = 24;
constexpr double kSheetLine = 15;
constexpr std::size_t kLongestSheetLine = 140;

/// Lines of text, one below the other.
class Sheet {
 public:
  explicit Sheet(Svg& svg) : svg_(svg), y_(svg.bottom() + 26) {}

  /// Long ones go on below, further to the right.
  void line(const std::string& text, double indent, std::string_view classes) {
    double further = 0;
    for (const std::string& piece : wrapped(text, kLongestSheetLine, kMostSheetLines)) {
      if (lines_++ >= kMostSheetLines) continue;
      svg_.text({kSheetLeft + indent + further, y_}, piece, classes, text);
      y_ += kSheetLine;
      further = 16;
    }
  }
  void gap() { y_ += kSheetLine / 2; }
  void finish() {
    if (lines_ > kMostSheetLines)
      svg_.text({kSheetLeft, y_}, "… " + counted(lines_ - kMostSheetLines, "more line"), "quiet");
  }

 private:
  Svg& svg_;
  double y_;
  std::size_t lines_ = 0;
};

void add_words(Sheet& sheet, const std::string& words) {
  std::istringstream text(words);
  for (std::string line; std::getline(text, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent != std::string::npos)
      sheet.line(line.substr(indent), indent > 2 ? 16 : 0, indent > 2 ? "small mono" : "");
  }
}

/// The source lines that the proof is about, with what holds before them.
void add_notes(Sheet& sheet, const model::CTask& task, const Asked& asked,
               const std::vector<LineNote>& notes) {
  SourceLines lines(task.model, asked.sources);
  SourcePlace last;
  for (const LineNote& note : notes) {
    const bool same_line = note.place.file == last.file && note.place.line == last.line;
    if (!same_line) {
      const auto& files = task.model.files;
      const std::string file =
          note.place.file < files.size()
              ? std::filesystem::path(files[note.place.file]).filename().string()
              : "";
      sheet.gap();
      sheet.line(file + ":" + std::to_string(note.place.line) + "   " +
                     lines.trimmed({note.place.file, note.place.line, 0}),
                 0, "strong");
      last = note.place;
    }
    sheet.line((note.who.empty() ? "" : note.who + ": ") + note.text, 16, "small");
  }
}

std::string proof_text(const model::AnyTask& task, const answer::Verdict& verdict) {
  TextOptions options;
  options.verbose = true;
  if (const auto* safe = std::get_if<answer::Safe>(&verdict))
    return certificate_text(task, safe->certificate, options);
  if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    return certificate_text(task, bounded->certificate, options);
  const auto* cutoff = std::get_if<answer::Cutoff>(&verdict);
  return cutoff ? cutoff_proof_text(task, *cutoff, options) : "";
}

}  // namespace

std::string proof_svg(const model::AnyTask& task, const Asked& asked,
                      const answer::Verdict& verdict, const std::string& name,
                      const std::string& sentence, const std::string& warning) {
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46}, sentence, "quiet");
  if (!warning.empty()) {
    svg.text({16, 64}, warning, "warning");
    return svg.finish(name);
  }
  Sheet sheet(svg);
  add_words(sheet, proof_text(task, verdict));
  if (const auto* c = std::get_if<model::CTask>(&task))
    if (const auto notes = line_notes(task, verdict); !notes.empty()) {
      sheet.gap();
      sheet.line("what holds at lines of the source", 0, "quiet");
      add_notes(sheet, *c, asked, notes);
    }
  sheet.finish();
  return svg.finish(name);
}

}  // namespace heddle::output::picture
