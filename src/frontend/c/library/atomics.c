// Atomic accesses of odd sizes, which Clang leaves to a library. Their names are Clang's own,
// hence the labels.

void __heddle_atomic_load(size_t size, void *from, void *to, int order) __asm__("__atomic_load");
void __heddle_atomic_load(size_t size, void *from, void *to, int order) {
  __heddle_atomic_begin();
  __heddle_copy(to, from, size);
  __heddle_atomic_end();
}
void __heddle_atomic_store(size_t size, void *to, void *from, int order) __asm__("__atomic_store");
void __heddle_atomic_store(size_t size, void *to, void *from, int order) {
  __heddle_atomic_begin();
  __heddle_copy(to, from, size);
  __heddle_atomic_end();
}
void __heddle_atomic_exchange(size_t size, void *object, void *desired, void *old, int order)
    __asm__("__atomic_exchange");
void __heddle_atomic_exchange(size_t size, void *object, void *desired, void *old, int order) {
  __heddle_atomic_begin();
  __heddle_copy(old, object, size);
  __heddle_copy(object, desired, size);
  __heddle_atomic_end();
}
_Bool __heddle_compare_exchange(size_t size, void *object, void *expected, void *desired,
                                int success, int failure) __asm__("__atomic_compare_exchange");
_Bool __heddle_compare_exchange(size_t size, void *object, void *expected, void *desired,
                                int success, int failure) {
  __heddle_atomic_begin();
  _Bool equal = memcmp(object, expected, size) == 0;
  if (equal) __heddle_copy(object, desired, size);
  else __heddle_copy(expected, object, size);
  __heddle_atomic_end();
  return equal;
}
