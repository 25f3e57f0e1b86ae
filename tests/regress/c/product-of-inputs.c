#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned x, y;
void *first(void *a) { x = __VERIFIER_nondet_uint() & 0xffff; return 0; }
void *second(void *a) { y = __VERIFIER_nondet_uint() & 0xffff; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x < 2 || y < 2 || x * y != 64507u * 3u);
  return 0;
}
