#include "engine/compositional/samples.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "term/print.hpp"

/// A state of a predicate is a list of values of its parameters. Clauses are applied to states that
/// were derived before; variables that occur in no atom of the body are inputs and get some values
/// of their range. So everything derived belongs to every solution, at the price of an evaluation
/// instead of a query: bounds that do not hold are gone before the solver is asked, and clauses
/// without a solution are often seen to be so.
///
/// States that are further out than all others of their predicate come first: in the value of a
/// parameter, or in the order of two of them. There are few such states, and they are what bounds
/// are about.
///
/// Values have 128 bits; where that is not enough, the clause is not applied.

namespace heddle::engine::compositional {

using base::Integer;
using term::HornAtom;
using term::HornClause;
using term::Operator;
using term::Sort;
using term::Term;

/// Names of their own, since files are compiled together.
namespace sampling {
namespace {

__extension__ using Value = __int128;
using State = std::vector<Value>;

constexpr std::size_t kMostStates = 250;        ///< of a predicate
constexpr std::size_t kMostFurtherOut = 600;    ///< if they are further out than the others
constexpr std::size_t kLeastWork = 6'000'000;   ///< operations on values
constexpr std::size_t kWorkPerClause = 40'000;  ///< if that is more
constexpr std::size_t kStatesPerStep = 64;      ///< so many count as one step of the engine
constexpr std::size_t kChoices = 6;             ///< of inputs, for one application of a clause
constexpr std::size_t kMostTries = 40;          ///< for that
constexpr std::size_t kMostCandidates = 24;

std::optional<Value> small(const Integer& value) {
  constexpr std::size_t kBits = 100;
  if (mpz_sizeinbase(value.get_mpz_t(), 2) > kBits) return std::nullopt;
  const Integer high = abs(value) >> 50, low = abs(value) - (high << 50);
  const Value size = (static_cast<Value>(high.get_si()) << 50) + low.get_si();
  return value < 0 ? -size : size;
}

Integer large(Value value) {
  const bool is_negative = value < 0;
  if (is_negative) value = -value;
  Integer out = Integer(static_cast<unsigned long>(value >> 64));
  out = (out << 64) + Integer(static_cast<unsigned long>(value));
  return is_negative ? Integer(-out) : out;
}

/// The terms of a clause as a list of operations on earlier results.
class Code {
 public:
  /// The place of the value of a term; none if it cannot be expressed.
  std::optional<std::uint32_t> add(const Term& term) {
    if (const auto known = places_.find(term.identity()); known != places_.end())
      return known->second;
    Node node;
    node.op = term.op();
    if (node.op == Operator::Variable) {
      node.variable = variable(term);
    } else if (node.op == Operator::Integer) {
      const auto value = small(term.integer());
      if (!value) return std::nullopt;
      node.constant = *value;
    } else if (node.op == Operator::Boolean) {
      node.constant = term.boolean() ? 1 : 0;
    } else {
      for (const Term& argument : term.arguments()) {
        const auto place = add(argument);
        if (!place) return std::nullopt;
        node.arguments.push_back(*place);
      }
    }
    nodes_.push_back(std::move(node));
    kept_.push_back(term);
    const auto place = static_cast<std::uint32_t>(nodes_.size() - 1);
    places_.emplace(term.identity(), place);
    return place;
  }

  std::uint32_t variable(const Term& term) {
    const auto [it, is_new] =
        variables_.emplace(term.name(), static_cast<std::uint32_t>(variables_.size()));
    return it->second;
  }
  const std::map<std::string, std::uint32_t>& variables() const { return variables_; }
  std::size_t size() const { return nodes_.size(); }

  /// False: a value is too large, or something is divided by 0.
  bool evaluate(const State& variables, State& results, std::size_t first, std::size_t end) const {
    results.resize(nodes_.size());
    for (std::size_t i = first; i < end; ++i)
      if (!evaluate(nodes_[i], variables, results, results[i])) return false;
    return true;
  }

 private:
  struct Node {
    Operator op = Operator::Boolean;
    Value constant = 0;
    std::uint32_t variable = 0;
    std::vector<std::uint32_t> arguments = {};
  };

  static bool evaluate(const Node& node, const State& variables, const State& results, Value& out) {
    const auto at = [&](std::size_t i) { return results[node.arguments[i]]; };
    const auto is_true = [&](std::uint32_t place) { return results[place] != 0; };
    switch (node.op) {
      case Operator::Boolean:
      case Operator::Integer: out = node.constant; return true;
      case Operator::Variable: out = variables[node.variable]; return true;
      case Operator::Not: out = at(0) == 0 ? 1 : 0; return true;
      case Operator::And: out = std::ranges::all_of(node.arguments, is_true) ? 1 : 0; return true;
      case Operator::Or: out = std::ranges::any_of(node.arguments, is_true) ? 1 : 0; return true;
      case Operator::Implies: out = at(0) == 0 || at(1) != 0 ? 1 : 0; return true;
      case Operator::Equal: out = at(0) == at(1) ? 1 : 0; return true;
      case Operator::AtMost: out = at(0) <= at(1) ? 1 : 0; return true;
      case Operator::Product: return !__builtin_mul_overflow(at(0), at(1), &out);
      case Operator::Choice: out = at(0) != 0 ? at(1) : at(2); return true;
      case Operator::Quotient:
      case Operator::Remainder: return divide(node.op, at(0), at(1), out);
      case Operator::Sum: break;
    }
    out = 0;
    for (const std::uint32_t place : node.arguments)
      if (__builtin_add_overflow(out, results[place], &out)) return false;
    return true;
  }

  /// As SMT-LIB does: the remainder is never negative.
  static bool divide(Operator op, Value a, Value b, Value& out) {
    if (b == 0) return false;
    Value quotient = a / b, rest = a % b;
    if (rest < 0) {
      rest += b > 0 ? b : -b;
      quotient += b > 0 ? -1 : 1;
    }
    out = op == Operator::Quotient ? quotient : rest;
    return true;
  }

  std::vector<Node> nodes_;
  std::vector<Term> kept_;  ///< so that identities stay
  std::unordered_map<const void*, std::uint32_t> places_;
  std::map<std::string, std::uint32_t> variables_;
};

/// A clause that can be evaluated.
struct Rule {
  struct Atom {
    std::size_t predicate = 0;
    std::vector<std::uint32_t> variables;
  };
  struct Free {
    std::uint32_t variable = 0;
    bool is_number = false;  ///< without an upper bound: small ones are likely
    std::vector<Value> candidates;
  };
  Code code;
  std::vector<Atom> body;
  /// The sum is 0.
  struct Equation {
    std::vector<std::pair<std::uint32_t, Value>> summands;  ///< variable, coefficient
    Value constant = 0;
  };
  std::vector<Free> inputs;
  std::vector<Equation> equations;        ///< of the constraint, about inputs
  std::vector<std::uint32_t> conditions;  ///< conjuncts of the constraint
  std::size_t end_of_conditions = 0;
  bool has_head = false;
  std::size_t head = 0;
  std::vector<std::uint32_t> arguments;
};

void collect_conjuncts(const Term& term, std::vector<Term>& out) {
  if (term.op() != Operator::And) return out.push_back(term);
  for (const Term& part : term.arguments()) collect_conjuncts(part, out);
}

void add_constants_of(const Term& term, std::set<Integer>& out, std::set<const void*>& seen) {
  if (!seen.insert(term.identity()).second) return;
  if (term.op() == Operator::Integer) out.insert(term.integer());
  for (const Term& part : term.arguments()) add_constants_of(part, out, seen);
}

class Sampling {
 public:
  Sampling(const term::HornSystem& system, base::RunContext& context)
      : context_(context),
        all_(system.predicates.size()),
        most_work_(std::max(kLeastWork, kWorkPerClause * system.clauses.size())) {
    users_.resize(system.predicates.size());
    for (const HornClause& clause : system.clauses)
      if (!translate(clause)) is_complete_ = false;
    for (std::size_t r = 0; r < rules_.size(); ++r)
      for (std::size_t i = 0; i < rules_[r].body.size(); ++i)
        users_[rules_[r].body[i].predicate].emplace_back(r, i);
  }

  Samples run() {
    for (const Rule& rule : rules_)
      if (rule.body.empty()) apply(rule, State(rule.code.variables().size(), 0));
    for (std::size_t n = 1; !is_over(); ++n) {
      if (n % kStatesPerStep == 0 && context_.step()) break;
      auto& queue = further_out_.empty() ? others_ : further_out_;
      if (queue.empty()) break;
      const auto [predicate, index] = queue.front();
      queue.pop_front();
      for (const auto& [r, i] : users_[predicate]) apply(rules_[r], i, predicate, index);
    }
    Samples out;
    out.is_refuted = is_refuted_;
    out.are_all = is_complete_ && !is_over() && further_out_.empty() && others_.empty();
    for (const Known& known : all_) {
      auto& states = out.states.emplace_back();
      for (const State& state : known.states) {
        auto& values = states.emplace_back();
        for (const Value value : state) values.push_back(large(value));
      }
    }
    return out;
  }

 private:
  struct Known {
    std::vector<State> states;
    std::set<State> seen;
    std::vector<Value> least, greatest;
    std::set<std::size_t> orders;  ///< of pairs of parameters that some state has
  };

  bool is_over() const { return is_refuted_ || work_ > most_work_; }

  /// Whether it can be evaluated.
  bool translate(const HornClause& clause) {
    Rule rule;
    for (const HornAtom& atom : clause.body) {
      auto& out = rule.body.emplace_back();
      out.predicate = atom.predicate.index();
      for (const Term& argument : atom.arguments) {
        if (argument.op() != Operator::Variable) return false;
        out.variables.push_back(rule.code.variable(argument));
      }
    }
    const std::size_t bound = rule.code.variables().size();
    std::vector<Term> conjuncts = relevant_conjuncts(clause);
    for (const Term& conjunct : conjuncts) {
      const auto place = rule.code.add(conjunct);
      if (!place) return false;
      rule.conditions.push_back(*place);
    }
    rule.end_of_conditions = rule.code.size();
    rule.has_head = clause.head.has_value();
    if (clause.head) {
      rule.head = clause.head->predicate.index();
      for (const Term& argument : clause.head->arguments) {
        const auto place = rule.code.add(argument);
        if (!place) return false;
        rule.arguments.push_back(*place);
      }
    }
    add_inputs(rule, bound, conjuncts);
    add_equations(rule, bound, conjuncts);
    rules_.push_back(std::move(rule));
    return true;
  }

  /// Without the ranges of variables that occur nowhere else: there is some value.
  static std::vector<Term> relevant_conjuncts(const HornClause& clause) {
    std::vector<Term> all, out, others;
    collect_conjuncts(clause.constraint, all);
    for (const HornAtom& atom : clause.body)
      others.insert(others.end(), atom.arguments.begin(), atom.arguments.end());
    if (clause.head)
      others.insert(others.end(), clause.head->arguments.begin(), clause.head->arguments.end());
    const auto is_range = [](const Term& term) {
      return term.op() == Operator::AtMost &&
             (term.arguments()[0].op() == Operator::Integer) !=
                 (term.arguments()[1].op() == Operator::Integer) &&
             (term.arguments()[0].op() == Operator::Variable) !=
                 (term.arguments()[1].op() == Operator::Variable);
    };
    for (const Term& conjunct : all)
      if (!is_range(conjunct)) others.push_back(conjunct);
    std::set<std::string> names;
    for (const Term& v : term::variables(others)) names.insert(v.name());
    for (const Term& conjunct : all)
      if (!is_range(conjunct) || names.contains(term::variables({conjunct})[0].name()))
        out.push_back(conjunct);
    return out;
  }

  /// Variables that no atom of the body has, each with the ends of its range and constants in it.
  void add_inputs(Rule& rule, std::size_t bound, const std::vector<Term>& conjuncts) {
    std::map<std::string, std::pair<std::optional<Integer>, std::optional<Integer>>> ranges;
    std::set<Integer> constants = {0, 1, -1};
    std::set<const void*> seen;
    for (const Term& conjunct : conjuncts) {
      add_constants_of(conjunct, constants, seen);
      const bool is_negated = conjunct.op() == Operator::Not;
      const Term& order = is_negated ? conjunct.arguments()[0] : conjunct;
      if (order.op() != Operator::AtMost) continue;
      const Term &a = order.arguments()[0], &b = order.arguments()[1];
      const bool is_lower = a.op() == Operator::Integer && b.op() == Operator::Variable;
      const bool is_upper = b.op() == Operator::Integer && a.op() == Operator::Variable;
      if (!is_lower && !is_upper) continue;
      auto& [least, greatest] = ranges[(is_lower ? b : a).name()];
      const Integer& limit = (is_lower ? a : b).integer();
      if (is_lower != is_negated) {
        const Integer first = is_negated ? Integer(limit + 1) : limit;
        if (!least || *least < first) least = first;
      } else {
        const Integer last = is_negated ? Integer(limit - 1) : limit;
        if (!greatest || last < *greatest) greatest = last;
      }
    }
    for (const auto& [name, variable] : rule.code.variables()) {
      if (variable < bound) continue;
      const auto& [least, greatest] = ranges[name];
      is_complete_ = false;
      std::set<Integer> values;
      const auto add = [&](const Integer& value) {
        if ((!least || *least <= value) && (!greatest || value <= *greatest)) values.insert(value);
      };
      const bool is_number = least && !greatest;  // of a thread, or of threads somewhere
      for (const Integer& c : constants) {
        if (is_number || values.size() >= kMostCandidates) break;
        for (const int near : {0, 1, -1}) add(c + near);
      }
      if (least)
        for (const int more : {0, 1, 2}) add(*least + more);
      if (greatest) add(*greatest);
      Rule::Free input{variable, is_number, {}};
      for (const Integer& value : values)
        if (const auto fits = small(value)) input.candidates.push_back(*fits);
      if (input.candidates.empty()) input.candidates.push_back(0);
      rule.inputs.push_back(std::move(input));
    }
  }

  /// Adds a linear term; false if it is none.
  static bool add_linear(const Term& term, Value factor, Code& code,
                         std::map<std::uint32_t, Value>& summands, Value& constant) {
    switch (term.op()) {
      case Operator::Variable: summands[code.variable(term)] += factor; return true;
      case Operator::Integer: {
        const auto value = small(term.integer());
        return value && !__builtin_mul_overflow(factor, *value, &factor) &&
               !__builtin_add_overflow(constant, factor, &constant);
      }
      case Operator::Product: {
        const auto value = small(term.arguments()[0].integer());
        return value && !__builtin_mul_overflow(factor, *value, &factor) &&
               add_linear(term.arguments()[1], factor, code, summands, constant);
      }
      case Operator::Sum:
        return std::ranges::all_of(term.arguments(), [&](const Term& part) {
          return add_linear(part, factor, code, summands, constant);
        });
      default: return false;
    }
  }

  static void add_equations(Rule& rule, std::size_t bound, const std::vector<Term>& conjuncts) {
    for (const Term& conjunct : conjuncts) {
      if (conjunct.op() != Operator::Equal || conjunct.arguments()[0].sort() != Sort::Integer)
        continue;
      std::map<std::uint32_t, Value> summands;
      Rule::Equation equation;
      if (!add_linear(conjunct.arguments()[0], 1, rule.code, summands, equation.constant) ||
          !add_linear(conjunct.arguments()[1], -1, rule.code, summands, equation.constant))
        continue;
      bool has_input = false;
      for (const auto& [variable, factor] : summands) {
        if (factor != 0) equation.summands.emplace_back(variable, factor);
        has_input |= factor != 0 && variable >= bound;
      }
      if (has_input) rule.equations.push_back(std::move(equation));
    }
  }

  /// With a new state for one atom of the body, and all known ones for the others.
  void apply(const Rule& rule, std::size_t atom, std::size_t predicate, std::size_t index) {
    State variables(rule.code.variables().size(), 0);
    std::vector<bool> is_set(variables.size(), false);
    if (!set(rule.body[atom], all_[predicate].states[index], variables, is_set)) return;
    extend(rule, atom, 0, variables, is_set);
  }

  void extend(const Rule& rule, std::size_t given, std::size_t atom, const State& variables,
              const std::vector<bool>& is_set) {
    if (is_over()) return;
    if (atom == rule.body.size()) return apply(rule, variables);
    if (atom == given) return extend(rule, given, atom + 1, variables, is_set);
    const std::size_t known = all_[rule.body[atom].predicate].states.size();
    for (std::size_t i = 0; i < known; ++i) {
      const State& state = all_[rule.body[atom].predicate].states[i];
      if (!agrees(rule.body[atom], state, variables, is_set)) continue;
      State more = variables;
      std::vector<bool> more_set = is_set;
      if (set(rule.body[atom], state, more, more_set))
        extend(rule, given, atom + 1, more, more_set);
    }
  }

  bool agrees(const Rule::Atom& atom, const State& state, const State& variables,
              const std::vector<bool>& is_set) {
    ++work_;
    for (std::size_t i = 0; i < state.size(); ++i)
      if (is_set[atom.variables[i]] && variables[atom.variables[i]] != state[i]) return false;
    return true;
  }

  static bool set(const Rule::Atom& atom, const State& state, State& variables,
                  std::vector<bool>& is_set) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      const std::uint32_t v = atom.variables[i];
      if (is_set[v] && variables[v] != state[i]) return false;
      variables[v] = state[i];
      is_set[v] = true;
    }
    return true;
  }

  void apply(const Rule& rule, State variables) {
    std::size_t successes = 0;
    const std::size_t times = rule.inputs.empty() ? 1 : kMostTries;
    for (std::size_t n = 0; n < times && successes < kChoices && !is_over(); ++n) {
      choose_inputs(rule, n, variables);
      work_ += rule.code.size();
      if (!rule.code.evaluate(variables, results_, 0, rule.end_of_conditions)) {
        is_complete_ = false;
        continue;
      }
      if (!std::ranges::all_of(rule.conditions, [&](auto place) { return results_[place] != 0; }))
        continue;
      if (!rule.has_head) {
        is_refuted_ = true;
        return;
      }
      if (!rule.code.evaluate(variables, results_, rule.end_of_conditions, rule.code.size())) {
        is_complete_ = false;
        continue;
      }
      ++successes;
      State state;
      for (const std::uint32_t place : rule.arguments) state.push_back(results_[place]);
      note(rule.head, std::move(state));
    }
  }

  /// Equations determine some of them. The first one gets all its candidates in turn.
  void choose_inputs(const Rule& rule, std::size_t n, State& variables) {
    if (rule.inputs.empty()) return;
    std::vector<bool> is_open(variables.size(), false);
    for (const Rule::Free& input : rule.inputs) is_open[input.variable] = true;
    for (const Rule::Free& input : rule.inputs) {
      while (solve_one(rule, variables, is_open)) continue;
      if (!is_open[input.variable]) continue;
      const bool is_first = &input == &rule.inputs.front() && n < input.candidates.size();
      variables[input.variable] = is_first ? input.candidates[n] : chosen(input);
      is_open[input.variable] = false;
    }
  }

  /// Whether an equation had one open variable, which is now what it has to be.
  static bool solve_one(const Rule& rule, State& variables, std::vector<bool>& is_open) {
    for (const Rule::Equation& equation : rule.equations) {
      const std::pair<std::uint32_t, Value>* open = nullptr;
      std::size_t count = 0;
      Value sum = equation.constant;
      for (const auto& summand : equation.summands) {
        Value part = 0;
        if (is_open[summand.first]) {
          open = &summand;
          ++count;
        } else if (__builtin_mul_overflow(summand.second, variables[summand.first], &part) ||
                   __builtin_add_overflow(sum, part, &sum)) {
          count = 2;
        }
      }
      if (count != 1 || sum % open->second != 0) continue;
      variables[open->first] = -(sum / open->second);
      is_open[open->first] = false;
      return true;
    }
    return false;
  }

  /// Every other time an end of the range: that is what bounds depend on.
  Value chosen(const Rule::Free& input) {
    const std::size_t n = random(), count = input.candidates.size();
    if (n % 2 == 0)
      return n % 4 == 0 || input.is_number ? input.candidates.front() : input.candidates.back();
    return input.candidates[n / 4 % count];
  }

  void note(std::size_t predicate, State state) {
    Known& known = all_[predicate];
    if (known.seen.contains(state)) return;
    const bool is_further = is_further_out(known, state);
    if (known.states.size() >= (is_further ? kMostFurtherOut : kMostStates)) {
      is_complete_ = false;
      return;
    }
    (is_further ? further_out_ : others_).emplace_back(predicate, known.states.size());
    known.seen.insert(state);
    known.states.push_back(std::move(state));
  }

  static bool is_further_out(Known& known, const State& state) {
    if (known.least.empty()) known.least = known.greatest = state;
    bool out = known.states.empty();
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (state[i] < known.least[i] || state[i] > known.greatest[i]) {
        known.least[i] = std::min(known.least[i], state[i]);
        known.greatest[i] = std::max(known.greatest[i], state[i]);
        out = true;
      }
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t order = state[i] < state[j] ? 0 : state[i] == state[j] ? 1 : 2;
        out = known.orders.insert((i * state.size() + j) * 3 + order).second || out;
      }
    }
    return out;
  }

  /// Always the same sequence.
  std::size_t random() {
    seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(seed_ >> 33U);
  }

  base::RunContext& context_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> users_;  ///< rule, atom
  std::vector<Known> all_;
  std::deque<std::pair<std::size_t, std::size_t>> further_out_, others_;  ///< predicate, state
  State results_;
  std::size_t work_ = 0, most_work_;
  std::uint64_t seed_ = 1;
  bool is_refuted_ = false;
  bool is_complete_ = true;  ///< nothing was left out so far
};

}  // namespace
}  // namespace sampling

term::HornSolution solution_of(const term::HornSystem& system, const Samples& samples) {
  term::HornSolution out;
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    const auto& parameters = system.predicates[p].parameters;
    std::vector<Term> any;
    for (const auto& values : samples.states[p]) {
      std::vector<Term> all;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (parameters[i].sort() == Sort::Boolean)
          all.push_back(values[i] != 0 ? parameters[i] : term::negation(parameters[i]));
        else
          all.push_back(term::equal(parameters[i], term::constant(values[i])));
      }
      any.push_back(term::conjunction(std::move(all)));
    }
    out.formulas.push_back(term::disjunction(std::move(any)));
  }
  return out;
}

Samples sample(const term::HornSystem& system, base::RunContext& context) {
  return sampling::Sampling(system, context).run();
}

}  // namespace heddle::engine::compositional
