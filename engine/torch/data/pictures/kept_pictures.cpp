// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/pictures/kept_pictures.h"

#include "engine/base/files/folders.h"
#include "engine/base/machine/cores.h"
#include "engine/base/machine/mutex.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

namespace trainyard::data {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPackEnding = ".pictures";
constexpr const char* kPartEnding = ".part";
constexpr std::chrono::milliseconds kLookAgain{10};

fs::path packFile(const fs::path& folder, const PackKey& key) { return folder / (key.digest + kPackEnding); }

// Decodes what is not there yet, on every core.
class Decoding {
public:
    Decoding(const std::vector<fs::path>& files, PicturePack& pack) : m_files(files), m_pack(pack) {}

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
            const auto& file = m_files[static_cast<std::size_t>(i)];
            auto done = readPicture(file, m_pack.form(), nullptr, m_pack.room(i));
            if (done) {
                m_pack.noteDecoded(i, *done);
                continue;
            }
            const MutexLock lock(m_mutex);
            m_errors.emplace(i, std::move(done).error());
        }
    }

    const std::vector<fs::path>& m_files;
    PicturePack& m_pack;
    std::atomic<std::int64_t> m_next = 0;
    Mutex m_mutex;
    std::map<std::int64_t, Error> m_errors TY_GUARDED_BY(m_mutex);
};

Result<void> fill(PicturePack& pack, const std::vector<fs::path>& files) {
    TY_ASSIGN(auto unreadable, Decoding(files, pack).run());
    return pack.finish(std::move(unreadable));
}

// The lock of the one that decodes; none while another has it. What cannot be locked says so.
Result<UniqueFd> lockPart(const fs::path& part) {
    UniqueFd fd(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd) return systemError("cannot be written", part.string());
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return UniqueFd();
    struct stat locked{}, named{};
    const bool isIt = ::fstat(fd.get(), &locked) == 0 && ::lstat(part.c_str(), &named) == 0 &&
                      locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
    return isIt ? std::move(fd) : UniqueFd(); // it was finished, or removed, in between
}

// A pack that another process has finished meanwhile, or the lock to make one.
struct Turn {
    std::optional<PicturePack> pack;
    UniqueFd lock;
};

Result<Turn> waitForTurn(const fs::path& file, const fs::path& part, const PackKey& key) {
    for (;; std::this_thread::sleep_for(kLookAgain)) {
        if (auto pack = PicturePack::open(file, key)) return Turn{std::move(pack), {}};
        TY_ASSIGN(UniqueFd lock, lockPart(part));
        if (!lock) continue;
        if (auto pack = PicturePack::open(file, key)) { // between the two looks
            fs::remove(part);
            return Turn{std::move(pack), {}};
        }
        return Turn{std::nullopt, std::move(lock)};
    }
}

Result<PicturePack> takeOrMake(const std::vector<fs::path>& files, const PackKey& key,
                               const KeptPictures::Store& store) {
    std::error_code problem;
    fs::create_directories(store.folder, problem);
    if (problem) return environmentError("cannot be made: " + problem.message(), store.folder.string());
    fs::permissions(store.folder, fs::perms::owner_all, problem);
    const fs::path file = packFile(store.folder, key), part = file.string() + kPartEnding;
    TY_ASSIGN(Turn turn, waitForTurn(file, part, key));
    if (turn.pack) return std::move(*turn.pack);
    const auto bytes = key.count * key.form.bytes();
    prunePacks(store.folder, std::max<std::int64_t>(0, store.most - bytes));
    auto pack = PicturePack::begin(std::move(turn.lock), key, part);
    const auto filled = pack ? fill(*pack, files) : Result<void>(pack.error());
    if (!filled) {
        if (!pack) fs::remove(part, problem); // else the next one goes on with it
        return filled.error();
    }
    fs::rename(part, file, problem);
    pack->keepInUse(); // whoever waits maps the file
    return std::move(*pack);
}

} // namespace

KeptPictures::Store KeptPictures::usualStore() {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return {};
    fs::path there = folder;
    std::error_code problem;
    while (!fs::exists(there, problem) && there.has_parent_path() && there != there.parent_path())
        there = there.parent_path();
    const auto space = fs::space(there, problem);
    return {folder / "pictures", problem ? 0 : static_cast<std::int64_t>(space.capacity / 4)};
}

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

void prunePacks(const fs::path& folder, std::int64_t most) {
    struct Found {
        fs::path file;
        std::int64_t bytes, usedAt;
    };
    std::vector<Found> packs;
    std::int64_t all = 0;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        struct stat info{};
        const std::string name = entry.path().filename().string();
        const bool isPack = name.ends_with(kPackEnding) || name.ends_with(std::string(kPackEnding) + kPartEnding);
        if (!isPack || ::lstat(entry.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
        packs.push_back({entry.path(), static_cast<std::int64_t>(info.st_blocks) * 512,
                         info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec});
        all += packs.back().bytes;
    }
    std::sort(packs.begin(), packs.end(), [](const Found& a, const Found& b) { return a.usedAt < b.usedAt; });
    for (const Found& pack : packs) {
        if (all <= most) return;
        const UniqueFd fd(::open(pack.file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue; // somebody has it
        if (fs::remove(pack.file, problem)) all -= pack.bytes;
    }
}

} // namespace trainyard::data
