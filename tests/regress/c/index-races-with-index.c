// A race if, and only if, the chosen index is 40.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int places[100];

void *writer(void *arg) {
  places[40]++;
  return 0;
}

int main(void) {
  pthread_t thread;
  int chosen = __VERIFIER_nondet_int();
  if (chosen < 0 || chosen >= 100) return 0;
  pthread_create(&thread, 0, writer, 0);
  places[chosen]++;
  return 0;
}
