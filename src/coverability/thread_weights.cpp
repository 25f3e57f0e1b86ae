#include "coverability/thread_weights.hpp"

/// Let w give each shared state and each counter, the pool included, a weight ≥ 0 such that no step
/// increases the weight of a configuration (the sum over its threads, and its shared state). A run
/// to a configuration that covers a demand m then starts with a weight of at least w(m). Initial
/// configurations of n threads have a greatest weight: that of the region's least configuration,
/// and the rest of the n threads where they weigh most. So m needs as many threads as it takes to
/// start with the weight w(m); and none suffice if no initial configuration is that heavy.
///
/// Is there a w by which n threads are too few for m? The conditions are linear in w:
///     w(to) + Σ give·w ≤ w(from) + Σ take·w             for each transition,
///     w(l') ≤ w(l)                                      if a passive thread may move from l to l',
///     s ≤ w(m) − (greatest weight of n threads)         for each initial region,
/// and s > 0 is wanted. The greatest weight is itself the value of a linear program, a knapsack:
/// for a region with lower bounds ℓ, b = n − |ℓ| further threads and room for r_k of them in k, it
/// is the least w(ℓ) + b·z + Σ r_k·u_k with z + u_k ≥ w_k (no u_k where there is room for any
/// number). By Farkas' lemma there is such a w exactly if the state equation, with rational numbers
/// of steps, has no solution from n threads to m.
///
/// What the solution shows is shown for other demands and other n as well. Weightings are few, so
/// all are kept.

#include <algorithm>
#include <numeric>

#include "base/invariant.hpp"

namespace heddle::coverability {

namespace {

__extension__ using Weight = unsigned __int128;

/// Rows times columns of the largest linear program that is worth its time.
constexpr std::size_t kMostEntries = 50'000;
constexpr std::size_t kMostWeightings = 64;
/// Of numbers of threads beyond this it matters only that they are.
constexpr std::uint64_t kLargestBound = std::uint64_t{1} << 40;

/// Column 0 is s; then the shared states, the counters, and whatever the initial regions need.
struct Columns {
  const ThreadFamily& family;
  std::size_t control(Control control) const { return 1 + control; }
  std::size_t counter(std::uint32_t counter) const { return 1 + family.controls + counter; }
  std::size_t end() const { return 1 + family.controls + family.counters; }
};

std::int64_t size_of(const FamilyStart& start) {
  std::int64_t sum = 0;
  for (const StartRange& range : start.ranges) sum += range.lower;
  return sum;
}

/// Where and how many threads may be added to the least configuration.
std::vector<CounterCount> room(const FamilyStart& start) {
  std::vector<CounterCount> result;
  for (const StartRange& range : start.ranges)
    if (range.upper > range.lower)
      result.emplace_back(range.counter,
                          range.upper == kUnbounded ? kUnbounded : range.upper - range.lower);
  for (const std::uint32_t counter : start.open) result.emplace_back(counter, kUnbounded);
  return result;
}

using Row = LinearProgram::Row;

/// The rows that say that a transition increases nothing.
void add_rows(const ThreadFamily& family, const FamilyTransition& t, std::vector<Row>& rows) {
  const Columns columns{family};
  Row row{std::vector<std::int64_t>(columns.end(), 0), 0};
  row.coefficients[columns.control(t.to)] += 1;
  row.coefficients[columns.control(t.from)] -= 1;
  for (const auto& [counter, count] : t.give) row.coefficients[columns.counter(counter)] += count;
  for (const auto& [counter, count] : t.take) row.coefficients[columns.counter(counter)] -= count;
  rows.push_back(std::move(row));
  for (const PassiveStep& step : t.passive) {
    for (const std::uint32_t target : step.to) {
      Row passive{std::vector<std::int64_t>(columns.end(), 0), 0};
      passive.coefficients[columns.counter(target)] += 1;
      passive.coefficients[columns.counter(step.from)] -= 1;
      rows.push_back(std::move(passive));
    }
  }
}

std::vector<Row> rows_of_steps(const ThreadFamily& family) {
  std::vector<Row> rows;
  for (const FamilyTransition& t : family.transitions) add_rows(family, t, rows);
  std::ranges::sort(rows, {}, &Row::coefficients);
  rows.erase(std::ranges::unique(rows, {}, &Row::coefficients).begin(), rows.end());
  std::erase_if(rows, [](const Row& row) {
    return std::ranges::all_of(row.coefficients, [](std::int64_t c) { return c <= 0; });
  });
  return rows;
}

/// s ≤ w(m) − w(ℓ) − b·z − Σ r_k·u_k, and z + u_k ≥ w_k. The columns z and u_k are new.
void add_start(const ThreadFamily& family, const FamilyStart& start, std::int64_t further,
               Row shortage, LinearProgram& program) {
  const Columns columns{family};
  const auto new_column = [&](std::int64_t coefficient) {
    program.objective.push_back(0);
    shortage.coefficients.resize(program.objective.size(), 0);
    shortage.coefficients.back() = coefficient;
    return program.objective.size() - 1;
  };
  shortage.coefficients[columns.control(start.control)] += 1;
  for (const StartRange& range : start.ranges)
    shortage.coefficients[columns.counter(range.counter)] += range.lower;
  const std::size_t z = new_column(further);
  for (const auto& [counter, most] : room(start)) {
    Row row{std::vector<std::int64_t>(z + 1, 0), 0};
    row.coefficients[columns.counter(counter)] = 1;
    row.coefficients[z] = -1;
    if (most != kUnbounded && most < further) {
      row.coefficients.resize(new_column(most) + 1, 0);
      row.coefficients.back() = -1;
    }
    program.rows.push_back(std::move(row));
  }
  program.rows.push_back(std::move(shortage));
}

/// The weights of a solution, divided by what they have in common; nothing if one is too large.
std::optional<ThreadWeighting> to_weighting(const ThreadFamily& family,
                                            const std::vector<std::int64_t>& solution) {
  const Columns columns{family};
  const std::span weights(solution.data() + 1, columns.end() - 1);
  std::int64_t divisor = 0;
  for (const std::int64_t weight : weights) divisor = std::gcd(divisor, weight);
  const auto fits = [&](std::int64_t weight) { return weight / divisor <= INT32_MAX; };
  if (divisor == 0 || !std::ranges::all_of(weights, fits)) return std::nullopt;
  ThreadWeighting result;
  for (std::size_t i = 0; i < weights.size(); ++i)
    (i < family.controls ? result.controls : result.counters)
        .push_back(static_cast<std::uint32_t>(weights[i] / divisor));
  return result;
}

Weight weight_of(const ThreadWeighting& weighting, Control control, ThreadWeights::Counts counts) {
  Weight weight = weighting.controls[control];
  for (const auto& [counter, count] : counts) weight += Weight{weighting.counters[counter]} * count;
  return weight;
}

bool is_increased_by_a_step(const ThreadFamily& family, const ThreadWeighting& w) {
  return std::ranges::any_of(family.transitions, [&](const FamilyTransition& t) {
    return weight_of(w, t.to, t.give) > weight_of(w, t.from, t.take) ||
           std::ranges::any_of(t.passive, [&](const PassiveStep& step) {
             return std::ranges::any_of(step.to, [&](std::uint32_t target) {
               return w.counters[target] > w.counters[step.from];
             });
           });
  });
}

}  // namespace

ThreadWeights::ThreadWeights(const ThreadFamily& family)
    : family_(family), fewest_(kNoNumberOfThreads) {
  for (const FamilyStart& start : family.starts) fewest_ = std::min(fewest_, size_of(start));
  const std::size_t columns = Columns{family}.end();
  is_small_ = columns * (family.transitions.size() + columns) <= kMostEntries;
  if (is_small_) no_increase_ = rows_of_steps(family);
}

ThreadWeights::WeighedStart ThreadWeights::weigh(const ThreadWeighting& weighting,
                                                 const FamilyStart& start) const {
  WeighedStart result{size_of(start), weighting.controls[start.control], {}};
  for (const StartRange& range : start.ranges)
    result.weight += std::uint64_t{weighting.counters[range.counter]} * range.lower;
  for (const auto& [counter, most] : room(start))
    if (weighting.counters[counter] > 0)
      result.supplies.push_back({weighting.counters[counter], most});
  std::ranges::sort(result.supplies, std::ranges::greater{}, &Supply::weight);
  return result;
}

/// How many threads it takes to start with the weight of the demand.
std::int64_t ThreadWeights::threads_to_weigh(std::size_t weighting, Control control,
                                             Counts counts) const {
  const Weight weight = weight_of(found_[weighting], control, counts);
  std::int64_t fewest = kNoNumberOfThreads;
  for (const WeighedStart& start : starts_[weighting]) {
    Weight missing = weight > start.weight ? weight - start.weight : 0;
    std::int64_t threads = start.threads;
    for (const auto& [each, most] : start.supplies) {
      const Weight wanted = (missing + each - 1) / each;
      const std::uint64_t taken =
          most == kUnbounded || wanted < most
              ? static_cast<std::uint64_t>(std::min<Weight>(wanted, kLargestBound))
              : most;
      threads += static_cast<std::int64_t>(taken);
      missing -= std::min(missing, Weight{each} * taken);
    }
    if (missing == 0) fewest = std::min(fewest, threads);
  }
  return fewest;
}

LeastThreads ThreadWeights::least_threads(Control control, Counts counts) const {
  std::int64_t total = 0;
  for (const auto& [counter, count] : counts) total += count;
  LeastThreads least{std::max(fewest_, total)};
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const std::int64_t fewest = threads_to_weigh(i, control, counts);
    if (fewest > least.threads) least = {fewest, i};
  }
  return least;
}

LinearProgram ThreadWeights::program(std::int64_t threads, Control control, Counts counts) const {
  const Columns columns{family_};
  LinearProgram program{std::vector<std::int64_t>(columns.end(), 0), no_increase_};
  program.objective[0] = 1;
  Row unit{std::vector<std::int64_t>(columns.end(), 1), 1};
  unit.coefficients[0] = 0;
  program.rows.push_back(std::move(unit));
  Row shortage{std::vector<std::int64_t>(columns.end(), 0), 0};
  shortage.coefficients[0] = 1;
  shortage.coefficients[columns.control(control)] -= 1;
  for (const auto& [counter, count] : counts)
    shortage.coefficients[columns.counter(counter)] -= count;
  for (const FamilyStart& start : family_.starts)
    if (size_of(start) <= threads)
      add_start(family_, start, threads - size_of(start), shortage, program);
  for (Row& row : program.rows) row.coefficients.resize(program.objective.size(), 0);
  return program;
}

bool ThreadWeights::look_for_more(std::int64_t threads, Control control, Counts counts) {
  if (!is_small_ || found_.size() >= kMostWeightings) return false;
  const LinearProgram asked = program(threads, control, counts);
  const auto solution = maximize(asked, 2 * asked.rows.size());
  if (!solution || solution->numerators[0] <= 0) return false;
  auto weighting = to_weighting(family_, solution->numerators);
  if (!weighting) return false;
  HEDDLE_INVARIANT(!is_increased_by_a_step(family_, *weighting),
                   "no step should increase the sum of the weights");
  starts_.emplace_back();
  for (const FamilyStart& start : family_.starts)
    starts_.back().push_back(weigh(*weighting, start));
  found_.push_back(std::move(*weighting));
  return true;
}

}  // namespace heddle::coverability
