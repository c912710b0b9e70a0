// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/host_load.h"

#include "engine/base/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace trainyard {
namespace {

// A file of /proc has no size to read by; what is looked for stands at its beginning.
std::string beginningOf(const char* path) {
    std::array<char, 16384> buffer;
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return {};
    std::size_t size = 0;
    while (size < buffer.size()) {
        const ssize_t got = ::read(fd, buffer.data() + size, buffer.size() - size);
        if (got <= 0) break;
        size += static_cast<std::size_t>(got);
    }
    ::close(fd);
    return {buffer.data(), size};
}

std::string_view takeLine(std::string_view& text) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

// The numbers of a line, up to the first word that is none.
std::vector<std::uint64_t> numbersOf(std::string_view line) {
    std::vector<std::uint64_t> numbers;
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error != std::errc()) return numbers;
        numbers.push_back(number);
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
}

double perSecond(std::uint64_t before, std::uint64_t after, double seconds) {
    return after < before || seconds <= 0 ? 0 : static_cast<double>(after - before) / seconds;
}

} // namespace

// user, nice, system, idle, iowait, irq, softirq, steal. A guest's time, which follows, is in user already.
CpuTicks cpuTicks(std::string_view stat) {
    const auto line = takeLine(stat);
    if (!line.starts_with("cpu ")) return {};
    const auto numbers = numbersOf(line.substr(4));
    CpuTicks ticks;
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 8); ++i) {
        ticks.total += numbers[i];
        if (i != 3 && i != 4) ticks.busy += numbers[i];
    }
    return ticks;
}

HostMemory hostMemory(std::string_view meminfo) {
    std::int64_t total = 0, available = 0;
    while (!meminfo.empty()) {
        const auto line = takeLine(meminfo);
        const auto colon = line.find(':');
        if (colon == line.npos) continue;
        const auto numbers = numbersOf(line.substr(colon + 1));
        const std::int64_t bytes = numbers.empty() ? 0 : static_cast<std::int64_t>(numbers.front()) * 1024;
        if (line.starts_with("MemTotal:")) total = bytes;
        if (line.starts_with("MemAvailable:")) available = bytes;
    }
    return {std::max<std::int64_t>(0, total - available), total};
}

// Eight counters received, the first of them bytes, then those sent.
NetworkBytes networkBytes(std::string_view dev) {
    NetworkBytes bytes;
    while (!dev.empty()) {
        const auto line = takeLine(dev);
        const auto colon = line.find(':');
        if (colon == line.npos) continue;
        const auto first = std::min(line.find_first_not_of(' '), colon);
        if (line.substr(first, colon - first) == "lo") continue;
        const auto numbers = numbersOf(line.substr(colon + 1));
        if (numbers.size() < 9) continue;
        bytes.received += numbers[0];
        bytes.sent += numbers[8];
    }
    return bytes;
}

HostMeter::HostMeter() : m_last(counts()) {}

HostMeter::Counts HostMeter::counts() {
    const auto ticks = cpuTicks(beginningOf("/proc/stat"));
    const auto network = networkBytes(beginningOf("/proc/net/dev"));
    return {monotonicSeconds(), ticks.busy, ticks.total, network.received, network.sent};
}

HostLoad HostMeter::sample() {
    const Counts now = counts();
    const double seconds = now.at - m_last.at;
    HostLoad load;
    if (now.total > m_last.total && now.busy >= m_last.busy)
        load.cpuShare = static_cast<double>(now.busy - m_last.busy) / static_cast<double>(now.total - m_last.total);
    load.receivedPerSecond = perSecond(m_last.received, now.received, seconds);
    load.sentPerSecond = perSecond(m_last.sent, now.sent, seconds);
    const auto memory = hostMemory(beginningOf("/proc/meminfo"));
    load.memoryUsed = memory.used;
    load.memoryTotal = memory.total;
    m_last = now;
    return load;
}

} // namespace trainyard
