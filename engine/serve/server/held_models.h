// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>

namespace trainyard::serve {

// The files of the versions that are served, each held by a hard link in the folder of the service: a run deletes its
// older checkpoints, and a replica may have to be replaced long after that. Where no link can be made (the file lies on
// another filesystem, or belongs to another user), the file itself is loaded, and has to stay.
class HeldModels {
public:
    // `folder`: made with the first link. A server that was killed has left its links there.
    explicit HeldModels(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    ~HeldModels(); // releases all
    HeldModels(const HeldModels&) = delete;
    HeldModels& operator=(const HeldModels&) = delete;

    // Removes what a killed server has left and nobody holds.
    void removeLeftovers();

private:
    friend class HeldModel;
    std::filesystem::path hold(const std::filesystem::path& file);
    void release(const std::filesystem::path& held);
    std::filesystem::path leftOf(const std::filesystem::path& file) const; // empty: nothing

    const std::filesystem::path m_folder;
    std::map<std::filesystem::path, int> m_holders; // of each link
};

// One file, held while this exists.
class HeldModel {
public:
    HeldModel(HeldModels& models, const std::filesystem::path& file) : m_models(models), m_path(models.hold(file)) {}
    ~HeldModel() { m_models.release(m_path); }
    HeldModel(const HeldModel&) = delete;
    HeldModel& operator=(const HeldModel&) = delete;

    // What is to be loaded: the link to the file, or to what it was before it was deleted, where a killed server has
    // left one; else the file.
    const std::filesystem::path& path() const { return m_path; }
    bool isThere() const;

private:
    HeldModels& m_models;
    const std::filesystem::path m_path;
};

} // namespace trainyard::serve
