/* A parallel compressor, in the structure of pbzip2: the main thread reads blocks into a queue, two
   workers compress them, a writer puts them out in the order of the file.
   SAFE: every block is written once, in order, after it was compressed. No data race, no
   deadlock. */
#include <assert.h>
#include <pthread.h>

#define BLOCKS 2
#define WORKERS 2

enum state { Unread, Waiting, Compressed, Written };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static int next_block, blocks_read, all_read;

static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output_changed = PTHREAD_COND_INITIALIZER;
static enum state states[BLOCKS];

static int take_block(void) {
  int block = -1;
  pthread_mutex_lock(&queue_lock);
  while (next_block == blocks_read && !all_read) pthread_cond_wait(&queue_changed, &queue_lock);
  if (next_block < blocks_read) block = next_block++;
  pthread_mutex_unlock(&queue_lock);
  return block;
}

static void *compress(void *unused) {
  int block;
  (void)unused;
  while ((block = take_block()) >= 0) {
    pthread_mutex_lock(&output_lock);
    assert(states[block] == Waiting);
    states[block] = Compressed;
    pthread_cond_signal(&output_changed);
    pthread_mutex_unlock(&output_lock);
  }
  return 0;
}

static void *write_out(void *unused) {
  (void)unused;
  for (int block = 0; block < BLOCKS; block++) {
    pthread_mutex_lock(&output_lock);
    while (states[block] != Compressed) pthread_cond_wait(&output_changed, &output_lock);
    assert(block == 0 || states[block - 1] == Written);
    states[block] = Written;
    pthread_mutex_unlock(&output_lock);
  }
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS], writer;
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, compress, 0);
  pthread_create(&writer, 0, write_out, 0);
  for (int block = 0; block < BLOCKS; block++) {
    pthread_mutex_lock(&output_lock);
    states[block] = Waiting;
    pthread_mutex_unlock(&output_lock);
    pthread_mutex_lock(&queue_lock);
    blocks_read++;
    pthread_cond_signal(&queue_changed);
    pthread_mutex_unlock(&queue_lock);
  }
  pthread_mutex_lock(&queue_lock);
  all_read = 1;
  pthread_cond_broadcast(&queue_changed);
  pthread_mutex_unlock(&queue_lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  pthread_join(writer, 0);
  return 0;
}
