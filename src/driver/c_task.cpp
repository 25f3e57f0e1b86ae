#include "driver/c_task.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/suggest.hpp"
#include "frontend/c/notation.hpp"
#include "frontend/c/task_file.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
namespace c = frontend::c;
namespace fs = std::filesystem;

Parsed<c::TaskFile> read_task(const Disk& disk, const std::string& path) {
  const auto source = read_source(disk, path);
  if (!source) return std::unexpected(source.error());
  return c::read_task_file(*source);
}

/// `x.yml` beside `x.c` or `x.i`, a task of the competition, says how wide pointers are.
Parsed<void> take_task_file(const Disk& disk, const std::string& path, c::ReadOptions& options) {
  const std::string task = fs::path(path).replace_extension(".yml").string();
  if (!disk.exists(task) || !c::can_read_c()) return {};
  const auto file = read_task(disk, task);
  if (!file) return std::unexpected(file.error());
  if (file->pointer_bytes) options.pointer_bytes = *file->pointer_bytes;
  return {};
}

void note_property(model::c::Property property, c::ReadOptions& options) {
  if (tracks_memory(property)) options.keeps_pointers = true;
  if (property == model::c::Property::NoOverflow) options.asks_for_overflow = true;
  if (violates(property, model::c::Violation::Kind::InvalidAccess) ||
      violates(property, model::c::Violation::Kind::DataRace))
    options.asks_for_accesses = true;
}

/// What is asked decides how the program is read; a property file may also name an error function
/// and an entry of its own.
Parsed<void> take_property(const Disk& disk, const std::string& name, c::ReadOptions& options) {
  if (const auto property = frontend::Notation<model::CProgram>::find_property(name)) {
    note_property(*property, options);
    return {};
  }
  if (!disk.exists(name)) {
    base::Diagnostic unknown;
    unknown.message = "'" + name + "' is neither a property nor a file";
    unknown.hint =
        std::string(frontend::Notation<model::CProgram>::kProperties) + "; or a .prp file";
    return std::unexpected(base::Diagnostics{unknown});
  }
  const auto source = read_source(disk, name);
  if (!source) return std::unexpected(source.error());
  if (!source->text.contains("CHECK")) return {};
  const auto file = c::read_property_file(*source);
  if (!file) return std::unexpected(file.error());
  if (options.entry == "main") options.entry = file->entry;
  for (const c::SpecifiedProperty& specified : file->properties) {
    if (!specified.property) continue;
    note_property(*specified.property, options);
    if (specified.property != model::c::Property::Reach) continue;
    const auto& usual = options.error_functions;
    if (std::ranges::find(usual, specified.function) == usual.end())
      options.error_function = specified.function;
  }
  return {};
}

// ---- Compile commands

std::string absolute(const std::string& path, const fs::path& folder = fs::current_path()) {
  return fs::weakly_canonical(folder / path).string();
}

base::Diagnostics not_listed(const std::string& file, const std::string& database,
                             const std::vector<c::CompileCommand>& commands) {
  std::vector<std::string> names;
  for (const c::CompileCommand& command : commands) names.push_back(command.file);
  const std::string guess = base::did_you_mean(file, names);
  return complaint(database, "there is no command for " + file,
                   guess.empty() ? "it lists " + base::counted(names.size(), "file") : guess);
}

/// The options of each file, as its command in the database gives them.
Parsed<void> take_compile_commands(const Disk& disk, const std::string& database,
                                   const std::vector<std::string>& files, c::ReadOptions& options,
                                   std::optional<std::uint8_t>& bytes) {
  const auto source = read_source(disk, database);
  if (!source) return std::unexpected(source.error());
  const auto commands = c::read_compile_commands(*source);
  if (!commands) return std::unexpected(commands.error());
  const fs::path folder = fs::absolute(database).parent_path();
  for (const std::string& file : files) {
    const auto found = std::ranges::find(*commands, absolute(file), [&](const auto& command) {
      return absolute(command.file, folder);
    });
    if (found == commands->end()) return std::unexpected(not_listed(file, database, *commands));
    options.of_source[file] = found->options;
    if (!bytes) bytes = found->pointer_bytes;
  }
  return {};
}

// ---- Task files

std::string beside(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).lexically_normal().string();
}

/// How `--property` names it: the file, or where it is missing, the property that it is called
/// after.
std::string property_name(const Disk& disk, const std::string& task, const std::string& file) {
  const std::string path = beside(task, file);
  const std::string stem = fs::path(file).stem().string();
  const bool is_known = frontend::Notation<model::CProgram>::find_property(stem).has_value();
  return !disk.exists(path) && is_known ? stem : path;
}

bool is_supported(const Disk& disk, const std::string& property) {
  using Notation = frontend::Notation<model::CProgram>;
  if (Notation::find_property(property)) return true;
  const auto source = read_source(disk, property);
  return source && Notation::parse_targets({}, *source).has_value();
}

/// The first property that can be asked; if there is none, the first, which is then refused by
/// name.
void choose_property(const Disk& disk, const std::string& path, const c::TaskFile& task,
                     OpenedTask& out) {
  std::vector<std::string> names;
  for (const c::TaskProperty& property : task.properties)
    names.push_back(property_name(disk, path, property.file));
  if (names.empty()) return;
  const auto supported =
      std::ranges::find_if(names, [&](const auto& name) { return is_supported(disk, name); });
  out.options.property = supported == names.end() ? names.front() : *supported;
  if (names.size() == 1) return;
  base::Diagnostic warning;
  warning.severity = base::Severity::Warning;
  warning.location.file = path;
  warning.message = "the task has " + std::to_string(names.size()) +
                    " properties; this answer is about " + *out.options.property;
  warning.hint = "choose another one with --property";
  out.warnings.push_back(std::move(warning));
}

}  // namespace

bool is_task_file(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".yml" || extension == ".yaml";
}

Parsed<OpenedTask> open_task(const Disk& disk, const std::string& path,
                             const QuestionOptions& options) {
  const auto task = read_task(disk, path);
  if (!task) return std::unexpected(task.error());
  OpenedTask out{beside(path, task->input_files.front()), options, {}};
  for (std::size_t i = 1; i < task->input_files.size(); ++i)
    out.options.linked_files.push_back(beside(path, task->input_files[i]));
  if (!options.pointer_bytes) out.options.pointer_bytes = task->pointer_bytes;
  if (!options.property && options.targets.empty()) choose_property(disk, path, *task, out);
  return out;
}

Parsed<frontend::ReadSettings> read_settings(const Disk& disk, const std::string& path,
                                             const QuestionOptions& options) {
  frontend::ReadSettings settings;
  settings.c = options.reading;
  std::vector<std::string> files = {path};
  for (const std::string& file : options.linked_files) {
    auto source = read_source(disk, file);
    if (!source) return std::unexpected(std::move(source.error()));
    settings.further.push_back(std::move(*source));
    files.push_back(file);
  }
  std::optional<std::uint8_t> bytes = options.pointer_bytes;
  if (options.compile_commands)
    if (auto taken =
            take_compile_commands(disk, *options.compile_commands, files, settings.c, bytes);
        !taken)
      return std::unexpected(std::move(taken.error()));
  if (bytes) {
    settings.c.pointer_bytes = *bytes;
  } else if (auto taken = take_task_file(disk, path, settings.c); !taken) {
    return std::unexpected(std::move(taken.error()));
  }
  for (const std::string& target : options.targets)
    if (auto taken = take_property(disk, target, settings.c); !taken)
      return std::unexpected(std::move(taken.error()));
  if (options.property)
    if (auto taken = take_property(disk, *options.property, settings.c); !taken)
      return std::unexpected(std::move(taken.error()));
  return settings;
}

}  // namespace heddle::driver
