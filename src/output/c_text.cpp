#include "output/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/c/run_end.hpp"
#include "model/c/run_story.hpp"
#include "output/kinds.hpp"
#include "output/source_lines.hpp"
#include "output/trace_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

namespace c = model::c;

/// `line 12`, with the file's name where it is not the first file.
std::string where_text(const c::Program& program, const c::Position& position) {
  if (position.line == 0) return "in the library";
  const std::string line = std::to_string(position.line);
  if (position.file == 0 || position.file >= program.files.size()) return "line " + line;
  return std::filesystem::path(program.files[position.file]).filename().string() + ":" + line;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// `counter: 0 → 1 (int)`
std::string change_text(const c::StoryChange& change) {
  const std::string type = change.type.empty() ? "" : " (" + change.type + ")";
  return change.name + ": " + change.before + " → " + change.after + type;
}

/// The function is named where the thread began in another one.
std::string place_text(const c::Program& program, const c::StoryStep& step) {
  std::string out = where_text(program, step.position);
  if (!step.function.empty() && !step.thread.starts_with(step.function + " "))
    out += " in " + step.function;
  if (!step.locks.empty()) out += ", holds " + joined(step.locks);
  return out;
}

StoryEntry entry_of(const c::Program& program, SourceLines& lines, const c::StoryStep& step,
                    std::size_t number) {
  StoryEntry entry;
  entry.number = std::to_string(number);
  entry.who = step.thread;
  const std::string text = lines.trimmed(step.position);
  entry.change = text.empty() ? "in " + step.function : text;
  entry.where = place_text(program, step);
  entry.place = {step.position.file, step.position.line, step.position.column};
  std::vector<std::string> what = step.events;
  for (const c::StoryChange& change : step.changes) what.push_back(change_text(change));
  if (!what.empty()) entry.details.push_back(joined(what));
  if (step.overflowed) entry.details.push_back("a signed operation overflowed and wrapped");
  return entry;
}

std::string access_text(const c::Program& program, const c::StoryAccess& access) {
  return std::string(access.is_write ? "written" : "read") +
         (access.is_atomic ? " atomically" : "") + " by " + access.thread + " at " +
         where_text(program, access.position) + " holding " +
         (access.locks.empty() ? "no lock" : joined(access.locks));
}

std::string race_text(const c::Program& program, const c::StoryRace& race) {
  return "data race: " + race.variable + (race.type.empty() ? "" : " (" + race.type + ")") +
         " is " + access_text(program, race.first) + ", and " + access_text(program, race.second);
}

/// `steps 3 to 7 lead back to the state before step 3 and can be repeated for ever`, or to another
/// one that differs in data only.
std::string loop_text(const c::Story& story) {
  const auto first = std::ranges::find_if(story.steps, &c::StoryStep::is_in_loop);
  const auto number = static_cast<std::size_t>(first - story.steps.begin()) + 1;
  if (number > story.steps.size()) return "loop: the state repeats exactly";
  const std::string steps = number == story.steps.size()
                                ? fmt::format("step {} leads", number)
                                : fmt::format("steps {} to {} lead", number, story.steps.size());
  if (story.violation.what == c::kRecurrencePhrase)
    return fmt::format(
        "loop: {} back to where step {} begins; the data that have changed do not affect it, so "
        "that it can be repeated for ever",
        steps, number);
  return fmt::format("loop: {} back to the state before step {} and can be repeated for ever",
                     steps, number);
}

/// `blocked: worker 1 waits for mutex m, which worker 2 holds (line 7); …`
std::string waits_text(const c::Program& program, const c::Story& story) {
  std::string out(to_string(story.violation.kind));
  for (std::size_t i = 0; i < story.waits.size(); ++i) {
    const c::StoryWait& wait = story.waits[i];
    out += (i == 0 ? ": " : "; ") + wait.thread + " " + wait.what;
    if (wait.position.line > 0) out += " (" + where_text(program, wait.position) + ")";
  }
  return out;
}

std::string violation_text(const c::Program& program, const c::Story& story) {
  if (story.race) return race_text(program, *story.race);
  const c::Violation& violation = story.violation;
  if (violation.kind == c::Violation::Kind::Lasso) return loop_text(story);
  if (!story.waits.empty()) return waits_text(program, story);
  std::string out(to_string(violation.kind));
  if (!violation.what.empty()) out += ": " + violation.what;
  if (violation.position.line > 0) out += " (" + where_text(program, violation.position) + ")";
  return out;
}

/// Three lines of the source; the middle one is executed.
std::string listing_of(SourceLines& lines, const c::Position& position) {
  if (lines.line(position).empty()) return {};
  std::string out;
  for (std::uint32_t line = std::max(position.line, 2u) - 1; line <= position.line + 1; ++line) {
    if (line > lines.count(position.file)) break;
    out += fmt::format("    {} {:4} | {}\n", line == position.line ? ">" : " ", line,
                       lines.line({position.file, line, 0}));
  }
  return out;
}

/// Where each thread is, and the values that have been seen to change.
class Moments {
 public:
  Moments(const c::Program& program, const c::Story& story) : program_(program) {
    for (const c::StoryStep& step : story.steps)
      for (const c::StoryChange& change : step.changes)
        if (!change.owner && !find(shared_, change.name))
          shared_.emplace_back(change.name, change.before);
    add();
  }

  std::uint32_t step(const c::StoryStep& step) {
    const std::size_t at = slot(step.number);
    threads_[at].name = step.thread;
    threads_[at].state = step.function + ", " + where_text(program_, step.position);
    threads_[at].locks = joined(step.locks);
    for (const c::StoryChange& change : step.changes) set(change);
    add();
    return static_cast<std::uint32_t>(at);
  }

  std::vector<Moment> take() { return std::move(moments_); }

 private:
  std::size_t slot(std::uint32_t number) {
    const auto [at, is_new] = slots_.try_emplace(number, threads_.size());
    if (is_new) threads_.push_back({"thread " + std::to_string(number), "not started", {}});
    return at->second;
  }

  static std::string* find(model::NamedValues& values, const std::string& name) {
    const auto known = std::ranges::find(values, name, &model::NamedValues::value_type::first);
    return known == values.end() ? nullptr : &known->second;
  }

  void set(const c::StoryChange& change) {
    model::NamedValues& values = change.owner ? threads_[slot(*change.owner)].values : shared_;
    if (std::string* known = find(values, change.name)) {
      *known = change.after;
    } else {
      values.emplace_back(change.name, change.after);
    }
  }

  void add() {
    Moment& moment = moments_.emplace_back();
    moment.values = shared_;
    moment.shared = moment.text = model::values_text(shared_);
    for (const ListedThread& thread : threads_) {
      const std::string values = model::values_text(thread.values);
      moment.text += (moment.text.empty() ? "" : " | ") + thread.name + ": " + thread.state +
                     (values.empty() ? "" : " " + values);
    }
    moment.threads = threads_;
  }

  const c::Program& program_;
  std::map<std::uint32_t, std::size_t> slots_;
  std::vector<ListedThread> threads_;
  model::NamedValues shared_;
  std::vector<Moment> moments_;
};

}  // namespace

ListedRun list_run(const model::CTask& task, const c::Run& run,
                   std::span<const SourceFile> sources) {
  const c::Interpreter interpreter(task.model);
  const c::Story story = c::tell(interpreter, run);
  ListedRun out;
  Moments moments(task.model, story);
  SourceLines lines(task.model, sources);
  for (const c::StoryStep& step : story.steps) {
    const std::uint32_t thread = moments.step(step);
    out.steps.push_back({entry_of(task.model, lines, step, out.steps.size() + 1),
                         thread,
                         {},
                         {},
                         listing_of(lines, step.position)});
  }
  out.moments = moments.take();
  if (story.error)
    out.broken = *story.error;
  else
    out.reached = violation_text(task.model, story);
  return out;
}

std::string c_run_text(const model::CTask& task, const c::Run& run, const TextOptions& options) {
  const ListedRun listed = list_run(task, run, options.sources);
  std::vector<StoryEntry> entries;
  for (const ListedStep& step : listed.steps) entries.push_back(step.entry);
  std::string out = entries_text(entries, "step", options);
  if (!listed.broken.empty()) return out + "  the next step is impossible: " + listed.broken + "\n";
  return out + "  end    " + listed.reached + "\n";
}

}  // namespace heddle::output
