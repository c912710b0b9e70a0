// SPDX-License-Identifier: GPL-3.0-or-later
// Decoded pictures, one copy a host: a file in the user's cache folder that every process maps.
#pragma once

#include "engine/base/files/kept_file.h"
#include "engine/torch/data/pictures/picture_pack.h"

#include <atomic>

namespace trainyard::data {

class KeptPictures final : public SampleSource {
public:
    // Where packs are kept, and how many bytes of them; with an empty folder the pictures are in memory of this
    // process.
    using Store = KeptStore;
    // That of this user: a quarter of the room of its disk.
    static Store usualStore();

    // Maps what is kept under the key, or decodes all files, on every core. While another process decodes them, waits
    // for it, and goes on with what it has left if it dies. What was not used for longest goes, but nothing that is in
    // use, until the rest fits. Where nothing can be kept the pictures are in memory of this process, and `notes` says
    // why. Environment: a file cannot be read, which is not its own fault.
    static Result<std::shared_ptr<const KeptPictures>> make(const PictureList& files, const PackKey& key,
                                                            const Store& store, std::vector<std::string>& notes);
    // The same where they are kept already; null else. Decodes nothing.
    static std::shared_ptr<const KeptPictures> find(const PictureList& files, const PackKey& key, const Store& store);

    std::int64_t count() const override { return m_pack.count(); }
    std::int64_t sampleBytes() const override { return m_pack.form().bytes(); }
    // Null where the bytes are damaged: read() decodes the file again, and the pack is made anew by the next that looks
    // for it.
    const std::uint8_t* bytes(std::int64_t i) const override;
    Result<void> read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const override;
    std::string nameOf(std::int64_t i) const override;
    bool isResident() const override { return true; }

    const PackEntry& entry(std::int64_t i) const { return m_pack.entry(i); }
    const std::vector<std::pair<std::int64_t, std::string>>& unreadable() const { return m_pack.unreadable(); }
    // False: in memory of this process alone.
    bool isShared() const { return !m_file.empty(); }

private:
    KeptPictures(PictureList files, PicturePack pack, std::filesystem::path file, bool fresh);

    PictureList m_files;
    PicturePack m_pack;
    std::filesystem::path m_file; // empty: in memory
    // Of each picture, whether its bytes were found to be right: 0: not looked at, 1: right, 2: damaged.
    std::unique_ptr<std::atomic<std::uint8_t>[]> m_looked;
};

// Removes packs of the folder, those first that were not used for longest, until `most` bytes are kept; none that is in
// use. Names that are no pack's stay.
void prunePacks(const std::filesystem::path& folder, std::int64_t most);

} // namespace trainyard::data
