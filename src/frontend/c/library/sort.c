// Sorting and searching

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = array;
  for (size_t i = 1; i < count; ++i)
    for (size_t k = i; k > 0 && compare(bytes + (k - 1) * size, bytes + k * size) > 0; --k)
      for (size_t b = 0; b < size; ++b) {
        char c = bytes[(k - 1) * size + b];
        bytes[(k - 1) * size + b] = bytes[k * size + b];
        bytes[k * size + b] = c;
      }
}
void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = (const char *)array + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}
