#include "transform/threads_to_net.hpp"

#include <map>

#include "base/invariant.hpp"
#include "transform/back_translator.hpp"
#include "transform/basis_of_threads.hpp"
#include "transform/trace_of_threads.hpp"

/// A configuration (s, c) is encoded as the marking e(s, c): one token in s's place, c(l) tokens in
/// l's place, none elsewhere. For a step s l → s' l', let dest(y) be where passive threads in y go.
/// If every source has one target, the step is one affine transition: it needs and moves the
/// control token from s to s', needs a token in l, and each local state x becomes
///
///     x' = Σ of y over dest(y) = x,  − 1 if dest(l) = x (the active thread is not passive),
///          + 1 if l' = x.
///
/// A spawn has no −1, a transfer neither ±1 nor the need for l.
///
/// Where threads choose among several targets, no affine update does it, but three kinds of
/// transitions do. Begin is as above, except that the threads of a choosing source y go to an
/// auxiliary place c(y) with c(y)' = y, what was left there before being lost, and the control
/// token goes to a place of the step's own. While it is there, Choose moves one token from c(y) to
/// one of y's targets. End moves the control token to s'.
///
/// Claim: (s, c) is coverable iff e(s, c) is.
///   ⇒ Every step is a sequence of these transitions from e(s, c) to e(s', c'), in which all
///     threads choose.
///   ⇐ Every marking of a run with its control token in a shared state's place has, apart from the
///     auxiliary places, at most as many tokens as some reachable configuration has threads. By
///     induction: at End, those who have not chosen are lost for good (the next Begin empties their
///     place, and only Choose takes from it, which Begin precedes); let them choose anything.
///     More threads never disable a step and can be carried along, as thread systems are monotone.
///
/// The way back. A trace is replayed on the thread system, with what the net lost along: threads
/// without a recorded choice take the first. A basis U of the net: V = {(s, c) | e(s, c) ∈ U}. It
/// is upward closed, contains the targets, spares the initial configurations, and if (s, c) → (s',
/// c') ∈ V then e(s, c) →* e(s', c') ∈ U, so (s, c) ∈ V: a basis as it stands. Invariants of the
/// net are dealt with in basis_of_threads.cpp.

namespace heddle::transform {

namespace {

using model::LocalState;
using model::PlaceId;
using model::SharedState;
using model::StepKind;
using model::ThreadTransition;

/// place' = Σ sources + constant, while it is being put together.
struct Row {
  std::map<PlaceId, unsigned> sources;
  int constant = 0;
};

using Rows = std::map<PlaceId, Row>;

std::map<LocalState, std::vector<LocalState>> passive_moves(const ThreadTransition& t) {
  if (t.kind == StepKind::Transfer) return {{t.source.local, {t.target.local}}};
  std::map<LocalState, std::vector<LocalState>> targets;
  for (const model::PassiveMove& move : t.passive) targets[move.from].push_back(move.to);
  return targets;
}

/// The row of a place that keeps its tokens unless something is said about it.
Row& keeping(Rows& rows, PlaceId place) {
  const auto [it, added] = rows.try_emplace(place);
  if (added) it->second.sources[place] = 1;
  return it->second;
}

std::vector<model::PlaceUpdate> updates_of(const Rows& rows) {
  std::vector<model::PlaceUpdate> updates;
  for (const auto& [place, row] : rows) {
    model::PlaceUpdate update{place, {}, row.constant};
    for (const auto& [source, weight] : row.sources) update.sources.push_back({source, weight});
    if (!update.is_shift() || row.constant != 0) updates.push_back(std::move(update));
  }
  return updates;
}

class NetBuilder {
 public:
  explicit NetBuilder(const model::ThreadSystem& system) : system_(system) {
    out_.local_count = system.local_count;
    out_.shared_count = system.shared_count;
    for (std::uint32_t l = 0; l < system.local_count; ++l)
      net_.places.push_back("l" + std::to_string(l));
    for (std::uint32_t s = 0; s < system.shared_count; ++s) {
      out_.control.push_back(out_.place_of(SharedState(s)));
      net_.places.push_back("s" + std::to_string(s));
    }
    for (std::size_t t = 0; t < system.transitions.size(); ++t) add(model::TransitionId(t));
  }

  ThreadsAsNet finish(const model::CountingQuestion& question) {
    model::CountingQuestion asked = question;
    for (model::Region& region : asked.initial) move_control(region, 1);
    for (model::Region& region : asked.targets) move_control(region, std::nullopt);
    std::vector<model::WeightedPlace> one_control_token;
    for (const PlaceId place : out_.control) one_control_token.push_back({place, 1});
    net_.claimed_invariants.push_back(std::move(one_control_token));
    out_.translated = {std::move(net_), std::move(asked)};
    return std::move(out_);
  }

 private:
  void move_control(model::Region& region, const std::optional<base::Integer>& upper) const {
    region.bounds.push_back({out_.place_of(region.shared), 1, upper});
    region.shared = SharedState(0u);
  }

  PlaceId add_place(const std::string& name) {
    net_.places.push_back(name);
    return PlaceId(net_.places.size() - 1);
  }

  /// Where the threads in a local state wait that choose among several targets.
  PlaceId choosing(LocalState local) {
    const auto [it, added] = choosing_.try_emplace(local);
    if (added) it->second = add_place("c" + std::to_string(local.value));
    return it->second;
  }

  void append(const model::Counts& needs, const Rows& rows, NetStepOrigin origin) {
    model::PetriTransition t;
    for (const auto& [place, amount] : needs.entries())
      t.guard.push_back({place, amount, std::nullopt});
    t.updates = updates_of(rows);
    const ThreadTransition& step = system_.transitions[origin.of.index()];
    if (origin.part == NetStepOrigin::Part::Whole || origin.part == NetStepOrigin::Part::Begin)
      t.note = step.note;
    net_.transitions.push_back(std::move(t));
    out_.origins.push_back(origin);
  }

  static void move_token(Rows& rows, PlaceId from, PlaceId to) {
    --keeping(rows, from).constant;
    ++keeping(rows, to).constant;
  }

  void add(model::TransitionId id) {
    using Part = NetStepOrigin::Part;
    const ThreadTransition& t = system_.transitions[id.index()];
    const auto passive = passive_moves(t);
    std::vector<model::PassiveMove> choices;
    Rows rows = local_rows(t, passive, choices);
    const PlaceId from = out_.place_of(t.source.shared);
    const PlaceId to = out_.place_of(t.target.shared);
    model::Counts needs{{from, 1}};
    if (t.kind != StepKind::Transfer) needs.add(t.source.local, 1);
    if (choices.empty()) {
      move_token(rows, from, to);
      return append(needs, rows, {Part::Whole, id, {}});
    }
    const PlaceId between = add_place("t" + std::to_string(id.value));
    out_.control.push_back(between);
    move_token(rows, from, between);
    append(needs, rows, {Part::Begin, id, {}});
    for (const model::PassiveMove& choice : choices) {
      Rows chosen;
      move_token(chosen, choosing(choice.from), choice.to);
      append({{choosing(choice.from), 1}, {between, 1}}, chosen, {Part::Choose, id, choice});
    }
    Rows end;
    move_token(end, between, to);
    append({{between, 1}}, end, {Part::End, id, {}});
  }

  /// What becomes of the local states; threads that choose are set aside and listed.
  Rows local_rows(const ThreadTransition& t,
                  const std::map<LocalState, std::vector<LocalState>>& passive,
                  std::vector<model::PassiveMove>& choices) {
    Rows rows;
    for (const auto& [source, targets] : passive) keeping(rows, source).sources.erase(source);
    PlaceId left_by_active = t.source.local;
    for (const auto& [source, targets] : passive) {
      const bool chooses = targets.size() > 1;
      const PlaceId to = chooses ? choosing(source) : targets.front();
      Row& row = chooses ? rows[to] : keeping(rows, to);
      row.sources[source] = 1;
      if (source == t.source.local) left_by_active = to;
      for (const LocalState target : targets)
        if (chooses) choices.push_back({source, target});
    }
    if (t.kind == StepKind::Move) --keeping(rows, left_by_active).constant;
    if (t.kind != StepKind::Transfer) ++keeping(rows, t.target.local).constant;
    return rows;
  }

  const model::ThreadSystem& system_;
  model::PetriNet net_;
  ThreadsAsNet out_;
  std::map<LocalState, PlaceId> choosing_;
};

}  // namespace

ThreadsAsNet threads_to_net(const model::ThreadTask& task) {
  return NetBuilder(task.model).finish(task.question);
}

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

struct BackToThreads : BackTranslator {
  using BackTranslator::operator();
  const model::ThreadSystem& system;
  const ThreadsAsNet& translation;

  Verdict operator()(const answer::Unsafe& unsafe) const {
    return answer::Unsafe{
        trace_of_threads(system, translation, std::get<answer::Trace>(unsafe.trace))};
  }

  Verdict operator()(const answer::Safe& safe) const {
    const auto* of_net = std::get_if<answer::BackwardBasis>(&safe.certificate);
    if (!of_net)
      return Unknown{UnknownReason::Unsupported,
                     "the proof about the translated model says nothing about the thread system"};
    auto basis = basis_of_threads(translation, *of_net);
    if (!basis) return Unknown{UnknownReason::Unsupported, std::move(basis.error())};
    return answer::Safe{std::move(*basis)};
  }
};

}  // namespace

Verdict translate_back(const model::ThreadSystem& original, const ThreadsAsNet& translation,
                       const Verdict& verdict) {
  return std::visit(BackToThreads{{"the thread system"}, original, translation}, verdict);
}

}  // namespace heddle::transform
