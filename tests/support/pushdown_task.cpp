#include "support/pushdown_task.hpp"

#include <stdexcept>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::test {

model::Task pushdown_task(const std::string& text, const std::string& initial,
                          const std::string& target) {
  auto file = frontend::find_format("pds")->parse({"test", text});
  if (!file) throw std::invalid_argument(base::render(file.error()));
  model::Task task{std::move(file->model), {}};
  task.question.initial = frontend::parse_initial(task.model, {"initial", initial}).value();
  task.question.targets = frontend::parse_targets(task.model, {"target", target}).value();
  return task;
}

}  // namespace heddle::test
