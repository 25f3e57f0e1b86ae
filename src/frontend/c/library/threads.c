// Threads of C11: the same objects as those of POSIX, other names and results.

enum { HEDDLE_THRD_SUCCESS = 0, HEDDLE_THRD_BUSY = 1, HEDDLE_THRD_ERROR = 2,
       HEDDLE_THRD_TIMEDOUT = 4 };

// The start routine of a C11 thread returns an int. Thread-specific data is destroyed as in POSIX.
struct __heddle_start {
  int (*function)(void *);
  void *argument;
};
static void *__heddle_run(void *start) {
  struct __heddle_start now = *(struct __heddle_start *)start;
  __heddle_free(start);
  return (void *)(intptr_t)now.function(now.argument);
}
int thrd_create(__heddle_handle *thread, int (*function)(void *), void *argument) {
  struct __heddle_start *start = __heddle_allocate_hidden(sizeof *start);
  start->function = function;
  start->argument = argument;
  return pthread_create(thread, 0, __heddle_run, start);
}
int thrd_join(__heddle_handle thread, int *result) {
  void *value;
  __heddle_join_thread(thread, &value);
  if (result) *result = (int)(intptr_t)value;
  return HEDDLE_THRD_SUCCESS;
}
int thrd_detach(__heddle_handle thread) { return __heddle_detach_thread(thread); }
void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
__heddle_handle thrd_current(void) { return __heddle_self_thread(); }
int thrd_equal(__heddle_handle a, __heddle_handle b) { return a == b; }
void thrd_yield(void) {}
int thrd_sleep(const void *duration, void *remaining) { return 0; }

// mtx_plain 0, mtx_recursive 1, mtx_timed 2
int mtx_init(void *mutex, int type) {
  __heddle_mutex_init(mutex, type & 1);
  return HEDDLE_THRD_SUCCESS;
}
void mtx_destroy(void *mutex) { __heddle_mutex_destroy(mutex); }
int mtx_lock(void *mutex) {
  return __heddle_mutex_lock(mutex) == 0 ? HEDDLE_THRD_SUCCESS : HEDDLE_THRD_ERROR;
}
int mtx_timedlock(void *mutex, const void *until) {
  return __heddle_mutex_trylock(mutex) == 0 ? HEDDLE_THRD_SUCCESS : HEDDLE_THRD_TIMEDOUT;
}
int mtx_trylock(void *mutex) {
  return __heddle_mutex_trylock(mutex) == 0 ? HEDDLE_THRD_SUCCESS : HEDDLE_THRD_BUSY;
}
int mtx_unlock(void *mutex) {
  return __heddle_mutex_unlock(mutex) == 0 ? HEDDLE_THRD_SUCCESS : HEDDLE_THRD_ERROR;
}

int cnd_init(void *condition) { return HEDDLE_THRD_SUCCESS; }
void cnd_destroy(void *condition) {}
int cnd_wait(void *condition, void *mutex) {
  __heddle_condition_wait(condition, mutex);
  return HEDDLE_THRD_SUCCESS;
}
int cnd_timedwait(void *condition, void *mutex, const void *until) {
  return __heddle_condition_timed_wait(condition, mutex) == 0 ? HEDDLE_THRD_SUCCESS
                                                              : HEDDLE_THRD_TIMEDOUT;
}
int cnd_signal(void *condition) { return __heddle_condition_signal(condition); }
int cnd_broadcast(void *condition) { return __heddle_condition_broadcast(condition); }

void call_once(int *flag, void (*function)(void)) { pthread_once(flag, function); }

int tss_create(unsigned *key, void (*destructor)(void *)) {
  return pthread_key_create(key, destructor) == 0 ? HEDDLE_THRD_SUCCESS : HEDDLE_THRD_ERROR;
}
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }
