// SPDX-License-Identifier: GPL-3.0-or-later
// Two checkpoints compared tensor by tensor.
#include "engine/program/checkpoints/read_content.h"
#include "engine/run/actions/diff_checkpoints.h"
#include "engine/store/files/safetensors.h"
#include "engine/store/files/tensor_values.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

using namespace trainyard;
using namespace trainyard::run;
using State = TensorDiff::State;
namespace fs = std::filesystem;

namespace {

struct Tensor {
    std::string name;
    std::vector<float> values;
    std::vector<std::int64_t> shape{}; // else flat
};

// Writes a checkpoint and compares it.
struct Files {
    QTemporaryDir folder;
    fs::path path(const char* name) const { return folder.path().toStdString() + "/" + name + ".safetensors"; }
    fs::path write(const char* name, const std::vector<Tensor>& tensors, const char* step = "1") const {
        std::vector<store::TensorBytes> bytes;
        for (const Tensor& each : tensors) {
            const auto flat = std::vector{static_cast<std::int64_t>(each.values.size())};
            bytes.push_back(
                {each.name, "F32", each.shape.empty() ? flat : each.shape, std::as_bytes(std::span(each.values))});
        }
        if (!store::writeSafetensors(path(name), bytes, {{"step", step}})) qFatal("no file");
        return path(name);
    }
};

const float kNaN = std::nanf("");

} // namespace

class DiffCheckpointsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDtypeIsRead_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<double>("value");
        const auto row = [](const char* dtype, const QByteArray& hex, double value) {
            QTest::newRow((std::string(dtype) + " " + hex.toStdString()).c_str())
                << dtype << QByteArray::fromHex(hex) << value;
        };
        row("F64", "000000000000f8bf", -1.5);
        row("F32", "0000c0bf", -1.5);
        row("F16", "00be", -1.5);
        row("F16", "0100", std::ldexp(1, -24)); // the smallest
        row("F16", "ff7b", 65504);              // the largest
        row("F16", "007c", INFINITY);
        row("F16", "00fc", -INFINITY);
        row("F16", "0080", -0.0);
        row("BF16", "c0bf", -1.5);
        row("I64", "feffffffffffffff", -2);
        row("I32", "feffffff", -2);
        row("I16", "feff", -2);
        row("I8", "fe", -2);
        row("U8", "fe", 254);
        row("BOOL", "01", 1);
    }
    void everyDtypeIsRead() {
        QFETCH(QString, dtype);
        QFETCH(QByteArray, bytes);
        QFETCH(double, value);
        const QByteArray twice = bytes + bytes;
        std::vector<double> out(1);
        store::readValues(dtype.toStdString(), std::as_bytes(std::span(twice.constData(), std::size_t(twice.size()))),
                          1, out);
        QVERIFY2(out[0] == value && std::signbit(out[0]) == std::signbit(value), std::to_string(out[0]).c_str());
    }

    // Feature: two checkpoints are compared tensor by tensor, in pieces, whatever their type. Also in
    // checkpoints_page_test, ctl_checkpoints_test.
    void everyDifferenceIsMeasured_data() {
        QTest::addColumn<QList<double>>("first");
        QTest::addColumn<QList<double>>("second");
        QTest::addColumn<State>("state");
        QTest::addColumn<int>("changed");
        QTest::addColumn<double>("greatest");
        QTest::addColumn<double>("differenceNorm");
        QTest::addColumn<double>("relative");
        using List = QList<double>;
        QTest::newRow("the same") << List{3, 4} << List{3, 4} << State::Same << 0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("one value") << List{3, 4} << List{3, 6} << State::Changed << 1 << 2.0 << 2.0 << 0.4;
        QTest::newRow("both") << List{3, 4} << List{0, 8} << State::Changed << 2 << 4.0 << 5.0 << 1.0;
        QTest::newRow("from zero") << List{0, 0} << List{1, 0} << State::Changed << 1 << 1.0 << 1.0 << double(INFINITY);
        QTest::newRow("NaN stays") << List{NAN, 4} << List{NAN, 4} << State::Same << 0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("becomes NaN") << List{3, 4} << List{NAN, 4} << State::Changed << 1 << 0.0 << 0.0 << 0.0;
        QTest::newRow("one value only") << List{5} << List{-5} << State::Changed << 1 << 10.0 << 10.0 << 2.0;
    }
    void everyDifferenceIsMeasured() {
        QFETCH(QList<double>, first);
        QFETCH(QList<double>, second);
        const Files files;
        const auto floats = [](const QList<double>& list) { return std::vector<float>(list.begin(), list.end()); };
        const auto a = files.write("a", {{"model.w", floats(first)}}, "10");
        const auto b = files.write("b", {{"model.w", floats(second)}}, "20");
        const auto diff = diffCheckpoints(a, b);
        QVERIFY2(diff.ok(), diff.ok() ? "" : diff.error().text().c_str());
        QCOMPARE(diff->step, 10);
        QCOMPARE(diff->otherStep, 20);
        QCOMPARE(diff->tensors.size(), std::size_t{1});
        const TensorDiff& w = diff->tensors[0];
        QCOMPARE(w.name, std::string("w"));
        QTEST(w.state, "state");
        QTEST(static_cast<int>(w.changed), "changed");
        QTEST(w.greatest, "greatest");
        QTEST(w.differenceNorm, "differenceNorm");
        QTEST(w.relative(), "relative");
        QCOMPARE(diff->all.changed, w.changed);
        QCOMPARE(diff->differing, w.state == State::Same ? 0 : 1);
    }

    void tensorsThatDoNotMatchAreNamed() {
        const Files files;
        const auto a = files.write("a", {{"model.gone", {3, 4}}, {"model.w", {1, 2, 3, 4}}, {"optimizer.w.m", {9}}});
        const auto b =
            files.write("b", {{"model.new", {0, 5}}, {"model.w", {1, 2, 3, 4}, {2, 2}}, {"optimizer.w.m", {8}}});
        const auto only = *diffCheckpoints(a, b);
        QCOMPARE(only.tensors.size(), std::size_t{3}); // not those of the optimizer
        QCOMPARE(only.tensors[0].state, State::OnlyFirst);
        QCOMPARE(only.tensors[0].norm, 5.0);
        QCOMPARE(only.tensors[0].histogram[0] + only.tensors[0].histogram[TensorDiff::kBins - 1], 2);
        QCOMPARE(only.tensors[1].state, State::OnlySecond);
        QCOMPARE(only.tensors[1].otherNorm, 5.0);
        QCOMPARE(only.tensors[2].state, State::Reshaped);
        QCOMPARE(only.differing, 3);
        const auto all = *diffCheckpoints(a, b, {.withOptimizer = true});
        QCOMPARE(all.tensors.size(), std::size_t{4});
        QCOMPARE(all.tensors[3].name, std::string("optimizer.w.m"));
        QCOMPARE(all.tensors[3].greatest, 1.0);
    }

    // Several pieces, and a shared range for both histograms.
    void largeTensorsAreReadInPieces() {
        const Files files;
        std::vector<float> first(200'000), second(200'000);
        std::iota(first.begin(), first.end(), 0.0F);
        for (std::size_t i = 0; i < second.size(); ++i) second[i] = first[i] + (i + 1 == second.size() ? 100'000 : 0);
        second[7] = kNaN;
        const auto a = files.write("a", {{"model.w", first}}), b = files.write("b", {{"model.w", second}});
        double share = 0;
        const auto diff = *diffCheckpoints(a, b, {.goesOn = [&](double now) {
                                               const bool grows = now >= share;
                                               share = now;
                                               return grows;
                                           }});
        QCOMPARE(share, 1.0);
        const TensorDiff& w = diff.tensors[0];
        QCOMPARE(w.values, 200'000);
        QCOMPARE(w.changed, 2);
        QCOMPARE(w.notFinite, 1);
        QCOMPARE(w.greatest, 100'000.0);
        QCOMPARE(w.low, 0.0);
        QCOMPARE(w.high, 299'999.0);
        QCOMPARE(std::accumulate(w.histogram.begin(), w.histogram.end(), std::int64_t{0}), 200'000);
        QCOMPARE(std::accumulate(w.otherHistogram.begin(), w.otherHistogram.end(), std::int64_t{0}), 199'999);
        QCOMPARE(w.histogram[TensorDiff::kBins - 1], 0);
        QCOMPARE(w.otherHistogram[TensorDiff::kBins - 1], 1);
    }

    // Feature: files of torch.save are compared, with one another and with safetensors files.
    void torchFilesAreCompared() {
        const Files files;
        const fs::path first = files.path("a").replace_extension(".pt"),
                       second = files.path("b").replace_extension(".pt");
        for (const auto& each : {first, second})
            fs::copy_file(TRAINYARD_SOURCE_DIR "/tests/fuzz/corpus/checkpoint_file/training", each);
        const auto same = diffCheckpoints(first, second);
        QVERIFY2(same.ok(), same.ok() ? "" : same.error().text().c_str());
        QCOMPARE(same->differing, 0);
        QCOMPARE(same->step, 1000);
        const auto weight = [](const CheckpointDiff& diff) {
            return *std::ranges::find(diff.tensors, "model.0.weight", &TensorDiff::name);
        };
        QCOMPARE(weight(*same).values, 32);
        QVERIFY(weight(*same).norm > 0);
        QVERIFY(
            std::ranges::none_of(same->tensors, [](const auto& each) { return each.name.starts_with("optimizer."); }));
        const auto all = diffCheckpoints(first, second, {.withOptimizer = true});
        QVERIFY(
            std::ranges::any_of(all->tensors, [](const auto& each) { return each.name.starts_with("optimizer."); }));

        const auto content = program::readContent(second);
        const auto place = std::ranges::find(content->tensors, "model.0.weight", &program::TensorPlace::path);
        std::vector<float> values(32);
        std::fstream file(second, std::ios::binary | std::ios::in | std::ios::out);
        file.seekg(static_cast<std::streamoff>(*place->offset));
        file.read(reinterpret_cast<char*>(values.data()), 32 * sizeof(float));
        values[5] += 2;
        file.seekp(static_cast<std::streamoff>(*place->offset));
        file.write(reinterpret_cast<const char*>(values.data()), 32 * sizeof(float));
        file.close();
        const auto changed = diffCheckpoints(first, second);
        QCOMPARE(changed->differing, 1);
        QCOMPARE(weight(*changed).changed, 1);
        QVERIFY(std::abs(weight(*changed).greatest - 2) < 1e-5);

        const auto exported = files.write("c", {{"model.0.weight", values, {4, 8}}});
        const auto mixed = diffCheckpoints(second, exported, {.withOptimizer = true});
        QVERIFY2(mixed.ok(), mixed.ok() ? "" : mixed.error().text().c_str());
        QCOMPARE(weight(*mixed).state, State::Same);
    }

    void canBeCancelled() {
        const Files files;
        const auto a = files.write("a", {{"model.w", std::vector<float>(100'000, 1)}});
        const auto stopped = diffCheckpoints(a, a, {.goesOn = [](double share) { return share < 0.2; }});
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().kind, ErrorKind::Stopped);
    }

    // Bad inputs: checkpoints to compare. For `trainyardctl checkpoints diff` and the window; the bad file may be the
    // first or the second.
    void badFilesAreExplained_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing") << "missing"
                                 << "there is no such file";
        QTest::newRow("empty") << "empty"
                               << "the file is empty";
        QTest::newRow("a bit flipped in a weight") << "weight"
                                                   << "tensor \"model.w\" fails its checksum";
        QTest::newRow("a bit flipped in the header") << "header"
                                                     << "the header fails its checksum";
        QTest::newRow("another model") << "other"
                                       << "has no tensor in common with ";
    }
    void badFilesAreExplained() {
        QFETCH(QString, how);
        QFETCH(QString, message);
        const Files files;
        const auto good = files.write("good", {{"model.w", {1, 2, 3}}}, "12345");
        const auto bad = files.write("bad", {{how == "other" ? "model.v" : "model.w", {1, 2, 3}}}, "12345");
        std::fstream file(bad, std::ios::binary | std::ios::in | std::ios::out);
        if (how == "missing") fs::remove(bad);
        if (how == "empty") fs::resize_file(bad, 0);
        if (how == "weight") file.seekp(-1, std::ios::end).put('\x7f');
        if (how == "header") {
            std::string text(static_cast<std::size_t>(fs::file_size(bad)), '\0');
            file.read(text.data(), static_cast<std::streamsize>(text.size()));
            file.seekp(static_cast<std::streamoff>(text.find("12345"))).put('9');
        }
        file.close();
        for (const bool isFirst : {true, false}) {
            const auto diff = diffCheckpoints(isFirst ? bad : good, isFirst ? good : bad);
            QVERIFY(!diff.ok());
            QCOMPARE(diff.error().kind, ErrorKind::Input);
            QVERIFY2(QString::fromStdString(diff.error().text()).contains(message), diff.error().text().c_str());
        }
    }
};

QTEST_APPLESS_MAIN(DiffCheckpointsTest)
#include "diff_checkpoints_test.moc"
