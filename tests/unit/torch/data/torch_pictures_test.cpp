// SPDX-License-Identifier: GPL-3.0-or-later
// Decoded pictures that are kept, and pictures that are decoded while training.
#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/data/pictures/kept_pictures.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/substitute.h"
#include "tests/texts.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

using namespace trainyard;
using namespace trainyard::tests;
using data::KeptPictures;
using data::PictureFiles;
using data::PicturePack;
using trainyard::test::compareText;

namespace fs = std::filesystem;

namespace {

constexpr int kPictures = 40;
constexpr data::PictureForm kForm{12, 10, 3, true};

// A set of pictures that all differ, as gather() and the loaders take it.
data::Dataset setOf(std::shared_ptr<const data::SampleSource> source, std::int64_t samples) {
    data::Dataset set;
    set.sampleShape = {kForm.channels, kForm.height, kForm.width};
    set.mean = set.stddev = {0.5, 0.25, 0.4};
    // Backwards, so that samples and rows differ.
    set.train = {{},
                 torch::arange(samples, torch::kInt64) % 4,
                 std::move(source),
                 torch::arange(samples, torch::kInt64).flip({0}).contiguous()};
    return set;
}

const auto kNoMore = [](int) { return std::optional<data::BatchRequest>(); };

data::BatchRequest ask(const std::vector<std::int64_t>& indices, std::int64_t epoch = 0) {
    return {torch::tensor(indices, torch::kInt64), epoch};
}

// A disk that does not answer until it is told to.
class StalledSource final : public data::SampleSource {
public:
    explicit StalledSource(std::shared_ptr<const data::SampleSource> of) : m_of(std::move(of)) {}
    std::int64_t count() const override { return m_of->count(); }
    std::int64_t sampleBytes() const override { return m_of->sampleBytes(); }
    Result<void> read(std::int64_t i, const data::CutDraw* cut, std::uint8_t* to) const override {
        if (!answers) return environmentError("cannot be read: Stale file handle", m_of->nameOf(i));
        return m_of->read(i, cut, to);
    }
    std::string nameOf(std::int64_t i) const override { return m_of->nameOf(i); }
    bool isResident() const override { return false; }
    mutable std::atomic<bool> answers{false};

private:
    std::shared_ptr<const data::SampleSource> m_of;
};

} // namespace

class TorchPicturesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    data::PictureList m_files;

    fs::path in(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    data::PackKey key(const char* digest = "00ff") const {
        return {std::string(64 - std::strlen(digest), '0') + digest, kForm, kPictures};
    }
    KeptPictures::Store store(std::int64_t most = std::int64_t{1} << 30) const { return {in("packs"), most}; }
    fs::path packFile(const char* digest = "00ff") const { return in("packs") / (key(digest).digest + ".pictures"); }
    std::shared_ptr<const KeptPictures> make(QString* said = nullptr, const char* digest = "00ff") const {
        std::vector<std::string> notes;
        auto made = KeptPictures::make(m_files, key(digest), store(), notes);
        if (said)
            *said = made ? QString::fromStdString(notes.empty() ? "" : notes.front())
                         : QString::fromStdString(made.error().text());
        return made ? *made : nullptr;
    }
    void removePictures(int from = 0) const {
        for (int i = from; i < kPictures; ++i) fs::remove((*m_files)[static_cast<std::size_t>(i)]);
    }
    // The bytes of all samples in the order of the set.
    torch::Tensor decoded() const {
        return setOf(std::make_shared<PictureFiles>(m_files, kForm), kPictures).train.allInputs({3, 10, 12});
    }

private Q_SLOTS:
    void init();
    void whatIsKeptIsDecodedOnce();
    void aKilledBuilderCostsNothing();
    void waitsForTheOneThatDecodes();
    void damagedPacksAreMadeAnew_data();
    void damagedPacksAreMadeAnew();
    void damagedPicturesAreDecodedAgain();
    void goesWithoutAFolder();
    void removesWhatWasNotUsedForLongest();
    void theMeasureIsThatOfTheBytes();
    void loaderGivesTheSameBytes_data();
    void loaderGivesTheSameBytes();
    void ranksAndResumesGetTheSameBytes();
    void replacesWhatBecomesUnreadable();
    void namesWhatBecomesUnreadable();
    void aStalledDiskIsWaitedFor();
    void cutsAreDrawnForTheSample();
};

void TorchPicturesTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    auto files = std::make_shared<formats::FileNames>();
    for (int i = 0; i < kPictures; ++i) {
        QByteArray pixels(24 * 20 * 3, '\0');
        for (qsizetype p = 0; p < pixels.size(); ++p) pixels[p] = static_cast<char>(i * 5 + p * p % 97);
        files->add(in(("picture" + std::to_string(i) + ".png").c_str()));
        writeBytes((*files)[files->size() - 1], pngOf(24, 20, PNG_FORMAT_RGB, pixels));
    }
    m_files = std::move(files);
}

// Feature: decoded pictures are kept in one file a host, which all its processes map.
void TorchPicturesTest::whatIsKeptIsDecodedOnce() {
    const torch::Tensor expected = decoded();
    QVERIFY(!KeptPictures::find(m_files, key(), store()));
    const auto first = make();
    QVERIFY(first && first->isShared() && fs::exists(packFile()));
    QVERIFY(torch::equal(setOf(first, kPictures).train.allInputs({3, 10, 12}), expected));
    removePictures();
    const auto second = make(), found = KeptPictures::find(m_files, key(), store());
    QVERIFY(second && found);
    QVERIFY(torch::equal(setOf(second, kPictures).train.allInputs({3, 10, 12}), expected));
    // The folder may go while the file is mapped.
    fs::remove_all(in("packs"));
    QVERIFY(torch::equal(setOf(found, kPictures).train.allInputs({3, 10, 12}), expected));
}

// Fault: the process that decodes the pictures is killed. Another goes on with what it has left; bytes that are not
// whole are decoded again.
void TorchPicturesTest::aKilledBuilderCostsNothing() {
    const torch::Tensor expected = decoded();
    const fs::path part = packFile().string() + ".part";
    fs::create_directories(in("packs"));
    {
        UniqueFd fd(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        auto pack = PicturePack::begin(std::move(fd), key(), part);
        QVERIFY(pack.ok());
        for (int i = 0; i < kPictures; ++i) {
            if (i == 7) continue; // begun by another thread, and not noted yet
            QVERIFY(data::readPicture((*m_files)[static_cast<std::size_t>(i)], kForm, nullptr, pack->room(i)).ok());
            pack->noteDecoded(i, false);
        }
        pack->room(9)[5] ^= 1; // what did not reach the memory whole
    }
    for (int i = 0; i < kPictures; ++i)
        if (i != 7 && i != 9) fs::remove((*m_files)[static_cast<std::size_t>(i)]);
    const auto kept = make();
    QVERIFY(kept && kept->unreadable().empty());
    QVERIFY(torch::equal(setOf(kept, kPictures).train.allInputs({3, 10, 12}), expected));
    QVERIFY(!fs::exists(part));
}

// Fault: the process that decodes the pictures is killed while others wait for it. The next one takes its lock.
void TorchPicturesTest::waitsForTheOneThatDecodes() {
    const fs::path part = packFile().string() + ".part";
    fs::create_directories(in("packs"));
    UniqueFd other(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    QCOMPARE(::flock(other.get(), LOCK_EX), 0);
    std::atomic<bool> there = false;
    std::thread waiting([&] { there = make() != nullptr; });
    QTest::qWait(50);
    QVERIFY(!there && !fs::exists(packFile()));
    other.reset(); // as the kernel does for one that was killed
    waiting.join();
    QVERIFY(there && fs::exists(packFile()));
}

// Bad inputs: files of decoded pictures. They are made anew.
void TorchPicturesTest::damagedPacksAreMadeAnew_data() {
    QTest::addColumn<int>("at"); // the byte that is changed; -1: cut short, -2: empty
    QTest::newRow("magic number") << 0;
    QTest::newRow("a side") << 8;
    QTest::newRow("not whole") << 20;
    QTest::newRow("number of pictures") << 31;
    QTest::newRow("length of the list of errors") << 39;
    QTest::newRow("checksum") << 40;
    QTest::newRow("digest") << 50;
    QTest::newRow("a sum") << 4096 + 70;
    QTest::newRow("cut short") << -1;
    QTest::newRow("empty") << -2;
}

void TorchPicturesTest::damagedPacksAreMadeAnew() {
    QFETCH(int, at);
    const torch::Tensor expected = decoded();
    QVERIFY(make() != nullptr);
    if (at < 0) {
        fs::resize_file(packFile(), at == -2 ? 0 : fs::file_size(packFile()) - 1);
    } else {
        std::fstream file(packFile(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(at);
        const int byte = file.get();
        file.seekp(at);
        file.put(static_cast<char>(byte ^ 0x41));
    }
    QVERIFY(!KeptPictures::find(m_files, key(), store()));
    const auto again = make();
    QVERIFY(again && torch::equal(setOf(again, kPictures).train.allInputs({3, 10, 12}), expected));
    QVERIFY(KeptPictures::find(m_files, key(), store()) != nullptr);
}

// Fault: bytes of a kept picture change on the disk. It is decoded again, and the file is made anew.
void TorchPicturesTest::damagedPicturesAreDecodedAgain() {
    const torch::Tensor expected = decoded();
    make();
    {
        std::fstream file(packFile(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-5, std::ios::end);
        file.put('\x55');
        file.put('\x54');
    }
    const auto kept = make();
    QVERIFY(kept && !kept->bytes(kPictures - 1) && kept->bytes(0));
    QVERIFY(torch::equal(setOf(kept, kPictures).train.allInputs({3, 10, 12}), expected));
    QVERIFY(!fs::exists(packFile()));
}

// Fault: the cache folder cannot be made, or is full. The pictures are in memory of the process, with a note.
void TorchPicturesTest::goesWithoutAFolder() {
    writeBytes(in("file"), "no folder");
    std::vector<std::string> notes;
    const auto kept = KeptPictures::make(m_files, key(), {in("file") / "packs", std::int64_t{1} << 30}, notes);
    QVERIFY(kept.ok() && !(*kept)->isShared() && notes.size() == 1);
    compareText(QString::fromStdString(notes.front()), "in the memory of each worker, since they cannot be kept");
    QVERIFY(torch::equal(setOf(*kept, kPictures).train.allInputs({3, 10, 12}), decoded()));
    const auto tooLarge = KeptPictures::make(m_files, key(), store(100), notes);
    QVERIFY(tooLarge.ok() && !(*tooLarge)->isShared() && !fs::exists(packFile()));
}

// Feature: kept pictures that were not used for longest go first, and none that is in use.
void TorchPicturesTest::removesWhatWasNotUsedForLongest() {
    const auto used = make(nullptr, "01");
    for (const char* digest : {"02", "03"}) make(nullptr, digest);
    writeBytes(in("packs") / "notes.txt", "mine");
    const auto seconds = [](int ago) { return fs::file_time_type::clock::now() - std::chrono::seconds(ago); };
    fs::last_write_time(packFile("01"), seconds(30));
    fs::last_write_time(packFile("02"), seconds(10));
    fs::last_write_time(packFile("03"), seconds(20));
    std::int64_t each = 0;
    struct stat info{};
    QCOMPARE(::stat(packFile("01").c_str(), &info), 0);
    each = info.st_blocks * 512;
    data::prunePacks(in("packs"), 2 * each);
    QVERIFY(fs::exists(packFile("01")) && fs::exists(packFile("02")) && !fs::exists(packFile("03")));
    data::prunePacks(in("packs"), 0);
    QVERIFY(fs::exists(packFile("01")) && !fs::exists(packFile("02")) && fs::exists(in("packs") / "notes.txt"));
}

void TorchPicturesTest::theMeasureIsThatOfTheBytes() {
    data::Dataset set = setOf(make(), kPictures);
    set.train = set.train.select(torch::arange(0, kPictures, 3, torch::kInt64));
    const auto* kept = dynamic_cast<const KeptPictures*>(set.train.source.get());
    std::vector<std::int64_t> all(kPictures);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    QVERIFY(data::measurePictures(set, *kept, all).ok());
    data::Dataset plain;
    plain.train = {set.train.allInputs({3, 10, 12}), set.train.targets};
    data::measureImages(plain);
    for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY(std::abs(set.mean[c] - plain.mean[c]) < 1e-14 && std::abs(set.stddev[c] - plain.stddev[c]) < 1e-13);
        QCOMPARE(static_cast<float>(set.mean[c]), static_cast<float>(plain.mean[c]));
    }
}

// Feature: a batch has the same bytes whatever decodes it: in memory, or streamed by one thread or four.
void TorchPicturesTest::loaderGivesTheSameBytes_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {0, 1, 4}) QTest::addRow("%d threads", threads) << threads;
}

void TorchPicturesTest::loaderGivesTheSameBytes() {
    QFETCH(int, threads);
    const data::Dataset kept = setOf(make(), kPictures),
                        streamed = setOf(std::make_shared<PictureFiles>(m_files, kForm), kPictures);
    QVERIFY(streamed.train.isStreamed() && !kept.train.isStreamed());
    data::BatchLoader loader(streamed.train, streamed.sampleShape, {.threads = threads});
    const auto requestOf = [](int k) {
        return data::BatchRequest{(torch::arange(7, torch::kInt64) * 11 + 3 * k) % kPictures, 0};
    };
    int at = 0;
    const auto ahead = [&](int k) { return std::optional(requestOf(at + k)); };
    for (at = 0; at < 6; ++at) {
        if (at == 3) at = 4; // a batch that was decoded for nothing
        const auto batch = loader.take(requestOf(at), ahead, {});
        QVERIFY(batch.ok());
        const auto ours = data::batchOf(streamed, streamed.train, batch->bytes, batch->indices);
        const auto theirs = data::gather(kept, kept.train, requestOf(at).indices);
        QVERIFY(torch::equal(ours.inputs, theirs.inputs) && torch::equal(ours.targets, theirs.targets));
        QVERIFY(torch::equal(data::gather(streamed, streamed.train, requestOf(at).indices).inputs, theirs.inputs));
    }
    QVERIFY(loader.takeUnreadable().empty());
    QVERIFY(threads == 0 || loader.threads() == threads);
}

// Feature: 1, 2 and 4 ranks train on the same batches, and one that resumes in the middle of an epoch gets those that
// were to come.
void TorchPicturesTest::ranksAndResumesGetTheSameBytes() {
    const data::Dataset streamed = setOf(std::make_shared<PictureFiles>(m_files, kForm), kPictures);
    for (const bool blocks : {false, true}) {
        const auto batchesOf = [&](int ranks, std::int64_t from) {
            std::vector<torch::Tensor> batches;
            std::vector<std::unique_ptr<data::BatchLoader>> loaders;
            for (int rank = 0; rank < ranks; ++rank)
                loaders.push_back(std::make_unique<data::BatchLoader>(
                    streamed.train, streamed.sampleShape,
                    data::LoaderOptions{.threads = 1 + rank % 2, .leastCut = 0.3, .seed = 5}));
            for (std::int64_t batch = from; batch < 5; ++batch) {
                std::vector<torch::Tensor> parts;
                for (int rank = 0; rank < ranks; ++rank) {
                    data::ShardedSampler sampler({.samples = kPictures,
                                                  .batchPerRank = 8 / ranks,
                                                  .rank = rank,
                                                  .worldSize = ranks,
                                                  .seed = 5,
                                                  .blocks = blocks});
                    sampler.setEpoch(2);
                    const auto part = loaders[static_cast<std::size_t>(rank)]->take(
                        {sampler.indices(batch).contiguous(), 2}, kNoMore, {});
                    parts.push_back(part.ok() ? part->bytes : torch::Tensor());
                }
                batches.push_back(torch::cat(parts));
            }
            return torch::cat(batches);
        };
        const auto whole = batchesOf(1, 0);
        QVERIFY(torch::equal(batchesOf(2, 0), whole) && torch::equal(batchesOf(4, 0), whole));
        QVERIFY(torch::equal(batchesOf(2, 3), whole.narrow(0, 24, 16)));
    }
}

// Fault: pictures are deleted and damaged while a run streams them, and are to be left out. Others take their places,
// the same ones on every rank, and the files are named.
void TorchPicturesTest::replacesWhatBecomesUnreadable() {
    const data::Dataset set = setOf(std::make_shared<PictureFiles>(m_files, kForm), kPictures);
    const torch::Tensor expected = decoded();
    const auto fileOf = [&](std::int64_t sample) {
        return (*m_files)[static_cast<std::size_t>(kPictures - 1 - sample)];
    };
    fs::remove(fileOf(3));
    writeBytes(fileOf(6), "<html>");
    for (const int threads : {1, 3}) {
        data::BatchLoader loader(set.train, set.sampleShape, {.threads = threads, .seed = 9, .skips = true});
        const auto batch = loader.take(ask({2, 3, 6, 7}), kNoMore, {});
        QVERIFY(batch.ok());
        std::vector<std::int64_t> places{2, 3, 6, 7};
        for (std::int64_t& place : places) {
            const std::int64_t asked = place;
            for (int attempt = 0; place == 3 || place == 6; ++attempt)
                place = data::substituteOf(asked, attempt, 9, kPictures);
        }
        const auto rows = torch::tensor(places, torch::kInt64);
        QVERIFY(torch::equal(batch->indices, rows) && torch::equal(batch->bytes, expected.index_select(0, rows)));
        auto files = loader.takeUnreadable();
        QCOMPARE(files.size(), 2u);
        std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
        QVERIFY(files[0].file == std::min(fileOf(3), fileOf(6)).string() && !files[0].why.empty());
        QVERIFY(loader.take(ask({3}), kNoMore, {}).ok() && loader.takeUnreadable().empty()); // each once
    }
}

// Fault: a picture is deleted while a run streams it, and none is to be left out. The run ends with its name.
void TorchPicturesTest::namesWhatBecomesUnreadable() {
    const data::Dataset set = setOf(std::make_shared<PictureFiles>(m_files, kForm), kPictures);
    fs::remove((*m_files)[m_files->size() - 1]); // sample 0
    data::BatchLoader loader(set.train, set.sampleShape, {.threads = 2});
    const auto batch = loader.take(ask({5, 0, 4}), kNoMore, {});
    QVERIFY(!batch.ok());
    QVERIFY(batch.error().kind == ErrorKind::Input && batch.error().code == ErrorCode::DataUnreadable);
    compareText(QString::fromStdString(batch.error().text()), "picture39.png");
    compareText(QString::fromStdString(batch.error().remedy), "--set data.onError=skip");
}

// Fault: the disk that pictures are streamed from does not answer for a while. The batch is waited for, and no sample
// is to blame.
void TorchPicturesTest::aStalledDiskIsWaitedFor() {
    const auto source = std::make_shared<StalledSource>(std::make_shared<PictureFiles>(m_files, kForm));
    const data::Dataset set = setOf(source, kPictures);
    data::BatchLoader loader(set.train, set.sampleShape, {.threads = 2, .skips = true});
    int told = 0;
    const auto waiting = [&](double seconds) {
        ++told;
        source->answers = seconds > 0.15;
    };
    const auto batch = loader.take(ask({1, 2, 3}), kNoMore, waiting);
    QVERIFY(batch.ok() && told >= 2 && loader.takeUnreadable().empty());
    QVERIFY(torch::equal(batch->bytes, decoded().narrow(0, 1, 3)));
    // Whoever waits may be called away, as by the loss of another rank.
    source->answers = false;
    const auto leaves = [](double) { throw std::runtime_error("called away"); };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)loader.take(ask({8}), kNoMore, leaves));
    // For ever: the error is the disk's.
    data::BatchLoader brief(set.train, set.sampleShape, {.threads = 1, .skips = true, .patience = 0.1});
    const auto never = brief.take(ask({1}), kNoMore, {});
    QVERIFY(!never.ok() && never.error().kind == ErrorKind::Environment);
    compareText(QString::fromStdString(never.error().text()), "Stale file handle");
}

void TorchPicturesTest::cutsAreDrawnForTheSample() {
    double least = 1, most = 0;
    for (std::int64_t sample = 0; sample < 2000; ++sample) {
        const auto cut = data::cutOf(sample, {.seed = 7, .epoch = 3}, 0.25);
        const auto rect = data::cutRect(cut, 500, 400);
        QVERIFY(rect.left >= 0 && rect.top >= 0 && rect.width > 0 && rect.height > 0);
        QVERIFY(rect.left + rect.width <= 500 && rect.top + rect.height <= 400);
        const double share = rect.width * rect.height / 200'000.0, ratio = double(rect.width) / rect.height;
        QVERIFY(share < 1.0001 && ratio > 0.7 && ratio < 1.8);
        least = std::min(least, share);
        most = std::max(most, share);
        QVERIFY(data::cutRect(data::cutOf(sample, {.seed = 7, .epoch = 4}, 0.25), 500, 400) != rect || sample > 0);
    }
    QVERIFY(least > 0.24 && least < 0.27 && most > 0.95);
    QCOMPARE(data::cutRect({.leastArea = 1}, 1, 1), (data::CutRect{0, 0, 1, 1}));
}

QTEST_GUILESS_MAIN(TorchPicturesTest)
#include "torch_pictures_test.moc"
