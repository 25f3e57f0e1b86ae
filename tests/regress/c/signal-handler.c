// The handler may never be called. What happens then is part of what can happen.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#ifndef EXPECTED
#define EXPECTED 0
#endif

int x;

void stop(int number) { x = 0; }

void *worker(void *arg) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = stop;
  sigaction(SIGUSR1, &action, NULL);
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  signal(SIGINT, stop);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  assert(x == EXPECTED);
  return 0;
}
