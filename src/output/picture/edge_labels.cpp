#include "output/picture/edge_labels.hpp"

namespace heddle::output::picture {

namespace {

constexpr std::size_t kMostLabelled = 2;

std::string number(auto id) { return std::to_string(id.value); }

}  // namespace

std::string edge_class(const model::ThreadTransition& t) {
  switch (t.kind) {
    case model::StepKind::Spawn: return "edge spawn";
    case model::StepKind::Transfer: return "edge transfer";
    case model::StepKind::Move: break;
  }
  return t.passive.empty() ? "edge" : "edge passive";
}

std::string edge_title(const model::ThreadTransition& t) {
  const std::string arrow = t.kind == model::StepKind::Move    ? " -> "
                            : t.kind == model::StepKind::Spawn ? " +> "
                                                               : " ~> ";
  std::string out = number(t.source.shared) + " " + number(t.source.local) + arrow +
                    number(t.target.shared) + " " + number(t.target.local);
  for (const model::PassiveMove& move : t.passive)
    out += "  " + number(move.from) + " ~> " + number(move.to);
  if (t.line != 0) out += "\nline " + std::to_string(t.line);
  if (!t.note.empty()) out += "\n" + t.note;
  return out;
}

std::string passive_label(const model::ThreadTransition& t) {
  std::string out;
  for (std::size_t i = 0; i < t.passive.size() && i < kMostLabelled; ++i)
    out += (i == 0 ? "" : " ") + number(t.passive[i].from) + "~>" + number(t.passive[i].to);
  return t.passive.size() > kMostLabelled ? out + " …" : out;
}

}  // namespace heddle::output::picture
