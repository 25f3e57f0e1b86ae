/// Threads and synchronisation, executed with two ways of taking turns.

#include "execution.hpp"

namespace heddle::frontend::c {
namespace {

void expect_all_turns(const std::string& text) {
  for (const std::size_t turn : {1000U, 1U, 3U, 7U}) expect_runs(text, {}, turn);
}

const std::string kHead = "#include <pthread.h>\n#include <assert.h>\n#include <semaphore.h>\n";

TEST(CThreads, CreateJoinAndResults) {
  expect_all_turns(kHead + R"(
    int done[3];
    void *f(void *p) { int n = *(int *)p; done[n] = 1; return (void *)(long)(n * 10); }
    void *g(void *p) { pthread_exit((void *)5); return 0; }
    int main(void) {
      pthread_t t[3], u; int ids[3]; void *r;
      for (int i = 0; i < 3; i++) { ids[i] = i; pthread_create(&t[i], 0, f, &ids[i]); }
      for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); assert((long)r == i * 10 && done[i]); }
      pthread_create(&u, 0, g, 0); pthread_join(u, &r); assert((long)r == 5);
      assert(pthread_equal(pthread_self(), pthread_self())); assert(!pthread_equal(pthread_self(), u));
      return 0;
    })");
}

TEST(CThreads, MutexesOfAllKinds) {
  expect_all_turns(kHead + R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r, e; int n;
    void *f(void *p) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); int k = n; n = k + 1; pthread_mutex_unlock(&m); } return 0; }
    int main(void) {
      pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(a, 0); pthread_join(b, 0);
      assert(n == 6);
      pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);
      pthread_mutex_init(&r, &k); assert(!pthread_mutex_lock(&r) && !pthread_mutex_lock(&r) && !pthread_mutex_unlock(&r) && !pthread_mutex_unlock(&r));
      pthread_mutexattr_settype(&k, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&e, &k);
      assert(pthread_mutex_unlock(&e) != 0); assert(!pthread_mutex_lock(&e)); assert(pthread_mutex_lock(&e) == 35);
      assert(pthread_mutex_trylock(&e) == 16); assert(!pthread_mutex_unlock(&e)); pthread_mutex_destroy(&e);
      return 0;
    })");
}

TEST(CThreads, ConditionVariables) {
  expect_all_turns(kHead + R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, seen;
    void *f(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); seen = ready; pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
      pthread_mutex_lock(&m); ready = 3; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
      pthread_join(a, 0); pthread_join(b, 0); assert(seen == 3); return 0;
    })");
}

TEST(CThreads, SemaphoresBarriersReadWriteLocksSpinLocksAndOnce) {
  expect_all_turns(kHead + R"(
    sem_t s; pthread_barrier_t b; pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; pthread_spinlock_t l;
    pthread_once_t o = PTHREAD_ONCE_INIT; int x, y, z, once, serial;
    void first(void) { once++; }
    void *f(void *p) {
      pthread_once(&o, first); assert(once == 1);
      sem_wait(&s); x++; sem_post(&s);
      if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) { pthread_spin_lock(&l); serial++; pthread_spin_unlock(&l); }
      assert(x == 2);
      pthread_rwlock_rdlock(&w); int k = y; pthread_rwlock_unlock(&w); assert(k >= 0);
      pthread_rwlock_wrlock(&w); y++; pthread_rwlock_unlock(&w);
      pthread_spin_lock(&l); z++; pthread_spin_unlock(&l);
      return 0;
    }
    int main(void) {
      pthread_t a, c; sem_init(&s, 0, 1); pthread_barrier_init(&b, 0, 2); pthread_spin_init(&l, 0);
      pthread_create(&a, 0, f, 0); pthread_create(&c, 0, f, 0); pthread_join(a, 0); pthread_join(c, 0);
      assert(x == 2 && y == 2 && z == 2 && serial == 1);
      assert(sem_trywait(&s) == 0 && sem_trywait(&s) != 0); assert(pthread_spin_trylock(&l) == 0 && pthread_spin_trylock(&l) != 0);
      assert(!pthread_rwlock_tryrdlock(&w) && !pthread_rwlock_tryrdlock(&w) && pthread_rwlock_trywrlock(&w) != 0);
      return 0;
    })");
}

TEST(CThreads, ThreadLocalVariablesAndKeys) {
  expect_all_turns(kHead + R"(
    _Thread_local int mine = 4; static __thread int other; pthread_key_t k; int *address;
    void *f(void *p) { assert(mine == 4 && &mine != address); mine = 9; other++; assert(!pthread_getspecific(k));
      pthread_setspecific(k, p); assert(pthread_getspecific(k) == p && other == 1); return 0; }
    int main(void) {
      address = &mine; mine = 5; pthread_key_create(&k, 0); pthread_setspecific(k, &k);
      pthread_t a, b; pthread_create(&a, 0, f, &a); pthread_create(&b, 0, f, &b); pthread_join(a, 0); pthread_join(b, 0);
      assert(mine == 5 && *address == 5 && other == 0 && pthread_getspecific(k) == &k); return 0;
    })");
}

TEST(CThreads, ThreadsOfC11) {
  expect_all_turns(R"(
    #include <threads.h>
    #include <assert.h>
    mtx_t m; cnd_t c; int n, go; once_flag o = ONCE_FLAG_INIT; int once; tss_t key;
    void first(void) { once++; }
    int f(void *p) { call_once(&o, first); mtx_lock(&m); while (!go) cnd_wait(&c, &m); n += *(int *)p; mtx_unlock(&m);
      tss_set(key, p); assert(tss_get(key) == p); return 7; }
    int main(void) {
      thrd_t a, b; int x = 3, y = 4, r; mtx_init(&m, mtx_plain); cnd_init(&c); tss_create(&key, 0);
      assert(thrd_create(&a, f, &x) == thrd_success); thrd_create(&b, f, &y);
      mtx_lock(&m); go = 1; cnd_broadcast(&c); mtx_unlock(&m);
      thrd_join(a, &r); assert(r == 7); thrd_join(b, 0); assert(n == 7 && once == 1);
      assert(mtx_trylock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy); return 0;
    })");
}

TEST(CThreads, AtomicOperations) {
  expect_all_turns(kHead + R"(
    #include <stdatomic.h>
    _Atomic int n; atomic_uint u; int g; char flags; atomic_flag l = ATOMIC_FLAG_INIT; _Atomic(int *) p;
    struct big { int v[5]; }; _Atomic struct big s;
    void *f(void *q) { for (int i = 0; i < 3; i++) { n++; atomic_fetch_add(&u, 2); __sync_fetch_and_add(&g, 1); }
      while (atomic_flag_test_and_set(&l)) {} flags++; atomic_flag_clear(&l); return 0; }
    int main(void) {
      pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(a, 0); pthread_join(b, 0);
      assert(n == 6 && u == 12 && g == 6 && flags == 2);
      int e = 5; assert(!atomic_compare_exchange_strong(&n, &e, 9) && e == 6); assert(atomic_compare_exchange_strong(&n, &e, 9) && n == 9);
      assert(__sync_bool_compare_and_swap(&g, 6, 7) && g == 7 && __sync_val_compare_and_swap(&g, 6, 8) == 7);
      assert(atomic_exchange(&u, 1) == 12 && atomic_fetch_or(&u, 6) == 1 && u == 7 && atomic_fetch_xor(&u, 2) == 7 && u == 5);
      assert(__atomic_fetch_nand(&g, 3, __ATOMIC_SEQ_CST) == 7 && g == ~3); int t; __atomic_load(&g, &t, 0); assert(t == ~3);
      __atomic_store_n(&g, 11, __ATOMIC_RELEASE); assert(__atomic_load_n(&g, __ATOMIC_ACQUIRE) == 11 && __atomic_add_fetch(&g, 1, 5) == 12);
      int x; p = &x; assert(p == &x); struct big k = {{1, 2, 3, 4, 5}}; s = k; struct big m = s; assert(m.v[4] == 5);
      atomic_thread_fence(memory_order_seq_cst); __sync_synchronize(); __asm__ volatile("" ::: "memory"); return 0;
    })");
}

TEST(CThreads, AtomicSections) {
  const std::string text = R"(
    #include <pthread.h>
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error();
    int x, y;
    void __VERIFIER_atomic_both(void) { x++; y++; }
    void *f(void *p) { BODY; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
      for (int i = 0; i < 20; i++) { __VERIFIER_atomic_begin(); int same = x == y; __VERIFIER_atomic_end(); if (!same) reach_error(); }
      return 0; })";
  const auto outcome = [&](const std::string& body, std::size_t turn) {
    ReadOptions options;
    options.definitions = {"BODY=" + body};
    return execute(read(text, options), {}, turn).outcome;
  };
  for (const std::size_t turn : {1U, 2U, 3U, 5U}) {
    EXPECT_EQ(outcome("__VERIFIER_atomic_begin();x++;y++;__VERIFIER_atomic_end()", turn),
              model::c::Outcome::ProcessEnded);
    EXPECT_EQ(outcome("__VERIFIER_atomic_both()", turn), model::c::Outcome::ProcessEnded);
  }
  EXPECT_EQ(outcome("x++;y++", 1), model::c::Outcome::Violated);
}

}  // namespace
}  // namespace heddle::frontend::c
