#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned sum = 1, key;
void *mix(void *a) { unsigned in = key; sum = (sum << 5 ^ sum >> 27) + in; return 0; }
int main(void) {
  pthread_t t[4];
  key = __VERIFIER_nondet_uint();
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, mix, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(sum != 0xdeadbeef);
  return 0;
}
