// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/host_cache.h"

#include "engine/run/record/checkpoint_book.h"

#include <array>
#include <cstdlib>

namespace trainyard::remote {
namespace {

// $1 the cache. Seven fields of each item, each with a NUL behind it: "worker", "data" or "run"; its path; its name;
// kilobytes; 1 while it is in use; the name of its last checkpoint; 1 where a program has left files. Workers of any
// run may read any data, and runs that live on the host name what they were sent. What another user runs cannot be
// seen, and does not use this user's cache. A pool uses nothing by itself: it ends when its program is gone.
constexpr const char* kListScript = R"sh(
LC_ALL=C
export LC_ALL
cd -- "$1" 2> /dev/null || exit 0
item() { printf '%s\0%s\0%s\0%s\0%s\0%s\0%s\0' "$@"; }
size() { du -sk -- "$1" | cut -f 1; }
home=${TRAINYARD_WORKSPACE:-${XDG_DATA_HOME:-$HOME/.local/share}/trainyard}
real=$(pwd -P)
programs=$(for each in /proc/[0-9]*; do
  read -r comm < "$each/comm" && [ "$comm" = trainyard-pool ] || echo "$each/exe"
done 2> /dev/null | xargs readlink 2> /dev/null)
named=$(cat "$home"/runs/*/launch.json "$home"/sweeps/*/sweep.json 2> /dev/null)
working=0
grep -lqz '^TRAINYARD_WORKER_OF=' /proc/[0-9]*/environ 2> /dev/null && working=1
for each in [0-9a-f]*/; do
  each=${each%/}
  [ "${#each}" = 16 ] && [ -d "$each" ] && [ ! -L "$each" ] || continue
  used=$working kind=data name=
  case $programs$named in *"$PWD/$each/"* | *"$real/$each/"*) used=1 ;; esac
  for file in "$each"/* "$each"/.[!.]*; do
    [ -e "$file" ] || continue
    case $file in
      *.part.*) [ -d "/proc/${file##*.}" ] && used=1; name=${name:-${file##*/}} ;;
      */python) ;; # of a relay
      *.complete | *.complete.* | */trainyard-relay | */trainyardctl | */pool-*) name=${name:-${file##*/}} ;;
      */libraries) [ -L "$file" ] || name=libraries ;;
      *) name=${file##*/} ;;
    esac
  done
  case $name in
    trainyard-worker* | trainyard-relay) kind=worker ;;
    libraries) case $programs in *"$PWD/"* | *"$real/"*) used=1 ;; esac ;;
  esac
  item "$kind" "$each" "$name" "$(size "$each")" "$used" "" ""
done
for each in runs/*/; do
  each=${each%/}
  [ -d "$each" ] && [ ! -L "$each" ] || continue
  used=0
  grep -lqzxF "TRAINYARD_WORKER_OF=${each#runs/}" /proc/[0-9]*/environ 2> /dev/null && used=1
  last=$(ls "$each/checkpoints" 2> /dev/null | grep 'safetensors$' | sort | tail -n 1)
  wrote=$(find "$each/output" -type f 2> /dev/null | head -n 1)
  item run "$each" "${each#runs/}" "$(size "$each")" "$used" "$last" "${wrote:+1}"
done
)sh";

constexpr std::size_t kFields = 7;

} // namespace

const char* toString(Stays stays) {
    static constexpr std::array kWords = {"", "in-use", "newer", "unknown-run", "output"};
    static_assert(kWords.size() == static_cast<std::size_t>(Stays::Output) + 1);
    return kWords[static_cast<std::size_t>(stays)];
}

Result<std::vector<CachedItem>> readHostCache(SshSession& session, const HostBasics& basics) {
    ExecOptions options;
    options.silenceSeconds = 120; // sizes of large folders
    TY_ASSIGN(const ExecResult result, session.script(kListScript, {basics.cache}, options));
    if (!result.ok())
        return environmentError("the host's cache cannot be read: " + result.complaint(),
                                session.host().label() + ":" + basics.cache);
    std::vector<std::string> fields;
    for (std::size_t from = 0, at; (at = result.out.find('\0', from)) != std::string::npos; from = at + 1)
        fields.push_back(result.out.substr(from, at - from));
    std::vector<CachedItem> items;
    for (std::size_t i = 0; i + kFields <= fields.size(); i += kFields) {
        const auto kind = fields[i] == "worker" ? CachedItem::Kind::Worker
                          : fields[i] == "run"  ? CachedItem::Kind::Run
                                                : CachedItem::Kind::Data;
        items.push_back({kind, fields[i + 1], fields[i + 2], std::atoll(fields[i + 3].c_str()) * 1024,
                         fields[i + 4] == "1", run::checkpointStep(fields[i + 5]), fields[i + 6] == "1"});
    }
    return items;
}

std::vector<Stays> judgeCache(const std::vector<CachedItem>& items,
                              const std::map<std::string, std::int64_t>& newestHere) {
    std::vector<Stays> stays;
    for (const auto& item : items) {
        const auto here = newestHere.find(item.name);
        const bool isRun = item.kind == CachedItem::Kind::Run, hasSaved = isRun && item.newestStep >= 0;
        if (item.inUse) stays.push_back(Stays::InUse);
        else if (hasSaved && here == newestHere.end()) stays.push_back(Stays::Unknown);
        else if (hasSaved && item.newestStep > here->second) stays.push_back(Stays::Newer);
        else if (item.hasOutput) stays.push_back(Stays::Output);
        else stays.push_back(Stays::No);
    }
    return stays;
}

Result<void> removeItem(SshSession& session, const HostBasics& basics, const CachedItem& item) {
    const std::string path = basics.cache + "/" + item.path;
    ExecOptions options;
    options.silenceSeconds = 300;
    TY_ASSIGN(const ExecResult result, session.exec({"rm", "-rf", "--", path}, options));
    if (!result.ok())
        return environmentError("cannot be removed: " + result.complaint(), session.host().label() + ":" + path,
                                "correct its permissions");
    return {};
}

} // namespace trainyard::remote
