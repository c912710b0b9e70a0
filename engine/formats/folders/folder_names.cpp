// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/folders/folder_names.h"

#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <memory>
#include <system_error>
#include <thread>

namespace trainyard::formats {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxNames = 20'000'000;

NameKind kindOfMode(mode_t mode) {
    if (S_ISREG(mode)) return NameKind::File;
    if (S_ISDIR(mode)) return NameKind::Folder;
    return S_ISLNK(mode) ? NameKind::Link : NameKind::Other;
}

NameKind kindOf(int folder, const dirent& entry) {
    switch (entry.d_type) {
    case DT_REG: return NameKind::File;
    case DT_DIR: return NameKind::Folder;
    case DT_LNK: return NameKind::Link;
    case DT_UNKNOWN: break;
    default: return NameKind::Other;
    }
    struct stat info{};
    return ::fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? kindOfMode(info.st_mode)
                                                                            : NameKind::Other;
}

std::uint64_t firstBytes(std::string_view name) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i)
        value = value << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0u);
    return value;
}

Error cannotRead(const fs::path& folder, int problem) {
    static const char* const kRemedy = "set dataset.params.folder to the folder of the classes";
    const std::string where = printable(folder.string(), 4096);
    if (problem == ENOENT)
        return inputError("the folder does not exist", where, kRemedy).withCode(ErrorCode::FileMissing);
    if (problem == ENOTDIR) return inputError("is not a folder", where, kRemedy);
    return environmentError("cannot be read: " + std::generic_category().message(problem), where,
                            "check its permissions");
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

void askFacts(const FileNames& files, std::size_t begin, std::size_t end, FileFacts* to) {
    const fs::path* opened = nullptr;
    int folder = -1;
    for (std::size_t i = begin; i < end; ++i) {
        if (const fs::path& of = files.folderOf(i); &of != opened) {
            if (folder >= 0) ::close(folder);
            folder = ::open(of.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            opened = &of;
        }
        struct stat info{};
        if (folder < 0 || ::fstatat(folder, files.nameOf(i), &info, 0) != 0) {
            if (const auto packed = packedFile(files[i]); packed && *packed)
                to[i] = (*packed)->first->facts((*packed)->second);
            continue;
        }
        to[i] = {info.st_size, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
    }
    if (folder >= 0) ::close(folder);
}

} // namespace

void FolderNames::add(std::string_view name, NameKind kind) {
    m_entries.push_back(
        {firstBytes(name), static_cast<std::uint32_t>(m_block.size()), static_cast<std::uint16_t>(name.size()), kind});
    m_block += name;
}

void FolderNames::sort() {
    const char* block = m_block.data();
    std::sort(m_entries.begin(), m_entries.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        return std::string_view(block + a.at, a.length) < std::string_view(block + b.at, b.length);
    });
}

Result<FolderNames> namesIn(const fs::path& folder) {
    auto names = namesOnDisk(folder);
    if (names ? !looksPacked(*names) : names.error().kind != ErrorKind::Input) return names;
    TY_ASSIGN(const PackedPlace place, packedPlace(folder));
    if (!place.pack) return names;
    if (!place.pack->labels().empty())
        return inputError("is a set of archives with a label beside each picture, and not a folder of classes",
                          printable(folder.string(), 4096),
                          "name it itself as the folder to train on, without a file of labels");
    if (auto packed = place.pack->namesIn(place.path)) return std::move(*packed);
    return cannotRead(folder, ENOENT);
}

Result<FolderNames> namesOnDisk(const fs::path& folder) {
    const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
    if (!opened) return cannotRead(folder, errno);
    FolderNames names;
    for (;;) {
        errno = 0;
        const dirent* entry = ::readdir(opened.get());
        if (entry == nullptr && errno != 0) return cannotRead(folder, errno);
        if (entry == nullptr) break;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (names.size() == kMaxNames)
            return inputError("holds more than 20 million names", printable(folder.string(), 4096),
                              "put the files into several folders");
        names.add(name, kindOf(::dirfd(opened.get()), *entry));
        if (names.bytes() > UINT32_MAX - 4096)
            return inputError("holds more than 4 GB of names", printable(folder.string(), 4096),
                              "put the files into several folders");
    }
    names.sort();
    return names;
}

NameKind kindBehind(const fs::path& link) {
    struct stat info{};
    return ::stat(link.c_str(), &info) == 0 ? kindOfMode(info.st_mode) : NameKind::Link;
}

std::uint32_t FileNames::folder(const fs::path& path) {
    if (m_folders.empty() || m_folders.back() != path) m_folders.push_back(path);
    return static_cast<std::uint32_t>(m_folders.size() - 1);
}

void FileNames::add(std::uint32_t folder, std::string_view name) {
    m_starts.push_back(m_names.size());
    m_names += name;
    m_names += '\0';
    m_folder.push_back(folder);
}

void FileNames::add(const fs::path& file) { add(folder(file.parent_path()), file.filename().string()); }

void FileNames::append(const FileNames& others) {
    const auto folders = static_cast<std::uint32_t>(m_folders.size());
    const std::size_t names = m_names.size();
    m_folders.insert(m_folders.end(), others.m_folders.begin(), others.m_folders.end());
    m_names += others.m_names;
    for (std::size_t i = 0; i < others.size(); ++i) {
        m_starts.push_back(names + others.m_starts[i]);
        m_folder.push_back(folders + others.m_folder[i]);
    }
}

std::size_t FileNames::bytes() const {
    std::size_t folders = 0;
    for (const fs::path& folder : m_folders) folders += sizeof folder + folder.native().capacity();
    return folders + m_names.capacity() + m_starts.capacity() * sizeof(std::size_t) +
           m_folder.capacity() * sizeof(std::uint32_t);
}

std::vector<FileFacts> factsOf(const FileNames& files) {
    constexpr std::size_t kWorthAThread = 20'000;
    std::vector<FileFacts> facts(files.size());
    const std::size_t most = std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
    const std::size_t threads = std::clamp<std::size_t>(files.size() / kWorthAThread, 1, most);
    std::vector<std::jthread> others;
    for (std::size_t t = 0; t < threads; ++t) {
        const std::size_t begin = files.size() * t / threads, end = files.size() * (t + 1) / threads;
        if (t + 1 == threads) askFacts(files, begin, end, facts.data());
        else others.emplace_back([&files, &facts, begin, end] { askFacts(files, begin, end, facts.data()); });
    }
    others.clear();
    return facts;
}

} // namespace trainyard::formats
