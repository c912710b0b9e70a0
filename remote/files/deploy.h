// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/files/libraries.h"

#include <functional>

namespace trainyard::remote {

// What is put into a folder of a host, on this computer. What is empty is left out.
struct ToDeploy {
    std::filesystem::path worker;
    std::string workerName{}; // on the host; empty: as here
    std::filesystem::path relay{}, control{};
    // Told once, before the libraries that the host lacks are copied: how many bytes at most.
    std::function<void(std::int64_t)> onLibraries{};
};

// A worker on a host.
struct Deployed {
    std::string program;            // path on the host
    std::string relay{}, control{}; // the same, of those that were given
    std::string libraries{};        // a folder there, for withLibraries(); empty: the host has what they need
    std::int64_t bytesSent = 0;
};

// Puts the worker program into CACHE/<digest>/ on the host, and beside it the relay and trainyardctl, if they are
// given; what is there already is not copied. Where the host lacks libraries of theirs, this computer's are copied.
// Environment: HostUnsuitable when the processor differs, the C library is too old, or libraries are missing on both
// (with the packages to install).
Result<Deployed> deployWorker(SshSession& session, const HostBasics& basics, const ToDeploy& files,
                              DigestCache& digests);

// Whether the host has this very worker program. Nothing is copied.
Result<bool> hasWorker(SshSession& session, const HostBasics& basics, const std::filesystem::path& program);

std::string localArchitecture();
// "h2: copying the libraries that it lacks (528 MB, once)".
std::string librariesNotice(const std::string& host, std::int64_t bytes);

} // namespace trainyard::remote
