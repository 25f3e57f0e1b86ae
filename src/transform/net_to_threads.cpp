#include "transform/net_to_threads.hpp"

#include <algorithm>

#include "base/invariant.hpp"
#include "transform/back_translator.hpp"
#include "transform/rule_name.hpp"
#include "transform/token_chain.hpp"

/// The thread system has one local state per place and one more, the pool; any number of threads
/// start in the pool. Shared state 0 is the base. A transition is a chain of steps
/// (token_chain.hpp) from the base through shared states of its own and back to the base. Write (m,
/// k) for the configuration in the base with marking m and k threads in the pool.
///
/// Claim: a net run m →* n exists iff a thread run (m, k) →* (n, k') exists for some k, k'.
///   ⇒ Each transition's chain can be taken if the pool holds enough threads, and every k will do
///     that is at least what the whole run puts; k only shifts what is in the pool.
///   ⇐ A chain can only be left at its end, so a run from base to base is a sequence of whole
///     chains, and a chain that was taken proves that its transition was enabled.
/// Initial markings m are the initial configurations (m, k), k arbitrary, and a target t is asked
/// for as (t, 0). So a target is coverable here iff it is there.
///
/// The way back. A trace: a sequence of whole chains is the sequence of their transitions, so every
/// last step of a chain becomes its transition and the other steps disappear; in a repeated block,
/// too, even if it begins in the middle of a chain.
///
/// A basis U of the thread system: V = {m | (m, k) ∈ U for some k}, whose basis are U's elements in
/// the base without their pool. V is upward closed, contains the targets, and contains no initial
/// marking m, for else U would contain the initial configuration (m, k). If m → n ∈ V with
/// (n, k) ∈ U, then (m, k + K) →* (n, k') with k' ≥ k for a large K; so (n, k') ∈ U, U is closed
/// under predecessors, (m, k + K) ∈ U, and m ∈ V. So V is a basis on the net as it stands.
///
/// If U is closed only relative to closed thread states I: let W be the markings m with a token in
/// a place p such that (base, p) ∉ I. A step m → n ∈ W has m ∈ W, since its chain keeps I; and W
/// has no initial marking, since I holds there. The argument above gives m ∈ V or m ∈ W. Hence V ∪
/// W is closed without any invariant, and W's basis are the single tokens in those places.

namespace heddle::transform {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using model::Configuration;
using model::LocalState;
using model::SharedState;

const SharedState kBase(0u);

std::string note_of(const model::PetriTransition& rule) {
  const bool both = !rule.name.empty() && !rule.note.empty();
  return rule.name + (both ? "\n" : "") + rule.note;
}

class ThreadSystemBuilder {
 public:
  explicit ThreadSystemBuilder(const model::PetriNet& net)
      : net_(net), pool_(static_cast<std::uint32_t>(net.places.size())) {
    system_.local_count = pool_.value + 1;
    system_.local_names = net.places;
    system_.local_names.push_back("pool");
  }

  std::expected<void, std::string> add(std::size_t index) {
    const model::PetriTransition& rule = net_.transitions[index];
    const auto chain = token_chain(net_, rule, pool_);
    if (!chain) return std::unexpected(rule_name(rule, index) + ": " + chain.error());
    if (system_.transitions.size() + chain->size() > kMostSteps)
      return std::unexpected(rule_name(rule, index) + ": more than " + std::to_string(kMostSteps) +
                             " steps in all");
    for (std::size_t i = 0; i < chain->size(); ++i)
      append((*chain)[i], i == 0, i + 1 == chain->size(), rule, model::TransitionId(index));
    return {};
  }

  NetAsThreads finish(const model::CountingQuestion& question) {
    model::CountingQuestion asked = question;
    for (model::Region& region : asked.initial) region.bounds.push_back({pool_, 0, std::nullopt});
    return {{std::move(system_), std::move(asked)}, std::move(completes_)};
  }

 private:
  void append(const ChainStep& step, bool first, bool last, const model::PetriTransition& rule,
              model::TransitionId id) {
    const SharedState from = first ? kBase : SharedState(system_.shared_count - 1);
    if (!last) ++system_.shared_count;
    const SharedState to = last ? kBase : SharedState(system_.shared_count - 1);
    model::ThreadTransition t;
    t.source = {from, step.from};
    t.target = {to, step.to};
    t.passive = step.passive;
    if (first) t.note = note_of(rule);
    system_.transitions.push_back(std::move(t));
    completes_.push_back(last ? std::optional(id) : std::nullopt);
  }

  const model::PetriNet& net_;
  LocalState pool_;
  model::ThreadSystem system_;
  std::vector<std::optional<model::TransitionId>> completes_;
};

Configuration without_pool(const NetAsThreads& translation, Configuration configuration) {
  configuration.counts.set(translation.pool(), 0);
  return configuration;
}

/// The basis elements of W (see above).
void add_excluded(const NetAsThreads& translation, const answer::ClosedThreadStates& closed,
                  std::vector<Configuration>& minimal) {
  const auto lacks = [&](LocalState local) {
    return !std::ranges::binary_search(closed.states, model::ThreadState{kBase, local});
  };
  if (!std::ranges::binary_search(closed.shared, kBase)) minimal.push_back({kBase, {}});
  for (LocalState place(0u); place < translation.pool(); ++place.value)
    if (lacks(place)) minimal.push_back({kBase, {{place, 1}}});
}

struct BackToNet : BackTranslator {
  using BackTranslator::operator();
  const NetAsThreads& translation;

  Verdict operator()(const answer::Unsafe& unsafe) const {
    const auto& given = std::get<answer::Trace>(unsafe.trace);
    answer::Trace trace{without_pool(translation, given.initial), {}};
    for (const answer::TraceBlock& block : given.blocks) {
      answer::TraceBlock whole{block.repetitions, {}};
      for (const answer::TraceStep& step : block.body)
        if (const auto done = translation.completes.at(step.transition.index()))
          whole.body.push_back({*done, {}, std::nullopt, {}});
      if (!whole.body.empty()) trace.blocks.push_back(std::move(whole));
    }
    return answer::Unsafe{std::move(trace)};
  }

  Verdict operator()(const answer::Safe& safe) const {
    return std::visit([&](const auto& certificate) { return of_certificate(certificate); },
                      safe.certificate);
  }

  /// A set of closed thread states proves what an empty basis relative to it does.
  Verdict of_certificate(const answer::ClosedThreadStates& closed) const {
    return of_certificate(answer::BackwardBasis{{}, {closed}});
  }

  Verdict of_certificate(const answer::PathwiseProof&) const {
    return Unknown{UnknownReason::Unsupported,
                   "a proof by paths of the translated model says nothing about the net"};
  }

  /// A step of the net is a sequence of steps between configurations of the base.
  Verdict of_certificate(const answer::ForwardCover& cover) const {
    answer::ForwardCover found;
    for (answer::OmegaConfiguration element : cover.maximal) {
      if (element.shared != kBase) continue;
      element.counts.set(translation.pool(), 0);
      std::erase(element.unbounded, translation.pool());
      found.maximal.push_back(std::move(element));
    }
    return answer::Safe{std::move(found)};
  }

  template <class OfAnotherModel>
  Verdict of_certificate(const OfAnotherModel&) const {
    return Unknown{UnknownReason::Unsupported,
                   "a proof about a model of another kind says nothing about the net"};
  }

  Verdict of_certificate(const answer::BackwardBasis& basis) const {
    answer::BackwardBasis found;
    for (const Configuration& element : basis.minimal)
      if (element.shared == kBase) found.minimal.push_back(without_pool(translation, element));
    for (const answer::Invariant& invariant : basis.relative_to) {
      const auto* closed = std::get_if<answer::ClosedThreadStates>(&invariant);
      if (!closed)
        return Unknown{UnknownReason::Unsupported,
                       "the proof leans on an invariant of the translated model that says nothing "
                       "about the net"};
      add_excluded(translation, *closed, found.minimal);
    }
    std::sort(found.minimal.begin(), found.minimal.end());
    const auto repeated = std::ranges::unique(found.minimal);
    found.minimal.erase(repeated.begin(), repeated.end());
    return answer::Safe{std::move(found)};
  }
};

}  // namespace

std::expected<NetAsThreads, std::string> net_to_threads(const model::NetTask& task) {
  const model::PetriNet* net = &task.model;
  const auto& targets = task.question.targets;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!model::is_upward_closed(targets[i]))
      return std::unexpected("target " + std::to_string(i + 1) + ": it has an upper bound");
  ThreadSystemBuilder builder(*net);
  for (std::size_t i = 0; i < net->transitions.size(); ++i)
    if (auto added = builder.add(i); !added) return std::unexpected(std::move(added.error()));
  return builder.finish(task.question);
}

Verdict translate_back(const NetAsThreads& translation, const Verdict& verdict) {
  return std::visit(BackToNet{{"the net"}, translation}, verdict);
}

}  // namespace heddle::transform
