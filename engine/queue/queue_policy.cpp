// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/queue_policy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace trainyard::queue {
namespace {

// In the order of the enumeration.
constexpr std::array kWords = {"none",        "paused",      "slots-full", "host-busy",
                               "device-busy", "memory-busy", "cores-busy", "earlier"};

// What is taken of one computer.
struct Taken {
    int cores = 0;
    int devices = 0; // beside `these`, of entries that wait
    std::set<int> these{};
    std::int64_t memoryBytes = 0;
    bool whole = false;
    int by = -1;       // the first that has something there
    int deviceBy = -1; // the first that has a device there
};
using TakenOf = std::map<std::string, Taken>;

const run::Room* roomOf(const run::HostRooms& rooms, const std::string& host) {
    const auto found = rooms.find(host);
    return found == rooms.end() ? nullptr : &found->second;
}

// No more than there is: what claims more than a computer has waits for all of it.
Share within(Share share, const run::Room* room) {
    if (room == nullptr) return share;
    share.cores = std::min(share.cores, room->cores);
    share.devices = std::min(share.devices, room->devices);
    if (room->memoryBytes > 0) share.memoryBytes = std::min(share.memoryBytes, room->memoryBytes);
    return share;
}

void take(Taken& taken, const Share& share, int by) {
    taken.cores += share.cores;
    taken.devices += share.devices;
    taken.these.insert(share.these.begin(), share.these.end());
    taken.memoryBytes += share.memoryBytes;
    taken.whole = taken.whole || share.whole;
    if (taken.by < 0) taken.by = by;
    if (taken.deviceBy < 0 && !share.these.empty()) taken.deviceBy = by;
}

int devicesOf(const Share& share) { return share.devices + static_cast<int>(share.these.size()); }

int freeDevices(const Taken& taken, const run::Room& room) {
    const auto isThere = [&room](int device) { return device < room.devices; };
    const auto used = std::count_if(taken.these.begin(), taken.these.end(), isThere) + taken.devices;
    return std::max(0, room.devices - static_cast<int>(used));
}

bool overlaps(const std::vector<int>& these, const std::set<int>& taken) {
    return std::any_of(these.begin(), these.end(), [&taken](int device) { return taken.contains(device); });
}

// What keeps `share` from a computer; nothing: there is room.
std::optional<Verdict> beside(const std::string& host, const Share& share, const Taken& taken, const run::Room* room) {
    if (taken.by < 0) return {};
    if (share.whole || taken.whole || room == nullptr)
        return Verdict{.wait = Wait::HostBusy, .by = taken.by, .host = host};
    const int devices = devicesOf(share), freeOnes = freeDevices(taken, *room);
    if (devices > 0 && (devices > freeOnes || overlaps(share.these, taken.these)))
        return Verdict{
            .wait = Wait::DeviceBusy, .by = taken.deviceBy, .host = host, .needed = devices, .free = freeOnes};
    const auto freeMemory = std::max<std::int64_t>(0, room->memoryBytes - taken.memoryBytes);
    if (room->memoryBytes > 0 && share.memoryBytes > freeMemory)
        return Verdict{.wait = Wait::MemoryBusy, .host = host, .needed = share.memoryBytes, .free = freeMemory};
    const int freeCores = std::max(0, room->cores - taken.cores);
    if (share.cores > freeCores)
        return Verdict{.wait = Wait::CoresBusy, .host = host, .needed = share.cores, .free = freeCores};
    return {};
}

Verdict beside(const run::HostRooms& rooms, const Claim& claim, TakenOf& taken) {
    Verdict first;
    for (const auto& [host, share] : claim) {
        const auto verdict = beside(host, share, taken[host], roomOf(rooms, host));
        // That a computer is taken says more than that it is full.
        if (verdict && (first.wait == Wait::None || verdict->wait < first.wait)) first = *verdict;
    }
    return first;
}

// Whether two that wait cannot both have what they claim of a computer, of which `taken` is what is active and what
// waits before.
bool collide(const Share& claim, const Share& before, const Taken& taken, const run::Room* room) {
    if (claim.whole || before.whole || room == nullptr) return true;
    if (claim.cores > 0 && before.cores > 0 && taken.cores + claim.cores > room->cores) return true;
    if (devicesOf(claim) > 0 && devicesOf(before) > 0 &&
        (devicesOf(claim) > freeDevices(taken, *room) || overlaps(claim.these, taken.these)))
        return true;
    return claim.memoryBytes > 0 && before.memoryBytes > 0 && room->memoryBytes > 0 &&
           taken.memoryBytes + claim.memoryBytes > room->memoryBytes;
}

// The first of the earlier entries that it would keep waiting, if it started now; -1: none.
int keptWaiting(const run::HostRooms& rooms, std::size_t entry, const std::vector<Claim>& waiting,
                const std::vector<std::size_t>& earlier, TakenOf taken) {
    for (const std::size_t each : earlier) {
        for (const auto& [host, before] : waiting[each]) {
            auto& there = taken[host];
            take(there, before, 0);
            const auto share = waiting[entry].find(host);
            if (share == waiting[entry].end()) continue;
            if (collide(share->second, before, there, roomOf(rooms, host))) return static_cast<int>(each);
        }
    }
    return -1;
}

// The first ones that are free, where it is to have some and not all of a computer's.
Devices dealt(const run::HostRooms& rooms, const Claim& claim, const TakenOf& taken) {
    Devices devices;
    for (const auto& [host, share] : claim) {
        const auto* room = roomOf(rooms, host);
        if (room == nullptr || share.devices == 0 || share.devices == room->devices) continue;
        auto& list = devices[host];
        for (int device = 0; device < room->devices && static_cast<int>(list.size()) < share.devices; ++device)
            if (!taken.at(host).these.contains(device)) list.push_back(device);
    }
    return devices;
}

void start(const run::HostRooms& rooms, const Claim& claim, const Devices& devices, int by, TakenOf& taken) {
    for (const auto& [host, given] : claim) {
        const auto found = devices.find(host);
        const auto* room = roomOf(rooms, host);
        Share share = given;
        if (found != devices.end()) share.these = found->second;
        else if (room != nullptr && share.devices > 0)
            for (int device = 0; device < room->devices; ++device) share.these.push_back(device);
        share.devices = 0;
        take(taken[host], share, by);
    }
}

} // namespace

const char* toString(Wait wait) { return kWords[static_cast<std::size_t>(wait)]; }

std::vector<Verdict> judge(const QueueRules& rules, const std::vector<Claim>& given, const std::vector<Claim>& active) {
    std::vector<Claim> waiting = given;
    for (Claim& claim : waiting)
        for (auto& [host, share] : claim) share = within(std::move(share), roomOf(rules.rooms, host));
    TakenOf taken;
    int count = 0;
    for (const Claim& claim : active) {
        for (const auto& [host, share] : claim) take(taken[host], within(share, roomOf(rules.rooms, host)), count);
        ++count;
    }
    std::vector<Verdict> verdicts;
    std::vector<std::size_t> earlier; // that do not start now
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        Verdict verdict;
        if (rules.paused) verdict.wait = Wait::Paused;
        else if (count >= rules.slots) verdict = {.wait = Wait::SlotsFull, .needed = count, .free = rules.slots};
        else verdict = beside(rules.rooms, waiting[i], taken);
        if (verdict.wait == Wait::None) {
            verdict.by = keptWaiting(rules.rooms, i, waiting, earlier, taken);
            if (verdict.by >= 0) verdict.wait = Wait::Earlier;
        }
        if (verdict.wait == Wait::None) {
            verdict.devices = dealt(rules.rooms, waiting[i], taken);
            start(rules.rooms, waiting[i], verdict.devices, count++, taken);
        } else {
            earlier.push_back(i);
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

} // namespace trainyard::queue
