// SPDX-License-Identifier: GPL-3.0-or-later
// Importing event files of TensorBoard and tables in CSV. The event files are written by our own writer
// (engine/store/files/event_file.h), whose bytes event_file_test checks by an independent reader, and, for what it does
// not write, from the published messages. The tables are written from the headers that those programs are known to
// write.
#include "engine/base/math/crc32c.h"
#include "engine/imports/event_files.h"
#include "engine/imports/table_files.h"
#include "engine/run/share/import_runs.h"
#include "engine/run/start/run_start.h"
#include "engine/store/files/event_file.h"
#include "tests/unit/file_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

using namespace trainyard;
namespace fs = std::filesystem;
using tests::writeBytes;

namespace {

template <class Number>
std::string raw(Number number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string field(int number, const std::string& content) { // of at most 127 bytes
    return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(content.size()) + content;
}
std::string framed(const std::string& content, std::uint64_t length) {
    const auto masked = [](const std::string& bytes) {
        const auto crc = crc32c(std::as_bytes(std::span(bytes)));
        return raw(((crc >> 15) | (crc << 17)) + 0xa282ead8u);
    };
    return raw(length) + masked(raw(length)) + content + masked(content);
}
std::string framed(const std::string& content) { return framed(content, content.size()); }
// An event of step 7 with one value.
std::string valueEvent(const std::string& value) { return framed(std::string("\x10\x07") + field(5, field(1, value))); }

constexpr double kBegan = 1'760'000'000; // seconds since 1970
const std::string kStart = store::eventFileHeader(kBegan);
std::string scalars(std::int64_t from, std::int64_t to, double value) {
    std::string bytes;
    for (auto step = from; step < to; ++step)
        bytes += store::scalarEvent("loss", step, kBegan + static_cast<double>(step), value);
    return bytes;
}

} // namespace

class ImportRunsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    fs::path m_source;

private Q_SLOTS:
    void init() {
        const fs::path root = fs::path(m_folder.path().toStdString()) / QTest::currentTestFunction();
        m_workspace = *store::Workspace::open((root / "workspace").string());
        m_source = root / "logs";
        fs::remove_all(m_source);
        fs::create_directories(m_source);
    }

    // Feature: runs imported from TensorBoard's event files: values in both forms, hyperparameters, restarts, sources
    // that have grown or changed, no resuming.
    void aFolderOfRunsBecomesRuns() {
        writeBytes(m_source / "a" / "events.out.tfevents.0000001000.h", kStart + scalars(0, 600, 0.5));
        writeBytes(m_source / "b" / "any-name", kStart + scalars(0, 3, 0.25));
        writeBytes(m_source / "b" / "notes.txt", "no event file at all");
        const auto imported = run::importRuns(m_workspace, m_source);
        QVERIFY2(imported.ok(), imported.ok() ? "" : qPrintable(QString::fromStdString(imported.error().text())));
        QCOMPARE(imported->size(), 2u);
        QCOMPARE(imported->front().name, std::string("a"));
        QCOMPARE(imported->front().points, 600);
        const auto query = store::RunQuery::open(m_workspace);
        const auto row = (*query)->run("a");
        QVERIFY(row.ok());
        QVERIFY(row->status == wire::RunStatus::Finished);
        QCOMPARE(row->step, 599);
        QCOMPARE(row->trainSeconds, 599.0);
        QCOMPARE(run::importSource(*row)->path, fs::canonical(m_source / "a").string());
        const auto points = (*query)->points(RunId(row->id), "loss");
        QCOMPARE(points->size(), 600u);
        QCOMPARE(points->at(599).seconds, 599.0);
        QCOMPARE(points->at(599).value, 0.5);
    }

    void importingAgainAddsWhatIsNewAndNothingElse() {
        const fs::path file = m_source / "events";
        writeBytes(file, kStart + scalars(0, 5, 1));
        const auto first = run::importRuns(m_workspace, m_source);
        const auto again = run::importRuns(m_workspace, m_source);
        QVERIFY(again->front().outcome == run::ImportedSource::Outcome::Unchanged);
        writeBytes(file, kStart + scalars(0, 9, 1));
        const auto grown = run::importRuns(m_workspace, m_source);
        QVERIFY(grown->front().outcome == run::ImportedSource::Outcome::Changed);
        QCOMPARE(grown->front().run, first->front().run);
        const auto query = store::RunQuery::open(m_workspace);
        QCOMPARE((*query)->runs()->size(), 1u);
        QCOMPARE((*query)->points(RunId(first->front().run), "loss")->size(), 9u);
    }

    void aRestartVoidsWhatItRepeats() {
        writeBytes(m_source / "events.1", kStart + scalars(0, 10, 1));
        writeBytes(m_source / "events.2", kStart + store::restartEvent(6, 2000) + scalars(6, 8, 2));
        const std::array files{m_source / "events.1", m_source / "events.2"};
        const auto run = imports::readEventFiles(files);
        const auto& loss = run->series.at("loss");
        QCOMPARE(loss.size(), 8u);
        QCOMPARE(loss[5].value, 1.0);
        QCOMPARE(loss[6].value, 2.0);
        // A writer that does not say that it starts again.
        writeBytes(m_source / "events.2", kStart + scalars(3, 4, 2));
        QCOMPARE(imports::readEventFiles(files)->series.at("loss").size(), 4u);
    }

    void otherFormsOfValuesAreRead() {
        const std::string tensor = std::string("\x08\x02") + field(2, "") + field(4, raw(0.125)); // a double of rank 0
        const std::string vector =
            std::string("\x08\x02") + field(2, field(2, std::string("\x08\x02"))) + field(4, raw(0.125) + raw(0.25));
        const std::string rate = field(1, "lr") + field(2, "\x11" + raw(0.5));
        const std::string name = field(1, "net") + field(2, field(3, "mlp"));
        const std::string session = field(3, field(1, rate) + field(1, name));
        writeBytes(m_source / "events", kStart + valueEvent(field(1, "acc") + field(8, tensor)) +
                                            valueEvent(field(1, "weights") + field(8, vector)) +
                                            valueEvent(field(1, "picture") + field(4, "")) +
                                            valueEvent(field(1, "_hparams_/session_start_info") +
                                                       field(9, field(1, field(1, "hparams") + field(2, session)))));
        const auto imported = run::importRuns(m_workspace, m_source / "events");
        QVERIFY(imported.ok());
        QCOMPARE(imported->front().series, 1);
        QCOMPARE(imported->front().otherValues, 2);
        QCOMPARE(imported->front().skippedCount, 0);
        const auto query = store::RunQuery::open(m_workspace);
        const auto row = (*query)->run(imported->front().run);
        QCOMPARE((*query)->points(RunId(row->id), "acc")->front().value, 0.125);
        QCOMPARE((*query)->points(RunId(row->id), "acc")->front().step, 7);
        QCOMPARE(row->specJson, std::string(R"({"name":"events","lr":0.5,"net":"mlp"})"));
    }

    void numbersOfAllTypesAreRead_data() {
        QTest::addColumn<QByteArray>("tensor"); // without its shape
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, const std::string& tensor, double value, const std::string& shape = "") {
            QTest::newRow(name) << QByteArray(tensor.data(), std::ssize(tensor))
                                << QByteArray(shape.data(), std::ssize(shape)) << value;
        };
        const auto varint = [](int number, std::uint64_t value) {
            std::string bytes(1, static_cast<char>(number << 3));
            for (; value > 127; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
            return bytes + static_cast<char>(value);
        };
        row("half", varint(1, 19) + varint(13, 0xC100), -2.5);
        row("half, denormal", varint(1, 19) + varint(13, 1), 0x1p-24);
        row("half, infinite", varint(1, 19) + field(4, raw(std::uint16_t{0x7C00})),
            std::numeric_limits<double>::infinity());
        row("bfloat16", varint(1, 14) + varint(13, 0x4049), 3.140625);
        row("int32", varint(1, 3) + varint(7, ~std::uint64_t{0} - 6), -7);
        row("int64, packed", varint(1, 9) + field(10, "\x2a"), 42);
        row("int64, as bytes", varint(1, 9) + field(4, raw(std::int64_t{1} << 40)), 0x1p40);
        row("bool", varint(1, 10) + varint(11, 1), 1);
        row("float of shape [1]", varint(1, 1) + field(5, raw(0.5f)), 0.5, field(2, varint(1, 1)));
        row("double of shape [1, 1]", varint(1, 2) + field(6, raw(0.125)), 0.125,
            field(2, varint(1, 1)) + field(2, varint(1, 1)));
    }
    void numbersOfAllTypesAreRead() {
        QFETCH(QByteArray, tensor);
        QFETCH(QByteArray, shape);
        QFETCH(double, value);
        writeBytes(m_source / "events",
                   kStart +
                       valueEvent(field(1, "acc") + field(8, tensor.toStdString() + field(2, shape.toStdString()))));
        const std::array files{m_source / "events"};
        const auto run = imports::readEventFiles(files);
        QCOMPARE(run->otherValues, 0);
        QCOMPARE(run->series.at("acc").front().value, value);
    }

    void writersOfOneSecondComeInTheirOrder() {
        for (int writer = 0; writer < 12; ++writer)
            writeBytes(m_source / ("events.out.tfevents.1700000000.box.1." + std::to_string(writer)),
                       kStart + scalars(writer * 10, writer * 10 + 10, 1));
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->front().points, 120);
        QCOMPARE(imported->front().repeated, 0);
    }

    void whatAddHparamsWritesBelongsToItsRun() {
        const std::string rate = field(1, "lr") + field(2, "\x11" + raw(0.5));
        const std::string hparams =
            valueEvent(field(1, "_hparams_/session_start_info") +
                       field(9, field(1, field(1, "hparams") + field(2, field(3, field(1, rate))))));
        writeBytes(m_source / "run" / "events.1", kStart + scalars(0, 5, 1));
        writeBytes(m_source / "run" / "1700000100.5" / "events.2", kStart + hparams);
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->size(), 1u);
        QCOMPARE(imported->front().points, 5);
        const auto query = store::RunQuery::open(m_workspace);
        QCOMPARE((*query)->run(imported->front().run)->specJson, std::string(R"({"name":"run","lr":0.5})"));
        // Several of them are configurations of their own.
        writeBytes(m_source / "run" / "1700000200.5" / "events.3", kStart + hparams + scalars(0, 2, 1));
        QCOMPARE(run::findImports(m_source)->size(), 3u);
    }

    // Bad inputs: event files of TensorBoard to import. Damaged records are named and left out; the rest is imported.
    void damageIsNamedAndTheRestIsKept_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("points");
        QTest::addColumn<QString>("complaint");
        const std::string good = kStart + scalars(0, 2, 1), one = scalars(2, 3, 1);
        const auto bytes = [](const std::string& text) { return QByteArray(text.data(), std::ssize(text)); };
        std::string flipped = one;
        flipped[20] = static_cast<char>(flipped[20] ^ 4);
        QTest::newRow("cut within a record") << bytes(good + one.substr(0, 30)) << 2 << "cut off within a record";
        QTest::newRow("cut within a head") << bytes(good + one.substr(0, 5)) << 2 << "cut off within the head";
        QTest::newRow("a flipped bit") << bytes(good + flipped + scalars(3, 4, 1)) << 3 << "checksum of a record is";
        QTest::newRow("a length of 2^63")
            << bytes(good + framed("", std::uint64_t{1} << 63) + one) << 2 << "claims 9223372036854775808 bytes";
        QTest::newRow("a damaged length") << bytes(good + std::string(20, 'x')) << 2 << "record's length is wrong";
        QTest::newRow("no event") << bytes(good + framed("\xff\xff") + one) << 3 << "is not an event";
    }
    void damageIsNamedAndTheRestIsKept() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, points);
        QFETCH(QString, complaint);
        writeBytes(m_source / "events", bytes.toStdString());
        const std::array files{m_source / "events"};
        const auto run = imports::readEventFiles(files);
        QVERIFY(run.ok());
        QCOMPARE(std::ssize(run->series.at("loss")), points);
        QCOMPARE(run->skippedCount, 1);
        const auto& skipped = run->skipped.front();
        QVERIFY2(QString::fromStdString(skipped.message).contains(complaint), skipped.message.c_str());
        QVERIFY2(skipped.where.find("events, byte ") != std::string::npos, skipped.where.c_str());
        QVERIFY(!skipped.remedy.empty());
    }

    // Feature: runs imported from tables in CSV, such as those of Lightning, Keras and Ray.
    void tablesOfOtherProgramsAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("series"); // that has this last point
        QTest::addColumn<int>("points");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("epoch");
        QTest::addColumn<double>("value");
        QTest::newRow("Lightning, with gaps")
            << QByteArray("epoch,step,train_loss,val_loss\n0,49,0.5,\n0,99,,0.75\n1,149,0.25,\n") << "train_loss" << 2
            << 149.0 << 1.0 << 0.25;
        QTest::newRow("Keras") << QByteArray("epoch,accuracy,loss\r\n0,0.5,1.5\r\n1,0.75,1.25\r\n") << "loss" << 2
                               << 1.0 << 1.0 << 1.25;
        QTest::newRow("trainyardctl metrics --csv")
            << QByteArray("series,step,epoch,time_s,value\ntrain/loss,1,0.5,0.1,2\nval/loss,1,0.5,0.1,3\n")
            << "val/loss" << 1 << 1.0 << 0.5 << 3.0;
        QTest::newRow("Ray") << QByteArray("loss,training_iteration,date,done\n0.5,1,2026-11-25,False\n") << "loss" << 1
                             << 1.0 << 0.0 << 0.5;
        QTest::newRow("a byte order mark, semicolons, quotation marks")
            << QByteArray("\xEF\xBB\xBFstep;\"loss; mean\"\n3;\"1e-2\"\n") << "loss; mean" << 1 << 3.0 << 0.0 << 0.01;
        QTest::newRow("a counter within the epoch")
            << QByteArray("epoch,batch,loss\n0,0,9\n0,1,8\n1,0,7\n1,1,6\n") << "loss" << 4 << 3.0 << 1.0 << 6.0;
        QTest::newRow("every 50th iteration of an epoch")
            << QByteArray("epoch,iter,loss\n1,50,9\n1,100,8\n2,50,7\n2,100,6\n") << "loss" << 4 << 200.0 << 2.0 << 6.0;
        QTest::newRow("an epoch that is begun again")
            << QByteArray("epoch,iter,loss\n1,1,9\n1,2,8\n2,1,7\n2,2,6\n2,1,5\n") << "loss" << 3 << 3.0 << 2.0 << 5.0;
        QTest::newRow("iterations alone")
            << QByteArray("iter,loss,lr\n1,2,0.1\n2,1,0.1\n") << "loss" << 2 << 2.0 << 0.0 << 1.0;
        QTest::newRow("names in capitals, with spaces")
            << QByteArray("Global Step,Train Loss\n10,2\n20,1\n") << "Train Loss" << 2 << 20.0 << 0.0 << 1.0;
        QTest::newRow("parts of epochs") << QByteArray("epoch,loss\n0.0,3\n0.5,2\n1.0,1\n1.25,0.5\n") << "loss" << 4
                                         << 3.0 << 1.25 << 0.5;
        QTest::newRow("an epoch in many rows")
            << QByteArray("epoch,loss,val\n0,9,\n0,8,1\n1,7,\n1,6,2\n") << "val" << 2 << 3.0 << 1.0 << 2.0;
        QTest::newRow("semicolons and decimal commas")
            << QByteArray("epoch;loss;val_loss\n0;1,5;2\n1;0,7;1.234,5\n") << "val_loss" << 2 << 1.0 << 1.0 << 1234.5;
        QTest::newRow("tabs and decimal commas")
            << QByteArray("step\tloss\n1\t-1,5\n2\t2,5e-1\n") << "loss" << 2 << 2.0 << 0.0 << 0.25;
        QTest::newRow("the history of Keras by pandas, whose first column has no name")
            << QByteArray(",loss,val_loss\n0,3,4\n1,2,3\n2,1,2.5\n") << "val_loss" << 3 << 2.0 << 0.0 << 2.5;
        QTest::newRow("two columns of one name")
            << QByteArray("step,loss,loss\n1,2,3\n2,1,4\n") << "loss.1" << 2 << 2.0 << 0.0 << 4.0;
        QTest::newRow("a restart") << QByteArray("step,loss\n1,9\n2,9\n3,9\n2,5\n") << "loss" << 2 << 2.0 << 0.0 << 5.0;
    }
    void tablesOfOtherProgramsAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(QString, series);
        QFETCH(int, points);
        QFETCH(double, step);
        QFETCH(double, epoch);
        QFETCH(double, value);
        writeBytes(m_source / "metrics.txt", text.toStdString());
        const auto imported = run::importRuns(m_workspace, m_source);
        QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message.c_str());
        QCOMPARE(imported->front().skippedCount, 0);
        const auto query = store::RunQuery::open(m_workspace);
        const auto stored = (*query)->points(RunId(imported->front().run), series.toStdString());
        QCOMPARE(std::ssize(*stored), points);
        QCOMPARE(static_cast<double>(stored->back().step), step);
        QCOMPARE(stored->back().epoch, epoch);
        QCOMPARE(stored->back().value, value);
    }

    void pointsOfOneStepAreKeptInTheirOrder() {
        std::string text = "epoch,loss,acc\n";
        for (int row = 0; row < 30; ++row)
            text += std::to_string(row / 10) + "," + std::to_string(30 - row) + (row % 10 == 9 ? ",0.5\n" : ",\n");
        writeBytes(m_source / "log.csv", text);
        const auto imported = run::importRuns(m_workspace, m_source);
        const auto& one = imported->front();
        QCOMPARE(one.points, 33);
        QCOMPARE(one.repeated, 0);
        QCOMPARE(one.numbered.size(), 1u);
        QCOMPARE(run::toText(one.numbered.front()),
                 std::string("loss: 30 points share 3 steps and are numbered in the order of their rows"));
        const auto query = store::RunQuery::open(m_workspace);
        QCOMPARE((*query)->points(RunId(one.run), "loss")->at(17).value, 13.0);
        QCOMPARE((*query)->points(RunId(one.run), "acc")->at(1).step, 19); // beside the loss of its row
        QCOMPARE((*query)->points(RunId(one.run), "acc")->at(1).epoch, 1.0);
    }

    void pointsThatAreWrittenAgainAreCounted_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("repeated");
        QTest::newRow("a restart") << QByteArray("step,loss\n1,9\n2,9\n3,9\n2,5\n3,4\n") << 3 << 2;
        QTest::newRow("a restart at the last step") << QByteArray("step,loss\n1,9\n2,9\n3,9\n3,5\n4,4\n") << 4 << 1;
        QTest::newRow("none") << QByteArray("step,loss\n1,9\n2,9\n5,9\n") << 3 << 0;
    }
    void pointsThatAreWrittenAgainAreCounted() {
        QFETCH(QByteArray, text);
        QFETCH(int, points);
        QFETCH(int, repeated);
        writeBytes(m_source / "log.csv", text);
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->front().points, points);
        QCOMPARE(imported->front().repeated, repeated);
        QVERIFY(imported->front().numbered.empty());
    }

    // Bad inputs: tables to import without a point. An error, not an empty run.
    void whatHasNoNumberIsNoRun_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("words alone") << QByteArray("step,loss\n1,low\n2,high\n")
                                     << "holds no number at any step: its 2 values are words";
        QTest::newRow("a header alone") << QByteArray("step,loss\n") << "holds no number at any step";
        QTest::newRow("no row that fits") << QByteArray("step,loss\nx,1\n") << "a row has no whole number as its step";
    }
    void whatHasNoNumberIsNoRun() {
        QFETCH(QByteArray, text);
        QFETCH(QString, complaint);
        writeBytes(m_source / "log.csv", text);
        const auto imported = run::importRuns(m_workspace, m_source);
        QVERIFY(!imported.ok());
        QVERIFY(imported.error().kind == ErrorKind::Input);
        QVERIFY2(QString::fromStdString(imported.error().message).contains(complaint), imported.error().text().c_str());
        QVERIFY(!imported.error().remedy.empty());
        QVERIFY((*store::RunQuery::open(m_workspace))->runs()->empty());
    }

    void aDownloadOfTensorBoardHasTheNameOfItsSeries() {
        writeBytes(m_source / "run-a-tag-val_acc.csv", "Wall time,Step,Value\n1700000000,1,2\n1700000009,3,0.5\n");
        const auto imported = run::importRuns(m_workspace, m_source);
        const auto query = store::RunQuery::open(m_workspace);
        const auto points = (*query)->points(RunId(imported->front().run), "val_acc");
        QCOMPARE(points->size(), 2u);
        QCOMPARE(points->back().step, 3);
        QCOMPARE(points->back().seconds, 9.0);
        QCOMPARE(imported->front().series, 1);
        QCOMPARE((*query)->run(imported->front().run)->startedMs, 1'700'000'000'000);
    }

    void settingsBesideATableAreThoseOfTheRun() {
        const fs::path folder = m_source / "exp9" / "version_0";
        writeBytes(folder / "metrics.csv", "epoch,step,train_loss,val_acc\n0,49,0.5,\n0,49,,0.75\n1,99,0.25,\n");
        writeBytes(folder / "hparams.yaml", "# of Lightning\nlr: 0.02\nname: net\nopt:\n  betas:\n  - 0.9\n  - 0.999\n"
                                            "  kind: 'adam'\nnesterov: true\nnothing: null\nbatch_size: 32  # small\n"
                                            "about: |\n  lr: 9\n  of many lines\nseed: 7\n");
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->front().name, std::string("exp9-version_0"));
        const auto query = store::RunQuery::open(m_workspace);
        const auto row = (*query)->run(imported->front().run);
        QCOMPARE(row->specJson, std::string(R"({"name":"exp9-version_0","lr":0.02,"opt.betas":"[0.9, 0.999]",)"
                                            R"("opt.kind":"adam","nesterov":true,"batch_size":32.0,"seed":7.0,)"
                                            R"("checkpoint":{"scoreBy":"val_acc"}})"));
        // Without a date of its own it ended when it was written last.
        const auto written = fs::last_write_time(folder / "metrics.csv");
        const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
        QCOMPARE(row->finishedMs, std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
        writeBytes(folder / "hparams.yaml", "lr: 0.5\n");
        QVERIFY(run::importRuns(m_workspace, m_source)->front().outcome == run::ImportedSource::Outcome::Changed);
    }

    // Bad inputs: tables to import. A bad row is left out alone.
    void badRowsAreNamedAndTheRestIsKept_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("a row that is too short") << QByteArray("2") << "a row has 1 cells, and the header 2";
        QTest::newRow("a row that is too long") << QByteArray("2,1,1") << "a row has 3 cells, and the header 2";
        QTest::newRow("a step that is none") << QByteArray("two,1") << "no whole number as its step";
        QTest::newRow("a step of 1e400") << QByteArray("1e400,1") << "no whole number as its step";
        QTest::newRow("a value of 1e400") << QByteArray("2,1e400") << "1e400 does not fit into a double";
    }
    void badRowsAreNamedAndTheRestIsKept() {
        QFETCH(QByteArray, row);
        QFETCH(QString, complaint);
        writeBytes(m_source / "metrics.csv", ("step,loss\n1,0.5\n" + row + "\n3,0.25\n").toStdString());
        const auto run = imports::readTableFile(m_source / "metrics.csv");
        QVERIFY(run.ok());
        QCOMPARE(run->series.at("loss").size(), 2u);
        QCOMPARE(run->skippedCount, 1);
        const auto& skipped = run->skipped.front();
        QVERIFY2(QString::fromStdString(skipped.message).contains(complaint), skipped.message.c_str());
        QVERIFY2(skipped.where.ends_with("metrics.csv, line 3"), skipped.where.c_str());
        QVERIFY(!skipped.remedy.empty());
    }

    // Bad inputs: files and folders without a log to import.
    void whatIsNoSourceIsRefused() {
        QVERIFY(run::importRuns(m_workspace, m_source / "absent").error().code == ErrorCode::FileMissing);
        writeBytes(m_source / "events.out.tfevents.1", "a text under the name of an event file");
        const auto text = run::importRuns(m_workspace, m_source / "events.out.tfevents.1");
        QCOMPARE(text.error().message, std::string("cannot be imported"));
        QCOMPARE(run::importRuns(m_workspace, m_source).error().message,
                 std::string("holds nothing that can be imported"));
    }

    // Bad inputs: links in a folder to import.
    void linksAreNotFollowed() {
        const fs::path elsewhere = m_source.parent_path() / "elsewhere";
        writeBytes(elsewhere / "events", kStart + scalars(0, 1, 1));
        writeBytes(m_source / "events", kStart + scalars(0, 1, 1));
        fs::create_directory_symlink(elsewhere, m_source / "folder");
        fs::create_symlink(elsewhere / "events", m_source / "link");
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->size(), 1u);
        QCOMPARE(imported->front().points, 1);
    }

    void anImportedRunIsNotResumed() {
        writeBytes(m_source / "events", kStart + scalars(0, 1, 1));
        const auto imported = run::importRuns(m_workspace, m_source);
        const auto resumed = run::resumeRun(m_workspace, imported->front().run, 1);
        QVERIFY(!resumed.ok());
        QVERIFY(resumed.error().code == ErrorCode::NotTrainedHere);
        QVERIFY2(resumed.error().message.starts_with("was imported from "), resumed.error().message.c_str());
    }

    // As a log that mixes rows with values of no row has them: found by fuzz_json_lines.
    void rowsOutOfOrderNumberNoPoints() {
        for (const auto& rows : {std::vector<std::int64_t>{5, 2}, {5, -1}, {-1, 5}}) {
            imports::ImportedRun run;
            run.rowsAreSteps = true;
            for (std::size_t at = 0; at < rows.size(); ++at)
                run.add("loss", {.step = static_cast<std::int64_t>(at) + 7, .value = 1, .row = rows[at]});
            run.settle();
            const auto& points = run.series.at("loss");
            QCOMPARE(points.size(), rows.size());
            QVERIFY(points[0].step < points[1].step);
        }
    }
};

QTEST_GUILESS_MAIN(ImportRunsTest)
#include "import_runs_test.moc"
