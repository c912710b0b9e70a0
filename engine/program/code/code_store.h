// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots of projects in a workspace, by what is in them.
#pragma once

#include "engine/program/code/code_list.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::program {

// The snapshots in one folder, which any number of processes use at the same time.
class CodeStore {
public:
    explicit CodeStore(std::filesystem::path root) : m_root(std::move(root)) {}

    // Makes a snapshot of the project's code (code_files.h) as it is now, or finds the one that is the same. Files that
    // are as they were at the last look are not read. What a program has changed or deleted in the snapshot is put
    // right, what it has added stays; what is left out is a link to the original. The errors of findCode();
    // Environment: no room, or a file is written all the time.
    Result<CodeList> take(const CodePlace& place) const;

    // The files of a snapshot. Programs may write there: they are copies (a reflink where the disk has it), since a
    // program may replace its own settings or copy a file with its permissions.
    std::filesystem::path tree(const std::string& digest) const { return m_root / digest; }
    // What should be in it. Input: there is no such snapshot.
    Result<CodeList> list(const std::string& digest) const;
    // Whether all its files are still there as they were. Input, with the first that is not, and what to do.
    Result<void> check(const std::string& digest) const;

    const std::filesystem::path& root() const { return m_root; }
    std::filesystem::path listFile(const std::string& digest) const { return m_root / (digest + ".list"); }

private:
    std::filesystem::path lastLook(const std::filesystem::path& project) const;
    // False, or nothing: a file was written meanwhile.
    Result<std::optional<CodeList>> takeOnce(const CodePlace& place) const;
    Result<bool> build(const CodeList& list, const CodeList* before) const;
    Result<bool> putRight(const CodeList& there, const CodeList& list) const;

    std::filesystem::path m_root;
};

} // namespace trainyard::program
