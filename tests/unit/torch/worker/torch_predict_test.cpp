// SPDX-License-Identifier: GPL-3.0-or-later
// What a trained model is asked about: images as files and in folders, tables, texts.
#include "engine/formats/images/image.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/table_features.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/worker/answer.h"
#include "engine/torch/worker/evaluate_checkpoint.h"
#include "engine/torch/worker/predict.h"
#include "engine/torch/worker/trained_model.h"
#include "tests/unit/torch/data_files.h"
#include "tests/unit/torch/exif_files.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QTemporaryDir>
#include <torch/script.h>

#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

// A model of random weights for a dataset, as a checkpoint.
std::string checkpointFor(const spec::Choice& choice, const QString& file,
                          train::TaskKind task = train::TaskKind::Classification,
                          const spec::Choice& modelChoice = {"mlp", {{"hidden", std::vector<double>{}}}}) {
    const auto dataset = data::loadDataset(choice, 1, task);
    if (!dataset) return dataset.error().text();
    spec::RunSpec spec;
    spec.task = toString(task);
    spec.model = modelChoice;
    spec.dataset = choice;
    if (task == train::TaskKind::Regression) spec.loss = {"mse", {}};
    spec.seed = 1;
    torch::manual_seed(1);
    const auto model = models::makeModel(spec.model, {dataset->sampleShape, dataset->classes, task});
    if (!model) return model.error().text();
    train::TrainState state;
    state.runJson = spec::toJson(spec);
    state.modelInfo = train::modelInfoOf(*dataset, spec);
    state.model = train::modelTensors(**model);
    const auto saved = train::saveCheckpoint(file.toStdString(), state);
    return saved ? std::string() : saved.error().text();
}

// Of one colour that differs from place to place, so that it shows how it was cut or stretched.
QByteArray shades(int width, int height, int shade) {
    QByteArray pixels;
    for (int at = 0; at < width * height; ++at)
        pixels += QByteArray(1, char(at % width * 7)) + char(40 * shade) + char(at / width * 19);
    return pixels;
}
QByteArray shadedImage(int width, int height, int shade) {
    return pngOf(width, height, PNG_FORMAT_RGB, shades(width, height, shade));
}
QByteArray shadedJpeg(int width, int height, int shade) {
    return jpegOf(width, height, 3, shades(width, height, shade));
}

// QCOMPARE takes numbers that are nearly the same for the same.
void compareBits(double found, double wanted) {
    QVERIFY2(std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(wanted),
             qPrintable(QString::number(found, 'g', 17) + " and " + QString::number(wanted, 'g', 17)));
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

    // 40 rows of a number and a word, and what they are.
    spec::Choice table(const char* missing = "refuse") const {
        QByteArray rows = "size,colour,kind\n";
        for (int i = 0; i < 40; ++i)
            rows += (i == 7 && *missing == 'f' ? QByteArray() : QByteArray::number(i * 0.37, 'f', 2)) +
                    (i % 3 == 0   ? ",red"
                     : i % 3 == 1 ? ",blue"
                                  : ",green") +
                    (i < 20 ? ",small\n" : ",large\n");
        writeBytes(in("table.csv"), rows);
        return {"csv", {{"file", in("table.csv").toStdString()}, {"missing", std::string(missing)}}};
    }
    // What each way to ask is tried with.
    struct Trained {
        train::TaskKind task = train::TaskKind::Classification;
        spec::Choice dataset, model;
        std::string source{}; // the file or folder of its samples; empty: they are parts of one
    };
    Trained trainedOn(const QString& data) const {
        const spec::Choice layers{"mlp", {{"hidden", std::vector<double>{8}}}};
        if (data == "text" || data == "words") {
            writeBytes(in("text"), QByteArray("To be, or not to be: that is the question. ").repeated(20));
            spec::Choice text{"text", {{"file", in("text").toStdString()}, {"sequenceLength", std::int64_t{16}}}};
            if (data == "words") {
                text.params["tokens"] = std::string("bpe");
                text.params["vocabulary"] = std::int64_t{270};
            }
            return {train::TaskKind::Language,
                    text,
                    {"gpt", {{"width", std::int64_t{16}}, {"heads", std::int64_t{2}}, {"depth", std::int64_t{1}}}}};
        }
        if (data == "images") {
            writeImages();
            for (const char* name : {"red", "blue"})
                for (int i = 0; i < 6; ++i)
                    writeBytes(in(QString("images/%1/camera %2.jpg").arg(name).arg(i)),
                               jpegWith(shadedJpeg(30, 9 + i, *name == 'r' ? i : 6 - i), exif(quint32(3 + i))));
            spec::Choice choice = images();
            choice.params["width"] = choice.params["height"] = std::int64_t{12};
            return {train::TaskKind::Classification, choice, {"convnet", {}}, in("images").toStdString()};
        }
        const bool numbers = data == "numbers";
        spec::Choice choice = table(numbers ? "refuse" : "fill");
        if (numbers) choice.params["target"] = std::string("size");
        return {numbers ? train::TaskKind::Regression : train::TaskKind::Classification, choice, layers,
                in("table.csv").toStdString()};
    }
    // Parsed; an error is a text.
    nlohmann::json ask(const std::vector<std::string>& inputs) const {
        const auto json = train::predictJson(in("model.safetensors").toStdString(), inputs, {.top = 9});
        return json ? nlohmann::json::parse(*json)["inputs"] : nlohmann::json(json.error().text());
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void predictsImagesAsTheyWereTrainedOn_data();
    void predictsImagesAsTheyWereTrainedOn();
    void numbersAreInTheUnitsOfTheTargets();
    void predictsTablesByTheNamesOfTheirColumns_data();
    void predictsTablesByTheNamesOfTheirColumns();
    void refusesTablesThatDoNotFit_data();
    void refusesTablesThatDoNotFit();
    void everyWayToAskAgreesToTheBit_data();
    void everyWayToAskAgreesToTheBit();
    void aTurnedImageIsAnsweredUpright();
    void rowsOfAnOldCheckpointAreNumbersInOrder();
    void refusesToPredict_data();
    void refusesToPredict();
};

// Feature: predictions for images, folders of them, rows, texts. Also in answer_test, model_files_test.
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
    QVERIFY(QDir().mkpath(in("deep/far")) && QDir().rename(in("images/red"), in("deep/far/red")) &&
            QDir().rename(in("images/blue"), in("deep/far/blue")) && QDir().mkpath(in("deep/red")));
    writeBytes(in("deep/red/0.png"), shadedImage(9, 9, 0));
    QCOMPARE(checkpointFor({"images", {{"folder", in("deep").toStdString()}}}, in("deep.safetensors")), std::string());
    const auto ways = train::predictJson(in("deep.safetensors").toStdString(), {in("deep").toStdString()}, {});
    QVERIFY2(ways.ok(), ways ? "" : ways.error().text().c_str());
    std::map<std::string, int> labels;
    for (const auto found = nlohmann::json::parse(*ways); const auto& one : found["inputs"])
        ++labels[one.value("label", "none")];
    QVERIFY((labels == std::map<std::string, int>{{"far/blue", 6}, {"far/red", 6}, {"red", 1}}));
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

void TorchPredictTest::predictsTablesByTheNamesOfTheirColumns_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content"); // the rows 3.5, red and 7, blue
    QTest::addColumn<QString>("label");      // of the first
    const QByteArray plain = "size,colour\n3.5,red\n7,blue\n";
    const QByteArray whole = "id,kind,colour,size\n9,small,red,3.5\n8,large,blue,7\n";
    QTest::newRow("as trained") << "s.csv" << plain << "";
    QTest::newRow("another order") << "s.csv" << QByteArray("colour,size\nred,3.5\nblue,7\n") << "";
    QTest::newRow("with the target and more") << "s.csv" << whole << "small";
    QTest::newRow("with a class that the model does not know")
        << "s.csv" << QByteArray(whole).replace("small", "tiny") << "tiny";
    QTest::newRow("semicolons") << "s.csv" << QByteArray(plain).replace(",", ";") << "";
    QTest::newRow("tabs") << "s.tsv" << QByteArray(plain).replace(",", "\t") << "";
    QTest::newRow("an ending in capitals") << "S.CSV" << plain << "";
    QTest::newRow("another ending") << "s.txt" << plain << "";
    QTest::newRow("packed") << "s.csv.gz" << gzipped(plain) << "";
    QTest::newRow("all quoted") << "s.csv" << QByteArray("\"size\",\"colour\"\n\"3.5\",\"red\"\n\"7\",\"blue\"\n")
                                << "";
    QTest::newRow("CR") << "s.csv" << QByteArray(plain).replace("\n", "\r") << "";
    QTest::newRow("CRLF and a byte order mark")
        << "s.csv" << "\xEF\xBB\xBF" + QByteArray(plain).replace("\n", "\r\n") << "";
    QTest::newRow("a decimal comma") << "s.csv" << QByteArray("size;colour\n3,5;red\n7;blue\n") << "";
    QTest::newRow("no header") << "s.csv" << QByteArray("3.5,red\n7,blue\n") << "";
    QTest::newRow("an index") << "s.csv" << QByteArray(",size,colour\n5,3.5,red\n5,7,blue\n") << "";
}

void TorchPredictTest::predictsTablesByTheNamesOfTheirColumns() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, label);
    QCOMPARE(checkpointFor(table(), in("model.safetensors")), std::string());
    const auto expected = ask({"row:3.5,red", "row: 7 ,\"blue\""});
    QVERIFY2(expected.is_array(), expected.dump().c_str());
    QVERIFY(expected[0]["predictions"] != expected[1]["predictions"]);
    writeBytes(in(name), content);
    const auto found = ask({in(name).toStdString()});
    QVERIFY2(found.is_array(), found.dump().c_str());
    QCOMPARE(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) QVERIFY(found[i]["predictions"] == expected[i]["predictions"]);
    QCOMPARE(QString::fromStdString(found[0].value("label", "")), label);
}

// Bad inputs: tables to predict.
void TorchPredictTest::refusesTablesThatDoNotFit_data() {
    QTest::addColumn<QByteArray>("content"); // of a file, or a row
    QTest::addColumn<QString>("says");
    QTest::newRow("a column is missing")
        << QByteArray("size,kind\n3,small\n")
        << "t.csv: has no column \"colour\", which the model takes (the model takes: size, colour)";
    QTest::newRow("a column by another name")
        << QByteArray("Size,colour\n3,red\n")
        << "has no column \"size\", which the model takes (rename \"Size\" to \"size\", if it is that column";
    QTest::newRow("other names") << QByteArray("x,y\n3,red\n")
                                 << "has no columns \"size\", \"colour\", which the model takes";
    QTest::newRow("a word it does not know")
        << QByteArray("size,colour\n3,red\n4,grene\n")
        << "t.csv, line 3, column 2 (colour): \"grene\" is not one of the words that the "
           "model was trained on (did you mean \"green\"? its words: blue, green, red)";
    QTest::newRow("a missing cell") << QByteArray("size,colour\n,red\n")
                                    << "t.csv, line 2, column 1 (size): the cell is empty or means a missing value, "
                                       "and the model was trained without any";
    QTest::newRow("a missing word") << QByteArray("size,colour\n3,NA\n")
                                    << "t.csv, line 2, column 2 (colour): the cell is empty";
    QTest::newRow("missing in the first row")
        << QByteArray("NA,red\n3,blue\n") << "t.csv, line 1, column 1 (size): the cell";
    QTest::newRow("a word for a number") << QByteArray("size,colour\nx,red\n")
                                         << "line 2, column 1 (size): \"x\" is not a number";
    QTest::newRow("no row") << QByteArray("size,colour\n") << "t.csv: has a header and no rows (add rows)";
    QTest::newRow("empty") << QByteArray() << "t.csv, line 1: is empty";
    QTest::newRow("too many cells") << QByteArray("3,red,small\n4,blue,large\n")
                                    << "t.csv: has 3 cells in its first line, and the model takes 2: size, colour";
    QTest::newRow("another unit") << QByteArray("size,colour\n3 kg,red\n")
                                  << "the numbers are in \"kg\", and the model was trained on numbers without a unit";
    QTest::newRow("a row of one cell") << QByteArray("row:3")
                                       << "row:3: holds 1 cell, and the model takes 2: size, colour";
    QTest::newRow("a row in another order")
        << QByteArray("row:red,3") << "column 1 (column 1): \"red\" is not a number";
    QTest::newRow("not UTF-8") << QByteArray("size,colour\n3,r\xf6t\n") << "line 2, column 2: is not UTF-8: byte 0xf6";
}

void TorchPredictTest::refusesTablesThatDoNotFit() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    QCOMPARE(checkpointFor(table(), in("model.safetensors")), std::string());
    writeBytes(in("t.csv"), content);
    const bool row = content.startsWith("row:");
    const auto said = ask({row ? content.toStdString() : in("t.csv").toStdString()});
    QVERIFY2(said.is_string(), said.dump().c_str());
    QVERIFY2(QString::fromStdString(said.get<std::string>()).contains(says), said.dump().c_str());
}

void TorchPredictTest::everyWayToAskAgreesToTheBit_data() {
    QTest::addColumn<QString>("data");
    QTest::newRow("classes of a table with words and missing cells") << "classes";
    QTest::newRow("numbers of a table with words") << "numbers";
    QTest::newRow("images, some of them turned") << "images";
    QTest::newRow("text") << "text";
    QTest::newRow("text by parts of words") << "words";
}

// One sample as a file, as a sample of the dataset, in the Samples tab, in an evaluation, and by an export that is used
// as CHECKPOINT.md says.
void TorchPredictTest::everyWayToAskAgreesToTheBit() {
    QFETCH(QString, data);
    const Trained made = trainedOn(data);
    const std::string file = in("model.safetensors").toStdString();
    QCOMPARE(checkpointFor(made.dataset, in("model.safetensors"), made.task, made.model), std::string());
    const auto trained = train::loadTrained(file);
    QVERIFY2(trained.ok(), trained ? "" : trained.error().text().c_str());
    const auto dataset = data::loadDataset(made.dataset, 1, made.task);
    const auto script = train::torchScriptOf(*trained);
    QVERIFY2(script.ok(), script ? "" : script.error().text().c_str());
    std::istringstream stream(*script);
    torch::jit::Module exported = torch::jit::load(stream);

    train::KeptDataset datasets;
    const auto evaluated = train::evaluationJson(*trained, datasets, "validation");
    QVERIFY2(evaluated.ok(), evaluated ? "" : evaluated.error().text().c_str());
    const auto examples = nlohmann::json::parse(*evaluated)["examples"];
    QVERIFY(!examples.empty());
    const optim::Loss loss = *optim::Loss::make(trained->spec.loss, made.task, dataset->classes);
    train::AnswerDesk desk;
    for (const auto& example : examples) {
        const std::string name = "data:validation/" + example["index"].dump();
        const auto told = ask({name});
        QVERIFY2(told.is_array(), told.dump().c_str());
        const auto answered = nlohmann::json::parse(desk.answer(
            nlohmann::json{{"do", "predict"}, {"checkpoint", file}, {"inputs", {name}}, {"top", 9}}.dump()));
        QVERIFY(answered["answer"]["inputs"] == told);
        const auto batch =
            data::gather(*dataset, dataset->validation, torch::tensor({example["index"].get<std::int64_t>()}));
        const torch::NoGradGuard noGradients;
        const auto output = exported.forward({batch.inputs}).toTensor();
        compareBits(loss.ofEach(output, batch.targets).mean().item<double>(), example["loss"]);
        if (made.task == train::TaskKind::Regression) {
            const double value = told[0]["outputs"][0]["value"];
            compareBits(value, example["output"][0]);
            const auto& info = trained->state.modelInfo;
            compareBits(output[0][0].item<double>() * info.targetStddev[0] + info.targetMean[0], value);
            continue;
        }
        const auto& likeliest = told[0]["predictions"][0];
        const auto shares = torch::softmax(made.task == train::TaskKind::Language ? output[0][-1] : output[0], 0);
        compareBits(shares.max().item<double>(), likeliest["probability"]);
        if (made.task == train::TaskKind::Language) continue; // an evaluation names its loss alone
        QVERIFY(likeliest["index"] == example["predicted"]);
        compareBits(likeliest["probability"], example["probability"]);
    }
    if (made.source.empty()) return;
    // The files that were trained on: each of their samples is one of the dataset, and JSON has every digit.
    const auto files = ask({made.source});
    QVERIFY2(files.is_array(), files.dump().c_str());
    const auto answersOf = [](const nlohmann::json& list) {
        std::multiset<std::string> all;
        for (const auto& one : list)
            all.insert(one.contains("outputs") ? one["outputs"].dump() : one["predictions"].dump());
        return all;
    };
    std::vector<std::string> samples;
    for (std::int64_t i = 0; i < dataset->train.size(); ++i) samples.push_back("data:train/" + std::to_string(i));
    for (std::int64_t i = 0; i < dataset->validation.size(); ++i)
        samples.push_back("data:validation/" + std::to_string(i));
    QVERIFY(answersOf(files) == answersOf(ask(samples)));
}

// A camera's JPEG is answered as its pixels turned upright are, and not as they are stored.
void TorchPredictTest::aTurnedImageIsAnsweredUpright() {
    const Trained made = trainedOn("images");
    QCOMPARE(checkpointFor(made.dataset, in("model.safetensors"), made.task, made.model), std::string());
    const QByteArray stored = shadedJpeg(30, 12, 3);
    writeBytes(in("stored.jpg"), stored);
    writeBytes(in("turned.jpg"), jpegWith(stored, exif(6)));
    const auto upright = formats::readImage(in("turned.jpg").toStdString());
    QVERIFY(upright.ok() && upright->width == 12 && upright->height == 30);
    writeBytes(in("upright.png"),
               pngOf(12, 30, PNG_FORMAT_RGB,
                     QByteArray(reinterpret_cast<const char*>(upright->pixels.data()), qsizetype(3 * 12 * 30))));
    const auto answer = [&](const char* name) { return ask({in(name).toStdString()})[0]["predictions"]; };
    QVERIFY(answer("turned.jpg") == answer("upright.png"));
    QVERIFY(answer("turned.jpg") != answer("stored.jpg"));
}

// Before columns were kept, nothing but their order was known.
void TorchPredictTest::rowsOfAnOldCheckpointAreNumbersInOrder() {
    spec::RunSpec spec;
    spec.task = "regression";
    spec.model = {"mlp", {{"hidden", std::vector<double>{}}}};
    train::TrainState state;
    state.modelInfo = {{2}, 1, {"area"}, {10, 20}, {2, 4}, train::TaskKind::Regression, {}, {}};
    const auto model = models::makeModel(spec.model, {{2}, 1, train::TaskKind::Regression});
    QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
    state.model = train::modelTensors(**model);
    for (auto& [name, tensor] : state.model) tensor.fill_(1); // (12 - 10) / 2 + (28 - 20) / 4 + 1 = 4
    state.runJson = spec::toJson(spec);
    const auto saved = train::saveCheckpoint(in("model.safetensors").toStdString(), state);
    QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
    for (const char* rows : {"12,28\n", "any,names\n12,28\n", "12;28\r"}) {
        writeBytes(in("rows.csv"), rows);
        const auto said = ask({in("rows.csv").toStdString()});
        QVERIFY2(said.is_array() && said.size() == 1, said.dump().c_str());
        QCOMPARE(said[0]["outputs"][0]["value"].get<double>(), 4.0);
    }
    writeBytes(in("rows.csv"), "NA,28\n12,28\n");
    QVERIFY(ask({in("rows.csv").toStdString()}).dump().find("line 1, column 1 (column 1): the cell is empty") !=
            std::string::npos);
    writeBytes(in("rows.csv"), "12,28,1\n");
    QVERIFY(ask({in("rows.csv").toStdString()})
                .dump()
                .find("has 3 cells in its first line, and the model takes 2 numbers") != std::string::npos);
}

// Bad inputs: inputs to predict.
void TorchPredictTest::refusesToPredict_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("says");
    QTest::newRow("not there") << "none.png" << "none.png: there is no such file (check the path)";
    QTest::newRow("no image") << "text.jpg" << "text.jpg: is no image of a kind that is read";
    QTest::newRow("cut off") << "half.png" << "half.png: ";
    QTest::newRow("folder without images") << "empty" << "empty: holds no images (.png, .jpg, .webp, .tif, .bmp, .gif)";
    QTest::newRow("another file")
        << "notes.txt"
        << "notes.txt: is not a readable file (give an image (.png, .jpg, .webp, .tif, .bmp, .gif)";
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
