/* `keep` leaves a pointer to its variable, which is gone when `use` has one in its place. UNSAFE. */
static int *kept, seen;

static void keep(void) {
  int gone = 1;
  kept = &gone;
}

static void use(void) {
  int present = 2;
  int *own = &present;
  *kept = 3;
  seen = *own;
}

int main(void) {
  keep();
  use();
  return 0;
}
