// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a folder of many files, sent as one stream.
#pragma once

#include "remote/files/folder_digests.h"
#include "remote/files/stage.h"

namespace trainyard::remote {

// Makes a folder of this computer readable on the host, as stagePath(). It appears under its name when complete. A cut
// transfer is resumed. Environment: the host lacks a program (tar, find, sha256sum), its disk is full, or a file has
// changed meanwhile.
Result<Staged> stageFolder(SshSession& session, const HostBasics& basics, const FolderContent& folder,
                           LooksFor looksFor = LooksFor::SamePath);

} // namespace trainyard::remote
