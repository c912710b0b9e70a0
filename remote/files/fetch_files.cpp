// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/fetch_files.h"

#include "engine/base/math/sha256.h"
#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// $1 folder, then paths. Without quotes a * stands for the names that fit, and our names have no blanks.
constexpr const char* kDescribeScript = R"sh(
cd -- "$1" || exit 1
shift
say() {
  [ -f "$1" ] || return 0
  s=$(sha256sum < "$1") && b=$(wc -c < "$1") || exit 1
  echo "${s%% *} $b $1"
}
for p do
  case $p in
    *\*) for f in "${p%\*}"*; do say "$f"; done ;;
    *) say "$p" ;;
  esac
done
)sh";

fs::path partOf(const FileToFetch& file) { return file.local.string() + ".part"; }

std::int64_t sizeHere(const fs::path& file) {
    std::error_code failure;
    const auto bytes = fs::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(bytes);
}

bool isWhole(const FileToFetch& file) {
    const auto digest = fs::is_regular_file(file.local) ? sha256HexOf(file.local) : Result<std::string>(std::string());
    return digest && *digest == file.digest;
}

Result<void> writeAll(int to, std::span<const std::byte> bytes, const fs::path& file) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(to, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return systemError("cannot be written", file.string(), "free space, then fetch it again");
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

// One file on its way.
class Arrival {
public:
    Arrival(SshSession& session, const FileToFetch& file, const std::function<void(std::int64_t)>& told)
        : m_session(session), m_file(file), m_told(told) {}

    Result<void> run() {
        std::error_code failure;
        fs::create_directories(m_file.local.parent_path(), failure);
        TY_TRY(open());
        TY_ASSIGN(bool whole, bring());
        if (!whole && m_continued) { // what was here was of another file
            TY_TRY(begin());
            TY_ASSIGN(whole, bring());
        }
        if (!whole) {
            fs::remove(partOf(m_file), failure);
            return environmentError("the file changed while it was fetched, or arrived damaged",
                                    m_session.host().label() + ":" + m_file.remote, "fetch it again");
        }
        if (::fsync(m_fd.get()) != 0) return systemError("cannot be written", partOf(m_file).string());
        fs::rename(partOf(m_file), m_file.local, failure);
        if (failure) return environmentError("cannot be made: " + failure.message(), m_file.local.string());
        return {};
    }

private:
    // Continues with what is there.
    Result<void> open() {
        m_fd = UniqueFd(::open(partOf(m_file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
        if (!m_fd) return systemError("cannot be written", partOf(m_file).string());
        if (sizeHere(partOf(m_file)) > m_file.bytes) return begin();
        std::array<std::byte, 256u << 10> buffer;
        for (;;) {
            const ssize_t count = ::read(m_fd.get(), buffer.data(), buffer.size());
            if (count < 0) return systemError("cannot be read", partOf(m_file).string());
            if (count == 0) break;
            m_digest->add(buffer.data(), static_cast<std::size_t>(count));
            m_bytes += count;
        }
        m_continued = m_bytes > 0;
        return {};
    }

    Result<void> begin() {
        m_continued = false;
        m_bytes = 0;
        m_digest = std::make_unique<Sha256>();
        if (::ftruncate(m_fd.get(), 0) != 0 || ::lseek(m_fd.get(), 0, SEEK_SET) != 0)
            return systemError("cannot be written", partOf(m_file).string());
        return {};
    }

    // Whether it is what the host said.
    Result<bool> bring() {
        ExecOptions options;
        options.silenceSeconds = 60;
        options.sink = [this](std::span<const std::byte> bytes) -> Result<void> {
            TY_TRY(writeAll(m_fd.get(), bytes, partOf(m_file)));
            m_digest->add(bytes.data(), bytes.size());
            m_bytes += std::ssize(bytes);
            m_told(m_bytes);
            return {};
        };
        if (m_bytes < m_file.bytes) {
            TY_ASSIGN(const ExecResult result,
                      m_session.exec({"tail", "-c", "+" + std::to_string(m_bytes + 1), "--", m_file.remote}, options));
            if (!result.ok())
                return environmentError("the file cannot be read on the host: " + result.complaint(),
                                        m_session.host().label() + ":" + m_file.remote);
        }
        return m_bytes == m_file.bytes && m_digest->hex() == m_file.digest;
    }

    SshSession& m_session;
    const FileToFetch& m_file;
    const std::function<void(std::int64_t)>& m_told;
    UniqueFd m_fd;
    std::unique_ptr<Sha256> m_digest = std::make_unique<Sha256>();
    std::int64_t m_bytes = 0;
    bool m_continued = false;
};

} // namespace

Result<std::vector<FileThere>> describeFiles(SshSession& session, const std::string& folder,
                                             const std::vector<std::string>& paths) {
    std::vector<std::string> parameters{folder};
    parameters.insert(parameters.end(), paths.begin(), paths.end());
    ExecOptions options;
    options.silenceSeconds = 300; // large files take their time, without a word
    TY_ASSIGN(const ExecResult result, session.script(kDescribeScript, parameters, options));
    if (!result.ok())
        return environmentError("the files cannot be read on the host: " + result.complaint(),
                                session.host().label() + ":" + folder);
    std::vector<FileThere> files;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        FileThere file;
        if (words >> file.digest >> file.bytes >> std::ws && std::getline(words, file.path)) files.push_back(file);
    }
    return files;
}

Result<void> fetchFiles(SshSession& session, const std::vector<FileToFetch>& files,
                        const std::function<void(std::int64_t)>& told) {
    std::int64_t before = 0;
    for (const FileToFetch& file : files) {
        if (!isWhole(file)) {
            const std::function<void(std::int64_t)> tellAll = [&](std::int64_t bytes) { told(before + bytes); };
            TY_TRY(Arrival(session, file, tellAll).run());
        }
        before += file.bytes;
        told(before);
    }
    return {};
}

} // namespace trainyard::remote
