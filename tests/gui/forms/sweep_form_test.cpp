// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep files in the form of the New run sheet: what the form cannot change it shows and keeps.
#include "engine/run/start/first_run.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/shell/main_window.h"

#include <QComboBox>
#include <QPushButton>
#include <QToolButton>

using namespace trainyard;
using namespace trainyard::ui;
using namespace trainyard::test;

namespace {

// All that a sweep file says but its run.
QString withoutRun(spec::SweepSpec sweep) {
    sweep.runJson = "{}";
    sweep.name.clear();
    return QString::fromStdString(spec::toJson(sweep));
}

// The run files of all trials, with every default filled in.
QStringList trialsOf(const spec::SweepSpec& sweep, const spec::Catalog& catalog) {
    QStringList files;
    const auto trials = spec::foreseenConfigurations(sweep);
    for (std::size_t i = 0; trials && i < trials->size(); ++i) {
        auto trial = spec::trialSpec(sweep, (*trials)[i], static_cast<int>(i));
        if (!trial) continue;
        spec::validate(*trial, catalog);
        trial->name.clear();
        files << QString::fromStdString(spec::toJson(*trial));
    }
    return files;
}

} // namespace

class SweepFormTest : public QObject {
    Q_OBJECT

    spec::Catalog m_catalog;

private Q_SLOTS:
    void initTestCase() {
        const auto catalog = workersCatalog();
        if (!catalog) QSKIP("there is no trainyard-worker");
        m_catalog = *catalog;
    }

    // Feature: a sweep file in the window's form: every field that it varies is shown, kept and can be removed; exactly
    // its trials are started.
    void aSweepFileComesThroughTheForm_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("trials");
        QTest::newRow("the document's example") << documented() << 8;
        QTest::newRow("two fields, not the rate") << sweepOf(kTwoFields) << 4;
        QTest::newRow("the rate between two others")
            << sweepOf(R"({"seed": [1, 2], "optimizer.lr": [0.3, 0.1], "model.params.hidden": [[16], [32, 8]]})") << 8;
        QTest::newRow("a rate of many digits") << sweepOf(R"({"optimizer.lr": {"from": 0.0123456789012345, "to": 0.1,
            "count": 70}})") << 70;
        QTest::newRow("random, with everything said")
            << sweepOf(R"({"optimizer.lr": {"from": 0.001, "to": 0.1, "scale": "log"},
                           "model.params.dropout": {"from": 0, "to": 0.5}, "batch.perRank": {"from": 16, "to": 64}})",
                       R"(, "searcher": "random", "trials": 7, "parallel": 2, "seed": 11, "scoreBy": "val/loss",
                           "mode": "min")")
            << 7;
        QTest::newRow("random, over lists")
            << sweepOf(R"({"optimizer.lr": [0.1, 0.2], "seed": [1, 2, 3]})", R"(, "searcher": "random", "trials": 5)")
            << 5;
        QTest::newRow("searched, with early stops")
            << sweepOf(R"({"model.params.dropout": [0.1, 0.2], "optimizer.lr": {"from": 0.001, "to": 0.1}})",
                       R"(, "searcher": {"name": "tpe", "startup": 4}, "scheduler": "asha", "trials": 12)")
            << 12;
        QTest::newRow("the first of the combinations") << sweepOf(kTwoFields, R"(, "trials": 3)") << 3;
        QTest::newRow("another optimizer with its own rate")
            << sweepOf(R"({"optimizer.name": ["sgd", "adam"], "model": ["mlp", "softmax"]})") << 4;
        QTest::newRow("the document's objects") << documented(1) << 40;
        QTest::newRow("the document's search") << documented(2) << 40;
        QTest::newRow("the document's two series") << documented(3) << 40;
        QTest::newRow("the document's hour") << documented(4) << 100000;
        QTest::newRow("examples/lr_search.json") << sourceFile("examples/lr_search.json") << 20;
        QTest::newRow("examples/lr_sweep.json") << sourceFile("examples/lr_sweep.json") << 3;
        QTest::newRow("conditions, normal distributions and grids") << sweepOf(R"({"optimizer.name": ["sgd", "adamw"],
                           "optimizer.momentum": {"from": 0, "to": 0.9, "when": {"optimizer.name": "sgd"}},
                           "optimizer.lr": {"mean": 0.05, "sd": 0.01}, "seed": {"grid": [1, 2]},
                           "batch.perRank": {"from": 16, "to": 64, "step": 16}})",
                                                                               R"(, "searcher": "random", "trials": 6)")
                                                                    << 12;
        QTest::newRow("every setting")
            << sweepOf(kTwoFields, R"(, "searcher": {"name": "tpe", "startup": 3}, "trials": 4, "seeds": {"count": 2},
                "scheduler": {"name": "median", "grace": 0.5}, "score": "last", "scoreBy": "val/loss", "mode": "min",
                "budget": {"seconds": 90.5, "trainSeconds": 80, "epochs": 7, "target": 0.25, "idleTrials": 9},
                "atEnd": "finish", "failure": {"retries": 2, "maxShare": 0.25}, "seed": 5, "parallel": 3,
                "perDevice": 2,
                "stop": [{"series": "train/loss", "above": 5, "after": 1}])")
            << 8;
        QTest::newRow("two series") << sweepOf(
                                           kTwoFields,
                                           R"(, "searcher": "tpe", "trials": 4, "scoreBy": ["val/loss", "time/step"],
                "mode": ["min", "max"])")
                                    << 4;
        QTest::newRow("what it begins with and leaves behind")
            << sweepOf(kTwoFields, R"(, "searcher": "random", "trials": 4, "reuse": false, "keep": {"best": 2,
                "minSeconds": 30}, "seeds": {"count": 2, "for": "best", "best": 1}, "warmStart": [{"sweep": "coarse",
                "best": 2}], "first": [{"model.params.dropout": 0.2, "batch.perRank": 32}])")
            << 6;
        QTest::newRow("both counts of a batch") << sweepOf(R"({"batch.global": [64, 32], "steps": [10, 20]})") << 4;
    }
    void aSweepFileComesThroughTheForm() {
        QFETCH(std::string, text);
        QFETCH(int, trials);
        RunForm form(m_catalog, {});
        const spec::SweepSpec sweep = opened(form, text);
        const auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QVERIFY(state.sweeping && state.sweep);
        QCOMPARE(state.trials, trials);
        QCOMPARE(state.sweep->space.size(), sweep.space.size());
        for (std::size_t i = 0; i < sweep.space.size(); ++i) QVERIFY(state.sweep->space[i] == sweep.space[i]);
        QVERIFY(state.sweep->searcher == sweep.searcher);
        QVERIFY(state.sweep->scheduler == sweep.scheduler);
        QCOMPARE(state.sweep->trials, sweep.trials);
        QCOMPARE(state.sweep->parallel, sweep.parallel);
        QCOMPARE(state.sweep->perDevice, sweep.perDevice);
        QCOMPARE(state.sweep->seed, sweep.seed);
        QCOMPARE(state.sweep->scoreBy, sweep.scoreBy);
        QCOMPARE(state.sweep->mode, sweep.mode);
        QCOMPARE(withoutRun(*state.sweep), withoutRun(sweep));
        const QStringList wanted = trialsOf(sweep, m_catalog);
        QCOMPARE(spec::countTrials(sweep).valueOr(0), trials);
        QVERIFY(!wanted.isEmpty());
        QCOMPARE(trialsOf(*state.sweep, m_catalog), wanted);
        const auto again = spec::parseSweepSpec(spec::toJson(*state.sweep)); // what "Save run file" writes
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        QCOMPARE(trialsOf(*again, m_catalog), wanted);
    }

    void whatVariesIsShown() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(kTwoFields, R"(, "parallel": 2)"));
        QVERIFY(!form.lrField()->sweeping());
        form.read();
        const QString shown = words(form);
        for (const char* each : {"Dropout", "0.1, 0.2", "Batch per worker", "32, 64"})
            QVERIFY2(shown.contains(QLatin1String(each)), qPrintable(shown));
        QCOMPARE(text(form, "Configurations"), QString()); // all of a grid
        QCOMPARE(text(form, "In parallel"), QStringLiteral("2"));
        QCOMPARE(text(form, "Dropout: values, separated by commas"), QStringLiteral("0.1, 0.2"));
        QCOMPARE(text(form, "Batch per worker: values, separated by commas"), QStringLiteral("32, 64"));
        opened(form, sweepOf(R"({"model.params.dropout": {"from": 0.1, "to": 0.4}})",
                             R"(, "searcher": "random", "trials": 5, "seed": 9)"));
        form.read();
        QVERIFY2(words(form).contains(QStringLiteral("0.1 to 0.4")), qPrintable(words(form)));
        QCOMPARE(text(form, "Configurations"), QStringLiteral("5"));
        QCOMPARE(text(form, "Dropout: from"), QStringLiteral("0.1"));
        QCOMPARE(text(form, "Dropout: to"), QStringLiteral("0.4"));
        auto* searcher = named<QComboBox>(form, QStringLiteral("Searcher"));
        QVERIFY(searcher);
        QCOMPARE(searcher->currentText(), QStringLiteral("Random"));
        form.setSpec(run::firstRun(m_catalog, 1)); // a preset, say
        QVERIFY(!form.read().sweeping);
        QCOMPARE(words(form), QString());
    }

    void aFieldIsNoLongerVariedWhenItIsRemoved() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(kTwoFields));
        form.read(); // as the sheet does at once
        auto* dropout = named<QToolButton>(form, QStringLiteral("Do not vary Dropout"));
        QVERIFY(dropout);
        dropout->click();
        auto state = form.read();
        QCOMPARE(state.trials, 2);
        QCOMPARE(state.sweep->space.size(), std::size_t{1});
        QCOMPARE(state.sweep->space.front().path, std::string("batch.perRank"));
        auto* batch = named<QLineEdit>(form, QStringLiteral("Batch"));
        QVERIFY(batch && !batch->isEnabled()); // the sweep gives it
        named<QToolButton>(form, QStringLiteral("Do not vary Batch per worker"))->click();
        state = form.read();
        QVERIFY(!state.sweeping && !state.sweep);
        QVERIFY(batch->isEnabled());
        QCOMPARE(state.trials, 1);
        QCOMPARE(words(form), QString());
    }

    void theLearningRateIsChangedAndTheRestStays() {
        RunForm form(m_catalog, {});
        const auto sweep = opened(form, documented());
        auto* count = named<QLineEdit>(form, QStringLiteral("Learning rate: how many values"));
        QVERIFY(count);
        count->selectAll();
        QTest::keyClicks(count, QStringLiteral("3"));
        auto state = form.read();
        QCOMPARE(state.trials, 6);
        QVERIFY(state.sweep->space[1] == sweep.space[1]);
        QCOMPARE(state.sweep->space[0].count, 3);
        QCOMPARE(state.learningRates.size(), 3);
        form.setSweeping(false); // the rate alone, and the other field goes on varying
        state = form.read();
        QCOMPARE(state.trials, 2);
        QCOMPARE(state.sweep->space.size(), std::size_t{1});
        form.setSweeping(true); // back in its place of the order
        QCOMPARE(form.read().sweep->space[0].path, std::string("optimizer.lr"));
    }

    // Bad inputs: sweep files in the window. The New run sheet checks trials as the engine does and names the wrong
    // one. Nothing starts until it is corrected or its field removed.
    void wrongTrialsAreRefused_data() {
        QTest::addColumn<QString>("space");
        QTest::addColumn<QString>("said");
        QTest::newRow("a value out of range")
            << R"({"model.params.dropout": [0.1, 1.5]})" << "trial 1: Dropout 1.5 must be at most 0.95";
        QTest::newRow("a choice that is not known")
            << R"({"model": ["mlp", "resnet1"]})" << "trial 1: Architecture \"resnet1\"";
        QTest::newRow("the first choice is not known")
            << R"({"model": ["resnet1", "mlp"]})" << "trial 0: Architecture \"resnet1\"";
        QTest::newRow("a parameter of another model")
            << R"({"model.params.dropout": [0.1], "model.name": ["mlp", "softmax"]})"
            << "trial 1: model.params.dropout";
        QTest::newRow("a value of another type")
            << R"({"optimizer.lr": [0.1, "fast"], "seed": [1]})" << "trial 1: Learning rate \"fast\" must be a number";
        QTest::newRow("a field of the table") << R"({"gradient.clipNorm": [1, -1]})" << "trial 1: Clip norm";
        QTest::newRow("a rate out of range") << R"({"optimizer.lr": [0.1, 200], "seed": [1]})" << "Learning rate 200";
    }
    void wrongTrialsAreRefused() {
        QFETCH(QString, space);
        QFETCH(QString, said);
        RunForm form(m_catalog, {});
        opened(form, sweepOf(space.toStdString()));
        const auto state = form.read();
        const QString errors = state.errors.join(QStringLiteral("; "));
        QVERIFY2(errors.startsWith(QStringLiteral("Sweep: ")) && errors.contains(said), qPrintable(errors));
        QVERIFY(!state.sweep);
        QVERIFY2(errorsAtFields(form).contains(said), qPrintable(errorsAtFields(form)));
    }

    void aSweepFileTrainsExactlyItsTrials() {
        const QTemporaryDir folder;
        store::Workspace workspace;
        workspace.root = folder.filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        const QString path = folder.filePath(QStringLiteral("sweep.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"name": "two-fields",
            "run": {"model": "mlp", "dataset": {"name": "spirals", "params": {"samples": 600}}, "epochs": 1,
                    "optimizer": {"name": "sgd", "lr": 0.05}, "scaling": {"workers": 1}},
            "space": {"model.params.dropout": [0.1, 0.2], "batch.perRank": [32, 64]}})");
        file.close();
        MainWindow window(workspace);
        window.show();
        window.openFile(path);
        auto* sheet = window.findChild<NewRunSheet*>();
        QVERIFY(sheet);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->startButton()->isEnabled(), 20000);
        QCOMPARE(sheet->startButton()->text(), QStringLiteral("Start 4 trials"));
        sheet->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window.bench().feed.countOf(wire::RunStatus::Finished) == 4, 60000);
        QStringList trained;
        for (const auto& run : window.bench().feed.runs()) {
            const auto& said = run->settings;
            trained << QStringList{run->name, said.value(QStringLiteral("model.params.dropout")),
                                   said.value(QStringLiteral("batch.perRank")),
                                   said.value(QStringLiteral("optimizer.lr"))}
                           .join(QLatin1Char(' '));
        }
        trained.sort();
        QCOMPARE(trained,
                 (QStringList{QStringLiteral("two-fields-0 0.1 32 0.05"), QStringLiteral("two-fields-1 0.1 64 0.05"),
                              QStringLiteral("two-fields-2 0.2 32 0.05"), QStringLiteral("two-fields-3 0.2 64 0.05")}));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    SweepFormTest test;
    return runInWindow(test, argc, argv, QStringLiteral("trainyard-sweep-test"));
}
#include "sweep_form_test.moc"
