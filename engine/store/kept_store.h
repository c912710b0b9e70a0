// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/store/run_query.h"

#include <chrono>
#include <thread>

namespace trainyard::store {

// The database of a process that reads and writes again and again: opened when it is first needed, and kept, since
// opening costs more than a small write. One thread.
class KeptStore {
public:
    struct Options {
        double syncSeconds = 0; // Store::setSyncInterval
        int busyTimeoutMs = 0;  // Store::setBusyTimeout; 0: as it is
        Store::Check check = Store::Check::Done;
    };
    KeptStore(Workspace workspace, Options options) : m_workspace(std::move(workspace)), m_options(options) {}

    const Workspace& workspace() const { return m_workspace; }
    // Valid as long as this object. Environment when it cannot be opened now; the next call tries again.
    Result<Store*> writer();
    Result<RunQuery*> reader();

private:
    Workspace m_workspace;
    Options m_options;
    std::unique_ptr<Store> m_writer;
    std::unique_ptr<RunQuery> m_reader;
};

// Makes a call again for up to `seconds` while it ends in an Environment error: a drive that is away for a moment, a
// file that another program holds. The call must be one that can be repeated. Gives the last result.
template <class Call>
auto patiently(double seconds, const Call& call) {
    for (const double deadline = monotonicSeconds() + seconds;;) {
        auto result = call();
        if (result || result.error().kind != ErrorKind::Environment || monotonicSeconds() > deadline) return result;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

} // namespace trainyard::store
