// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a service in its workspace: services/NAME.
#pragma once

#include "engine/serve/values/service_spec.h"
#include "engine/serve/values/service_status.h"
#include "engine/store/workspace.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::serve {

// The files of a service. Its lock is that of the folder (store::RunLock).
struct ServiceFolder {
    std::filesystem::path root;

    std::filesystem::path spec() const { return root / "service.json"; }
    std::filesystem::path token() const { return root / "token"; }
    std::filesystem::path state() const { return root / "state.json"; }
    std::filesystem::path accessLog() const { return root / "access.log"; }
    std::filesystem::path controlSocket() const { return root / "control.sock"; }
    std::filesystem::path figures() const { return root / "figures"; }
    std::filesystem::path models() const { return root / "models"; } // links to the files that are served
    std::filesystem::path serverLog() const { return root / "supervisor.log"; }

    static ServiceFolder of(const store::Workspace& workspace, const std::string& name);
    // Whether its server lives.
    bool isServed() const;
};

// A service as it is now: what it is to be, and how it fares. Of one whose server does not live, what it left; one
// that was killed reads as Failed.
struct ServiceView {
    ServiceFolder folder;
    ServiceSpec spec;
    ServiceStatus status;
    bool isServed = false;
};

// The service's file. Input with the nearest name (RunUnknown) when there is none.
Result<ServiceSpec> readService(const store::Workspace& workspace, const std::string& name);
// One service; waits a second for its server at most.
Result<ServiceView> viewService(const store::Workspace& workspace, const std::string& name);
// All of a workspace by name, also those that ended. One that cannot be read is Failed, with the reason.
std::vector<ServiceView> listServices(const store::Workspace& workspace);

// Rule: what stands behind a service's folder.
// The command of trainyardctl that is started with it: the server, or the link to the host that the service lives on.
const char* commandOf(const ServiceSpec& spec);

// The token that clients send: read, or made (0600) where there is none. Environment when it cannot be.
Result<std::string> tokenOf(const ServiceFolder& folder);
// Makes another, which the server takes when it begins the next time.
Result<std::string> renewToken(const ServiceFolder& folder);
// Writes a token that another computer has made (0600).
Result<void> keepToken(const ServiceFolder& folder, const std::string& token);

// Starts the service's server detached and returns once that program runs (some milliseconds); its models are loaded
// after that. A service of that name that does not run is replaced and keeps its token and, where the new one has port
// 0, its port. Input: the spec is wrong. Environment: one of that name runs (AlreadyRunning), or it cannot start.
Result<ServiceFolder> startService(const store::Workspace& workspace, ServiceSpec spec);
// The same of a service that has ended, as it was.
Result<ServiceFolder> resumeService(const store::Workspace& workspace, const std::string& name);
// Waits until it answers requests, or has failed: that error. Environment after `seconds`.
Result<ServiceStatus> waitUntilServed(const ServiceFolder& folder, double seconds);

// What a server leaves behind.
Result<void> writeState(const ServiceFolder& folder, const ServiceStatus& status);

} // namespace trainyard::serve
