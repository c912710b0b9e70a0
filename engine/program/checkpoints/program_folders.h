// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_finder.h"

#include <filesystem>
#include <map>
#include <set>

namespace trainyard::program {

// The files below a program's folders that may be checkpoints, or parts of one, looked at again and again. Cheap: a
// folder is read when it has changed, and only files with such names are asked for their size. Links are not followed,
// so nothing outside the roots is listed; FIFOs, sockets and devices are passed over, and so are hidden folders,
// environments of Python, and workspaces. Bounded: 8 folders deep, 4,000 folders, 20,000 names a folder.
class ProgramFolders {
public:
    explicit ProgramFolders(FinderRules rules) : m_rules(std::move(rules)) {}

    // Files that vanish meanwhile are left out. `settled`: checkpoints that are not asked for again this time.
    std::vector<ListedFile> look(const std::set<std::string>& settled = {});
    const FinderRules& rules() const { return m_rules; }
    // The computer's clock was set back to before the start: what is listed now with a later time stays another's, and
    // what is written from now on is the run's.
    void clockWasSetBack(std::int64_t toMs);
    void setRoots(std::vector<std::string> roots) { m_rules.roots = std::move(roots); }
    // One more name of checkpoints, at most 1,000: all folders are read again.
    void addPattern(const std::string& pattern);
    bool isFull() const { return m_full; } // there are more folders or names than are looked at

private:
    struct Folder {
        std::int64_t changedNs = -1, readNs = -1; // by the disk's clock; when it was read, by the computer's
        std::vector<std::string> folders{}, files{};
        bool isStill = true; // it has not changed since it was first seen
    };
    void visit(const std::string& path, int depth, bool inCheckpoint, std::vector<ListedFile>& found);
    void read(const std::string& path, bool inCheckpoint, Folder& folder);
    bool isPassedOver(const std::string& path) const;

    FinderRules m_rules;
    std::map<std::string, Folder> m_folders{};
    std::set<std::string> m_visited{}; // this time
    const std::set<std::string>* m_settled = nullptr;
    std::uint64_t m_looks = 0;
    bool m_full = false;
};

// The folders that exist, without links and doubles; what lies in another one of them is left out.
std::vector<std::string> rootsOf(const std::vector<std::filesystem::path>& folders);

// The paths outside of the folder that words of a command line may name, seen from there: "/scratch/run" of
// "--save-dir=/scratch/run". At most 32.
std::vector<std::filesystem::path> foldersNamed(const std::vector<std::string>& words,
                                                const std::filesystem::path& folder);

} // namespace trainyard::program
