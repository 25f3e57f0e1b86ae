// One of a hundred places is written to. Nothing is compared with the chosen index.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int places[100];

void *writer(void *arg) {
  int chosen = __VERIFIER_nondet_int();
  if (chosen < 0 || chosen >= 100) return 0;
  places[chosen] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_join(thread, 0);
  assert(places[70] == 0);
  return 0;
}
