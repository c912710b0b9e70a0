// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transfer.h"

namespace trainyard::remote {

// A worker on a host.
struct Deployed {
    std::string program; // path on the host
    std::string relay{}; // the same, if there is one
    std::int64_t bytesSent = 0;
};

// Puts the worker program into CACHE/<digest>/ on the host, and the relay beside it, if one is given; what is there
// already is not copied. Checks that the host has the worker's libraries. `name`: the worker's on the host. Environment
// when the processor differs or libraries are missing (with the packages to install).
Result<Deployed> deployWorker(SshSession& session, const HostBasics& basics, const std::filesystem::path& program,
                              const std::string& name = {}, const std::filesystem::path& relay = {});

// Whether the host has this very worker program. Nothing is copied.
Result<bool> hasWorker(SshSession& session, const HostBasics& basics, const std::filesystem::path& program);
// Environment, HostUnsuitable, unless the host has the libraries of this program of it, its C library among them (with
// the packages to install).
Result<void> checkLibraries(SshSession& session, const std::string& program);

// Names of the shared libraries a local program needs, all levels ("libtorch.so.1.13"); empty when ldd fails.
std::vector<std::string> libraryNames(const std::filesystem::path& program);
// "sudo apt install libtorch1.13 libgomp1" for libraries that a host lacks; the packages are looked up on this
// computer, and libraries without one are named.
std::string installHint(const std::vector<std::string>& libraries);
std::string localArchitecture();

} // namespace trainyard::remote
