// An assertion in a comment fails if the other thread comes between the two stores.
#include <pthread.h>

int x = 0;

void *look(void *unused) {
  //@ assert x == 0 || x == 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  x = 1;
  x = 2;
  //@ assert \true;
  pthread_join(thread, 0);
  return 0;
}
