/* Euclid's algorithm by subtraction, for a number and 0.
   With --property termination UNSAFE: to subtract 0 changes nothing. */
static int gcd(int a, int b) {
  while (a != b) {
    if (a > b) {
      a = a - b;
    } else {
      b = b - a;
    }
  }
  return a;
}

int main(void) { return gcd(91, 0); }
