#include <fmt/format.h>

#include <filesystem>

#include "output/kinds.hpp"
#include "output/picture/basis_picture.hpp"
#include "output/picture/cutoff_picture.hpp"
#include "output/picture/run_picture.hpp"
#include "output/picture/thread_system_picture.hpp"
#include "output/picture/trace_picture.hpp"
#include "output/report/page_parts.hpp"

namespace heddle::output::report {

namespace {

/// Larger ones would make the page slow; 'heddle show' draws them.
constexpr std::size_t kMostPictureBytes = 1'000'000;

struct PagePicture {
  std::string title;
  std::string svg;
};

/// As an image, so that its styles stay inside.
std::string data_address(std::string_view svg) {
  std::string out = "data:image/svg+xml,";
  for (const char c : svg) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view(" -_.,:;=/()").find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

class Pictures {
 public:
  explicit Pictures(const PageInput& input)
      : input_(input), name_(std::filesystem::path(input.asked.file).filename().string()) {}

  std::vector<PagePicture> draw() {
    std::visit([&](const auto& task) { draw_model(task); }, input_.task);
    if (const auto* unsafe = std::get_if<answer::Unsafe>(&input_.report.verdict))
      std::visit(
          [&]<class Model>(const model::Task<Model>& task) {
            draw_run(task, std::get<answer::RunOf<Model>>(unsafe->trace));
          },
          input_.task);
    draw_proof();
    return std::move(pictures_);
  }

 private:
  void draw_model(const model::ThreadTask& task) {
    add("the thread system", picture::thread_system_svg(task.model, task.question, name_));
  }
  void draw_model(const auto&) {}

  void draw_run(const model::CountingTask& task, const answer::Trace& trace) {
    add("the run", picture::trace_svg(task, trace, name_, {}));
  }
  template <class Model>
    requires(!base::kContains<Model, model::CountingKinds>)
  void draw_run(const model::Task<Model>& task, const answer::RunOf<Model>& run) {
    add("the run", picture::run_svg(list_run(task, run, input_.asked.sources), name_, {}));
  }

  void draw_proof() {
    const auto counting = model::counting_task(input_.task);
    if (!counting) return;
    const answer::Verdict& verdict = input_.report.verdict;
    if (const auto* cutoff = std::get_if<answer::Cutoff>(&verdict); cutoff && !cutoff->program)
      add("reachable thread states", picture::cutoff_svg(*counting, *cutoff, name_));
    const auto* safe = std::get_if<answer::Safe>(&verdict);
    const auto* basis = safe ? std::get_if<answer::BackwardBasis>(&safe->certificate) : nullptr;
    if (basis && !basis->minimal.empty())
      add("the basis of the proof", picture::basis_svg(*counting, *basis, name_, {}));
  }

  void add(std::string title, std::string svg) {
    if (svg.size() <= kMostPictureBytes) pictures_.push_back({std::move(title), std::move(svg)});
  }

  const PageInput& input_;
  std::string name_;
  std::vector<PagePicture> pictures_;
};

}  // namespace

std::string pictures_section(const PageInput& input) {
  std::string out;
  for (const PagePicture& picture : Pictures(input).draw())
    out += fmt::format(
        "<details><summary>{}</summary><figure tabindex=\"0\"><img loading=\"lazy\" alt=\"{}\" "
        "src=\"{}\"></figure></details>\n",
        html(picture.title), html(picture.title), data_address(picture.svg));
  return out.empty() ? out : "<h2>Pictures</h2>\n" + out;
}

}  // namespace heddle::output::report
