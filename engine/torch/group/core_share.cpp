// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/core_share.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <sched.h>
#include <string>
#include <string_view>

namespace trainyard::train {
namespace {

using Line = std::array<char, 1024>;

std::string_view readLine(int fd, Line& line) {
    const ssize_t size = ::pread(fd, line.data(), line.size(), 0);
    return {line.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

// The number in the n-th of a line's words, from 0; words are apart by one space.
std::optional<std::uint64_t> numberAt(std::string_view line, int n) {
    for (; n > 0; --n) {
        const auto space = line.find(' ');
        if (space == std::string_view::npos) return std::nullopt;
        line.remove_prefix(space + 1);
    }
    std::uint64_t number = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc()) return std::nullopt;
    return number;
}

// The core that a process' first thread is or was last on: the 39th field of /proc/PID/stat, the 37th after its name.
std::optional<std::size_t> coreOf(pid_t process) {
    const UniqueFd file(::open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return std::nullopt;
    Line buffer{};
    const std::string_view line = readLine(file.get(), buffer);
    const auto name = line.rfind(')');
    if (name == std::string_view::npos || name + 2 > line.size()) return std::nullopt;
    return numberAt(line.substr(name + 2), 36);
}

bool moveTo(std::size_t core, pid_t thread) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return ::sched_setaffinity(thread, sizeof one, &one) == 0;
}

// The cores this process was given, queried before any of its threads is pinned.
const std::optional<cpu_set_t>& ownCores() {
    static const std::optional<cpu_set_t> cores = [] {
        cpu_set_t set;
        return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::optional(set) : std::nullopt;
    }();
    return cores;
}

} // namespace

CoreShare::CoreShare()
    : m_statistics(
          ::open(("/proc/self/task/" + std::to_string(::gettid()) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC)) {
    takeBack(); // an earlier one's peers may have moved this thread
}

// The line: nanoseconds on a core, nanoseconds ready without one, time slices.
double CoreShare::delay() const {
    Line line{};
    return m_statistics ? 1e-9 * static_cast<double>(numberAt(readLine(m_statistics.get(), line), 1).value_or(0)) : 0;
}

void CoreShare::exchangeWith(pid_t process) const {
    const int mine = ::sched_getcpu();
    const auto its = coreOf(process);
    if (!ownCores() || mine < 0 || !its || *its >= CPU_SETSIZE || static_cast<std::size_t>(mine) == *its) return;
    if (moveTo(static_cast<std::size_t>(mine), process)) moveTo(*its, 0);
}

void CoreShare::takeBack() const {
    if (const auto& cores = ownCores()) ::sched_setaffinity(0, sizeof *cores, &*cores);
}

} // namespace trainyard::train
