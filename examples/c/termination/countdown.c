/* Counts down from 200 to 0.
   With --property termination SAFE. */
int main(void) {
  for (unsigned char i = 200; i > 0; i--) {
  }
  return 0;
}
