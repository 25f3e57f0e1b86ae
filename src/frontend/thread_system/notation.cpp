#include "frontend/thread_system/notation.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "frontend/text/region_list.hpp"
#include "frontend/thread_system/state_reader.hpp"

namespace heddle::frontend::thread_system {

namespace {

using base::Integer;
using model::CounterBound;
using model::LocalState;
using model::Region;
using text::Lexer;
using text::LineEnds;
using text::Token;
using text::TokenKind;

constexpr text::Dialect kQuestions{.line_ends = LineEnds::Tokens, .quoted_names = true};
constexpr std::string_view kRangeHint = "a range of threads is 'l^[2,5]'";
constexpr std::string_view kTargetHint =
    "a target is 's|l,l,...': a shared state and the local states of some threads, for example "
    "'3|1,1'";
constexpr std::string_view kInitialHint =
    "an initial state is 's|l,l' (exactly these threads), 's/l' (any number of threads in l) or "
    "both, 's|l/l'";

/// Reads one region at a time.
class RegionReader {
 public:
  RegionReader(Lexer& lexer, text::Problems& problems, const model::ThreadSystem& system)
      : lexer_(lexer), problems_(problems), states_(lexer, problems, system) {}

  std::optional<Region> target();
  std::optional<Region> initial();

 private:
  bool threads(std::string_view hint, bool ranges);
  bool multiplicity(Integer& count, std::string_view hint);
  bool range(CounterBound& bound);
  bool any_number();

  Lexer& lexer_;
  text::Problems& problems_;
  StateReader states_;
  std::map<LocalState, CounterBound> bounds_;
};

std::vector<CounterBound> values(const std::map<LocalState, CounterBound>& bounds) {
  std::vector<CounterBound> out;
  for (const auto& entry : bounds) out.push_back(entry.second);
  return out;
}

/// Reads the number behind '^'.
bool RegionReader::multiplicity(Integer& count, std::string_view hint) {
  if (lexer_.peek().kind != TokenKind::Number) {
    problems_.expected("a number of threads behind '^'", lexer_.peek(), std::string(hint));
    return false;
  }
  count = *base::parse_integer(lexer_.next().text);
  return true;
}

/// Reads `lower "," upper "]"` and adds it to a bound whose upper end is set.
bool RegionReader::range(CounterBound& bound) {
  const Token at = lexer_.peek();
  Integer lower = 0;
  Integer upper = 0;
  for (auto [end, behind] : {std::pair{&lower, ","}, {&upper, "]"}}) {
    if (lexer_.peek().kind != TokenKind::Number) {
      problems_.expected("a number of threads", lexer_.peek(), std::string(kRangeHint));
      return false;
    }
    *end = *base::parse_integer(lexer_.next().text);
    if (lexer_.accept(behind)) continue;
    problems_.expected("'" + std::string(behind) + "'", lexer_.peek(), std::string(kRangeHint));
    return false;
  }
  if (upper < lower) {
    problems_.error(at, "no number of threads is in this range", "write the smaller number first");
    return false;
  }
  bound.lower += lower;
  *bound.upper += upper;
  return true;
}

/// Reads the list behind '|', which may be empty, into bounds whose upper ends are set.
bool RegionReader::threads(std::string_view hint, bool ranges) {
  bounds_.clear();
  if (lexer_.peek().ends_line() || lexer_.peek().is(";") || lexer_.peek().is("/")) return true;
  do {
    lexer_.skip_line_ends();
    const auto local = states_.local(hint);
    if (!local) return false;
    CounterBound& bound = bounds_.try_emplace(*local, CounterBound{*local, 0, 0}).first->second;
    const bool power = lexer_.accept("^");
    if (power && ranges && lexer_.accept("[")) {
      if (!range(bound)) return false;
      continue;
    }
    Integer count = 1;
    if (power && !multiplicity(count, hint)) return false;
    bound.lower += count;
    *bound.upper += count;
  } while (lexer_.accept(","));
  std::erase_if(bounds_, [](const auto& entry) { return *entry.second.upper == 0; });
  return true;
}

/// Reads the list behind '/'.
bool RegionReader::any_number() {
  do {
    lexer_.skip_line_ends();
    const auto local = states_.local(kInitialHint);
    if (!local) return false;
    if (lexer_.peek().is("^")) {
      problems_.error(lexer_.peek(), "behind '/' every local state has any number of threads",
                      "leave out '^', or put this local state before '/'");
      return false;
    }
    CounterBound& bound = bounds_[*local];
    bound.counter = *local;
    bound.upper.reset();
  } while (lexer_.accept(","));
  return true;
}

std::optional<Region> RegionReader::target() {
  const auto shared = states_.shared(kTargetHint);
  if (!shared) return std::nullopt;
  if (!lexer_.accept("|")) {
    problems_.expected("'|'", lexer_.peek(), std::string(kTargetHint));
    return std::nullopt;
  }
  if (!threads(kTargetHint, false)) return std::nullopt;
  for (auto& entry : bounds_) entry.second.upper.reset();
  return Region{*shared, values(bounds_)};
}

std::optional<Region> RegionReader::initial() {
  const auto shared = states_.shared(kInitialHint);
  if (!shared) return std::nullopt;
  bounds_.clear();
  const bool exact = lexer_.accept("|");
  if (exact && !threads(kInitialHint, true)) return std::nullopt;
  const bool open = lexer_.accept("/");
  if (open && !any_number()) return std::nullopt;
  if (!exact && !open) {
    problems_.expected("'|' or '/'", lexer_.peek(), std::string(kInitialHint));
    return std::nullopt;
  }
  return Region{*shared, values(bounds_)};
}

}  // namespace

}  // namespace heddle::frontend::thread_system

namespace heddle::frontend {

using model::CounterBound;
using model::Region;
using ThreadNotation = Notation<model::ThreadSystem>;

base::Parsed<std::vector<Region>> ThreadNotation::parse_targets(const model::ThreadSystem& system,
                                                                const SourceText& source) {
  text::Lexer lexer(source.text, thread_system::kQuestions);
  text::Problems problems(source);
  thread_system::RegionReader reader(lexer, problems, system);
  return text::read_regions<Region>(
      lexer, problems, [&] { return reader.target(); }, thread_system::kTargetHint);
}

base::Parsed<std::vector<Region>> ThreadNotation::parse_initial(const model::ThreadSystem& system,
                                                                const SourceText& source) {
  text::Lexer lexer(source.text, thread_system::kQuestions);
  text::Problems problems(source);
  thread_system::RegionReader reader(lexer, problems, system);
  return text::read_regions<Region>(
      lexer, problems, [&] { return reader.initial(); }, thread_system::kInitialHint);
}

std::string ThreadNotation::print_initial(const model::ThreadSystem& system,
                                          const Region& initial) {
  return initial_to_string(system, initial);
}

std::vector<Region> ThreadNotation::default_initial() {
  return {{model::SharedState(0u), {{model::LocalState(0u), 0, std::nullopt}}}};
}

/// In the one local state of each region that has no upper bound.
base::Parsed<void> ThreadNotation::fix_thread_count(const base::Integer& threads,
                                                    std::vector<Region>& initial) {
  for (Region& region : initial) {
    CounterBound* open = nullptr;
    for (CounterBound& bound : region.bounds) {
      if (bound.upper) continue;
      if (open)
        return std::unexpected(
            thread_count_complaint("several local states may start with any number of threads"));
      open = &bound;
    }
    if (!open)
      return std::unexpected(
          thread_count_complaint("the initial state already has an exact number of threads"));
    if (threads < open->lower)
      return std::unexpected(
          thread_count_complaint("the initial state has at least " + base::to_string(open->lower) +
                                 " threads in local state " + std::to_string(open->counter.value)));
    open->lower = threads;
    open->upper = threads;
  }
  return {};
}

Region ThreadNotation::plain_initial(Region initial) { return plain_initial_region(initial); }
Region ThreadNotation::plain_target(Region target) { return plain_target_region(target); }

}  // namespace heddle::frontend
