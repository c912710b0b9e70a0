// SPDX-License-Identifier: GPL-3.0-or-later
// What a run was trained on against what is there now: the rule, and a checkpoint that is evaluated on other data.
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/trainer/task/evaluate.h"
#include "engine/torch/worker/evaluate_checkpoint.h"
#include "engine/torch/worker/predict.h"
#include "tests/texts.h"
#include "tests/unit/torch/data_files.h"
#include "tests/unit/torch/exif_files.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <torch/script.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <sstream>

using namespace trainyard;
using namespace trainyard::tests;
using train::ModelInfo;
using train::TaskKind;
using Json = nlohmann::json;
using Change = std::function<void(ModelInfo&)>;
using trainyard::test::contains;
Q_DECLARE_METATYPE(Change)

namespace {

ModelInfo animals() {
    ModelInfo info{{3, 8, 8}, 3, {"bee", "cat", "dog"}, {0.5, 0.4, 0.3}, {0.2, 0.2, 0.1}, TaskKind::Classification,
                   {},        {}};
    info.pin = {.dataset = "images", .train = 80, .validation = 20, .digest = "aa"};
    return info;
}

ModelInfo houses() {
    ModelInfo info{{2}, 1, {"price"}, {170, 60}, {10, 8}, TaskKind::Regression, {300}, {40}};
    info.pin = {.dataset = "csv", .features = {"height", "width"}, .train = 80, .validation = 20, .digest = "aa"};
    return info;
}

QByteArray shades(int side, char level) {
    QByteArray pixels;
    for (int i = 0; i < side * side; ++i) pixels += QByteArray(1, char(i % side * 9)) + level + char(i / side * 13);
    return pixels;
}

// An image that a camera has stored on its side.
QByteArray turnedJpeg(char level) { return jpegWith(jpegOf(12, 12, 3, shades(12, level)), exif(6, /*little=*/false)); }

} // namespace

class TorchDataPinTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString in(const QString& name) const { return m_folder->filePath(name); }
    std::string model() const { return in("model.safetensors").toStdString(); }

    void writeClass(const QString& name, int count) const {
        QVERIFY(QDir().mkpath(in("images/" + name)));
        for (int i = 0; i < count; ++i)
            writeBytes(in("images/" + name + "/" + QString::number(i) + ".jpg"),
                       i % 2 ? turnedJpeg(char(20 * i + name.size())) : jpegOf(12, 12, 3, shades(12, char(20 * i))));
    }
    spec::RunSpec imagesSpec() const {
        spec::RunSpec spec;
        spec.dataset = {
            "images",
            {{"folder", in("images").toStdString()}, {"width", std::int64_t{9}}, {"height", std::int64_t{9}}}};
        spec.data.division = "class";
        spec.seed = 1;
        return spec;
    }
    // height and width in centimetres, or in other units.
    spec::RunSpec tableSpec(int rows, double unit = 1) const {
        std::mt19937 random(3);
        std::normal_distribution<double> height(170, 10), width(60, 8);
        QByteArray text = "height,width,kind\n";
        for (int i = 0; i < rows; ++i) {
            const double h = height(random), w = width(random);
            text += QByteArray::number(h * unit, 'f', 5) + ',' + QByteArray::number(w, 'f', 3) +
                    (h + w > 230 ? ",large\n" : ",small\n");
        }
        writeBytes(in("table.csv"), text);
        spec::RunSpec spec;
        spec.dataset = {"csv", {{"file", in("table.csv").toStdString()}}};
        spec.seed = 1;
        return spec;
    }
    // A model of random weights for the data as it is now, as a checkpoint. `pinned`: as this version writes it.
    void trainOn(spec::RunSpec spec, bool pinned = true) const {
        const auto dataset = data::loadDataset(spec.dataset, spec.seed, TaskKind::Classification, spec.data);
        QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
        spec.model = {"mlp", {{"hidden", std::vector<double>{16}}}};
        torch::manual_seed(1);
        const auto made = models::makeModel(spec.model, {dataset->sampleShape, dataset->classes});
        QVERIFY(made.ok());
        train::TrainState state;
        state.runJson = spec::toJson(spec);
        state.modelInfo = train::modelInfoOf(*dataset, spec);
        if (!pinned) state.modelInfo.pin = {};
        state.model = train::modelTensors(**made);
        const auto saved = train::saveCheckpoint(model(), state);
        QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
    }
    Result<Json> evaluated() const {
        TY_ASSIGN(const std::string text, train::evaluationsJson({model()}, "validation"));
        return Json::parse(text)[0];
    }
    Json answers(const std::vector<std::string>& inputs) const {
        const auto json = train::predictJson(model(), inputs, {.top = 3});
        if (!json) qWarning("%s", json.error().text().c_str());
        return json ? Json::parse(*json)["inputs"] : Json::array();
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void differencesAreNamed_data();
    void differencesAreNamed();
    void aCheckpointKeepsThePin();
    void unitsAreThoseOfTheTraining();
    void renamedClassesAreRefused_data();
    void renamedClassesAreRefused();
    void changedFilesAreTold();
    void unitsThatChangedAreTold();
    void oneSampleHasOneAnswer();
};

// Feature: what a run was trained on is pinned, and compared when it goes on, is evaluated or forked. Also in
// changed_data_test.
void TorchDataPinTest::differencesAreNamed_data() {
    QTest::addColumn<bool>("table");
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("misfit");
    QTest::addColumn<QString>("says"); // empty: nothing differs
    const auto row = [](const char* name, bool table, const Change& change, bool misfit, const char* says) {
        QTest::newRow(name) << table << change << misfit << says;
    };
    const bool images = false, table = true, misfit = true, changed = false;
    row("the same", images, [](ModelInfo&) {}, changed, "");
    row(
        "renamed", images, [](ModelInfo& i) { i.classNames = {"bee", "dog", "zcat"}; }, misfit,
        "the class \"cat\" is gone, and \"zcat\" is new");
    row(
        "two renamed", images, [](ModelInfo& i) { i.classNames = {"bee", "fine", "wrong"}; }, misfit,
        "the classes \"cat\" and \"dog\" are gone, and \"fine\" and \"wrong\" are new");
    row("one more", images, [](ModelInfo& i) { i.classNames.emplace_back("emu"); }, misfit, "the class \"emu\" is new");
    row("one less", images, [](ModelInfo& i) { i.classNames.pop_back(); }, misfit, "the class \"dog\" is gone");
    row(
        "another order", images, [](ModelInfo& i) { i.classNames = {"cat", "bee", "dog"}; }, misfit,
        "the classes are in another order");
    row(
        "another size", images, [](ModelInfo& i) { i.sampleShape = {3, 9, 8}; }, misfit,
        "a sample is 3 x 9 x 8, and was 3 x 8 x 8");
    row(
        "more images", images, [](ModelInfo& i) { i.pin.train = 160, i.pin.digest = "bb"; }, changed,
        "it has 180 samples, and had 100");
    row(
        "divided anew", images, [](ModelInfo& i) { i.pin.train = 90, i.pin.validation = 10; }, changed,
        "its samples are divided into 90, 10 and 0, and were into 80, 20 and 0");
    row("other files", images, [](ModelInfo& i) { i.pin.digest = "bb"; }, changed, "its files have changed");
    row(
        "darker", images, [](ModelInfo& i) { i.mean[1] = 0.1, i.pin.digest = "bb"; }, changed,
        "channel 2 has the mean 0.1 and deviation 0.2, and had 0.4 and 0.2");
    row("a little darker", images, [](ModelInfo& i) { i.mean[1] = 0.39; }, changed, "");
    row(
        "of an older version", images, [](ModelInfo& i) { i.pin = {}, i.pin.dataset = "images"; }, changed,
        "it has 0 samples, and had 100");
    row(
        "columns in another order", table, [](ModelInfo& i) { i.pin.features = {"width", "height"}; }, misfit,
        "the columns are in another order");
    row(
        "column renamed", table, [](ModelInfo& i) { i.pin.features[1] = "depth"; }, misfit,
        "the column \"width\" is gone, and \"depth\" is new");
    row(
        "another word", table, [](ModelInfo& i) { i.pin.features.emplace_back("colour = red"), i.sampleShape = {3}; },
        misfit, "the column \"colour = red\" is new");
    row(
        "another target", table, [](ModelInfo& i) { i.classNames = {"rent"}; }, misfit,
        "the target \"price\" is gone, and \"rent\" is new");
    row(
        "metres", table, [](ModelInfo& i) { i.mean[0] = 1.7, i.stddev[0] = 0.1; }, changed,
        "\"height\" has the mean 1.7 and deviation 0.1, and had 170 and 10");
    row(
        "thousands", table, [](ModelInfo& i) { i.targetMean = {0.3}, i.targetStddev = {0.04}; }, changed,
        "\"price\" has the mean 0.3 and deviation 0.04, and had 300 and 40");
    row(
        "another task", table, [](ModelInfo& i) { i.task = TaskKind::Classification; }, misfit,
        "it serves classification, and was used for regression");
}

void TorchDataPinTest::differencesAreNamed() {
    QFETCH(bool, table);
    QFETCH(Change, change);
    QFETCH(bool, misfit);
    QFETCH(QString, says);
    const ModelInfo before = table ? houses() : animals();
    ModelInfo now = before;
    change(now);
    const auto differences = train::compareData(before, now);
    QCOMPARE(train::hasMisfit(differences), misfit);
    const QString text = QString::fromStdString(train::textOf(differences));
    QVERIFY2(says.isEmpty() ? text.isEmpty() : text.startsWith(says), qPrintable(text));
    // A checkpoint of a version that pinned nothing is compared in classes and shape.
    ModelInfo old = before;
    old.pin = {};
    const bool columnsOnly = before.pin.features != now.pin.features && before.sampleShape == now.sampleShape;
    QCOMPARE(train::hasMisfit(train::compareData(old, now)), misfit && !columnsOnly);
}

void TorchDataPinTest::aCheckpointKeepsThePin() {
    for (const ModelInfo& info : {animals(), houses()}) {
        train::TrainState state;
        state.modelInfo = info;
        state.modelInfo.pin.mean = {1.0 / 3};
        state.modelInfo.pin.stddev = {1e-300};
        state.model = {{"weight", torch::ones({2})}};
        QVERIFY(train::saveCheckpoint(model(), state).ok());
        const auto loaded = train::loadCheckpoint(model());
        QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
        QVERIFY(train::compareData(state.modelInfo, loaded->modelInfo).empty());
        QCOMPARE(train::modelInfoJson(loaded->modelInfo), train::modelInfoJson(state.modelInfo));
    }
}

void TorchDataPinTest::unitsAreThoseOfTheTraining() {
    data::Dataset dataset;
    dataset.train.inputs = torch::tensor({{1.0, 2.0}, {-1.0, 0.5}}, torch::kFloat32);
    dataset.train.targets = torch::zeros({2}, torch::kInt64);
    dataset.mean = {10, 0};
    dataset.stddev = {2, 4};
    const torch::Tensor same = dataset.train.inputs.clone();
    ModelInfo info{{2}, 2, {"a", "b"}, {10, 0}, {2, 4}, TaskKind::Classification, {}, {}};
    train::useUnitsOf(info, dataset);
    QVERIFY(torch::equal(dataset.train.inputs, same)); // to the bit
    info.mean = {8, 0};
    info.stddev = {1, 8};
    train::useUnitsOf(info, dataset); // 12 and 8 stand for 1 and -1: 4 and 0 deviations of 1 from 8
    QVERIFY(torch::equal(dataset.train.inputs, torch::tensor({{4.0, 1.0}, {0.0, 0.25}}, torch::kFloat32)));
    QCOMPARE(dataset.mean, info.mean);
    QCOMPARE(dataset.stddev, info.stddev);
}

void TorchDataPinTest::renamedClassesAreRefused_data() {
    QTest::addColumn<bool>("pinned");
    QTest::newRow("pinned") << true;
    QTest::newRow("of an older version") << false;
}

void TorchDataPinTest::renamedClassesAreRefused() {
    QFETCH(bool, pinned);
    writeClass("cat", 6);
    writeClass("dog", 6);
    trainOn(imagesSpec(), pinned);
    const auto before = evaluated();
    QVERIFY2(before.ok(), before ? "" : before.error().text().c_str());
    QVERIFY2((*before)["notes"].empty(), (*before)["notes"].dump().c_str());
    QVERIFY(QDir().rename(in("images/cat"), in("images/zcat")));
    const auto now = evaluated();
    QVERIFY(!now.ok() && now.error().code == ErrorCode::CheckpointMisfit);
    QVERIFY2(contains(now.error().text(), "the class \"cat\" is gone, and \"zcat\" is new"),
             now.error().text().c_str());
    const auto sample = train::predictJson(model(), {"data:validation/0"}, {.top = 1});
    QVERIFY(!sample.ok() && sample.error().code == ErrorCode::CheckpointMisfit);
    QVERIFY(QDir().rename(in("images/zcat"), in("images/cat"))); // the remedy: as it was
    const auto again = evaluated();
    QVERIFY(again.ok());
    QVERIFY(*again == *before);
}

void TorchDataPinTest::changedFilesAreTold() {
    writeClass("cat", 6);
    writeClass("dog", 6);
    trainOn(imagesSpec());
    writeClass("dog", 12);
    const auto more = evaluated();
    QVERIFY2(more.ok(), more ? "" : more.error().text().c_str());
    QVERIFY2(contains((*more)["notes"].dump(), "it has 18 samples, and had 12"), (*more)["notes"].dump().c_str());
    QVERIFY(contains((*more)["notes"].dump(), "may have been trained on"));
    trainOn(tableSpec(200));
    QVERIFY(!contains((*evaluated())["notes"].dump(), "has changed"));
    (void)tableSpec(400);
    QVERIFY(contains((*evaluated())["notes"].dump(), "it has 400 samples, and had 200"));
}

// Centimetres became metres: what is told of a sample is the same by evaluation and prediction, and it is told.
void TorchDataPinTest::unitsThatChangedAreTold() {
    trainOn(tableSpec(200));
    (void)tableSpec(200, 0.01);
    const auto evaluation = evaluated();
    QVERIFY2(evaluation.ok(), evaluation ? "" : evaluation.error().text().c_str());
    QVERIFY2(contains((*evaluation)["notes"].dump(), "\\\"height\\\" has the mean 1."),
             (*evaluation)["notes"].dump().c_str());
    const auto sample = answers({"data:validation/0"});
    QCOMPARE(sample.size(), 1u);
    for (const auto& example : (*evaluation)["examples"]) {
        if (example["index"] != 0) continue;
        const double one = example["probability"].get<double>(), other = sample[0]["predictions"][0]["probability"];
        QVERIFY2(std::abs(one - other) < 1e-6, qPrintable(QString("%1 %2").arg(one).arg(other)));
    }
}

// By its file, as a sample of the data set, by the evaluation and by an export: the same bits.
// Feature: one image has one answer, to the bit: by file, sample, evaluation and export.
void TorchDataPinTest::oneSampleHasOneAnswer() {
    writeClass("cat", 8);
    writeClass("dog", 8);
    const auto spec = imagesSpec();
    trainOn(spec);
    const auto dataset = data::loadDataset(spec.dataset, spec.seed, TaskKind::Classification, spec.data);
    const auto trained = train::loadTrained(model());
    QVERIFY(dataset.ok() && trained.ok());
    const auto task = train::Task::make(trained->spec, *dataset);
    const auto precision = train::Precision::make("fp32", torch::kCPU);
    QVERIFY(task.ok() && precision.ok());
    // Of the whole part at once, as `evaluate` does; what it prints has fewer digits.
    const auto judged =
        train::evaluateShare(*trained->model, **task, *dataset, dataset->validation,
                             {.share = {.begin = 0, .end = dataset->validation.size()}, .precision = *precision});
    QCOMPARE(static_cast<std::int64_t>(judged.examples.size()), dataset->validation.size());
    const auto bytes = train::torchScriptOf(*trained);
    QVERIFY(bytes.ok());
    std::istringstream stream(*bytes);
    torch::jit::Module exported = torch::jit::load(stream);
    const torch::NoGradGuard noGradients;
    std::map<std::string, Json> files; // answers by the pixels that were seen
    for (const char* name : {"cat", "dog"})
        for (int i = 0; i < 8; ++i) {
            const auto file = in(QString("images/%1/%2.jpg").arg(name).arg(i)).toStdString();
            files[train::predictJson(model(), {file}, {.top = 2}).ok() ? answers({file})[0]["predictions"].dump()
                                                                       : ""] = file;
        }
    for (std::int64_t i = 0; i < dataset->validation.size(); ++i) {
        const Json answer = answers({"data:validation/" + std::to_string(i)})[0]["predictions"];
        QVERIFY2(files.contains(answer.dump()), answer.dump().c_str()); // its file has that very answer
        const double probability = answer[0]["probability"].get<double>();
        const auto batch = data::gather(*dataset, dataset->validation, torch::tensor({i}, torch::kInt64));
        const auto output = torch::softmax(exported.forward({batch.inputs}).toTensor(), 1);
        QVERIFY(output[0][answer[0]["index"].get<std::int64_t>()].item<double>() == probability); // not about
        for (const auto& example : judged.examples)
            if (example.index == i)
                QVERIFY2(example.probability == probability,
                         qPrintable(QString::number(example.probability - probability)));
    }
}

QTEST_GUILESS_MAIN(TorchDataPinTest)
#include "torch_data_pin_test.moc"
