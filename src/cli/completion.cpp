/// Completion for bash, zsh and fish. Options, the words that they take and whether these are files
/// come from the catalogue, so that a new option is completed without a line here.

#include <algorithm>

#include "cli/generate.hpp"

namespace heddle::cli::generation {

namespace {

constexpr const char* kOrigin = "# Written by 'heddle generate' from the option tables.\n";

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

/// Between single quotes, where only they are special.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Up to the first clause: lists of completions have short lines.
std::string brief(const std::string& help) {
  const std::string clause = help.substr(0, help.find_first_of(";(:"));
  return clause.substr(0, clause.find_last_not_of(' ') + 1);
}

std::vector<std::string> command_names(const std::vector<CommandEntry>& catalogue) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < catalogue.size(); ++i) names.push_back(catalogue[i].name);
  return names;
}

std::vector<std::string> option_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// The words of the arguments, where they are words.
std::vector<std::string> argument_words(const CommandEntry& command) {
  return command.arguments.empty() ? std::vector<std::string>{} : command.arguments[0].words;
}

std::string bash_value(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::Folder: return "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
    case ValueKind::File: return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    case ValueKind::Words:
      return std::string(option.is_list ? "_heddle_list" : "_heddle_words") + " \"$current\" \"" +
             joined(option.words) + "\"";
    case ValueKind::None:
    case ValueKind::Text: break;
  }
  return ":";
}

std::string bash_values(const CommandEntry& command) {
  std::string out;
  for (const OptionEntry& option : command.options) {
    if (option.kind == ValueKind::None) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
    out += "    " + joined(patterns, " | ") + ") " + bash_value(option) + " && return ;;\n";
  }
  return out;
}

std::string zsh_value(const OptionEntry& option) {
  const std::string head = ":" + option.placeholder + ":";
  switch (option.kind) {
    case ValueKind::None: return "";
    case ValueKind::Folder: return head + "_files -/";
    case ValueKind::File: return head + "_files";
    case ValueKind::Words:
      if (option.is_list) return head + "_values -s , word " + joined(option.words);
      return head + "(" + joined(option.words) + ")";
    case ValueKind::Text: break;
  }
  return head + " ";
}

/// In a specification, colons and brackets have a meaning.
std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const OptionEntry& option) {
  std::string out;
  OptionEntry shown = option;
  shown.placeholder = zsh_escaped(option.placeholder);
  for (const std::string& name : option.names)
    out += " \\\n        " +
           quoted("*" + name + "[" + zsh_escaped(brief(option.help)) + "]" + zsh_value(shown));
  return out;
}

std::string fish_option(const CommandEntry& command, const OptionEntry& option) {
  std::string out = "complete -c heddle -n '__fish_seen_subcommand_from " + command.name + "'";
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.kind == ValueKind::Words) out += " -x -a " + quoted(joined(option.words));
  if (option.kind == ValueKind::Folder) out += " -x -a '(__fish_complete_directories)'";
  if (option.kind == ValueKind::File) out += " -r -F";
  if (option.kind == ValueKind::Text) out += " -x";
  return out + " -d " + quoted(brief(option.help)) + "\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandEntry>& catalogue) {
  std::string out = kOrigin;
  out += R"(
_heddle_words() { mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1"); }

# Several words, separated by commas.
_heddle_list() {
  local before=
  [[ $1 != *,* ]] || before=${1%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$2" -- "${1##*,}")
}

_heddle() {
  local current=$2 previous=$3 command=${COMP_WORDS[1]-}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _heddle_words "$current" ")" +
         joined(command_names(catalogue)) + " help " + joined(option_names(catalogue[0])) + R"("
    return
  fi
  case $command:$previous in
    help:*) _heddle_words "$current" ")" +
         joined(command_names(catalogue)) + R"(" && return ;;
)";
  for (std::size_t i = 1; i < catalogue.size(); ++i) out += bash_values(catalogue[i]);
  out += "  esac\n  case $command:$current in\n";
  for (std::size_t i = 1; i < catalogue.size(); ++i) {
    const CommandEntry& command = catalogue[i];
    out += "    " + command.name + ":-*) _heddle_words \"$current\" \"" +
           joined(option_names(command)) + "\" ;;\n";
    if (const auto words = argument_words(command); !words.empty())
      out +=
          "    " + command.name + ":*) _heddle_words \"$current\" \"" + joined(words) + "\" ;;\n";
  }
  return out + R"(    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
  esac
}
complete -o filenames -F _heddle heddle
)";
}

std::string zsh_completion(const std::vector<CommandEntry>& catalogue) {
  std::string out = "#compdef heddle\n" + std::string(kOrigin);
  out += "\n_heddle() {\n  local -a commands=(\n";
  for (std::size_t i = 1; i < catalogue.size(); ++i)
    out += "    " + quoted(catalogue[i].name + ":" + zsh_escaped(catalogue[i].description)) + "\n";
  out += R"(    'help:show the help of a command'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
)";
  for (std::size_t i = 1; i < catalogue.size(); ++i) {
    const CommandEntry& command = catalogue[i];
    out += "    " + command.name + ")\n      _arguments -s";
    for (const OptionEntry& option : command.options) out += zsh_option(option);
    const auto words = argument_words(command);
    if (!command.arguments.empty())
      out += " \\\n        " + quoted("*:" + command.arguments[0].placeholder + ":" +
                                      (words.empty() ? "_files" : "(" + joined(words) + ")"));
    out += "\n      ;;\n";
  }
  return out + "  esac\n}\n\n_heddle \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandEntry>& catalogue) {
  std::string out = kOrigin;
  for (std::size_t i = 1; i < catalogue.size(); ++i) {
    const CommandEntry& command = catalogue[i];
    out += "complete -c heddle -f -n __fish_use_subcommand -a " + command.name + " -d " +
           quoted(command.description) + "\n";
    if (const auto words = argument_words(command); !words.empty())
      out += "complete -c heddle -f -n '__fish_seen_subcommand_from " + command.name + "' -a " +
             quoted(joined(words)) + "\n";
  }
  out += "complete -c heddle -f -n __fish_use_subcommand -a help -d 'show the help of a command'\n";
  for (std::size_t i = 1; i < catalogue.size(); ++i)
    for (const OptionEntry& option : catalogue[i].options) out += fish_option(catalogue[i], option);
  return out;
}

}  // namespace heddle::cli::generation
