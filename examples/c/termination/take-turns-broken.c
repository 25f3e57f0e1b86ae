/* As take-turns.c, but nobody signals.
   With --property termination UNSAFE: a thread that has fallen asleep is never woken. */
#include <pthread.h>

#define ROUNDS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void play(int own) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    while (turn != own) pthread_cond_wait(&changed, &lock);
    turn = 1 - own;
    pthread_mutex_unlock(&lock);
  }
}

static void *second(void *unused) {
  play(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  play(0);
  pthread_join(thread, 0);
  return 0;
}
