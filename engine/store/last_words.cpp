// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/last_words.h"

#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace trainyard::store {
namespace {

constexpr std::size_t kMostBytes = 4096; // what one block holds

} // namespace

void leaveLastWords(const std::filesystem::path& folder, const Error& reason) {
    Error kept = reason;
    for (auto* part : {&kept.message, &kept.where, &kept.remedy})
        part->resize(std::min<std::size_t>(part->size(), 600));
    const std::string words = std::to_string(::getpid()) + "\n" + errorToJson(kept) + "\n";
    const UniqueFd fd(::open((folder / kLockFile).c_str(), O_WRONLY | O_CLOEXEC));
    if (!fd || words.size() > kMostBytes) return;
    if (::pwrite(fd.get(), words.data(), words.size(), 0) == static_cast<ssize_t>(words.size()))
        (void)::fsync(fd.get());
}

std::optional<Error> lastWords(const std::filesystem::path& folder) {
    const auto text = readFile(folder / kLockFile, 64u << 10);
    if (!text) return std::nullopt;
    const auto end = text->find('\n');
    return end == std::string::npos ? std::nullopt : errorFromJson(std::string_view(*text).substr(end + 1));
}

} // namespace trainyard::store
