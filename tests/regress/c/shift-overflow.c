// A signed shift into the sign bit; the unsigned ones are fine.
int main(void) {
  unsigned u = 1;
  u = u << 31;
  u <<= 1;
  int a = 1;
  a <<= 30;
  return a << 1;
}
