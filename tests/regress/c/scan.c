// sscanf reads its text exactly.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int a, b;
char c;
long l;
char word[8];

void *work(void *unused) {
  int n = sscanf(" 12 , -7:x 0x1f  hello world", "%d ,%d:%c%li %7s", &a, &b, &c, &l, word);
  assert(n == 5);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(a == 12 && b == -7 && c == 'x' && l == 31);
  assert(word[0] == 'h' && word[4] == 'o' && word[5] == 0);
  assert(sscanf("", "%d", &a) == -1 && sscanf("q", "%d", &a) == 0 && a == 12);
  assert(sscanf("1234", "%2d%*d", &a) == 1 && a == 12);
}
