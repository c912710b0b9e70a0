// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_cache.h"
#include "engine/torch/data/random.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/data/split.h"
#include "tests/unit/file_bytes.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace trainyard;
using tests::writeBytes;

namespace {

// Two images of 2 x 3.
QByteArray goodImages() {
    return QByteArray::fromHex("00000803"
                               "00000002"
                               "00000002"
                               "00000003"
                               "010203040506"
                               "0708090a0b0c");
}

QByteArray labels(const QByteArray& values) {
    QByteArray bytes = QByteArray::fromHex("00000801");
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((values.size() >> shift) & 255);
    return bytes + values;
}

// A whole MNIST folder: `images` training images and as many labels, and the same for the test.
void writeFolder(const QString& folder, const QByteArray& images, const QByteArray& trainLabels) {
    for (const char* part : {"/train", "/t10k"}) {
        writeBytes(folder + part + "-images-idx3-ubyte", images);
        writeBytes(folder + part + "-labels-idx1-ubyte", trainLabels);
    }
}

spec::Choice mnistIn(const QString& folder) { return {"mnist", {{"folder", folder.toStdString()}}}; }

} // namespace

class TorchDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesBadFolders();
    void loadsFashionMnist();
    void keepsAShareForValidation();
    void refusesUnknownNamesAndParameters_data();
    void refusesUnknownNamesAndParameters();
    void gatherNormalisesAsTheFormulaSays();
    void generatedSetsFollowTheirSeed();
    void aGeneratedSetIsKeptUntilTheNext();
    void samplerCoversEachSampleOnce_data();
    void samplerCoversEachSampleOnce();
    void samplerDealsAnEvenTail_data() { samplerCoversEachSampleOnce_data(); }
    void samplerDealsAnEvenTail();
    void samplerResumesAnywhere();
    void sharesCoverEverySampleOnce();
    void foldsCoverEverySampleOnce_data();
    void foldsCoverEverySampleOnce();
    void refusesFoldsThatAreNone_data();
    void refusesFoldsThatAreNone();
    void labelsOfATableAreYesOrNo();
};

void TorchDataTest::refusesBadFolders() {
    QTemporaryDir folder;
    const auto refused = [&](const char* says) {
        const auto dataset = data::loadDataset(mnistIn(folder.path()), 1);
        if (dataset.ok()) return QByteArray("it was accepted");
        const std::string text = dataset.error().text();
        return text.find(says) == std::string::npos ? QByteArray::fromStdString(text) : QByteArray();
    };
    QCOMPARE(refused("train-images-idx3-ubyte.gz: the file does not exist"), QByteArray());
    writeFolder(folder.path(), goodImages(), labels(QByteArray(3, '\1')));
    QCOMPARE(refused("holds 3 labels for 2 images"), QByteArray());
    writeFolder(folder.path(), goodImages(), labels(QByteArray::fromHex("010a")));
    QCOMPARE(refused("byte 9: label 10 is not one of the 10 classes"), QByteArray());
    writeFolder(folder.path(), goodImages(), labels(QByteArray::fromHex("0109")));
    QCOMPARE(refused(""), QByteArray("it was accepted"));
    const auto dataset = data::loadDataset({"fashion-mnist", {{"folder", folder.filePath("none").toStdString()}}}, 1);
    QVERIFY(!dataset.ok());
    QCOMPARE(dataset.error().remedy, std::string("copy the file again, or leave dataset.params.folder out and: "
                                                 "trainyardctl datasets download fashion-mnist"));
}

// Feature: Fashion-MNIST and MNIST, raw or packed. Also in formats_test.
void TorchDataTest::loadsFashionMnist() {
    if (!QFile::exists("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"))
        QSKIP("the package dataset-fashion-mnist is not installed");
    const auto usual = data::loadDataset({"fashion-mnist", {}}, 1);
    QVERIFY2(usual.ok(), usual ? "" : usual.error().text().c_str());
    QCOMPARE(usual->train.size(), 54000);
    QCOMPARE(usual->validation.size(), 6000);
    const auto dataset = data::loadDataset({"fashion-mnist", {{"validation", 0.0}}}, 1);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QVERIFY(usual->test.inputs.equal(dataset->validation.inputs)); // the official test part
    QVERIFY(usual->test.targets.equal(dataset->validation.targets));
    QCOMPARE(dataset->test.size(), 0);
    QCOMPARE(dataset->train.size(), 60000);
    QCOMPARE(dataset->validation.size(), 10000);
    QCOMPARE(dataset->sampleShape, (std::vector<std::int64_t>{1, 28, 28}));
    QVERIFY(torch::bincount(dataset->train.targets).eq(6000).all().item<bool>());
    // The constants that images are normalised with are those of the training images.
    const auto pixels = dataset->train.inputs.to(torch::kFloat32).div_(255.0);
    QVERIFY(std::abs(pixels.mean().item<double>() - dataset->mean[0]) < 1e-4);
    QVERIFY(std::abs(pixels.std().item<double>() - dataset->stddev[0]) < 1e-4);
}

// Feature: division into training, validation and test. Also in torch_data_files_test.
void TorchDataTest::keepsAShareForValidation() {
    QTemporaryDir folder;
    QByteArray images = QByteArray::fromHex("00000803"
                                            "00000064"
                                            "00000001"
                                            "00000001");
    QByteArray classes;
    for (char i = 0; i < 100; ++i) {
        images += i;
        classes += static_cast<char>(i % 10);
    }
    writeFolder(folder.path(), images, labels(classes));
    spec::Choice choice = mnistIn(folder.path());
    choice.params["validation"] = std::int64_t{25};
    const auto dataset = data::loadDataset(choice, 7);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->validation.size(), 25);
    // Together they are all the training images, each once, with their own labels.
    const auto all = torch::cat({dataset->train.inputs, dataset->validation.inputs}).flatten();
    const auto targets = torch::cat({dataset->train.targets, dataset->validation.targets});
    QVERIFY(std::get<0>(all.sort()).equal(torch::arange(100, torch::kUInt8)));
    QVERIFY(all.to(torch::kInt64).remainder(10).equal(targets));
    choice.params["limit"] = std::int64_t{10};
    QCOMPARE(data::loadDataset(choice, 7)->train.size(), 8);
}

// Bad inputs: datasets by name.
void TorchDataTest::refusesUnknownNamesAndParameters_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("param");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("near name") << "glyph" << "" << 0.0 << "did you mean \"glyphs\"?";
    QTest::newRow("far name") << "imagenet-22k"
                              << "" << 0.0 << "one of: fashion-mnist, mnist, cifar10, cifar100, images";
    QTest::newRow("parameter") << "glyphs" << "sample" << 10.0 << "dataset.params.sample: is not a parameter of glyphs";
    QTest::newRow("too few") << "glyphs" << "samples" << 3.0 << "dataset.params.samples: 3 must be at least 20";
    QTest::newRow("too many") << "spirals" << "classes" << 11.0 << "11 must be at most 10";
    QTest::newRow("not whole") << "glyphs" << "samples" << 99.5 << "99.5 is not a whole number";
    QTest::newRow("nan") << "glyphs" << "noise" << std::nan("") << "must be finite";
}

void TorchDataTest::refusesUnknownNamesAndParameters() {
    QFETCH(QString, name);
    QFETCH(QString, param);
    QFETCH(double, value);
    QFETCH(QString, says);
    spec::Choice choice{name.toStdString(), {}};
    if (!param.isEmpty()) choice.params[param.toStdString()] = value;
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY(!dataset.ok());
    const QString text = QString::fromStdString(dataset.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY(dataset.error().kind == ErrorKind::Input);
}

void TorchDataTest::gatherNormalisesAsTheFormulaSays() {
    data::Dataset dataset;
    torch::manual_seed(3);
    dataset.train = {torch::randint(0, 256, {50, 3, 5, 4}, torch::kUInt8), torch::randint(0, 9, {50}, torch::kInt64)};
    dataset.mean = {0.1, 0.5, 0.9};
    dataset.stddev = {0.3, 0.7, 0.2};
    const auto indices = torch::tensor({7, 0, 49, 7}, torch::kInt64);
    const data::Batch batch = data::gather(dataset, dataset.train, indices);
    const auto mean = torch::tensor(dataset.mean, torch::kFloat32).view({1, 3, 1, 1});
    const auto stddev = torch::tensor(dataset.stddev, torch::kFloat32).view({1, 3, 1, 1});
    const auto plain = dataset.train.inputs.index({indices}).to(torch::kFloat32).div(255).sub(mean).div(stddev);
    QVERIFY(batch.inputs.equal(plain)); // to the bit
    QVERIFY(batch.targets.equal(dataset.train.targets.index({indices})));
    QVERIFY_EXCEPTION_THROWN(data::gather(dataset, dataset.train, torch::tensor({50}, torch::kInt64)), c10::Error);
    QVERIFY_EXCEPTION_THROWN(data::gather(dataset, dataset.train, torch::tensor({-1}, torch::kInt64)), c10::Error);
}

// Feature: generated sets. Also in torch_model_test.
void TorchDataTest::generatedSetsFollowTheirSeed() {
    for (const char* name : {"glyphs", "spirals", "blobs"}) {
        const spec::Choice choice{name, {{"samples", std::int64_t{500}}}};
        const auto one = data::loadDataset(choice, 5), same = data::loadDataset(choice, 5),
                   other = data::loadDataset(choice, 6);
        QVERIFY(one.ok() && same.ok() && other.ok());
        QCOMPARE(one->train.size(), 400);
        QCOMPARE(one->validation.size(), 100);
        QVERIFY(one->train.inputs.equal(same->train.inputs) && one->train.targets.equal(same->train.targets));
        QVERIFY(!one->train.inputs.equal(other->train.inputs));
        QCOMPARE(static_cast<std::int64_t>(one->classNames.size()), one->classes);
        QVERIFY(one->train.targets.max().item<std::int64_t>() < one->classes);
    }
    using enum train::TaskKind;
    for (const auto& [name, task] : {std::pair("waves", Regression), std::pair("sentences", Language)}) {
        const auto one = data::loadDataset({name, {}}, 5, task), same = data::loadDataset({name, {}}, 5, task),
                   other = data::loadDataset({name, {}}, 6, task);
        QVERIFY(one.ok() && same.ok() && other.ok());
        QVERIFY(one->train.size() > 1000 && one->validation.size() > 100);
        QVERIFY(one->train.inputs.equal(same->train.inputs) && one->train.targets.equal(same->train.targets));
        QVERIFY(!one->validation.targets.equal(other->validation.targets));
        QCOMPARE(static_cast<std::int64_t>(one->classNames.size()), one->classes);
    }
    // The target of a place in a text is what comes next.
    const auto text = data::loadDataset({"sentences", {}}, 5, Language);
    QVERIFY(text->train.inputs.slice(1, 1).equal(text->train.targets.slice(1, 0, -1)));
}

void TorchDataTest::aGeneratedSetIsKeptUntilTheNext() {
    const spec::Choice few{"spirals", {{"samples", std::int64_t{200}}}},
        more{"spirals", {{"samples", std::int64_t{300}}}};
    const spec::Choice tooMany{"glyphs", {{"samples", std::int64_t{50'000}}}};
    constexpr auto kTask = train::TaskKind::Classification;
    const auto load = [](const spec::Choice& choice, std::int64_t seed) {
        return data::loadOrKeep(choice, seed, kTask)->train.inputs;
    };
    const auto first = load(few, 1), again = load(few, 1);
    QCOMPARE(again.data_ptr(), first.data_ptr());
    QVERIFY(torch::equal(again, data::loadDataset(few, 1)->train.inputs));
    QVERIFY(torch::equal(load(few, 2), data::loadDataset(few, 2)->train.inputs)); // another seed
    QVERIFY(!torch::equal(load(few, 2), first));
    QVERIFY(torch::equal(load(more, 2), data::loadDataset(more, 2)->train.inputs)); // other parameters
    QVERIFY(data::cachedDataset(more, 2, kTask) != nullptr);
    QVERIFY(data::cachedDataset(few, 2, kTask) == nullptr); // one only
    (void)load(tooMany, 1);
    QVERIFY(data::cachedDataset(tooMany, 1, kTask) == nullptr);
}

void TorchDataTest::samplerCoversEachSampleOnce_data() {
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("world");
    QTest::newRow("fits") << 96 << 4 << 3;
    QTest::newRow("one rank") << 10 << 3 << 1;
    QTest::newRow("tail") << 101 << 8 << 4;
    QTest::newRow("tail smaller than the world") << 33 << 8 << 4;
    QTest::newRow("batch larger than the data") << 5 << 8 << 2;
    QTest::newRow("many ranks") << 1000 << 3 << 7;
}

void TorchDataTest::samplerCoversEachSampleOnce() {
    QFETCH(int, samples);
    QFETCH(int, batch);
    QFETCH(int, world);
    for (const bool dropLast : {true, false}) {
        std::multiset<std::int64_t> seen;
        for (int rank = 0; rank < world; ++rank) {
            data::ShardedSampler sampler({.samples = samples,
                                          .batchPerRank = batch,
                                          .rank = rank,
                                          .worldSize = world,
                                          .seed = 9,
                                          .dropLast = dropLast});
            sampler.setEpoch(3);
            for (std::int64_t b = 0; b < sampler.batchesPerEpoch(); ++b) {
                const auto indices = sampler.indices(b);
                if (dropLast) QCOMPARE(indices.size(0), batch);
                for (std::int64_t i = 0; i < indices.size(0); ++i) seen.insert(indices[i].item<std::int64_t>());
            }
        }
        const std::set<std::int64_t> distinct(seen.begin(), seen.end());
        QCOMPARE(distinct.size(), seen.size());
        const int expected = dropLast ? samples / (batch * world) * batch * world : samples;
        QCOMPARE(static_cast<int>(seen.size()), expected);
        if (!seen.empty()) QVERIFY(*seen.begin() >= 0 && *seen.rbegin() < samples);
    }
}

void TorchDataTest::samplerDealsAnEvenTail() {
    QFETCH(int, samples);
    QFETCH(int, batch);
    QFETCH(int, world);
    for (const std::int64_t least : {1, 2}) {
        std::map<std::int64_t, int> seen;
        std::vector<std::int64_t> sizes;
        for (int rank = 0; rank < world; ++rank) {
            data::ShardedSampler sampler({.samples = samples,
                                          .batchPerRank = batch,
                                          .rank = rank,
                                          .worldSize = world,
                                          .seed = 9,
                                          .dropLast = false,
                                          .even = true,
                                          .leastPerRank = least});
            sampler.setEpoch(3);
            std::vector<std::int64_t> mine;
            for (std::int64_t b = 0; b < sampler.batchesPerEpoch(); ++b) {
                const auto indices = sampler.indices(b);
                mine.push_back(indices.size(0));
                for (std::int64_t i = 0; i < indices.size(0); ++i) ++seen[indices[i].item<std::int64_t>()];
            }
            if (rank == 0) sizes = mine;
            QVERIFY(mine == sizes); // no rank is left waiting
            QVERIFY(mine.back() >= std::min<std::int64_t>(least, batch) && mine.back() <= batch);
        }
        QCOMPARE(static_cast<int>(seen.size()), samples);
        std::int64_t taken = 0;
        for (const auto& [sample, times] : seen) taken += times;
        const std::int64_t rest = samples % (batch * world), each = (rest + world - 1) / world;
        const std::int64_t tail = rest == 0 ? 0 : world * std::max(each, std::min<std::int64_t>(least, batch));
        QCOMPARE(taken, samples - rest + tail);
    }
}

void TorchDataTest::samplerResumesAnywhere() {
    const data::ShardedSampler::Options options{
        .samples = 64, .batchPerRank = 4, .rank = 1, .worldSize = 2, .seed = 11};
    data::ShardedSampler through(options);
    std::vector<torch::Tensor> all;
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
        through.setEpoch(epoch);
        for (std::int64_t b = 0; b < through.batchesPerEpoch(); ++b) all.push_back(through.indices(b).clone());
    }
    for (std::size_t at = 0; at < all.size(); ++at) {
        data::ShardedSampler fresh(options);
        fresh.setEpoch(static_cast<std::int64_t>(at) / 8);
        QVERIFY(fresh.indices(static_cast<std::int64_t>(at) % 8).equal(all[at]));
    }
    QVERIFY(!all[0].equal(all[8])); // another order each epoch
    QVERIFY_EXCEPTION_THROWN(through.indices(8), std::out_of_range);
}

void TorchDataTest::sharesCoverEverySampleOnce() {
    for (const std::int64_t n : {0, 1, 7, 10000})
        for (const int world : {1, 2, 3, 8}) {
            std::int64_t at = 0;
            for (int rank = 0; rank < world; ++rank) {
                const data::Share share = data::shareOf(n, {.number = rank, .of = world});
                QCOMPARE(share.begin, at);
                QVERIFY(share.size() == n / world || share.size() == n / world + 1);
                at = share.end;
            }
            QCOMPARE(at, n);
        }
}

void TorchDataTest::foldsCoverEverySampleOnce_data() {
    QTest::addColumn<int>("folds");
    QTest::addColumn<double>("test");
    QTest::addColumn<bool>("byClass");
    QTest::newRow("two") << 2 << 0.0 << true;
    QTest::newRow("five of which none is even") << 5 << 0.0 << false;
    QTest::newRow("five by class, beside a test") << 5 << 10.0 << true;
    QTest::newRow("one sample each") << 83 << 0.0 << false;
}

// Feature: cross-validation: a table in folds, each class in all of them.
void TorchDataTest::foldsCoverEverySampleOnce() {
    QFETCH(int, folds);
    QFETCH(double, test);
    QFETCH(bool, byClass);
    const std::int64_t n = 83;
    const auto inputs = torch::arange(n, torch::kFloat32).unsqueeze(1);
    const data::Split all{inputs, torch::arange(n, torch::kInt64).remainder(10).lt(2).to(torch::kInt64)}; // 20 and 80 %
    std::vector<std::int64_t> validated, tested;
    for (int fold = 0; fold < folds; ++fold) {
        data::Dataset dataset;
        const auto split = data::splitOff(
            dataset, all, {.validation = 20, .test = test, .byClass = byClass, .folds = folds, .fold = fold}, 7);
        QVERIFY2(split.ok(), split ? "" : split.error().text().c_str());
        QCOMPARE(dataset.train.size() + dataset.validation.size() + dataset.test.size(), n);
        const std::int64_t rest = n - dataset.test.size();
        QVERIFY(dataset.validation.size() == rest / folds || dataset.validation.size() == rest / folds + 1);
        const auto parts = torch::cat({dataset.train.inputs, dataset.validation.inputs}).flatten();
        QCOMPARE(std::get<0>(at::_unique(parts)).size(0), rest);
        for (std::int64_t i = 0; i < dataset.validation.size(); ++i)
            validated.push_back(dataset.validation.inputs[i].item<std::int64_t>());
        if (byClass) {
            const double rare = dataset.validation.targets.sum().item<double>(), wanted = 17.0 / folds;
            QVERIFY2(std::abs(rare - wanted) < 2, qPrintable(QString::number(rare)));
        }
        std::vector<std::int64_t> held;
        for (std::int64_t i = 0; i < dataset.test.size(); ++i)
            held.push_back(dataset.test.inputs[i].item<std::int64_t>());
        if (fold == 0) tested = held;
        QCOMPARE(held, tested); // the same in all folds
    }
    QCOMPARE(std::set<std::int64_t>(validated.begin(), validated.end()).size(), validated.size());
    QCOMPARE(validated.size() + tested.size(), static_cast<std::size_t>(n));
}

void TorchDataTest::refusesFoldsThatAreNone_data() {
    QTest::addColumn<int>("folds");
    QTest::addColumn<int>("fold");
    QTest::addColumn<QString>("error");
    QTest::newRow("one") << 1 << 0
                         << QStringLiteral("dataset.params.folds: is 1, and a fold is one part of several (use 5, or 0 "
                                           "for none)");
    QTest::newRow("past the last") << 5 << 5 << QStringLiteral("dataset.params.fold: is 5 of 5 folds (use 0 to 4)");
    QTest::newRow("more than samples") << 9 << 0
                                       << QStringLiteral("dataset.params.folds: 8 samples are too few for 9 folds (use "
                                                         "fewer folds, or more samples)");
}

void TorchDataTest::refusesFoldsThatAreNone() {
    QFETCH(int, folds);
    QFETCH(int, fold);
    QFETCH(QString, error);
    data::Dataset dataset;
    const auto split = data::splitOff(dataset, {torch::zeros({8, 1}), torch::zeros({8}, torch::kInt64)},
                                      {.folds = folds, .fold = fold}, 7);
    QVERIFY(!split.ok());
    QCOMPARE(QString::fromStdString(split.error().text()), error);
}

void TorchDataTest::labelsOfATableAreYesOrNo() {
    QTemporaryDir folder;
    QByteArray text = "size,weight,red,round\n";
    for (int i = 0; i < 40; ++i)
        text += QByteArray::number(i) + ',' + QByteArray::number(i * i % 17) + ',' + (i % 3 == 0 ? '1' : '0') + ',' +
                (i > 30 ? '1' : '0') + '\n';
    writeBytes(folder.filePath("fruit.csv"), text);
    const auto load = [&](const char* targets) {
        return data::loadDataset({"csv",
                                  {{"file", folder.filePath("fruit.csv").toStdString()},
                                   {"target", std::string(targets)},
                                   {"validation", 25.0}}},
                                 1, train::TaskKind::MultiLabel);
    };
    const auto dataset = load("red, round");
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->classNames, (std::vector<std::string>{"red", "round"}));
    QVERIFY(dataset->targetMean.empty()); // as they are, though the features are standardised
    QCOMPARE(dataset->train.targets.scalar_type(), torch::kFloat32);
    QCOMPARE(torch::cat({dataset->train.targets, dataset->validation.targets}).sum(0)[0].item<double>(), 14.0);
    const auto numbers = load("red, weight");
    QVERIFY(!numbers.ok());
    const std::string refused = numbers.error().text();
    QVERIFY2(refused.find("a label is 1 or 0, and \"weight\" holds 4 in sample 3") != std::string::npos,
             refused.c_str());
    const auto several = data::loadDataset(
        {"csv", {{"file", folder.filePath("fruit.csv").toStdString()}, {"target", std::string("red, round")}}}, 1);
    QVERIFY(several.error().remedy.find("regression or multi-label") != std::string::npos);
}

QTEST_GUILESS_MAIN(TorchDataTest)
#include "torch_data_test.moc"
