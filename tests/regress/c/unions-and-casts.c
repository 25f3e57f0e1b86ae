/* Memory is bytes: a union, a cast and a bit-field see each other. SAFE. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

union word {
  uint32_t whole;
  uint8_t bytes[4];
  struct {
    unsigned low : 4, high : 28;
  };
};
struct pair {
  char tag;
  int value;
};

int main(void) {
  union word w = {0x01020304};
  assert(w.bytes[0] == 4 && w.bytes[3] == 1);
  assert(w.low == 4);
  w.high = 1;
  assert(w.whole == 0x14);
  struct pair p = {'a', -1}, q;
  memcpy(&q, &p, sizeof p);
  assert(*(int *)((char *)&q + 4) == -1);
  int array[3] = {1, 2, 3};
  int *second = array + 1;
  assert(second[-1] == 1 && &array[2] - second == 1);
  uintptr_t number = (uintptr_t)second;
  assert(*(int *)number == 2);
  return 0;
}
