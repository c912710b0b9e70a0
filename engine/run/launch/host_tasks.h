// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace trainyard::run {

// Runs calls that may block, such as a launcher's, off the caller's thread. Calls of one lane run one after another,
// lanes in parallel: up to 32 calls at a time. Used by one thread.
class HostTasks {
public:
    HostTasks();
    // Does not wait: drops calls that have not begun, and the results of those that have.
    ~HostTasks();
    HostTasks(const HostTasks&) = delete;
    HostTasks& operator=(const HostTasks&) = delete;

    // `call` runs on another thread, possibly beyond the end of this object, so it owns all that it uses. deliver()
    // passes its result to `done`.
    template <class T>
    void start(const std::string& lane, std::function<T()> call, std::function<void(T)> done) {
        add(lane, [call = std::move(call), done = std::move(done)]() -> Delivery {
            auto result = std::make_shared<T>(call());
            return [done, result] { done(std::move(*result)); };
        });
    }
    int fd() const;    // readable when there is something to deliver
    void deliver();    // what has ended since
    void finish();     // waits for all and delivers it
    int count() const; // started, and not yet delivered

private:
    using Delivery = std::function<void()>;
    struct State;
    void add(const std::string& lane, std::function<Delivery()> task);

    std::shared_ptr<State> m_state; // with the threads
    int m_count = 0;
};

} // namespace trainyard::run
