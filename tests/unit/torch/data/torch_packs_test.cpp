// SPDX-License-Identifier: GPL-3.0-or-later
// Datasets of packed pictures: those of their folder, and archives of WebDataset.
#include "engine/base/files/tar_archive.h"
#include "engine/torch/data/image_listing.h"
#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/worker/folder_report.h"
#include "engine/torch/worker/pack_folder.h"
#include "tests/texts.h"
#include "tests/unit/torch/data_files.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace trainyard;
using namespace trainyard::tests;
using trainyard::test::compareText;

namespace fs = std::filesystem;

namespace {

const auto kNothingMore = [](int) { return std::optional<data::BatchRequest>(); };

} // namespace

class TorchPacksTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path in(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }

    static QByteArray picture(int number) {
        QByteArray pixels(24 * 20 * 3, '\0');
        for (qsizetype p = 0; p < pixels.size(); ++p) pixels[p] = static_cast<char>(number * 5 + p * p % 97);
        return pngOf(24, 20, PNG_FORMAT_RGB, pixels);
    }
    // 30 pictures to train on and 10 for validation, of three classes whose folders are not in the order of their
    // paths.
    void writeSet() const {
        for (int i = 0; i < 40; ++i) {
            const char* name = i % 3 == 0 ? "ape/" : i % 3 == 1 ? "bee/" : "bee-eater/";
            writeBytes(in(std::string(i % 4 == 3 ? "set/val/" : "set/train/") + name + std::to_string(i) + ".png"),
                       picture(i));
        }
    }
    data::Dataset loaded(const char* folder, const spec::DataRules& rules = {}) const {
        auto set =
            data::loadDataset({"images", {{"folder", in(folder).string()}}}, 3, train::TaskKind::Classification, rules);
        if (!set) qWarning("%s", set.error().text().c_str());
        return set ? std::move(*set) : data::Dataset();
    }
    // An archive of these files.
    void writeArchive(const char* archive, const std::vector<std::pair<const char*, QByteArray>>& files) const {
        std::vector<TarMember> members;
        for (const auto& [name, bytes] : files) {
            writeBytes(in("parts") / name, bytes);
            members.push_back({name, in("parts") / name});
        }
        fs::create_directories(in(archive).parent_path());
        QVERIFY(writeTar(in(archive), members).ok());
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void packsGiveTheSameBytes_data();
    void packsGiveTheSameBytes();
    void shardsOfOthersAreRead();
    void badShardsAreExplained_data();
    void badShardsAreExplained();
    void labelsAreFoundInPacks();
    void damagedPicturesAreLeftOut();
};

void TorchPacksTest::packsGiveTheSameBytes_data() {
    QTest::addColumn<QString>("loading");
    QTest::addColumn<int>("threads");
    QTest::newRow("decoded once") << "memory" << 0;
    QTest::newRow("streamed, 1 thread") << "stream" << 1;
    QTest::newRow("streamed, 4 threads") << "stream" << 4;
}

// Feature: a pack is its folder: samples, their order, parts, classes, digest, mean and the bytes of all batches, with
// 1, 2 and 4 ranks and from the middle of an epoch, and with the archives alone, whose classes are beside the pictures.
void TorchPacksTest::packsGiveTheSameBytes() {
    QFETCH(QString, loading);
    QFETCH(int, threads);
    writeSet();
    QVERIFY(train::packFolder({in("set"), in("pack"), 10'000}).ok());
    const spec::DataRules rules{.loading = loading.toStdString()};
    const data::Dataset folder = loaded("set", rules), pack = loaded("pack", rules);
    QVERIFY(pack.train.size() == 30 && pack.validation.size() == 10);
    QVERIFY(pack.classNames == folder.classNames && pack.digest == folder.digest && pack.mean == folder.mean &&
            pack.stddev == folder.stddev && pack.train.isStreamed() == (threads > 0));
    const std::vector<std::int64_t> shape{3, 32, 32};
    QVERIFY(torch::equal(pack.validation.allInputs(shape), folder.validation.allInputs(shape)));
    const auto batchesOf = [&](const data::Dataset& set, int ranks, std::int64_t from) {
        std::vector<torch::Tensor> parts;
        for (std::int64_t batch = from; batch < 3; ++batch)
            for (int rank = 0; rank < ranks; ++rank) {
                data::ShardedSampler sampler({.samples = set.train.size(),
                                              .batchPerRank = 8 / ranks,
                                              .rank = rank,
                                              .worldSize = ranks,
                                              .seed = 5});
                sampler.setEpoch(1);
                const torch::Tensor indices = sampler.indices(batch).contiguous();
                data::BatchLoader loader(set.train, shape, {.threads = threads, .seed = 5});
                parts.push_back(threads > 0 ? loader.take({indices, 1}, kNothingMore, {})->bytes
                                            : data::gather(set, set.train, indices).inputs);
                parts.back() = parts.back().flatten();
            }
        return torch::cat(parts);
    };
    const torch::Tensor whole = batchesOf(folder, 1, 0), rest = batchesOf(folder, 1, 2);
    for (const int ranks : {1, 2, 4}) QVERIFY(torch::equal(batchesOf(pack, ranks, 0), whole));
    QVERIFY(torch::equal(batchesOf(pack, 2, 2), rest));
    fs::remove(in("pack/pack.index")); // as shards of WebDataset, in the order of the archives
    const data::Dataset shards = loaded("pack", rules);
    QVERIFY(shards.classNames == folder.classNames && torch::equal(shards.train.targets, folder.train.targets));
    QVERIFY(torch::equal(batchesOf(shards, 2, 0), whole));
}

// Feature: archives of WebDataset: classes as words or numbers, in .cls or .json, the part by the archive's name.
void TorchPacksTest::shardsOfOthersAreRead() {
    writeArchive(
        "wds/x-train-000000.tar",
        {{"1.png", picture(1)}, {"1.cls", "1\n"}, {"2.png", picture(2)}, {"2.json", "{\"label\": 0, \"w\": 24}"}});
    writeArchive("wds/x-train-000001.tar",
                 {{"1.png", picture(3)}, {"1.cls", "0"}, {"7.png", picture(4)}, {"7.cls", "1"}});
    writeArchive("wds/x-val-000000.tar", {{"9.png", picture(5)}, {"9.cls", "1"}});
    data::Dataset set = loaded("wds");
    QVERIFY(set.classNames == (std::vector<std::string>{"0", "1"}) && set.validation.size() == 1);
    QVERIFY(torch::equal(set.train.targets, torch::tensor({1, 0, 0, 1}, torch::kInt64)));
    compareText(QString::fromStdString(set.train.source->nameOf(2)), "wds/x-train-000001.tar/1.png");
    writeBytes(in("wds/classes.txt"), "cat\ndog\nemu\n");
    set = loaded("wds");
    QVERIFY(set.classNames == (std::vector<std::string>{"cat", "dog", "emu"}));
    for (const char* word : {"a", "b"})
        writeArchive(word[0] == 'a' ? "words/0.tar" : "words/1.tar", {{"1.png", picture(1)}, {"1.cls", word}});
    const auto words = data::listImages(in("words"));
    QVERIFY(words.ok() && words->train.classes == (std::vector<std::string>{"a", "b"}));
}

void TorchPacksTest::badShardsAreExplained_data() {
    QTest::addColumn<QByteArray>("label"); // of the second picture
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray(" \n") << "cls"
                           << "2.cls: has no label: a number or a word (correct the archive";
    QTest::newRow("two lines") << QByteArray("a\nb") << "cls" << "is no label";
    QTest::newRow("no JSON") << QByteArray("{\"label\": ") << "json" << "2.json: has no label";
    QTest::newRow("no member") << QByteArray("{\"width\": 3}") << "json" << "has no label";
    QTest::newRow("huge") << QByteArray(2'000'000, '1') << "cls" << "has more than 1 MB";
    QTest::newRow("one class") << QByteArray("0") << "cls" << "has pictures of only one class";
    QTest::newRow("past the list") << QByteArray("5") << "cls" << "has 2 classes, and a picture has the label 5";
    QTest::newRow("no label") << QByteArray("x") << "other" << "has no label beside it";
}

// Bad inputs: labels in archives of WebDataset that are empty, none, too long, or of no class.
void TorchPacksTest::badShardsAreExplained() {
    QFETCH(QByteArray, label);
    QFETCH(QString, ending);
    QFETCH(QString, says);
    const std::string second = "2." + ending.toStdString();
    writeArchive("wds/0.tar", {{"1.png", picture(1)},
                               {"1.cls", "0"},
                               {"2.png", picture(2)},
                               {second.c_str(), label},
                               {"3.png", picture(3)},
                               {"3.cls", ending == "other" ? "1" : "0"}});
    writeBytes(in("wds/classes.txt"), "cat\ndog\n");
    const auto set =
        data::loadDataset({"images", {{"folder", in("wds").string()}}}, 3, train::TaskKind::Classification, {});
    QVERIFY(!set.ok() && set.error().kind == ErrorKind::Input && !set.error().remedy.empty());
    compareText(QString::fromStdString(set.error().text()), says);
}

// Feature: a file of labels that was packed with the pictures says their labels.
void TorchPacksTest::labelsAreFoundInPacks() {
    for (int i = 0; i < 6; ++i) writeBytes(in("set/" + std::to_string(i) + ".png"), picture(i));
    writeBytes(in("set/train.csv"), "file,label\n0.png,a\n1.png,b\n2,a\n");
    writeBytes(in("set/val.csv"), "file,label\n4.png,a\n5.png,b\n");
    const auto packed = train::packFolder({in("set"), in("pack")});
    QVERIFY2(packed.ok(), packed ? "" : packed.error().text().c_str());
    compareText(QString::fromStdString(*packed), "no classes are written beside the pictures");
    for (const char* folder : {"set", "pack"}) {
        const auto set =
            data::loadDataset({"images", {{"folder", in(folder).string()}, {"labels", std::string("train.csv")}}}, 3,
                              train::TaskKind::Classification, {});
        QVERIFY2(set.ok(), set ? "" : set.error().text().c_str());
        QVERIFY(set->train.size() == 3 && set->validation.size() == 2);
    }
}

// Fault: a packed picture is damaged on the disk. It is named, or left out; --fix says what to do instead.
void TorchPacksTest::damagedPicturesAreLeftOut() {
    writeSet();
    QVERIFY(train::packFolder({in("set"), in("pack")}).ok());
    const fs::path archive = in("pack/train-000000.tar");
    QByteArray bytes = bytesOf(archive);
    bytes[600] = static_cast<char>(bytes[600] ^ 1); // within the first picture
    writeBytes(archive, bytes);
    const spec::Choice choice{"images", {{"folder", in("pack").string()}}};
    const auto stopped = data::loadDataset(choice, 3, train::TaskKind::Classification, {});
    QVERIFY(!stopped.ok() && stopped.error().code == ErrorCode::DataUnreadable);
    compareText(QString::fromStdString(stopped.error().text()), "train-000000.tar, byte 512");
    const auto skipped = data::loadDataset(choice, 3, train::TaskKind::Classification, {.onError = "skip"});
    QVERIFY(skipped.ok() && skipped->train.size() == 29 && skipped->leftOut.size() == 1);
    compareText(QString::fromStdString(skipped->leftOut[0].file), "pack/train/ape/0.png");
    const auto checked = train::checkFolder({in("pack"), {}, "classification", {}}, false);
    QVERIFY(checked.ok());
    compareText(QString::fromStdString(*checked), "its checksum is another");
    const auto fixed = train::checkFolder({in("pack"), {}, "classification", {}}, true);
    QVERIFY(!fixed.ok());
    compareText(QString::fromStdString(fixed.error().text()), "is a pack, and nothing can be moved out of it");
}

QTEST_GUILESS_MAIN(TorchPacksTest)
#include "torch_packs_test.moc"
