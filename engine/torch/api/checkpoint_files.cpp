// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/files_checkpoint.h"
#include "engine/torch/api/raise.h"
#include "trainyard/checkpoint.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace trainyard::train {

namespace fs = std::filesystem;

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
