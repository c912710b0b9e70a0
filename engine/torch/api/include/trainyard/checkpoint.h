// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of files that a training function keeps of its work, and finds again after a restart.
#pragma once

#include <filesystem>
#include <memory>

namespace trainyard::train {

// A folder of its own under the system's temporary one, gone with the last copy of this object.
class TemporaryDirectory {
public:
    TemporaryDirectory(); // throws std::filesystem::filesystem_error
    const std::filesystem::path& path() const { return *m_path; }
    operator const std::filesystem::path&() const { return *m_path; }
    friend std::filesystem::path operator/(const TemporaryDirectory& folder, const std::filesystem::path& name) {
        return folder.path() / name;
    }

private:
    std::shared_ptr<const std::filesystem::path> m_path;
};

// Either a folder that a program made, before it is reported, or one of the run's checkpoints: there the files are
// packed into a single file with a checksum for each (safetensors, one uint8 tensor a file), so that it is kept whole
// or not at all and can be brought from another host. Cheap to copy. Functions throw InputError when something is wrong
// with the files (naming file and place) and std::runtime_error when they cannot be read or written.
class Checkpoint {
public:
    // Refers to the folder: nothing is read until it is reported. Regular files and folders of them.
    static Checkpoint fromDirectory(const std::filesystem::path& folder);
    // One of a run's checkpoints, a packed file.
    static Checkpoint fromFile(const std::filesystem::path& file);

    // Copies or unpacks the files into `folder`, which is made when missing. Every checksum is verified.
    void toDirectory(const std::filesystem::path& folder) const;

    // The folder with the files: the program's own, or a temporary one that lives as long as what is returned.
    class Directory {
    public:
        const std::filesystem::path& path() const { return m_path; }
        operator const std::filesystem::path&() const { return m_path; }
        friend std::filesystem::path operator/(const Directory& folder, const std::filesystem::path& name) {
            return folder.m_path / name;
        }

    private:
        friend class Checkpoint;
        std::filesystem::path m_path;
        std::shared_ptr<TemporaryDirectory> m_temporary;
    };
    Directory asDirectory() const;

    const std::filesystem::path& path() const { return m_path; } // of the folder, or of the packed file

private:
    Checkpoint(std::filesystem::path path, bool packed) : m_path(std::move(path)), m_packed(packed) {}

    std::filesystem::path m_path;
    bool m_packed;
};

} // namespace trainyard::train
