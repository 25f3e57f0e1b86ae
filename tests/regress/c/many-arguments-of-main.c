// Safe whatever the arguments are, but long arguments are not modelled.
extern void reach_error(void);

int main(int argc, char **argv) {
  if (argc > 0 && argv[0] == 0) reach_error();
  return 0;
}
