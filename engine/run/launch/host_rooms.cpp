// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/host_rooms.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/base/unique_fd.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 4u << 20;

fs::path roomsFile() {
    const auto folder = cacheFolder();
    return folder.empty() ? fs::path() : folder / "host-rooms.json";
}

// Of a value that is none, or no number from 0 to a million million: 0.
std::int64_t numberIn(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return 0;
    const auto number = found->get<std::int64_t>();
    return number < 0 || number > (std::int64_t{1} << 50) ? 0 : number;
}

// Not for long: whoever has the lock may be held up. One host too few is known then until it is looked at again.
void waitForLock(int file) {
    for (int tries = 0; tries < 500; ++tries) {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace

HostRooms knownHosts() {
    HostRooms rooms;
    const auto text = readFile(roomsFile(), kMaxBytes);
    if (!text) return rooms;
    const auto json = parseSortedJson(*text);
    if (!json.is_object()) return rooms;
    for (const auto& [host, entry] : json.items()) {
        if (host.empty() || !entry.is_object()) continue;
        const auto cores = numberIn(entry, "cores"), devices = numberIn(entry, "devices");
        if (cores < 1 || cores > 1'000'000 || devices > 10'000) continue;
        rooms[host] = {static_cast<int>(cores), static_cast<int>(devices), numberIn(entry, "memory_bytes")};
    }
    return rooms;
}

void noteHost(const std::string& host, Room room) {
    const auto file = roomsFile();
    if (file.empty() || host.empty()) return;
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    // Others note theirs meanwhile: in this process, too, so each has a descriptor of its own.
    const UniqueFd lock(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock) waitForLock(lock.get());
    auto rooms = knownHosts();
    const auto before = rooms.find(host);
    if (before != rooms.end() && room.memoryBytes == 0) room.memoryBytes = before->second.memoryBytes;
    if (before != rooms.end() && before->second == room) return;
    rooms[host] = room;
    Json json = Json::object();
    for (const auto& [name, each] : rooms)
        json[name] = {{"cores", each.cores}, {"devices", each.devices}, {"memory_bytes", each.memoryBytes}};
    (void)writeFileAtomic(file, jsonFile(json), Outlives::Process);
}

} // namespace trainyard::run
