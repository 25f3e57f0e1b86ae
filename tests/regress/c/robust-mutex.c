/* What is not supported lies in the library: the line is that of the call. */
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  return 0;
}
