#include "cli/generate.hpp"

namespace heddle::cli::generation {

std::vector<driver::OutputFile> generated_files(const std::vector<CommandEntry>& catalogue,
                                                const std::string& folder) {
  std::vector<driver::OutputFile> files{{folder + "/heddle.bash", bash_completion(catalogue)},
                                        {folder + "/_heddle", zsh_completion(catalogue)},
                                        {folder + "/heddle.fish", fish_completion(catalogue)}};
  for (const CommandEntry& command : catalogue)
    files.push_back(
        {folder + "/" + page_name(catalogue, command) + ".1", manual_page(catalogue, command)});
  return files;
}

}  // namespace heddle::cli::generation
