#include "counter.h"
int counter = START;
void increment(void) { counter = counter + 1; }
