#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "output/report/page_parts.hpp"
#include "output/words.hpp"

namespace heddle::output::report {

namespace {

using nlohmann::ordered_json;

/// Files of a C program are numbered; the page numbers those that it shows.
class FileNumbers {
 public:
  explicit FileNumbers(const PageInput& input) {
    const auto* task = std::get_if<model::CTask>(&input.task);
    if (!task) return;
    for (const std::string& name : task->model.files) {
      const auto shown = std::ranges::find(input.sources, name, &SourceFile::name);
      numbers_.push_back(shown == input.sources.end() ? -1 : shown - input.sources.begin());
    }
  }
  std::ptrdiff_t of(const SourcePlace& place) const {
    if (numbers_.empty()) return 0;
    return place.file < numbers_.size() ? numbers_[place.file] : -1;
  }

 private:
  std::vector<std::ptrdiff_t> numbers_;
};

ordered_json texts_json(const std::vector<std::string>& texts) {
  ordered_json out = ordered_json::array();
  for (const std::string& text : texts) out.push_back(base::printable(text));
  return out;
}

ordered_json row_json(const SheetRow& row, const FileNumbers& files) {
  const StoryEntry& entry = row.entry;
  const std::ptrdiff_t file = files.of(entry.place);
  ordered_json changes = ordered_json::array();
  for (const SheetChange& change : row.changes)
    changes.push_back({change.slot, base::printable(change.value)});
  return {{"first", base::to_string(row.first)},
          {"last", base::to_string(row.last)},
          {"lane", row.lane ? static_cast<int>(*row.lane) : -1},
          {"who", base::printable(entry.who)},
          {"what", base::printable(entry.change)},
          {"where", base::printable(entry.where)},
          {"file", file},
          {"line", file < 0 ? 0 : entry.place.line},
          {"details", texts_json(entry.details)},
          {"notes", texts_json(entry.notes)},
          {"changes", std::move(changes)}};
}

ordered_json slots_json(const RunSheet& sheet) {
  ordered_json out = ordered_json::array();
  for (const SheetSlot& slot : sheet.slots)
    out.push_back({slot.lane ? static_cast<int>(*slot.lane) : -1, base::printable(slot.name),
                   base::printable(slot.initial)});
  return out;
}

/// What is shared by threads, or what there is in a net.
std::string_view shared_title(const model::AnyTask& task) {
  return std::holds_alternative<model::NetTask>(task) ? "Tokens" : "Shared";
}

/// A '<' could end the script element.
std::string without_tags(const std::string& json) {
  std::string out;
  for (const char c : json) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

}  // namespace

std::string page_data(const PageInput& input, const RunSheet* sheet,
                      const std::vector<LineNote>& notes) {
  static const RunSheet kNone;
  const RunSheet& run = sheet ? *sheet : kNone;
  const FileNumbers files(input);
  ordered_json object = {{"lanes", texts_json(run.lanes)},
                         {"shared", shared_title(input.task)},
                         {"slots", slots_json(run)},
                         {"steps", base::to_string(run.steps)},
                         {"end", base::printable(run.broken.empty() ? run.reached : run.broken)},
                         {"rows", ordered_json::array()},
                         {"sources", ordered_json::array()},
                         {"notes", ordered_json::array()}};
  for (const SheetRow& row : run.rows) object["rows"].push_back(row_json(row, files));
  for (const SourceFile& source : input.sources)
    object["sources"].push_back({{"name", source.name}, {"text", source.text}});
  for (const LineNote& note : notes)
    if (const std::ptrdiff_t file = files.of(note.place); file >= 0)
      object["notes"].push_back({file, note.place.line, note.who, note.text});
  return without_tags(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace heddle::output::report
