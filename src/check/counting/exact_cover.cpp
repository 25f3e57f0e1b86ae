/// Configurations that contain the initial ones and no target, with all their successors: then no
/// target can be reached, whatever bounds guards and targets have. That is for models with finitely
/// many reachable configurations and for questions that are not about covering. Steps are those of
/// the model itself; they must have a constant effect, so that there is one successor at most.
///
/// As with covers, enough successors will do: those by a stubborn set of transitions
/// (stubborn_condition.cpp), if guards have no upper bounds.

#include "check/counting/exact_cover.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "check/counting/stubborn_condition.hpp"
#include "check/proof.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using model::Configuration;

class ExactCheck {
 public:
  ExactCheck(const model::CountingTask& task, const answer::ForwardCover& cover,
             base::RunContext& context)
      : task_(task),
        cover_(cover),
        context_(context),
        condition_(task, StubbornCondition::About::Exact) {}

  Problem well_formed() {
    for (const answer::OmegaConfiguration& element : cover_.maximal) {
      Configuration configuration{element.shared, element.counts};
      if (const auto found = mismatch(task_.model, configuration))
        return refuted("the cover names " + *found);
      if (!element.unbounded.empty()) return refuted("any number of tokens is not exact");
      elements_.insert(std::move(configuration));
    }
    return std::nullopt;
  }

  Problem keeps_to_its_scope() const {
    for (std::uint32_t i = 0; i < model::transition_count(task_.model); ++i)
      if (!model::has_constant_effect(task_.model, model::TransitionId(i)))
        return refuted("transition " + std::to_string(i) + " has no constant effect");
    return std::nullopt;
  }

  Problem contains_beginning() const {
    for (const model::Region& region : task_.question.initial) {
      const bool is_single = std::ranges::all_of(
          region.bounds, [](const auto& bound) { return bound.upper == bound.lower; });
      if (!is_single || !elements_.contains(model::least_element(region)))
        return refuted("the set does not contain the initial region " +
                       model::initial_to_string(task_.model, region));
    }
    return std::nullopt;
  }

  Problem is_closed() {
    std::vector<bool> followed(model::transition_count(task_.model));
    for (const Configuration& element : elements_) {
      std::size_t left_out = 0;
      for (std::uint32_t i = 0; i < followed.size(); ++i) {
        if (const Problem problem = count_step(context_)) return problem;
        const auto after = model::step(task_.model, element, model::TransitionId(i), {});
        followed[i] = !after || elements_.contains(*after);
        left_out += followed[i] ? 0 : 1;
      }
      if (left_out > 0 && !is_enough(element, followed))
        return refuted("a step leads from " + model::to_string(task_.model, element) +
                       " out of the set");
    }
    return std::nullopt;
  }

  Problem excludes_end() const {
    for (const model::Region& target : task_.question.targets)
      for (const Configuration& element : elements_)
        if (model::target_region_contains(target, element))
          return refuted("the set contains a target");
    return std::nullopt;
  }

  std::string confirmation() const {
    return std::string("the set contains every initial state, no target, and ") +
           (is_reduced_ ? "the successors by stubborn sets of transitions" : "all its successors") +
           " (" + base::counted(elements_.size(), "configuration") + ")";
  }

 private:
  bool is_enough(const Configuration& element, const std::vector<bool>& followed) {
    if (!condition_.applies()) return false;
    is_reduced_ = true;
    static const base::Integer kNone = 0;
    const auto value = [&](std::uint32_t counter) {
      const auto& entries = element.counts.entries();
      const auto it = std::ranges::lower_bound(entries, model::Counter(counter), {},
                                               [](const auto& entry) { return entry.first; });
      return it != entries.end() && it->first == model::Counter(counter) ? &it->second : &kNone;
    };
    return condition_.holds(element.shared, value, followed);
  }

  const model::CountingTask& task_;
  const answer::ForwardCover& cover_;
  base::RunContext& context_;
  StubbornCondition condition_;
  std::set<Configuration> elements_;
  bool is_reduced_ = false;
};

}  // namespace

answer::CheckResult check_exactly(const model::CountingTask& task,
                                  const answer::ForwardCover& cover, base::RunContext& context) {
  return prove(ExactCheck(task, cover, context));
}

}  // namespace heddle::check
