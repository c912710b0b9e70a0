// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/shared_files.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// $1 the path, $2 the digest of the listing here, or empty. Prints "none", "file SIZE", "folder same", or "folder
// other" with "PATH<tab>SIZE\0" of each file behind it, sorted.
constexpr std::string_view kListShared = R"sh(
LC_ALL=C
export LC_ALL
for program in find sort sha256sum; do
  command -v "$program" > /dev/null || { echo "$program is not installed" >&2; exit 127; }
done
if [ -f "$1" ]; then echo "file $(stat -L -c %s -- "$1")"; exit 0; fi
cd -- "$1" 2> /dev/null || { echo none; exit 0; }
while sleep 2 > /dev/null 2>&1; do echo >&2; done & # a sign of life
alive=$!
trap 'kill "$alive"' EXIT
listing() { find . -xtype f -printf '%p\t%s\0' | sort -z; }
if [ "$(listing | sha256sum | cut -c 1-64)" = "$2" ]; then echo "folder same"; exit 0; fi
echo "folder other"
listing
)sh";

constexpr std::size_t kMostListed = 1u << 30;

std::string listingText(const std::vector<ListedSize>& listing) {
    std::string text;
    for (const ListedSize& file : listing) {
        text += file.path + '\t' + std::to_string(file.bytes);
        text += '\0';
    }
    return text;
}

// "PATH<tab>SIZE" of a listing that a host has printed; what is no such thing is passed over.
std::vector<ListedSize> listingIn(std::string_view text) {
    std::vector<ListedSize> listing;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\0'), text.size()), tab = text.substr(0, end).rfind('\t');
        std::int64_t bytes = 0;
        if (tab != std::string_view::npos &&
            std::from_chars(text.data() + tab + 1, text.data() + end, bytes).ptr == text.data() + end)
            listing.push_back({std::string(text.substr(0, tab)), bytes});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return listing;
}

std::string shownBytes(std::int64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string shownPath(const std::string& path) {
    return printable(path.starts_with("./") ? path.substr(2) : path, 300);
}

} // namespace

Result<std::vector<ListedSize>> listSizes(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0)
        return inputError("there is no such file or folder", path.string(), "correct the path");
    std::vector<ListedSize> listing;
    if (S_ISREG(info.st_mode)) {
        listing.push_back({{}, info.st_size});
        return listing;
    }
    std::error_code problem;
    const std::size_t root = path.string().size() + (path.string().ends_with('/') ? 0 : 1);
    for (fs::recursive_directory_iterator at(path, problem), end; !problem && at != end; at.increment(problem)) {
        if (::stat(at->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue; // as find -xtype f
        if (::lstat(at->path().c_str(), &info) != 0) continue;
        listing.push_back({"./" + at->path().string().substr(root), info.st_size});
    }
    if (problem)
        return environmentError("the folder cannot be read: " + problem.message(), path.string(),
                                "check its permissions");
    const auto lineOf = [](const ListedSize& file) { return file.path + '\t' + std::to_string(file.bytes); };
    std::sort(listing.begin(), listing.end(),
              [&](const ListedSize& a, const ListedSize& b) { return lineOf(a) < lineOf(b); });
    return listing;
}

std::string firstDifference(const std::vector<ListedSize>& here, const std::vector<ListedSize>& there) {
    for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
        if (i < here.size() && i < there.size() && here[i] == there[i]) continue;
        if (i < here.size() && i < there.size() && here[i].path == there[i].path)
            return shownPath(here[i].path) + " has " + shownBytes(here[i].bytes) + " here and " +
                   shownBytes(there[i].bytes) + " there";
        const bool missing = i >= there.size() || (i < here.size() && here[i].path < there[i].path);
        return missing ? shownPath(here[i].path) + " is not there"
                       : shownPath(there[i].path) + " is there and not here";
    }
    return {};
}

Result<std::string> sharedPath(SshSession& session, const fs::path& given) {
    std::error_code failure;
    fs::path local = fs::absolute(given, failure).lexically_normal();
    if (!local.has_filename()) local = local.parent_path(); // "folder/"
    TY_ASSIGN(const auto here, listSizes(local));
    const std::string text = listingText(here);
    const bool isFile = here.size() == 1 && here.front().path.empty();
    ExecOptions options;
    options.silenceSeconds = 60;
    options.maxOutput = kMostListed;
    TY_ASSIGN(const ExecResult result,
              session.script(std::string(kListShared),
                             {local.string(), sha256Hex(std::as_bytes(std::span(text.data(), text.size())))}, options));
    const std::string where = session.host().label() + ":" + local.string();
    constexpr const char* kRemedy = "make it the same there, or set dataset.params.placement to \"copy\"";
    if (!result.ok())
        return environmentError("the files on the host cannot be listed: " + result.complaint(), where,
                                "on the host: sudo apt install findutils coreutils");
    const std::size_t end = std::min(result.out.find('\n'), result.out.size());
    const std::string answer = result.out.substr(0, end);
    if (answer == "none") return environmentError("is not there, and is said to be shared", where, kRemedy);
    if (isFile != answer.starts_with("file"))
        return environmentError(isFile ? "is a folder there, and a file here" : "is a file there, and a folder here",
                                where, kRemedy);
    if (answer == "folder same" || answer == "file " + std::to_string(here.front().bytes)) return local.string();
    if (isFile)
        return environmentError("has " + answer.substr(5) + " bytes there, and " + shownBytes(here.front().bytes) +
                                    " here",
                                where, kRemedy);
    const std::string difference =
        firstDifference(here, listingIn(std::string_view(result.out).substr(std::min(end + 1, result.out.size()))));
    return environmentError(
        "differs from the folder here: " + (difference.empty() ? "it has just changed" : difference), where, kRemedy);
}

} // namespace trainyard::remote
