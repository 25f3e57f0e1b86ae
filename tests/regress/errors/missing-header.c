#include "there-is-no-such-header.h"
int main(void) { return 0; }
