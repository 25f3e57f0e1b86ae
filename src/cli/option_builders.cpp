#include "cli/option_builders.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

namespace heddle::cli {

namespace {

constexpr std::size_t kNameWidth = 24;
constexpr std::size_t kHelpWidth = 80;

class HelpLayout : public CLI::Formatter {
 public:
  explicit HelpLayout(std::string usage) : usage_(std::move(usage)) { column_width(kNameWidth); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "\nUsage: heddle " + usage_ + "\n";
  }
  /// Without how many values there are: the placeholder names each.
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out = CLI::Formatter::make_option_opts(option);
    const std::string count = " x " + std::to_string(option->get_expected_max());
    if (out.ends_with(count)) out.resize(out.size() - count.size());
    return out;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    const bool is_command = app->get_parent() != nullptr;
    return (is_command ? wrapped(app->get_description()) : app->get_description()) + "\n";
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             wrapped(command->get_description()), kNameWidth);
    return out.str();
  }

 private:
  std::string usage_;
};

}  // namespace

std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = column == 0 || column + 1 + word.size() <= kHelpWidth - kNameWidth;
    if (column > 0) out += fits ? ' ' : '\n';
    column = fits && column > 0 ? column + 1 + word.size() : word.size();
    out += word;
  }
  return out;
}

CLI::Option* add_text(CLI::App* app, const std::string& name, Text& text, const std::string& help,
                      const std::string& placeholder, const std::string& group) {
  return app->add_option(name, text, help)
      ->type_name(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(group);
}

void add_texts(CLI::App* app, const std::string& name, std::vector<std::string>& texts,
               const std::string& help, const std::string& type, const std::string& group) {
  app->add_option(name, texts, help)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
}

CLI::App* add_command(CLI::App& app, const CommandHelp& help) {
  CLI::App* command = app.add_subcommand(help.name, help.description);
  command->footer(help.examples);
  set_usage(*command, help.usage);
  command->allow_extras();  // they get a message of our own
  command->set_help_flag("-h,--help", "print this and exit");
  return command;
}

void set_usage(CLI::App& app, const std::string& usage) {
  app.formatter(std::make_shared<HelpLayout>(usage));
}

UsageError missing(const CommandHelp& command, const std::string& what) {
  return {"no " + what + " given", "usage: heddle " + std::string(command.usage) + "; see heddle " +
                                       command.name + " --help"};
}

}  // namespace heddle::cli
