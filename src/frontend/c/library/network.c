// Sockets, and waiting for files.

int socket(int domain, int type, int protocol) { return __heddle_descriptor(); }
int bind(int file, const void *address, unsigned size) { return __heddle_success(); }
int listen(int file, int backlog) { return __heddle_success(); }
int connect(int file, const void *address, unsigned size) { return __heddle_success(); }
int setsockopt(int file, int level, int name, const void *value, unsigned size) {
  return __heddle_success();
}
int accept(int file, void *address, unsigned *size) {
  if (address) __heddle_unsupported("accept that tells the address");
  return __heddle_descriptor();
}
int shutdown(int file, int how) { return __heddle_success(); }
unsigned short htons(unsigned short word) { return (unsigned short)(word << 8 | word >> 8); }
unsigned short ntohs(unsigned short word) { return htons(word); }
unsigned htonl(unsigned word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}
unsigned ntohl(unsigned word) { return htonl(word); }
struct __heddle_poll {
  int file;
  short events, happened;
};
int poll(struct __heddle_poll *files, unsigned long count, int timeout) {
  int ready = 0;
  if (__heddle_success() != 0) return -1;
  for (unsigned long i = 0; i < count; ++i) {
    int happened = __heddle_from_to(0, 0x3fff) & (files[i].events | 0x38);  // POLLERR, HUP, NVAL
    files[i].happened = (short)happened;
    if (happened) ++ready;
  }
  __heddle_assume(ready > 0 || timeout >= 0);
  return ready;
}
static void __heddle_some_files(unsigned long *set) {
  if (!set) return;
  for (size_t i = 0; i < 1024 / (8 * sizeof(long)); ++i) set[i] &= __VERIFIER_nondet_ulong();
}
int select(int limit, void *to_read, void *to_write, void *exceptional, void *timeout) {
  if (__heddle_success() != 0) return -1;
  __heddle_some_files(to_read);
  __heddle_some_files(to_write);
  __heddle_some_files(exceptional);
  return __heddle_from_to(timeout ? 0 : 1, 3 * 1024);
}
int pselect(int limit, void *to_read, void *to_write, void *exceptional, const void *timeout,
            const void *signals) {
  return select(limit, to_read, to_write, exceptional, (void *)timeout);
}

// ---- Addresses: a host has one of four bytes.

unsigned inet_addr(const char *text) { return __VERIFIER_nondet_uint(); }
static char __heddle_address_text[16];
char *inet_ntoa(unsigned address) {
  __heddle_any_text(__heddle_address_text, sizeof __heddle_address_text);
  return __heddle_address_text;
}
struct __heddle_host {
  const char *name;
  char **aliases;
  int kind, length;
  char **addresses;
};
static char __heddle_host_address[4];
static char *__heddle_host_lists[3] = {__heddle_host_address, 0, 0};
static struct __heddle_host __heddle_host = {"host", __heddle_host_lists + 2, 2, 4,
                                             __heddle_host_lists};
struct __heddle_host *gethostbyname(const char *name) {
  if (__VERIFIER_nondet_bool()) {
    *__h_errno_location() = __heddle_from_to(1, 4);
    return 0;
  }
  __heddle_any_bytes(__heddle_host_address, sizeof __heddle_host_address);
  return &__heddle_host;
}
const char *hstrerror(int number) { return "error"; }
int getaddrinfo(const char *name, const char *service, const void *hints, void *to) {
  if (__VERIFIER_nondet_bool()) __heddle_unsupported("getaddrinfo that succeeds");
  int error = __VERIFIER_nondet_int();
  __heddle_assume(error != 0);
  return error;
}
void freeaddrinfo(void *list) {}
const char *gai_strerror(int number) { return "error"; }
