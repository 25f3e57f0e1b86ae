extern int counter;
void increment(void);
#define TWICE(statement) \
  statement;             \
  statement
static inline int read_counter(void) {
  return counter;
}
