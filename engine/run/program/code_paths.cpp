// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/code_paths.h"

#include <algorithm>

namespace trainyard::run {

namespace fs = std::filesystem;

fs::path CodePaths::of(const fs::path& path) const {
    if (!areCopies() || !path.is_absolute()) return path;
    const auto within = path.lexically_normal().lexically_relative(m_project);
    if (within.empty() || *within.begin() == "..") return path;
    const auto copy = within == "." ? m_copy : m_copy / within;
    std::error_code ignored;
    return fs::exists(copy, ignored) ? copy : path;
}

std::string CodePaths::named(std::string_view text) const {
    std::string out;
    while (areCopies()) {
        const auto at = text.find(m_copy.native());
        if (at == text.npos) break;
        out.append(text.substr(0, at)).append(m_project.native());
        text.remove_prefix(at + m_copy.native().size());
    }
    return out.append(text);
}

std::vector<std::string> CodePaths::moduleWords(const std::string& module) {
    std::string quoted;
    for (const char c : module) {
        if (c == '\'' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return {"-c", "import sys, runpy; sys.path[:1] = filter(None, sys.path[:1]); runpy._run_module_as_main('" + quoted +
                      "')"};
}

std::string CodePaths::searchPath(const std::string& path, const fs::path& folder) const {
    std::string out;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find(':', at), path.size());
        const std::string entry = path.substr(at, end - at);
        if (at > 0) out += ':';
        const auto copy = of(fs::path(entry).is_absolute() ? fs::path(entry) : folder / entry);
        out += areCopies() && copy.native().starts_with(m_copy.native()) ? copy.string() : entry;
        at = end + 1;
    }
    return out;
}

} // namespace trainyard::run
