// SPDX-License-Identifier: GPL-3.0-or-later
// Files to and from a host. They travel over ordinary channels (cat), not SFTP: metrics and heartbeats of the workers
// go on beside them, and a host needs no SFTP server. Every file is checked by SHA-256 on both sides.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <cstdint>

namespace trainyard::remote {

// What a host says about itself that files and workers need.
struct HostBasics {
    std::string cache;   // $XDG_CACHE_HOME/trainyard or ~/.cache/trainyard, absolute
    std::string address; // that this computer reached it at
    int cores = 1;
    std::string architecture; // uname -m
    int devices = 0;          // of CUDA; 0 where the account's environment has a choice of its own
};
Result<HostBasics> askBasics(SshSession& session);

// A local file and where it goes.
struct FileToSend {
    std::filesystem::path local;
    std::string digest; // SHA-256, hexadecimal
    std::string remote; // absolute
    bool executable = false;
};

// SHA-256 of each of a few files on the host, in one round trip; "-" where there is no readable file.
Result<std::vector<std::string>> remoteDigests(SshSession& session, const std::vector<std::string>& paths);

// Sends the files that are not there yet with the same content; returns the bytes that were sent. A file appears under
// its name when it is whole. Environment when the host's disk is full (with what is needed and what is free).
Result<std::int64_t> sendMissing(SshSession& session, const std::vector<FileToSend>& files);

// Brings a file here, atomically, and returns its digest; Environment when it is missing or arrives differently.
Result<std::string> fetchFile(SshSession& session, const std::string& remote, const std::filesystem::path& local);

// What was to be written on a host.
struct Written {
    std::string name;
    std::string remote; // where
    std::int64_t bytes = 0;
};
// Why a command could not write it, from what the command printed. Environment; a full disk with what is needed and
// what is free.
Error notWritten(SshSession& session, const Written& what, const ExecResult& result);

std::string sizeText(std::int64_t bytes); // "12.4 MB"

} // namespace trainyard::remote
