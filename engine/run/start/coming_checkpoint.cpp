// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/coming_checkpoint.h"

#include "engine/base/files/disk_room.h"
#include "engine/run/record/run_folder.h"

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr const char* kComing = ".coming"; // beside the folders of runs

// The folder above it goes with the last that came, so it may go just when it is needed.
Result<void> makeComingFolder(const fs::path& place) {
    std::error_code failure;
    for (int tries = 3; tries > 0; --tries) {
        fs::create_directories(place, failure);
        if (!failure) return {};
    }
    return notMadeError("cannot create a folder for the checkpoint", place, failure);
}

} // namespace

Result<ComingCheckpoint> ComingCheckpoint::bring(const RunFolder& folder, const std::string& file) {
    ComingCheckpoint coming;
    if (file.empty()) return coming;
    const auto place = folder.root.parent_path() / kComing / folder.root.filename();
    TY_TRY(makeComingFolder(place));
    coming.m_place = place;
    TY_ASSIGN(coming.m_lock, store::RunLock::acquire(place));
    std::error_code failure;
    const auto to = place / folder.startCheckpoint().filename();
    fs::remove(to, failure); // of a run with the same key, whose start was killed
    fs::create_hard_link(file, to, failure);
    if (failure) {
        failure.clear();
        fs::copy_file(file, to, failure);
    }
    if (failure) return environmentError("cannot copy the checkpoint: " + failure.message(), file);
    return coming;
}

Result<void> ComingCheckpoint::moveTo(const fs::path& file) const {
    if (m_place.empty()) return {};
    std::error_code failure;
    fs::rename(m_place / file.filename(), file, failure);
    if (failure) return environmentError("cannot move the checkpoint there: " + failure.message(), file.string());
    return {};
}

ComingCheckpoint::~ComingCheckpoint() {
    if (m_place.empty()) return;
    std::error_code ignored;
    fs::remove_all(m_place, ignored);
    fs::remove(m_place.parent_path(), ignored); // unless another one is coming
}

void removeAbandonedCheckpoints(const RunFolder& folder) {
    std::error_code none;
    std::vector<fs::path> places;
    for (const auto& entry : fs::directory_iterator(folder.root.parent_path() / kComing, none))
        places.push_back(entry.path());
    for (const auto& place : places) removeAbandoned(place, [] { return false; });
    if (!places.empty()) fs::remove(places.front().parent_path(), none);
}

} // namespace trainyard::run
