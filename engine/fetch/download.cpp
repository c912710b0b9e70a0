// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/download.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"
#include "engine/fetch/http_file.h"
#include "engine/fetch/tar.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard::fetch {

namespace fs = std::filesystem;

namespace {

std::int64_t sizeOf(const fs::path& file) {
    std::error_code problem;
    const auto size = fs::file_size(file, problem);
    return problem ? -1 : static_cast<std::int64_t>(size);
}

class FileDownload {
public:
    FileDownload(const RemoteFile& file, const Source& source, const DownloadOptions& options)
        : m_file(file), m_source(source), m_options(options), m_target(options.folder / file.name),
          m_part(options.folder / (file.name + ".part")) {}

    // Whether anything had to be fetched.
    Result<bool> run(DownloadReport& report) {
        TY_ASSIGN(const bool present, isPresent());
        if (present) return false;
        TY_TRY(checkSpace());
        UniqueFd lock(::open(m_part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
        if (!lock) return systemError("cannot be written", m_part.string(), "choose another folder with --to");
        if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
            return inputError("is being downloaded by another process", m_part.string(), "wait for it to end");
        TY_TRY(fromMirrors(report));
        if (::rename(m_part.c_str(), m_target.c_str()) != 0)
            return systemError("cannot be given its name", m_target.string());
        TY_TRY(syncFolder());
        if (!m_file.members.empty()) {
            TY_TRY(unpackTar(m_target, m_file.members, m_options.folder));
            ::unlink(m_target.c_str());
        }
        return true;
    }

private:
    // Members by their sizes, each written atomically from an archive that was checked; else by the digest.
    Result<bool> isPresent() {
        if (!m_file.members.empty())
            return std::all_of(m_file.members.begin(), m_file.members.end(), [&](const Member& member) {
                return sizeOf(m_options.folder / member.name) == member.bytes;
            });
        if (sizeOf(m_target) != m_file.bytes) return false;
        TY_ASSIGN(const std::string digest, sha256HexOf(m_target));
        return digest == m_file.sha256;
    }

    Result<void> checkSpace() {
        std::int64_t needed = m_file.bytes - std::max<std::int64_t>(0, sizeOf(m_part));
        for (const Member& member : m_file.members) needed += member.bytes;
        std::error_code problem;
        const auto space = fs::space(m_options.folder, problem);
        if (problem || static_cast<std::int64_t>(space.available) >= needed) return {};
        return environmentError("the disk is full: " + std::to_string(needed / 1'000'000) + " MB are needed, " +
                                    std::to_string(space.available / 1'000'000) + " MB are free",
                                m_options.folder.string(), "free some space or choose another folder with --to")
            .withCode(ErrorCode::DiskFull);
    }

    Result<void> fromMirrors(DownloadReport& report) {
        const auto& mirrors = m_options.mirrors.empty() ? m_source.mirrors : m_options.mirrors;
        std::string reasons;
        for (const std::string& mirror : mirrors) {
            const std::string address = mirror + (mirror.ends_with('/') ? "" : "/") + m_file.name;
            auto fetched = fromMirror(address, report);
            if (fetched) return {};
            if (fetched.error().kind == ErrorKind::Environment) return fetched;
            reasons += (reasons.empty() ? "" : "; ") + printable(fetched.error().where, 300) + ": " +
                       printable(fetched.error().message, 300);
        }
        return environmentError("no mirror served the file: " + reasons, m_file.name,
                                "try again, it resumes where it stopped; or name another mirror with --mirror")
            .withCode(ErrorCode::HostUnreachable);
    }

    // Resumes after a broken connection for as long as bytes arrive. A wrong digest is this mirror's fault only when
    // every byte came from it; else it gets a chance to send them all.
    Result<void> fromMirror(const std::string& address, DownloadReport& report) {
        bool allFromHere = partSize() == 0;
        for (int fruitless = 0;;) {
            const std::int64_t before = partSize();
            Result<void> fetched;
            if (before != m_file.bytes) fetched = fetchInto(address, m_part, httpOptions());
            const std::int64_t after = partSize();
            report.bytes += std::max<std::int64_t>(0, after - before);
            if (after >= m_file.bytes) {
                fetched = checkDigest(address);
                if (fetched.ok() || allFromHere || fetched.error().kind == ErrorKind::Environment) return fetched;
                allFromHere = true;
                continue;
            }
            if (fetched.error().kind != ErrorKind::Run) return fetched;
            fruitless = after > before ? 0 : fruitless + 1;
            if (fruitless == m_options.tries) return fetched;
        }
    }

    std::int64_t partSize() const { return std::max<std::int64_t>(0, sizeOf(m_part)); }

    HttpOptions httpOptions() const {
        HttpOptions http{.bytes = m_file.bytes, .idleSeconds = m_options.idleSeconds};
        http.arrived = [this](std::int64_t bytes) {
            if (m_options.progress) m_options.progress({m_file.name, bytes, m_file.bytes});
        };
        return http;
    }

    Result<void> checkDigest(const std::string& address) {
        TY_ASSIGN(const std::string digest, sha256HexOf(m_part));
        if (digest == m_file.sha256) return {};
        dropPart();
        return inputError("the SHA-256 of the file differs from the published one (" + digest.substr(0, 12) +
                              "… instead of " + m_file.sha256.substr(0, 12) + "…)",
                          address);
    }

    // Emptied, not removed: the lock is held on it.
    void dropPart() { [[maybe_unused]] const int done = ::truncate(m_part.c_str(), 0); }

    Result<void> syncFolder() {
        UniqueFd folder(::open(m_options.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!folder || ::fsync(folder.get()) != 0) return systemError("cannot be written", m_options.folder.string());
        return {};
    }

    const RemoteFile& m_file;
    const Source& m_source;
    const DownloadOptions& m_options;
    fs::path m_target, m_part;
};

} // namespace

Result<DownloadReport> download(const Source& source, const DownloadOptions& options) {
    std::error_code problem;
    fs::create_directories(options.folder, problem);
    if (problem)
        return environmentError("cannot be made: " + problem.message(), options.folder.string(),
                                "choose another folder with --to");
    DownloadReport report;
    for (const RemoteFile& file : source.files) {
        TY_ASSIGN(const bool fetched, FileDownload(file, source, options).run(report));
        (fetched ? report.fetched : report.present).push_back(file.name);
    }
    return report;
}

Result<const Source*> findSource(const std::string& name) {
    std::string known;
    for (const Source& source : sources()) {
        if (source.name == name) return &source;
        known += (known.empty() ? "" : ", ") + source.name;
    }
    return inputError("\"" + printable(name, 60) + "\" cannot be downloaded", {}, "those that can: " + known);
}

} // namespace trainyard::fetch
