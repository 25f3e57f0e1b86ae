// Any signal may come.
#include <assert.h>
#include <signal.h>
#include <sys/stat.h>

int main(void) {
  struct stat about;
  if (stat("file", &about) == 0) assert(about.st_size >= 0);
  sigset_t signals;
  sigemptyset(&signals);
  int number;
  sigwait(&signals, &number);
  assert(number != 15);
  return 0;
}
