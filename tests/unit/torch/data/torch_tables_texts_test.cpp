// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of other kinds than CSV, dates as features, and texts by byte, by BPE and in folders.
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/token_text.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::tests;
using train::TaskKind;

class TorchTablesTextsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string in(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    std::string saidBy(const spec::Choice& choice, TaskKind task = TaskKind::Language) const {
        const auto dataset = data::loadDataset(choice, 1, task);
        return dataset ? std::string() : dataset.error().text();
    }

private Q_SLOTS:
    void jsonLinesAreTheSameTable();
    void datesBecomeFeatures();
    void textsBecomeTokens_data();
    void textsBecomeTokens();
    void documentsEndInAToken();
    void streamedTokensAreThoseOfMemory_data();
    void streamedTokensAreThoseOfMemory();
    void refusesBadTexts();
};

void TorchTablesTextsTest::jsonLinesAreTheSameTable() {
    QByteArray csv = "a,w,kind\n", json;
    for (int i = 0; i < 40; ++i) {
        const QByteArray number = i % 7 == 3 ? QByteArray() : QByteArray::number(i * 0.25),
                         word = i % 3 ? "red" : "blue";
        csv += number + ',' + word + ',' + (i < 20 ? "x" : "y") + '\n';
        json += "{\"a\": " + (number.isEmpty() ? "null" : number) + ", \"w\": \"" + word + "\", \"kind\": \"" +
                (i < 20 ? "x" : "y") + "\"}\n";
    }
    writeBytes(in("t.csv"), csv);
    writeBytes(in("t.jsonl"), json);
    const auto one = data::loadDataset({"csv", {{"file", in("t.csv")}}}, 4);
    const auto other = data::loadDataset({"csv", {{"file", in("t.jsonl")}}}, 4);
    QVERIFY2(one.ok() && other.ok(), other ? "" : other.error().text().c_str());
    QVERIFY(one->train.inputs.equal(other->train.inputs) && one->train.targets.equal(other->train.targets));
    QCOMPARE(one->featureNames, other->featureNames);
    QCOMPARE(other->notes.size(), std::size_t{2});
    QVERIFY(other->notes[1].starts_with("filled in missing cells: 6 of \"a\" by the median "));
}

// Feature: dates and times of a table as features; missing ones are the median of the training rows.
void TorchTablesTextsTest::datesBecomeFeatures() {
    QByteArray rows = "when,at,y\n";
    for (int i = 0; i < 30; ++i)
        rows += (i == 5 ? QByteArray() : "2024-01-" + QByteArray::number(1 + i).rightJustified(2, '0')) + ",1" +
                QByteArray::number(i % 10) + ":30," + QByteArray::number(i) + '\n';
    writeBytes(in("dates.csv"), rows);
    spec::Choice choice{"csv", {{"file", in("dates.csv")}, {"standardise", false}, {"validation", 0.0}}};
    const auto dataset = data::loadDataset(choice, 4, TaskKind::Regression);
    QVERIFY2(dataset.ok() || dataset.error().text().find("standardise") != std::string::npos,
             dataset ? "" : dataset.error().text().c_str());
    choice.params["standardise"] = true;
    const auto scaled = data::loadDataset(choice, 4, TaskKind::Regression);
    QVERIFY2(scaled.ok(), scaled ? "" : scaled.error().text().c_str());
    QCOMPARE(scaled->featureNames, (std::vector<std::string>{"when: year", "when: month", "when: day", "when: weekday",
                                                             "when: seconds", "at: hour", "at: seconds"}));
    const auto raw = scaled->train.inputs.to(torch::kFloat64) * torch::tensor(scaled->stddev, torch::kFloat64) +
                     torch::tensor(scaled->mean, torch::kFloat64);
    QVERIFY(!raw.isnan().any().item<bool>());
    const double fill = *scaled->table.features[0].fill;
    bool filled = false;
    for (std::int64_t i = 0; i < raw.size(0); ++i) {
        const double day = std::nearbyint(raw[i][2].item<double>()), seconds = raw[i][4].item<double>();
        QVERIFY(std::abs(seconds - fill) < 1 || std::abs(seconds - (1704067200 + (day - 1) * 86400)) < 2);
        filled = filled || std::abs(seconds - fill) < 1;
    }
    QVERIFY(filled);
    choice.params["dates"] = std::string("words");
    QVERIFY(data::loadDataset(choice, 4, TaskKind::Regression)->featureNames.front().starts_with("when = 2024-01-01"));
}

void TorchTablesTextsTest::textsBecomeTokens_data() {
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<int>("classes"); // at most
    QTest::newRow("characters") << "characters" << 20;
    QTest::newRow("bytes") << "bytes" << 256;
    QTest::newRow("bpe") << "bpe" << 280;
}

// Feature: texts as characters, bytes or parts of words; the text comes back from what a model is given.
void TorchTablesTextsTest::textsBecomeTokens() {
    QFETCH(QString, tokens);
    QFETCH(int, classes);
    const std::string text = QByteArray("to be or not to be \u00e9\n").repeated(60).toStdString();
    writeBytes(in("text"), QByteArray::fromStdString(text));
    spec::Choice choice{"text", {{"file", in("text")}, {"sequenceLength", std::int64_t{8}}, {"validation", 0.0}}};
    choice.params["tokens"] = tokens.toStdString();
    choice.params["vocabulary"] = std::int64_t{280};
    const auto dataset = data::loadDataset(choice, 1, TaskKind::Language);
    QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
    QVERIFY(dataset->classes <= classes && dataset->classes == static_cast<std::int64_t>(dataset->classNames.size()));
    const auto batch = data::gather(*dataset, dataset->train, torch::arange(dataset->train.size()));
    QVERIFY(batch.inputs.scalar_type() == torch::kInt64 && batch.targets.scalar_type() == torch::kInt64);
    std::string back;
    const torch::Tensor all = batch.inputs.flatten();
    for (std::int64_t i = 0; i < all.size(0); ++i)
        back += data::textOfToken(all[i].item<std::int64_t>(), dataset->classNames, dataset->tokens);
    QVERIFY(back.size() > 100 && text.starts_with(back));
    const auto again = data::tokensOf(text, dataset->classNames, dataset->tokens);
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
    QVERIFY(torch::tensor(*again).slice(0, 0, all.size(0)).equal(all));
}

void TorchTablesTextsTest::documentsEndInAToken() {
    for (const char* name : {"many/a.txt", "many/b/c.md"})
        writeBytes(in(name), QByteArray("to be or not to be ").repeated(20));
    writeBytes(in("many/d.jsonl"), "{\"body\": \"to be or not to be\"}\n{\"body\": \"or not to be or not to be\"}\n");
    for (const char* tokens : {"characters", "bytes", "bpe"}) {
        const spec::Choice choice{"text",
                                  {{"folder", in("many")},
                                   {"tokens", std::string(tokens)},
                                   {"field", std::string("body")},
                                   {"vocabulary", std::int64_t{300}},
                                   {"sequenceLength", std::int64_t{4}},
                                   {"stride", std::int64_t{1}},
                                   {"validation", 0.0}}};
        const auto dataset = data::loadDataset(choice, 1, TaskKind::Language);
        QVERIFY2(dataset.ok(), dataset ? "" : dataset.error().text().c_str());
        const std::int64_t end = dataset->tokens.end;
        QCOMPARE(end, dataset->classes - 1);
        QCOMPARE(dataset->train.inputs.select(1, 0).eq(end).sum().item<std::int64_t>(), 3);
        QVERIFY(!dataset->digest.empty());
        const auto asText = data::tokensOf("<|endoftext|>", dataset->classNames, dataset->tokens);
        QVERIFY(!asText || std::find(asText->begin(), asText->end(), end) == asText->end()); // a text is no end
    }
}

void TorchTablesTextsTest::streamedTokensAreThoseOfMemory_data() {
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<bool>("many");
    for (const char* tokens : {"characters", "bytes", "bpe"})
        for (const bool many : {false, true})
            QTest::newRow(qPrintable(QString(tokens) + (many ? " of files" : ""))) << tokens << many;
}

// Feature: a text that is read from a mapped file of tokens: the same samples as in memory; a damaged one is made anew.
void TorchTablesTextsTest::streamedTokensAreThoseOfMemory() {
    QFETCH(QString, tokens);
    QFETCH(bool, many);
    qputenv("XDG_CACHE_HOME", m_folder.filePath("cache " + QString(QTest::currentDataTag())).toUtf8());
    const QByteArray text = QByteArray("to be or not to be \u00e9, that is the question\r\n").repeated(90);
    writeBytes(in("one.txt"), text);
    writeBytes(in("two/a.txt"), text);
    writeBytes(in("two/b.txt"), text.toUpper());
    spec::Choice choice{"text", {{"sequenceLength", std::int64_t{8}}, {"validation", 20.0}, {"test", 10.0}}};
    choice.params[many ? "folder" : "file"] = in(many ? "two" : "one.txt");
    choice.params["tokens"] = tokens.toStdString();
    choice.params["vocabulary"] = std::int64_t{290};
    const auto load = [&](const char* how) {
        return data::loadDataset(choice, 1, TaskKind::Language, {.loading = how});
    };
    const auto inMemory = load("memory");
    QVERIFY2(inMemory.ok(), inMemory ? "" : inMemory.error().text().c_str());
    for (const int turn : {0, 1, 2}) {
        const auto streamed = load("stream");
        QVERIFY2(streamed.ok(), streamed ? "" : streamed.error().text().c_str());
        QCOMPARE(streamed->classNames, inMemory->classNames);
        QCOMPARE(streamed->digest, inMemory->digest);
        QVERIFY(streamed->tokens.merges == inMemory->tokens.merges && streamed->tokens.end == inMemory->tokens.end);
        for (const auto part : {&data::Dataset::train, &data::Dataset::validation, &data::Dataset::test}) {
            QVERIFY(((*streamed).*part).inputs.equal(((*inMemory).*part).inputs));
            QVERIFY(((*streamed).*part).targets.equal(((*inMemory).*part).targets));
        }
        const QDir folder(QString::fromUtf8(qgetenv("XDG_CACHE_HOME")) + "/trainyard/tokens");
        const QStringList files = folder.entryList({"*.tokens"}, QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile file(folder.filePath(files.front()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        const qsizetype at = turn == 0 ? 4100 : 30; // a token; the header
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        QVERIFY(QFile::remove(file.fileName()));
        writeBytes(file.fileName(), bytes);
    }
}

// Bad inputs: texts of a run.
void TorchTablesTextsTest::refusesBadTexts() {
    writeBytes(in("text"), QByteArray("to be ").repeated(100));
    writeBytes(in("other.json"), "{\"a\": 0}");
    writeBytes(in("merges.txt"), "");
    const auto said = [&](spec::Params params) { return QString::fromStdString(saidBy({"text", std::move(params)})); };
    const spec::Value file = in("text"), none = std::string();
    QVERIFY(said({{"file", file}, {"folder", m_folder.path().toStdString()}})
                .contains("dataset.params.folder: is given beside dataset.params.file"));
    QVERIFY(said({{"folder", in("nowhere")}}).contains("nowhere"));
    QVERIFY(said({{"file", file}, {"tokenizer", in("other.json")}})
                .contains("dataset.params.tokenizer: is of BPE, and the tokens are characters"));
    QVERIFY(said({{"file", file}, {"tokenizer", in("other.json")}, {"tokens", std::string("bpe")}})
                .contains("other.json: the vocabulary has no token for byte 0"));
    QVERIFY(said({{"file", file}, {"tokens", std::string("bpe")}, {"vocabulary", std::int64_t{4}}})
                .contains("dataset.params.vocabulary"));
}

QTEST_GUILESS_MAIN(TorchTablesTextsTest)
#include "torch_tables_texts_test.moc"
