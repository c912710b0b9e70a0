// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/stage.h"

#include "engine/base/files/belonging_files.h"
#include "engine/base/math/sha256.h"
#include "remote/files/stage_folder.h"

#include <span>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// Of the file itself first, then of what belongs to it.
Result<std::vector<FileToSend>> filesOf(const fs::path& local, DigestCache& digests) {
    std::vector<FileToSend> files{{local, {}, {}, false}};
    for (const fs::path& each : filesBelongingTo(local)) files.push_back({each, {}, {}, false});
    for (FileToSend& each : files) { TY_ASSIGN(each.digest, digests.of(each.local)); }
    return files;
}

// The host's folder for them: a file beside other files than before gets another one.
std::string folderFor(const std::vector<FileToSend>& files) {
    std::string all;
    for (const FileToSend& each : files) all += each.digest;
    return (files.size() == 1 ? all : sha256Hex(std::as_bytes(std::span(all.data(), all.size())))).substr(0, 16);
}

Result<Staged> stageFile(SshSession& session, const HostBasics& basics, std::vector<FileToSend> files,
                         const std::map<std::string, std::string>& madeHere, LooksFor looksFor) {
    const fs::path& local = files.front().local;
    const auto made = files.size() == 1 ? madeHere.find(files.front().digest) : madeHere.end();
    const std::string same = made == madeHere.end() ? local.string() : made->second;
    if (looksFor == LooksFor::SamePath || made != madeHere.end()) {
        std::vector<std::string> paths{same}, wanted{files.front().digest};
        for (std::size_t i = 1; i < files.size(); ++i) {
            paths.push_back(files[i].local.string());
            wanted.push_back(files[i].digest);
        }
        TY_ASSIGN(const auto there, remoteDigests(session, paths));
        if (there == wanted) return Staged{same, 0};
    }
    const std::string folder = basics.cache + "/" + folderFor(files) + "/";
    for (FileToSend& each : files) each.remote = folder + each.local.filename().string();
    TY_ASSIGN(const std::int64_t sent, sendMissing(session, files));
    return Staged{files.front().remote, sent};
}

} // namespace

Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const fs::path& given, DigestCache& digests,
                         const std::map<std::string, std::string>& madeHere, LooksFor looksFor) {
    std::error_code failure;
    fs::path local = fs::absolute(given, failure).lexically_normal();
    if (!local.has_filename()) local = local.parent_path(); // "folder/"
    if (fs::is_regular_file(local, failure)) {
        TY_ASSIGN(auto files, filesOf(local, digests));
        return stageFile(session, basics, std::move(files), madeHere, looksFor);
    }
    if (!fs::is_directory(local, failure))
        return inputError("there is no such file or folder", local.string(), "correct the path");
    TY_ASSIGN(const FolderContent folder, digests.ofFolder(local));
    if (folder.files.empty()) return inputError("the folder holds no files", local.string());
    return stageFolder(session, basics, folder, looksFor);
}

} // namespace trainyard::remote
