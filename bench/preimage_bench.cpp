#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/onthefly/diagram.hpp"
#include "engine/onthefly/table.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/flow.hpp"
#include "support/preimages.hpp"
#include "support/random.hpp"

/// What a preimage costs, by truth tables, by decision diagrams, by expansion and by a SAT solver:
///
///   programs   eight random questions for each edge of the programs in a folder, by the number of
///              the edge's atoms. HEDDLE_PROGRAMS names folders, separated by colons; otherwise it
///              is examples/boolean.
///   families   one question for a guard over n variables.
///
/// Figures: nanoseconds (and cubes) for a question; building an edge's functions is measured apart.

namespace heddle::engine::onthefly {
namespace {

using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::FlowEdge;
using model::boolean::Formula;

struct TableWay {
  static constexpr const char* kName = "tables";
  static constexpr std::size_t kMostAtoms = kTableVariables;
  TableAlgebra algebra;
  EdgeImage<TableAlgebra> image(const EdgeFunctions& edge) const { return {edge, algebra}; }
};
struct DiagramWay {
  static constexpr const char* kName = "diagrams";
  static constexpr std::size_t kMostAtoms = 192;
  DiagramAlgebra algebra{kMostAtoms};
  EdgeImage<DiagramAlgebra> image(const EdgeFunctions& edge) const { return {edge, algebra}; }
};
struct ExpansionWay {
  static constexpr const char* kName = "expansion";
  static constexpr std::size_t kMostAtoms = 192;
  test::ImageByExpansion image(const EdgeFunctions& edge) const {
    return test::ImageByExpansion(edge);
  }
};
struct SolverWay {
  static constexpr const char* kName = "solver";
  static constexpr std::size_t kMostAtoms = 192;
  test::ImageBySolver image(const EdgeFunctions& edge) const { return test::ImageBySolver(edge); }
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void add_edges(const std::filesystem::path& path, std::vector<FlowEdge>& out) {
  const auto file = frontend::boolean_program::parse({path, text_of(path)});
  if (!file) return;
  const auto flow = model::boolean::unfold(file->model);
  if (flow) out.insert(out.end(), flow->edges.begin(), flow->edges.end());
}

std::vector<FlowEdge> edges_in(const std::string& folder) {
  std::vector<FlowEdge> out;
  if (!std::filesystem::is_directory(folder)) return out;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".bp" || entry.path().extension() == ".nbp")
      files.insert(entry.path());
  for (const auto& file : files) add_edges(file, out);
  return out;
}

/// Wants something of each variable that the edge reads or writes, once in three times.
After question(const FlowEdge& edge, const EdgeFunctions& functions, test::Random& random) {
  After out;
  const auto want = [&](Part part, std::uint32_t index) {
    if (random.one_in(3)) out[part] = out[part].with(index, random.one_in(2));
  };
  for (const auto& atom : functions.atoms) {
    if (atom.kind == AtomKind::Shared) want(Part::Shared, atom.index);
    if (atom.kind == AtomKind::Local) want(Part::Local, atom.index);
  }
  for (const auto& assignment : edge.shared) want(Part::Shared, assignment.index);
  for (const auto& assignment : edge.local) want(Part::Local, assignment.index);
  for (const auto& assignment : edge.child_values) want(Part::Child, assignment.index);
  return out;
}

struct Class {
  std::size_t least, most;  ///< atoms of an edge
};

std::vector<const FlowEdge*> select(const std::vector<FlowEdge>& edges, Class which) {
  std::vector<const FlowEdge*> out;
  for (const FlowEdge& edge : edges) {
    const std::size_t atoms = EdgeFunctions(edge).atoms.size();
    if (which.least <= atoms && atoms <= which.most) out.push_back(&edge);
  }
  return out;
}

template <class Way>
void Programs(benchmark::State& state, const std::vector<const FlowEdge*>& edges) {
  constexpr int kQuestions = 8;
  const Way way;
  test::Random random(1);
  std::vector<EdgeFunctions> functions;
  std::vector<std::vector<After>> questions;
  for (const FlowEdge* edge : edges) {
    functions.emplace_back(*edge);
    questions.emplace_back();
    for (int i = 0; i < kQuestions; ++i)
      questions.back().push_back(question(*edge, functions.back(), random));
  }
  std::vector<decltype(way.image(functions[0]))> images;
  images.reserve(functions.size());
  for (const EdgeFunctions& edge : functions) images.emplace_back(way.image(edge));
  std::size_t asked = 0, cubes = 0;
  for (auto _ : state)
    for (std::size_t i = 0; i < images.size(); ++i)
      for (const After& after : questions[i]) {
        cubes += images[i].of(after).size();
        ++asked;
      }
  using benchmark::Counter;
  state.counters["edges"] = static_cast<double>(edges.size());
  state.counters["cubes"] = static_cast<double>(cubes) / static_cast<double>(asked);
  state.counters["time"] = Counter(static_cast<double>(asked), Counter::kIsRate | Counter::kInvert);
}

template <class Way>
void Building(benchmark::State& state, const std::vector<const FlowEdge*>& edges) {
  const Way way;
  std::vector<EdgeFunctions> functions;
  for (const FlowEdge* edge : edges) functions.emplace_back(*edge);
  for (auto _ : state)
    for (const EdgeFunctions& edge : functions) benchmark::DoNotOptimize(way.image(edge));
  using benchmark::Counter;
  state.counters["time"] =
      Counter(static_cast<double>(edges.size()) * static_cast<double>(state.iterations()),
              Counter::kIsRate | Counter::kInvert);
}

template <class Way>
void register_programs(const std::string& folder, const std::vector<FlowEdge>& edges, Class which) {
  const auto chosen = select(edges, which);
  if (chosen.empty() || which.most > Way::kMostAtoms) return;
  const std::string name = folder + "/" + std::to_string(which.least) + "-" +
                           std::to_string(which.most) + "/" + Way::kName;
  benchmark::RegisterBenchmark(("programs/" + name).c_str(), Programs<Way>, chosen)->MinTime(0.2);
  benchmark::RegisterBenchmark(("building/" + name).c_str(), Building<Way>, chosen)->MinTime(0.1);
}

/// Variables of a guard: shared and local ones in turns.
Formula variable(unsigned i) {
  return model::boolean::atom(i % 2 == 0 ? AtomKind::Shared : AtomKind::Local, i / 2);
}

using Family = Formula (*)(unsigned);

Formula equal_vectors(unsigned n) {
  Formula out = model::boolean::constant(true);
  for (unsigned i = 0; i + 1 < n; i += 2)
    out = conjunction(std::move(out), equality(variable(i), variable(i + 1)));
  return out;
}

Formula some_equal(unsigned n) {
  Formula out = model::boolean::constant(false);
  for (unsigned i = 0; i + 1 < n; i += 2)
    out = disjunction(std::move(out), equality(variable(i), variable(i + 1)));
  return out;
}

Formula at_most_one(unsigned n) {
  Formula out = model::boolean::constant(true);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = i + 1; j < n; ++j)
      out = conjunction(std::move(out), negation(conjunction(variable(i), variable(j))));
  return out;
}

Formula two_or_more(unsigned n) { return negation(at_most_one(n)); }

/// Three literals in each of 3n clauses.
Formula random_clauses(unsigned n) {
  test::Random random(n);
  Formula out = model::boolean::constant(true);
  for (unsigned i = 0; i < 3 * n; ++i) {
    Formula clause = model::boolean::constant(false);
    for (int literal = 0; literal < 3; ++literal) {
      Formula one = variable(random.below(n));
      clause = disjunction(std::move(clause), random.one_in(2) ? negation(one) : std::move(one));
    }
    out = conjunction(std::move(out), std::move(clause));
  }
  return out;
}

/// Two literals in each of n products.
Formula random_products(unsigned n) {
  test::Random random(n);
  Formula out = model::boolean::constant(false);
  for (unsigned i = 0; i < n; ++i) {
    Formula one = variable(random.below(n)), other = negation(variable(random.below(n)));
    out = disjunction(std::move(out), conjunction(std::move(one), std::move(other)));
  }
  return out;
}

/// A way that took more than a second for a smaller n is not asked again.
template <class Way>
void Families(benchmark::State& state, Family family) {
  static std::map<Family, bool> too_slow;
  if (too_slow[family]) {
    state.SkipWithError("took more than a second for fewer variables");
    return;
  }
  FlowEdge edge;
  edge.guard = family(static_cast<unsigned>(state.range(0)));
  const EdgeFunctions functions(edge);
  const Way way;
  std::size_t cubes = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) cubes = way.image(functions).of({}).size();
  const auto taken = std::chrono::steady_clock::now() - start;
  too_slow[family] = taken > std::chrono::seconds(1) * static_cast<int>(state.iterations());
  state.counters["cubes"] = static_cast<double>(cubes);
}

template <class Way>
void register_families() {
  const std::vector<std::pair<const char*, Family>> families{
      {"equal_vectors", equal_vectors}, {"some_equal", some_equal},  {"at_most_one", at_most_one},
      {"two_or_more", two_or_more},     {"clauses", random_clauses}, {"products", random_products}};
  for (const auto& [name, family] : families)
    for (const unsigned n : {4U, 6U, 8U, 12U, 16U, 20U, 24U, 32U, 40U})
      if (n <= Way::kMostAtoms)
        benchmark::RegisterBenchmark((std::string("families/") + name + "/" + Way::kName).c_str(),
                                     Families<Way>, family)
            ->Arg(n)
            ->MinTime(0.02)
            ->Unit(benchmark::kMicrosecond);
}

template <class Way>
void register_way(const std::map<std::string, std::vector<FlowEdge>>& programs) {
  for (const auto& [folder, edges] : programs)
    for (const Class which : {Class{0, 6}, Class{7, 9}, Class{10, 14}, Class{15, 192}})
      register_programs<Way>(folder, edges, which);
  register_families<Way>();
}

}  // namespace
}  // namespace heddle::engine::onthefly

int main(int argc, char** argv) {
  using namespace heddle::engine::onthefly;
  const char* folders = std::getenv("HEDDLE_PROGRAMS");
  std::map<std::string, std::vector<heddle::model::boolean::FlowEdge>> programs;
  std::stringstream list(folders ? folders : "examples/boolean");
  for (std::string folder; std::getline(list, folder, ':');) programs[folder] = edges_in(folder);
  register_way<TableWay>(programs);
  register_way<DiagramWay>(programs);
  register_way<ExpansionWay>(programs);
  register_way<SolverWay>(programs);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
