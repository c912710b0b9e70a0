// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/held_models.h"

#include "engine/base/math/sha256.h"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace trainyard::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 16; // of the digest of a path

std::string placeOf(const fs::path& file) { return toHex(sha256Raw(file.string())).substr(0, kDigits) + "-"; }

} // namespace

HeldModels::~HeldModels() {
    std::error_code ignored;
    for (const auto& [link, holders] : m_holders) fs::remove_all(link.parent_path(), ignored);
    fs::remove(m_folder, ignored); // unless others are left
}

fs::path HeldModels::hold(const fs::path& file) {
    struct stat found{};
    if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) {
        const fs::path left = leftOf(file);
        if (left.empty()) return file;
        ++m_holders[left];
        return left;
    }
    // A file that was replaced is another one. As long as the link is there, no other file has its inode.
    const fs::path link = m_folder / (placeOf(file) + std::to_string(found.st_ino)) / file.filename();
    std::error_code failure;
    if (!fs::is_regular_file(link, failure)) {
        fs::create_directories(link.parent_path(), failure);
        if (!failure) fs::create_hard_link(fs::canonical(file, failure), link, failure);
        if (failure) {
            fs::remove(link.parent_path(), failure);
            return file;
        }
    }
    ++m_holders[link];
    return link;
}

void HeldModels::release(const fs::path& held) {
    const auto found = m_holders.find(held);
    if (found == m_holders.end() || --found->second > 0) return;
    m_holders.erase(found);
    std::error_code ignored;
    fs::remove_all(held.parent_path(), ignored);
}

void HeldModels::removeLeftovers() {
    std::error_code failure;
    for (fs::directory_iterator at(m_folder, failure), end; !failure && at != end; at.increment(failure)) {
        const auto isIn = [&](const auto& each) { return each.first.parent_path() == at->path(); };
        std::error_code ignored;
        if (std::ranges::none_of(m_holders, isIn)) fs::remove_all(at->path(), ignored);
    }
}

// The newest of several: a service has had the same path twice.
fs::path HeldModels::leftOf(const fs::path& file) const {
    const std::string place = placeOf(file);
    fs::path newest;
    fs::file_time_type newestTime{};
    std::error_code failure;
    for (fs::directory_iterator at(m_folder, failure), end; !failure && at != end; at.increment(failure)) {
        const fs::path link = at->path() / file.filename();
        std::error_code ignored;
        if (!at->path().filename().string().starts_with(place) || !fs::is_regular_file(link, ignored)) continue;
        const auto time = fs::last_write_time(link, ignored);
        if (newest.empty() || time > newestTime) newest = link, newestTime = time;
    }
    return newest;
}

bool HeldModel::isThere() const {
    std::error_code ignored;
    return fs::is_regular_file(m_path, ignored);
}

} // namespace trainyard::serve
