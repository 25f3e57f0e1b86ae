#include "driver/show.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "driver/c_views.hpp"
#include "driver/cutoff.hpp"
#include "driver/diagram_parts.hpp"
#include "driver/external_filter.hpp"
#include "driver/pose.hpp"
#include "driver/recheck.hpp"
#include "model/counting.hpp"
#include "output/kinds.hpp"
#include "output/picture/basis_picture.hpp"
#include "output/picture/c_picture.hpp"
#include "output/picture/net_dot.hpp"
#include "output/picture/program_picture.hpp"
#include "output/picture/proof_sheet.hpp"
#include "output/picture/pushdown_dot.hpp"
#include "output/picture/quotient_picture.hpp"
#include "output/picture/run_picture.hpp"
#include "output/picture/thread_system_picture.hpp"
#include "output/picture/trace_picture.hpp"
#include "output/verdict_sentence.hpp"

namespace heddle::driver {

namespace {

using base::Parsed;
namespace picture = output::picture;

std::string picture_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

/// What another program makes of `input`; without it, which package to install.
Parsed<std::string> convert(const std::vector<std::string>& command, const std::string& input,
                            const std::string& package, const std::string& instead) {
  auto output = run_filter(command, input);
  if (output) return std::move(*output);
  const std::string& program = command.front();
  if (output.error().missing)
    return std::unexpected(complaint(program, "is not installed, and this picture needs it",
                                     "apt-get install " + package + ", or " + instead));
  return std::unexpected(complaint(program, "failed: " + output.error().why));
}

Parsed<std::string> from_dot(std::string dot, PictureFormat format) {
  if (format == PictureFormat::Dot) return dot;
  std::vector<std::string> command{"dot", "-Tsvg"};
  if (format == PictureFormat::Png) command = {"dot", "-Tpng", "-Gdpi=192"};  // twice 96
  if (format == PictureFormat::Pdf) command = {"dot", "-Tpdf"};
  return convert(command, dot, "graphviz", "write Graphviz' input: -o NAME.dot");
}

/// One copy of each procedure, unless threads are created or wait for each other.
std::expected<model::boolean::Flow, std::string> flow_of(const model::BooleanProgram& program) {
  auto flow = model::boolean::keep_calls(program);
  return flow ? std::move(flow) : model::boolean::unfold(program);
}

Parsed<std::string> model_picture(const model::ProgramTask& task, const output::Asked&,
                                  const std::string& name, PictureFormat format) {
  const auto flow = flow_of(task.model);
  if (!flow) return std::unexpected(complaint(name, flow.error()));
  return from_dot(picture::program_dot(*flow, name), format);
}

Parsed<std::string> model_picture(const model::PushdownTask& task, const output::Asked&,
                                  const std::string& name, PictureFormat format) {
  return from_dot(picture::pushdown_dot(task, name), format);
}

Parsed<std::string> model_picture(const model::CTask& task, const output::Asked& asked,
                                  const std::string& name, PictureFormat format) {
  return from_dot(picture::c_program_dot(task.model, asked.sources, name), format);
}

Parsed<std::string> model_picture(const model::NetTask& task, const output::Asked&,
                                  const std::string& name, PictureFormat format) {
  return from_dot(picture::net_dot(task.model, task.question, name), format);
}

Parsed<std::string> model_picture(const model::ThreadTask& task, const output::Asked&,
                                  const std::string& name, PictureFormat format) {
  if (format == PictureFormat::Dot)
    return picture::thread_system_dot(task.model, task.question, name);
  return picture_from_svg(picture::thread_system_svg(task.model, task.question, name), format);
}

/// The expanded diagram and its quotient, with the path of a trace if there is one.
Parsed<std::string> quotient_picture(const ShowRequest& request, const model::AnyTask& any,
                                     const answer::Trace* witness, const std::string& warning) {
  const auto* task = std::get_if<model::ThreadTask>(&any);
  if (!task)
    return std::unexpected(complaint(
        request.file, "is a " + model::kind_name(any) + ", which has no diagram of thread states",
        "'heddle translate' makes a thread system of it"));
  const auto parts = diagram_parts(task->model, task->question);
  if (!parts)
    return std::unexpected(complaint(request.file, "has too many thread states for this picture"));
  return picture::quotient_svg(*task, *parts, witness, picture_name(request.file), warning);
}

Parsed<std::string> model_picture(const ShowRequest& request, const Posed& posed) {
  const model::AnyTask& any = posed.task;
  if (!request.quotient)
    return std::visit(
        [&](const auto& task) {
          return model_picture(task, posed.asked, picture_name(request.file), request.format);
        },
        any);
  auto svg = quotient_picture(request, any, nullptr, {});
  return svg ? picture_from_svg(std::move(*svg), request.format) : svg;
}

Parsed<Picture> show_model(const Disk& disk, const ShowRequest& request) {
  auto posed = pose(disk, request.file, request.question);  // a picture needs no whole question
  if (!posed) return std::unexpected(std::move(posed.error()));
  auto bytes = model_picture(request, *posed);
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  return Picture{std::move(*bytes),
                 std::move(posed->asked.warnings),
                 {answer::EvidenceStatus::Confirmed, {}},
                 std::nullopt};
}

std::string warning_of(const answer::CheckResult& check) {
  switch (check.status) {
    case answer::EvidenceStatus::Confirmed: return {};
    case answer::EvidenceStatus::Refuted: return "REFUTED: " + check.why;
    case answer::EvidenceStatus::OtherQuestion: return "ANOTHER QUESTION: " + check.why;
    case answer::EvidenceStatus::NotChecked: break;
  }
  return "NOT CHECKED: " + check.why;
}

bool fits(const model::CountingModel& model, const model::Configuration& configuration) {
  for (const auto& [counter, ignored] : configuration.counts.entries())
    if (counter.index() >= model::counter_count(model)) return false;
  return configuration.shared.index() < model::shared_count(model);
}

bool fits(const model::CountingModel& model, const answer::BackwardBasis& basis) {
  for (const model::Configuration& element : basis.minimal)
    if (!fits(model, element)) return false;
  return true;
}

/// The basis of a safe verdict, or of the spaghetti part of a proof by paths; null if there is
/// none.
const answer::BackwardBasis* basis_of(const answer::Verdict& verdict) {
  const auto* safe = std::get_if<answer::Safe>(&verdict);
  if (!safe) return nullptr;
  if (const auto* proof = std::get_if<answer::PathwiseProof>(&safe->certificate))
    return &proof->spaghetti;
  return std::get_if<answer::BackwardBasis>(&safe->certificate);
}

const answer::ProgramBasis* program_basis_of(const answer::Verdict& verdict) {
  const auto* safe = std::get_if<answer::Safe>(&verdict);
  return safe ? std::get_if<answer::ProgramBasis>(&safe->certificate) : nullptr;
}

base::Diagnostics no_trace(const ShowRequest& request, const answer::Verdict& verdict) {
  return complaint(*request.evidence,
                   "holds no trace: its verdict is '" + std::string(answer::verdict_name(verdict)) +
                       "', its evidence '" + std::string(answer::evidence_kind(verdict)) + "'",
                   "without --quotient any evidence is drawn");
}

base::Diagnostics about_another_model(const ShowRequest& request) {
  return complaint(*request.evidence, "is not about the model in " + request.file,
                   "evidence belongs to the file that it was made for");
}

/// What the picture of evidence says beside it.
struct Caption {
  std::string name;
  std::string warning;
  std::span<const output::SourceFile> sources = {};  ///< of a C program
};

/// The SVG of a basis of a program.
Parsed<std::string> basis_svg(const ShowRequest& request, const StoredVerdict& stored,
                              const model::ProgramTask& task, const Caption& caption) {
  const auto* basis = program_basis_of(stored.verdict);
  if (!basis) return std::unexpected(about_another_model(request));
  const auto flow = graph_of(task.model, basis->abstraction);
  const auto exists = [&](const answer::ProgramElement& element) {
    return std::ranges::all_of(element.threads, [&](const answer::ThreadCube& thread) {
      return thread.node.index() < flow->nodes.size();
    });
  };
  if (!flow || !std::ranges::all_of(basis->minimal, exists))
    return std::unexpected(about_another_model(request));
  return picture::program_basis_svg(*flow, *basis, caption.name + ": a basis", caption.warning);
}

/// Other kinds have no basis: evidence of one is about another model.
template <class Model>
  requires(!base::kContains<Model, model::CountingKinds>)
Parsed<std::string> basis_svg(const ShowRequest& request, const StoredVerdict&,
                              const model::Task<Model>&, const Caption&) {
  return std::unexpected(about_another_model(request));
}

Parsed<std::string> basis_svg(const ShowRequest& request, const StoredVerdict& stored,
                              const model::CountingTask& task, const Caption& caption) {
  const answer::BackwardBasis* basis = basis_of(stored.verdict);
  if (!basis || !fits(task.model, *basis)) return std::unexpected(about_another_model(request));
  return picture::basis_svg(task, *basis, caption.name + ": a basis", caption.warning);
}

template <class Model>
  requires(!base::kContains<Model, model::CountingKinds>)
Parsed<std::string> run_svg(const ShowRequest&, const model::Task<Model>& task,
                            const answer::RunOf<Model>& run, const Caption& caption) {
  return picture::run_svg(output::list_run(task, run, caption.sources), caption.name + ": a run",
                          caption.warning);
}

Parsed<std::string> run_svg(const ShowRequest& request, const model::CountingTask& task,
                            const answer::Trace& trace, const Caption& caption) {
  if (!fits(task.model, trace.initial)) return std::unexpected(about_another_model(request));
  if (request.quotient) return quotient_picture(request, task, &trace, caption.warning);
  return picture::trace_svg(task, trace, caption.name + ": a trace", caption.warning);
}

/// Does it have a picture as a table?
bool has_basis(const answer::Verdict& verdict) {
  const answer::BackwardBasis* basis = basis_of(verdict);
  return (basis && !basis->minimal.empty()) || program_basis_of(verdict);
}

/// Of evidence without a table or lanes: the grid of a cutoff, or a sheet of words.
Parsed<std::string> other_evidence_svg(const ShowRequest& request, const StoredVerdict& stored,
                                       const Caption& caption) {
  const Answered& answered = stored.answered;
  const bool confirmed = answered.report.check.status == answer::EvidenceStatus::Confirmed;
  if (const auto* cutoff = std::get_if<answer::Cutoff>(&stored.verdict);
      cutoff && confirmed && !cutoff->program)
    return cutoff_picture(answered, PictureFormat::Svg);
  if (!answer::is_definite(stored.verdict))
    return std::unexpected(
        complaint(*request.evidence, "holds no evidence: its verdict is unknown"));
  answer::Report report = answered.report;
  report.verdict = stored.verdict;
  return picture::proof_svg(
      answered.task, answered.asked, stored.verdict, caption.name + ": the evidence",
      output::statement(answered.task, answered.asked, report), caption.warning);
}

/// The SVG of the evidence, or what is wrong with it.
Parsed<std::string> evidence_svg(const ShowRequest& request, const StoredVerdict& stored) {
  if (!stored.same_kind) return std::unexpected(about_another_model(request));
  const Caption caption{picture_name(request.file), warning_of(stored.answered.report.check),
                        stored.answered.asked.sources};
  const auto* unsafe = std::get_if<answer::Unsafe>(&stored.verdict);
  if (request.quotient && !unsafe) return std::unexpected(no_trace(request, stored.verdict));
  const bool is_basis = has_basis(stored.verdict);
  if (!unsafe && !is_basis) return other_evidence_svg(request, stored, caption);
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        if (is_basis) return basis_svg(request, stored, task, caption);
        return run_svg(request, task, std::get<answer::RunOf<Model>>(unsafe->trace), caption);
      },
      stored.answered.task);
}

Parsed<Picture> show_evidence(const Disk& disk, const ShowRequest& request) {
  auto stored =
      load_stored(disk, {request.file, *request.evidence, request.question, request.budget});
  if (!stored) return std::unexpected(std::move(stored.error()));
  Answered& answered = stored->answered;
  Picture result{{}, answered.asked.warnings, answered.report.check, answered.interrupted_by};
  if (result.interrupted_by) return result;
  auto svg = evidence_svg(request, *stored);
  if (!svg) return std::unexpected(std::move(svg.error()));
  auto bytes = picture_from_svg(std::move(*svg), request.format);
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  result.bytes = std::move(*bytes);
  return result;
}

}  // namespace

Parsed<std::string> picture_from_svg(std::string svg, PictureFormat format) {
  if (format != PictureFormat::Png && format != PictureFormat::Pdf) return svg;
  std::vector<std::string> command{"rsvg-convert", "--format=pdf"};
  if (format == PictureFormat::Png) command = {"rsvg-convert", "--format=png", "--zoom=2"};
  return convert(command, svg, "librsvg2-bin", "write SVG: -o NAME.svg");
}

Parsed<Picture> show(const Disk& disk, const ShowRequest& request) {
  if (request.movers) {
    auto listing = mover_listing(disk, request.file, request.question);
    if (!listing) return std::unexpected(std::move(listing.error()));
    Picture text;
    text.bytes = std::move(*listing);
    text.check.status = answer::EvidenceStatus::Confirmed;
    return text;
  }
  return request.evidence ? show_evidence(disk, request) : show_model(disk, request);
}

}  // namespace heddle::driver
