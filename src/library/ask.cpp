/// A question from beginning to end: files are laid out in a folder of our own, the program is run,
/// and what it has printed becomes the answer.

#include <heddle/heddle.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "library/answer.hpp"
#include "library/conversation.hpp"
#include "library/model.hpp"
#include "library/process.hpp"
#include "library/query.hpp"
#include "library/scratch.hpp"

namespace heddle::library {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// An argument, not an option and not standard input.
std::string as_argument(const std::string& path) { return path[0] == '-' ? "./" + path : path; }

struct CommandRow {
  const char* name;
  bool prints_json;
  bool stores_evidence;
};

CommandRow row_of(heddle_command command) {
  switch (command) {
    case HEDDLE_VERIFY: return {"verify", true, true};
    case HEDDLE_RACES: return {"races", true, true};
    case HEDDLE_CUTOFF: return {"cutoff", true, true};
    case HEDDLE_CHECK: return {"check", true, false};
    case HEDDLE_SHOW: return {"show", false, false};
    case HEDDLE_TRANSLATE: return {"translate", false, false};
  }
  throw std::invalid_argument("there is no such command");
}

/// Where everything lies while the program runs.
struct Layout {
  ScratchFolder scratch;
  fs::path texts = scratch.path() / "texts";
  fs::path evidence = scratch.path() / "evidence.json";  ///< that the program stores
  fs::path given = scratch.path() / "given.json";        ///< that it reads
  std::vector<std::string> models;                       ///< as arguments
  std::string folder;                                    ///< where it runs; empty: here
};

void lay_out(Layout& layout, const heddle_model& model, const heddle_query& query) {
  fs::create_directory(layout.texts);
  if (model.name.empty()) throw std::invalid_argument("the model has no name");
  if (model.text) {
    if (!is_text_name(model.name))
      throw std::invalid_argument("'" + model.name + "' is not the name of a text");
    write_file(layout.texts / model.name, text_of(model));
    layout.folder = layout.texts.string();
  }
  layout.models.push_back(as_argument(model.name));
  for (const std::string& file : model.files) {
    const std::string path = model.text ? fs::absolute(file).string() : as_argument(file);
    if (is_linked(file))
      layout.models.push_back(path);
    else
      fs::copy_file(path, layout.texts / fs::path(file).filename(),
                    fs::copy_options::overwrite_existing);
  }
  for (const auto& [name, text] : model.texts) {
    write_file(layout.texts / name, text);
    if (is_linked(name))
      layout.models.push_back(model.text ? name : (layout.texts / name).string());
  }
  if (query.evidence) write_file(layout.given, *query.evidence);
}

std::vector<std::string> words_of(const Layout& layout, const heddle_query& query,
                                  const CommandRow& row) {
  std::vector<std::string> words{program_path(), row.name};
  words.insert(words.end(), layout.models.begin(), layout.models.end());
  if (query.evidence) words.push_back(layout.given.string());
  words.emplace_back("--settings=none");
  if (row.prints_json) words.emplace_back("--json");
  if (row.stores_evidence) words.push_back("--evidence=" + layout.evidence.string());
  words.insert(words.end(), query.arguments.begin(), query.arguments.end());
  if (!query.clang_flags.empty()) words.emplace_back("--");
  words.insert(words.end(), query.clang_flags.begin(), query.clang_flags.end());
  return words;
}

heddle_failure_kind kind_of(const Said& said) {
  switch (said.exit_code.value_or(HEDDLE_INTERNAL_ERROR)) {
    case HEDDLE_WRONG_USAGE: return HEDDLE_WRONG_USAGE;
    case HEDDLE_BAD_INPUT: return HEDDLE_BAD_INPUT;
    case HEDDLE_REFUTED: return HEDDLE_REFUTED;
    case HEDDLE_INTERNAL_ERROR: return HEDDLE_INTERNAL_ERROR;
    default: return HEDDLE_NO_FAILURE;
  }
}

/// That there is no evidence to store is not worth a warning: nobody has asked for a file.
void drop_warning(const std::string& file, json& object, std::string& errors) {
  if (const auto warnings = object.find("warnings"); warnings != object.end())
    std::erase_if(warnings->get_ref<json::array_t&>(),
                  [&](const json& warning) { return warning.value("file", "") == file; });
  const std::size_t begin = errors.find(file + ": ");
  if (begin == std::string::npos) return;
  const std::size_t end = errors.find('\n', begin);
  errors.erase(begin, end == std::string::npos ? end : end + 1 - begin);
}

/// Messages about evidence that the host gave speak of it, not of a file that the host never saw.
void rename_evidence(const std::string& file, std::string& errors) {
  for (std::size_t at = 0; (at = errors.find(file, at)) != std::string::npos;)
    errors.replace(at, file.size(), "evidence");
}

void end_without_answer(heddle_answer& answer, const Said& said) {
  if (said.cancelled || said.exit_code == 20) {
    answer.verdict = HEDDLE_UNKNOWN;
    answer.reason = said.cancelled ? "cancelled" : "incomplete";
    answer.headline = "UNKNOWN";
    answer.failure = HEDDLE_NO_FAILURE;
  } else if (answer.failure == HEDDLE_NO_FAILURE) {
    answer.failure = HEDDLE_INTERNAL_ERROR;
  }
  if (!said.exit_code && answer.failure != HEDDLE_NO_FAILURE)
    answer.errors += "heddle: the program was killed\n";
}

void take(heddle_answer& answer, Said said, const Layout& layout, const CommandRow& row) {
  answer.errors = std::move(said.errors);
  rename_evidence(layout.given.string(), answer.errors);
  answer.failure = kind_of(said);
  if (said.cancelled) answer.failure = HEDDLE_NO_FAILURE;
  if (said.output.empty()) return end_without_answer(answer, said);
  if (!row.prints_json) {
    answer.verdict = HEDDLE_DONE;
    answer.output = std::move(said.output);
    return;
  }
  json object = json::parse(said.output);
  drop_warning(layout.evidence.string(), object, answer.errors);
  if (!said.exit_code) answer.failure = HEDDLE_NO_FAILURE;  // it ended by a signal, and said why
  take_json(answer, std::move(object));
  if (row.stores_evidence)
    if (std::string evidence = read_file(layout.evidence); !evidence.empty())
      answer.evidence = std::move(evidence);
}

void ask(heddle_answer& answer, const heddle_query& query, heddle_command command,
         const heddle_model& model) {
  const CommandRow row = row_of(command);
  if (is_cancelled(query)) {
    Said nothing;
    nothing.cancelled = true;
    return end_without_answer(answer, nothing);
  }
  Layout layout;
  lay_out(layout, model, query);
  const Process process = start(words_of(layout, query, row), layout.folder);
  take(answer, converse(process, query), layout, row);
}

}  // namespace

}  // namespace heddle::library

heddle_answer* heddle_ask(heddle_query* query, heddle_command command, const heddle_model* model) {
  using namespace heddle::library;
  std::unique_ptr<heddle_answer> answer;
  try {
    answer = std::make_unique<heddle_answer>();
    if (!query || !model) throw std::invalid_argument("no query, or no model");
    ask(*answer, *query, command, *model);
  } catch (const std::bad_alloc&) {
    return nullptr;
  } catch (const nlohmann::json::exception& error) {
    answer->verdict = HEDDLE_FAILED;
    answer->failure = HEDDLE_INTERNAL_ERROR;
    answer->errors +=
        "heddle: the program and the library do not fit together: " + std::string(error.what()) +
        "\n";
  } catch (const std::invalid_argument& error) {
    answer->failure = HEDDLE_WRONG_USAGE;
    answer->errors = "heddle: error: " + std::string(error.what()) + "\n";
  } catch (const std::exception& error) {
    answer->verdict = HEDDLE_FAILED;
    answer->failure = HEDDLE_NO_PROGRAM;
    answer->errors += "heddle: error: " + std::string(error.what()) + "\n";
  }
  std::uint64_t ignored = 0;
  if (query) {
    [[maybe_unused]] const ssize_t drained = read(query->cancel_signal, &ignored, sizeof ignored);
  }
  return answer.release();
}
