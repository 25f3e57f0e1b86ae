/* What output functions read counts as accesses, and is inside its object here. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char shared[4] = "abc";

static void *show(void *unused) {
  puts(shared);
  fputs(shared + 3, stdout);
  printf("%.2s%s%f\n", shared, (char *)0, 2.5);
  write(1, shared, sizeof shared);
  fwrite(shared, 2, 2, stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, show, 0);
  show(0);
#ifdef BROKEN
  shared[1] = 'x';
#endif
  pthread_join(thread, 0);
  return 0;
}
