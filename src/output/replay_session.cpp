#include "output/replay_session.hpp"

#include <algorithm>

#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using base::Integer;

constexpr std::size_t kListedAround = 3;
constexpr const char* kMargin = "      ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

ReplaySession::ReplaySession(const model::AnyTask& task, const answer::AnyRun& run, Blocks blocks,
                             Style style, std::span<const SourceFile> sources)
    : tape_(make_tape(task, run, blocks, sources)), style_(style) {}

std::string ReplaySession::help() const {
  return "  n, space, →     forward            p, ←     backward\n"
         "  g N             to step N          g end    to the end\n"
         "  w STATE         watch a state; the same again stops that\n"
         "                  (" +
         tape_->watchable() +
         ")\n"
         "  c               forward until a watched state changes\n"
         "  l               the steps around this one\n"
         "  h help          q quit\n";
}

std::string ReplaySession::greeting() const {
  return counted(tape_->steps(), "step") + "; start  " + tape_->state() + "\n";
}

std::string ReplaySession::respond(std::string_view command) {
  command = trimmed(command);
  const std::size_t space = std::min(command.find(' '), command.size());
  const std::string_view word = command.substr(0, space);
  const std::string_view argument = trimmed(command.substr(space));
  if (word.empty() || word == "n") return forward();
  if (word == "p") return backward();
  if (word == "g") return jump(argument);
  if (word == "w") return watch(argument);
  if (word == "c") return continue_to_change();
  if (word == "l") return around();
  if (word == "h" || word == "help" || word == "?") return help();
  if (word != "q") return "there is no command '" + std::string(word) + "' (h lists them)\n";
  finished_ = true;
  return {};
}

std::string ReplaySession::whole() {
  tape_->move_to(0);
  std::string out = kMargin + ("start  " + state());
  while (tape_->forward()) out += leg_and_state();
  return out + stuck();
}

std::string ReplaySession::forward() { return tape_->forward() ? view() : stuck(); }

std::string ReplaySession::backward() { return tape_->backward() ? view() : "this is the start\n"; }

std::string ReplaySession::jump(std::string_view argument) {
  const auto number = base::parse_integer(argument);
  if (!number && argument != "end") return "to which step? g N, or g end\n";
  const std::size_t goal = number ? tape_->position_of_step(*number) : tape_->size();
  const bool there = tape_->move_to(goal);
  std::string out = view();
  if (!there) return out + stuck();
  if (!number || tape_->steps_done() == *number) return out;
  if (tape_->at_end()) return out + "the trace ends here\n";
  return out + "step " + base::to_string(*number) +
         " lies inside the repetition that comes next (--expand unfolds it)\n";
}

std::string ReplaySession::watch(std::string_view argument) {
  if (argument.empty()) return watches_.empty() ? "nothing is watched (w STATE)\n" : state();
  auto wanted = tape_->watch(argument);
  if (!wanted) return wanted.error() + "\n";
  const auto known = std::ranges::find(watches_, wanted->name, &Watched::name);
  if (known != watches_.end()) {
    watches_.erase(known);
    return std::string(argument) + " is no longer watched\n";
  }
  watches_.push_back(std::move(*wanted));
  return state();
}

std::string ReplaySession::continue_to_change() {
  if (watches_.empty()) return "nothing is watched: w STATE first\n";
  const std::vector<std::string> before = watched_values();
  while (tape_->forward())
    if (watched_values() != before) return view();
  return view() + stuck();
}

std::string ReplaySession::around() {
  const std::size_t here = tape_->position();
  const std::size_t last = std::min(here + kListedAround, tape_->size());
  std::string out;
  for (std::size_t p = here > kListedAround ? here - kListedAround : 0; p <= last; ++p) {
    if (!tape_->move_to(p)) break;
    const std::string text = p == 0 ? "  start\n" : leg_text();
    out += p == here ? style_.bold("> ") + text : "  " + text;
  }
  tape_->move_to(here);
  return out;
}

std::string ReplaySession::view() const {
  const std::string listing = tape_->position() == 0 ? "" : tape_->listing();
  return style_.dim(listing) + leg_and_state();
}

std::string ReplaySession::leg_and_state() const {
  return (tape_->position() == 0 ? "  start\n" : leg_text()) + kMargin + "= " + state();
}

std::string ReplaySession::leg_text() const {
  const StoryEntry entry = tape_->last_entry();
  return entry_text(entry, measure({&entry, 1}), style_);
}

std::string ReplaySession::state() const {
  std::string reached = tape_->reached();
  if (!reached.empty()) reached = "  " + style_.red(reached);
  std::string out = tape_->state() + reached + "\n";
  const std::vector<std::string> values = watched_values();
  for (std::size_t i = 0; i < values.size(); ++i)
    out += kMargin + style_.yellow(watches_[i].name + ": " + values[i]) + "\n";
  return out;
}

std::string ReplaySession::stuck() const {
  if (!tape_->at_end()) return style_.red("the next step is impossible: " + tape_->broken()) + "\n";
  return "this is the end of the trace\n";
}

std::vector<std::string> ReplaySession::watched_values() const {
  std::vector<std::string> values;
  for (const Watched& watch : watches_) values.push_back(watch.value());
  return values;
}

}  // namespace heddle::output
