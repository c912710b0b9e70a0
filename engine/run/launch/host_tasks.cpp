// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/host_tasks.h"

#include "engine/base/machine/mutex.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>
#include <deque>
#include <map>
#include <thread>
#include <vector>

namespace trainyard::run {
namespace {

constexpr int kMostAtWork = 32;

} // namespace

struct HostTasks::State {
    struct Lane {
        std::deque<std::function<Delivery()>> waiting;
    };
    Mutex mutex;
    Condition changed;
    std::map<std::string, Lane> lanes TY_GUARDED_BY(mutex); // those with a thread
    std::vector<Delivery> done TY_GUARDED_BY(mutex);
    int atWork TY_GUARDED_BY(mutex) = 0;
    bool over TY_GUARDED_BY(mutex) = false;
    UniqueFd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    // The thread of a lane: it ends with the last task that waits.
    void serve(const std::string& name) {
        MutexLock lock(mutex);
        for (;;) {
            while (!over && atWork >= kMostAtWork) changed.wait(lock);
            auto& waiting = lanes[name].waiting;
            if (over || waiting.empty()) break;
            const auto task = std::move(waiting.front());
            waiting.pop_front();
            ++atWork;
            lock.unlock();
            auto delivery = task();
            lock.lock();
            --atWork;
            if (!over) done.push_back(std::move(delivery));
            const std::uint64_t one = 1;
            [[maybe_unused]] const auto written = ::write(wake.get(), &one, sizeof one);
            changed.notifyAll();
        }
        lanes.erase(name);
    }
};

HostTasks::HostTasks() : m_state(std::make_shared<State>()) {}

HostTasks::~HostTasks() {
    const MutexLock lock(m_state->mutex);
    m_state->over = true;
    for (auto& [name, lane] : m_state->lanes) lane.waiting.clear();
    m_state->done.clear();
    m_state->changed.notifyAll();
}

void HostTasks::add(const std::string& lane, std::function<Delivery()> task) {
    ++m_count;
    const MutexLock lock(m_state->mutex);
    const bool hasThread = m_state->lanes.contains(lane);
    m_state->lanes[lane].waiting.push_back(std::move(task));
    if (!hasThread) std::thread([state = m_state, lane] { state->serve(lane); }).detach();
}

int HostTasks::fd() const { return m_state->wake.get(); }

void HostTasks::deliver() {
    std::vector<Delivery> done;
    {
        const MutexLock lock(m_state->mutex);
        std::uint64_t count = 0;
        [[maybe_unused]] const auto got = ::read(m_state->wake.get(), &count, sizeof count);
        done.swap(m_state->done);
    }
    m_count -= static_cast<int>(done.size());
    for (const auto& each : done) each();
}

void HostTasks::finish() {
    while (m_count > 0) {
        pollfd entry{fd(), POLLIN, 0};
        if (::poll(&entry, 1, -1) > 0) deliver();
    }
}

int HostTasks::count() const { return m_count; }

} // namespace trainyard::run
