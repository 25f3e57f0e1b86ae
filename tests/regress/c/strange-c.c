/* What preprocessed system headers and old programs contain. SAFE. */
extern int printf(const char *__restrict __format, ...) __attribute__((__format__(__printf__, 1, 2)));
extern void abort(void) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
extern __inline __attribute__((__gnu_inline__)) int inlined(int x) { return x + 1; }
__extension__ typedef long long wide;
typedef struct {
  union {
    struct {
      int a, b;
    };
    wide both;
  };
} nested;

int old_style(x, y) int x;
char y;
{ return x + y; }

static __inline__ void barrier(void) { __asm__ __volatile__("" : : : "memory"); }

void never_called(void) { __asm__ volatile("hlt"); }

int counter;

int main() {
  nested n = {.a = 1, .b = 0};
  int i = ({
    int t = old_style(2, 3);
    t + 1;
  });
  barrier();
  printf("%d\n", i);
  if (i != 6 || n.both != 1 || __builtin_expect(inlined(1), 2) != 2) abort();
  switch (i) {
    case 1 ... 5: reach_error(); break;
    default: break;
  }
  _Static_assert(sizeof(wide) == 8, "wide");
  return 0;
}
