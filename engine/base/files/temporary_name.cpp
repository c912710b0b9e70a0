// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/temporary_name.h"

#include "engine/base/text/ids.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <vector>

namespace trainyard {
namespace {

constexpr std::string_view kTemporaryPrefix = ".tmp.";
constexpr std::chrono::seconds kWritesWithin{5};

} // namespace

std::string temporaryName() {
    static std::atomic<unsigned> counter{0};
    return std::string(kTemporaryPrefix) + newId() + "." + std::to_string(::getpid()) + "." +
           std::to_string(counter.fetch_add(1));
}

pid_t ownerOfTemporary(std::string_view name) {
    if (!name.starts_with(kTemporaryPrefix)) return 0;
    name = name.substr(kTemporaryPrefix.size());
    const auto last = name.rfind('.'), before = last == name.npos ? last : name.rfind('.', last - 1);
    if (last == name.npos || before == name.npos) return 0;
    const auto digits = name.substr(before + 1, last - before - 1);
    pid_t pid = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
    return problem == std::errc() && end == digits.data() + digits.size() ? pid : 0;
}

void removeAbandonedTemporaries(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::error_code failure;
    std::vector<fs::path> abandoned;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        const pid_t owner = ownerOfTemporary(at->path().filename().string());
        if (owner <= 0 || ::kill(owner, 0) == 0 || errno != ESRCH) continue;
        std::error_code gone;
        const auto age = fs::file_time_type::clock::now() - at->last_write_time(gone);
        if (!gone && age > kWritesWithin) abandoned.push_back(at->path());
    }
    for (const auto& file : abandoned) fs::remove(file, failure);
}

} // namespace trainyard
