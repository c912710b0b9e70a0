// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/catalog_cache.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/text/amounts.h"
#include "engine/run/launch/capture.h"
#include "engine/run/launch/child_environment.h"

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr double kDescribeSeconds = 30;
constexpr std::int64_t kMaxAgeMs = 24LL * 3600 * 1000; // datasets and devices come and go

// Of the address space (ulimit -v), which the worker program inherits.
std::optional<std::int64_t> memoryLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return static_cast<std::int64_t>(limit.rlim_cur);
}

// Which file it is, and with how much memory it can be loaded: another one, or a newer one at the same place, has
// another key.
std::string keyOf(const fs::path& file) {
    struct stat info{};
    if (::stat(file.c_str(), &info) != 0) return {};
    return file.string() + "|" + std::to_string(info.st_size) + "|" + std::to_string(info.st_mtim.tv_sec) + "." +
           std::to_string(info.st_mtim.tv_nsec) + "|" + std::to_string(memoryLimit().value_or(0));
}

// Libraries that are refused memory while they are loaded fail in ways of their own, or never come back.
Error withLimit(Error error) {
    const auto limit = memoryLimit();
    if (!limit) return error;
    error.message += ", most likely for lack of memory: its address space is limited to " + bytesText(*limit);
    error.remedy = "raise the limit (ulimit -v): LibTorch alone takes a gigabyte";
    return std::move(error).withCode(ErrorCode::OutOfMemory);
}

fs::path cacheFile(const fs::path& worker) {
    const auto folder = cacheFolder();
    if (folder.empty()) return {};
    const std::string text = worker.string();
    char name[32];
    std::snprintf(name, sizeof name, "catalog-%08x.json", crc32c(std::as_bytes(std::span(text.data(), text.size()))));
    return folder / name;
}

} // namespace

Result<SharedCatalog> refreshCatalog(const fs::path& workerProgram) {
    if (::access(workerProgram.c_str(), X_OK) != 0)
        return systemError("the worker program cannot be run", workerProgram.string(),
                           "install Trainyard with its training engine, or set TRAINYARD_BIN");
    const auto described = capture(workerProgram, {"describe"}, kDescribeSeconds, workerVariables());
    if (!described) return withLimit(described.error());
    if (described->exitCode != 0) {
        const std::string& errors = described->errors;
        const auto cut = errors.find_last_not_of("\n");
        const auto begin = errors.rfind('\n', cut);
        const auto line = cut == std::string::npos
                              ? std::string()
                              : errors.substr(begin == std::string::npos ? 0 : begin + 1, cut - begin);
        return withLimit(environmentError("the worker program failed with " + std::to_string(described->exitCode) +
                                              (line.empty() ? "" : ": " + line),
                                          workerProgram.string()));
    }
    auto catalog = spec::catalogFromJson(described->output);
    if (!catalog)
        return environmentError("the worker program's catalog cannot be read: " + catalog.error().text(),
                                workerProgram.string(), "install the same version of both programs");
    const auto file = cacheFile(workerProgram);
    std::error_code ignored;
    if (!file.empty() && (fs::create_directories(file.parent_path(), ignored), !ignored)) {
        const nlohmann::json json{
            {"key", keyOf(workerProgram)}, {"wallMs", wallClockMs()}, {"catalog", described->output}};
        (void)writeFileAtomic(file, jsonText(json));
    }
    return std::make_shared<const spec::Catalog>(std::move(*catalog));
}

namespace {

// What was read last, for a program that asks again and again: parsing takes 2 ms.
struct ReadCatalog {
    std::string of; // the keys of the worker and of the file
    std::int64_t wallMs = 0;
    SharedCatalog catalog;
};
Mutex s_readMutex;
std::optional<ReadCatalog> s_read TY_GUARDED_BY(s_readMutex);

SharedCatalog readBefore(const std::string& of) {
    const MutexLock lock(s_readMutex);
    if (!s_read || s_read->of != of || wallClockMs() - s_read->wallMs >= kMaxAgeMs) return nullptr;
    return s_read->catalog;
}

void rememberRead(ReadCatalog read) {
    const MutexLock lock(s_readMutex);
    s_read = std::move(read);
}

} // namespace

SharedCatalog knownCatalog(const fs::path& workerProgram) {
    const auto key = keyOf(workerProgram);
    const auto file = cacheFile(workerProgram);
    if (key.empty() || file.empty()) return nullptr;
    const auto of = key + "|" + keyOf(file);
    if (auto known = readBefore(of)) return known;
    const auto text = readFile(file);
    const auto json = text ? parseSortedJson(*text) : nlohmann::json();
    const bool fits = json.is_object() && json.value("key", nlohmann::json()) == key && json.contains("catalog") &&
                      json["catalog"].is_string() && json.contains("wallMs") && json["wallMs"].is_number_integer() &&
                      wallClockMs() - json["wallMs"].get<std::int64_t>() < kMaxAgeMs;
    if (fits)
        if (auto catalog = spec::catalogFromJson(json["catalog"].get<std::string>())) {
            auto shared = std::make_shared<const spec::Catalog>(std::move(*catalog));
            rememberRead({of, json["wallMs"].get<std::int64_t>(), shared});
            return shared;
        }
    return nullptr;
}

Result<SharedCatalog> loadCatalog(const fs::path& workerProgram) {
    if (auto known = knownCatalog(workerProgram)) return known;
    return refreshCatalog(workerProgram);
}

} // namespace trainyard::run
