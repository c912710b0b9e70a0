// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/folder_copy.h"

#include "engine/base/files/tar_archive.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "remote/files/folder_listing.h"
#include "remote/files/transfer.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// $1 the folder. Files arrive as an archive, in a folder of their own.
constexpr const char* kTakeFiles = R"sh(
umask 077
mkdir -p -- "$1/$2" && cd -- "$1/$2" && exec tar -xmof - --no-same-permissions
)sh";

// $1 the folder, $2 that of its part. "DIGEST  ./PATH" with a NUL behind each, of the files that take their places now.
constexpr const char* kPlaceFiles = R"sh(
umask 077
cd -- "$1/$2" || exit 1
list=$1/$2.list.$$
trap 'rm -f -- "$list"' EXIT
cat > "$list" || exit 1
cut -z -c 67- < "$list" | xargs -0 -r sha256sum -z -- | cmp -s - "$list" || {
  echo "what arrived is not what was sent" >&2
  exit 1
}
place() { cut -z -c 67- < "$list" | xargs -0 -r cp "$@" --parents --remove-destination -t .. --; }
place -l 2> /dev/null || place || exit 1
cd .. && rm -rf -- "$2"
)sh";

// $1 the folder; the paths of files with a NUL behind each: their contents, one after another.
constexpr const char* kGiveFiles = R"sh(cd -- "$1" && exec xargs -0 -r cat --)sh";

constexpr double kHashSeconds = 3600; // a large file is hashed in silence

Error newerThere(const std::vector<std::string>& paths, const std::string& where, const std::string& command) {
    std::string names;
    for (std::size_t i = 0; i < paths.size() && i < 5; ++i) names += (i == 0 ? "" : ", ") + printable(paths[i]);
    if (paths.size() > 5) names += ", …";
    return inputError(std::to_string(paths.size()) + (paths.size() == 1 ? " file is" : " files are") +
                          " newer there than what would replace it: " + names,
                      where,
                      "keep a copy of it, or overwrite it: trainyardctl cluster rsync " + command + " takes --force");
}

double modifiedAt(const fs::path& file) {
    struct stat info{};
    if (::stat(file.c_str(), &info) != 0) return 0;
    return static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
}

// A folder, or one file as a folder that holds nothing else.
Result<FolderContent> contentOf(const fs::path& given, DigestCache& digests) {
    std::error_code failure;
    fs::path local = fs::absolute(given, failure).lexically_normal();
    if (!local.has_filename()) local = local.parent_path(); // "folder/"
    if (fs::is_directory(local, failure)) return digests.ofFolder(local);
    if (!fs::is_regular_file(local, failure))
        return inputError("there is no such file or folder", local.string(), "correct the path");
    TY_ASSIGN(std::string digest, digests.of(local));
    return FolderContent{
        local.parent_path(),
        {{local.filename().string(), std::move(digest), static_cast<std::int64_t>(fs::file_size(local, failure))}}};
}

Result<void> sendFiles(SshSession& session, const FolderContent& folder, const FolderListing& there,
                       const std::vector<const FolderFile*>& files, std::int64_t bytes) {
    std::vector<TarMember> members;
    for (const auto* file : files) members.push_back({"./" + file->path, folder.root / file->path});
    TarStream archive(std::move(members));
    ExecOptions options;
    options.silenceSeconds = 60;
    options.source = [&](std::span<char> buffer) { return archive.read(buffer); };
    TY_ASSIGN(const ExecResult result, session.script(kTakeFiles, {there.path, kPartFolder}, options));
    if (!result.ok()) return notWritten(session, {folder.root.filename().string(), there.path, bytes}, result);
    return {};
}

Result<void> placeFiles(SshSession& session, const FolderListing& there, const std::vector<const FolderFile*>& files) {
    ExecOptions options;
    options.silenceSeconds = kHashSeconds;
    for (const auto* file : files) options.input += file->digest + "  ./" + file->path + '\0';
    TY_ASSIGN(const ExecResult result, session.script(kPlaceFiles, {there.path, kPartFolder}, options));
    if (!result.ok())
        return environmentError("the files cannot be put in their places: " + result.complaint(),
                                session.host().label() + ":" + there.path, "copy again when nothing writes to them");
    return {};
}

// What comes from the host, cut into files.
class FilesTaker {
public:
    struct Wanted {
        std::string path;
        ListedFile file;
    };
    FilesTaker(fs::path folder, std::vector<Wanted> files) : m_folder(std::move(folder)), m_files(std::move(files)) {}

    Result<void> take(std::span<const std::byte> bytes) {
        TY_TRY(finishWhole());
        while (!bytes.empty() && m_next < m_files.size()) {
            TY_TRY(begin());
            const auto count = std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(m_left));
            m_out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(count));
            m_digest->add(bytes.data(), count);
            m_left -= static_cast<std::int64_t>(count);
            bytes = bytes.subspan(count);
            TY_TRY(finishWhole());
        }
        return {};
    }
    Result<void> end() {
        TY_TRY(finishWhole());
        return m_next == m_files.size() ? Result<void>() : changed(m_files[m_next].path);
    }
    ~FilesTaker() {
        std::error_code ignored;
        if (m_open) fs::remove(part(), ignored);
    }

private:
    Error changed(const std::string& path) const {
        return environmentError("the file changed while it was fetched, or arrived damaged", (m_folder / path).string(),
                                "copy again when nothing writes to it");
    }
    fs::path part() const { return (m_folder / m_files[m_next].path).string() + kPartFolder; }
    Result<void> begin() {
        if (m_open) return {};
        std::error_code failure;
        fs::create_directories((m_folder / m_files[m_next].path).parent_path(), failure);
        m_out.open(part(), std::ios::binary | std::ios::trunc);
        if (!m_out) return systemError("the file cannot be written", part().string());
        m_digest = std::make_unique<Sha256>();
        m_left = m_files[m_next].file.bytes;
        m_open = true;
        return {};
    }
    // Ends the files that have all their bytes, empty ones among them.
    Result<void> finishWhole() {
        while (m_next < m_files.size() && (m_open ? m_left == 0 : m_files[m_next].file.bytes == 0)) {
            TY_TRY(begin());
            const auto& [path, file] = m_files[m_next];
            m_out.close();
            if (!m_out) return systemError("the file cannot be written", part().string());
            if (m_digest->hex() != file.digest) return changed(path);
            std::error_code failure;
            if (file.isExecutable) fs::permissions(part(), fs::perms::owner_exec, fs::perm_options::add, failure);
            fs::rename(part(), m_folder / path, failure);
            if (failure) return environmentError("cannot be written: " + failure.message(), (m_folder / path).string());
            m_open = false;
            ++m_next;
        }
        return {};
    }

    const fs::path m_folder;
    const std::vector<Wanted> m_files;
    std::size_t m_next = 0;
    bool m_open = false;
    std::ofstream m_out;
    std::unique_ptr<Sha256> m_digest;
    std::int64_t m_left = 0;
};

} // namespace

Result<CopyEnd> copyUp(SshSession& session, const fs::path& local, const std::string& remote, DigestCache& digests,
                       Overwrite overwrite) {
    TY_ASSIGN(const FolderContent folder, contentOf(local, digests));
    TY_ASSIGN(const FolderListing there, listFolder(session, remote));
    std::vector<const FolderFile*> toPlace, toSend;
    std::vector<std::string> newer;
    CopyEnd end;
    for (const auto& file : folder.files) {
        const auto old = there.files.find(file.path);
        if (old != there.files.end() && old->second.digest == file.digest) continue;
        if (old != there.files.end() && old->second.modified > modifiedAt(folder.root / file.path))
            newer.push_back(file.path);
        toPlace.push_back(&file);
        const auto part = there.part.find(file.path);
        if (part != there.part.end() && part->second.digest == file.digest) continue;
        toSend.push_back(&file);
        end.bytes += file.bytes;
    }
    if (!newer.empty() && overwrite == Overwrite::Refuse)
        return newerThere(newer, session.host().label() + ":" + there.path, "up");
    end.files = toPlace.size();
    if (!toSend.empty()) TY_TRY(sendFiles(session, folder, there, toSend, end.bytes));
    if (!toPlace.empty()) TY_TRY(placeFiles(session, there, toPlace));
    return end;
}

Result<CopyEnd> copyDown(SshSession& session, const std::string& remote, const fs::path& local, DigestCache& digests,
                         Overwrite overwrite) {
    TY_ASSIGN(const FolderListing there, listFolder(session, remote));
    if (!there.exists)
        return inputError("there is no such folder on the host", session.host().label() + ":" + there.path,
                          "correct the path");
    std::error_code failure;
    std::map<std::string, std::string> here;
    if (fs::is_directory(local, failure)) {
        TY_ASSIGN(const FolderContent folder, digests.ofFolder(local));
        for (const auto& file : folder.files) here[file.path] = file.digest;
    }
    std::vector<FilesTaker::Wanted> wanted;
    std::vector<std::string> newer;
    CopyEnd end;
    ExecOptions options;
    for (const auto& [path, file] : there.files) {
        const auto old = here.find(path);
        if (old != here.end() && old->second == file.digest) continue;
        if (old != here.end() && modifiedAt(local / path) > file.modified) newer.push_back(path);
        wanted.push_back({path, file});
        options.input += "./" + path + '\0';
        end.bytes += file.bytes;
    }
    if (!newer.empty() && overwrite == Overwrite::Refuse) return newerThere(newer, local.string(), "down");
    end.files = wanted.size();
    FilesTaker taker(local, std::move(wanted));
    options.silenceSeconds = 60;
    options.sink = [&taker](std::span<const std::byte> bytes) { return taker.take(bytes); };
    TY_ASSIGN(const ExecResult result, session.script(kGiveFiles, {there.path}, options));
    if (!result.ok())
        return environmentError("the files cannot be read on the host: " + result.complaint(),
                                session.host().label() + ":" + there.path);
    TY_TRY(taker.end());
    return end;
}

} // namespace trainyard::remote
