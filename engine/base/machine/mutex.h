// SPDX-License-Identifier: GPL-3.0-or-later
// Mutexes that clang's thread-safety analysis knows: a member says which mutex guards it, a function which it needs,
// and a build with clang (`cmake --build build --target thread_safety`) refuses what reads or writes it without.
// Other compilers see std::mutex.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define TY_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define TY_THREAD_ATTRIBUTE(x)
#endif

#define TY_GUARDED_BY(mutex) TY_THREAD_ATTRIBUTE(guarded_by(mutex))
#define TY_REQUIRES(mutex) TY_THREAD_ATTRIBUTE(requires_capability(mutex))

namespace trainyard {

class TY_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
public:
    void lock() TY_THREAD_ATTRIBUTE(acquire_capability()) { m_mutex.lock(); }
    void unlock() TY_THREAD_ATTRIBUTE(release_capability()) { m_mutex.unlock(); }

private:
    friend class MutexLock;
    std::mutex m_mutex;
};

// Holds a mutex as long as it lives, but between unlock() and lock().
class TY_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
public:
    explicit MutexLock(Mutex& mutex) TY_THREAD_ATTRIBUTE(acquire_capability(mutex)) : m_lock(mutex.m_mutex) {}
    ~MutexLock() TY_THREAD_ATTRIBUTE(release_capability()) {} // NOLINT(modernize-use-equals-default): the attribute
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;
    void lock() TY_THREAD_ATTRIBUTE(acquire_capability()) { m_lock.lock(); }
    void unlock() TY_THREAD_ATTRIBUTE(release_capability()) { m_lock.unlock(); }

private:
    friend class Condition;
    std::unique_lock<std::mutex> m_lock;
};

// What waits for a change of what a mutex guards. Waits end without one, too: call them in a loop that looks.
class Condition {
public:
    void wait(MutexLock& lock) { m_condition.wait(lock.m_lock); }
    // False once the time is over.
    template <class Duration>
    bool waitFor(MutexLock& lock, const Duration& duration) {
        return m_condition.wait_for(lock.m_lock, duration) == std::cv_status::no_timeout;
    }
    template <class Time>
    bool waitUntil(MutexLock& lock, const Time& time) {
        return m_condition.wait_until(lock.m_lock, time) == std::cv_status::no_timeout;
    }
    void notifyOne() { m_condition.notify_one(); }
    void notifyAll() { m_condition.notify_all(); }

private:
    std::condition_variable m_condition;
};

} // namespace trainyard
