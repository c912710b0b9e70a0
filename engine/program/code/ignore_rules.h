// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of a .gitignore say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// Rule: which files of a project git would ignore.
// The lines of .gitignore and .trainyardignore files, as gitignore(5) has them: `*`, `?`, `[a-z]`, `**`, `!`, a slash
// at the end for folders alone, one elsewhere for a place. The last line that fits decides. Total; a line of more than
// 1,024 bytes is passed over, and so are all after the 10,000th.
class IgnoreRules {
public:
    // Adds the lines of a file that lies in this folder of the project: "" or "src/data".
    void add(std::string_view text, std::string_view folder);
    enum class Verdict { None, Ignore, Keep };
    // Of a path of the project: "src/data/a.txt". Whether a folder above it is ignored is not looked at.
    Verdict verdict(std::string_view path, bool isFolder) const;

    // To forget, on leaving a folder, the rules that it has added.
    std::size_t size() const { return m_rules.size(); }
    void shrink(std::size_t size) { m_rules.resize(size < m_rules.size() ? size : m_rules.size()); }

private:
    struct Rule {
        std::string base{};                  // the folder of its file, with a slash at its end unless it is empty
        std::vector<std::string> segments{}; // of the pattern; one alone fits the name at any depth
        bool isAnchored = false, onlyFolders = false, keeps = false;
    };
    static bool fits(const Rule& rule, std::string_view path);
    std::vector<Rule> m_rules{};
};

// Whether a name, or a segment of a path, fits the pattern with *, ?, [a-z] and \ of gitignore(5).
bool fitsPattern(std::string_view name, std::string_view pattern);

} // namespace trainyard::program
