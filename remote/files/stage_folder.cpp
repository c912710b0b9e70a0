// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/stage_folder.h"

#include "engine/base/files/tar_archive.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

// What both scripts begin with. $1 the cache, $2 the place in it, $3 the digest of the content, $4 the count of files.
// A folder's digest is noted with the look of its files, and holds while that is the same: what a loss of power has
// cost shows in it. Notes are trusted where nobody else can write them.
constexpr std::string_view kFunctions = R"sh(
LC_ALL=C
export LC_ALL
umask 077
for program in find sort xargs sha256sum tar; do
  command -v "$program" > /dev/null || { echo "$program is not installed" >&2; exit 127; }
done
place=$2 expected=$3 files=$4
notes=$1/digests
mkdir -p -- "$notes" && [ -O "$notes" ] && [ "$(stat -c %a -- "$notes")" = 700 ] || notes=
while sleep 2 > /dev/null 2>&1; do echo >&2; done & # a sign of life
alive=$!
trap 'kill "$alive"' EXIT

# Of all files of the current folder: "DIGEST  ./PATH", each with a NUL behind it.
digests() { find . -xtype f -print0 | sort -z | xargs -0 -r sha256sum -z --; }
first() { sha256sum | cut -c 1-64; }
# Changes with every change of a file. Nothing where that cannot be seen: what a link points to.
look() {
  [ -n "$notes" ] && [ -z "$(find . -type l -print | head -c 1)" ] || return 0
  find . -type f -printf '%s %T@ %C@ %i %p\0' | sort -z | first
}
note_of() { echo "$notes/$(printf %s "$1" | first)"; }
# $1 the folder, $2 its look, $3 its digest
keep() {
  [ -n "$2" ] || return 0
  note=$(note_of "$1")
  printf '%s %s\n' "$2" "$3" 2> /dev/null > "$note.$$" && mv -f -- "$note.$$" "$note" || rm -f -- "$note.$$"
}
holds() {
  cd -- "$1" 2> /dev/null && [ "$(find . -xtype f -printf . | wc -c)" -eq "$files" ] || return 1
  seen=$(look)
  if [ -n "$seen" ] && read -r known digest 2> /dev/null < "$(note_of "$1")" && [ "$known" = "$seen" ]; then :
  else
    digest=$(digests | first)
    keep "$1" "$seen" "$digest"
  fi
  [ "$digest" = "$expected" ]
}
)sh";

// $5 the folder's path on this computer, or nothing. Prints "here" (that has the content on the host, too), "staged" or
// "missing"; then, where an earlier transfer has left files, what its folder's name has behind that of the place, and
// their digests. A transfer that is still under way is left alone.
constexpr std::string_view kFind = R"sh(
if [ -n "$5" ] && holds "$5"; then echo here; exit 0; fi
if holds "$place"; then echo staged; exit 0; fi
echo missing
[ -d "$place" ] && left=$place || left=
for each in "$place.part.$(uname -n)".*; do
  [ -d "$each" ] && [ ! -d "/proc/${each##*.}" ] && left=$each
done
[ -n "$left" ] || exit 0
printf '%s\0' "${left#"$place"}"
cd -- "$left" && digests
)sh";

// $5 "new", or behind a "+" what is left as kFind prints it. The files come as an archive on standard input.
constexpr std::string_view kReceive = R"sh(
part=$place.part.$(uname -n).$$
mkdir -p -- "${place%/*}" || exit 1
case $5 in
  +) cp -al -- "$place" "$part" ;;
  +*) mv -T -- "$place${5#+}" "$part" ;;
esac 2> /dev/null
mkdir -p -- "$part" && cd -- "$part" || exit 1
said=$(tar -xmof - --no-same-permissions 2>&1) || {
  case $said in *"No space left"* | *quota*) rm -rf -- "$part" ;; esac
  printf '%s\n' "$said" >&2
  exit 1
}
arrived=$(look)
if [ "$(digests | first)" != "$expected" ]; then
  rm -rf -- "$part"
  echo "what arrived is not what was sent" >&2
  exit 2
fi
if mv -T -- "$part" "$place" 2> /dev/null; then :
elif holds "$place"; then rm -rf -- "$part"; exit 0
else mv -T -- "$place" "$part.old" && mv -T -- "$part" "$place" && rm -rf -- "$part.old" || exit 1
fi
keep "$place" "$arrived" "$expected"
exit 0
)sh";

constexpr int kMissingProgram = 127, kOtherContent = 2;
constexpr std::size_t kMaxListing = 1u << 30;

struct Found {
    std::string path;                      // where the content is; empty: it has to be sent
    std::optional<std::string> leftBehind; // the name of what an earlier transfer has left, as kReceive takes it
    std::set<std::string> there;           // in it: "DIGEST  ./PATH"
};

std::string lineOf(const FolderFile& file) { return file.digest + "  ./" + file.path; }

class FolderStage {
public:
    FolderStage(SshSession& session, const HostBasics& basics, const FolderContent& folder, LooksFor looksFor)
        : m_session(session), m_folder(folder), m_looksFor(looksFor), m_digest(folder.digest()),
          m_place(basics.cache + "/" + m_digest.substr(0, 16) + "/" + folder.root.filename().string()),
          m_parameters{basics.cache, m_place, m_digest, std::to_string(folder.files.size())} {}

    Result<Staged> stage();

private:
    Result<Found> find();
    Result<bool> send(const Found& found, std::int64_t& bytes); // false: something else arrived
    Result<ExecResult> run(std::string_view script, const std::string& parameter, ExecOptions options);

    SshSession& m_session;
    const FolderContent& m_folder;
    const LooksFor m_looksFor;
    const std::string m_digest, m_place; // of the folder, and on the host
    const std::vector<std::string> m_parameters;
};

Result<ExecResult> FolderStage::run(std::string_view script, const std::string& parameter, ExecOptions options) {
    auto parameters = m_parameters;
    parameters.push_back(parameter);
    options.silenceSeconds = 60;
    options.maxOutput = kMaxListing;
    TY_ASSIGN(ExecResult result, m_session.script(std::string(kFunctions) + std::string(script), parameters, options));
    if (result.status.signalled || result.status.code != kMissingProgram) return result;
    return environmentError("folders cannot be copied to the host: " + result.complaint(), m_session.host().label(),
                            "on the host: sudo apt install tar findutils coreutils");
}

Result<Found> FolderStage::find() {
    TY_ASSIGN(const ExecResult result, run(kFind, m_looksFor == LooksFor::SamePath ? m_folder.root.string() : "", {}));
    std::string_view text(result.out);
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view answer = text.substr(0, end);
    if (answer == "here") return Found{m_folder.root.string(), {}, {}};
    if (answer == "staged") return Found{m_place, {}, {}};
    if (answer != "missing")
        return environmentError("the host cannot compute checksums: " + result.complaint(), m_session.host().label());
    Found found;
    text.remove_prefix(end + 1);
    for (std::size_t at; (at = text.find('\0')) != std::string_view::npos; text.remove_prefix(at + 1)) {
        if (found.leftBehind) found.there.emplace(text.substr(0, at));
        else found.leftBehind = text.substr(0, at);
    }
    return found;
}

Result<bool> FolderStage::send(const Found& found, std::int64_t& bytes) {
    std::vector<TarMember> members;
    bytes = 0;
    for (const auto& file : m_folder.files) {
        if (found.there.contains(lineOf(file))) continue;
        members.push_back({"./" + file.path, m_folder.root / file.path});
        bytes += file.bytes;
    }
    TarStream archive(std::move(members));
    ExecOptions options;
    options.source = [&](std::span<char> buffer) { return archive.read(buffer); };
    TY_ASSIGN(const ExecResult result, run(kReceive, found.leftBehind ? "+" + *found.leftBehind : "new", options));
    if (result.ok()) return true;
    if (!result.status.signalled && result.status.code == kOtherContent) return false;
    return notWritten(m_session, {m_folder.root.filename().string(), m_place, bytes}, result);
}

Result<Staged> FolderStage::stage() {
    TY_ASSIGN(Found found, find());
    if (!found.path.empty()) return Staged{found.path, 0};
    // What was left may hold more than belongs there, or be taken by another transfer.
    for (const bool again : {false, true}) {
        std::int64_t bytes = 0;
        TY_ASSIGN(const bool whole, send(again ? Found{} : found, bytes));
        if (whole) return Staged{m_place, bytes};
        if (!found.leftBehind) break;
    }
    return environmentError("a file has changed while the folder was copied to " + m_session.host().label(),
                            m_folder.root.string(), "start again when nothing writes to it");
}

} // namespace

Result<Staged> stageFolder(SshSession& session, const HostBasics& basics, const FolderContent& folder,
                           LooksFor looksFor) {
    return FolderStage(session, basics, folder, looksFor).stage();
}

} // namespace trainyard::remote
