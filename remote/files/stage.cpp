// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/stage.h"

#include "remote/files/stage_folder.h"

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

Result<Staged> stageFile(SshSession& session, const HostBasics& basics, const fs::path& local,
                         const std::string& digest, const std::map<std::string, std::string>& madeHere,
                         LooksFor looksFor) {
    const auto made = madeHere.find(digest);
    const std::string same = made == madeHere.end() ? local.string() : made->second;
    if (looksFor == LooksFor::SamePath || made != madeHere.end()) {
        TY_ASSIGN(const auto there, remoteDigests(session, {same}));
        if (there[0] == digest) return Staged{same, 0};
    }
    const FileToSend file{local, digest, basics.cache + "/" + digest.substr(0, 16) + "/" + local.filename().string(),
                          false};
    TY_ASSIGN(const std::int64_t sent, sendMissing(session, {file}));
    return Staged{file.remote, sent};
}

} // namespace

Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const fs::path& given, DigestCache& digests,
                         const std::map<std::string, std::string>& madeHere, LooksFor looksFor) {
    std::error_code failure;
    fs::path local = fs::absolute(given, failure).lexically_normal();
    if (!local.has_filename()) local = local.parent_path(); // "folder/"
    if (fs::is_regular_file(local, failure)) {
        TY_ASSIGN(const std::string digest, digests.of(local));
        return stageFile(session, basics, local, digest, madeHere, looksFor);
    }
    if (!fs::is_directory(local, failure))
        return inputError("there is no such file or folder", local.string(), "correct the path");
    TY_ASSIGN(const FolderContent folder, digests.ofFolder(local));
    if (folder.files.empty()) return inputError("the folder holds no files", local.string());
    return stageFolder(session, basics, folder, looksFor);
}

} // namespace trainyard::remote
