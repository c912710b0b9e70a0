// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/worker/make_catalog.h"
#include "engine/torch/worker/preview_draws.h"
#include "engine/torch/worker/preview_json.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <set>

using namespace trainyard;
using nlohmann::json;

namespace {

spec::RunSpec runOn(const char* dataset, const char* model) {
    torch::set_num_threads(1); // other tests run beside this one
    spec::RunSpec spec;
    spec.dataset = {dataset, {}};
    spec.model = {model, {}};
    return spec;
}

json previewed(const spec::RunSpec& spec) {
    const auto text = train::previewJson(spec);
    if (!text) qFatal("%s", text.error().text().c_str());
    return json::parse(*text);
}

} // namespace

class TorchPreviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void catalogIsWhole();
    void everyDefaultIsInItsOwnRange();
    void imagesArePreviewed();
    void imagesThatCannotBeReadArePassedOver();
    void pointsArePreviewed();
    void tablesArePreviewed();
    void labelsAreCounted();
    void memoryCountsTheOptimizer();
    void memoryCountsTheCopies_data();
    void memoryCountsTheCopies();
    void memoryCountsTheMovingAverage();
    void memoryCountsWhatIsTrained();
    void memoryCountsBlocksAndFeatures();
    void drawsAreThoseOfTheRun();
    void drawsThatNoRunHas();
    void drawsOfStreamedPictures();
    void refusesWhatTheRunWouldRefuse();
};

void TorchPreviewTest::catalogIsWhole() {
    const spec::Catalog catalog = train::makeCatalog();
    const auto names = [](const std::vector<spec::Entry>& entries) {
        std::set<std::string> found;
        for (const auto& entry : entries) found.insert(entry.name);
        return found;
    };
    QVERIFY(
        names(catalog.models) ==
        (std::set<std::string>{"softmax", "mlp", "convnet", "resnet18", "resnet34", "resnet50", "vgg11", "mobilenet_v2",
                               "efficientnet", "convnext", "vit", "gpt", "lstm", "torchscript", "plugin"}));
    QVERIFY(names(catalog.datasets) ==
            (std::set<std::string>{"fashion-mnist", "mnist", "cifar10", "cifar100", "images", "csv", "text", "glyphs",
                                   "spirals", "blobs", "waves", "labels", "sentences"}));
    QVERIFY(names(catalog.optimizers) == (std::set<std::string>{"sgd", "adam", "adamw", "lion", "rmsprop", "adagrad"}));
    QVERIFY(names(catalog.schedules) == (std::set<std::string>{"constant", "step", "multi-step", "cosine", "linear",
                                                               "wsd", "one-cycle", "exponential", "plateau"}));
    QVERIFY(!catalog.libtorchVersion.empty() && !catalog.blas.empty());
    QCOMPARE(catalog.devices.front().name, "cpu");
    QVERIFY(catalog.devices.front().memoryBytes > (64 << 20));
    for (const spec::Entry& entry : catalog.datasets)
        if (!entry.available) QVERIFY2(entry.unavailable.find("(") != std::string::npos, entry.unavailable.c_str());
    if (QFile::exists("/usr/share/datasets/fashion-mnist")) {
        const spec::Entry* fashion = spec::Catalog::find(catalog.datasets, "fashion-mnist");
        QVERIFY(fashion && fashion->available);
        QCOMPARE(fashion->facts.at("samples"), "60000");
        QCOMPARE(fashion->facts.at("shape"), "1 x 28 x 28");
    }
    const auto again = spec::catalogFromJson(spec::toJson(catalog));
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
    QCOMPARE(again->models.size(), catalog.models.size());
}

void TorchPreviewTest::everyDefaultIsInItsOwnRange() {
    const spec::Catalog catalog = train::makeCatalog();
    for (const auto* part :
         {&catalog.models, &catalog.datasets, &catalog.optimizers, &catalog.schedules, &catalog.losses})
        for (const spec::Entry& entry : *part) {
            QVERIFY2(!entry.title.empty() && !entry.help.empty(), entry.name.c_str());
            for (const spec::ParamInfo& info : entry.params) {
                const std::string name = entry.name + "." + info.name;
                QVERIFY2(!info.title.empty() && !info.help.empty(), name.c_str());
                const bool isWhole = std::holds_alternative<std::int64_t>(info.defaultValue);
                const bool isReal = std::holds_alternative<double>(info.defaultValue);
                if (info.type == spec::ParamType::Integer) QVERIFY2(isWhole, name.c_str());
                if (info.type == spec::ParamType::Number) QVERIFY2(isReal, name.c_str());
                if (!isWhole && !isReal) continue;
                const double value = isWhole ? static_cast<double>(std::get<std::int64_t>(info.defaultValue))
                                             : std::get<double>(info.defaultValue);
                if (info.min) QVERIFY2(info.minExclusive ? value > *info.min : value >= *info.min, name.c_str());
                if (info.max) QVERIFY2(value <= *info.max, name.c_str());
            }
        }
    std::set<std::string> told;
    for (const spec::Entry& model : catalog.models) {
        const auto usual = spec::usualOptimizer(&model);
        if (!usual) continue;
        told.insert(model.name);
        const spec::Entry* optimizer = spec::Catalog::find(catalog.optimizers, usual->name);
        const double rate = usual->number("lr", 0);
        QVERIFY2(optimizer && rate > 0 && rate <= spec::kMaxLearningRate, model.name.c_str());
    }
    QVERIFY(told == (std::set<std::string>{"convnext", "gpt", "lstm", "vit"}));
}

void TorchPreviewTest::imagesArePreviewed() {
    spec::RunSpec spec = runOn("glyphs", "convnet");
    spec.schedule = {"cosine", {}};
    spec.epochs = 4;
    const json preview = previewed(spec);
    QCOMPARE(preview["data"]["train"].get<int>(), 9600);
    QCOMPARE(preview["data"]["validation"].get<int>(), 2400);
    QCOMPARE(preview["data"]["classes"].size(), 10u);
    int counted = 0;
    for (const json& one : preview["data"]["classes"]) counted += one["train"].get<int>();
    QCOMPARE(counted, 9600);
    QCOMPARE(preview["thumbnails"]["items"].size(), 40u);
    const QByteArray pixels = QByteArray::fromBase64(
        QByteArray::fromStdString(preview["thumbnails"]["items"][5]["pixels"].get<std::string>()));
    QCOMPARE(pixels.size(), 28 * 28);
    QVERIFY(std::set<char>(pixels.begin(), pixels.end()).size() > 20); // an image, not a blank
    QVERIFY(preview["points"].is_null());
    QCOMPARE(preview["model"]["parameters"].get<int>(), 1960);
    QVERIFY(preview["model"]["layers"][0]["shape"] == json({3, 26, 26}));
    QCOMPARE(preview["batch"]["global"].get<int>(), 64);
    QCOMPARE(preview["batch"]["stepsPerEpoch"].get<int>(), 150);
    QCOMPARE(preview["batch"]["totalSteps"].get<int>(), 600);
    QCOMPARE(preview["lr"].size(), 200u);
    QVERIFY(preview["lr"].front() == json({0, 0.05}));
    QCOMPARE(preview["lr"].back()[0].get<int>(), 599);
    QVERIFY(preview["lr"].back()[1].get<double>() < 1e-5);
}

// Of a large folder few images are read, and one of those may be damaged.
void TorchPreviewTest::imagesThatCannotBeReadArePassedOver() {
    const QTemporaryDir folder;
    // Bitmaps of one colour, 8 x 8.
    const auto header = QByteArray::fromHex("424df60000000000000036000000280000000800000008000000010018000000"
                                            "0000c000000000000000000000000000000000000000");
    for (int i = 0; i < 100; ++i) {
        const QDir of(folder.filePath(i % 2 == 0 ? QStringLiteral("a") : QStringLiteral("b")));
        QVERIFY(QDir().mkpath(of.path()));
        QFile file(of.filePath(QStringLiteral("%1.bmp").arg(i, 2, 10, QLatin1Char('0'))));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(i % 10 == 2 ? QByteArray("no image") : header + QByteArray(192, static_cast<char>(i)));
    }
    spec::RunSpec spec = runOn("images", "convnet");
    spec.dataset.params["folder"] = folder.path().toStdString();
    spec.data.onError = "skip";
    const json preview = previewed(spec);
    const auto shown = preview["thumbnails"]["items"].size();
    QVERIFY2(shown >= 30 && shown < 40, QByteArray::number(static_cast<int>(shown)));
    spec.data.onError = "stop";
    const auto refused = train::previewJson(spec);
    QVERIFY(!refused && refused.error().text().find("2.bmp") != std::string::npos);
}

void TorchPreviewTest::pointsArePreviewed() {
    spec::RunSpec spec = runOn("spirals", "mlp");
    spec.epochs.reset();
    spec.steps = 3;
    const json preview = previewed(spec);
    QVERIFY(preview["thumbnails"].is_null());
    QVERIFY(preview["points"].size() > 390 && preview["points"].size() <= 400);
    QCOMPARE(preview["lr"].size(), 3u);
    QCOMPARE(preview["batch"]["totalSteps"].get<int>(), 3);
}

void TorchPreviewTest::tablesArePreviewed() {
    spec::RunSpec spec = runOn("csv", "mlp");
    spec.dataset.params = {{"file", std::string(TRAINYARD_SOURCE_DIR "/examples/data/leaves.csv")},
                           {"target", std::string("kind")}};
    const json preview = previewed(spec);
    QCOMPARE(preview["data"]["train"].get<int>() + preview["data"]["validation"].get<int>(), 180);
    QCOMPARE(preview["data"]["classes"].size(), 4u);
    QVERIFY(preview["thumbnails"].is_null() && preview["points"].is_null() && preview["text"].is_null());
    QVERIFY(preview["table"]["columns"] ==
            json({"length_mm", "width_mm", "stalk_mm", "lobes", "edge = smooth", "edge = toothed"}));
    QCOMPARE(preview["table"]["rows"].size(), 12u);
    // As they stand in the file, not standardised: lengths of leaves, and 0 or 1 for a word.
    for (const json& row : preview["table"]["rows"]) {
        QVERIFY(row["values"][0].get<double>() > 20 && row["values"][0].get<double>() < 250);
        QVERIFY2(row["values"][4] == 1 - row["values"][5].get<int>(), row["values"].dump().c_str());
        QVERIFY2(row["values"][5] == 0 || row["values"][5] == 1, row["values"].dump().c_str());
        QVERIFY(row["target"].is_string());
    }
}

// A sample counts for each of its labels.
void TorchPreviewTest::labelsAreCounted() {
    spec::RunSpec spec = runOn("labels", "mlp");
    spec.task = "multi-label";
    spec.loss = {"bce", {}};
    const json data = previewed(spec)["data"];
    QVERIFY(data["classes"].size() > 2);
    int labels = 0;
    for (const json& one : data["classes"]) {
        QVERIFY(one["train"].get<int>() > 0 && one["train"].get<int>() < data["train"].get<int>());
        labels += one["train"].get<int>();
    }
    QVERIFY2(labels > data["train"].get<int>() / 2, data.dump().c_str());
}

void TorchPreviewTest::memoryCountsTheOptimizer() {
    spec::RunSpec spec = runOn("spirals", "mlp");
    const auto optimizerBytes = [&] { return previewed(spec)["memory"]["optimizer"].get<qint64>(); };
    const qint64 weights = previewed(spec)["memory"]["weights"].get<qint64>();
    QCOMPARE(weights, 4 * (2 * 512 + 512 + 512 * 512 + 512 + 512 * 3 + 3));
    QCOMPARE(optimizerBytes(), 0);
    spec.optimizer.params["momentum"] = 0.9;
    QCOMPARE(optimizerBytes(), weights);
    spec.optimizer = {"adamw", {}};
    QCOMPARE(optimizerBytes(), 2 * weights);
}

void TorchPreviewTest::memoryCountsTheCopies_data() {
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<QStringList>("hosts");
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("everySteps");
    QTest::addColumn<QString>("nonFinite");
    // In weights, of which the optimizer keeps two more.
    QTest::addColumn<int>("forAveraging");
    QTest::addColumn<int>("forCheckpoints");
    QTest::addColumn<int>("ofAll");
    const QStringList here, two{"local", "far"};
    QTest::newRow("shared") << "auto" << here << 2 << 10 << "stop" << 4 << 3 << 3 * 3 + 2;
    QTest::newRow("shared, the last step saved") << "auto" << here << 2 << 0 << "stop" << 4 << 0 << 2 * 3 + 2;
    QTest::newRow("shared, rollback alone") << "auto" << here << 2 << 0 << "rollback" << 4 << 3 << 2 * 3 + 2 + 2 * 3;
    QTest::newRow("shared, two hosts") << "auto" << two << 5 << 10 << "stop" << 5 << 3 << 2 * 3 * 3 + 5;
    QTest::newRow("a rank on each host") << "auto" << two << 2 << 10 << "stop" << 1 << 3 << 2 * 5 + 3;
    QTest::newRow("a rank on each host, shared") << "shared" << two << 2 << 10 << "stop" << 3 << 3 << 2 * 3 * 3 + 2;
    QTest::newRow("buckets") << "buckets" << here << 2 << 10 << "stop" << 1 << 3 << 2 * 5 + 3;
    QTest::newRow("buckets, the last step saved") << "buckets" << here << 2 << 0 << "stop" << 1 << 0 << 2 * 5;
    QTest::newRow("buckets, rollback") << "buckets" << here << 2 << 10 << "rollback" << 1 << 3 << 2 * 5 + 2 * 3;
    QTest::newRow("one rank") << "auto" << here << 1 << 10 << "stop" << 1 << 3 << 5 + 3;
}

void TorchPreviewTest::memoryCountsTheCopies() {
    QFETCH(QString, averaging);
    QFETCH(QStringList, hosts);
    QFETCH(int, workers);
    QFETCH(int, everySteps);
    QFETCH(QString, nonFinite);
    QFETCH(int, forAveraging);
    QFETCH(int, forCheckpoints);
    QFETCH(int, ofAll);
    spec::RunSpec spec = runOn("spirals", "mlp");
    spec.optimizer = {"adam", {}};
    for (const auto& host : hosts) spec.hosts.push_back(host.toStdString());
    spec.scaling.workers = workers;
    spec.scaling.device = "cpu";
    spec.scaling.averaging = averaging.toStdString();
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.everySteps = everySteps;
    spec.failure.nonFinite = nonFinite.toStdString();
    const json memory = previewed(spec)["memory"];
    const auto bytes = [&](const char* name) { return memory[name].get<qint64>(); };
    const qint64 weights = bytes("weights"), own = bytes("activations") + bytes("dataset");
    QCOMPARE(bytes("averaging"), forAveraging * weights);
    QCOMPARE(bytes("checkpoint"), forCheckpoints * weights);
    QCOMPARE(bytes("perWorker"), (4 + forAveraging + forCheckpoints) * weights + own);
    QCOMPARE(bytes("allWorkers"), ofAll * weights + workers * own);
}

// Each worker has one, and who keeps a copy for checkpoints has one more.
void TorchPreviewTest::memoryCountsTheMovingAverage() {
    for (const bool shared : {true, false})
        for (const bool rollback : {true, false}) {
            spec::RunSpec spec = runOn("spirals", "mlp");
            spec.scaling.workers = 3;
            spec.scaling.device = "cpu";
            spec.scaling.averaging = shared ? "shared" : "buckets";
            spec.checkpoint.everySteps = 10;
            spec.failure.nonFinite = rollback ? "rollback" : "stop";
            const json without = previewed(spec)["memory"];
            spec.ema = 0.99;
            const json with = previewed(spec)["memory"];
            const auto more = [&](const char* name) { return with[name].get<qint64>() - without[name].get<qint64>(); };
            const qint64 weights = with["weights"].get<qint64>();
            QCOMPARE(more("average"), weights);
            QCOMPARE(more("checkpoint"), weights);
            QCOMPARE(more("perWorker"), 2 * weights);
            QCOMPARE(more("allWorkers"), (3 + (rollback ? 3 : 1)) * weights);
        }
}

// Frozen weights have no gradient, no state of the optimizer, and no part in averaging.
void TorchPreviewTest::memoryCountsWhatIsTrained() {
    spec::RunSpec spec = runOn("glyphs", "mlp"); // 784, 512, 512, 10
    spec.optimizer = {"adam", {}};
    spec.scaling.workers = 1;
    spec.checkpoint.everyEpochs = 0;
    const json all = previewed(spec);
    spec.finetune.freeze = {"layers.0"};
    const json some = previewed(spec);
    const qint64 weights = all["memory"]["weights"].get<qint64>(), trained = weights - 4 * (784 * 512 + 512);
    const auto bytes = [&](const char* name) { return some["memory"][name].get<qint64>(); };
    QCOMPARE(bytes("weights"), weights);
    QCOMPARE(bytes("gradients"), trained);
    QCOMPARE(bytes("optimizer"), 2 * trained);
    QCOMPARE(bytes("averaging"), trained);
    QVERIFY(bytes("activations") <= all["memory"]["activations"].get<qint64>());
    QCOMPARE(bytes("perWorker") - bytes("activations") - bytes("dataset"), weights + 4 * trained);
    QVERIFY(some["model"]["blocks"] == json({{{"name", "layers.0"}, {"parameters", 401920}, {"frozen", 401920}},
                                             {{"name", "layers.1"}, {"parameters", 262656}, {"frozen", 0}},
                                             {{"name", "layers.2"}, {"parameters", 5130}, {"frozen", 0}}}));
    QVERIFY(some["model"]["head"] == "layers.2");
    spec.finetune.thawAtEpoch = 1; // later it needs as much as ever
    QVERIFY(previewed(spec)["memory"] == all["memory"]);
}

// Feature: the estimate of memory follows tuning.recompute and finetune.features.
void TorchPreviewTest::memoryCountsBlocksAndFeatures() {
    spec::RunSpec spec = runOn("sentences", "gpt");
    spec.task = "language";
    spec.model.params["depth"] = std::int64_t{8};
    const qint64 kept = previewed(spec)["memory"]["activations"].get<qint64>();
    spec.tuning.recompute = "blocks";
    const qint64 again = previewed(spec)["memory"]["activations"].get<qint64>();
    QVERIFY2(again < kept / 2 && again > kept / 20, qPrintable(QString("%1 of %2").arg(again).arg(kept)));

    spec = runOn("glyphs", "mlp"); // 784, 512, 512, 10
    const json all = previewed(spec)["memory"];
    spec.finetune.freeze = {"body"};
    spec.finetune.features = "cache";
    const json cached = previewed(spec), memory = cached["memory"];
    const auto samples = [&](const char* part) { return cached["data"][part].get<qint64>(); };
    const qint64 count = samples("train") + samples("validation") + samples("test");
    QCOMPARE(memory["dataset"].get<qint64>() - all["dataset"].get<qint64>(), 4 * 512 * count);
    QVERIFY(memory["activations"].get<qint64>() < all["activations"].get<qint64>());
}

// Feature: the sheet shows draws of one picture and the first batch, by the code that trains.
void TorchPreviewTest::drawsAreThoseOfTheRun() {
    spec::RunSpec spec = runOn("glyphs", "convnet");
    train::DrawDesk desk;
    std::int64_t picture = 0;
    const auto drawn = [&] {
        auto answer = desk.draws(spec, picture);
        if (!answer) qFatal("%s", answer.error().text().c_str());
        return *answer;
    };
    const auto pixelsOf = [](const json& text) {
        return QByteArray::fromBase64(QByteArray::fromStdString(text.get<std::string>()));
    };
    const auto mirrored = [](const QByteArray& pixels) {
        QByteArray turned;
        for (int y = 0; y < 28; ++y)
            for (int x = 27; x >= 0; --x) turned += pixels[y * 28 + x];
        return turned;
    };
    json plain = drawn();
    for (; pixelsOf(plain["picture"]["pixels"]) == mirrored(pixelsOf(plain["picture"]["pixels"])); plain = drawn())
        QVERIFY2(++picture < 40, "every glyph is its own mirror image");
    QVERIFY(plain["changes"] == false);
    QCOMPARE(plain["draws"].size(), 24u);
    for (const json& each : plain["draws"]) QVERIFY(each == plain["picture"]["pixels"]);
    spec.augment.flip = true;
    const QByteArray stored = pixelsOf(plain["picture"]["pixels"]);
    int turned = 0;
    const json flipped = drawn();
    for (const json& each : flipped["draws"]) {
        QVERIFY(pixelsOf(each) == stored || pixelsOf(each) == mirrored(stored));
        turned += pixelsOf(each) == stored ? 0 : 1;
    }
    QVERIFY2(turned > 3 && turned < 21, QByteArray::number(turned));
    QVERIFY(drawn() == flipped);
    // One picture is never mixed; those of the batch are, with their labels.
    spec.augment = {.mixup = 1, .cutmix = 1};
    const json mixed = drawn();
    QVERIFY(mixed["draws"] == plain["draws"]);
    QCOMPARE(mixed["batch"].size(), 12u);
    int ofTwo = 0;
    for (const json& each : mixed["batch"]) {
        double sum = 0;
        for (const json& label : each["labels"]) sum += label["share"].get<double>();
        QVERIFY(std::abs(sum - 1) < 0.02);
        ofTwo += each["labels"].size() == 2 ? 1 : 0;
    }
    QVERIFY2(ofTwo > 5, QByteArray::number(ofTwo));
    QVERIFY(desk.draws(spec, picture + 1).value()["picture"] != mixed["picture"]);
}

// Bad inputs: draws of no pictures, of changes that exclude each other, of what is no class.
void TorchPreviewTest::drawsThatNoRunHas() {
    train::DrawDesk desk;
    spec::RunSpec spec = runOn("glyphs", "convnet");
    spec.augment = {.crop = 4, .resizedCrop = 0.5};
    QCOMPARE(desk.draws(spec, 0).error().where, "augment.resizedCrop");
    QCOMPARE(desk.draws(runOn("spirals", "mlp"), 0).error().text(),
             "dataset: has no pictures to draw from (choose a dataset of images)");
}

// What is cut out while it is decoded is another part in each draw.
void TorchPreviewTest::drawsOfStreamedPictures() {
    const QTemporaryDir folder;
    const auto header = QByteArray::fromHex("424df60000000000000036000000280000000800000008000000010018000000"
                                            "0000c000000000000000000000000000000000000000");
    for (int i = 0; i < 20; ++i) {
        const QDir of(folder.filePath(i % 2 == 0 ? QStringLiteral("a") : QStringLiteral("b")));
        QVERIFY(QDir().mkpath(of.path()));
        QFile file(of.filePath(QStringLiteral("%1.bmp").arg(i, 2, 10, QLatin1Char('0'))));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray pixels;
        for (int k = 0; k < 192; ++k) pixels += static_cast<char>((k * 37 + i * 11) % 251);
        file.write(header + pixels);
    }
    spec::RunSpec spec = runOn("images", "convnet");
    spec.dataset.params["folder"] = folder.path().toStdString();
    spec.batch.perRank = 4;
    spec.augment.resizedCrop = 0.2;
    for (const char* loading : {"stream", "memory"}) {
        spec.data.loading = loading;
        train::DrawDesk desk;
        const auto answer = desk.draws(spec, 0);
        QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
        const std::set<json> different((*answer)["draws"].begin(), (*answer)["draws"].end());
        QVERIFY2(different.size() > 12, loading);
        QCOMPARE((*answer)["batch"].size(), 4u);
        QVERIFY((*answer)["width"] == 32 && (*answer)["channels"] == 3);
    }
    const json preview = previewed(spec);
    QVERIFY(preview["data"]["picture"] == json({{"width", 8}, {"height", 8}}));
}

void TorchPreviewTest::refusesWhatTheRunWouldRefuse() {
    const auto refused = [](const spec::RunSpec& spec) {
        const auto preview = train::previewJson(spec);
        return preview ? std::string("accepted") : preview.error().text();
    };
    spec::RunSpec spec = runOn("spirals", "mlp");
    spec.batch.perRank = 5000;
    QVERIFY(refused(spec).find("batch: a step of 10000 samples does not fit 2400") != std::string::npos);
    std::int64_t samples = 0;
    QCOMPARE(train::previewJson(spec, {}, &samples).error().code, ErrorCode::FieldInvalid);
    QCOMPARE(samples, 2400); // for which a caller can choose a batch
    spec = runOn("spirals", "resnet18");
    QVERIFY(refused(spec).find("resnet18 needs images") != std::string::npos);
    spec = runOn("spirals", "mlp");
    spec.schedule = {"constant", {{"warmupEpochs", 9.0}}};
    QVERIFY(refused(spec).find("longer than the run") != std::string::npos);
    spec = runOn("spirals", "mlp");
    spec.loss.name = "mse";
    QVERIFY(refused(spec).find("loss mse serves regression") != std::string::npos);
}

QTEST_GUILESS_MAIN(TorchPreviewTest)
#include "torch_preview_test.moc"
