/// Heddle as a library: the C++ interface (C++17 and later), a thin layer over <heddle/heddle.h>.
///
///     auto lock = heddle::Model::thread_system(2, 2);
///     lock.step(0, 0, 1, 1).step(1, 1, 0, 0);
///     heddle::Question question;
///     question.set("target", "1|1,1").set("timeout", "10s");
///     const heddle::Answer answer = heddle::verify(lock, question);
///     std::cout << answer.headline << "\n";
///     for (const heddle::Step& step : answer.trace) std::cout << step.text << "\n";
///
/// Questions are answered by the installed program, in processes of its own: limits and crashes
/// there do not touch the calling program, and neither do signals, locale or child processes.
/// Threads may ask at the same time, each with a question of its own.
///
/// Answers come back as values, also UNKNOWN ones; `heddle::Error` is thrown if there is no answer
/// (a model that cannot be read, an option that does not exist). Everything in this header is
/// inline: what a program is linked with is the C interface, which is stable.

#pragma once

#include <heddle/heddle.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// "0.1.0 (5dc16fc1a2)".
inline std::string version() { return heddle_version(); }

/// There is no answer. `what()` is what the program printed: file, line, column, a hint.
class Error : public std::runtime_error {
 public:
  Error(heddle_failure_kind kind, const std::string& text)
      : std::runtime_error(text), kind_(kind) {}
  heddle_failure_kind kind() const { return kind_; }

 private:
  heddle_failure_kind kind_;
};

namespace detail {

template <class T>
T* made(T* object) {
  if (!object) throw std::bad_alloc();
  return object;
}

inline std::optional<std::string> optional_text(const char* text) {
  return text ? std::optional<std::string>(text) : std::nullopt;
}

}  // namespace detail

// -------------------------------------------------------------------------------------- models --

/// Tokens that flow between a transition and a place.
using Arc = heddle_arc;

/// What a question is about. Functions that add to it throw std::invalid_argument if that makes no
/// sense (a state that does not exist, a place of a thread system).
class Model {
 public:
  /// The name says the format, or the option "format" does.
  static Model file(const std::string& path) { return Model(heddle_model_file(path.c_str())); }
  /// A text in memory. The name, without a folder, says the format: "lock.tts", "queue.c".
  static Model text(const std::string& name, std::string_view text) {
    return Model(heddle_model_text(name.c_str(), text.data(), text.size()));
  }
  /// Further files: linked ones of a C program, or what lies beside a text.
  Model& add_file(const std::string& path) { return check(heddle_add_file(get(), path.c_str())); }
  Model& add_text(const std::string& name, std::string_view text) {
    return check(heddle_add_text(get(), name.c_str(), text.data(), text.size()));
  }

  /// A thread system: shared states 0..shared-1, local states 0..local-1.
  static Model thread_system(std::uint32_t shared, std::uint32_t local) {
    return Model(heddle_thread_system(shared, local));
  }
  /// A thread moves from `from` to `to` while the shared state changes.
  Model& step(std::uint32_t shared_from, std::uint32_t from, std::uint32_t shared_to,
              std::uint32_t to) {
    return check(heddle_add_step(get(), shared_from, from, shared_to, to));
  }
  /// A thread in `at` stays there, and a new thread starts in `spawned`.
  Model& spawn(std::uint32_t shared_from, std::uint32_t at, std::uint32_t shared_to,
               std::uint32_t spawned) {
    return check(heddle_add_spawn(get(), shared_from, at, shared_to, spawned));
  }
  /// All threads in `from` move to `to` at once.
  Model& transfer(std::uint32_t shared_from, std::uint32_t from, std::uint32_t shared_to,
                  std::uint32_t to) {
    return check(heddle_add_transfer(get(), shared_from, from, shared_to, to));
  }

  static Model petri_net() { return Model(heddle_petri_net()); }
  /// Its number. In the beginning it holds so many tokens, or any number from that on.
  std::uint32_t place(const std::string& name, std::uint64_t tokens = 0, bool at_least = false) {
    const int number =
        heddle_add_place(get(), name.c_str(), tokens, at_least ? HEDDLE_AT_LEAST : HEDDLE_EXACTLY);
    check(number < 0 ? -1 : 0);
    return static_cast<std::uint32_t>(number);
  }
  Model& transition(const std::vector<Arc>& inputs, const std::vector<Arc>& outputs) {
    return check(
        heddle_add_transition(get(), inputs.data(), inputs.size(), outputs.data(), outputs.size()));
  }

  /// The text of a model in memory; nothing for a file.
  std::optional<std::string> source() const {
    return detail::optional_text(heddle_model_source(get()));
  }

  heddle_model* get() const { return model_.get(); }

 private:
  struct Free {
    void operator()(heddle_model* model) const { heddle_model_free(model); }
  };
  explicit Model(heddle_model* model) : model_(detail::made(model)) {}
  Model& check(int result) {
    if (result == 0) return *this;
    const char* const why = heddle_model_error(get());
    throw std::invalid_argument(why ? why : "out of memory");
  }

  std::unique_ptr<heddle_model, Free> model_;
};

// ------------------------------------------------------------------------------------- answers --

enum class Verdict { Safe, Unsafe, SafeUpTo, Unknown, Cutoff, Done };

struct Change {
  std::string variable;
  std::optional<std::int64_t> thread;  ///< whose; nothing: shared
  std::string value;
};

struct Place {
  std::string file;
  std::int64_t line = 0, column = 0;  ///< from 1; 0: not known
};

/// One row of a run; equal steps in a row are one: first to last.
struct Step {
  std::int64_t first = 0, last = 0;
  std::optional<std::int64_t> thread;  ///< nothing: nobody in particular
  std::string name;                    ///< of the thread
  std::string text;
  std::vector<std::string> details;
  std::optional<Place> place;
  std::vector<Change> changes;
};

struct Invariant {
  std::string threads, holds;
  std::optional<Place> place;
};

/// The evidence, and what the independent checker says about it.
struct Evidence {
  std::string kind;  ///< "trace", "backward_basis", ..., "none"
  bool confirmed = false;
  std::string check;                ///< what was checked, or why not
  std::optional<std::string> json;  ///< as `heddle verify --evidence` stores it
};

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::string headline;               ///< the verdict as a sentence
  std::optional<std::string> reason;  ///< of Unknown: "time_limit", "cancelled", ...
  std::optional<std::string> detail;  ///< the reason in words
  std::optional<std::string> bound;   ///< of SafeUpTo: "3 contexts"
  std::optional<std::int64_t> cutoff;
  std::optional<std::string> engine;
  double seconds = 0;
  std::vector<Step> trace;             ///< of Unsafe
  std::optional<std::string> reached;  ///< what is wrong at its end
  std::vector<std::string> proof;      ///< of Safe and SafeUpTo, in words
  std::vector<Invariant> invariants;   ///< at lines of a C program
  Evidence evidence;
  std::string warnings;             ///< as the program prints them
  std::optional<std::string> json;  ///< the whole answer
};

// ----------------------------------------------------------------------------------- questions --

/// What an engine does at the moment; if the phase is empty, it has ended.
struct Event {
  std::string engine, phase;
  bool milestone = false;  ///< a part of the answer is certain by now
  std::vector<std::pair<std::string, double>> figures;
};

/// Options, progress, cancellation. Belongs to one thread, except for `cancel`.
class Question {
 public:
  Question() : query_(detail::made(heddle_query_new())) {}

  /// An option of the command line without its dashes ("target", "timeout", "engine", "I", ...);
  /// flags have no value. Options that may be repeated are added. What the library sets itself
  /// ("json", "evidence", ...) is std::invalid_argument.
  Question& set(const std::string& option, const std::optional<std::string>& value = {}) {
    if (heddle_set(get(), option.c_str(), value ? value->c_str() : nullptr) != 0)
      throw std::invalid_argument("the option '" + option + "' cannot be set here");
    return *this;
  }
  /// Called by the thread that asks, about ten times a second or more: false cancels. The event is
  /// null if there is nothing new. An exception cancels, too, and is thrown by `verify`.
  Question& on_progress(std::function<bool(const Event*)> progress) {
    progress_ = std::move(progress);
    return *this;
  }
  /// From any thread: the answer that is being found, or is asked for next, is UNKNOWN with reason
  /// "cancelled", within half a second, unless it has been found by then.
  void cancel() const { heddle_cancel(get()); }

  heddle_query* get() const { return query_.get(); }
  const std::function<bool(const Event*)>& progress() const { return progress_; }

 private:
  struct Free {
    void operator()(heddle_query* query) const { heddle_query_free(query); }
  };
  std::unique_ptr<heddle_query, Free> query_;
  std::function<bool(const Event*)> progress_;
};

namespace detail {

struct FreeAnswer {
  void operator()(heddle_answer* answer) const { heddle_answer_free(answer); }
};
using AnswerHandle = std::unique_ptr<heddle_answer, FreeAnswer>;

struct Listener {
  const std::function<bool(const Event*)>& progress;
  std::exception_ptr thrown;
};

/// Exceptions do not cross the C interface.
inline int listen(const heddle_event* event, void* data) {
  auto& listener = *static_cast<Listener*>(data);
  try {
    if (!event) return listener.progress(nullptr) ? 0 : 1;
    Event copy{event->engine, event->phase, event->milestone != 0, {}};
    for (std::size_t i = 0; i < event->figure_count; ++i)
      copy.figures.emplace_back(event->figure_names[i], event->figures[i]);
    return listener.progress(&copy) ? 0 : 1;
  } catch (...) {
    listener.thrown = std::current_exception();
    return 1;
  }
}

inline AnswerHandle ask(const Question& question, heddle_command command, const Model& model,
                        std::string_view evidence) {
  Listener listener{question.progress(), nullptr};
  heddle_on_progress(question.get(), listener.progress ? listen : nullptr, &listener);
  if (heddle_set_evidence(question.get(), evidence.empty() ? nullptr : evidence.data(),
                          evidence.size()) != 0)
    throw std::bad_alloc();
  AnswerHandle answer(made(heddle_ask(question.get(), command, model.get())));
  heddle_on_progress(question.get(), nullptr, nullptr);
  if (listener.thrown) std::rethrow_exception(listener.thrown);
  if (heddle_answer_verdict(answer.get()) == HEDDLE_FAILED)
    throw Error(heddle_failure(answer.get()), heddle_error(answer.get()));
  return answer;
}

inline std::optional<Place> place(const char* file, std::int64_t line, std::int64_t column) {
  if (!file && line == 0) return std::nullopt;
  return Place{file ? file : "", line, column};
}

inline std::optional<std::int64_t> not_negative(std::int64_t number) {
  return number < 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

inline Step step(const heddle_step& row) {
  Step out{row.first,
           row.last,
           not_negative(row.thread),
           row.name,
           row.text,
           {},
           place(row.file, row.line, row.column),
           {}};
  for (std::size_t i = 0; i < row.detail_count; ++i) out.details.emplace_back(row.details[i]);
  for (std::size_t i = 0; i < row.change_count; ++i)
    out.changes.push_back(
        {row.changes[i].name, not_negative(row.changes[i].thread), row.changes[i].value});
  return out;
}

inline Verdict verdict(heddle_verdict verdict) {
  switch (verdict) {
    case HEDDLE_SAFE: return Verdict::Safe;
    case HEDDLE_UNSAFE: return Verdict::Unsafe;
    case HEDDLE_SAFE_UP_TO: return Verdict::SafeUpTo;
    case HEDDLE_CUTOFF_FOUND: return Verdict::Cutoff;
    case HEDDLE_DONE: return Verdict::Done;
    case HEDDLE_UNKNOWN:
    case HEDDLE_FAILED: break;
  }
  return Verdict::Unknown;
}

inline Answer answer(const heddle_answer* from) {
  Answer out;
  out.verdict = verdict(heddle_answer_verdict(from));
  out.headline = heddle_headline(from);
  out.reason = optional_text(heddle_reason(from));
  out.detail = optional_text(heddle_detail(from));
  out.bound = optional_text(heddle_bound(from));
  out.cutoff = not_negative(heddle_cutoff(from));
  out.engine = optional_text(heddle_engine(from));
  out.seconds = heddle_seconds(from);
  for (std::size_t i = 0; i < heddle_step_count(from); ++i)
    out.trace.push_back(step(*heddle_step_at(from, i)));
  out.reached = optional_text(heddle_reached(from));
  for (std::size_t i = 0; i < heddle_proof_line_count(from); ++i)
    out.proof.emplace_back(heddle_proof_line(from, i));
  for (std::size_t i = 0; i < heddle_invariant_count(from); ++i) {
    const heddle_invariant& row = *heddle_invariant_at(from, i);
    out.invariants.push_back({row.threads, row.holds, place(row.file, row.line, row.column)});
  }
  out.evidence = {heddle_evidence_kind(from), heddle_confirmed(from) != 0, heddle_check_text(from),
                  optional_text(heddle_evidence(from))};
  out.warnings = heddle_error(from);
  out.json = optional_text(heddle_json(from));
  return out;
}

}  // namespace detail

/// Can a target be reached, an assertion fail, ...?
inline Answer verify(const Model& model, const Question& question = {}) {
  return detail::answer(detail::ask(question, HEDDLE_VERIFY, model, {}).get());
}

/// Do threads of a C program race for data?
inline Answer races(const Model& model, const Question& question = {}) {
  return detail::answer(detail::ask(question, HEDDLE_RACES, model, {}).get());
}

/// How many threads are enough to see every reachable thread state?
inline Answer cutoff(const Model& model, const Question& question = {}) {
  return detail::answer(detail::ask(question, HEDDLE_CUTOFF, model, {}).get());
}

/// Checks evidence again (its JSON): `answer.evidence.confirmed`. The question is the one that the
/// evidence answers.
inline Answer check(const Model& model, std::string_view evidence, const Question& question = {}) {
  return detail::answer(detail::ask(question, HEDDLE_CHECK, model, evidence).get());
}

/// A picture of the model, or of the evidence (its JSON): SVG.
inline std::string show(const Model& model, std::string_view evidence = {},
                        const Question& question = {}) {
  return heddle_output(detail::ask(question, HEDDLE_SHOW, model, evidence).get());
}

/// The model in another format (`heddle formats`): "spec", "tts", ...
inline std::string translate(const Model& model, const std::string& format) {
  Question question;
  question.set("to", format);
  return heddle_output(detail::ask(question, HEDDLE_TRANSLATE, model, {}).get());
}

}  // namespace heddle
