#pragma once

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// A C program of two or three threads over two numbers and a mutex, without loops: main may fail
/// after it has joined the others, and the others may fail where they are.
model::CTask random_c_task(Random& random);

/// One whose main creates and detaches threads, for ever or once: there are few states for each
/// number of threads.
model::CTask random_creating_c_task(Random& random);

/// One that asks for data races: two or three threads over two numbers, most of the time under a
/// mutex, before a thread is created or after it is joined, or by atomic operations.
model::CTask random_race_task(Random& random);

/// One that asks for termination: one to three threads with small loops over two numbers, some of
/// them under mutexes that may be taken in different orders. Some runs end, some do not.
model::CTask random_termination_task(Random& random);

/// One whose threads take mutexes and wait, for a number to be another one at a condition variable,
/// or in an atomic section, and wake each other, or forget to. It asks for deadlocks, or for
/// termination.
model::CTask random_waiting_task(Random& random, model::c::Property property);

/// One whose main allocates an object; one or two threads use it, within and behind its end, or
/// free it, some of them under a mutex or in atomic sections; main may join one, and uses it, too.
model::CTask random_heap_task(Random& random, model::c::Property property);

/// The same with a statement more or another constant, or another property.
void change_model(model::CTask& task, Random& random);

}  // namespace heddle::test
