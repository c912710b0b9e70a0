// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/stage.h"

#include "engine/base/sha256.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// Files below a folder in a fixed order; the file itself when it is one.
Result<std::vector<fs::path>> listFiles(const fs::path& local) {
    std::error_code failure;
    std::vector<fs::path> files;
    if (fs::is_regular_file(local, failure)) return std::vector<fs::path>{local};
    if (!fs::is_directory(local, failure))
        return inputError("there is no such file or folder", local.string(), "correct the path");
    for (fs::recursive_directory_iterator it(local, failure), end; !failure && it != end; it.increment(failure))
        if (it->is_regular_file(failure)) files.push_back(it->path());
    if (failure) return environmentError("the folder cannot be read: " + failure.message(), local.string());
    std::ranges::sort(files);
    return files;
}

} // namespace

Result<std::string> DigestCache::of(const fs::path& file) {
    std::error_code failure;
    const auto size = fs::file_size(file, failure);
    const auto time = failure ? fs::file_time_type{} : fs::last_write_time(file, failure);
    if (failure) return environmentError("the file cannot be read: " + failure.message(), file.string());
    Known& known = m_known[file];
    if (known.digest.empty() || known.size != size || known.time != time) {
        TY_ASSIGN(std::string digest, sha256HexOf(file));
        known = {size, time, std::move(digest)};
    }
    return known.digest;
}

Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const fs::path& given, DigestCache& digests,
                         const std::map<std::string, std::string>& madeHere) {
    std::error_code failure;
    const fs::path local = fs::absolute(given, failure).lexically_normal();
    TY_ASSIGN(const std::vector<fs::path> files, listFiles(local));
    const bool folder = !(files.size() == 1 && files[0] == local);
    std::vector<FileToSend> sending;
    std::vector<std::string> samePaths;
    std::string all;
    for (const auto& file : files) {
        TY_ASSIGN(const std::string digest, digests.of(file));
        const std::string relative = folder ? file.lexically_relative(local).string() : local.filename().string();
        if (relative.find('\n') != std::string::npos)
            return inputError("a file's name holds a line break", file.string(), "rename it");
        all += digest + " " + relative + "\n";
        sending.push_back({file, digest, relative, false});
        const auto made = folder ? madeHere.end() : madeHere.find(digest);
        samePaths.push_back(made == madeHere.end() ? file.string() : made->second);
    }
    if (files.empty()) return inputError("the folder holds no files", local.string());
    TY_ASSIGN(const auto there, remoteDigests(session, samePaths));
    if (std::ranges::equal(there, sending, {}, {}, &FileToSend::digest))
        return Staged{folder ? local.string() : samePaths[0], 0};

    const std::string root = basics.cache + "/" + (folder ? toHex(sha256Raw(all)) : sending[0].digest).substr(0, 16);
    const std::string top = folder ? root + "/" + local.filename().string() : root;
    for (auto& file : sending) file.remote = top + "/" + file.remote;
    TY_ASSIGN(const std::int64_t sent, sendMissing(session, sending));
    return Staged{folder ? top : sending[0].remote, sent};
}

} // namespace trainyard::remote
