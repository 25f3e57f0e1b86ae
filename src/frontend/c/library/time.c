// Time passes, or not.

unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *request, void *remaining) { return 0; }
int sched_yield(void) { return 0; }
static long __heddle_moment(void) {
  long now = __VERIFIER_nondet_long();
  __heddle_assume(now >= 0);
  return now;
}
long time(long *to) {
  long now = __heddle_moment();
  if (to) *to = now;
  return now;
}
long clock(void) { return __heddle_moment(); }
struct __heddle_time {
  long seconds;
  long parts;
};
int gettimeofday(struct __heddle_time *to, void *zone) {
  to->seconds = __heddle_moment();
  long parts = __heddle_moment();
  __heddle_assume(parts < 1000000);
  to->parts = parts;
  return 0;
}
int clock_gettime(int clock, struct __heddle_time *to) {
  to->seconds = __heddle_moment();
  long parts = __heddle_moment();
  __heddle_assume(parts < 1000000000);
  to->parts = parts;
  return 0;
}

struct __heddle_calendar {
  int second, minute, hour, day, month, year, weekday, day_of_year, is_summer;
  long offset;
  const char *zone;
};
struct __heddle_calendar *localtime_r(const long *time, struct __heddle_calendar *to) {
  to->second = __heddle_from_to(0, 60);
  to->minute = __heddle_from_to(0, 59);
  to->hour = __heddle_from_to(0, 23);
  to->day = __heddle_from_to(1, 31);
  to->month = __heddle_from_to(0, 11);
  to->year = __VERIFIER_nondet_int();
  to->weekday = __heddle_from_to(0, 6);
  to->day_of_year = __heddle_from_to(0, 365);
  to->is_summer = __heddle_from_to(-1, 1);
  to->offset = __VERIFIER_nondet_long();
  to->zone = "UTC";
  return to;
}
struct __heddle_calendar *gmtime_r(const long *time, struct __heddle_calendar *to) {
  return localtime_r(time, to);
}
static struct __heddle_calendar __heddle_now;
struct __heddle_calendar *localtime(const long *time) { return localtime_r(time, &__heddle_now); }
struct __heddle_calendar *gmtime(const long *time) { return localtime_r(time, &__heddle_now); }
size_t strftime(char *to, size_t size, const char *format, const void *time) {
  __builtin_va_list none;
  int length = vsnprintf(to, size, format, none);
  return (size_t)length < size ? (size_t)length : 0;
}
int clock_getres(int clock, struct __heddle_time *to) {
  if (to) {
    to->seconds = 0;
    to->parts = __heddle_from_to(1, 999999999);
  }
  return 0;
}
int clock_nanosleep(int clock, int flags, const void *request, void *remaining) { return 0; }
int timespec_get(struct __heddle_time *to, int base) {
  clock_gettime(0, to);
  return base;
}
long mktime(void *calendar) { return __VERIFIER_nondet_long(); }
static char __heddle_date[26];
static char *__heddle_any_date(char *to) {
  __heddle_any_text(to, 26);
  return to;
}
char *ctime(const long *time) { return __heddle_any_date(__heddle_date); }
char *asctime(const void *calendar) { return __heddle_any_date(__heddle_date); }
char *ctime_r(const long *time, char *to) { return __heddle_any_date(to); }
char *asctime_r(const void *calendar, char *to) { return __heddle_any_date(to); }
void tzset(void) {}
long times(long *to) {
  if (to)
    for (int i = 0; i < 4; ++i) to[i] = __heddle_moment();
  return __heddle_moment();
}
int getrusage(int who, long *to) {
  for (int i = 0; i < 18; ++i) to[i] = __VERIFIER_nondet_long();
  return 0;
}
