// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/libraries.h"

#include "engine/base/files/folders.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "remote/book/shell_quote.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string_view>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr const char* kPathVariable = "LD_LIBRARY_PATH";

// $1 a program: the folder of copies beside it, if there is one, and then what ldd says of the program, or nothing
// where it had all its libraries and none has come or gone since, on this host of those that share the folder.
constexpr const char* kLibrariesScript = R"sh(
copies=${1%/*}/libraries
complete=$1.complete.$(uname -n)
if [ -d "$copies" ]; then
  printf '%s\n' "$copies"
  LD_LIBRARY_PATH=$copies
  export LD_LIBRARY_PATH
else
  [ ! -L "$copies" ] || rm -f -- "$copies" "$complete"
  echo
fi
[ "$complete" -nt /etc/ld.so.cache ] && exit 0
found=$(ldd "$1" 2>&1)
case $found in
*"not found"*) ;;
*) { : > "$complete"; } 2> /dev/null ;;
esac
printf '%s\n' "$found"
)sh";

// $1 the folder of copies, $2 where the link to it goes.
constexpr const char* kLinkScript = R"sh(
ln -sfn -- "$1" "$2.$$" && mv -fT -- "$2.$$" "$2"
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

std::vector<NeededLibrary> copiedOf(const std::vector<fs::path>& programs) {
    std::vector<NeededLibrary> all;
    for (const auto& program : programs)
        for (auto& library : neededLibraries(program))
            if (isCopied(library.name) && std::ranges::find(all, library.name, &NeededLibrary::name) == all.end())
                all.push_back(std::move(library));
    return all;
}

// A folder with a link of that name to each: the same one for the same libraries.
Result<fs::path> folderOfLinks(const std::vector<NeededLibrary>& libraries) {
    std::string text;
    for (const auto& library : libraries) text += library.name + ' ' + library.file.string() + '\n';
    const fs::path cache = cacheFolder();
    if (cache.empty()) return environmentError("there is no cache folder", {}, "set HOME, or XDG_CACHE_HOME");
    const fs::path folder = cache / "libraries" / toHex(sha256Raw(text)).substr(0, 16) / "libraries";
    std::error_code failure;
    fs::create_directories(folder, failure);
    for (const auto& library : libraries) {
        std::error_code exists; // made by an earlier call, or one beside this
        fs::create_symlink(library.file, folder / library.name, exists);
    }
    if (failure) return environmentError("the folder cannot be made: " + failure.message(), folder.string());
    return folder;
}

} // namespace

std::vector<NeededLibrary> neededLibraries(const fs::path& program) {
    std::vector<NeededLibrary> libraries;
    std::istringstream lines(localOutput({"ldd", program.string()}));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, arrow, file;
        if (!(words >> name >> arrow) || arrow != "=>") continue;
        words >> file;
        libraries.push_back({name, file.starts_with('/') ? fs::path(file) : fs::path()});
    }
    return libraries;
}

bool isCopied(const std::string& library) {
    constexpr std::array<std::string_view, 13> kSystem{
        "ld-linux",   "libc.so",   "libm.so",    "libdl.so",  "libpthread.so", "librt.so",  "libresolv.so",
        "libutil.so", "libanl.so", "libmvec.so", "libnsl.so", "libcuda.so",    "libnvidia-"};
    return std::ranges::none_of(kSystem, [&](std::string_view each) { return library.starts_with(each); });
}

std::optional<std::int64_t> copiedBytes(const std::vector<fs::path>& programs) {
    std::int64_t bytes = 0;
    for (const auto& library : copiedOf(programs)) {
        std::error_code absent;
        const auto size = fs::file_size(library.file, absent);
        if (absent) return std::nullopt;
        bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
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

Result<LibraryLack> lackOf(SshSession& session, const std::string& program) {
    TY_ASSIGN(const ExecResult result, session.script(kLibrariesScript, {program}));
    LibraryLack lack;
    std::istringstream lines(result.out);
    std::getline(lines, lack.folder);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("not found") == std::string::npos) continue;
        std::string name;
        if (const auto at = line.find("version `"); at != std::string::npos) {
            const std::string version = printable(line.substr(at + 9, line.find('\'', at + 9) - at - 9));
            if (version.starts_with("GLIBC_")) {
                lack.newer = version;
                continue;
            }
            name = version; // of another library, which is there and too old
        } else {
            std::istringstream(line) >> name;
        }
        if (std::ranges::find(lack.missing, name) == lack.missing.end()) lack.missing.push_back(printable(name));
    }
    return lack;
}

Error lackError(const SshSession& session, const std::string& program, const LibraryLack& lack) {
    const std::string what = program.substr(program.rfind('/') + 1);
    if (!lack.newer.empty())
        return environmentError(what + " cannot run on the host, its C library is too old (" + lack.newer +
                                    " is needed)",
                                session.host().label(), "use a host with the same system release as this computer")
            .withCode(ErrorCode::HostUnsuitable);
    std::string list;
    for (const auto& name : lack.missing) list += (list.empty() ? "" : ", ") + name;
    return environmentError(what + " cannot run on the host, these libraries are missing: " + list,
                            session.host().label(), "on the host: " + installHint(lack.missing))
        .withCode(ErrorCode::HostUnsuitable);
}

Result<Staged> sendLibraries(SshSession& session, const HostBasics& basics, const std::vector<fs::path>& programs,
                             const std::string& program, DigestCache& digests) {
    TY_ASSIGN(const fs::path folder, folderOfLinks(copiedOf(programs)));
    TY_ASSIGN(Staged staged, stagePath(session, basics, folder, digests));
    const std::string link = program.substr(0, program.rfind('/')) + "/libraries";
    TY_ASSIGN(const ExecResult linked, session.script(kLinkScript, {staged.path, link}));
    if (!linked.ok())
        return environmentError("the libraries cannot be put beside the program: " + linked.complaint(),
                                session.host().label() + ":" + link);
    return staged;
}

std::map<std::string, std::string> withLibraries(const std::string& folder,
                                                 std::map<std::string, std::string> environment) {
    if (folder.empty()) return environment;
    std::string& path = environment[kPathVariable];
    path = path.empty() ? folder : folder + ":" + path;
    return environment;
}

} // namespace trainyard::remote
