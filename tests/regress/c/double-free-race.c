// Two threads free the same object: they race for it.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *t(void *a) { free(p); return 0; }
int main(void) { pthread_t h; p = malloc(4); pthread_create(&h, 0, t, 0); free(p); pthread_join(h, 0); return 0; }
