// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/editable_paths.h"

#include "engine/base/files/atomic_file.h"

#include <algorithm>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSiteNames = 20'000;
constexpr std::size_t kMostSiteBytes = 1u << 20;

bool liesIn(const fs::path& path, const fs::path& project) {
    const auto within = path.lexically_normal().lexically_relative(project);
    return !within.empty() && *within.begin() != "..";
}

// lib/python3.11/site-packages and the like.
std::vector<fs::path> siteFolders(const fs::path& prefix) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::directory_iterator at(prefix / "lib", failure), end; !failure && at != end; at.increment(failure)) {
        if (!at->path().filename().string().starts_with("python3")) continue;
        for (const char* name : {"site-packages", "dist-packages"})
            if (std::error_code ignored; fs::is_directory(at->path() / name, ignored))
                found.push_back(at->path() / name);
    }
    return found;
}

} // namespace

std::vector<fs::path> pathsOfPth(std::string_view text) {
    std::vector<fs::path> paths;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
        if (line.starts_with('/')) paths.emplace_back(line);
    }
    return paths;
}

std::vector<fs::path> pathsOfFinder(std::string_view text) {
    std::vector<fs::path> paths;
    const auto mapping = text.find("MAPPING");
    const auto open = mapping == text.npos ? mapping : text.find('{', mapping);
    if (open == text.npos) return paths;
    text = text.substr(open, std::min(text.find('}', open), text.size()) - open);
    for (auto at = text.find("'/"); at != text.npos; at = text.find("'/", at)) {
        const auto end = text.find('\'', at + 1);
        if (end == text.npos) break;
        paths.push_back(fs::path(text.substr(at + 1, end - at - 1)).parent_path());
        at = end + 1;
    }
    return paths;
}

std::vector<fs::path> editablePaths(const fs::path& prefix, const fs::path& project) {
    std::vector<fs::path> found;
    const auto add = [&](const std::vector<fs::path>& paths) {
        for (const auto& path : paths)
            if (liesIn(path, project) && std::ranges::find(found, path) == found.end()) found.push_back(path);
    };
    for (const auto& site : siteFolders(prefix)) {
        std::error_code failure;
        int count = 0;
        for (fs::directory_iterator at(site, failure), end; !failure && at != end && ++count < kMostSiteNames;
             at.increment(failure)) {
            const auto name = at->path().filename().string();
            const bool isFinder = name.starts_with("__editable__") && name.ends_with("_finder.py");
            if (!isFinder && !name.ends_with(".pth")) continue;
            const auto text = readFile(at->path(), kMostSiteBytes);
            if (text) add(isFinder ? pathsOfFinder(*text) : pathsOfPth(*text));
        }
    }
    return found;
}

} // namespace trainyard::run
