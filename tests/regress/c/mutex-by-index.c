// One of ten mutexes is given back. Only if it is number 7 can the other thread go on.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t mutexes[10];
int data;

void *writer(void *arg) {
  pthread_mutex_lock(&mutexes[7]);
  data++;
  pthread_mutex_unlock(&mutexes[7]);
  return 0;
}

int main(void) {
  pthread_t thread;
  int chosen = __VERIFIER_nondet_int();
  for (int i = 0; i < 10; i++) pthread_mutex_init(&mutexes[i], 0);
  if (chosen < 0 || chosen >= 10) return 0;
  pthread_mutex_lock(&mutexes[7]);
  pthread_create(&thread, 0, writer, 0);
  pthread_mutex_unlock(&mutexes[chosen]);
  data++;
  return 0;
}
