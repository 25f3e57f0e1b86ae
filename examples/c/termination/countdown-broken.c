/* Counts down from 200, and after 0 comes 255: an unsigned number is never negative.
   With --property termination UNSAFE. */
int main(void) {
  for (unsigned char i = 200; i >= 0; i--) {
  }
  return 0;
}
