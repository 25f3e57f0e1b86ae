int shared;

int main(void) {
  __CPROVER_ASYNC_1: shared = 1;
  shared = 2;
  __CPROVER_assert(shared == 2, "last");
}
