#include <pthread.h>

int nondet_int(void);
int counter;

static void *add(void *unused) {
#ifdef CPROVER
  __CPROVER_atomic_begin();
  counter = counter + 1;
  __CPROVER_atomic_end();
#else
  __ESBMC_atomic_begin();
  counter = counter + 1;
  __ESBMC_atomic_end();
#endif
  return 0;
}

int main(void) {
  pthread_t first, second;
  int most = nondet_int();
#ifdef CPROVER
  __CPROVER_assume(most == 2);
#else
  __ESBMC_assume(most == 2);
#endif
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
#ifdef BROKEN
  __CPROVER_assert(counter == most, "both have added");
#endif
  pthread_join(second, 0);
#ifdef CPROVER
  __CPROVER_assert(counter == most, "both have added");
#else
  __ESBMC_assert(counter == most, "both have added");
#endif
}
