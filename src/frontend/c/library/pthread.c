// POSIX threads. What the semantics has (threads, mutexes, condition variables) is called directly;
// here are the same as functions, for calls through pointers, and everything else, as atomic
// sections over the bytes of the objects. All objects that are zero are initialised and free.

enum { HEDDLE_EPERM = 1, HEDDLE_EAGAIN = 11, HEDDLE_EBUSY = 16, HEDDLE_EINVAL = 22,
       HEDDLE_EDEADLK = 35, HEDDLE_ETIMEDOUT = 110 };

// ---- Thread-specific data: destructors run when a thread ends, until all values are null, at most
// four times.

enum { HEDDLE_KEYS = 32 };
static unsigned __heddle_keys;
static void (*__heddle_destructors[HEDDLE_KEYS])(void *);
static _Thread_local const void *__heddle_values[HEDDLE_KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  __heddle_atomic_begin();
  unsigned next = __heddle_keys;
  if (next < HEDDLE_KEYS) {
    __heddle_keys = next + 1;
    __heddle_destructors[next] = destructor;
  }
  __heddle_atomic_end();
  if (next >= HEDDLE_KEYS) return HEDDLE_EAGAIN;
  *key = next;
  return 0;
}
int pthread_key_delete(unsigned key) {
  __heddle_atomic_begin();
  __heddle_destructors[key] = 0;
  __heddle_atomic_end();
  return 0;
}
void *pthread_getspecific(unsigned key) { return (void *)__heddle_values[key]; }
int pthread_setspecific(unsigned key, const void *value) {
  __heddle_values[key] = value;
  return 0;
}
static void __heddle_destroy_values(void) {
  int again = 1;
  for (int i = 0; again && i < 4; ++i) {
    again = 0;
    for (unsigned key = 0; key < HEDDLE_KEYS; ++key) {
      __heddle_atomic_begin();
      void (*destructor)(void *) = __heddle_destructors[key];
      __heddle_atomic_end();
      const void *value = __heddle_values[key];
      if (!value || !destructor) continue;
      __heddle_values[key] = 0;
      destructor((void *)value);
      again = 1;
    }
  }
}

// ---- Threads. Programs without keys create and end them without these functions.

struct __heddle_thread {
  void *(*start)(void *);
  void *argument;
};
static void *__heddle_run_thread(void *thread) {
  struct __heddle_thread now = *(struct __heddle_thread *)thread;
  __heddle_free(thread);
  void *result = now.start(now.argument);
  __heddle_destroy_values();
  return result;
}
int pthread_create(__heddle_handle *thread, const void *attributes, void *(*start)(void *),
                   void *argument) {
  struct __heddle_thread *now = __heddle_allocate_hidden(sizeof *now);
  now->start = start;
  now->argument = argument;
  return __heddle_create_thread(thread, __heddle_run_thread, now);
}
int pthread_join(__heddle_handle thread, void **result) {
  return __heddle_join_thread(thread, result);
}
int pthread_detach(__heddle_handle thread) { return __heddle_detach_thread(thread); }
void pthread_exit(void *result) {
  __heddle_destroy_values();
  __heddle_exit_thread(result);
}
__heddle_handle pthread_self(void) { return __heddle_self_thread(); }
int pthread_equal(__heddle_handle a, __heddle_handle b) { return a == b; }
int pthread_yield(void) { return 0; }

int pthread_attr_init(void *attributes) { return 0; }
int pthread_attr_destroy(void *attributes) { return 0; }
int pthread_attr_setdetachstate(void *attributes, int state) { return 0; }
int pthread_attr_setscope(void *attributes, int scope) { return 0; }
int pthread_attr_setstacksize(void *attributes, size_t size) { return 0; }
int pthread_attr_setstack(void *attributes, void *stack, size_t size) { return 0; }
int pthread_attr_setguardsize(void *attributes, size_t size) { return 0; }
int pthread_attr_setschedpolicy(void *attributes, int policy) { return 0; }
int pthread_attr_setschedparam(void *attributes, const void *parameters) { return 0; }
int pthread_attr_setinheritsched(void *attributes, int inherit) { return 0; }
int pthread_attr_getdetachstate(const void *attributes, int *state) {
  *state = __VERIFIER_nondet_bool();
  return 0;
}
int pthread_attr_getstacksize(const void *attributes, size_t *size) {
  *size = __VERIFIER_nondet_ulong();
  return 0;
}
int pthread_setaffinity_np(__heddle_handle thread, size_t size, const void *set) {
  return __VERIFIER_nondet_int();
}
int sched_setaffinity(int id, size_t size, const void *set) { return -__VERIFIER_nondet_bool(); }
// Whether a thread has ended is a matter of luck; if it counts as ended, it is waited for.
int pthread_tryjoin_np(__heddle_handle thread, void **result) {
  return __VERIFIER_nondet_bool() ? 16 : __heddle_join_thread(thread, result);
}
int pthread_timedjoin_np(__heddle_handle thread, void **result, const void *until) {
  return __VERIFIER_nondet_bool() ? 110 : __heddle_join_thread(thread, result);
}
int pthread_setconcurrency(int level) { return 0; }
int pthread_setname_np(__heddle_handle thread, const char *name) { return 0; }
int pthread_setcancelstate(int state, int *old) {
  if (old) *old = 0;
  return 0;
}
int pthread_setcanceltype(int type, int *old) {
  if (old) *old = 0;
  return 0;
}
void pthread_testcancel(void) {}

// ---- Mutexes

int pthread_mutexattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_mutexattr_destroy(int *attributes) { return 0; }
int pthread_mutexattr_settype(int *attributes, int kind) {
  *attributes = kind;
  return 0;
}
int pthread_mutexattr_gettype(const int *attributes, int *kind) {
  *kind = *attributes;
  return 0;
}
int pthread_mutexattr_setpshared(int *attributes, int shared) { return 0; }
int pthread_mutexattr_setprotocol(int *attributes, int protocol) { return 0; }
int pthread_mutexattr_setrobust(int *attributes, int robust) { return 0; }
int pthread_mutex_init(void *mutex, const int *attributes) {
  return __heddle_mutex_init(mutex, attributes ? *attributes & 3 : 0);
}
int pthread_mutex_destroy(void *mutex) { return __heddle_mutex_destroy(mutex); }
int pthread_mutex_lock(void *mutex) { return __heddle_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return __heddle_mutex_trylock(mutex); }
int pthread_mutex_unlock(void *mutex) { return __heddle_mutex_unlock(mutex); }
int pthread_mutex_timedlock(void *mutex, const void *until) {
  if (__VERIFIER_nondet_bool()) return HEDDLE_ETIMEDOUT;
  return __heddle_mutex_lock(mutex);
}

// ---- Condition variables

int pthread_condattr_init(void *attributes) { return 0; }
int pthread_condattr_destroy(void *attributes) { return 0; }
int pthread_condattr_setclock(void *attributes, int clock) { return 0; }
int pthread_condattr_setpshared(void *attributes, int shared) { return 0; }
int pthread_cond_init(void *condition, const void *attributes) { return 0; }
int pthread_cond_destroy(void *condition) { return 0; }
int pthread_cond_wait(void *condition, void *mutex) {
  return __heddle_condition_wait(condition, mutex);
}
int pthread_cond_timedwait(void *condition, void *mutex, const void *until) {
  return __heddle_condition_timed_wait(condition, mutex);
}
int pthread_cond_clockwait(void *condition, void *mutex, int clock, const void *until) {
  return __heddle_condition_timed_wait(condition, mutex);
}
int pthread_cond_signal(void *condition) { return __heddle_condition_signal(condition); }
int pthread_cond_broadcast(void *condition) { return __heddle_condition_broadcast(condition); }

// ---- Read-write locks: the number of readers, and the writer. A reader may hold it twice.

struct __heddle_rwlock {
  unsigned readers;
  unsigned has_writer;
  __heddle_handle writer;
};

int pthread_rwlockattr_init(void *attributes) { return 0; }
int pthread_rwlockattr_destroy(void *attributes) { return 0; }
int pthread_rwlockattr_setpshared(void *attributes, int shared) { return 0; }
int pthread_rwlockattr_setkind_np(void *attributes, int kind) { return 0; }
int pthread_rwlock_init(struct __heddle_rwlock *lock, const void *attributes) {
  __heddle_atomic_begin();
  lock->readers = 0;
  lock->has_writer = 0;
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_destroy(struct __heddle_rwlock *lock) { return 0; }
int pthread_rwlock_rdlock(struct __heddle_rwlock *lock) {
  __heddle_handle self = __heddle_self_thread();
  __heddle_atomic_begin();
  if (lock->has_writer && lock->writer == self) {
    __heddle_atomic_end();
    return HEDDLE_EDEADLK;
  }
  __heddle_block_until(!lock->has_writer);
  lock->readers++;
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_tryrdlock(struct __heddle_rwlock *lock) {
  __heddle_atomic_begin();
  int result = lock->has_writer ? HEDDLE_EBUSY : 0;
  if (result == 0) lock->readers++;
  __heddle_atomic_end();
  return result;
}
int pthread_rwlock_wrlock(struct __heddle_rwlock *lock) {
  __heddle_handle self = __heddle_self_thread();
  __heddle_atomic_begin();
  if (lock->has_writer && lock->writer == self) {
    __heddle_atomic_end();
    return HEDDLE_EDEADLK;
  }
  __heddle_block_until(!lock->has_writer && lock->readers == 0);
  lock->has_writer = 1;
  lock->writer = self;
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_trywrlock(struct __heddle_rwlock *lock) {
  __heddle_handle self = __heddle_self_thread();
  __heddle_atomic_begin();
  int result = lock->has_writer || lock->readers != 0 ? HEDDLE_EBUSY : 0;
  if (result == 0) {
    lock->has_writer = 1;
    lock->writer = self;
  }
  __heddle_atomic_end();
  return result;
}
int pthread_rwlock_timedrdlock(struct __heddle_rwlock *lock, const void *until) {
  if (__VERIFIER_nondet_bool()) return HEDDLE_ETIMEDOUT;
  return pthread_rwlock_rdlock(lock);
}
int pthread_rwlock_timedwrlock(struct __heddle_rwlock *lock, const void *until) {
  if (__VERIFIER_nondet_bool()) return HEDDLE_ETIMEDOUT;
  return pthread_rwlock_wrlock(lock);
}
int pthread_rwlock_unlock(struct __heddle_rwlock *lock) {
  __heddle_atomic_begin();
  if (lock->has_writer) lock->has_writer = 0;
  else if (lock->readers != 0) lock->readers--;
  __heddle_atomic_end();
  return 0;
}

// ---- Spin locks: one word, 0 if free (for pthread_spin_init stores 0).

int pthread_spin_init(int *lock, int shared) {
  __heddle_atomic_begin();
  *lock = 0;
  __heddle_atomic_end();
  return 0;
}
int pthread_spin_destroy(int *lock) { return 0; }
int pthread_spin_lock(int *lock) {
  __heddle_atomic_begin();
  __heddle_block_until(*lock == 0);
  *lock = 1;
  __heddle_atomic_end();
  return 0;
}
int pthread_spin_trylock(int *lock) {
  __heddle_atomic_begin();
  int result = *lock == 0 ? 0 : HEDDLE_EBUSY;
  *lock = 1;
  __heddle_atomic_end();
  return result;
}
int pthread_spin_unlock(int *lock) {
  __heddle_atomic_begin();
  *lock = 0;
  __heddle_atomic_end();
  return 0;
}

// ---- Barriers

struct __heddle_barrier {
  unsigned needed;
  unsigned arrived;
  unsigned round;
};

int pthread_barrierattr_init(void *attributes) { return 0; }
int pthread_barrierattr_destroy(void *attributes) { return 0; }
int pthread_barrier_init(struct __heddle_barrier *barrier, const void *attributes, unsigned count) {
  if (count == 0) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  barrier->needed = count;
  barrier->arrived = 0;
  barrier->round = 0;
  __heddle_atomic_end();
  return 0;
}
int pthread_barrier_destroy(struct __heddle_barrier *barrier) { return 0; }
int pthread_barrier_wait(struct __heddle_barrier *barrier) {
  __heddle_atomic_begin();
  unsigned round = barrier->round;
  unsigned arrived = barrier->arrived + 1;
  if (arrived == barrier->needed) {
    barrier->arrived = 0;
    barrier->round = round + 1;
    __heddle_atomic_end();
    return -1;
  }
  barrier->arrived = arrived;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_block_until(barrier->round != round);
  __heddle_atomic_end();
  return 0;
}

// ---- Once: 0 not begun, 1 running, 2 done.

int pthread_once(int *control, void (*function)(void)) {
  __heddle_atomic_begin();
  __heddle_block_until(*control != 1);
  int is_first = *control == 0;
  if (is_first) *control = 1;
  __heddle_atomic_end();
  if (is_first) {
    function();
    __heddle_atomic_begin();
    *control = 2;
    __heddle_atomic_end();
  }
  return 0;
}

// ---- Semaphores: one word.

int sem_init(unsigned *semaphore, int shared, unsigned value) {
  __heddle_atomic_begin();
  *semaphore = value;
  __heddle_atomic_end();
  return 0;
}
int sem_destroy(unsigned *semaphore) { return 0; }
int sem_wait(unsigned *semaphore) {
  __heddle_atomic_begin();
  __heddle_block_until(*semaphore != 0);
  *semaphore = *semaphore - 1;
  __heddle_atomic_end();
  return 0;
}
int sem_trywait(unsigned *semaphore) {
  __heddle_atomic_begin();
  int result = *semaphore != 0 ? 0 : -1;
  if (result == 0) *semaphore = *semaphore - 1;
  __heddle_atomic_end();
  if (result != 0) *__errno_location() = HEDDLE_EAGAIN;
  return result;
}
int sem_timedwait(unsigned *semaphore, const void *until) {
  if (__VERIFIER_nondet_bool()) {
    *__errno_location() = HEDDLE_ETIMEDOUT;
    return -1;
  }
  return sem_wait(semaphore);
}
int sem_post(unsigned *semaphore) {
  __heddle_atomic_begin();
  *semaphore = *semaphore + 1;
  __heddle_atomic_end();
  return 0;
}
void *sem_open(const char *name, int flags, ...) {
  __heddle_unsupported("named semaphores");
  return 0;
}
int sem_close(unsigned *semaphore) { return 0; }
int sem_unlink(const char *name) { return 0; }
int sem_getvalue(unsigned *semaphore, int *value) {
  __heddle_atomic_begin();
  int now = (int)*semaphore;
  __heddle_atomic_end();
  *value = now;
  return 0;
}
