// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_files.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/program/code/code_names.h"
#include "engine/program/code/ignore_rules.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <map>
#include <memory>
#include <set>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 64;
constexpr std::int64_t kMostNames = 100'000;
constexpr std::size_t kMostNamesOfOne = 20'000; // more are data
constexpr std::size_t kMostSharedLinks = 1000;
constexpr std::size_t kMostRuleBytes = 1u << 20;
constexpr std::size_t kFoldersNamed = 3;

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// The names in a folder, in order; nothing where it cannot be read.
struct OpenFolder {
    explicit OpenFolder(const fs::path& path) : stream(::opendir(path.c_str()), &::closedir) {}
    int fd() const { return ::dirfd(stream.get()); }
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        while (const dirent* entry = ::readdir(stream.get())) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") found.emplace_back(name);
        }
        std::ranges::sort(found);
        return found;
    }
    std::unique_ptr<DIR, int (*)(DIR*)> stream;
};

struct Weight {
    std::int64_t files = 0, bytes = 0;
};

// What the folders of a project weigh, the ones in them included.
class Weights {
public:
    void add(std::string_view path, std::int64_t bytes) {
        for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
            auto& weight = m_folders[std::string(path.substr(0, slash))];
            weight.files += 1;
            weight.bytes += bytes;
        }
    }
    // "data (50,000 files, 3.1 GB), docs (…)": those that weigh most, each as deep as most of it lies.
    std::string heaviest(std::int64_t Weight::* by) const {
        std::vector<std::pair<std::string, Weight>> folders;
        for (const auto& [folder, weight] : m_folders)
            if (folder.find('/') == folder.npos) folders.emplace_back(deepest(folder, by), weight);
        std::ranges::stable_sort(folders, [&](const auto& a, const auto& b) { return a.second.*by > b.second.*by; });
        std::string text;
        for (std::size_t i = 0; i < std::min(folders.size(), kFoldersNamed); ++i) {
            const auto& [name, weight] = folders[i];
            text += (i == 0 ? "" : ", ") + printable(name, 100) + " (" + grouped(weight.files) + " files, " +
                    bytesText(weight.bytes) + ")";
        }
        return text;
    }

private:
    std::string deepest(std::string folder, std::int64_t Weight::* by) const {
        for (bool goesOn = true; goesOn;) {
            goesOn = false;
            const auto whole = m_folders.at(folder).*by;
            const auto begin = folder + "/";
            for (auto at = m_folders.lower_bound(begin); at != m_folders.end() && at->first.starts_with(begin); ++at) {
                const bool isChild = at->first.size() > begin.size() && at->first.find('/', begin.size()) == begin.npos;
                if (!isChild || at->second.*by * 10 < whole * 8) continue;
                folder = at->first;
                goesOn = true;
                break;
            }
        }
        return folder;
    }
    std::map<std::string, Weight> m_folders;
};

// A walk through the project.
class CodeWalk {
public:
    explicit CodeWalk(const CodePlace& place) : m_place(place), m_always(place.always.begin(), place.always.end()) {}

    Result<CodeFiles> run() {
        TY_TRY(visit({}, 0));
        if (std::ssize(m_found.files) + std::ssize(m_found.leftOut) > kMostCodeFiles || m_names > kMostNames)
            return tooMuch(grouped(kMostCodeFiles) + " files", &Weight::files);
        if (m_found.bytes > kMostCodeBytes) return tooMuch(bytesText(kMostCodeBytes), &Weight::bytes);
        std::ranges::sort(m_found.files, {}, &CodeFile::path);
        std::ranges::sort(m_found.leftOut);
        return std::move(m_found);
    }

private:
    Error tooMuch(const std::string& limit, std::int64_t Weight::* by) const {
        const auto heaviest = m_weights.heaviest(by);
        return inputError("the code of this project is more than " + limit +
                              (heaviest.empty() ? "" : "; its largest folders: " + heaviest),
                          m_place.project.string(),
                          "name what is no code in a .trainyardignore there, a line for each folder, such as data/; or "
                          "run the files where they are: --set program.code=inPlace");
    }

    // Whether anything in the folder is code.
    Result<bool> visit(const std::string& folder, int depth) {
        const fs::path path = folder.empty() ? m_place.project : m_place.project / folder;
        const OpenFolder open(path);
        if (!open.stream) {
            if (folder.empty()) return systemError("cannot be read", path.string());
            return false;
        }
        const auto names = open.names();
        if (!folder.empty() && (names.size() > kMostNamesOfOne || isForeign(names))) return false;
        const auto rules = m_rules.size();
        for (const char* file : {".gitignore", ".trainyardignore"})
            if (std::ranges::binary_search(names, file)) TY_TRY(readRules(path / file, folder));
        bool hasCode = false;
        for (const auto& name : names) {
            if (++m_names > kMostNames) break;
            TY_ASSIGN(const bool isCode, look(open.fd(), folder, name, depth));
            hasCode = hasCode || isCode;
        }
        m_rules.shrink(rules);
        return hasCode;
    }

    Result<void> readRules(const fs::path& file, const std::string& folder) {
        std::error_code ignored;
        if (!fs::is_regular_file(file, ignored)) return {};
        auto text = readFile(file, kMostRuleBytes);
        if (!text) {
            auto error = std::move(text).error();
            error.remedy = "make it readable, and smaller than 1 MiB; or set program.code to \"inPlace\"";
            return error;
        }
        m_rules.add(*text, folder);
        return {};
    }

    // An environment of Python, a workspace, or, around a script that has no project, what is none of its folders.
    bool isForeign(const std::vector<std::string>& names) const {
        const auto has = [&](const char* name) { return std::ranges::binary_search(names, name); };
        if (has("pyvenv.cfg") || has("conda-meta") || has("trainyard.db")) return true;
        return m_place.isLoose && std::ranges::none_of(names, [](const auto& name) { return name.ends_with(".py"); });
    }

    Result<bool> look(int in, const std::string& folder, const std::string& name, int depth) {
        struct stat status{};
        if (::fstatat(in, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false; // gone meanwhile
        const auto path = folder.empty() ? name : folder + "/" + name;
        if (S_ISDIR(status.st_mode)) return lookInto(path, name, depth);
        if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return false;
        if (m_always.contains(path) && S_ISREG(status.st_mode)) return take(path, status);
        if (name.ends_with(".pyc") || (m_place.isShared && name.starts_with('.'))) return false;
        if (m_rules.verdict(path, false) == IgnoreRules::Verdict::Ignore || (m_place.isLoose && !isCodeName(name)) ||
            isDataName(name) || isSecretFile(name) || status.st_size > kMostCodeFileBytes)
            return leaveOut(path);
        const bool mayBeRead = (status.st_mode & 0444) == 0444 || ::faccessat(in, name.c_str(), R_OK, AT_EACCESS) == 0;
        if (!mayBeRead) return leaveOut(path);
        return S_ISLNK(status.st_mode) ? takeLink(in, path, name) : take(path, status);
    }

    Result<bool> lookInto(const std::string& path, const std::string& name, int depth) {
        if (isCacheFolder(name) || (m_place.isShared && name.starts_with('.'))) return false;
        const bool holdsAlways = std::ranges::any_of(m_place.always, [&](const auto& file) {
            return file.size() > path.size() && file[path.size()] == '/' && file.starts_with(path);
        });
        const bool isOut = isRecordFolder(name) || m_place.isShared || depth + 1 >= kDeepest ||
                           m_rules.verdict(path, true) == IgnoreRules::Verdict::Ignore;
        if (isOut && !holdsAlways) return leaveOut(path);
        const auto before = m_found.leftOut.size();
        TY_ASSIGN(const bool hasCode, visit(path, depth + 1));
        if (hasCode) return true;
        m_found.leftOut.resize(before); // all of it at once
        return leaveOut(path);
    }

    bool leaveOut(const std::string& path) {
        if (!m_place.isShared || m_found.leftOut.size() < kMostSharedLinks) m_found.leftOut.push_back(path);
        m_weights.add(path, 0);
        return false;
    }

    bool take(const std::string& path, const struct stat& status) {
        m_found.files.push_back({path,
                                 {},
                                 (status.st_mode & S_IXUSR) != 0,
                                 status.st_size,
                                 nanoseconds(status.st_mtim),
                                 nanoseconds(status.st_ctim),
                                 status.st_ino});
        m_found.bytes += status.st_size;
        m_weights.add(path, status.st_size);
        return true;
    }

    // One that leads to something within the project leads to its copy.
    bool takeLink(int in, const std::string& path, const std::string& name) {
        std::array<char, 4096> text{};
        const auto size = ::readlinkat(in, name.c_str(), text.data(), text.size());
        if (size <= 0 || size == static_cast<ssize_t>(text.size())) return leaveOut(path);
        const fs::path target(std::string(text.data(), static_cast<std::size_t>(size)));
        const auto place = (fs::path(path).parent_path() / target).lexically_normal();
        if (target.is_absolute() || place.empty() || *place.begin() == "..") return leaveOut(path);
        m_found.files.push_back({path, target.string()});
        m_weights.add(path, 0);
        return true;
    }

    const CodePlace& m_place;
    std::set<std::string> m_always;
    IgnoreRules m_rules;
    CodeFiles m_found;
    Weights m_weights;
    std::int64_t m_names = 0;
};

} // namespace

Result<CodeFiles> findCode(const CodePlace& place) { return CodeWalk(place).run(); }

} // namespace trainyard::program
