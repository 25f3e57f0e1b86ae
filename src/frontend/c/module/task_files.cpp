/// `.yml` tasks by yaml-cpp, `compile_commands.json` by nlohmann-json. What these libraries throw
/// stops here.

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "frontend/c/module/compile.hpp"
#include "frontend/c/module/entry_points.hpp"
#include "frontend/c/task_file.hpp"

namespace heddle::frontend::c {

namespace {

namespace fs = std::filesystem;

/// Something is wrong with the text; `line` 0: with the file.
struct Complaint {
  std::string message;
  std::uint32_t line = 0;
};

base::Diagnostic diagnostic(const SourceText& source, const Complaint& complaint) {
  base::Diagnostic out = error_in(source.name, complaint.message);
  out.location.line = complaint.line;
  if (complaint.line) {
    out.location.column = 1;
    out.line_text = base::line_of(source.text, complaint.line);
  }
  return out;
}

std::uint32_t line_of_node(const YAML::Node& node) {
  return static_cast<std::uint32_t>(std::max(0, node.Mark().line) + 1);
}

/// One name, or a list of them.
std::vector<std::string> names(const YAML::Node& node) {
  std::vector<std::string> out;
  if (node.IsScalar())
    out.push_back(node.as<std::string>());
  else if (node.IsSequence())
    for (const YAML::Node& one : node) out.push_back(one.as<std::string>());
  return out;
}

std::uint8_t data_model(const YAML::Node& node) {
  const auto text = node.as<std::string>();
  if (text == "ILP32") return 4;
  if (text == "LP64") return 8;
  throw Complaint{"unknown data model '" + text + "' (ILP32 or LP64)", line_of_node(node)};
}

TaskFile task(const YAML::Node& root) {
  if (!root.IsMap()) throw Complaint{"not a task: expected input_files and properties", 1};
  TaskFile out;
  if (const YAML::Node files = root["input_files"]) out.input_files = names(files);
  if (out.input_files.empty()) throw Complaint{"the task names no input_files", 0};
  if (const YAML::Node properties = root["properties"])
    for (const YAML::Node& one : properties) {
      if (!one.IsMap() || !one["property_file"])
        throw Complaint{"a property without property_file", line_of_node(one)};
      TaskProperty property;
      property.file = one["property_file"].as<std::string>();
      if (const YAML::Node expected = one["expected_verdict"]; expected && expected.IsScalar())
        property.expected = expected.as<bool>();
      if (const YAML::Node part = one["subproperty"]; part && part.IsScalar())
        property.subproperty = part.as<std::string>();
      out.properties.push_back(std::move(property));
    }
  const YAML::Node options = root["options"];
  if (options && options.IsMap()) {
    if (const YAML::Node language = options["language"];
        language && language.as<std::string>() != "C")
      throw Complaint{"the task is written in " + language.as<std::string>() + ", not in C",
                      line_of_node(language)};
    if (const YAML::Node model = options["data_model"]) out.pointer_bytes = data_model(model);
  }
  return out;
}

void read_task(const SourceText& source, base::Parsed<TaskFile>& result) {
  try {
    result = task(YAML::Load(source.text));
  } catch (const Complaint& complaint) {
    result = std::unexpected(base::Diagnostics{diagnostic(source, complaint)});
  } catch (const YAML::Exception& e) {
    const auto line = static_cast<std::uint32_t>(std::max(0, e.mark.line) + 1);
    result = std::unexpected(base::Diagnostics{diagnostic(source, {e.msg, line})});
  }
}

// ---- compile_commands.json

std::vector<std::string> arguments_of(const nlohmann::json& entry) {
  if (entry.contains("arguments")) return entry.at("arguments").get<std::vector<std::string>>();
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 32> words;
  llvm::cl::TokenizeGNUCommandLine(entry.at("command").get<std::string>(), saver, words);
  return {words.begin(), words.end()};
}

/// Takes `-Ix` and `-I x` alike; the value of an option, or nothing if it is another one.
std::optional<std::string> value_of(std::string_view option, const std::vector<std::string>& words,
                                    std::size_t& i) {
  if (words[i] == option) return i + 1 < words.size() ? words[++i] : std::string();
  if (words[i].starts_with(option) && option != "-include") return words[i].substr(option.size());
  return std::nullopt;
}

/// Flags that change what a program means.
bool is_about_language(const std::string& word) {
  static const std::set<std::string_view> known = {
      "-pthread",       "-ansi",         "-fgnu89-inline",    "-funsigned-char",
      "-fsigned-char",  "-fshort-enums", "-fms-extensions",   "-fno-builtin",
      "-ffreestanding", "-fcommon",      "-fplan9-extensions"};
  return known.contains(word);
}

CompileCommand command_of(const std::vector<std::string>& words, const std::string& directory) {
  CompileCommand command;
  CompileOptions& out = command.options;
  const auto absolute = [&](const std::string& path) {
    return fs::path(path).is_absolute() ? path : (fs::path(directory) / path).string();
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (const auto file = value_of("-include", words, i))
      out.forced_includes.push_back(fs::exists(absolute(*file)) ? absolute(*file) : *file);
    else if (const auto path = value_of("-I", words, i))
      out.include_paths.push_back(absolute(*path));
    else if (word.starts_with("-isystem") || word.starts_with("-iquote") ||
             word.starts_with("-idirafter")) {
      out.clang_flags.push_back(word);
      if (word == "-isystem" || word == "-iquote" || word == "-idirafter")
        if (i + 1 < words.size()) out.clang_flags.push_back(absolute(words[++i]));
    } else if (const auto name = value_of("-D", words, i))
      out.definitions.push_back(*name);
    else if (const auto gone = value_of("-U", words, i))
      out.undefinitions.push_back(*gone);
    else if (word.starts_with("-std="))
      out.standard = word.substr(5);
    else if (word == "-m32")
      command.pointer_bytes = 4;
    else if (word == "-m64")
      command.pointer_bytes = 8;
    else if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-x")
      ++i;
    else if (is_about_language(word))
      out.clang_flags.push_back(word);
    // Everything else says how to optimise, warn, or where to write.
  }
  return command;
}

void read_commands(const SourceText& source, base::Parsed<std::vector<CompileCommand>>& result) {
  try {
    const nlohmann::json root = nlohmann::json::parse(source.text);
    if (!root.is_array()) throw Complaint{"expected a list of commands", 1};
    std::vector<CompileCommand> out;
    for (const nlohmann::json& entry : root) {
      const std::string directory = entry.value("directory", std::string("."));
      const fs::path file = entry.at("file").get<std::string>();
      CompileCommand command = command_of(arguments_of(entry), directory);
      command.file =
          (file.is_absolute() ? file : fs::path(directory) / file).lexically_normal().string();
      out.push_back(std::move(command));
    }
    result = std::move(out);
  } catch (const Complaint& complaint) {
    result = std::unexpected(base::Diagnostics{diagnostic(source, complaint)});
  } catch (const nlohmann::json::parse_error& e) {
    const auto end = source.text.begin() +
                     static_cast<std::ptrdiff_t>(std::min<std::size_t>(e.byte, source.text.size()));
    const auto line = static_cast<std::uint32_t>(std::count(source.text.begin(), end, '\n') + 1);
    result = std::unexpected(base::Diagnostics{diagnostic(source, {"not JSON", line})});
  } catch (const nlohmann::json::exception& e) {
    const std::string what = e.what();
    result = std::unexpected(base::Diagnostics{diagnostic(
        source, {"not a list of compile commands: " + what.substr(what.find("] ") + 2)})});
  }
}

}  // namespace

}  // namespace heddle::frontend::c

extern "C" void heddle_read_task_file(const heddle::frontend::SourceText& source,
                                      heddle::base::Parsed<heddle::frontend::c::TaskFile>& result) {
  heddle::frontend::c::read_task(source, result);
}

extern "C" void heddle_read_compile_commands(
    const heddle::frontend::SourceText& source,
    heddle::base::Parsed<std::vector<heddle::frontend::c::CompileCommand>>& result) {
  heddle::frontend::c::read_commands(source, result);
}
