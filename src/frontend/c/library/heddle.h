// What the files of the library share. Functions without a body here are instructions of the model.

typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ intptr_t;

void *__heddle_allocate(size_t size);
void *__heddle_allocate_zeroed(size_t size);
void *__heddle_allocate_hidden(size_t size);  // not the program's: it cannot lose it
void __heddle_free(void *object);
size_t __heddle_object_size(void *object);
void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
void __heddle_block_until(int condition);
void __heddle_assume(int condition);
void __heddle_fail(const char *text) __attribute__((noreturn));
void __heddle_exit(void) __attribute__((noreturn));
void __heddle_abort(void) __attribute__((noreturn));
void __heddle_unsupported(const char *what);
void __heddle_warn(const char *text);

int *__errno_location(void);
int *__h_errno_location(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);

void *__heddle_copy(void *to, const void *from, size_t size);
void *__heddle_move(void *to, const void *from, size_t size);
void *__heddle_fill(void *to, int byte, size_t size);

typedef unsigned long __heddle_handle;

__heddle_handle __heddle_self_thread(void);
int __heddle_create_thread(__heddle_handle *thread, void *(*start)(void *), void *argument);
int __heddle_join_thread(__heddle_handle thread, void **result);
int __heddle_detach_thread(__heddle_handle thread);
void __heddle_exit_thread(void *result) __attribute__((noreturn));
int __heddle_mutex_init(void *mutex, int kind);
int __heddle_mutex_destroy(void *mutex);
int __heddle_mutex_lock(void *mutex);
int __heddle_mutex_trylock(void *mutex);
int __heddle_mutex_unlock(void *mutex);
int __heddle_condition_wait(void *condition, void *mutex);
int __heddle_condition_timed_wait(void *condition, void *mutex);
int __heddle_condition_signal(void *condition);
int __heddle_condition_broadcast(void *condition);

enum {
  HEDDLE_EPERM = 1, HEDDLE_ESRCH = 3, HEDDLE_EAGAIN = 11, HEDDLE_ENOMEM = 12, HEDDLE_EBUSY = 16,
  HEDDLE_EINVAL = 22, HEDDLE_ERANGE = 34, HEDDLE_EDEADLK = 35, HEDDLE_EOVERFLOW = 75,
  HEDDLE_ENOTSUP = 95, HEDDLE_ETIMEDOUT = 110
};

// Results of calls to the system: a count up to `most`, 0, or a descriptor; or -1 with an error.
long __heddle_count(size_t most);
int __heddle_success(void);
int __heddle_descriptor(void);
// Fills memory with anything.
void __heddle_any_bytes(void *to, size_t size);
// Any text that fits into `size` bytes.
void __heddle_any_text(char *to, size_t size);
// Any number from `first` to `last`.
int __heddle_from_to(int first, int last);

void exit(int status) __attribute__((noreturn));
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strchr(const char *text, int c);
int isalpha(int c);
int isdigit(int c);
int isspace(int c);
int isxdigit(int c);
int tolower(int c);
struct __heddle_attributes;
int pthread_create(__heddle_handle *thread, const struct __heddle_attributes *attributes,
                   void *(*start)(void *), void *argument);
void pthread_exit(void *result) __attribute__((noreturn));
int pthread_key_create(unsigned *key, void (*destructor)(void *));
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
int pthread_key_delete(unsigned key);
int pthread_once(int *control, void (*function)(void));
