/* A lock as a thread system, built in code: can two threads be inside at once? Twice: with the lock,
 * and with a lock that forgets to lock.
 *
 *     cc lock.c $(pkg-config --cflags --libs heddle) && ./a.out */

#include <heddle/heddle.h>
#include <stdio.h>

/* Shared state 0: free, 1: taken; local state 0: outside, 1: inside. */
static heddle_model *lock(int works) {
  heddle_model *model = heddle_thread_system(2, 2);
  heddle_add_step(model, 0, 0, works ? 1 : 0, 1);
  heddle_add_step(model, works ? 1 : 0, 1, 0, 0);
  return model;
}

static int progress(const heddle_event *event, void *count) {
  if (event) ++*(int *)count;
  return 0; /* anything else cancels */
}

static void print_run(const heddle_answer *answer) {
  for (size_t i = 0; i < heddle_step_count(answer); ++i) {
    const heddle_step *step = heddle_step_at(answer, i);
    printf("%3lld  %s  %s\n", (long long)step->first, step->name, step->text);
  }
  if (heddle_reached(answer)) printf("     %s\n", heddle_reached(answer));
}

static int ask(int works, heddle_verdict expected) {
  int events = 0;
  heddle_model *model = lock(works);
  heddle_query *query = heddle_query_new();
  heddle_set(query, "target", works ? "1|1,1" : "0|1,1");
  heddle_set(query, "timeout", "60s");
  heddle_on_progress(query, progress, &events);
  heddle_answer *answer = heddle_ask(query, HEDDLE_VERIFY, model);
  const heddle_verdict verdict = heddle_answer_verdict(answer);
  if (verdict == HEDDLE_FAILED) fputs(heddle_error(answer), stderr);
  puts(heddle_headline(answer));
  print_run(answer);
  const int is_right = verdict == expected && heddle_confirmed(answer) && heddle_evidence(answer);
  heddle_answer_free(answer);
  heddle_query_free(query);
  heddle_model_free(model);
  return is_right ? 0 : 1;
}

int main(void) {
  printf("heddle %s\n", heddle_version());
  return ask(1, HEDDLE_SAFE) + ask(0, HEDDLE_UNSAFE);
}
