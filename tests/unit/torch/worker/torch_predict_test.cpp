// SPDX-License-Identifier: GPL-3.0-or-later
// What a trained model is asked about: images as files and in folders.
#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"
#include "engine/torch/worker/predict.h"
#include "engine/torch/worker/trained_model.h"
#include "tests/unit/torch/data_files.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QTemporaryDir>

#include <cmath>
#include <memory>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

// A model of random weights for a dataset, as a checkpoint.
std::string checkpointFor(const spec::Choice& choice, const QString& file) {
    const auto dataset = data::loadDataset(choice, 1);
    if (!dataset) return dataset.error().text();
    spec::RunSpec spec;
    spec.model = {"mlp", {{"hidden", std::vector<double>{}}}};
    spec.dataset = choice;
    spec.seed = 1;
    torch::manual_seed(1);
    const auto model = models::makeModel(spec.model, {dataset->sampleShape, dataset->classes});
    if (!model) return model.error().text();
    train::TrainState state;
    state.runJson = spec::toJson(spec);
    state.modelInfo = {dataset->sampleShape,
                       dataset->classes,
                       dataset->classNames,
                       dataset->mean,
                       dataset->stddev,
                       dataset->task,
                       {},
                       {}};
    state.model = train::modelTensors(**model);
    const auto saved = train::saveCheckpoint(file.toStdString(), state);
    return saved ? std::string() : saved.error().text();
}

// Of one colour that differs from place to place, so that it shows how it was cut or stretched.
QByteArray shadedImage(int width, int height, int shade) {
    QByteArray pixels;
    for (int at = 0; at < width * height; ++at)
        pixels += QByteArray(1, char(at % width * 7)) + char(40 * shade) + char(at / width * 19);
    return pngOf(width, height, PNG_FORMAT_RGB, pixels);
}

} // namespace

class TorchPredictTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString in(const QString& name) const { return m_folder->filePath(name); }
    spec::Choice images() const { return {"images", {{"folder", in("images").toStdString()}}}; }

    // Two classes of six images each, square and wide.
    void writeImages() const {
        for (const char* name : {"red", "blue"}) {
            QVERIFY(QDir().mkpath(in("images/") + name));
            for (int i = 0; i < 6; ++i)
                writeBytes(in(QString("images/%1/%2.png").arg(name).arg(i)),
                           shadedImage(i < 3 ? 8 + i : 30, 8 + i, *name == 'r' ? i : 6 - i));
        }
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void predictsImagesAsTheyWereTrainedOn_data();
    void predictsImagesAsTheyWereTrainedOn();
    void numbersAreInTheUnitsOfTheTargets();
    void refusesToPredict_data();
    void refusesToPredict();
};

void TorchPredictTest::predictsImagesAsTheyWereTrainedOn_data() {
    QTest::addColumn<QString>("fit");
    QTest::addColumn<QString>("colour");
    QTest::newRow("cut") << "crop" << "rgb";
    QTest::newRow("stretched, grey") << "stretch" << "grey";
}

// An image has the same answer as a file, in a folder, and as a sample of the dataset.
void TorchPredictTest::predictsImagesAsTheyWereTrainedOn() {
    QFETCH(QString, fit);
    QFETCH(QString, colour);
    writeImages();
    spec::Choice choice = images();
    choice.params["width"] = std::int64_t{9};
    choice.params["height"] = std::int64_t{7};
    choice.params["fit"] = fit.toStdString();
    choice.params["colour"] = colour.toStdString();
    QCOMPARE(checkpointFor(choice, in("model.safetensors")), std::string());

    const auto answers = [&](const std::vector<std::string>& inputs) {
        const auto json = train::predictJson(in("model.safetensors").toStdString(), inputs, {.top = 2});
        if (!json) qWarning("%s", json.error().text().c_str());
        return json ? nlohmann::json::parse(*json)["inputs"] : nlohmann::json::array();
    };
    const auto sorted = [](const nlohmann::json& list) {
        std::multiset<std::string> all;
        for (const auto& one : list) all.insert(one["label"].dump() + one["predictions"].dump());
        return all;
    };
    std::vector<std::string> samples;
    for (int i = 0; i < 10; ++i) samples.push_back("data:train/" + std::to_string(i));
    for (int i = 0; i < 2; ++i) samples.push_back("data:validation/" + std::to_string(i));
    const auto folder = answers({in("images").toStdString()});
    QCOMPARE(folder.size(), 12u);
    QCOMPARE(folder[0]["input"].get<std::string>(), in("images/blue/0.png").toStdString());
    QCOMPARE(folder[0]["label"].get<std::string>(), std::string("blue"));
    QCOMPARE(sorted(folder), sorted(answers(samples)));
    QVERIFY(folder[4]["predictions"] != folder[11]["predictions"]);
    QVERIFY(answers({in("images/red/5.png").toStdString()})[0] == folder[11]);
}

// What a network without hidden layers says of the row 1, 2, by hand.
void TorchPredictTest::numbersAreInTheUnitsOfTheTargets() {
    spec::RunSpec spec;
    spec.task = "regression";
    spec.model = {"mlp", {{"hidden", std::vector<double>{}}}};
    train::TrainState state;
    state.modelInfo = {{2}, 1, {"area"}, {}, {}, train::TaskKind::Regression, {}, {}};
    const auto model = models::makeModel(spec.model, {{2}, 1, train::TaskKind::Regression});
    QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
    state.model = train::modelTensors(**model);
    for (auto& [name, tensor] : state.model) tensor.fill_(0.25); // 0.25 (1 + 2 + 1) = 1
    writeBytes(in("rows.csv"), "1,2\n");
    const auto answer = [&](const char* loss) {
        spec.loss = {loss, {}};
        state.runJson = spec::toJson(spec);
        const std::string file = in("numbers.safetensors").toStdString();
        if (const auto saved = train::saveCheckpoint(file, state); !saved) qFatal("%s", saved.error().text().c_str());
        const auto json = train::predictJson(file, {in("rows.csv").toStdString()}, {.top = 1});
        if (!json) qFatal("%s", json.error().text().c_str());
        return nlohmann::json::parse(*json)["inputs"][0]["outputs"][0]["value"].get<double>();
    };
    QCOMPARE(answer("mse"), 1.0);
    QVERIFY(std::abs(answer("bce") - 1 / (1 + std::exp(-1.0))) < 1e-6); // a share, as the targets were
    state.modelInfo.targetMean = {100};
    state.modelInfo.targetStddev = {10};
    QCOMPARE(answer("mse"), 110.0);
    for (const auto& [name, tensor] : state.model) state.average.emplace_back(name, tensor * 2);
    QCOMPARE(answer("mse"), 120.0); // the average is what answers, where there is one
}

void TorchPredictTest::refusesToPredict_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("says");
    QTest::newRow("not there") << "none.png" << "none.png: ";
    QTest::newRow("no image") << "text.jpg" << "text.jpg: is neither a PNG nor a JPEG image";
    QTest::newRow("cut off") << "half.png" << "half.png: ";
    QTest::newRow("folder without images") << "empty" << "empty: holds no PNG or JPEG images (.png, .jpg, .jpeg)";
    QTest::newRow("another file") << "notes.txt"
                                  << "notes.txt: is not a readable file (give a PNG or JPEG image";
    QTest::newRow("nothing") << "nowhere"
                             << "nowhere: is not a readable input, and there is no folder of that name";
    QTest::newRow("no test part") << "data:test/0" << "data:test/0: the dataset has no such part";
}

void TorchPredictTest::refusesToPredict() {
    QFETCH(QString, input);
    QFETCH(QString, says);
    writeImages();
    QVERIFY(QDir().mkpath(in("empty/below")));
    writeBytes(in("text.jpg"), "no image");
    writeBytes(in("half.png"), shadedImage(9, 9, 1).chopped(20));
    writeBytes(in("notes.txt"), "no image");
    writeBytes(in("empty/below/notes.txt"), "no image");
    QCOMPARE(checkpointFor(images(), in("model.safetensors")), std::string());
    const std::string given = input.startsWith("data:") ? input.toStdString() : in(input).toStdString();
    const auto json = train::predictJson(in("model.safetensors").toStdString(), {given}, {.top = 2});
    QVERIFY(!json.ok());
    QVERIFY(json.error().kind == ErrorKind::Input);
    const std::string said = json.error().text();
    QVERIFY2(said.find(says.toStdString()) != std::string::npos, said.c_str());

    // A model that takes no images says so.
    QCOMPARE(checkpointFor({"spirals", {}}, in("points.safetensors")), std::string());
    const auto points =
        train::predictJson(in("points.safetensors").toStdString(), {in("images/red/0.png").toStdString()}, {.top = 2});
    QVERIFY(!points.ok());
    const std::string refused = points.error().text();
    QVERIFY2(refused.find("0.png: is an image, and the model takes none") != std::string::npos, refused.c_str());
}

QTEST_GUILESS_MAIN(TorchPredictTest)
#include "torch_predict_test.moc"
