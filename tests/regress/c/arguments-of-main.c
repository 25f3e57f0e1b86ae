// Fails with an argument that begins with x; what happens with more arguments is not known.
extern void reach_error(void);

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == 'x') reach_error();
  return 0;
}
