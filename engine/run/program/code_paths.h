// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// Where a rank finds the copies of its project's files, and what they are called for people.
class CodePaths {
public:
    CodePaths() = default; // it runs where its files are
    CodePaths(std::filesystem::path project, std::filesystem::path copy)
        : m_project(std::move(project)), m_copy(std::move(copy)) {}

    bool areCopies() const { return !m_copy.empty(); }
    const std::filesystem::path& project() const { return m_project; }
    const std::filesystem::path& copy() const { return m_copy; }
    // The copy of a file or folder of the project; the path itself where there is none.
    std::filesystem::path of(const std::filesystem::path& path) const;
    // The text with the user's own files in place of the copies: of a traceback.
    std::string named(std::string_view text) const;
    bool names(std::string_view text) const { return areCopies() && text.find(m_copy.native()) != text.npos; }

    // Words of Python that look for the module in the copies, which are first on PYTHONPATH: with -m the folder where
    // it runs would come before them.
    static std::vector<std::string> moduleWords(const std::string& module);
    // A PYTHONPATH with the copies in place of the project's folders; relative ones begin at `folder`.
    std::string searchPath(const std::string& path, const std::filesystem::path& folder) const;

private:
    std::filesystem::path m_project, m_copy;
};

} // namespace trainyard::run
