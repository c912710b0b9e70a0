// SPDX-License-Identifier: GPL-3.0-or-later
// Forks and exports give the same result in the window and in the terminal.
#include "engine/base/files/atomic_file.h"
#include "engine/run/record/series/metrics_csv.h"
#include "engine/run/share/export_run.h"
#include "engine/run/share/temporary_workspace.h"
#include "engine/run/start/fork.h"
#include "engine/store/files/safetensors.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>

using namespace trainyard;

class RunExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aForkGoesOnForAsLongAgain_data() {
        QTest::addColumn<QString>("length");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<double>("epoch");
        QTest::addColumn<QString>("forked");
        QTest::newRow("from the end, in epochs") << R"("epochs":5)" << qint64{500} << 5.0 << "epochs 10";
        QTest::newRow("past the end") << R"("epochs":5)" << qint64{800} << 8.0 << "epochs 13";
        QTest::newRow("from inside") << R"("epochs":5)" << qint64{250} << 2.5 << "epochs 5";
        QTest::newRow("from the end, in steps") << R"("steps":40)" << qint64{40} << 0.4 << "steps 80";
        QTest::newRow("from inside, in steps") << R"("steps":40)" << qint64{20} << 0.2 << "steps 40";
    }
    void aForkGoesOnForAsLongAgain() {
        QFETCH(QString, length);
        QFETCH(qint64, step);
        QFETCH(double, epoch);
        QFETCH(QString, forked);
        store::RunRow source;
        source.name = "mlp";
        source.specJson =
            "{\"version\":1,\"name\":\"mlp\",\"optimizer\":{\"name\":\"sgd\",\"lr\":0.3}," + length.toStdString() + "}";
        store::CheckpointRow from;
        from.step = step;
        from.epoch = epoch;
        const auto spec = run::forkedSpec(source, from);
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        const QString found = spec->epochs ? QStringLiteral("epochs %1").arg(*spec->epochs)
                                           : QStringLiteral("steps %1").arg(spec->steps.value_or(-1));
        QCOMPARE(found, forked);
        QCOMPARE(spec->name, std::string("mlp-fork"));
        QCOMPARE(spec->optimizer.number("lr", 0), 0.3); // the rest is the source's
    }
    void aRunFileThatCannotBeReadIsNotForked() {
        store::RunRow source;
        source.name = "broken";
        source.specJson = "{";
        const auto spec = run::forkedSpec(source, {});
        QVERIFY(!spec.ok());
        QVERIFY2(spec.error().text().find("run broken") != std::string::npos, spec.error().text().c_str());
    }

    void theBestCheckpointIsMeantUnlessAnotherIsNamed() {
        std::vector<store::CheckpointRow> rows;
        QVERIFY(store::defaultCheckpoint(rows) == nullptr);
        rows.resize(3);
        QVERIFY(store::defaultCheckpoint(rows) == &rows[2]); // none has a score: the newest
        rows[1].best = true;
        QVERIFY(store::defaultCheckpoint(rows) == &rows[1]);
    }

    void pointsAreWrittenInTheirShortestForm() {
        std::string text;
        run::appendCsvPoint(text, {.step = 3, .epoch = 0.1, .seconds = 1.0 / 3, .value = std::nan("")});
        run::appendCsvPoint(text, 7, 0.1F, 2.0F, HUGE_VAL);
        QCOMPARE(QString::fromStdString(text), QString("3,0.1,0.3333333333333333,nan\n7,0.1,2,inf\n"));
        QCOMPARE(run::csvField("val/loss"), std::string("val/loss"));
        QCOMPARE(run::csvField("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
        QCOMPARE(run::csvField("=HYPERLINK(\"x\")"), std::string("\"'=HYPERLINK(\"\"x\"\")\""));
        QCOMPARE(run::csvField("@SUM(1)"), std::string("\"'@SUM(1)\""));
        QCOMPARE(run::csvField("-cmd"), std::string("\"'-cmd\""));
        QCOMPARE(run::csvField("-0.5"), std::string("-0.5"));
        QCOMPARE(run::csvField("+1e-3"), std::string("+1e-3"));
    }

    void theModelOfACheckpointIsExportedWithItsAverages() {
        const QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        const std::vector<float> trained{1, 2}, average{3, 4};
        const auto bytes = [](const std::vector<float>& values) { return std::as_bytes(std::span(values)); };
        const store::Metadata metadata{
            {"format", "trainyard-checkpoint"}, {"step", "40"},       {"epoch", "2"}, {"modelInfo", "{}"},
            {"metrics", "{\"val/loss\": 1}"},   {"sampler", "secret"}};
        QVERIFY(store::writeSafetensors(root / "checkpoint.safetensors",
                                        {{"ema.w", "F32", {2}, bytes(average)},
                                         {"model.b", "F32", {2}, bytes(trained)},
                                         {"model.w", "F32", {2}, bytes(trained)},
                                         {"optimizer.w", "F32", {2}, bytes(trained)}},
                                        metadata)
                    .ok());
        QVERIFY(run::exportSafetensors(root / "checkpoint.safetensors", root / "model.safetensors").ok());
        const auto file = store::SafetensorsFile::open(root / "model.safetensors");
        QVERIFY(file.ok());
        QCOMPARE(file->tensors().size(), std::size_t{2});
        QVERIFY(file->find("b") && file->find("w"));
        QCOMPARE(reinterpret_cast<const float*>(file->bytes(*file->find("w")).data())[0], 3.0F);
        QCOMPARE(reinterpret_cast<const float*>(file->bytes(*file->find("b")).data())[0], 1.0F);
        for (const char* key : {"step", "epoch", "modelInfo", "metrics"})
            QCOMPARE(file->metadata().at(key), metadata.at(key));
        QCOMPARE(file->metadata().at("format"), std::string("pt"));
        QVERIFY(!file->metadata().contains("sampler"));
    }

    void aTemporaryWorkspaceGoesWithItsObject() {
        std::filesystem::path root;
        {
            const auto workspace = run::TemporaryWorkspace::make("trainyard-test");
            QVERIFY(workspace.ok());
            root = (**workspace).root;
            QVERIFY(writeFileAtomic(root / "file", "x").ok());
        }
        QVERIFY(!root.empty() && !std::filesystem::exists(root));
    }
};

QTEST_GUILESS_MAIN(RunExportTest)
#include "run_export_test.moc"
