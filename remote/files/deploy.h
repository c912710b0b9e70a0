// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/files/libraries.h"

#include <functional>

namespace trainyard::remote {

// The programs to put on a host, from this computer. Empty ones are left out.
struct ToDeploy {
    std::filesystem::path worker;
    std::string workerName{}; // on the host; empty: as here
    std::filesystem::path relay{}, control{};
    std::filesystem::path modules{}; // a folder of files that users' programs may import
    // Called once before missing libraries are copied, with the number of bytes at most.
    std::function<void(std::int64_t)> onLibraries{};
};

// A worker on a host.
struct Deployed {
    std::string program;            // path on the host
    std::string relay{}, control{}; // the same, of those that were given
    std::string libraries{};        // a folder there, for withLibraries(); empty: the host has what they need
    std::int64_t bytesSent = 0;
};

// Puts the worker program into CACHE/<digest>/ on the host, and beside it the relay and trainyardctl, if given; files
// that are there are not copied. Copies this computer's libraries if the host lacks some. Environment with code
// HostUnsuitable: another processor, too old a C library, or libraries missing on both computers (names the packages
// to install).
Result<Deployed> deployWorker(SshSession& session, const HostBasics& basics, const ToDeploy& files,
                              DigestCache& digests);

// Whether the host has this very worker program. Copies nothing.
Result<bool> hasWorker(SshSession& session, const HostBasics& basics, const std::filesystem::path& program);

std::string localArchitecture();
// "h2: copying the libraries that it lacks (528 MB, once)".
std::string librariesNotice(const std::string& host, std::int64_t bytes);

} // namespace trainyard::remote
