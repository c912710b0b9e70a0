// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/run_copies.h"

#include "remote/files/folder_copy.h"

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// $1 a staged folder, $2 the place of the run's own copy. The names of programs in it come on standard input.
constexpr const char* kCopyScript = R"sh(
umask 077
[ -d "$2" ] && exit 0
part=$2.$$
mkdir -p -- "${2%/*}" && cp -a --reflink=auto -- "$1" "$part" &&
  (cd -- "$part" && xargs -0 -r chmod u+x --) && mv -T -- "$part" "$2" && exit 0
[ -d "$2" ] || code=1
rm -rf -- "$part"
exit "${code:-0}"
)sh";

// $1 a path.
constexpr const char* kKindScript = R"sh(if [ -d "$1" ]; then echo folder; elif [ -f "$1" ]; then echo file; fi)sh";

} // namespace

Result<std::string> copyForRun(SshSession& session, const std::string& staged, const std::string& place,
                               const std::vector<std::string>& programs) {
    ExecOptions options;
    for (const auto& program : programs) options.input += "./" + program + '\0';
    options.silenceSeconds = 300;
    TY_ASSIGN(const ExecResult copied, session.script(kCopyScript, {staged, place}, options));
    if (copied.ok()) return place;
    return notWritten(session, {fs::path(place).filename().string(), place, 0}, copied);
}

Result<void> fetchFileOrFolder(SshSession& session, const std::string& remote, const fs::path& local,
                               DigestCache& digests) {
    TY_ASSIGN(const ExecResult kind, session.script(kKindScript, {remote}));
    const std::string there = session.host().label() + ":" + remote;
    if (!kind.ok()) return environmentError("cannot be read on the host: " + kind.complaint(), there);
    if (kind.out.empty())
        return environmentError("is not on the host any more", there, "see what it has: trainyardctl checkpoints RUN")
            .withCode(ErrorCode::FileMissing);
    const fs::path part = local.string() + ".part";
    std::error_code failure;
    fs::create_directories(local.parent_path(), failure);
    fs::remove_all(part, failure);
    if (kind.out.starts_with("folder")) TY_TRY(copyDown(session, remote, part, digests, Overwrite::Force));
    else TY_TRY(fetchFile(session, remote, part));
    fs::remove_all(local, failure);
    fs::rename(part, local, failure);
    if (failure) return environmentError("cannot be made: " + failure.message(), local.string());
    return {};
}

} // namespace trainyard::remote
