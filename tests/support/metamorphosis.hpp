#pragma once

/// Changes of a task that must not change its verdict.

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// More shared variables, and local ones of main (of all procedures, if there is no main), before
/// those of the program: all are 0, and nobody looks at them.
model::BooleanProgram widen(model::BooleanProgram program, std::size_t more);

struct Metamorphosis {
  std::string_view name;
  /// The same task if there is nothing to change.
  std::function<model::AnyTask(const model::AnyTask&, Random&)> change;
};

/// The row of a change that is written for one kind of model.
template <class Model>
Metamorphosis metamorphosis(std::string_view name,
                            model::Task<Model> (*change)(const model::Task<Model>&, Random&)) {
  return {name, [change](const model::AnyTask& task, Random& random) -> model::AnyTask {
            return change(std::get<model::Task<Model>>(task), random);
          }};
}

/// All that there are for models of this kind. A new kind does not compile without its own.
std::vector<Metamorphosis> metamorphoses(const model::AnyTask& task);

std::vector<Metamorphosis> program_metamorphoses();
std::vector<Metamorphosis> pushdown_metamorphoses();

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random.below(static_cast<unsigned>(i))]);
}

/// A permutation of 0, …, n − 1.
std::vector<unsigned> random_permutation(std::size_t n, Random& random);

}  // namespace heddle::test
