// Whether the assertion holds depends on signals.
#define EXPECTED 1
#include "signal-handler.c"
