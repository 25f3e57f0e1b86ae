// Every thread increments `entered` before, and `left` behind its assertion.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int entered, left;

void *visit(void *unused) {
  __VERIFIER_atomic_begin();
  entered++;
  __VERIFIER_atomic_end();
  assert(left < entered);
  __VERIFIER_atomic_begin();
  left++;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, 0, visit, 0);
  }
}
