// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/files_checkpoint.h"

#include "engine/base/text/printable.h"
#include "engine/torch/api/raise.h"
#include "trainyard/checkpoint.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <limits>
#include <system_error>

namespace trainyard::train {

namespace fs = std::filesystem;

namespace {

Result<std::vector<fs::path>> filesBelow(const fs::path& folder) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
        return inputError("is not a folder", folder.string(), "a checkpoint is made from a folder of files");
    std::vector<fs::path> files;
    fs::recursive_directory_iterator walk(folder, failure);
    for (const fs::recursive_directory_iterator end; !failure && walk != end; walk.increment(failure)) {
        if (walk->is_directory(failure)) continue;
        if (!walk->is_regular_file(failure))
            return inputError("is neither a file nor a folder", walk->path().string(), "keep it out of the checkpoint");
        files.push_back(walk->path());
    }
    if (failure) return environmentError("cannot be read: " + failure.message(), folder.string());
    if (files.empty()) return inputError("holds no file", folder.string(), "write something into it first");
    std::sort(files.begin(), files.end());
    return files;
}

// A plain path below a folder: nothing absolute, no way up.
bool staysBelow(const fs::path& name) {
    return !name.empty() && name.is_relative() && name.has_filename() &&
           std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

} // namespace

Result<void> packFiles(const fs::path& folder, const fs::path& file, store::Metadata metadata) {
    TY_ASSIGN(const auto files, filesBelow(folder));
    std::deque<std::string> contents; // never moved: spans point into it
    std::vector<store::TensorBytes> tensors;
    for (const auto& path : files) {
        TY_ASSIGN(std::string bytes, readFile(path, std::numeric_limits<std::size_t>::max()));
        contents.push_back(std::move(bytes));
        const auto& kept = contents.back();
        const auto view = std::as_bytes(std::span(kept.data(), kept.size()));
        const auto size = static_cast<std::int64_t>(kept.size());
        tensors.push_back({path.lexically_relative(folder).generic_string(), "U8", {size}, view});
    }
    metadata.insert_or_assign("format", std::string(kFilesFormat));
    metadata.insert_or_assign("version", std::string("1"));
    return store::writeSafetensors(file, tensors, metadata);
}

Result<void> unpackFiles(const fs::path& file, const fs::path& folder) {
    TY_ASSIGN(const auto packed, store::SafetensorsFile::open(file));
    const auto format = packed.metadata().find("format");
    if (format == packed.metadata().end() || format->second != kFilesFormat)
        return inputError("is not a checkpoint that a program reported", file.string());
    for (const auto& tensor : packed.tensors()) {
        const fs::path name = tensor.name;
        if (!staysBelow(name))
            return inputError("names a file outside of its folder: \"" + printable(tensor.name) + "\"", file.string(),
                              "do not use it: no checkpoint of a run is like that");
        const auto path = folder / name;
        std::error_code failure;
        fs::create_directories(path.parent_path(), failure);
        if (failure) return environmentError("cannot be made: " + failure.message(), path.parent_path().string());
        TY_TRY(writeFileAtomic(path, packed.bytes(tensor)));
    }
    return {};
}

TemporaryDirectory::TemporaryDirectory() {
    std::error_code unusable; // $TMPDIR names no folder
    const fs::path usual = fs::temp_directory_path(unusable);
    std::string name = ((unusable ? fs::path("/tmp") : usual) / "trainyard-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw fs::filesystem_error("cannot make a temporary folder", name,
                                   std::error_code(errno, std::generic_category()));
    m_path = std::shared_ptr<const fs::path>(new fs::path(name), [](const fs::path* folder) {
        std::error_code ignored;
        fs::remove_all(*folder, ignored);
        delete folder;
    });
}

Checkpoint Checkpoint::fromDirectory(const fs::path& folder) { return {folder, false}; }
Checkpoint Checkpoint::fromFile(const fs::path& file) { return {file, true}; }

void Checkpoint::toDirectory(const fs::path& folder) const {
    if (m_packed) return valueOrRaise(unpackFiles(m_path, folder));
    std::error_code failure;
    if (!fs::is_directory(m_path, failure)) throw InputError(m_path.string() + ": is not a folder");
    fs::create_directories(folder, failure);
    if (!failure) fs::copy(m_path, folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
    if (failure) throw std::runtime_error(folder.string() + ": cannot copy the files: " + failure.message());
}

Checkpoint::Directory Checkpoint::asDirectory() const {
    Directory directory;
    directory.m_path = m_path;
    if (!m_packed) return directory;
    directory.m_temporary = std::make_shared<TemporaryDirectory>();
    directory.m_path = directory.m_temporary->path();
    toDirectory(directory.m_path);
    return directory;
}

} // namespace trainyard::train
