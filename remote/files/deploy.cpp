// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/deploy.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/programs.h"

#include <sys/utsname.h>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

std::string folderOf(const HostBasics& basics, const std::string& digest) {
    return basics.cache + "/" + digest.substr(0, 16) + "/";
}

// The first that lacks something, of the worker and trainyardctl; the relay needs nothing that the worker does not.
Result<std::pair<std::string, LibraryLack>> firstLack(SshSession& session, const Deployed& deployed) {
    LibraryLack lack;
    for (const auto& program : {deployed.program, deployed.control}) {
        if (program.empty()) continue;
        TY_ASSIGN(lack, lackOf(session, program));
        if (!lack.none()) return std::pair{program, lack};
    }
    return std::pair{deployed.program, lack};
}

Result<void> giveLibraries(SshSession& session, const HostBasics& basics, const ToDeploy& files, DigestCache& digests,
                           Deployed& deployed) {
    TY_ASSIGN(auto lack, firstLack(session, deployed));
    std::vector<fs::path> programs{files.worker};
    if (!files.control.empty()) programs.push_back(files.control);
    const auto bytes = lack.second.missing.empty() || !lack.second.newer.empty() ? std::nullopt : copiedBytes(programs);
    if (bytes) {
        if (files.onLibraries) files.onLibraries(*bytes);
        TY_ASSIGN(const Staged sent, sendLibraries(session, basics, programs, deployed.program, digests));
        deployed.bytesSent += sent.bytesSent;
        TY_ASSIGN(lack, firstLack(session, deployed));
    }
    if (!lack.second.none()) return lackError(session, lack.first, lack.second);
    deployed.libraries = lack.second.folder;
    return {};
}

Result<void> add(std::vector<FileToSend>& files, const fs::path& local, const std::string& remote,
                 bool executable = true) {
    if (local.empty()) return {};
    TY_ASSIGN(const std::string digest, sha256HexOf(local));
    files.push_back({local, digest, remote, executable});
    return {};
}

// Where the keeper there looks for them.
Result<void> addModules(std::vector<FileToSend>& files, const fs::path& modules, const std::string& folder) {
    if (modules.empty()) return {};
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(modules, failure))
        if (entry.is_regular_file(failure))
            TY_TRY(add(files, entry.path(), folder + run::kModules + "/" + entry.path().filename().string(), false));
    return {};
}

} // namespace

std::string localArchitecture() {
    utsname name{};
    ::uname(&name);
    return name.machine;
}

std::string librariesNotice(const std::string& host, std::int64_t bytes) {
    return host + ": copying the libraries that it lacks (" + sizeText(bytes) + ", once)";
}

Result<Deployed> deployWorker(SshSession& session, const HostBasics& basics, const ToDeploy& files,
                              DigestCache& digests) {
    if (basics.architecture != localArchitecture())
        return environmentError("the host's processor is " + printable(basics.architecture) + ", this computer's is " +
                                    localArchitecture(),
                                session.host().label(), "use hosts of the same architecture")
            .withCode(ErrorCode::HostUnsuitable);
    std::error_code failure;
    const std::string name = files.workerName.empty() ? files.worker.filename().string() : files.workerName;
    if (!fs::is_regular_file(files.worker, failure))
        return environmentError("there is no " + name + " to run", files.worker.string(),
                                "install Trainyard completely");
    TY_ASSIGN(const std::string digest, sha256HexOf(files.worker));
    const std::string folder = folderOf(basics, digest);
    Deployed deployed;
    deployed.program = folder + name;
    if (!files.relay.empty()) deployed.relay = folder + "trainyard-relay";
    if (!files.control.empty()) deployed.control = folder + "trainyardctl";
    std::vector<FileToSend> sent{{files.worker, digest, deployed.program, true}};
    if (deployed.relay != deployed.program) TY_TRY(add(sent, files.relay, deployed.relay));
    TY_TRY(add(sent, files.control, deployed.control));
    TY_TRY(addModules(sent, files.modules, folder));
    TY_ASSIGN(deployed.bytesSent, sendMissing(session, sent));
    TY_TRY(giveLibraries(session, basics, files, digests, deployed));
    return deployed;
}

Result<bool> hasWorker(SshSession& session, const HostBasics& basics, const fs::path& program) {
    TY_ASSIGN(const std::string digest, sha256HexOf(program));
    TY_ASSIGN(const auto there, remoteDigests(session, {folderOf(basics, digest) + program.filename().string()}));
    return there[0] == digest;
}

} // namespace trainyard::remote
