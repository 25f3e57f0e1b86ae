#include "model/task.hpp"

namespace heddle::model {

std::string kind_name(const AnyKind& kind) {
  return std::visit([]<class Model>(Tag<Model>) { return std::string(Kind<Model>::kName); }, kind);
}

std::string kind_name(const AnyTask& task) { return kind_name(kind_of(task)); }

AnyKind kind_of(const AnyTask& task) {
  return std::visit([]<class Model>(const Task<Model>&) -> AnyKind { return Tag<Model>(); }, task);
}

std::optional<AnyKind> find_kind(std::string_view name) {
  std::optional<AnyKind> found;
  base::for_each_type(Kinds(), [&]<class Model>() {
    if (Kind<Model>::kName == name) found = Tag<Model>();
  });
  return found;
}

AnyQuestion question_of(const AnyTask& task) {
  return std::visit(
      []<class Model>(const Task<Model>& typed) -> AnyQuestion { return typed.question; }, task);
}

const std::optional<std::uint32_t>& contexts_of(const AnyTask& task) {
  return std::visit(
      []<class Model>(const Task<Model>& typed) -> const std::optional<std::uint32_t>& {
        return typed.question.contexts;
      },
      task);
}

}  // namespace heddle::model
