// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/tuning_cache.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/base/machine/mutex.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::int64_t kMaxAgeMs = 30LL * 24 * 3600 * 1000;
constexpr std::size_t kMaxEntries = 300;
constexpr double kTurnSeconds = 60;

fs::path cacheFile() {
    const fs::path folder = cacheFolder();
    return folder.empty() ? folder : folder / "tuning.json";
}

// Entries that are young enough, by key.
json entries() {
    const fs::path file = cacheFile();
    const auto text = file.empty() ? Result<std::string>(std::string()) : readFile(file, 4u << 20);
    const json all = text ? parseSortedJson(*text) : json();
    json kept = json::object();
    if (!all.is_object()) return kept;
    for (const auto& [key, entry] : all.items()) {
        if (!entry.is_object() || !entry.contains("wallMs") || !entry["wallMs"].is_number_integer()) continue;
        if (!entry.contains("tuning") || !entry["tuning"].is_string()) continue;
        const std::int64_t age = wallClockMs() - entry["wallMs"].get<std::int64_t>();
        if (age >= 0 && age < kMaxAgeMs) kept[key] = entry;
    }
    return kept;
}

fs::path writableCacheFile() { // empty where there is none
    const fs::path file = cacheFile();
    std::error_code failed;
    if (!file.empty()) fs::create_directories(file.parent_path(), failed);
    return failed ? fs::path() : file;
}

} // namespace

// A process that trains run after run asks for each: read anew only when the file is another one.
std::optional<std::string> rememberedTuning(const std::string& key) {
    struct stat now{};
    const bool isThere = ::stat(cacheFile().c_str(), &now) == 0;
    static Mutex mutex;
    static json all TY_GUARDED_BY(mutex);
    static struct stat readAt TY_GUARDED_BY(mutex) {};
    const MutexLock lock(mutex);
    const bool same = now.st_ino == readAt.st_ino && now.st_size == readAt.st_size &&
                      now.st_mtim.tv_sec == readAt.st_mtim.tv_sec && now.st_mtim.tv_nsec == readAt.st_mtim.tv_nsec;
    if (!isThere || !same) all = entries();
    readAt = now;
    const auto found = all.find(key);
    if (found == all.end()) return std::nullopt;
    return (*found)["tuning"].get<std::string>();
}

void rememberTuning(const std::string& key, const std::string& text) {
    const fs::path file = writableCacheFile();
    if (file.empty()) return;
    json all = entries();
    if (all.size() >= kMaxEntries) all = json::object();
    all[key] = {{"wallMs", wallClockMs()}, {"tuning", text}};
    (void)writeFileAtomic(file, jsonText(all, 1));
}

TuningTurn::TuningTurn() {
    const fs::path file = writableCacheFile();
    if (file.empty()) return;
    m_lock.reset(::open((file.parent_path() / "tuning.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    const double until = monotonicSeconds() + kTurnSeconds;
    const auto taken = [this] { return ::flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; };
    while (m_lock && taken() && monotonicSeconds() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

} // namespace trainyard::train
