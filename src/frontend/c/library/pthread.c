// POSIX threads. What the semantics has (threads, mutexes, condition variables) is called directly;
// here are the same as functions, for calls through pointers, and everything else, as atomic
// sections over the bytes of the objects. All objects that are zero are initialised and free.

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
  if (next >= HEDDLE_KEYS) __heddle_unsupported("more than 32 keys of thread-specific data");
  *key = next;
  return 0;
}
int pthread_key_delete(unsigned key) {
  if (key >= HEDDLE_KEYS) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  __heddle_destructors[key] = 0;
  __heddle_atomic_end();
  return 0;
}
void *pthread_getspecific(unsigned key) {
  return key < HEDDLE_KEYS ? (void *)__heddle_values[key] : 0;
}
int pthread_setspecific(unsigned key, const void *value) {
  if (key >= HEDDLE_KEYS) return HEDDLE_EINVAL;
  __heddle_values[key] = value;
  return 0;
}
static void __heddle_destroy_values(void) {
  int again = 1;
  for (int i = 0; again && i < 4; ++i) {
    again = 0;
    for (unsigned key = 0;; ++key) {
      __heddle_atomic_begin();
      unsigned count = __heddle_keys;
      void (*destructor)(void *) = key < count ? __heddle_destructors[key] : 0;
      __heddle_atomic_end();
      if (key >= count) break;
      const void *value = __heddle_values[key];
      if (!value || !destructor) continue;
      __heddle_values[key] = 0;
      destructor((void *)value);
      again = 1;
    }
  }
}

// ---- Attributes of threads. Those that no program can notice are forgotten.

struct __heddle_attributes {
  int is_detached;
  int scope;
  size_t stack_size;
  short policy, is_explicit;
  int priority;
  size_t guard_size;
};
int pthread_attr_init(struct __heddle_attributes *attributes) {
  attributes->is_detached = 0;
  attributes->scope = 0;
  attributes->stack_size = 8 << 20;
  attributes->policy = 0;
  attributes->is_explicit = 0;
  attributes->priority = 0;
  attributes->guard_size = 4096;
  return 0;
}
int pthread_attr_destroy(void *attributes) { return 0; }
int pthread_attr_setdetachstate(struct __heddle_attributes *attributes, int state) {
  if (state != 0 && state != 1) return HEDDLE_EINVAL;
  attributes->is_detached = state;
  return 0;
}
int pthread_attr_getdetachstate(const struct __heddle_attributes *attributes, int *state) {
  *state = attributes->is_detached;
  return 0;
}
int pthread_attr_setscope(struct __heddle_attributes *attributes, int scope) {
  if (scope != 0) return scope == 1 ? 95 : HEDDLE_EINVAL;  // ENOTSUP: Linux has one scope
  return 0;
}
int pthread_attr_getscope(const struct __heddle_attributes *attributes, int *scope) {
  *scope = attributes->scope;
  return 0;
}
int pthread_attr_setstacksize(struct __heddle_attributes *attributes, size_t size) {
  if (size < 16384) return HEDDLE_EINVAL;
  attributes->stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const struct __heddle_attributes *attributes, size_t *size) {
  *size = attributes->stack_size;
  return 0;
}
int pthread_attr_setstack(void *attributes, void *stack, size_t size) { return 0; }
int pthread_attr_setguardsize(struct __heddle_attributes *attributes, size_t size) {
  attributes->guard_size = size;
  return 0;
}
int pthread_attr_getguardsize(const struct __heddle_attributes *attributes, size_t *size) {
  *size = attributes->guard_size;
  return 0;
}
int pthread_attr_setschedpolicy(struct __heddle_attributes *attributes, int policy) {
  if (policy < 0 || policy > 2) return HEDDLE_EINVAL;
  attributes->policy = policy;
  return 0;
}
int pthread_attr_getschedpolicy(const struct __heddle_attributes *attributes, int *policy) {
  *policy = attributes->policy;
  return 0;
}
int pthread_attr_setschedparam(struct __heddle_attributes *attributes, const int *priority) {
  attributes->priority = *priority;
  return 0;
}
int pthread_attr_getschedparam(const struct __heddle_attributes *attributes, int *priority) {
  *priority = attributes->priority;
  return 0;
}
int pthread_attr_setinheritsched(struct __heddle_attributes *attributes, int inherit) {
  if (inherit != 0 && inherit != 1) return HEDDLE_EINVAL;
  attributes->is_explicit = inherit;
  return 0;
}
int pthread_attr_getinheritsched(const struct __heddle_attributes *attributes, int *inherit) {
  *inherit = attributes->is_explicit;
  return 0;
}
int pthread_getattr_np(__heddle_handle thread, void *attributes) {
  __heddle_unsupported("pthread_getattr_np");
  return 0;
}

// ---- Threads. Programs without keys and without detached attributes create and end them without
// these functions.

int __heddle_create_with(__heddle_handle *thread, const struct __heddle_attributes *attributes,
                         void *(*start)(void *), void *argument) {
  int is_detached = attributes ? attributes->is_detached : 0;
  if (!is_detached) return __heddle_create_thread(thread, start, argument);
  __heddle_atomic_begin();
  int result = __heddle_create_thread(thread, start, argument);
  __heddle_detach_thread(*thread);
  __heddle_atomic_end();
  return result;
}

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
int pthread_create(__heddle_handle *thread, const struct __heddle_attributes *attributes,
                   void *(*start)(void *), void *argument) {
  struct __heddle_thread *now = __heddle_allocate_hidden(sizeof *now);
  now->start = start;
  now->argument = argument;
  return __heddle_create_with(thread, attributes, __heddle_run_thread, now);
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

int pthread_setaffinity_np(__heddle_handle thread, size_t size, const void *set) {
  return __VERIFIER_nondet_int();
}
int sched_setaffinity(int id, size_t size, const void *set) { return -__VERIFIER_nondet_bool(); }
// A thread that has not ended makes the section that waits for it undone; then only the other
// choice is left.
static int __heddle_join_or(int busy, __heddle_handle thread, void **result) {
  __heddle_atomic_begin();
  int outcome = __VERIFIER_nondet_bool() ? busy : __heddle_join_thread(thread, result);
  __heddle_atomic_end();
  return outcome;
}
int pthread_tryjoin_np(__heddle_handle thread, void **result) {
  return __heddle_join_or(HEDDLE_EBUSY, thread, result);
}
int pthread_timedjoin_np(__heddle_handle thread, void **result, const void *until) {
  return __heddle_join_or(HEDDLE_ETIMEDOUT, thread, result);
}
int pthread_clockjoin_np(__heddle_handle thread, void **result, int clock, const void *until) {
  return __heddle_join_or(HEDDLE_ETIMEDOUT, thread, result);
}
// How threads are scheduled may change nothing: every interleaving is possible.
int pthread_setschedparam(__heddle_handle thread, int policy, const int *priority) {
  return __heddle_from_to(0, 1) ? HEDDLE_EPERM : 0;
}
int pthread_setschedprio(__heddle_handle thread, int priority) {
  return __heddle_from_to(0, 1) ? HEDDLE_EPERM : 0;
}
int pthread_getschedparam(__heddle_handle thread, int *policy, int *priority) {
  *policy = __heddle_from_to(0, 2);
  *priority = __heddle_from_to(0, 99);
  return 0;
}
int pthread_getaffinity_np(__heddle_handle thread, size_t size, void *set) {
  __heddle_any_bytes(set, size);
  return 0;
}
int pthread_getname_np(__heddle_handle thread, char *to, size_t size) {
  if (size < 16) return HEDDLE_ERANGE;
  __heddle_any_text(to, 16);
  return 0;
}
int pthread_getcpuclockid(__heddle_handle thread, int *clock) {
  *clock = __VERIFIER_nondet_int();
  return 0;
}
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }
// Signal 0 asks whether the thread is there.
int pthread_kill(__heddle_handle thread, int number) {
  if (number != 0) __heddle_unsupported("signals to threads");
  return __heddle_from_to(0, 1) ? HEDDLE_ESRCH : 0;
}
int pthread_getconcurrency(void) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int pthread_setname_np(__heddle_handle thread, const char *name) { return 0; }
static _Thread_local int __heddle_cancel_state, __heddle_cancel_type;
static int __heddle_set_cancel(int *kept, int value, int *old) {
  if (value != 0 && value != 1) return HEDDLE_EINVAL;
  if (old) *old = *kept;
  *kept = value;
  return 0;
}
int pthread_setcancelstate(int state, int *old) {
  return __heddle_set_cancel(&__heddle_cancel_state, state, old);
}
int pthread_setcanceltype(int type, int *old) {
  return __heddle_set_cancel(&__heddle_cancel_type, type, old);
}
void pthread_testcancel(void) {}

// ---- Mutexes. A call with a time limit succeeds at some moment at which the object is free, or
// gives up at one at which it is not: it tries once, whenever the scheduler lets it. It cannot
// block.

int pthread_mutexattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_mutexattr_destroy(int *attributes) { return 0; }
// The kind is in the lowest bits, and what changes nothing is above them.
static int __heddle_set_bits(int *attributes, int value, int most, int shift) {
  if (value < 0 || value > most) return HEDDLE_EINVAL;
  *attributes = (*attributes & ~(most << shift)) | value << shift;
  return 0;
}
static int __heddle_get_bits(const int *attributes, int *value, int most, int shift) {
  *value = *attributes >> shift & most;
  return 0;
}
int pthread_mutexattr_settype(int *attributes, int kind) {
  return __heddle_set_bits(attributes, kind, 3, 0);
}
int pthread_mutexattr_gettype(const int *attributes, int *kind) {
  return __heddle_get_bits(attributes, kind, 3, 0);
}
int pthread_mutexattr_setpshared(int *attributes, int shared) {
  return __heddle_set_bits(attributes, shared, 1, 2);
}
int pthread_mutexattr_getpshared(const int *attributes, int *shared) {
  return __heddle_get_bits(attributes, shared, 1, 2);
}
int pthread_mutexattr_setprotocol(int *attributes, int protocol) {
  return protocol == 3 ? HEDDLE_EINVAL : __heddle_set_bits(attributes, protocol, 3, 3);
}
int pthread_mutexattr_getprotocol(const int *attributes, int *protocol) {
  return __heddle_get_bits(attributes, protocol, 3, 3);
}
int pthread_mutexattr_setprioceiling(int *attributes, int priority) {
  return __heddle_set_bits(attributes, priority, 127, 8);
}
int pthread_mutexattr_getprioceiling(const int *attributes, int *priority) {
  return __heddle_get_bits(attributes, priority, 127, 8);
}
int pthread_mutexattr_setrobust(int *attributes, int robust) {
  if (robust) __heddle_unsupported("robust mutexes");
  return 0;
}
int pthread_mutexattr_getrobust(const int *attributes, int *robust) {
  *robust = 0;
  return 0;
}
int pthread_mutex_consistent(void *mutex) { return HEDDLE_EINVAL; }
int pthread_mutex_init(void *mutex, const int *attributes) {
  return __heddle_mutex_init(mutex, attributes ? *attributes & 3 : 0);
}
int pthread_mutex_destroy(void *mutex) { return __heddle_mutex_destroy(mutex); }
int pthread_mutex_lock(void *mutex) { return __heddle_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return __heddle_mutex_trylock(mutex); }
int pthread_mutex_unlock(void *mutex) { return __heddle_mutex_unlock(mutex); }
// An error-checking mutex tells its owner.
static int __heddle_would_deadlock(unsigned *mutex) {
  __heddle_handle self = __heddle_self_thread();
  __heddle_atomic_begin();
  unsigned owner = mutex[0], kind = mutex[sizeof(void *) == 8 ? 4 : 3] & 3;
  __heddle_atomic_end();
  return owner == self && kind == 2;
}
int pthread_mutex_timedlock(void *mutex, const void *until) {
  int result = __heddle_mutex_trylock(mutex);
  if (result != HEDDLE_EBUSY) return result;
  return __heddle_would_deadlock(mutex) ? HEDDLE_EDEADLK : HEDDLE_ETIMEDOUT;
}
int pthread_mutex_clocklock(void *mutex, int clock, const void *until) {
  return pthread_mutex_timedlock(mutex, until);
}

// ---- Condition variables

int pthread_condattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_condattr_destroy(int *attributes) { return 0; }
int pthread_condattr_setclock(int *attributes, int clock) {
  return __heddle_set_bits(attributes, clock, 1, 1);
}
int pthread_condattr_getclock(const int *attributes, int *clock) {
  return __heddle_get_bits(attributes, clock, 1, 1);
}
int pthread_condattr_setpshared(int *attributes, int shared) {
  return __heddle_set_bits(attributes, shared, 1, 0);
}
int pthread_condattr_getpshared(const int *attributes, int *shared) {
  return __heddle_get_bits(attributes, shared, 1, 0);
}
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

int pthread_rwlockattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_rwlockattr_destroy(int *attributes) { return 0; }
int pthread_rwlockattr_setpshared(int *attributes, int shared) {
  return __heddle_set_bits(attributes, shared, 1, 2);
}
int pthread_rwlockattr_getpshared(const int *attributes, int *shared) {
  return __heddle_get_bits(attributes, shared, 1, 2);
}
int pthread_rwlockattr_setkind_np(int *attributes, int kind) {
  return kind == 3 ? HEDDLE_EINVAL : __heddle_set_bits(attributes, kind, 3, 0);
}
int pthread_rwlockattr_getkind_np(const int *attributes, int *kind) {
  return __heddle_get_bits(attributes, kind, 3, 0);
}
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
static int __heddle_owns_rwlock(struct __heddle_rwlock *lock) {
  __heddle_handle self = __heddle_self_thread();
  __heddle_atomic_begin();
  int owns = lock->has_writer && lock->writer == self;
  __heddle_atomic_end();
  return owns;
}
int pthread_rwlock_timedrdlock(struct __heddle_rwlock *lock, const void *until) {
  if (__heddle_owns_rwlock(lock)) return HEDDLE_EDEADLK;
  return pthread_rwlock_tryrdlock(lock) ? HEDDLE_ETIMEDOUT : 0;
}
int pthread_rwlock_timedwrlock(struct __heddle_rwlock *lock, const void *until) {
  if (__heddle_owns_rwlock(lock)) return HEDDLE_EDEADLK;
  return pthread_rwlock_trywrlock(lock) ? HEDDLE_ETIMEDOUT : 0;
}
int pthread_rwlock_clockrdlock(struct __heddle_rwlock *lock, int clock, const void *until) {
  return pthread_rwlock_timedrdlock(lock, until);
}
int pthread_rwlock_clockwrlock(struct __heddle_rwlock *lock, int clock, const void *until) {
  return pthread_rwlock_timedwrlock(lock, until);
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
  unsigned leaving;  // threads of completed rounds that have not returned yet
};

int pthread_barrierattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_barrierattr_destroy(int *attributes) { return 0; }
int pthread_barrierattr_setpshared(int *attributes, int shared) {
  return __heddle_set_bits(attributes, shared, 1, 0);
}
int pthread_barrierattr_getpshared(const int *attributes, int *shared) {
  return __heddle_get_bits(attributes, shared, 1, 0);
}
int pthread_barrier_init(struct __heddle_barrier *barrier, const void *attributes, unsigned count) {
  if (count == 0) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  barrier->needed = count;
  barrier->arrived = 0;
  barrier->round = 0;
  barrier->leaving = 0;
  __heddle_atomic_end();
  return 0;
}
// Waits for threads of completed rounds, as glibc does: the first that returns may destroy it.
int pthread_barrier_destroy(struct __heddle_barrier *barrier) {
  __heddle_atomic_begin();
  __heddle_block_until(barrier->leaving == 0);
  __heddle_atomic_end();
  return 0;
}
int pthread_barrier_wait(struct __heddle_barrier *barrier) {
  __heddle_atomic_begin();
  unsigned round = barrier->round;
  unsigned arrived = barrier->arrived + 1;
  if (arrived == barrier->needed) {
    barrier->arrived = 0;
    barrier->round = round + 1;
    barrier->leaving = barrier->leaving + arrived - 1;
    __heddle_atomic_end();
    return -1;
  }
  barrier->arrived = arrived;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_block_until(barrier->round != round);
  barrier->leaving = barrier->leaving - 1;
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

enum { HEDDLE_MOST_UNITS = 0x7fffffff };
int sem_init(unsigned *semaphore, int shared, unsigned value) {
  if (value > HEDDLE_MOST_UNITS) {
    *__errno_location() = HEDDLE_EINVAL;
    return -1;
  }
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
static int __heddle_take_unit(unsigned *semaphore, int error) {
  __heddle_atomic_begin();
  int result = *semaphore != 0 ? 0 : -1;
  if (result == 0) *semaphore = *semaphore - 1;
  __heddle_atomic_end();
  if (result != 0) *__errno_location() = error;
  return result;
}
int sem_trywait(unsigned *semaphore) { return __heddle_take_unit(semaphore, HEDDLE_EAGAIN); }
int sem_timedwait(unsigned *semaphore, const void *until) {
  return __heddle_take_unit(semaphore, HEDDLE_ETIMEDOUT);
}
int sem_clockwait(unsigned *semaphore, int clock, const void *until) {
  return __heddle_take_unit(semaphore, HEDDLE_ETIMEDOUT);
}
int sem_post(unsigned *semaphore) {
  __heddle_atomic_begin();
  int fits = *semaphore < HEDDLE_MOST_UNITS;
  if (fits) *semaphore = *semaphore + 1;
  __heddle_atomic_end();
  if (!fits) *__errno_location() = HEDDLE_EOVERFLOW;
  return fits ? 0 : -1;
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
