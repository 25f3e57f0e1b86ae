#include <algorithm>
#include <map>
#include <set>

#include "engine/compositional/clauses.hpp"
#include "term/print.hpp"

/// Thread-modular clauses. For a thread t at a cut p, R(t,p) is a set of pairs of globals and t's
/// locals. With G the globals, L the locals of t, M those of another thread u:
///
///   initial(G)                                    →  R(0,entry)(G, L)
///   R(t,p)(G, L) ∧ step of t from p to q          →  R(t,q)(G', L')
///   R(t,p)(G, L) ∧ step of t that creates u       →  R(u,entry)(G', arguments)
///   R(u,q)(G, M) ∧ R(t,p)(G, L) ∧ step of t       →  R(u,q)(G', M)         where q is a boundary
///   R(t,p)(G, L), p an error location             →  false
///
/// A replicated thread interferes with itself: u may be another copy of t, with another number.
///
/// Pairs. R(t,p;u,q) is a set of globals, locals of t and locals of another thread u. Whenever two
/// threads stand at these cuts, it holds; if p and q are the same cut, in both orders. A step of t
/// moves each pair that t is in, a step of a third thread must preserve it, and the two pairs with
/// the third one are known then:
///
///   R(t,p;u,q)(G, L, M) ∧ step of t from p to r                   →  R(t,r;u,q)(G', L', M)
///   R(t,p)(G, L) ∧ step of t to r that creates u                  →  R(t,r;u,entry)(G', L', …)
///   R(t,p;u,q)(G, L, M) ∧ step of t that creates v                →  R(u,q;v,entry)(G', M, …)
///   R(u,q;v,r)(G, M, N) ∧ R(t,p;u,q) ∧ R(t,p;v,r) ∧ step of t     →  R(u,q;v,r)(G', M, N)
///   R(t,p;u,q)(G, L, M) ∧ step of t                               →  R(u,q)(G', M)
///
/// A pair says at least as much as the two predicates of its threads, so these are left out where
/// there is a pair. The third clause makes the number of clauses cubic in the number of cuts.
///
/// While a thread stands at a cut inside a block, no other thread steps: the global `busy` holds
/// its index + 1 (0: nobody). It exists only in programs that need it.
///
/// What is known beforehand is added to the bodies: ranges of variables and the facts of
/// transform/blocks. A solution is then an invariant in conjunction with these.
///
/// Counting. For each thread and cut, a ghost variable says how many threads stand there; a lemma
/// relates them to globals (linear_equalities.cpp). In a body, the threads that it is about are
/// counted: if two of them stand at one cut, there are two. The counts are parameters of
/// predicates, or only occur in bodies: then they are whatever fits the lemma. As parameters, those
/// of a thread of which there is one say where it stands: an auxiliary variable in the sense of
/// Owicki and Gries, for invariants such as "if the other thread is past its test, x is 1".

namespace heddle::engine::compositional {

using namespace model::threads;
using term::HornAtom;
using term::HornClause;
using term::HornPredicate;
using term::Sort;
using term::Substitution;
using term::Term;
using transform::blocks::BlockStep;

namespace {

class Modular : Clauses {
  using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;  ///< thread, point

  /// A thread at a place, and how its locals are called.
  struct Standing {
    ThreadPoint place;
    std::string mark;
    ThreadIndex thread() const { return ThreadIndex(place.first); }
    Point point() const { return Point(place.second); }
  };

 public:
  Modular(const Prepared& prepared, const Counting& counting)
      : Clauses(prepared), busy_(term::variable("busy", Sort::Integer)), counting_(counting) {
    std::set<std::string> mentioned;
    for (const Term& v : term::variables({counting.lemma})) mentioned.insert(v.name());
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p) {
        if (!is_counted(program_, blocks_.partition.is_cut, t, p)) continue;
        const bool is_parameter = program_.threads[t].is_replicated
                                      ? counting.has_parameters
                                      : counting.has_places && is_out(ThreadPoint{t, p});
        const Term count = count_at(ThreadIndex(t), p);
        if (is_parameter) counted_.emplace_back(t, p);
        if (is_parameter || mentioned.contains(count.name())) counts_.emplace_back(t, p);
      }
    for (const Thread& of : program_.threads)
      if (!of.is_replicated)
        for (const VariableId v : of.locals)
          if (mentioned.contains(variable(v).term.name())) lemma_locals_.push_back(v);
  }

  Encoding run() {
    declare();
    begin();
    for_each_step([&](const BlockStep& step) {
      own_step(step);
      creations(step);
      interferences(step);
    });
    return std::move(encoding_);
  }

  /// None if there would be more than `limit` clauses about three threads, or no pairs at all.
  std::optional<Encoding> run_with_pairs(std::size_t limit) {
    declare();
    declare_pairs();
    if (pairs_.empty() || clauses_about_three() > limit) return std::nullopt;
    begin();
    for_each_step([&](const BlockStep& step) {
      own_step(step);
      creations(step);
      interferences(step);
      moved_pairs(step);
      created_pairs(step);
      interferences_with_pairs(step);
    });
    return std::move(encoding_);
  }

 private:
  template <class Action>
  void for_each_step(const Action& action) const {
    for (const auto& steps : blocks_.steps)
      for (const BlockStep& step : steps)
        if (predicates_.contains(from(step))) action(step);
  }

  static ThreadPoint from(const BlockStep& step) { return {step.thread.value, step.from.value}; }
  static ThreadPoint to(const BlockStep& step) { return {step.thread.value, step.to.value}; }
  ThreadPoint entry_of(const Creation& creation) const {
    return {creation.thread.value, thread(creation.thread).entry.value};
  }
  PointInfo::Kind kind(const ThreadPoint& place) const {
    return program_.threads[place.first].points[place.second].kind;
  }

  void declare() {
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p) {
        const ThreadIndex id(t);
        const Point point(p);
        if (!blocks_.partition.cut(id, point) || !prepared_.facts.is_reachable(id, point)) continue;
        if (kind({t, p}) != PointInfo::Kind::Ordinary && !is_followed_end({t, p})) continue;
        const HornPredicate predicate = encoding_.system.add(
            "R." + std::to_string(t) + "." + std::to_string(p), parameters({{{t, p}, ""}}));
        encoding_.meanings.push_back({{{id, p}}});
        predicates_.emplace(ThreadPoint{t, p}, predicate);
      }
  }

  /// Pairs of threads one of which is replicated: for others there is the product. A thread 0 that
  /// only creates threads is left out.
  void declare_pairs() {
    for (const auto& [a, first] : predicates_)
      for (const auto& [b, second] : predicates_) {
        if (b < a || !may_be_two(a, b) || !(is_replicated(a) || is_replicated(b))) continue;
        if ((a.first == 0 || b.first == 0) && !main_interferes()) continue;
        if (!is_out(a) && !is_out(b)) continue;
        if (!may_coexist(a, b)) continue;
        const HornPredicate predicate =
            encoding_.system.add("R." + std::to_string(a.first) + "." + std::to_string(a.second) +
                                     "." + std::to_string(b.first) + "." + std::to_string(b.second),
                                 parameters({{a, ""}, {b, kSecondMark}}));
        encoding_.meanings.push_back(
            {{{ThreadIndex(a.first), a.second}, {ThreadIndex(b.first), b.second}}});
        pairs_.emplace(std::pair(a, b), predicate);
      }
  }

  bool main_interferes() const {
    return std::ranges::any_of(blocks_.steps[0], [&](const BlockStep& step) {
      const bool has_others = std::ranges::any_of(predicates_, [&](const auto& entry) {
        return entry.first.first != 0 && may_coexist(from(step), entry.first);
      });
      return has_others && std::ranges::any_of(step.assignments, [&](const Assignment& a) {
               return !variable(a.variable).owner &&
                      variable(a.variable).kind != Variable::Kind::Status;
             });
    });
  }

  bool is_replicated(const ThreadPoint& place) const {
    return program_.threads[place.first].is_replicated;
  }
  bool is_out(const ThreadPoint& place) const {
    return blocks_.partition.is_out[place.first][place.second];
  }
  bool may_be_two(const ThreadPoint& a, const ThreadPoint& b) const {
    return a.first != b.first || is_replicated(a);
  }
  bool may_coexist(const ThreadPoint& a, const ThreadPoint& b) const {
    return prepared_.facts.may_coexist(ThreadIndex(a.first), Point(a.second), ThreadIndex(b.first),
                                       Point(b.second));
  }

  /// The counts that a predicate about threads at these places has as parameters. Where a thread
  /// of which there is one stands need not be said by a predicate that is about it.
  std::vector<ThreadPoint> counted(const std::vector<ThreadPoint>& places) const {
    std::vector<ThreadPoint> out;
    for (const ThreadPoint& place : counted_) {
      const auto is_it = [&](const ThreadPoint& one) { return one.first == place.first; };
      if (is_replicated(place) || std::ranges::none_of(places, is_it)) out.push_back(place);
    }
    return out;
  }

  const std::vector<VariableId>& live(const ThreadPoint& place) const {
    return blocks_.live[place.first][place.second];
  }

  std::vector<Term> parameters(const std::vector<Standing>& threads) const {
    std::vector<Term> out;
    std::vector<ThreadPoint> places;
    for (const Standing& one : threads) places.push_back(one.place);
    if (needs_busy_) out.push_back(busy_);
    for (const VariableId v : program_.globals) out.push_back(variable(v).term);
    for (const auto& [u, q] : counted(places)) out.push_back(count_at(ThreadIndex(u), q));
    for (const Standing& one : threads)
      for (const Term& value : locals(one)) out.push_back(value);
    return out;
  }

  std::vector<Term> locals(const Standing& one) const {
    std::vector<Term> out;
    for (const VariableId v : live(one.place)) out.push_back(marked(variable(v).term, one.mark));
    return out;
  }

  /// What is known about these threads by predicates: of all pairs, and of those without a pair.
  std::vector<HornAtom> atoms(const std::vector<Standing>& threads) const {
    std::vector<HornAtom> out;
    std::vector<bool> is_paired(threads.size(), false);
    for (std::size_t i = 0; i < threads.size(); ++i)
      for (std::size_t j = i + 1; j < threads.size(); ++j) {
        const bool in_order = threads[i].place <= threads[j].place;
        const Standing& a = threads[in_order ? i : j];
        const Standing& b = threads[in_order ? j : i];
        const auto pair = pairs_.find({a.place, b.place});
        if (pair == pairs_.end()) continue;
        is_paired[i] = is_paired[j] = true;
        out.push_back({pair->second, parameters({a, b})});
      }
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (!is_paired[i])
        out.push_back({predicates_.at(threads[i].place), parameters({threads[i]})});
    return out;
  }

  Term busy_at(ThreadIndex t, Point p) const {
    return number(blocks_.partition.out(t, p) ? 0 : static_cast<long>(t.value) + 1);
  }

  /// What is known when a thread stands somewhere.
  Term known(const Standing& one) const {
    return term::conjunction({facts(one.thread(), one.point(), one.mark),
                              ranges_of_locals(one.thread(), one.point(), one.mark)});
  }

  void begin() {
    const ThreadPoint entry = {0, thread(ThreadIndex(std::size_t{0})).entry.value};
    std::vector<Term> parts = {ranges_of_globals()};
    std::vector<Term> arguments;
    if (needs_busy_) arguments.push_back(number(0));
    for (const VariableId v : program_.globals) arguments.push_back(initial(v, "", parts));
    for (std::size_t i = 0; i < counted({entry}).size(); ++i) arguments.push_back(number(0));
    for (const VariableId v : live(entry)) arguments.push_back(initial(v, "", parts));
    encoding_.system.clauses.push_back({{},
                                        term::conjunction(std::move(parts)),
                                        HornAtom{predicates_.at(entry), std::move(arguments)},
                                        "initial"});
  }

  Term initial(VariableId v, const std::string& mark, std::vector<Term>& ranges) const {
    const Variable& info = variable(v);
    if (!info.initial) {
      const Term any = marked(info.term, mark);
      ranges.push_back(in_range(info, any));
      return any;
    }
    if (info.term.sort() == Sort::Boolean) return term::constant(*info.initial != 0);
    return term::constant(*info.initial);
  }

  std::string name_of(const BlockStep& step) const {
    return thread(step.thread).name + " " + std::to_string(step.from.value) + " to " +
           std::to_string(step.to.value);
  }
  std::string name_of(const Standing& one) const {
    return thread(one.thread()).name + " at " + std::to_string(one.place.second);
  }

  /// A clause without its head: the step is taken beside these threads.
  HornClause clause(const BlockStep& step, const std::vector<Standing>& others) const {
    std::vector<Term> parts = {enabled(step, ""), known({from(step), ""}), ranges_of_globals()};
    if (needs_busy_) parts.push_back(term::equal(busy_, busy_at(step.thread, step.from)));
    std::vector<Standing> all = others;
    all.push_back({from(step), ""});
    for (const Standing& other : others) parts.push_back(known(other));
    parts.push_back(counts(step, others));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j)
        parts.push_back(different_threads(all[i], all[j]));
    HornClause out{atoms(all), term::conjunction(std::move(parts)), {}, name_of(step)};
    for (const Standing& other : others) out.name += " beside " + name_of(other);
    return out;
  }

  Term different_threads(const Standing& a, const Standing& b) const {
    if (!thread(a.thread()).self || !thread(b.thread()).self) return term::constant(true);
    return term::negation(term::equal(marked(self_of(program_, a.thread()), a.mark),
                                      marked(self_of(program_, b.thread()), b.mark)));
  }

  /// The lemma and what is known about the counts when a step is taken beside other threads.
  Term counts(const BlockStep& step, const std::vector<Standing>& others) const {
    if (counts_.empty() && counting_.lemma.op() == term::Operator::Boolean)
      return term::constant(true);
    Substitution names;
    std::vector<Term> parts;
    std::map<std::uint32_t, std::vector<Term>> elsewhere;  // of single threads not named
    for (const ThreadPoint& place : counts_) {
      const Term count = count_at(ThreadIndex(place.first), place.second);
      long here = place == from(step) ? 1 : 0;
      bool is_named = place.first == step.thread.value;
      for (const Standing& other : others) {
        here += place == other.place ? 1 : 0;
        is_named |= place.first == other.place.first;
      }
      if (is_replicated(place)) {
        parts.push_back(term::at_least(count, number(here)));
      } else if (is_named && std::ranges::count(counted_, place) > 0) {
        parts.push_back(term::equal(count, number(here)));
      } else if (is_named) {
        names.emplace(count.name(), number(here));
      } else {
        parts.push_back(term::at_least(count, number(0)));
        elsewhere[place.first].push_back(count);
      }
    }
    for (auto& [t, all] : elsewhere) parts.push_back(term::at_most(term::sum(all), number(1)));
    for (const VariableId v : lemma_locals_) {
      std::string mark;
      for (const Standing& other : others)
        if (variable(v).owner == other.thread()) mark = other.mark;
      if (!mark.empty()) names.emplace(variable(v).term.name(), marked(variable(v).term, mark));
      parts.push_back(in_range(variable(v), marked(variable(v).term, mark)));
    }
    parts.push_back(counting_.lemma);
    return term::substitute(term::conjunction(std::move(parts)), names);
  }

  Term count_after(const BlockStep& step, const ThreadPoint& place) const {
    long change = 0;
    if (place == from(step)) --change;
    if (place == to(step)) ++change;
    for (const Creation& creation : step.creations)
      if (place == entry_of(creation)) ++change;
    const Term count = count_at(ThreadIndex(place.first), place.second);
    return change == 0 ? count : term::sum({count, number(change)});
  }

  /// For a predicate about threads at these places.
  std::vector<Term> shared_after(const BlockStep& step,
                                 const std::vector<ThreadPoint>& places) const {
    std::vector<Term> out;
    if (needs_busy_)
      out.push_back(kind(to(step)) != PointInfo::Kind::Ordinary ? number(0)
                                                                : busy_at(step.thread, step.to));
    for (const VariableId v : program_.globals) out.push_back(after(step, v, ""));
    for (const ThreadPoint& place : counted(places)) out.push_back(count_after(step, place));
    return out;
  }

  std::vector<Term> locals_after(const BlockStep& step) const {
    std::vector<Term> out;
    for (const VariableId v : live(to(step))) out.push_back(after(step, v, ""));
    return out;
  }

  /// A thread after a step: where it stands, with its locals.
  struct Arrival {
    ThreadPoint place;
    std::vector<Term> locals;
  };

  void add(HornClause clause, const BlockStep& step, const Arrival& one) {
    std::vector<Term> arguments = shared_after(step, {one.place});
    arguments.insert(arguments.end(), one.locals.begin(), one.locals.end());
    clause.head = HornAtom{predicates_.at(one.place), std::move(arguments)};
    encoding_.system.clauses.push_back(std::move(clause));
  }

  /// For a pair, if there is one; at one place in both orders.
  void add(const HornClause& clause, const BlockStep& step, const Arrival& one,
           const Arrival& other) {
    if (other.place < one.place) return add(clause, step, other, one);
    const auto pair = pairs_.find({one.place, other.place});
    if (pair == pairs_.end()) return;
    const auto in_order = [&](const Arrival& a, const Arrival& b) {
      std::vector<Term> arguments = shared_after(step, {a.place, b.place});
      arguments.insert(arguments.end(), a.locals.begin(), a.locals.end());
      arguments.insert(arguments.end(), b.locals.begin(), b.locals.end());
      HornClause made = clause;
      made.head = HornAtom{pair->second, std::move(arguments)};
      encoding_.system.clauses.push_back(std::move(made));
    };
    in_order(one, other);
    if (one.place == other.place) in_order(other, one);
  }

  void own_step(const BlockStep& step) {
    if (kind(to(step)) == PointInfo::Kind::End && !is_followed_end(to(step))) return;
    HornClause made = clause(step, {});
    if (is_bad(kind(to(step))))
      encoding_.system.clauses.push_back(std::move(made));
    else
      add(std::move(made), step, {to(step), locals_after(step)});
  }

  /// The thread that a step creates, with what is known about its locals.
  Arrival created(const BlockStep& step, const Creation& creation, const std::string& mark,
                  const std::vector<Standing>& others, std::vector<Term>& parts) const {
    Arrival out{entry_of(creation), {}};
    const Thread& born = thread(creation.thread);
    for (const VariableId v : live(out.place)) {
      if (born.self == v)
        out.locals.push_back(fresh(step, v, mark, others, parts));
      else
        out.locals.push_back(given(creation, v, mark, parts));
    }
    return out;
  }

  /// A number that nobody has: not the creator, nor the others, nor the owner of a mutex.
  Term fresh(const BlockStep& step, VariableId self, const std::string& mark,
             const std::vector<Standing>& others, std::vector<Term>& parts) const {
    const Term made = marked(variable(self).term, mark);
    const auto differs = [&](const Term& number) {
      parts.push_back(term::negation(term::equal(number, made)));
    };
    parts.push_back(term::at_least(made, number(static_cast<long>(program_.threads.size()) + 1)));
    differs(self_of(program_, step.thread));
    for (const Standing& other : others)
      if (thread(other.thread()).self)
        differs(marked(self_of(program_, other.thread()), other.mark));
    for (const VariableId g : program_.globals)
      if (variable(g).kind == Variable::Kind::Owner) differs(variable(g).term);
    return made;
  }

  Term given(const Creation& creation, VariableId v, const std::string& mark,
             std::vector<Term>& parts) const {
    for (const Assignment& a : creation.locals)
      if (a.variable == v) return a.value;
    return initial(v, mark, parts);
  }

  void creations(const BlockStep& step) {
    for (const Creation& creation : step.creations) {
      HornClause made = clause(step, {});
      std::vector<Term> parts = {made.constraint};
      const Arrival born = created(step, creation, "!new", {}, parts);
      made.constraint = term::conjunction(std::move(parts));
      made.name += " creates " + thread(creation.thread).name;
      add(std::move(made), step, born);
    }
  }

  void interferences(const BlockStep& step) {
    if (!changes_globals(step)) return;
    for (const ThreadPoint& place : places_beside(step)) {
      const Standing other{place, "!o"};
      add(clause(step, {other}), step, {place, locals(other)});
    }
  }

  /// Where another thread may stand when a step is taken.
  std::vector<ThreadPoint> places_beside(const BlockStep& step) const {
    std::vector<ThreadPoint> out;
    for (const auto& [place, predicate] : predicates_)
      if (is_out(place) && may_be_beside(from(step), place)) out.push_back(place);
    return out;
  }

  /// Facts do not say when a thread may have ended.
  bool may_be_beside(const ThreadPoint& from, const ThreadPoint& place) const {
    return is_followed_end(place) ? may_be_two(from, place) : may_coexist(from, place);
  }

  bool is_followed_end(const ThreadPoint& place) const {
    return std::ranges::count(counting_.ends, std::pair(ThreadIndex(place.first), place.second)) >
           0;
  }

  void moved_pairs(const BlockStep& step) {
    if (kind(to(step)) != PointInfo::Kind::Ordinary) return;
    for (const ThreadPoint& place : places_beside(step)) {
      if (!pairs_.contains(std::minmax(to(step), place))) continue;
      const Standing other{place, "!o"};
      add(clause(step, {other}), step, {to(step), locals_after(step)}, {place, locals(other)});
    }
  }

  void created_pairs(const BlockStep& step) {
    for (std::size_t i = 0; i < step.creations.size(); ++i) {
      const Creation& creation = step.creations[i];
      const auto with_created = [&](const std::vector<Standing>& others, const auto& beside) {
        HornClause made = clause(step, others);
        std::vector<Term> parts = {made.constraint};
        const Arrival born = created(step, creation, "!new", others, parts);
        const Arrival second = beside(parts);
        made.constraint = term::conjunction(std::move(parts));
        add(made, step, born, second);
      };
      if (kind(to(step)) == PointInfo::Kind::Ordinary)
        with_created({}, [&](auto&) { return Arrival{to(step), locals_after(step)}; });
      for (const ThreadPoint& place : places_beside(step)) {
        const Standing other{place, "!o"};
        with_created({other}, [&](auto&) { return Arrival{place, locals(other)}; });
      }
      for (std::size_t j = 0; j < i; ++j)
        with_created({}, [&](std::vector<Term>& parts) {
          const Creation& earlier = step.creations[j];
          const Arrival out = created(step, earlier, "!new2", {}, parts);
          if (earlier.thread == creation.thread && thread(creation.thread).self) {
            const Term self = self_of(program_, creation.thread);
            parts.push_back(
                term::negation(term::equal(marked(self, "!new"), marked(self, "!new2"))));
          }
          return out;
        });
    }
  }

  template <class Action>
  void for_each_three(const BlockStep& step, const Action& action) const {
    if (!changes_globals(step)) return;
    for (const auto& [places, predicate] : pairs_) {
      const auto& [a, b] = places;
      if (!is_out(a) || !is_out(b)) continue;
      if (!may_be_two(a, from(step)) || !may_be_two(b, from(step))) continue;
      if (may_coexist(from(step), a) && may_coexist(from(step), b)) action(a, b);
    }
  }

  std::size_t clauses_about_three() const {
    std::size_t out = 0;
    for_each_step([&](const BlockStep& step) {
      for_each_three(step, [&](const ThreadPoint&, const ThreadPoint&) { ++out; });
    });
    return out;
  }

  void interferences_with_pairs(const BlockStep& step) {
    for_each_three(step, [&](const ThreadPoint& a, const ThreadPoint& b) {
      const Standing one{a, "!o"}, other{b, "!p"};
      HornClause made = clause(step, {one, other});
      std::vector<Term> arguments = shared_after(step, {a, b});
      for (const Standing& standing : {one, other})
        for (const Term& value : locals(standing)) arguments.push_back(value);
      made.head = HornAtom{pairs_.at({a, b}), std::move(arguments)};
      encoding_.system.clauses.push_back(std::move(made));
    });
  }

  bool changes_globals(const BlockStep& step) const {
    for (const ThreadPoint& place : counted_)
      if (count_after(step, place).op() != term::Operator::Variable) return true;
    if (needs_busy_ &&
        busy_at(step.thread, step.from).integer() != (kind(to(step)) == PointInfo::Kind::Ordinary
                                                          ? busy_at(step.thread, step.to).integer()
                                                          : base::Integer(0)))
      return true;
    return std::ranges::any_of(step.assignments,
                               [&](const Assignment& a) { return !variable(a.variable).owner; });
  }

  Term busy_;
  Counting counting_;
  std::vector<ThreadPoint> counts_, counted_;  ///< all that occur; those that are parameters
  std::vector<VariableId> lemma_locals_;
  Encoding encoding_;
  std::map<ThreadPoint, HornPredicate> predicates_;
  std::map<std::pair<ThreadPoint, ThreadPoint>, HornPredicate> pairs_;  ///< the smaller place first
};

}  // namespace

Encoding encode_modular(const Prepared& prepared, const Counting& counting) {
  return Modular(prepared, counting).run();
}

std::optional<Encoding> encode_pairs(const Prepared& prepared, const Counting& counting,
                                     std::size_t limit) {
  return Modular(prepared, counting).run_with_pairs(limit);
}

}  // namespace heddle::engine::compositional
