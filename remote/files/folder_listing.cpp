// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/folder_listing.h"

#include "engine/base/clock.h"

#include <cstdio>
#include <string_view>

namespace trainyard::remote {
namespace {

// $1 the folder. Fields with a NUL behind each: its path, the clock, "yes" or "no" there; then of every file its time,
// size, mode and path; an empty field; then "DIGEST  ./PATH" of every file.
constexpr const char* kListFolder = R"sh(
for program in find sort xargs sha256sum tar; do
  command -v "$program" > /dev/null || { echo "$program is not installed" >&2; exit 127; }
done
case $1 in
  "~") folder=$HOME ;;
  "~/"*) folder=$HOME/${1#"~/"} ;;
  /*) folder=$1 ;;
  *) folder=$HOME/$1 ;;
esac
[ -d "$folder" ] && there=yes || there=no
printf '%s\0%s\0%s\0' "$folder" "$(date +%s.%N)" "$there"
[ "$there" = yes ] || exit 0
cd -- "$folder" || exit 1
find . -type f -printf '%T@ %s %m %p\0' || exit 1
printf '\0'
find . -type f -print0 | sort -z | xargs -0 -r sha256sum -z -- || exit 1
)sh";

constexpr std::size_t kMaxFolderListing = 1u << 30;
constexpr std::size_t kDigestWidth = 64;

class Fields {
public:
    explicit Fields(std::string_view text) : m_text(text) {}
    bool next(std::string_view& field) {
        const auto end = m_text.find('\0');
        if (end == std::string_view::npos) return false;
        field = m_text.substr(0, end);
        m_text.remove_prefix(end + 1);
        return true;
    }

private:
    std::string_view m_text;
};

// A path that leads out of the folder comes from no find.
bool staysInside(std::string_view path) {
    return !path.empty() && path[0] != '/' && path.find("../") == std::string_view::npos && path != ".." &&
           !path.ends_with("/..");
}

std::map<std::string, ListedFile>& placeOf(FolderListing& listing, std::string& path) {
    const std::string part = std::string(kPartFolder) + "/";
    if (!path.starts_with(part)) return listing.files;
    path.erase(0, part.size());
    return listing.part;
}

// "TIME SIZE MODE ./PATH"
void addFile(std::string_view field, double ahead, FolderListing& listing) {
    double time = 0;
    long long bytes = 0;
    unsigned mode = 0;
    int used = 0;
    if (std::sscanf(std::string(field).c_str(), "%lf %lld %o ./%n", &time, &bytes, &mode, &used) != 3 || used == 0)
        return;
    std::string path(field.substr(static_cast<std::size_t>(used)));
    if (!staysInside(path)) return;
    auto& place = placeOf(listing, path);
    place[path] = {{}, bytes, time - ahead, (mode & 0100) != 0};
}

void addDigest(std::string_view field, FolderListing& listing) {
    if (field.size() < kDigestWidth + 5) return; // "DIGEST  ./x"
    std::string path(field.substr(kDigestWidth + 4));
    auto& place = placeOf(listing, path);
    if (const auto file = place.find(path); file != place.end()) file->second.digest = field.substr(0, kDigestWidth);
}

} // namespace

Result<FolderListing> listFolder(SshSession& session, const std::string& folder) {
    ExecOptions options;
    options.silenceSeconds = 3600; // one large file is hashed in silence
    options.maxOutput = kMaxFolderListing;
    const double before = static_cast<double>(wallClockMs()) / 1000;
    TY_ASSIGN(const ExecResult result, session.script(kListFolder, {folder}, options));
    const std::string where = session.host().label() + ":" + folder;
    if (!result.status.signalled && result.status.code == 127)
        return environmentError("folders cannot be copied: " + result.complaint(), session.host().label(),
                                "on the host: sudo apt install tar findutils coreutils");
    Fields fields(result.out);
    std::string_view path, clock, there, field;
    if (!result.ok() || !fields.next(path) || !fields.next(clock) || !fields.next(there))
        return environmentError("the folder cannot be read on the host: " + result.complaint(), where);
    FolderListing listing{std::string(path), there == "yes", {}, {}};
    const double ahead = std::strtod(std::string(clock).c_str(), nullptr) - before;
    while (fields.next(field) && !field.empty()) addFile(field, ahead, listing);
    while (fields.next(field)) addDigest(field, listing);
    return listing;
}

} // namespace trainyard::remote
