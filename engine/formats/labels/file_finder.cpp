// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/labels/file_finder.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostCompared = 20'000; // names that a misspelled one is compared with
constexpr std::array<const char*, 9> kEndings{"", ".jpg", ".png", ".jpeg", ".JPEG", ".JPG", ".webp", ".tif", ".bmp"};

bool holds(const FolderNames& names, std::string_view name) {
    std::size_t low = 0, high = names.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (names.name(middle) < name) low = middle + 1;
        else high = middle;
    }
    return low < names.size() && names.name(low) == name && names.kind(low) != NameKind::Folder;
}

Result<void> walk(const fs::path& folder, int depth, FileNames& all) {
    TY_ASSIGN(const FolderNames names, namesIn(folder));
    const std::uint32_t number = all.folder(folder);
    std::vector<std::string> below;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names.name(i).starts_with('.')) continue;
        if (names.kind(i) == NameKind::Folder) below.emplace_back(names.name(i));
        else all.add(number, names.name(i));
    }
    if (depth < kDeepest)
        for (const std::string& each : below) TY_TRY(walk(folder / each, depth + 1, all));
    return {};
}

bool isBelow(const fs::path& folder, const fs::path& within) {
    const fs::path way = folder.lexically_normal().lexically_relative(within);
    return !way.empty() && *way.begin() != "..";
}

} // namespace

FileFinder::FileFinder(fs::path folder, fs::path labelsFolder)
    : m_folders{std::move(folder), std::move(labelsFolder)} {}

Result<const FileFinder::Names*> FileFinder::namesOf(const fs::path& folder) {
    const auto known = m_names.find(folder);
    if (known != m_names.end()) return &known->second;
    auto names = namesIn(folder);
    if (!names && names.error().kind != ErrorKind::Input) return std::move(names).error();
    Names& kept = m_names[folder];
    if (names) kept = std::move(*names);
    return &kept;
}

Result<bool> FileFinder::isFile(const fs::path& file) {
    TY_ASSIGN(const Names* names, namesOf(file.parent_path()));
    return *names && holds(**names, file.filename().string());
}

Result<void> FileFinder::index() {
    if (m_indexed) return {};
    m_indexed = true;
    TY_TRY(walk(m_folders.front(), 0, m_all));
    m_byName.resize(m_all.size());
    std::iota(m_byName.begin(), m_byName.end(), 0u);
    std::sort(m_byName.begin(), m_byName.end(),
              [&](std::uint32_t a, std::uint32_t b) { return std::strcmp(m_all.nameOf(a), m_all.nameOf(b)) < 0; });
    return {};
}

Result<fs::path> FileFinder::find(const std::string& written) {
    for (const char* ending : kEndings)
        for (const fs::path& folder : m_folders) {
            const fs::path file = (folder / (written + ending)).lexically_normal();
            TY_ASSIGN(const bool there, isFile(file));
            if (there) return file;
        }
    TY_TRY(index());
    const fs::path around = fs::path(written).parent_path();
    fs::path within; // a folder that is written and is there
    for (const fs::path& folder : m_folders) {
        if (around.empty() || !within.empty()) break;
        const fs::path there = (folder / around).lexically_normal();
        TY_ASSIGN(const Names* names, namesOf(there));
        if (*names) within = there;
    }
    for (const char* ending : kEndings) {
        const std::string name = fs::path(written).filename().string() + ending;
        const auto first =
            std::lower_bound(m_byName.begin(), m_byName.end(), name, [&](std::uint32_t i, const std::string& wanted) {
                return std::strcmp(m_all.nameOf(i), wanted.c_str()) < 0;
            });
        std::vector<std::uint32_t> found;
        for (auto each = first; each != m_byName.end() && name == m_all.nameOf(*each) && found.size() < 2; ++each)
            if (within.empty() || isBelow(m_all.folderOf(*each), within)) found.push_back(*each);
        if (found.size() == 2)
            return inputError("\"" + printable(name, 200) +
                                  "\" is in several folders: " + printable(m_all.folderOf(found[0]).string(), 200) +
                                  " and " + printable(m_all.folderOf(found[1]).string(), 200),
                              {}, "write the folder before the name");
        if (!found.empty()) return m_all[found[0]];
    }
    return fs::path();
}

Result<std::string> FileFinder::nearest(const std::string& written) {
    TY_TRY(index());
    const std::string name = fs::path(written).filename().string();
    // The nearest by the alphabet: a slip of the first letters finds nothing, and millions of names cost nothing.
    const auto near =
        std::lower_bound(m_byName.begin(), m_byName.end(), name, [&](std::uint32_t i, const std::string& wanted) {
            return std::strcmp(m_all.nameOf(i), wanted.c_str()) < 0;
        });
    const auto at = static_cast<std::size_t>(near - m_byName.begin());
    const std::size_t first = at > kMostCompared / 2 ? at - kMostCompared / 2 : 0;
    std::vector<std::string> names;
    for (std::size_t i = first; i < std::min(m_byName.size(), first + kMostCompared); ++i)
        names.emplace_back(m_all.nameOf(m_byName[i]));
    const std::string word = nearestWord(name, names);
    std::string way; // to the first of that name, or to the one in the folder that is written
    std::size_t count = 0;
    const fs::path around = fs::path(written).parent_path();
    for (const std::uint32_t i : m_byName) {
        if (word.empty() || word != m_all.nameOf(i)) continue;
        const fs::path folder = m_all.folderOf(i).lexically_relative(m_folders.front());
        if (++count == 1 || folder == around) way = (folder / word).lexically_normal().string();
    }
    return count > 1 ? way : word;
}

} // namespace trainyard::formats
