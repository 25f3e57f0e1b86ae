/* The numbers of threads may be given as arguments; there are many ways to do so. The error needs
   none of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern void reach_error(void);

static int writers = 2, readers = 1;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int value, derived;

static void *write_both(void *unused) {
  pthread_mutex_lock(&first);
  value = 1;
  pthread_mutex_unlock(&first);
  pthread_mutex_lock(&second);
  derived = value + 1;
  pthread_mutex_unlock(&second);
  return unused;
}

static void *read_both(void *unused) {
  int seen, seen_derived;
  pthread_mutex_lock(&first);
  seen = value;
  pthread_mutex_unlock(&first);
  if (seen == 0) return unused;
  pthread_mutex_lock(&second);
  seen_derived = derived;
  pthread_mutex_unlock(&second);
  if (seen_derived != seen + 1) reach_error();
  return unused;
}

int main(int argc, char *argv[]) {
  if (argc == 3) {
    sscanf(argv[1], "%d", &writers);
    sscanf(argv[2], "%d", &readers);
  } else if (argc != 1) {
    exit(1);
  }
  pthread_t ids[writers + readers];
  for (int i = 0; i < writers; i++) pthread_create(&ids[i], 0, write_both, 0);
  for (int i = 0; i < readers; i++) pthread_create(&ids[writers + i], 0, read_both, 0);
  for (int i = 0; i < writers + readers; i++) pthread_join(ids[i], 0);
  return 0;
}
