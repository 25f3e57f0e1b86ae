#include "output/c_witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "model/c/run_story.hpp"

namespace heddle::output {

namespace {

namespace c = model::c;
using c::Property;

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char character : text) {
    switch (character) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += character;
    }
  }
  return out;
}

/// The formulas of a property, as the competition writes them.
std::vector<std::string> formulas(const model::CTask& task, const c::Violation& violation) {
  const Property property =
      task.question.targets.empty() ? Property::Reach : task.question.targets.front();
  switch (property) {
    case Property::Reach: {
      if (const std::string& name = task.model.error_function; !name.empty())
        return {"G ! call(" + name + "())"};
      const bool is_old = violation.what.starts_with("__VERIFIER_error");
      return {is_old ? "G ! call(__VERIFIER_error())" : "G ! call(reach_error())"};
    }
    case Property::NoDataRace: return {"G ! data-race"};
    case Property::NoDeadlock: return {"G ! deadlock"};
    case Property::NoOverflow: return {"G ! overflow"};
    case Property::Memory:
    case Property::NoFault: return {"G valid-free", "G valid-deref"};
    case Property::MemorySafety: return {"G valid-free", "G valid-deref", "G valid-memtrack"};
    case Property::MemoryCleanup: return {"G valid-memcleanup"};
    case Property::Termination:
    case Property::FairTermination: return {"F end"};
  }
  return {};
}

/// The function that thread 0 begins with.
std::string entry_name(const c::Program& program) {
  for (const c::Instruction& instruction : program.functions[program.entry.index()].code)
    if (const auto* call = std::get_if<c::Call>(&instruction.effect))
      if (call->callee.kind == c::Operand::Kind::Function &&
          !program.functions[call->callee.index].is_library)
        return program.functions[call->callee.index].name;
  return "main";
}

std::string specification(const model::CTask& task, const c::Violation& violation) {
  std::string out;
  for (const std::string& formula : formulas(task, violation))
    out += (out.empty() ? "" : "\n") +
           fmt::format("CHECK( init({}()), LTL({}) )", entry_name(task.model), formula);
  return out;
}

// ---- GraphML

constexpr std::string_view kGraphMlHead = R"(<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
)";

struct Key {
  std::string_view id, domain, type;
  std::string_view standard = {};  ///< the default value
};
constexpr Key kKeys[] = {{"witness-type", "graph", "string"},
                         {"sourcecodelang", "graph", "string"},
                         {"producer", "graph", "string"},
                         {"specification", "graph", "string"},
                         {"programfile", "graph", "string"},
                         {"programhash", "graph", "string"},
                         {"architecture", "graph", "string"},
                         {"creationtime", "graph", "string"},
                         {"entry", "node", "boolean", "false"},
                         {"violation", "node", "boolean", "false"},
                         {"startline", "edge", "int"},
                         {"endline", "edge", "int"},
                         {"originfile", "edge", "string"},
                         {"threadId", "edge", "int"},
                         {"createThread", "edge", "int"},
                         {"enterFunction", "edge", "string"},
                         {"returnFromFunction", "edge", "string"},
                         {"assumption", "edge", "string"},
                         {"assumption.scope", "edge", "string"},
                         {"assumption.resultfunction", "edge", "string"}};

std::string data_element(std::string_view key, std::string_view value) {
  return fmt::format("<data key=\"{}\">{}</data>", key, xml_text(value));
}

class GraphMl {
 public:
  GraphMl(const model::CTask& task, const c::Story& story, const WitnessHead& head)
      : program_(task.model), out_(kGraphMlHead) {
    for (const Key& key : kKeys) {
      out_ += fmt::format(R"( <key id="{}" attr.name="{}" attr.type="{}" for="{}")", key.id, key.id,
                          key.type, key.domain);
      out_ += key.standard.empty() ? "/>\n"
                                   : fmt::format("><default>{}</default></key>\n", key.standard);
    }
    out_ += " <graph edgedefault=\"directed\">\n";
    const auto add = [&](std::string_view key, std::string_view value) {
      out_ += "  " + data_element(key, value) + "\n";
    };
    add("witness-type", "violation_witness");
    add("sourcecodelang", "C");
    add("producer", "Heddle " HEDDLE_VERSION);
    add("specification", specification(task, story.violation));
    add("programfile", head.files.front().name);
    add("programhash", head.files.front().sha256);
    add("architecture", task.model.pointer_bytes == 4 ? "32bit" : "64bit");
    add("creationtime", head.creation_time);
    out_ += "  <node id=\"N0\">" + data_element("entry", "true") + "</node>\n";
    add_steps(story);
    out_ += " </graph>\n</graphml>\n";
  }

  std::string take() { return std::move(out_); }

 private:
  void add_steps(const c::Story& story) {
    std::vector<std::string> edges = {start_edge()};
    std::set<std::uint32_t> begun = {0};
    for (const c::StoryStep& step : story.steps) {
      if (begun.insert(step.number).second)
        edges.push_back(place_of(step) + data_element("enterFunction", start_function(step)));
      std::ranges::move(edges_of(step), std::back_inserter(edges));
    }
    for (std::size_t i = 0; i < edges.size(); ++i) edge(edges[i], i + 1 == edges.size());
  }

  /// The thread's name is that of its function, and a number.
  static std::string start_function(const c::StoryStep& step) {
    return step.thread.substr(0, step.thread.rfind(' '));
  }

  std::string start_edge() const {
    return data_element("threadId", "0") + data_element("createThread", "0") +
           data_element("enterFunction", entry_name(program_));
  }

  std::string place_of(const c::StoryStep& step) const {
    std::string where;
    if (step.position.line != 0) {
      const std::string line = std::to_string(step.position.line);
      where = data_element("startline", line) + data_element("endline", line);
      if (step.position.file != 0 && step.position.file < program_.files.size())
        where += data_element("originfile", program_.files[step.position.file]);
    }
    return where + data_element("threadId", std::to_string(step.number));
  }

  /// An edge for the line, and further ones where it makes several calls, reads several inputs or
  /// creates several threads: an edge holds one of each.
  std::vector<std::string> edges_of(const c::StoryStep& step) const {
    const std::size_t count =
        std::max({std::size_t{1}, step.calls.size(), step.inputs.size(), step.created.size()});
    std::vector<std::string> out(count, place_of(step));
    for (std::size_t i = 0; i < step.created.size(); ++i)
      out[i] += data_element("createThread", std::to_string(step.created[i]));
    for (std::size_t i = 0; i < step.calls.size(); ++i)
      out[i] += data_element(step.calls[i].is_return ? "returnFromFunction" : "enterFunction",
                             step.calls[i].function);
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      out[i] += data_element("assumption", "\\result == " + step.inputs[i].value + ";") +
                data_element("assumption.scope", step.function) +
                data_element("assumption.resultfunction", step.inputs[i].function);
    return out;
  }

  void edge(const std::string& content, bool is_last) {
    const std::size_t from = nodes_++;
    out_ += fmt::format("  <node id=\"N{}\"", nodes_);
    out_ += is_last ? ">" + data_element("violation", "true") + "</node>\n" : "/>\n";
    out_ += fmt::format("  <edge source=\"N{}\" target=\"N{}\">{}</edge>\n", from, nodes_, content);
  }

  const c::Program& program_;
  std::string out_;
  std::size_t nodes_ = 0;
};

// ---- YAML

/// A string with quotes and escapes as in JSON, which is YAML, too.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Yaml {
 public:
  Yaml(const model::CTask& task, const c::Story& story, const WitnessHead& head)
      : program_(task.model) {
    add_head(task, story, head);
    out_ += "  content:\n";
    for (const c::StoryStep& step : story.steps) add_step(step);
    add_target(story);
  }

  std::string take() { return std::move(out_); }

 private:
  void add_head(const model::CTask& task, const c::Story& story, const WitnessHead& head) {
    std::string files, hashes;
    for (const WitnessFile& file : head.files) {
      files += "        - " + quoted(file.name) + "\n";
      hashes += "        " + quoted(file.name) + ": " + quoted(file.sha256) + "\n";
    }
    out_ = fmt::format(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.2\"\n"
        "    uuid: {}\n    creation_time: {}\n    producer:\n      name: Heddle\n"
        "      version: {}\n    task:\n      input_files:\n{}      input_file_hashes:\n{}"
        "      specification: {}\n      data_model: {}\n      language: C\n",
        quoted(head.uuid), quoted(head.creation_time), quoted(HEDDLE_VERSION), files, hashes,
        quoted(specification(task, story.violation)),
        program_.pointer_bytes == 4 ? "ILP32" : "LP64");
  }

  struct Waypoint {
    std::string_view type;
    std::uint32_t thread = 0;
    c::Position position;
    std::string function;
    std::string constraint = {};
    std::string_view format = {};
  };

  void add_waypoint(const Waypoint& waypoint) {
    out_ += fmt::format(
        "      - waypoint:\n          type: {}\n          action: follow\n"
        "          thread_id: {}\n",
        waypoint.type, waypoint.thread);
    if (!waypoint.constraint.empty())
      out_ += fmt::format("          constraint:\n            value: {}\n            format: {}\n",
                          quoted(waypoint.constraint), waypoint.format);
    out_ += fmt::format("          location:\n            file_name: {}\n            line: {}\n",
                        quoted(program_.files[waypoint.position.file]), waypoint.position.line);
    if (!waypoint.function.empty())
      out_ += fmt::format("            function: {}\n", quoted(waypoint.function));
  }

  void begin_segment() { out_ += "    - segment:\n"; }

  /// The line, then the values of its inputs, then the threads that it creates.
  void add_step(const c::StoryStep& step) {
    if (step.position.line == 0 || step.position.file >= program_.files.size()) return;
    const auto add = [&](std::string_view type, std::string constraint, std::string_view format) {
      begin_segment();
      add_waypoint(
          {type, step.number, step.position, step.function, std::move(constraint), format});
    };
    for (const c::StoryInput& input : step.inputs)
      add("function_return", "\\result == " + input.value, "acsl_expression");
    for (std::size_t i = 0; i < step.created.size(); ++i) add("function_enter", "", "");
    if (step.inputs.empty() && step.created.empty()) add("assumption", "1", "c_expression");
  }

  /// A race ends with both accesses, every other violation with one target.
  void add_target(const c::Story& story) {
    const auto thread_of = [&](const std::string& name) {
      for (const c::StoryStep& step : story.steps)
        if (step.thread == name) return step.number;
      return std::uint32_t{0};
    };
    begin_segment();
    if (story.race && story.race->first.position.line != 0 &&
        story.race->second.position.line != 0) {
      for (const c::StoryAccess& access : {story.race->first, story.race->second})
        add_waypoint({"target", thread_of(access.thread), access.position, ""});
      return;
    }
    const auto last = std::find_if(story.steps.rbegin(), story.steps.rend(),
                                   [](const auto& step) { return step.position.line != 0; });
    if (last == story.steps.rend()) return;
    add_waypoint({"target", last->number, last->position, last->function});
  }

  const c::Program& program_;
  std::string out_;
};

std::string_view violated(const c::Violation& violation, Property property) {
  using Kind = c::Violation::Kind;
  switch (property) {
    case Property::Reach: return "unreach-call";
    case Property::NoDataRace: return "no-data-race";
    case Property::NoDeadlock: return "no-deadlock";
    case Property::NoOverflow: return "no-overflow";
    case Property::MemoryCleanup: return "valid-memcleanup";
    case Property::Memory:
    case Property::MemorySafety:
    case Property::NoFault:
      if (violation.kind == Kind::LostMemory) return "valid-memtrack";
      if (violation.kind == Kind::DivisionByZero) return "def-behavior";
      return violation.kind == Kind::InvalidAccess ? "valid-deref" : "valid-free";
    case Property::Termination:
    case Property::FairTermination: return "termination";
  }
  return "";
}

}  // namespace

std::string violation_witness(const model::CTask& task, const c::Run& run, const WitnessHead& head,
                              WitnessFormat format) {
  const c::Interpreter interpreter(task.model);
  const c::Story story = c::tell(interpreter, run);
  return format == WitnessFormat::GraphMl ? GraphMl(task, story, head).take()
                                          : Yaml(task, story, head).take();
}

std::string competition_verdict(const model::AnyTask& any, const answer::Verdict& verdict) {
  if (std::holds_alternative<answer::Safe>(verdict)) return "TRUE";
  const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
  if (!unsafe) return "UNKNOWN";
  const auto* task = std::get_if<model::CTask>(&any);
  if (!task || task->question.targets.empty()) return "FALSE";
  const auto& run = std::get<c::Run>(unsafe->trace);
  return fmt::format("FALSE({})", violated(run.violation, task->question.targets.front()));
}

}  // namespace heddle::output
