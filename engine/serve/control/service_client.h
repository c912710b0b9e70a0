// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to a service's server: one JSON object a line on its control socket, and one back.
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/serve/control/service_folder.h"

#include <string>

namespace trainyard::serve {

// Each call is a connection of its own, from any thread. Errors are those of the server, or Environment with code
// NotRunning where none serves. A call waits `seconds` at most.
class ServiceClient {
public:
    explicit ServiceClient(ServiceFolder folder) : m_folder(std::move(folder)) {}

    Result<ServiceStatus> status(double seconds = 5) const;
    // Loads, warms and checks the file, and then gives it all new requests. Returns once it has them, or with the
    // reason why nothing has changed.
    Result<void> swap(const ServedModel& model, double seconds = 120) const;
    // The same without giving it any requests but a share of them, by a hash of each one's id (0: ends it), or copies
    // of them, whose answers are compared.
    Result<void> canary(const ServedModel& model, double share, double seconds = 120) const;
    Result<void> shadow(const ServedModel& model, double seconds = 120) const;
    Result<void> setShare(const std::string& model, double share) const;
    // The canary or shadow becomes the version of all; the version before it becomes that again.
    Result<void> promote(const std::string& model) const;
    Result<void> rollback(const std::string& model) const;
    Result<void> scale(int least, int most) const;
    // Ends a replica's process with SIGKILL; another takes its place.
    Result<void> killReplica(int number) const;
    // Takes no new requests from now on; stop() also ends it. Both return at once: watch the status.
    Result<void> drain() const;
    Result<void> stop() const;
    // Returns once the server is gone and its processes are counted; what is left after `seconds` is killed.
    Result<ServiceStatus> stopAndWait(double seconds) const;

    const ServiceFolder& folder() const { return m_folder; }

    // A question as it is, for who passes on those of others.
    Result<Json> ask(const Json& question, double seconds) const;

private:
    Result<void> tell(const Json& question, double seconds) const;

    ServiceFolder m_folder;
};

// A socket in a folder whose path may be longer than the kernel has room for: listens there, replacing what is there;
// or connects to it. Nothing if impossible, or the one who listens is another user.
UniqueFd listenForControl(const std::filesystem::path& socket);
UniqueFd connectToControl(const std::filesystem::path& socket);

} // namespace trainyard::serve
