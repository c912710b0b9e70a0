// SPDX-License-Identifier: GPL-3.0-or-later
// Names of many files in one block of memory, and the names in a folder without asking for each file.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

// What a name stands for as far as the folder itself tells it: where a link leads is not asked.
enum class NameKind : std::uint8_t { File, Folder, Link, Other };

// The names in one folder, by their bytes.
class FolderNames {
public:
    std::size_t size() const { return m_entries.size(); }
    std::string_view name(std::size_t i) const { return {m_block.data() + m_entries[i].at, m_entries[i].length}; }
    NameKind kind(std::size_t i) const { return m_entries[i].kind; }

    // Names in any order, below 4 GB in all; sort() ends it.
    void add(std::string_view name, NameKind kind);
    void sort();
    std::size_t bytes() const { return m_block.size(); } // of all names

private:
    struct Entry {
        std::uint64_t first = 0; // the first eight bytes, as a number that sorts as they do
        std::uint32_t at = 0;
        std::uint16_t length = 0;
        NameKind kind = NameKind::File;
    };
    std::string m_block;
    std::vector<Entry> m_entries;
};

// Reads a folder, also one in a pack (pack.h), or a pack itself. Input: there is none (FileMissing), it is none, it has
// more than 20 million names, or the pack is bad. Environment: it cannot be read. Files are asked for their kind only
// where the file system does not keep it with the names.
Result<FolderNames> namesIn(const std::filesystem::path& folder);
// The same of a folder as it is on the disk.
Result<FolderNames> namesOnDisk(const std::filesystem::path& folder);
// What a link in the folder leads to: File, Folder, Other; Link: nowhere.
NameKind kindBehind(const std::filesystem::path& link);

// Files as a folder and a name each: some 10 bytes a file beside its name.
class FileNames {
public:
    // A number for add(); the folder of the newest files is found again.
    std::uint32_t folder(const std::filesystem::path& path);
    void add(std::uint32_t folder, std::string_view name);
    void add(const std::filesystem::path& file);
    void append(const FileNames& others);

    std::size_t size() const { return m_starts.size(); }
    bool empty() const { return m_starts.empty(); }
    std::filesystem::path operator[](std::size_t i) const { return m_folders[m_folder[i]] / nameOf(i); }
    const std::filesystem::path& folderOf(std::size_t i) const { return m_folders[m_folder[i]]; }
    const char* nameOf(std::size_t i) const { return m_names.data() + m_starts[i]; }
    std::size_t bytes() const; // of memory

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = std::filesystem::path;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type*;
        using reference = value_type;
        Iterator(const FileNames* files, std::size_t at) : m_files(files), m_at(at) {}
        value_type operator*() const { return (*m_files)[m_at]; }
        Iterator& operator++() { return ++m_at, *this; }
        Iterator operator++(int) { return {m_files, m_at++}; }
        bool operator==(const Iterator&) const = default;

    private:
        const FileNames* m_files;
        std::size_t m_at;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }

private:
    std::vector<std::filesystem::path> m_folders;
    std::string m_names; // each with a 0 behind it
    std::vector<std::size_t> m_starts;
    std::vector<std::uint32_t> m_folder;
};

// What the file system tells of a file; size -1: it is not there.
struct FileFacts {
    std::int64_t size = -1, changed = 0; // bytes; nanoseconds since 1970
    bool operator==(const FileFacts&) const = default;
};
// Of all the files, in their order, asked for once each, on as many threads as there are cores. Of a packed file it is
// the size, and the time of its archive.
std::vector<FileFacts> factsOf(const FileNames& files);

} // namespace trainyard::formats
