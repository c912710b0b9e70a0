// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/deploy.h"

#include "engine/base/ids.h"
#include "engine/base/sha256.h"
#include "remote/shell_quote.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// $1 a program: what ldd says of it, or nothing where it had all its libraries and none has come or gone since.
constexpr const char* kLibrariesScript = R"sh(
[ "$1.complete" -nt /etc/ld.so.cache ] && exit 0
found=$(ldd "$1" 2>&1)
case $found in
*"not found"*) ;;
*) { : > "$1.complete"; } 2> /dev/null ;;
esac
printf '%s\n' "$found"
)sh";

// Output of a local program; empty when it fails.
std::string localOutput(const std::vector<std::string>& arguments) {
    std::string line;
    for (const auto& argument : arguments) {
        auto word = shellQuote(argument);
        if (!word) return {};
        line += *word + " ";
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen((line + "2>/dev/null").c_str(), "re"),
                                                               &::pclose);
    std::string text;
    char buffer[4096];
    for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) text.append(buffer, n);
    return text;
}

// The Debian package of a library: what dpkg says here, else nothing.
std::string packageOf(const std::string& library) {
    const std::string owner = localOutput({"dpkg", "-S", "*/" + library});
    const auto colon = owner.find(':');
    return colon == std::string::npos ? std::string() : owner.substr(0, colon);
}

std::string folderOf(const HostBasics& basics, const std::string& digest) {
    return basics.cache + "/" + digest.substr(0, 16) + "/";
}

} // namespace

std::string localArchitecture() {
    utsname name{};
    ::uname(&name);
    return name.machine;
}

std::vector<std::string> libraryNames(const fs::path& program) {
    std::vector<std::string> names;
    std::istringstream lines(localOutput({"ldd", program.string()}));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, arrow;
        if (words >> name >> arrow && arrow == "=>") names.push_back(name);
    }
    return names;
}

std::string installHint(const std::vector<std::string>& libraries) {
    std::vector<std::string> packages;
    std::string unknown;
    for (const auto& library : libraries) {
        const std::string package = packageOf(library);
        if (package.empty()) unknown += " " + library;
        else if (std::ranges::find(packages, package) == packages.end()) packages.push_back(package);
    }
    std::string hint;
    for (const auto& package : packages) hint += (hint.empty() ? "sudo apt install " : " ") + package;
    if (!unknown.empty()) hint += (hint.empty() ? "" : "; and ") + std::string("install the library") + unknown;
    return hint;
}

Result<void> checkLibraries(SshSession& session, const std::string& program) {
    TY_ASSIGN(const ExecResult result, session.script(kLibrariesScript, {program}));
    std::vector<std::string> missing;
    std::string newer;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("not found") == std::string::npos) continue;
        if (const auto version = line.find("version `"); version != std::string::npos) {
            newer = line.substr(version + 9, line.find('\'', version + 9) - version - 9);
            continue;
        }
        std::istringstream words(line);
        std::string name;
        words >> name;
        missing.push_back(printable(name));
    }
    const std::string what = program.substr(program.rfind('/') + 1);
    std::string list;
    for (const auto& name : missing) list += (list.empty() ? "" : ", ") + name;
    if (!missing.empty())
        return environmentError(what + " cannot run on the host, these libraries are missing: " + list,
                                session.host().label(), "on the host: " + installHint(missing))
            .withCode(ErrorCode::HostUnsuitable);
    if (!newer.empty())
        return environmentError(what + " cannot run on the host, its C library is too old (" + printable(newer) +
                                    " is needed)",
                                session.host().label(), "use a host with the same system release as this computer")
            .withCode(ErrorCode::HostUnsuitable);
    return {};
}

Result<Deployed> deployWorker(SshSession& session, const HostBasics& basics, const fs::path& program,
                              const std::string& name, const fs::path& relay) {
    if (basics.architecture != localArchitecture())
        return environmentError("the host's processor is " + printable(basics.architecture) + ", this computer's is " +
                                    localArchitecture(),
                                session.host().label(), "use hosts of the same architecture")
            .withCode(ErrorCode::HostUnsuitable);
    std::error_code failure;
    if (!fs::is_regular_file(program, failure))
        return environmentError("there is no trainyard-worker to run", program.string(),
                                "install Trainyard completely");
    TY_ASSIGN(const std::string digest, sha256HexOf(program));
    const std::string folder = folderOf(basics, digest);
    Deployed deployed;
    deployed.program = folder + (name.empty() ? program.filename().string() : name);
    std::vector<FileToSend> files{{program, digest, deployed.program, true}};
    if (!relay.empty()) {
        TY_ASSIGN(const std::string relayDigest, sha256HexOf(relay));
        deployed.relay = folder + "trainyard-relay";
        files.push_back({relay, relayDigest, deployed.relay, true});
    }
    TY_ASSIGN(deployed.bytesSent, sendMissing(session, files));
    TY_TRY(checkLibraries(session, deployed.program));
    return deployed;
}

Result<bool> hasWorker(SshSession& session, const HostBasics& basics, const fs::path& program) {
    TY_ASSIGN(const std::string digest, sha256HexOf(program));
    TY_ASSIGN(const auto there, remoteDigests(session, {folderOf(basics, digest) + program.filename().string()}));
    return there[0] == digest;
}

} // namespace trainyard::remote
