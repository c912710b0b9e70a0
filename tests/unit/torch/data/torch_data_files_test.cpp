// SPDX-License-Identifier: GPL-3.0-or-later
// The datasets of files that a user brings or downloads: CIFAR, tables, texts. Images in folders:
// torch_image_folder_test.cpp.
// Long because: the rows of all formats share the files that are written for them.
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset.h"
#include "tests/texts.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QTemporaryDir>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;
using train::TaskKind;
using trainyard::test::compareText;

namespace {

spec::Choice choiceOf(const char* name, const char* param, const QString& path) {
    return {name, {{param, path.toStdString()}}};
}

// What an attempt to load says; empty when it works.
QString saidBy(const spec::Choice& choice, TaskKind task = TaskKind::Classification) {
    const auto dataset = data::loadDataset(choice, 1, task);
    return dataset ? QString() : QString::fromStdString(dataset.error().text());
}

// One record of CIFAR: label bytes, then an image of three planes of one value each.
QByteArray record(const QByteArray& labels, char red, char green, char blue) {
    return labels + QByteArray(1024, red) + QByteArray(1024, green) + QByteArray(1024, blue);
}

void writeCifar10(const QString& folder) {
    for (int i = 1; i <= 5; ++i)
        writeBytes(folder + "/data_batch_" + QString::number(i) + ".bin",
                   record(QByteArray(1, static_cast<char>(i)), 10, 20, 30) + record("\t", 40, 50, 60));
    writeBytes(folder + "/test_batch.bin", record(QByteArray(1, '\0'), 70, 80, 90));
}

} // namespace

class TorchDataFilesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString in(const QString& name) const { return m_folder->filePath(name); }

    spec::Choice table(const QByteArray& content) const {
        writeBytes(in("table.csv"), content);
        return choiceOf("csv", "file", in("table.csv"));
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void loadsCifar10();
    void loadsCifar100ByClassAndByGroup();
    void refusesBadCifar();
    void loadsTablesOfClasses();
    void loadsTablesOfNumbers();
    void loadsTablesAsPeopleHaveThem_data();
    void loadsTablesAsPeopleHaveThem();
    void fillsMissingCellsFromTrainingRows();
    void leavesOutRowsWithMissingCells();
    void numbersFarFromZeroKeepTheirDigits();
    void refusesBadTables_data();
    void refusesBadTables();
    void loadsTexts();
    void refusesBadTexts();
    void refusesWhatDoesNotFitMemory();
    void tasksAreChecked();
    void keepsATest();
};

void TorchDataFilesTest::loadsCifar10() {
    writeCifar10(m_folder->path());
    spec::Choice choice = choiceOf("cifar10", "folder", m_folder->path());
    const auto usual = data::loadDataset(choice, 1);
    QVERIFY2(usual.ok(), usual ? "" : usual.error().text().c_str());
    QVERIFY(usual->train.size() == 9 && usual->validation.size() == 1);
    QVERIFY(usual->test.inputs[0][0].eq(70).all().item<bool>());
    choice.params["validation"] = 0.0;
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->train.size(), 10);
    QCOMPARE(dataset->validation.size(), 1);
    QCOMPARE(dataset->classNames[9], "truck");
    QVERIFY(dataset->train.targets.equal(torch::tensor({1, 9, 2, 9, 3, 9, 4, 9, 5, 9}, torch::kInt64)));
    const auto first = dataset->train.inputs[0];
    QVERIFY(first[0].eq(10).all().item<bool>() && first[1].eq(20).all().item<bool>() &&
            first[2].eq(30).all().item<bool>());
    // As the published archive unpacks, one folder further down.
    QVERIFY(QDir().mkpath(in("below/cifar-10-batches-bin")));
    writeCifar10(in("below/cifar-10-batches-bin"));
    QCOMPARE(saidBy(choiceOf("cifar10", "folder", in("below"))), QString());
}

void TorchDataFilesTest::loadsCifar100ByClassAndByGroup() {
    writeBytes(in("train.bin"),
               record(QByteArray::fromHex("1363"), 1, 2, 3) + record(QByteArray::fromHex("0000"), 1, 2, 3));
    writeBytes(in("test.bin"), record(QByteArray::fromHex("0105"), 1, 2, 3));
    spec::Choice choice = choiceOf("cifar100", "folder", m_folder->path());
    choice.params["validation"] = 0.0;
    const auto fine = data::loadDataset(choice, 1);
    QVERIFY2(fine.ok(), fine ? "" : fine.error().text().c_str());
    QVERIFY(fine->classes == 100 && fine->train.targets[0].item<int>() == 99);
    choice.params["groups"] = true;
    const auto coarse = data::loadDataset(choice, 1);
    QVERIFY(coarse.ok() && coarse->classes == 20 && coarse->train.targets[0].item<int>() == 19);
    for (const auto* names : {&fine->classNames, &coarse->classNames}) {
        QCOMPARE(static_cast<std::int64_t>(std::set<std::string>(names->begin(), names->end()).size()),
                 names == &fine->classNames ? fine->classes : coarse->classes);
    }
}

void TorchDataFilesTest::refusesBadCifar() {
    const spec::Choice choice = choiceOf("cifar10", "folder", m_folder->path());
    const QString ownFolder =
        " (copy the file again, or leave dataset.params.folder out and: trainyardctl datasets download cifar10";
    compareText(saidBy(choice), "data_batch_1.bin: the file does not exist" + ownFolder);
    writeCifar10(m_folder->path());
    QVERIFY(QFile::remove(in("data_batch_4.bin")));
    compareText(saidBy(choice), "data_batch_4.bin: the file does not exist");
    writeBytes(in("data_batch_4.bin"), record("\xff", 1, 2, 3));
    compareText(saidBy(choice), "data_batch_4.bin, byte 0: label 255 is not one of the 10 classes" + ownFolder);
    writeBytes(in("data_batch_4.bin"), record("\1", 1, 2, 3).chopped(5));
    compareText(saidBy(choice), "data_batch_4.bin, byte 0: has 3068 bytes, which is not a multiple of a record's 3073");
}

void TorchDataFilesTest::loadsTablesOfClasses() {
    QByteArray rows = "size,colour,kind\n";
    for (int i = 0; i < 40; ++i)
        rows += QByteArray::number(i) + (i % 2 ? ",red" : ",blue") + (i < 20 ? ",small\n" : ",large\n");
    spec::Choice choice = table(rows);
    const auto dataset = data::loadDataset(choice, 5);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->classNames, (std::vector<std::string>{"large", "small"}));
    QCOMPARE(dataset->featureNames, (std::vector<std::string>{"size", "colour = blue", "colour = red"}));
    QCOMPARE(dataset->train.size(), 32);
    // Standardised over the training rows; the validation rows by the same numbers.
    QVERIFY(dataset->train.inputs.mean(0).abs().max().item<double>() < 1e-5);
    QVERIFY((dataset->train.inputs.std(0, false) - 1).abs().max().item<double>() < 1e-5);
    const auto raw = torch::cat({dataset->train.inputs, dataset->validation.inputs})
                         .select(1, 0)
                         .to(torch::kFloat64)
                         .mul(dataset->stddev[0])
                         .add(dataset->mean[0])
                         .round();
    const auto small = torch::cat({dataset->train.targets, dataset->validation.targets}).eq(1);
    QVERIFY(small.equal(raw < 20)); // every row kept its label
    choice.params["target"] = std::string("colour");
    choice.params["ignore"] = std::string("1, kind");
    compareText(saidBy(choice), "has no column beside the target");
    choice.params["ignore"] = std::string("kind");
    QCOMPARE(saidBy(choice), QString());
    // Numbers as labels, not from zero on.
    const auto numbered = data::loadDataset(table("x,y\n1,7\n2,-1\n3,7\n4,-1\n5,3\n"), 1);
    QVERIFY2(numbered.ok(), numbered ? "" : numbered.error().text().c_str());
    QCOMPARE(numbered->classNames, (std::vector<std::string>{"-1", "3", "7"}));
}

void TorchDataFilesTest::loadsTablesOfNumbers() {
    QByteArray rows = "a;b;sum;difference\n";
    for (int i = 0; i < 50; ++i) {
        const int a = i * 7 % 11, b = i * 3 % 13;
        rows += QByteArray::number(a) + ';' + QByteArray::number(b) + ';' + QByteArray::number(a + b) + ';' +
                QByteArray::number(a - b) + '\n';
    }
    spec::Choice choice = table(rows);
    choice.params["target"] = std::string("sum,difference");
    const auto dataset = data::loadDataset(choice, 5, TaskKind::Regression);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QVERIFY(dataset->classes == 2 && dataset->train.targets.sizes() == at::IntArrayRef({40, 2}));
    QVERIFY(dataset->train.targets.scalar_type() == torch::kFloat64); // until they are standardised
    // What a model is given is standardised; what is kept is not.
    const auto batch = data::gather(*dataset, dataset->train, torch::arange(40, torch::kInt64));
    QVERIFY(batch.targets.scalar_type() == torch::kFloat32);
    QVERIFY(batch.targets.mean(0).abs().max().item<double>() < 1e-5);
    const auto inputs = dataset->train.inputs.to(torch::kFloat64) * torch::tensor(dataset->stddev, torch::kFloat64) +
                        torch::tensor(dataset->mean, torch::kFloat64);
    QVERIFY((inputs.sum(1) - dataset->train.targets.select(1, 0)).abs().max().item<double>() < 1e-4);
}

// Each with four rows; the notes are what log, preview and show say.
void TorchDataFilesTest::loadsTablesAsPeopleHaveThem_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("params"); // name=value, with bars between them
    QTest::addColumn<QStringList>("features");
    QTest::addColumn<QStringList>("classes");
    QTest::addColumn<QString>("note");
    const QStringList ab{"a", "b"}, two{"0", "1"};
    QTest::newRow("the target is the last") << QByteArray("a,b,label\n1.5,2,0\n2,3,1\n3,4,0\n4,6,1\n") << "" << ab
                                            << two << "predicts \"label\" (2 classes) from 2 columns: \"a\", \"b\"";
    QTest::newRow("the target is the first")
        << QByteArray("label,a,b\n0,1.5,2\n1,2,3\n0,3,4\n1,4,6\n") << "target=label" << ab << two
        << "predicts \"label\" (2 classes) from 2 columns: \"a\", \"b\"";
    QTest::newRow("names that are numbers") << QByteArray("0,1,2\n0.5,2.5,0\n2,3,1\n3,4,0\n4,6,1\n") << ""
                                            << QStringList{"0", "1"} << two << "predicts \"2\" (2 classes)";
    QTest::newRow("by the number, in spite of the names")
        << QByteArray("label,1,2\n0,0.5,2.5\n1,2,3\n0,3,4\n1,4,6\n") << "target=#1" << QStringList{"1", "2"} << two
        << "predicts \"label\"";
    QTest::newRow("an index without a name") << QByteArray(",a,b,label\n0,1.5,2,0\n1,2,3,1\n2,3,4,0\n3,4,6,1\n") << ""
                                             << ab << two << "left out columns: \"Unnamed: 0\" (numbers the rows)";
    QTest::newRow("a separator at the end") << QByteArray("a,b,label,\n1.5,2,0,\n2,3,1,\n3,4,0,\n4,6,1,\n") << "" << ab
                                            << two << "left out columns: \"Unnamed: 3\" (empty)";
    QTest::newRow("an index that is left out by name")
        << QByteArray(",a,b,label\n5,1.5,2,0\n5,2,3,1\n6,3,4,0\n6,4,6,1\n") << "ignore=Unnamed: 0" << ab << two
        << "left out columns: \"Unnamed: 0\"";
    QTest::newRow("an index with a name")
        << QByteArray("id,a,label\n1,1.5,0\n2,2,1\n3,3,0\n4,4,1\n") << "" << QStringList{"id", "a"} << two
        << "\"id\" counts the rows; leave it out if it says nothing of the target";
    QTest::newRow("what is left out is not judged")
        << QByteArray("ticket,a,b,label\n20001,1.5,2,0\nA/5 7,2,3,1\n,3,4,0\n1e999,4,6,1\n") << "ignore=ticket" << ab
        << two << "left out columns: \"ticket\"";
    QTest::newRow("thousands") << QByteArray("a,b,label\n\"50,012\",0.5,0\n\"9,000\",3,1\n950,4,0\n\"1,000,000\",6,1\n")
                               << "" << ab << two << "\"a\" is read as numbers: \"50,012\" is 50012";
    QTest::newRow("a German table") << QByteArray("a;b;label\n1,5;2;0\n2,25;3;1\n3;4;0\n4;6;1\n") << "" << ab << two
                                    << "\"a\" is read as numbers: \"1,5\" is 1.5";
    QTest::newRow("said to have decimal commas")
        << QByteArray("a;b;label\n1,125;2;0\n2,250;3;1\n3,500;4;0\n4,000;6;1\n") << "decimal=comma" << ab << two
        << "\"a\" is read as numbers: \"1,125\" is 1.125";
    QTest::newRow("said to have thousands")
        << QByteArray("a;b;label\n1,125;2;0\n2,250;3;1\n3,500;4;0\n4,000;6;1\n") << "decimal=point" << ab << two
        << "\"a\" is read as numbers: \"1,125\" is 1125";
    QTest::newRow("percent") << QByteArray("a,b,label\n45%,2,0\n5.5%,3,1\n3%,4,0\n4%,6,1\n") << "" << ab << two
                             << "\"a\" is read as numbers in %";
    QTest::newRow("dates") << QByteArray(
                                  "a,when,label\n1,2024-01-31,0\n3,2024-02-01,1\n2,2024-01-31,0\n5,2024-02-01,1\n")
                           << "" << QStringList{"a",         "when: year",    "when: month",
                                                "when: day", "when: weekday", "when: seconds"}
                           << two << "\"when\" is read as dates, with the features year, month, day, weekday, seconds";
    QTest::newRow("dates as words")
        << QByteArray("a,when,label\n1,2024-01-31,0\n3,2024-02-01,1\n2,2024-01-31,0\n5,2024-02-01,1\n") << "dates=words"
        << QStringList{"a", "when = 2024-01-31", "when = 2024-02-01"} << two
        << "\"when\" is read as words, a feature for each, though each looks like a date";
    QTest::newRow("words alone, without names")
        << QByteArray("red,small,yes\nblue,large,no\nred,large,yes\nblue,small,no\n") << ""
        << QStringList{"column 1 = blue", "column 1 = red", "column 2 = large", "column 2 = small"}
        << QStringList{"no", "yes"} << "predicts \"column 3\" (2 classes)";
}

void TorchDataFilesTest::loadsTablesAsPeopleHaveThem() {
    QFETCH(QByteArray, content);
    QFETCH(QString, params);
    QFETCH(QStringList, features);
    QFETCH(QStringList, classes);
    QFETCH(QString, note);
    spec::Choice choice = table(content);
    choice.params["validation"] = 25.0;
    for (const QString& param : params.split('|', Qt::SkipEmptyParts))
        choice.params[param.section('=', 0, 0).toStdString()] = param.section('=', 1).toStdString();
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QStringList foundFeatures, foundClasses, notes;
    for (const auto& each : dataset->featureNames) foundFeatures << QString::fromStdString(each);
    for (const auto& each : dataset->classNames) foundClasses << QString::fromStdString(each);
    for (const auto& each : dataset->notes) notes << QString::fromStdString(each);
    QCOMPARE(foundFeatures, features);
    QCOMPARE(foundClasses, classes);
    QCOMPARE(dataset->train.size() + dataset->validation.size(), 4);
    QVERIFY2(notes.join('\n').contains(note), qPrintable(notes.join('\n')));
}

// 60 rows: a number is missing in every sixth, a word in every tenth, the target in one.
void TorchDataFilesTest::fillsMissingCellsFromTrainingRows() {
    QByteArray rows = "size,colour,kind\n";
    for (int i = 0; i < 60; ++i)
        rows += (i % 6 == 0 ? QByteArray() : QByteArray::number(i * i)) + ',' +
                (i % 10 == 5 ? "NA"
                 : i % 2     ? "red"
                             : "blue") +
                ',' +
                (i == 59  ? ""
                 : i < 30 ? "small"
                          : "large") +
                '\n';
    spec::Choice choice = table(rows);
    choice.params["missing"] = std::string("refuse");
    compareText(saidBy(choice),
                "line 2, column 1 (size): the cell is empty; missing in all: 10 of \"size\", 6 of "
                "\"colour\", 1 of \"kind\" (fill it in; or set dataset.params.missing to \"drop\", which "
                "leaves out 17 of 60 rows, or to \"fill\"");
    choice.params.erase("missing"); // the default
    const auto dataset = data::loadDataset(choice, 5);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->featureNames,
             (std::vector<std::string>{"size", "colour = blue", "colour = red", "colour = (missing)"}));
    QCOMPARE(dataset->train.size() + dataset->validation.size(), 59);
    QVERIFY(!dataset->train.inputs.isnan().any().item<bool>() &&
            !dataset->validation.inputs.isnan().any().item<bool>());
    // The median is that of the training rows which have a value: half of them are below it.
    QVERIFY(dataset->table.features[0].fill.has_value());
    const double fill = *dataset->table.features[0].fill;
    const auto raw = dataset->train.inputs.select(1, 0).to(torch::kFloat64) * dataset->stddev[0] + dataset->mean[0];
    const auto below = (raw < fill - 1e-3).sum().item<std::int64_t>(),
               above = (raw > fill + 1e-3).sum().item<std::int64_t>();
    QCOMPARE(below, above);
    QVERIFY(dataset->train.size() - below - above >= 5); // those that were filled in
    QVERIFY(dataset->notes[1].starts_with("filled in missing cells: 10 of \"size\" by the median "));
    QVERIFY(dataset->notes[1].ends_with(
        "6 of \"colour\" by the word \"(missing)\"; left out 1 of 60 rows without a target"));
}

void TorchDataFilesTest::leavesOutRowsWithMissingCells() {
    QByteArray rows = "a,b,kind\n";
    for (int i = 0; i < 40; ++i)
        rows += QByteArray::number(i) + ',' + (i % 4 == 1 ? "?" : QByteArray::number(100 + i)) + ',' +
                (i < 20 ? "x" : "y") + '\n';
    spec::Choice choice = table(rows);
    choice.params["missing"] = std::string("drop");
    choice.params["standardise"] = false;
    const auto dataset = data::loadDataset(choice, 5);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    const auto all = torch::cat({dataset->train.inputs, dataset->validation.inputs});
    QCOMPARE(all.size(0), 30);
    QVERIFY((all.select(1, 1) - all.select(1, 0)).eq(100).all().item<bool>()); // the others are whole
    QVERIFY(!all.select(1, 0).remainder(4).eq(1).any().item<bool>());
    QCOMPARE(QString::fromStdString(dataset->notes[1]), "left out 10 of 40 rows with missing cells: 10 of \"b\"");
    choice = table("a,w,kind\n1,x,0\n2,,1\n3,y,0\n4,x,1\n5,y,0\n"); // no word of its own for what is left out
    choice.params["missing"] = std::string("drop");
    const auto words = data::loadDataset(choice, 5);
    QVERIFY2(words.ok(), words ? "" : words.error().text().c_str());
    QCOMPARE(words->featureNames, (std::vector<std::string>{"a", "w = x", "w = y"}));
    choice = table("a,b\n,1\n2,\n");
    choice.params["missing"] = std::string("drop");
    compareText(saidBy(choice), "every row has a missing cell: 1 of \"a\", 1 of \"b\"");
}

// Seconds since 1970 are features as good as seconds since the beginning, and a target may have an offset.
// Feature: numbers far from 0 keep their digits: seconds since 1970, targets with an offset.
void TorchDataFilesTest::numbersFarFromZeroKeepTheirDigits() {
    const auto loaded = [&](double offset, double lift, double scale) {
        QByteArray rows = "t,y\n";
        for (int i = 0; i < 50; ++i)
            rows += QByteArray::number(offset + i * 0.25, 'f', 2) + ',' +
                    QByteArray::number(lift + scale * (i * 7 % 13), 'f', 4) + '\n';
        return data::loadDataset(table(rows), 3, TaskKind::Regression);
    };
    const auto near = loaded(0, 0, 3);
    QVERIFY2(near.ok(), near ? "" : near.error().text().c_str());
    const auto learned = [](const data::Dataset& dataset) {
        return data::gather(dataset, dataset.train, torch::arange(dataset.train.size(), torch::kInt64));
    };
    for (const auto& [offset, lift, scale] : {std::array{1.7e9, 0.0, 3.0}, {1.7e12, 1e9, 3.0}, {-4e8, 1e7, 0.003}}) {
        const auto far = loaded(offset, lift, scale);
        QVERIFY2(far.ok(), far ? "" : far.error().text().c_str());
        QVERIFY(torch::allclose(learned(*far).inputs, learned(*near).inputs, 1e-4, 1e-4));
        QVERIFY(torch::allclose(learned(*far).targets, learned(*near).targets, 1e-4, 1e-4));
    }
}

// Bad inputs: tables as datasets.
void TorchDataFilesTest::refusesBadTables_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("params"); // name=value
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("says");
    const QByteArray good = "a,b\n1,0\n2,1\n3,0\n";
    QTest::newRow("ragged") << good + "4\n" << "" << "classification" << "line 5: has 1 cells";
    QTest::newRow("no such column") << good << "target=c" << "classification"
                                    << "table.csv has no column \"c\" (its columns: a, b)";
    QTest::newRow("header missing") << QByteArray("1,0\n2,1\n") << "target=b" << "classification" << "it has no header";
    QTest::newRow("column twice") << good << "target=a,1" << "regression" << "names the column \"1\" twice";
    QTest::newRow("two classes a row") << good << "target=a,b"
                                       << "classification"
                                       << "names 2 columns, and a class is one";
    QTest::newRow("one class") << QByteArray("a,b\n1,0\n2,0\n") << ""
                               << "classification"
                               << "every row has the same class, \"0\"";
    QTest::newRow("one word") << QByteArray("a,b\n1,x\n2,x\n") << ""
                              << "classification"
                              << "every row has the same class, \"x\"";
    QTest::newRow("label not whole") << good + "4,0.5\n"
                                     << "" << "classification"
                                     << "line 5, column 2 (b): 0.5 is not a class";
    QTest::newRow("label out of range") << good + "4,2\n"
                                        << "classes=2" << "classification"
                                        << "line 5, column 2 (b): label 2 is not one of the 2 classes, 0 to 1";
    QTest::newRow("label below zero") << good + "4,-1\n"
                                      << "classes=2"
                                      << "classification"
                                      << "label -1 is not one of the 2 classes";
    QTest::newRow("words counted wrong") << QByteArray("a,b\n1,x\n2,y\n") << "classes=3" << "classification"
                                         << "3 classes are asked for, and column \"b\" has 2 different words";
    QTest::newRow("words for regression") << QByteArray("a,b\n1,x\n2,y\n") << ""
                                          << "regression"
                                          << "the target has words in it";
    QTest::newRow("words refused") << QByteArray("a,b\nx,1\ny,2\n") << "words=refuse" << "classification"
                                   << "line 2, column 1 (a): the feature has words in it";
    QTest::newRow("only a target") << QByteArray("b\n1\n2\n") << ""
                                   << "classification"
                                   << "has no column beside the target";
    QTest::newRow("one row of a class") << QByteArray("a,b\n0.5,0\n") << "" << "classification"
                                        << "every row has the same class, \"0\" (add rows)";
    QTest::newRow("one row") << QByteArray("a,b\n1,0\n") << "" << "regression" << "1 samples are too few";
    QByteArray many = "a,b\n";
    for (int i = 0; i < 1001; ++i) many += "1," + QByteArray::number(i) + "\n";
    QTest::newRow("as many classes as rows")
        << many << ""
        << "classification"
        << "more than 1000 different numbers (choose another target, or set task to regression)";
    QByteArray words = "a,b\n";
    for (int i = 0; i < 101; ++i) words += "w" + QByteArray::number(i) + "," + QByteArray::number(i % 2) + "\n";
    QTest::newRow("too many words") << words << "" << "classification" << "the feature has 101 different words";
    QTest::newRow("a name and a number")
        << QByteArray("label,1,2\n0,0.5,1\n1,1.5,2\n") << "target=1"
        << "classification"
        << "\"1\" is the name of column 2, and the number of the column \"label\" (write "
           "\"#2\" for the first, or \"#1\" for the other)";
    QTest::newRow("no value to fill in") << QByteArray("a,b,c\n,1,0\n,2,1\n,3,0\n") << "missing=fill"
                                         << "classification"
                                         << "no training row has a value in the column \"a\"";
    QByteArray dates = "when,b\n";
    for (int i = 0; i < 101; ++i) dates += QByteArray::number(1900 + i) + "-01-31," + QByteArray::number(i % 2) + "\n";
    QTest::newRow("many dates")
        << dates << "dates=words" << "classification"
        << "the feature has 101 different words, and at most 100 become features, each of them a "
           "date (leave the column out (dataset.params.ignore)";
    QTest::newRow("digits that get lost")
        << QByteArray("a,b\n1,1000000001\n2,1000000004\n3,1000000002\n4,1000000007\n") << "standardise=false"
        << "regression"
        << "single precision cannot hold that (set dataset.params.standardise to true)";
    QTest::newRow("no file") << QByteArray() << "file=" << "classification" << "dataset.params.file: is missing";
}

void TorchDataFilesTest::refusesBadTables() {
    QFETCH(QByteArray, content);
    QFETCH(QString, params);
    QFETCH(QString, task);
    QFETCH(QString, says);
    spec::Choice choice = table(content);
    if (const auto equals = params.indexOf('='); equals > 0) {
        const std::string name = params.left(equals).toStdString(), value = params.mid(equals + 1).toStdString();
        if (name == "classes") choice.params[name] = std::int64_t{std::stoll(value)};
        else if (name == "standardise") choice.params[name] = value == "true";
        else choice.params[name] = value;
    }
    compareText(saidBy(choice, *train::taskFromString(task.toStdString())), says);
}

void TorchDataFilesTest::loadsTexts() {
    QByteArray text;
    for (int i = 0; i < 100; ++i) text += "abcde fghi";
    writeBytes(in("text"), text);
    spec::Choice choice = choiceOf("text", "file", in("text"));
    choice.params["sequenceLength"] = std::int64_t{20};
    choice.params["test"] = 10.0;
    const auto dataset = data::loadDataset(choice, 1, TaskKind::Language);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->classes, 10);
    QVERIFY(dataset->train.size() == 39 && dataset->validation.size() == 4 && dataset->test.size() == 4);
    const auto batch = data::gather(*dataset, dataset->train, torch::tensor({0, 38}, torch::kInt64));
    QVERIFY(batch.inputs.scalar_type() == torch::kInt64 && batch.inputs.sizes() == at::IntArrayRef({2, 20}));
    // The target of each place is the token of the next.
    QVERIFY(batch.inputs.slice(1, 1, 20).equal(batch.targets.slice(1, 0, 19)));
    std::string first;
    for (int i = 0; i < 20; ++i)
        first += dataset->classNames[static_cast<std::size_t>(batch.inputs[0][i].item<std::int64_t>())];
    QCOMPARE(first, "abcde fghiabcde fghi");
    choice.params["stride"] = std::int64_t{5};
    QCOMPARE(data::loadDataset(choice, 1, TaskKind::Language)->train.size(), (800 - 21) / 5 + 1);
}

void TorchDataFilesTest::refusesBadTexts() {
    writeBytes(in("text"), "too short");
    compareText(saidBy(choiceOf("text", "file", in("text")), TaskKind::Language),
                "the text's part for training has 9 tokens, and a sample takes 129");
    writeBytes(in("text"), QByteArray(5000, 'a'));
    compareText(saidBy(choiceOf("text", "file", in("text")), TaskKind::Language), "has only one different character");
    writeBytes(in("text"), "caf\xE9");
    compareText(saidBy(choiceOf("text", "file", in("text")), TaskKind::Language), "text, byte 3: is not UTF-8");
    compareText(saidBy({"text", {}}, TaskKind::Language), "dataset.params.file: is missing");
}

void TorchDataFilesTest::refusesWhatDoesNotFitMemory() {
    // 8 TB, and each image 48 MB: refused by the estimate, before a byte of it is asked for.
    const auto blobs = data::loadDataset({"blobs", {{"samples", 1e7}, {"features", 1e5}}}, 1);
    QVERIFY(!blobs.ok() && blobs.error().kind == ErrorKind::Environment);
    compareText(QString::fromStdString(blobs.error().text()),
                "dataset blobs: needs about 8000.0 GB of memory in each worker, and ");
    QVERIFY(data::checkMemoryFor(1e6, "a small set").ok());
    QVERIFY(train::availableMemory() > 1e7);
}

void TorchDataFilesTest::tasksAreChecked() {
    compareText(saidBy({"spirals", {}}, TaskKind::Regression),
                "dataset spirals serves classification, and the run's task is regression");
    compareText(saidBy({"waves", {}}), "dataset waves serves regression");
    compareText(saidBy({"sentences", {}}), "dataset sentences serves language");
    QCOMPARE(saidBy({"waves", {}}, TaskKind::Regression), QString());
    QCOMPARE(saidBy({"sentences", {}}, TaskKind::Language), QString());
}

void TorchDataFilesTest::keepsATest() {
    const auto dataset =
        data::loadDataset({"blobs", {{"samples", std::int64_t{100}}, {"validation", 20.0}, {"test", 30.0}}}, 4);
    QVERIFY(dataset.ok());
    QVERIFY(dataset->train.size() == 50 && dataset->validation.size() == 20 && dataset->test.size() == 30);
    const auto all = torch::cat({dataset->train.inputs, dataset->validation.inputs, dataset->test.inputs}).select(1, 0);
    QCOMPARE(std::get<0>(torch::_unique(all)).size(0), 100); // no sample in two parts
    const auto again =
        data::loadDataset({"blobs", {{"samples", std::int64_t{100}}, {"validation", 20.0}, {"test", 30.0}}}, 4);
    QVERIFY(again->test.inputs.equal(dataset->test.inputs));
}

QTEST_GUILESS_MAIN(TorchDataFilesTest)
#include "torch_data_files_test.moc"
