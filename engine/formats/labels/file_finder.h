// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/folders/folder_names.h"

#include <map>
#include <optional>

namespace trainyard::formats {

// Finds the pictures that a file of labels names: by their way from the folder of the set, else from that of the
// labels, else by their names alone anywhere below the folder; with an ending of a picture where they are written
// without one.
class FileFinder {
public:
    FileFinder(std::filesystem::path folder, std::filesystem::path labelsFolder);

    // Where it is; empty: nowhere. Where a folder is written that is there, nothing outside it is meant. Input: its
    // name is in several folders. Environment: a folder cannot be read.
    Result<std::filesystem::path> find(const std::string& written);
    // A picture that is named nearly so, for an error, with the way to it where its name is in several folders; empty:
    // there is none near.
    Result<std::string> nearest(const std::string& written);

private:
    using Names = std::optional<FolderNames>; // none: there is no such folder
    Result<const Names*> namesOf(const std::filesystem::path& folder);
    Result<bool> isFile(const std::filesystem::path& file);
    Result<void> index();

    std::vector<std::filesystem::path> m_folders;
    std::map<std::filesystem::path, Names> m_names;
    FileNames m_all; // below the folder
    std::vector<std::uint32_t> m_byName;
    bool m_indexed = false;
};

} // namespace trainyard::formats
