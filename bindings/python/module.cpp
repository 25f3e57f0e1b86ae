/// The native part of `import heddle`: models, and one function that asks. What users see is made
/// of it by the Python files beside.
///
/// The interpreter is free while engines run. Ten times a second, and at each event, it is asked
/// for to look for signals: Ctrl-C cancels the question and is raised when the program has ended.

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <heddle/heddle.hpp>

namespace py = pybind11;

namespace {

using Options = std::vector<std::pair<std::string, std::optional<std::string>>>;

py::object place_of(const std::optional<heddle::Place>& place) {
  if (!place) return py::none();
  return py::make_tuple(place->file, place->line, place->column);
}

py::list trace_of(const heddle::Answer& answer) {
  py::list rows;
  for (const heddle::Step& step : answer.trace) {
    py::list changes;
    for (const heddle::Change& change : step.changes)
      changes.append(py::make_tuple(change.variable, change.thread, change.value));
    rows.append(py::make_tuple(step.first, step.last, step.thread, step.name, step.text,
                               step.details, place_of(step.place), changes));
  }
  return rows;
}

py::dict dict_of(const heddle::Answer& answer) {
  py::list invariants;
  for (const heddle::Invariant& invariant : answer.invariants)
    invariants.append(
        py::make_tuple(invariant.threads, invariant.holds, place_of(invariant.place)));
  py::dict out;
  out["headline"] = answer.headline;
  out["reason"] = answer.reason;
  out["detail"] = answer.detail;
  out["bound"] = answer.bound;
  out["cutoff"] = answer.cutoff;
  out["engine"] = answer.engine;
  out["seconds"] = answer.seconds;
  out["trace"] = trace_of(answer);
  out["reached"] = answer.reached;
  out["proof"] = answer.proof;
  out["invariants"] = invariants;
  out["evidence"] = py::make_tuple(answer.evidence.kind, answer.evidence.confirmed,
                                   answer.evidence.check, answer.evidence.json);
  out["warnings"] = answer.warnings;
  out["json"] = answer.json;
  return out;
}

/// Signals first: a handler may raise. Then the caller's function, which may say False.
bool hear(const py::object& progress, const heddle::Event* event) {
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress.is_none()) return true;
  const py::object told =
      event ? progress(event->engine, event->phase, event->milestone, event->figures)
            : progress(py::none(), py::none(), false, py::list());
  return !told.is(py::bool_(false));
}

heddle::Question question_of(const Options& options, const py::object& progress) {
  heddle::Question question;
  for (const auto& [name, value] : options) question.set(name, value);
  question.on_progress([&progress](const heddle::Event* event) { return hear(progress, event); });
  return question;
}

/// The answer as a dictionary; (kind, text) if there is none.
py::object ask(heddle_command command, const heddle::Model& model, const Options& options,
               const std::string& evidence, const py::object& progress) {
  heddle::Answer answer;
  std::string output;
  try {
    const heddle::Question question = question_of(options, progress);
    const py::gil_scoped_release released;
    const auto handle = heddle::detail::ask(question, command, model, evidence);
    answer = heddle::detail::answer(handle.get());
    output = heddle_output(handle.get());
  } catch (const heddle::Error& error) {
    return py::make_tuple(static_cast<int>(error.kind()), error.what());
  } catch (const std::invalid_argument& error) {
    return py::make_tuple(static_cast<int>(HEDDLE_WRONG_USAGE), error.what());
  }
  py::dict out = dict_of(answer);
  out["verdict"] = static_cast<int>(answer.verdict);
  out["output"] = output;
  return out;
}

}  // namespace

PYBIND11_MODULE(_heddle, module) {
  using heddle::Model;
  module.doc() = "The native part of heddle.";
  module.def("version", &heddle::version);
  py::class_<Model>(module, "NativeModel")
      .def_static("file", &Model::file)
      .def_static("text", [](const std::string& name,
                             const std::string& text) { return Model::text(name, text); })
      .def_static("thread_system", &Model::thread_system)
      .def_static("petri_net", &Model::petri_net)
      .def("add_file", [](Model& model, const std::string& path) { model.add_file(path); })
      .def("add_text", [](Model& model, const std::string& name,
                          const std::string& text) { model.add_text(name, text); })
      .def("step", [](Model& model, std::uint32_t s, std::uint32_t l, std::uint32_t t,
                      std::uint32_t m) { model.step(s, l, t, m); })
      .def("spawn", [](Model& model, std::uint32_t s, std::uint32_t l, std::uint32_t t,
                       std::uint32_t m) { model.spawn(s, l, t, m); })
      .def("transfer", [](Model& model, std::uint32_t s, std::uint32_t l, std::uint32_t t,
                          std::uint32_t m) { model.transfer(s, l, t, m); })
      .def("place", &Model::place)
      .def("transition",
           [](Model& model, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& inputs,
              const std::vector<std::pair<std::uint32_t, std::uint64_t>>& outputs) {
             std::vector<heddle::Arc> taken, put;
             for (const auto& [place, tokens] : inputs) taken.push_back({place, tokens});
             for (const auto& [place, tokens] : outputs) put.push_back({place, tokens});
             model.transition(taken, put);
           })
      .def("source", &Model::source);
  py::enum_<heddle_command>(module, "Command")
      .value("VERIFY", HEDDLE_VERIFY)
      .value("RACES", HEDDLE_RACES)
      .value("CUTOFF", HEDDLE_CUTOFF)
      .value("CHECK", HEDDLE_CHECK)
      .value("SHOW", HEDDLE_SHOW)
      .value("TRANSLATE", HEDDLE_TRANSLATE);
  module.def("ask", &ask);
}
