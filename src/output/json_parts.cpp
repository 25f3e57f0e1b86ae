#include "output/json_parts.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "output/words.hpp"

namespace heddle::output {

using nlohmann::ordered_json;

ordered_json text_or_null(std::string_view text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json figure(double value) {
  const double whole = std::round(value);
  if (whole == value && std::abs(value) < 0x1p53) return static_cast<std::int64_t>(whole);
  return std::round(value * 1000) / 1000;
}

ordered_json question_json(const model::AnyTask& task, const Asked& asked) {
  const auto& contexts = model::contexts_of(task);
  return {{"file", asked.file},
          {"format", text_or_null(asked.format)},
          {"model", text_or_null(asked.format.empty() ? "" : model::kind_name(task))},
          {"targets", target_texts(task)},
          {"targets_from", asked.targets_from},
          {"initial", initial_texts(task)},
          {"initial_from", asked.initial_from},
          {"contexts", contexts ? ordered_json(*contexts) : ordered_json(nullptr)},
          {"relaxed", asked.relaxed}};
}

ordered_json warnings_json(const base::Diagnostics& warnings) {
  const auto place = [](std::uint32_t number) {
    return number == 0 ? ordered_json(nullptr) : ordered_json(number);
  };
  ordered_json list = ordered_json::array();
  for (const base::Diagnostic& warning : warnings)
    list.push_back({{"file", warning.location.file},
                    {"line", place(warning.location.line)},
                    {"column", place(warning.location.column)},
                    {"message", warning.message},
                    {"hint", text_or_null(warning.hint)}});
  return list;
}

ordered_json statistics_json(const base::Statistics& statistics) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : statistics.entries()) object[name] = figure(value);
  return object;
}

}  // namespace heddle::output
