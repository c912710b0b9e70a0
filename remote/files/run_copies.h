// SPDX-License-Identifier: GPL-3.0-or-later
// Files of single runs of users' programs: their code, which they may write to, and what they have saved.
#pragma once

#include "remote/files/folder_digests.h"
#include "remote/files/transfer.h"

namespace trainyard::remote {

// Makes `place` on the host a copy of a staged folder, in which these files can be executed; returns `place`. One that
// is there stays as it is. Environment: the host's disk is full, or the copy fails.
Result<std::string> copyForRun(SshSession& session, const std::string& staged, const std::string& place,
                               const std::vector<std::string>& programs);

// Copies a file, or a folder with its content, of the host to `local`, which appears, or is replaced, once all is
// there. Environment with code FileMissing: the host has no such file.
Result<void> fetchFileOrFolder(SshSession& session, const std::string& remote, const std::filesystem::path& local,
                               DigestCache& digests);

} // namespace trainyard::remote
