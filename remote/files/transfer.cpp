// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/transfer.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr const char* kBasicsScript = R"sh(
c=${XDG_CACHE_HOME:-$HOME/.cache}/trainyard
echo "$c"
set -- $SSH_CONNECTION
echo "$3"
nproc 2>/dev/null || getconf _NPROCESSORS_ONLN
uname -m
set -- /dev/nvidia[0-9]*
if [ -e "$1" ] && [ -z "${CUDA_VISIBLE_DEVICES+set}" ]; then echo "$#"; else echo 0; fi
)sh";
constexpr int kMostDevices = 64; // of a host

constexpr const char* kDigestScript = R"sh(
for p do
  if [ -f "$p" ] && [ -r "$p" ]; then s=$(sha256sum < "$p"); echo "${s%% *}"; else echo -; fi
done
)sh";

// $1 path, $2 digest, $3 mode. The content comes on standard input.
constexpr const char* kReceiveScript = R"sh(
umask 077
mkdir -p -- "${1%/*}" || exit 1
t=$1.part.$$
trap 'rm -f -- "$t"' EXIT
trap 'exit 1' HUP TERM
cat > "$t" || exit 1
s=$(sha256sum < "$t") || exit 1
[ "${s%% *}" = "$2" ] || { echo "what arrived is not what was sent" >&2; exit 1; }
chmod "$3" "$t" && sync -- "$t" && mv -f -- "$t" "$1"
)sh";

// $1 path: free kilobytes of the nearest folder that exists, and that folder.
constexpr const char* kFreeScript = R"sh(
d=$1
while [ -n "$d" ] && [ ! -d "$d" ]; do d=${d%/*}; done
df -Pk -- "${d:-/}" | awk 'NR==2 { print $4 }'
)sh";

Result<void> checkPath(const std::string& path, const std::string& label) {
    if (path.empty() || path[0] != '/')
        return inputError("\"" + printable(path) + "\" is not a usable path on the host", label);
    return {};
}

Result<void> sendFile(SshSession& session, const FileToSend& file, std::int64_t bytes) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.local.c_str(), "rbe"), &std::fclose);
    if (!stream) return systemError("the file cannot be read", file.local.string());
    ExecOptions options;
    options.silenceSeconds = 60;
    options.source = [&](std::span<char> buffer) -> Result<std::size_t> {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream.get());
        if (count == 0 && std::ferror(stream.get())) return systemError("the file cannot be read", file.local.string());
        return count;
    };
    TY_ASSIGN(const ExecResult result,
              session.script(kReceiveScript, {file.remote, file.digest, file.executable ? "700" : "600"}, options));
    if (!result.ok()) return notWritten(session, {file.local.filename().string(), file.remote, bytes}, result);
    return {};
}

} // namespace

std::string sizeText(std::int64_t bytes) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1000 && unit < 4; ++unit) value /= 1000;
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

Error notWritten(SshSession& session, const Written& what, const ExecResult& result) {
    const std::string where = session.host().label() + ":" + what.remote;
    if (result.err.find("No space left") != std::string::npos || result.err.find("quota") != std::string::npos) {
        const auto free = session.script(kFreeScript, {what.remote});
        const std::string left =
            free.ok() ? sizeText(std::atoll(free->out.c_str()) * 1024) + " are free" : "less is free";
        return environmentError("the host's disk is full: " + what.name + " needs " + sizeText(what.bytes) + ", " +
                                    left,
                                where, "free space on the host, for example in its ~/.cache/trainyard")
            .withCode(ErrorCode::DiskFull);
    }
    return environmentError(what.name + " could not be written on the host: " + result.complaint(), where,
                            "check the permissions of the folder on the host");
}

Result<HostBasics> askBasics(SshSession& session) {
    TY_ASSIGN(const ExecResult result, session.script(kBasicsScript));
    std::istringstream lines(result.out);
    HostBasics basics;
    std::string cores, devices;
    std::getline(lines, basics.cache);
    std::getline(lines, basics.address);
    std::getline(lines, cores);
    std::getline(lines, basics.architecture);
    std::getline(lines, devices);
    basics.cores = std::max(1, std::atoi(cores.c_str()));
    basics.devices = std::clamp(std::atoi(devices.c_str()), 0, kMostDevices);
    if (!result.ok() || basics.cache.empty() || basics.cache[0] != '/')
        return environmentError("the host has no home folder for files: " + result.complaint(), session.host().label(),
                                "set HOME, or XDG_CACHE_HOME, for the account");
    if (basics.address.empty()) basics.address = session.facts().peerAddress;
    return basics;
}

Result<std::vector<std::string>> remoteDigests(SshSession& session, const std::vector<std::string>& paths) {
    ExecOptions options;
    options.silenceSeconds = 300; // large files take their time, without a word
    for (const auto& path : paths) TY_TRY(checkPath(path, session.host().label()));
    TY_ASSIGN(const ExecResult result, session.script(kDigestScript, paths, options));
    std::vector<std::string> digests;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) digests.push_back(line);
    if (!result.ok() || digests.size() != paths.size())
        return environmentError("the host cannot compute checksums: " + result.complaint(), session.host().label(),
                                "install coreutils on the host");
    return digests;
}

Result<std::int64_t> sendMissing(SshSession& session, const std::vector<FileToSend>& files) {
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.remote);
    TY_ASSIGN(const auto digests, remoteDigests(session, paths));
    std::int64_t sent = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (digests[i] == files[i].digest) continue;
        std::error_code failure;
        const auto bytes = static_cast<std::int64_t>(fs::file_size(files[i].local, failure));
        if (failure) return environmentError("the file cannot be read: " + failure.message(), files[i].local.string());
        TY_TRY(sendFile(session, files[i], bytes));
        sent += bytes;
    }
    return sent;
}

Result<std::string> fetchFile(SshSession& session, const std::string& remote, const fs::path& local) {
    const std::string where = session.host().label() + ":" + remote;
    TY_TRY(checkPath(remote, session.host().label()));
    ExecOptions digestOptions;
    digestOptions.silenceSeconds = 300;
    TY_ASSIGN(const ExecResult about, session.script("s=$(sha256sum < \"$1\") && echo \"${s%% *}\" && wc -c < \"$1\"",
                                                     {remote}, digestOptions));
    if (!about.ok()) return environmentError("the file cannot be read on the host: " + about.complaint(), where);
    std::istringstream words(about.out);
    std::string digest;
    std::size_t size = 0;
    words >> digest >> size;
    TY_TRY(writeFileAtomic(local, size, [&](const ByteSink& write) -> Result<void> {
        Sha256 arrived;
        ExecOptions options;
        options.silenceSeconds = 60;
        options.sink = [&](std::span<const std::byte> bytes) {
            arrived.add(bytes.data(), bytes.size());
            return write(bytes);
        };
        TY_ASSIGN(const ExecResult result, session.exec({"cat", "--", remote}, options));
        if (!result.ok()) return environmentError("the file cannot be read on the host: " + result.complaint(), where);
        if (arrived.hex() != digest)
            return environmentError("the file changed while it was fetched, or arrived damaged", where,
                                    "fetch it again");
        return {};
    }));
    return digest;
}

} // namespace trainyard::remote
