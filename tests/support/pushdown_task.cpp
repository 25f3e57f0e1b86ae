#include "support/pushdown_task.hpp"

#include <stdexcept>

#include "base/diagnostic.hpp"
#include "frontend/notation.hpp"
#include "frontend/pushdown/format.hpp"

namespace heddle::test {

model::PushdownTask pushdown_task(const std::string& text, const std::string& initial,
                                  const std::string& target) {
  using Notation = frontend::Notation<model::PushdownSystem>;
  auto file = frontend::pushdown::parse({"test", text});
  if (!file) throw std::invalid_argument(base::render(file.error()));
  model::PushdownTask task{std::move(file->model), {}};
  task.question.initial = Notation::parse_initial(task.model, {"initial", initial}).value();
  task.question.targets = Notation::parse_targets(task.model, {"target", target}).value();
  return task;
}

}  // namespace heddle::test
