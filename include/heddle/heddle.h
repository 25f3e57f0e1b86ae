/* Heddle as a library: the C interface. C++ programs use <heddle/heddle.hpp>, which wraps it.
 *
 *     heddle_model *lock = heddle_thread_system(2, 2);
 *     heddle_add_step(lock, 0, 0, 1, 1);
 *     heddle_add_step(lock, 1, 1, 0, 0);
 *     heddle_query *query = heddle_query_new();
 *     heddle_set(query, "target", "1|1,1");
 *     heddle_answer *answer = heddle_ask(query, HEDDLE_VERIFY, lock);
 *     puts(heddle_headline(answer));
 *
 * The question is answered by the installed program in a process of its own, within the limits that
 * the query sets: whatever happens there, the calling program keeps its memory, signal handlers,
 * locale, rounding mode, working directory and child processes. Several threads may ask at once; one
 * model may be shared by them while nobody changes it, a query belongs to one thread.
 *
 * Strings are UTF-8 and end in a zero byte. Those that functions return belong to the object that
 * was asked and live as long as it does. NULL for an object that is freed, or not an object, is a
 * null pointer; functions that make objects return NULL only if memory ran out.
 *
 * This interface is stable: functions, constants and members at the end of structs are added, none
 * changes or goes away while HEDDLE_ABI is the same. */

#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_API __attribute__((visibility("default")))
#define HEDDLE_ABI 1

/* "0.1.0 (5dc16fc1a2)": the version and the commit of the library. */
HEDDLE_API const char *heddle_version(void);

/* ------------------------------------------------------------------------------------- models -- */

/* A file, or files in memory, or a model that is built by the functions below. */
typedef struct heddle_model heddle_model;

/* A model in a file; its name says the format, or the option "format" does. */
HEDDLE_API heddle_model *heddle_model_file(const char *path);
/* The same with its text in memory. The name ("lock.tts", "queue.c") says the format and is used in
 * messages and traces; it has no folder. Relative names in options are then names of texts. */
HEDDLE_API heddle_model *heddle_model_text(const char *name, const char *text, size_t length);
/* A further file: one that is linked (.c, .i), or one that lies beside a model in memory
 * ("lock.prop", a header). Beside a model that is a file lies what is in its folder. */
HEDDLE_API int heddle_add_file(heddle_model *model, const char *path);
HEDDLE_API int heddle_add_text(heddle_model *model, const char *name, const char *text,
                               size_t length);
HEDDLE_API void heddle_model_free(heddle_model *model);

/* A thread system: shared states 0..shared-1, local states 0..local-1. Functions that add to a model
 * return 0, or -1 if the model is of another kind or there is no such state (heddle_model_error). */
HEDDLE_API heddle_model *heddle_thread_system(uint32_t shared, uint32_t local);
/* A thread moves from `from` to `to` while the shared state changes. */
HEDDLE_API int heddle_add_step(heddle_model *model, uint32_t shared_from, uint32_t from,
                               uint32_t shared_to, uint32_t to);
/* A thread in `at` stays there, and a new thread starts in `spawned`. */
HEDDLE_API int heddle_add_spawn(heddle_model *model, uint32_t shared_from, uint32_t at,
                                uint32_t shared_to, uint32_t spawned);
/* All threads in `from` move to `to` at once, while the shared state changes. */
HEDDLE_API int heddle_add_transfer(heddle_model *model, uint32_t shared_from, uint32_t from,
                                   uint32_t shared_to, uint32_t to);

/* A Petri net without places. */
HEDDLE_API heddle_model *heddle_petri_net(void);
/* The tokens that a place holds in the beginning: `tokens`, or any number from `tokens` on. */
#define HEDDLE_EXACTLY 0
#define HEDDLE_AT_LEAST 1
/* The number of the new place, from 0; -1 if the name (letters, digits, _) is bad or taken. */
HEDDLE_API int heddle_add_place(heddle_model *model, const char *name, uint64_t tokens, int how);
typedef struct heddle_arc {
  uint32_t place;
  uint64_t tokens;
} heddle_arc;
/* Takes the tokens of `inputs`, then puts those of `outputs`. A place may be in both. */
HEDDLE_API int heddle_add_transition(heddle_model *model, const heddle_arc *inputs,
                                     size_t input_count, const heddle_arc *outputs,
                                     size_t output_count);

/* What is wrong with the last call that returned -1; NULL if there was none. */
HEDDLE_API const char *heddle_model_error(const heddle_model *model);
/* The model's text, in the notation of .tts or .spec for models that were built; NULL for a file. */
HEDDLE_API const char *heddle_model_source(const heddle_model *model);

/* ------------------------------------------------------------------------------------ queries -- */

/* Options, progress and cancellation of a question. */
typedef struct heddle_query heddle_query;
HEDDLE_API heddle_query *heddle_query_new(void);
HEDDLE_API void heddle_query_free(heddle_query *query);

/* An option of the command line without its dashes: "target", "timeout", "memory", "engine", "I",
 * "property", ... (see `heddle verify --help`). The value of a flag is NULL. Options that may be
 * repeated are added; of others the last value counts. Returns -1 for an option that this library
 * sets itself ("json", "evidence", "settings", ...). Mistakes in options are found by heddle_ask. */
HEDDLE_API int heddle_set(heddle_query *query, const char *option, const char *value);
/* Evidence that heddle_evidence gave, or that `heddle verify --evidence` has stored; NULL: none.
 * Returns -1 if memory ran out. */
HEDDLE_API int heddle_set_evidence(heddle_query *query, const char *json, size_t length);

/* What an engine does at the moment (phase "": it has ended). The strings live until the callback
 * returns. */
typedef struct heddle_event {
  const char *engine;
  const char *phase;
  int milestone; /* not 0: a part of the answer is certain by now, within `phase` */
  size_t figure_count;
  const char *const *figure_names;
  const double *figures;
} heddle_event;
/* Called by the thread that asks, while it waits. 0 goes on, anything else cancels. */
typedef int (*heddle_progress)(const heddle_event *event, void *data);
/* `event` is NULL before the program is started, and then about ten times a second when there is
 * nothing to tell. */
HEDDLE_API void heddle_on_progress(heddle_query *query, heddle_progress progress, void *data);

/* From any thread, or from a signal handler: the answer, now or when it is asked for, is UNKNOWN
 * (reason "cancelled"), within half a second, unless it has been found by then. Holds until
 * heddle_ask returns. */
HEDDLE_API void heddle_cancel(heddle_query *query);

/* ------------------------------------------------------------------------------------ answers -- */

typedef enum heddle_command {
  HEDDLE_VERIFY = 0,    /* can a target be reached, an assertion fail, ...? */
  HEDDLE_RACES = 1,     /* do threads of a C program race for data? */
  HEDDLE_CUTOFF = 2,    /* how many threads are enough? */
  HEDDLE_CHECK = 3,     /* is this evidence right? (heddle_set_evidence) */
  HEDDLE_SHOW = 4,      /* a picture of the model, or of the evidence: heddle_output */
  HEDDLE_TRANSLATE = 5, /* the model in another format (option "to"): heddle_output */
} heddle_command;

typedef struct heddle_answer heddle_answer;
/* Waits for the answer. The query can be used again. */
HEDDLE_API heddle_answer *heddle_ask(heddle_query *query, heddle_command command,
                                      const heddle_model *model);
HEDDLE_API void heddle_answer_free(heddle_answer *answer);

typedef enum heddle_verdict {
  HEDDLE_SAFE = 0,
  HEDDLE_UNSAFE = 1,
  HEDDLE_SAFE_UP_TO = 2, /* within heddle_bound */
  HEDDLE_UNKNOWN = 3,    /* heddle_reason says why */
  HEDDLE_CUTOFF_FOUND = 4,
  HEDDLE_DONE = 5,   /* of HEDDLE_SHOW and HEDDLE_TRANSLATE */
  HEDDLE_FAILED = 6, /* no answer: heddle_failure, heddle_error */
} heddle_verdict;
typedef enum heddle_failure_kind {
  HEDDLE_NO_FAILURE = 0,
  HEDDLE_WRONG_USAGE = 2,     /* options that make no sense */
  HEDDLE_BAD_INPUT = 3,       /* the model, or a file, cannot be read */
  HEDDLE_INTERNAL_ERROR = 70, /* an error of ours */
  HEDDLE_REFUTED = 71,        /* the evidence is wrong */
  HEDDLE_NO_PROGRAM = 127,    /* the program `heddle` was not found, or the system has no resources */
} heddle_failure_kind;

HEDDLE_API heddle_verdict heddle_answer_verdict(const heddle_answer *answer);
HEDDLE_API heddle_failure_kind heddle_failure(const heddle_answer *answer);
/* Warnings and errors as the program prints them, with file, line and column; "" if none. */
HEDDLE_API const char *heddle_error(const heddle_answer *answer);
/* The verdict as a sentence; "" if it failed. */
HEDDLE_API const char *heddle_headline(const heddle_answer *answer);
/* Of UNKNOWN: "time_limit", "memory_limit", "cancelled", "unsupported", ...; otherwise NULL. */
HEDDLE_API const char *heddle_reason(const heddle_answer *answer);
/* The reason in words; NULL if there is nothing to add. */
HEDDLE_API const char *heddle_detail(const heddle_answer *answer);
/* Of SAFE_UP_TO: "3 contexts"; otherwise NULL. */
HEDDLE_API const char *heddle_bound(const heddle_answer *answer);
/* Of CUTOFF_FOUND: the number of threads; otherwise -1. */
HEDDLE_API int64_t heddle_cutoff(const heddle_answer *answer);
/* Whose answer this is; NULL if no engine gave one. */
HEDDLE_API const char *heddle_engine(const heddle_answer *answer);
HEDDLE_API double heddle_seconds(const heddle_answer *answer);

/* Not 0: an independent checker has confirmed the evidence. */
HEDDLE_API int heddle_confirmed(const heddle_answer *answer);
/* "trace", "backward_basis", ..., "none"; and what was checked, or why not. */
HEDDLE_API const char *heddle_evidence_kind(const heddle_answer *answer);
HEDDLE_API const char *heddle_check_text(const heddle_answer *answer);
/* The evidence as JSON (docs/evidence.md); NULL if there is none. */
HEDDLE_API const char *heddle_evidence(const heddle_answer *answer);
/* The whole answer as JSON (docs/answer.schema.json); NULL if it failed, or was cancelled before the
 * program was started. */
HEDDLE_API const char *heddle_json(const heddle_answer *answer);
/* What HEDDLE_SHOW (SVG) and HEDDLE_TRANSLATE print; "" otherwise. */
HEDDLE_API const char *heddle_output(const heddle_answer *answer);

/* The run of UNSAFE, step by step. A row may stand for several equal steps, first..last. */
typedef struct heddle_change {
  const char *name;
  int64_t thread; /* whose variable; -1: shared */
  const char *value;
} heddle_change;
typedef struct heddle_step {
  int64_t first, last; /* from 1 */
  int64_t thread;      /* from 0; -1: nobody in particular */
  const char *name;    /* of the thread */
  const char *text;
  const char *const *details;
  size_t detail_count;
  const char *file; /* NULL: none */
  int64_t line;     /* from 1; 0: none */
  int64_t column;
  const heddle_change *changes;
  size_t change_count;
} heddle_step;
HEDDLE_API size_t heddle_step_count(const heddle_answer *answer);
HEDDLE_API const heddle_step *heddle_step_at(const heddle_answer *answer, size_t index);
/* What is wrong at the end of the run; NULL without a run. */
HEDDLE_API const char *heddle_reached(const heddle_answer *answer);

/* The proof of SAFE and SAFE_UP_TO, in words; and invariants at the lines of a C program. */
typedef struct heddle_invariant {
  const char *threads;
  const char *holds;
  const char *file; /* NULL: none */
  int64_t line;     /* from 1; 0: none */
  int64_t column;
} heddle_invariant;
HEDDLE_API size_t heddle_proof_line_count(const heddle_answer *answer);
HEDDLE_API const char *heddle_proof_line(const heddle_answer *answer, size_t index);
HEDDLE_API size_t heddle_invariant_count(const heddle_answer *answer);
HEDDLE_API const heddle_invariant *heddle_invariant_at(const heddle_answer *answer, size_t index);

#ifdef __cplusplus
}
#endif

#endif
