// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/program_folders.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <dirent.h>
#include <memory>

namespace trainyard::program {
namespace {

constexpr int kMostDepth = 8;
constexpr std::size_t kMostFolders = 4000, kMostNames = 20'000;
// A folder of data deep below is looked at every so many times.
constexpr std::uint64_t kStillEvery = 8;
constexpr int kAlwaysDepth = 2;

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::int64_t nowNs() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now);
}

// A folder may change again within a tick of its clock, and keep its time: what was read that soon after is read again.
constexpr std::int64_t kTickNs = 50'000'000;

// It may have been set back for so long before somebody looks.
constexpr std::int64_t kLookedLateMs = 2000;

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

bool isFolderAt(const std::string& path, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
    struct stat info{};
    return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

} // namespace

std::vector<ListedFile> ProgramFolders::look(const std::set<std::string>& settled) {
    m_settled = &settled;
    m_visited.clear();
    m_full = false;
    std::vector<ListedFile> found;
    for (const std::string& root : m_rules.roots) visit(root, 0, false, found);
    std::erase_if(m_folders, [&](const auto& each) { return !m_visited.contains(each.first); });
    ++m_looks;
    m_settled = nullptr;
    return found;
}

void ProgramFolders::clockWasSetBack(std::int64_t toMs) {
    for (const ListedFile& file : look())
        if (file.changedNs > toMs * 1'000'000 && file.changedNs < m_rules.startedMs * 1'000'000)
            m_rules.otherNs.emplace(file.path, file.changedNs);
    m_rules.startedMs = toMs - kLookedLateMs;
}

void ProgramFolders::addPattern(const std::string& pattern) {
    constexpr std::size_t kMost = 1000;
    auto& patterns = m_rules.patterns;
    const bool known = checkpointFileName(pattern) || std::ranges::find(patterns, pattern) != patterns.end();
    if (known || pattern.empty() || patterns.size() >= kMost) return;
    patterns.push_back(pattern);
    m_folders.clear();
}

void ProgramFolders::visit(const std::string& path, int depth, bool inCheckpoint, std::vector<ListedFile>& found) {
    if (depth > kMostDepth || m_visited.size() >= kMostFolders) {
        m_full = true;
        return;
    }
    if (!m_visited.insert(path).second) return;
    const auto known = m_folders.find(path);
    const bool rests = known != m_folders.end() && known->second.isStill && depth > kAlwaysDepth && !inCheckpoint &&
                       m_looks % kStillEvery != 0;
    struct stat info{};
    if (!rests && (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))) return;
    Folder& folder = m_folders[path];
    const std::int64_t changed = rests ? folder.changedNs : nanoseconds(info.st_mtim);
    if (folder.changedNs != changed || folder.readNs - folder.changedNs < kTickNs) {
        if (folder.changedNs != -1 && folder.changedNs != changed) folder.isStill = false;
        if (folder.changedNs == -1) folder.isStill = changed / 1'000'000 < m_rules.startedMs;
        folder.changedNs = changed;
        read(path, inCheckpoint, folder);
    }
    for (const std::string& file : folder.files) {
        std::string full = path + "/" + file;
        if (m_settled->contains(full) || ::lstat(full.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
        found.push_back({std::move(full), static_cast<std::uint64_t>(info.st_size),
                         static_cast<std::uint64_t>(info.st_ino), nanoseconds(info.st_mtim)});
    }
    const std::vector<std::string> below = folder.folders; // visiting them may move it
    for (const std::string& each : below) {
        const std::string full = path + "/" + each;
        if (m_settled->contains(full)) continue;
        visit(full, depth + 1, inCheckpoint || isCheckpointFolder(full, m_rules), found);
    }
}

void ProgramFolders::read(const std::string& path, bool inCheckpoint, Folder& folder) {
    folder.folders.clear();
    folder.files.clear();
    folder.readNs = nowNs();
    const std::unique_ptr<DIR, CloseFolder> open(::opendir(path.c_str()));
    if (!open) return;
    std::size_t names = 0;
    while (const dirent* entry = ::readdir(open.get())) {
        if (++names > kMostNames) {
            m_full = true;
            break;
        }
        const std::string name = entry->d_name;
        const std::string full = path + "/" + name;
        if (name == "." || name == "..") continue;
        if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) {
            if (isFolderAt(full, *entry)) {
                if (!isPassedOver(full)) folder.folders.push_back(name);
                continue;
            }
        } else if (entry->d_type != DT_REG) {
            continue;
        }
        if (inCheckpoint || isCheckpointFile(full, m_rules)) folder.files.push_back(name);
    }
    std::ranges::sort(folder.folders);
    std::ranges::sort(folder.files);
}

bool ProgramFolders::isPassedOver(const std::string& path) const {
    constexpr std::array<std::string_view, 5> kNames{"__pycache__", "node_modules", "site-packages", "venv",
                                                     "dist-packages"};
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name.starts_with('.') || std::ranges::find(kNames, name) != kNames.end()) return true;
    if (std::ranges::find(m_rules.roots, path) != m_rules.roots.end()) return true; // it is looked at by itself
    struct stat ignored{};
    return ::lstat((path + "/pyvenv.cfg").c_str(), &ignored) == 0 ||
           ::lstat((path + "/trainyard.db").c_str(), &ignored) == 0;
}

std::vector<std::string> rootsOf(const std::vector<std::filesystem::path>& folders) {
    std::vector<std::string> roots;
    for (const auto& folder : folders) {
        std::error_code failure;
        const auto real = std::filesystem::canonical(folder, failure);
        if (!failure && std::filesystem::is_directory(real, failure) && real != "/") roots.push_back(real.string());
    }
    std::ranges::sort(roots);
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
}

std::vector<std::filesystem::path> foldersNamed(const std::vector<std::string>& words,
                                                const std::filesystem::path& folder) {
    constexpr std::size_t kMost = 32, kLongest = 4096;
    std::vector<std::filesystem::path> named;
    for (const std::string& word : words) {
        const auto sign = word.find('=');
        const std::string value = sign == word.npos ? word : word.substr(sign + 1);
        if (value.empty() || value.size() > kLongest || value.find('/') == value.npos ||
            value.find("://") != value.npos)
            continue;
        const auto path = (folder / value).lexically_normal();
        const auto relative = path.lexically_relative(folder.lexically_normal());
        const bool within = !relative.empty() && *relative.begin() != "..";
        if (!within && named.size() < kMost && std::ranges::find(named, path) == named.end()) named.push_back(path);
    }
    return named;
}

} // namespace trainyard::program
