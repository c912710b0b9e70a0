// SPDX-License-Identifier: GPL-3.0-or-later
// Copies files to and from a host over ordinary channels (cat), not SFTP: metrics and heartbeats of the workers
// continue meanwhile, and the host needs no SFTP server. Both sides check every file by SHA-256.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <cstdint>

namespace trainyard::remote {

// Facts about a host that files and workers need.
struct HostBasics {
    std::string cache;   // $XDG_CACHE_HOME/trainyard or ~/.cache/trainyard, absolute
    std::string address; // that this computer reached it at
    int cores = 1;
    std::string architecture; // uname -m
    int devices = 0;          // of CUDA; 0 where the account's environment has a choice of its own
};
Result<HostBasics> askBasics(SshSession& session);

// A local file and its target.
struct FileToSend {
    std::filesystem::path local;
    std::string digest; // SHA-256, hexadecimal
    std::string remote; // absolute
    bool executable = false;
};

// SHA-256 of a few files on the host, in one round trip; "-" for an unreadable file.
Result<std::vector<std::string>> remoteDigests(SshSession& session, const std::vector<std::string>& paths);

// Sends the files whose content is not there yet; returns the bytes sent. A file appears under its name when complete.
// Environment: the host's disk is full (with needed and free space).
Result<std::int64_t> sendMissing(SshSession& session, const std::vector<FileToSend>& files);

// Fetches a file atomically and returns its digest. Environment: it is missing or arrives differently.
Result<std::string> fetchFile(SshSession& session, const std::string& remote, const std::filesystem::path& local);

// A write on a host, for its error.
struct Written {
    std::string name;
    std::string remote; // where
    std::int64_t bytes = 0;
};
// Why a command could not write, from its output. Environment; for a full disk with needed and free space.
Error notWritten(SshSession& session, const Written& what, const ExecResult& result);

std::string sizeText(std::int64_t bytes); // "12.4 MB"

} // namespace trainyard::remote
