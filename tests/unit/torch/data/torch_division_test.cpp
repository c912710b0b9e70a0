// SPDX-License-Identifier: GPL-3.0-or-later
// How a set is divided into parts: groups that stay together, folds of pictures, a file of its own for validation.
#include "engine/torch/data/dataset.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QTemporaryDir>

#include <map>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;
using train::TaskKind;

class TorchDivisionTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string in(const QString& name) const { return m_folder.filePath(name).toStdString(); }

    // Which numbers of the first feature are in a part.
    static std::set<int> numbersIn(const data::Dataset& dataset, const data::Split& split) {
        std::set<int> numbers;
        for (std::int64_t i = 0; i < split.size(); ++i)
            numbers.insert(
                static_cast<int>(std::lround(split.inputs[i][0].item<double>() * dataset.stddev[0] + dataset.mean[0])));
        return numbers;
    }
    // 300 rows of 30 patients, of whom each fifth has class "ill".
    void writePatients(const QString& name) const {
        QByteArray text = "row,patient,kind\n";
        for (int i = 0; i < 300; ++i) {
            const int patient = i % 30;
            text +=
                QByteArray::number(i) + ",p" + QByteArray::number(patient) + (patient % 5 == 0 ? ",ill\n" : ",well\n");
        }
        writeBytes(in(name), text);
    }

private Q_SLOTS:
    void rowsOfAGroupStayTogether_data();
    void rowsOfAGroupStayTogether();
    void groupsOfATableAreNoFeature();
    void validatesOnAnotherFile();
    void refusesAnotherFile_data();
    void refusesAnotherFile();
    void picturesComeInFoldsAndGroups();
    void refusesDivisionsOfPictures();
};

void TorchDivisionTest::rowsOfAGroupStayTogether_data() {
    QTest::addColumn<double>("validation");
    QTest::addColumn<double>("test");
    QTest::addColumn<int>("folds");
    QTest::addColumn<bool>("byClass");
    QTest::newRow("a share") << 20.0 << 0.0 << 0 << false;
    QTest::newRow("by class, beside a test") << 20.0 << 20.0 << 0 << true;
    QTest::newRow("folds") << 20.0 << 0.0 << 4 << false;
    QTest::newRow("folds by class, beside a test") << 20.0 << 15.0 << 3 << true;
}

// Feature: grouped division: all rows of a patient are in one part, by seed, with shares and classes as near as can be.
void TorchDivisionTest::rowsOfAGroupStayTogether() {
    QFETCH(double, validation);
    QFETCH(double, test);
    QFETCH(int, folds);
    QFETCH(bool, byClass);
    writePatients("patients.csv");
    spec::Choice choice{"csv",
                        {{"file", in("patients.csv")},
                         {"groupColumn", std::string("patient")},
                         {"validation", validation},
                         {"test", test},
                         {"folds", std::int64_t{folds}}}};
    const spec::DataRules rules{.division = byClass ? "class" : "random"};
    std::multiset<int> validated;
    std::set<int> tested;
    for (int fold = 0; fold < std::max(1, folds); ++fold) {
        choice.params["fold"] = std::int64_t{fold};
        const auto dataset = data::loadDataset(choice, 7, TaskKind::Classification, rules);
        QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
        std::map<int, std::set<int>> partsOf; // of each patient
        std::size_t rows = 0;
        int number = 0;
        for (const data::Split* part : {&dataset->train, &dataset->validation, &dataset->test}) {
            for (const int row : numbersIn(*dataset, *part)) partsOf[row % 30].insert(number);
            rows += static_cast<std::size_t>(part->size());
            ++number;
        }
        QCOMPARE(rows, std::size_t{300});
        for (const auto& [patient, parts] : partsOf) QCOMPARE(parts.size(), std::size_t{1});
        const double share = folds > 0 ? (100 - test) / folds : validation;
        QVERIFY2(std::abs(static_cast<double>(dataset->validation.size()) - 3 * share) < 25,
                 qPrintable(QString::number(dataset->validation.size())));
        if (byClass) {
            const double ill = dataset->validation.targets.eq(0).sum().item<double>();
            QVERIFY2(ill > 0 && ill < static_cast<double>(dataset->validation.size()), "a class is missing");
        }
        const auto held = numbersIn(*dataset, dataset->test);
        if (fold == 0) tested = held;
        QVERIFY(held == tested && held.empty() == (test == 0)); // the same for all folds
        for (const int row : numbersIn(*dataset, dataset->validation)) validated.insert(row);
        const auto again = data::loadDataset(choice, 7, TaskKind::Classification, rules);
        const auto other = data::loadDataset(choice, 8, TaskKind::Classification, rules);
        QVERIFY(again->train.inputs.equal(dataset->train.inputs));
        QVERIFY(numbersIn(*other, other->train) != numbersIn(*dataset, dataset->train));
    }
    if (folds > 0) QCOMPARE(validated.size() + tested.size(), std::size_t{300}); // each row once
}

void TorchDivisionTest::groupsOfATableAreNoFeature() {
    QByteArray text = "size,weight,id\n"; // more groups than a column of words may have words
    for (int i = 0; i < 1500; ++i)
        text += QByteArray::number(i % 7) + "," + QByteArray::number(i % 11) + "," + QByteArray::number(i) + "\n";
    writeBytes(in("many.csv"), text);
    spec::Choice choice{"csv", {{"file", in("many.csv")}, {"groupColumn", std::string("id")}}};
    const auto many = data::loadDataset(choice, 1, TaskKind::Regression);
    QVERIFY2(many.ok(), many ? "" : many.error().text().c_str());
    QVERIFY(many->featureNames == std::vector<std::string>{"size"} && many->validation.size() == 300);
    const auto said = [&](TaskKind task) {
        const auto dataset = data::loadDataset(choice, 1, task);
        return QString::fromStdString(dataset ? "" : dataset.error().text());
    };
    writePatients("patients.csv");
    choice.params = {{"file", in("patients.csv")}, {"groupColumn", std::string("patient")}};
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QCOMPARE(dataset->featureNames, std::vector<std::string>{"row"});
    QCOMPARE(dataset->notes[1], std::string("each of 30 groups of \"patient\" is in one part"));
    choice.params["groupColumn"] = std::string("kind");
    choice.params["target"] = std::string("kind");
    QVERIFY2(said(TaskKind::Classification).contains("dataset.params.groupColumn: names the target \"kind\""),
             qPrintable(said(TaskKind::Classification)));
    choice.params["groupColumn"] = std::string("patients");
    QVERIFY(said(TaskKind::Classification).contains("has no column \"patients\" (its columns: row, patient, kind)"));
    choice.params["groupColumn"] = std::string("patient");
    choice.params["folds"] = std::int64_t{40};
    QVERIFY2(said(TaskKind::Classification).contains("makes 30 groups of the samples, and there are 40 parts"),
             qPrintable(said(TaskKind::Classification)));
}

// Feature: a file of its own for validation: its columns in any order, filled in and scaled as the training rows are.
void TorchDivisionTest::validatesOnAnotherFile() {
    QByteArray train = "size,colour,kind\n", other = "note,kind,colour,size\n";
    for (int i = 0; i < 40; ++i) {
        train += (i == 3 ? QByteArray() : QByteArray::number(i)) + (i % 2 ? ",red" : ",blue") +
                 (i < 20 ? ",small\n" : ",large\n");
        if (i % 4 == 0)
            other += "x" + QByteArray::number(i) + (i < 20 ? ",small" : ",large") + (i % 2 ? ",red," : ",blue,") +
                     (i == 8 ? QByteArray() : QByteArray::number(i + 100)) + "\n";
    }
    writeBytes(in("train.csv"), train);
    writeBytes(in("other.csv"), other);
    spec::Choice choice{"csv", {{"file", in("train.csv")}, {"validationFile", in("other.csv")}}};
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QVERIFY(dataset->train.size() == 40 && dataset->validation.size() == 10 && dataset->test.size() == 0);
    const auto sizes =
        dataset->validation.inputs.select(1, 0).to(torch::kFloat64) * dataset->stddev[0] + dataset->mean[0];
    for (std::int64_t i = 0; i < 10; ++i) {
        const double wanted = i == 2 ? *dataset->table.features[0].fill : 100 + 4 * static_cast<double>(i);
        QVERIFY2(std::abs(sizes[i].item<double>() - wanted) < 1e-3, qPrintable(QString::number(i)));
        QCOMPARE(dataset->validation.targets[i].item<std::int64_t>(), i < 5 ? 1 : 0); // "large" is the first
        QVERIFY(dataset->validation.inputs[i][1].item<double>() > 0);                 // blue
    }
    QCOMPARE(dataset->notes.back(), "validates on 10 rows of " + in("other.csv"));
    const auto alone = data::loadDataset({"csv", {{"file", in("train.csv")}, {"validation", 0.0}}}, 1);
    QVERIFY(alone->train.inputs.equal(dataset->train.inputs) && alone->digest != dataset->digest);
    choice.params["test"] = 10.0;
    const auto tested = data::loadDataset(choice, 1);
    QVERIFY(tested->train.size() == 36 && tested->test.size() == 4 && tested->validation.size() == 10);
}

void TorchDivisionTest::refusesAnotherFile_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* what, const char* content, const char* says) {
        QTest::newRow(what) << QByteArray(content) << QString(says);
    };
    row("a column is gone", "siz,colour,group,kind\n1,red,9,small\n",
        "other.csv: has no column \"size\", which FOLDER/train.csv has (rename \"siz\" to it, if it is that column; "
        "its "
        "columns: siz, colour, group, kind)");
    row("a column is gone, and the nearest name is taken", "colour,group,kinds,kind\nred,9,x,small\n",
        "other.csv: has no column \"size\", which FOLDER/train.csv has (its columns: colour, group, kinds, kind)");
    row("another word", "size,colour,group,kind\n1,green,9,small\n",
        "line 2, column 2 (colour): \"green\" is not one of the words that the model was trained on");
    row("another class", "size,colour,group,kind\n1,red,9,smal\n",
        "line 2, column 4 (kind): \"smal\" is a class of no row of FOLDER/train.csv (did you mean \"small\"?)");
    row("words for numbers", "size,colour,group,kind\n1,red,9,small\nbig,red,9,small\n",
        "line 3, column 1 (size): \"big\" is not a number");
    row("another unit", "size,colour,group,kind\n1%,red,9,small\n",
        "line 2, column 1 (size): the numbers have the unit \"%\", and those of FOLDER/train.csv have no unit (write "
        "them "
        "in the same unit)");
    row("a group of both", "size,colour,group,kind\n1,red,9,small\n2,red,2,small\n",
        "line 3, column 3 (group): the group \"2\" has rows in FOLDER/train.csv, too (put its rows into one of the "
        "files, "
        "or set dataset.params.groupColumn to \"\")");
    row("the same file", "", "holds the same as FOLDER/train.csv, so that a run would validate on what it trains on");
    row("no rows", "size,colour,group,kind\n", "has a header and no rows");
    row("folds", "folds", "dataset.params.folds: is 5, and dataset.params.validationFile has the rows for validation");
}

// Bad inputs: a file for validation that does not fit the table is refused with place and remedy.
void TorchDivisionTest::refusesAnotherFile() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    QByteArray train = "size,colour,group,kind\n";
    for (int i = 0; i < 20; ++i)
        train += QByteArray::number(i) + (i % 2 ? ",red," : ",blue,") + QByteArray::number(i % 5) +
                 (i < 10 ? ",small\n" : ",large\n");
    writeBytes(in("train.csv"), train);
    writeBytes(in("other.csv"), content.isEmpty() ? train : content);
    spec::Choice choice{"csv",
                        {{"file", in("train.csv")},
                         {"validationFile", in("other.csv")},
                         {"groupColumn", std::string("group")},
                         {"folds", std::int64_t{content == "folds" ? 5 : 0}}}};
    const auto dataset = data::loadDataset(choice, 1);
    QVERIFY(!dataset.ok());
    const QString said = QString::fromStdString(dataset.error().text());
    QVERIFY2(said.contains(says.replace("FOLDER", m_folder.path())), qPrintable(said));
}

// Feature: pictures with labels in a file: cross-validation in folds, and groups that stay together.
void TorchDivisionTest::picturesComeInFoldsAndGroups() {
    QByteArray labels = "file,label,animal\n";
    QDir().mkpath(m_folder.filePath("pets"));
    for (int i = 0; i < 24; ++i) {
        const QByteArray name = "p" + QByteArray::number(i) + ".png";
        writeBytes(in("pets/" + QString(name)),
                   pngOf(4, 4, PNG_FORMAT_GRAY, QByteArray(16, static_cast<char>(i * 10))));
        labels += name + (i % 2 ? ",cat," : ",dog,") + QByteArray::number(i / 3) + "\n";
    }
    writeBytes(in("pets/labels.csv"), labels);
    spec::Choice choice{"images",
                        {{"folder", in("pets")},
                         {"labels", std::string("labels.csv")},
                         {"colour", std::string("grey")},
                         {"width", std::int64_t{4}},
                         {"height", std::int64_t{4}},
                         {"folds", std::int64_t{4}}}};
    for (const char* column : {"", "animal"}) {
        choice.params["groupColumn"] = std::string(column);
        std::set<int> validated;
        for (std::int64_t fold = 0; fold < 4; ++fold) {
            choice.params["fold"] = fold;
            const auto dataset = data::loadDataset(choice, 3);
            QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
            QVERIFY(dataset->validation.size() == 6 && dataset->train.size() == 18);
            std::set<int> animals;
            for (std::int64_t i = 0; i < 6; ++i) {
                const int picture = dataset->validation.sample(i, {1, 4, 4}).flatten()[0].item<int>() / 10;
                validated.insert(picture);
                animals.insert(picture / 3);
            }
            if (*column) QCOMPARE(animals.size(), std::size_t{2});
        }
        QCOMPARE(validated.size(), std::size_t{24});
    }
}

void TorchDivisionTest::refusesDivisionsOfPictures() {
    QDir().mkpath(m_folder.filePath("parts"));
    for (int i = 0; i < 8; ++i)
        writeBytes(in(QString("parts/%1.png").arg(i)), pngOf(4, 4, PNG_FORMAT_GRAY, QByteArray(16, 'x')));
    spec::Choice choice{"images", {{"folder", in("parts")}, {"labels", std::string("l.csv")}}};
    const auto said = [&](const QByteArray& labels, const char* group, std::int64_t folds) {
        writeBytes(in("parts/l.csv"), labels);
        choice.params["groupColumn"] = std::string(group);
        choice.params["folds"] = folds;
        const auto dataset = data::loadDataset(choice, 3);
        return QString::fromStdString(dataset ? "" : dataset.error().text());
    };
    const QByteArray divided = "file,label,split,who\n0.png,a,train,x\n1.png,b,train,y\n2.png,a,val,x\n3.png,b,val,z\n";
    const auto expect = [](const QString& found, const char* wanted) {
        QVERIFY2(found.contains(wanted), qPrintable(found));
    };
    expect(said(divided, "", 4), "has images for validation of its own (set it to 0");
    expect(said(divided, "who", 0),
           "has the group \"x\" of the column \"who\" in two parts, for training and for validation");
    expect(said(divided, "whom", 0), "has no column \"whom\"; there are");
    expect(said("file,label,who\n0.png,a,\n1.png,b,y\n", "who", 0),
           "line 2, column 3: has no group (write one, or set");
    choice.params["labels"] = std::string();
    expect(said(divided, "who", 0), "dataset.params.labels: is missing (name the file of labels that has the column");
}

QTEST_GUILESS_MAIN(TorchDivisionTest)
#include "torch_division_test.moc"
