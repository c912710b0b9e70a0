// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/pictures/kept_pictures.h"

#include "engine/base/machine/cores.h"
#include "engine/base/machine/mutex.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPackEnding = ".pictures";

fs::path packFile(const fs::path& folder, const PackKey& key) { return folder / (key.digest + kPackEnding); }

// Decodes what is not there yet, on every core.
class Decoding {
public:
    Decoding(const formats::FileNames& files, PicturePack& pack) : m_files(files), m_pack(pack) {}

    // Number and reason of what cannot be decoded. Environment: it is not the file's fault.
    Result<std::vector<std::pair<std::int64_t, std::string>>> run() {
        const auto most = std::min<std::int64_t>(availableCores(), m_pack.count());
        std::vector<std::thread> threads;
        for (std::int64_t i = 1; i < most; ++i)
            threads.emplace_back([this] {
                useAllCores();
                work();
            });
        work();
        for (std::thread& thread : threads) thread.join();
        std::vector<std::pair<std::int64_t, std::string>> unreadable;
        const MutexLock lock(m_mutex);
        for (auto& [number, error] : m_errors) {
            if (error.kind != ErrorKind::Input) return error;
            unreadable.emplace_back(number, error.message);
        }
        return unreadable;
    }

private:
    void work() {
        for (std::int64_t i = m_next++; i < m_pack.count(); i = m_next++) {
            if (m_pack.entry(i).state != PackedAs::Missing) continue;
            const fs::path file = m_files[static_cast<std::size_t>(i)];
            auto done = readPicture(file, m_pack.form(), nullptr, m_pack.room(i));
            if (done) {
                m_pack.noteDecoded(i, *done);
                continue;
            }
            const MutexLock lock(m_mutex);
            m_errors.emplace(i, std::move(done).error());
        }
    }

    const formats::FileNames& m_files;
    PicturePack& m_pack;
    std::atomic<std::int64_t> m_next = 0;
    Mutex m_mutex;
    std::map<std::int64_t, Error> m_errors TY_GUARDED_BY(m_mutex);
};

Result<void> fill(PicturePack& pack, const formats::FileNames& files) {
    TY_ASSIGN(auto unreadable, Decoding(files, pack).run());
    return pack.finish(std::move(unreadable));
}

Result<PicturePack> takeOrMake(const formats::FileNames& files, const PackKey& key, const KeptPictures::Store& store) {
    const fs::path file = packFile(store.folder, key), part = partOfKept(file);
    std::optional<PicturePack> there;
    const auto look = [&] {
        if (auto found = PicturePack::open(file, key)) there.emplace(std::move(*found));
        return there.has_value();
    };
    TY_ASSIGN(UniqueFd lock, turnToMake(file, look));
    if (there) return std::move(*there);
    const auto bytes = key.count * key.form.bytes();
    prunePacks(store.folder, std::max<std::int64_t>(0, store.most - bytes));
    auto pack = PicturePack::begin(std::move(lock), key, part);
    const auto filled = pack ? fill(*pack, files) : Result<void>(pack.error());
    std::error_code problem;
    if (!filled) {
        if (!pack) fs::remove(part, problem); // else the next one goes on with it
        return filled.error();
    }
    fs::rename(part, file, problem);
    pack->keepInUse(); // whoever waits maps the file
    return std::move(*pack);
}

} // namespace

KeptPictures::Store KeptPictures::usualStore() { return trainyard::usualStore("pictures"); }

KeptPictures::KeptPictures(PictureList files, PicturePack pack, fs::path file, bool fresh)
    : m_files(std::move(files)), m_pack(std::move(pack)), m_file(std::move(file)),
      m_looked(std::make_unique<std::atomic<std::uint8_t>[]>(static_cast<std::size_t>(m_pack.count()))) {
    if (!fresh) return;
    for (std::int64_t i = 0; i < m_pack.count(); ++i) m_looked[static_cast<std::size_t>(i)] = 1;
}

Result<std::shared_ptr<const KeptPictures>> KeptPictures::make(const PictureList& files, const PackKey& key,
                                                               const Store& store, std::vector<std::string>& notes) {
    const auto share = [&](PicturePack pack, const fs::path& file) {
        return std::shared_ptr<const KeptPictures>(new KeptPictures(files, std::move(pack), file, file.empty()));
    };
    if (!store.folder.empty() && key.count * key.form.bytes() <= store.most) {
        auto pack = takeOrMake(*files, key, store);
        if (pack) return share(std::move(*pack), packFile(store.folder, key));
        const Error& error = pack.error();
        if (error.code != ErrorCode::DiskFull && !error.where.starts_with(store.folder.string()))
            return error; // of a picture
        notes.push_back("the decoded images are in the memory of each worker, since they cannot be kept: " +
                        error.text());
    }
    TY_ASSIGN(PicturePack pack, PicturePack::inMemory(key));
    TY_TRY(fill(pack, *files));
    return share(std::move(pack), {});
}

std::shared_ptr<const KeptPictures> KeptPictures::find(const PictureList& files, const PackKey& key,
                                                       const Store& store) {
    if (store.folder.empty()) return nullptr;
    const fs::path file = packFile(store.folder, key);
    auto pack = PicturePack::open(file, key);
    if (!pack) return nullptr;
    return std::shared_ptr<const KeptPictures>(new KeptPictures(files, std::move(*pack), file, false));
}

const std::uint8_t* KeptPictures::bytes(std::int64_t i) const {
    std::atomic<std::uint8_t>& looked = m_looked[static_cast<std::size_t>(i)];
    std::uint8_t found = looked.load(std::memory_order_relaxed);
    if (found == 0) {
        found = m_pack.isIntact(i) ? 1 : 2;
        looked.store(found, std::memory_order_relaxed);
        std::error_code ignored;
        if (found == 2 && !m_file.empty()) fs::remove(m_file, ignored);
    }
    return found == 1 ? m_pack.pixels(i) : nullptr;
}

Result<void> KeptPictures::read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const {
    const std::uint8_t* const here = cut ? nullptr : bytes(i);
    if (!here) {
        TY_TRY(readPicture((*m_files)[static_cast<std::size_t>(i)], m_pack.form(), cut, to));
        return {};
    }
    std::memcpy(to, here, static_cast<std::size_t>(sampleBytes()));
    return {};
}

std::string KeptPictures::nameOf(std::int64_t i) const { return (*m_files)[static_cast<std::size_t>(i)].string(); }

void prunePacks(const fs::path& folder, std::int64_t most) { pruneKept(folder, kPackEnding, most); }

} // namespace trainyard::data
