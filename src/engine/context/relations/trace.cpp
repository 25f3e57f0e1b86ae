/// From a failure to a run: first the shared states between turns, thread by thread along the
/// chains of rounds.cpp, then each thread's own steps, then all of them round by round.

#include "engine/context/relations/path_finder.hpp"
#include "engine/context/relations/rounds.hpp"

namespace heddle::engine::context {

using model::boolean::State;

namespace {

class RunBuilder {
 public:
  explicit RunBuilder(const Rounds& rounds)
      : rounds_(rounds),
        system_(rounds.system()),
        words_(rounds.system()),
        failed_(rounds.failure()->thread),
        interfaces_(rounds.thread_count()) {}

  answer::ProgramRun build() {
    find_failed_interface();
    for (std::size_t j = failed_; j-- > 0;) find_earlier(j);
    for (std::size_t j = failed_ + 1; j < interfaces_.size(); ++j) find_later(j);
    for (std::size_t j = 0; j < interfaces_.size(); ++j) {
      const PathFinder finder(system_, rounds_.analysis(j), interfaces_[j]);
      moves_.push_back(j == failed_ ? finder.to_failure(rounds_.round()) : finder.to_effect());
    }
    return merge();
  }

 private:
  Bdd cubes(Family family, const std::vector<Valuation>& values) const {
    Bdd out = system_.space().constant(true);
    for (std::uint32_t i = 0; i < values.size(); ++i) out &= words_.cube(family, i + 1, values[i]);
    return out;
  }

  std::vector<Valuation> read(const std::vector<bool>& picked, Family family,
                              std::uint32_t rounds) const {
    std::vector<Valuation> out;
    for (std::uint32_t i = 1; i <= rounds; ++i) out.push_back(words_.read(picked, family, i));
    return out;
  }

  void find_failed_interface() {
    const auto picked = system_.space().pick(rounds_.failure()->interfaces &
                                             rounds_.before()[failed_] & rounds_.after()[failed_]);
    first_ = read(picked, Family::First, rounds_.round());
    interfaces_[failed_] = {read(picked, Family::Input, rounds_.round()),
                            read(picked, Family::Output, rounds_.round() - 1)};
  }

  void find_earlier(std::size_t j) {
    interfaces_[j].outputs = interfaces_[j + 1].inputs;
    const auto picked = system_.space().pick(rounds_.before()[j] & cubes(Family::First, first_) &
                                             rounds_.effect(j, rounds_.round()) &
                                             cubes(Family::Output, interfaces_[j].outputs));
    interfaces_[j].inputs = read(picked, Family::Input, rounds_.round());
  }

  void find_later(std::size_t j) {
    interfaces_[j].inputs = interfaces_[j - 1].outputs;
    const auto picked = system_.space().pick(cubes(Family::Input, interfaces_[j].inputs) &
                                             rounds_.effect(j, rounds_.round() - 1) &
                                             rounds_.after()[j] & cubes(Family::First, first_));
    interfaces_[j].outputs = read(picked, Family::Output, rounds_.round() - 1);
  }

  answer::ProgramRun merge() const {
    answer::ProgramRun run;
    run.keeps_calls = true;
    run.initial.shared = first_.front();
    for (std::size_t j = 0; j < rounds_.thread_count(); ++j)
      run.initial.threads.push_back({rounds_.start(j), 0});
    for (std::uint32_t round = 1; round <= rounds_.round(); ++round)
      for (std::uint32_t j = 0; j < moves_.size(); ++j)
        for (const Move& move : moves_[j])
          if (move.round == round)
            run.steps.push_back(
                {j, rounds_.own_edge(j, move.edge), move.outcome, std::nullopt, {}});
    return run;
  }

  const Rounds& rounds_;
  const System& system_;
  Words words_;
  std::size_t failed_;
  std::vector<Interface> interfaces_;
  std::vector<Valuation> first_;  ///< when rounds begin
  std::vector<std::vector<Move>> moves_;
};

}  // namespace

answer::ProgramRun run_of(const Rounds& rounds) { return RunBuilder(rounds).build(); }

}  // namespace heddle::engine::context
