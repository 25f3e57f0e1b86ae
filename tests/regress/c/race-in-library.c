// Two threads race inside functions of the library: the calls are named.
#include <pthread.h>
#include <string.h>

static char name[8];
static size_t length;

static void *measure(void *unused) {
  length = strlen(name);
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, measure, 0);
  strcpy(name, "heddle");
  pthread_join(other, 0);
  return 0;
}
