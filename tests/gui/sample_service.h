// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "engine/serve/control/service_folder.h"
#include "engine/store/store.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace trainyard::testing {

// A service that looks busy: two versions, three replicas, latencies of some thousand requests.
serve::ServiceSpec busySpec(const std::string& name);
serve::ServiceStatus busyStatus(const serve::ServiceSpec& spec);
// Writes the folder of a service that has ended as `status` says.
void leaveService(const store::Workspace& workspace, const serve::ServiceSpec& spec,
                  const serve::ServiceStatus& status);

// The folder of a service with its lock held and its control socket answered, as its server does it: so the page of a
// service is seen in states that a real one passes in a moment.
class StandingService {
public:
    StandingService(const store::Workspace& workspace, const serve::ServiceSpec& spec,
                    const serve::ServiceStatus& status);
    ~StandingService();
    StandingService(const StandingService&) = delete;
    StandingService& operator=(const StandingService&) = delete;

    void tell(const serve::ServiceStatus& status); // from now on
    // The requests so far that were no question about its status, one JSON object each.
    std::vector<std::string> requests() const;

private:
    void serve();
    std::string answerTo(const std::string& line);

    serve::ServiceFolder m_folder;
    Result<store::RunLock> m_lock;
    UniqueFd m_listener;
    mutable Mutex m_mutex;
    serve::ServiceStatus m_status TY_GUARDED_BY(m_mutex);
    std::vector<std::string> m_requests TY_GUARDED_BY(m_mutex);
    std::atomic<bool> m_ends = false;
    std::thread m_thread;
};

} // namespace trainyard::testing
