/* Euclid's algorithm by subtraction.
   With --property termination SAFE: the larger number becomes smaller. */
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

int main(void) { return gcd(91, 35) == 7 ? 0 : 1; }
