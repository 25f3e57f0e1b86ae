// What the system tells is anything within the bounds of its manual.
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
  assert(number > 0);
  return 0;
}
