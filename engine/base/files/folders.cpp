// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/folders.h"

#include <cstdlib>
#include <map>
#include <sstream>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

fs::path dataHome() {
    const char* given = std::getenv("XDG_DATA_HOME");
    if (given && *given) return fs::path(given) / "trainyard";
    const char* home = std::getenv("HOME");
    if (home && *home) return fs::path(home) / ".local/share/trainyard";
    return {};
}

} // namespace

fs::path datasetHome() {
    const fs::path home = dataHome();
    return home.empty() ? home : home / "datasets";
}

std::vector<fs::path> pluginFolders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("TRAINYARD_PLUGINS")) {
        std::istringstream list(given);
        for (std::string folder; std::getline(list, folder, ':');)
            if (!folder.empty()) folders.emplace_back(folder);
    }
    if (const fs::path home = dataHome(); !home.empty()) folders.push_back(home / "plugins");
    return folders;
}

fs::path findPlugin(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos) return {};
    std::error_code ignored;
    for (const fs::path& folder : pluginFolders())
        for (const std::string& file : {name, name + ".so", "lib" + name + ".so"})
            if (fs::is_regular_file(folder / file, ignored)) return fs::absolute(folder / file, ignored);
    return {};
}

std::vector<fs::path> installedPlugins() {
    std::map<std::string, fs::path> found;
    for (const fs::path& folder : pluginFolders()) {
        std::error_code problem, ignored;
        fs::directory_iterator at(folder, problem), end;
        for (; !problem && at != end; at.increment(problem))
            if (at->path().extension() == ".so" && at->is_regular_file(ignored))
                found.try_emplace(at->path().filename().string(), fs::absolute(at->path(), ignored));
    }
    std::vector<fs::path> files;
    for (auto& [name, file] : found) files.push_back(std::move(file));
    return files;
}

fs::path cacheFolder() {
    if (const char* given = std::getenv("XDG_CACHE_HOME"); given && *given == '/') return fs::path(given) / "trainyard";
    if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "trainyard";
    return {};
}

} // namespace trainyard
