/* A loop in a loop; the inner one begins anew each time.
   With --property termination SAFE: either j grows, or i grows and j begins anew. */
int main(void) {
  int i = 0, j = 0;
  while (i < 10) {
    if (j < 10) {
      j++;
    } else {
      j = 0;
      i++;
    }
  }
  return 0;
}
