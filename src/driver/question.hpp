#pragma once

/// What the command line says about a question, and the files that hold the rest of it.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/integer.hpp"
#include "driver/disk.hpp"
#include "frontend/frontend.hpp"
#include "model/task.hpp"

namespace heddle::driver {

using base::complaint;

/// What the command line says about the question.
struct QuestionOptions {
  std::string format;                         ///< a name of the format table; empty: guess
  std::vector<std::string> targets;           ///< as written; all of them count (OR)
  std::vector<std::string> labels;            ///< of a Boolean program, which are its failures then
  std::optional<std::string> property;        ///< a file with targets
  bool is_weakly_fair = false;                ///< termination of fair runs only
  std::optional<std::string> initial;         ///< as written
  std::optional<base::Integer> threads;       ///< nothing: as the model has it
  bool any_threads = false;                   ///< said so: any number, for programs too
  std::optional<std::uint32_t> contexts;      ///< see model::PushdownQuestion
  frontend::c::ReadOptions reading;           ///< of C programs
  std::optional<std::uint8_t> pointer_bytes;  ///< of C programs; nothing: a task file's, else 8
  std::vector<std::string> linked_files;      ///< further translation units of a C program
  std::optional<std::string> compile_commands = {};  ///< compile_commands.json of a C program
};

base::Parsed<frontend::SourceText> read_source(const Disk& disk, const std::string& path);

/// `props.xml#Name` is one property of a file: what stands behind the '#' is for the front end,
/// unless there is a file of that whole name.
std::string without_property_name(const Disk& disk, const std::string& path);

/// What a file beside the model may be called: `x.tts.prop`, and then `x.prop`.
std::vector<std::string> sibling_names(const std::string& path, const std::string& extension,
                                       frontend::QuestionPlace place);

/// The first of the file's siblings with this extension, or nothing.
std::optional<std::string> sibling_of(
    const Disk& disk, const std::string& path, const std::string& extension,
    frontend::QuestionPlace place = frontend::QuestionPlace::Beside);

/// The names of all files that a run about this model may read: the model, the property file, and
/// whatever may be beside it. Not all of them need exist.
std::vector<std::string> input_files(const Disk& disk, const std::string& path,
                                     const QuestionOptions& options);

/// The format of the file, by name or guessed. The error says that nobody can tell.
base::Parsed<const frontend::FormatRow*> format_of(const frontend::SourceText& source,
                                                   const std::string& format);

/// Some order of what questions are made of, for comparing sets of them: there may be many.
bool precedes(const model::Region& a, const model::Region& b);
bool precedes(const model::ThreadsInMain& a, const model::ThreadsInMain& b);
template <std::totally_ordered Item>
bool precedes(const Item& a, const Item& b) {
  return a < b;
}
template <class Item>
  requires std::is_empty_v<Item>
bool precedes(const Item&, const Item&) {
  return false;
}

/// Do both lists hold the same, in whatever order?
template <class Item>
bool same_set(const std::vector<Item>& a, const std::vector<Item>& b) {
  const auto sorted = [](std::vector<Item> items) {
    std::ranges::sort(items, [](const Item& x, const Item& y) { return precedes(x, y); });
    const auto repeated = std::ranges::unique(items);
    items.erase(repeated.begin(), repeated.end());
    return items;
  };
  return a == b || sorted(a) == sorted(b);
}

}  // namespace heddle::driver
