// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the New run sheet over what the real worker offers.
#include "engine/run/launch/programs.h"
#include "engine/run/start/first_run.h"
#include "engine/spec/run/sections.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/lr_curve.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/forms/fields/lr_finder.h"
#include "ui/forms/fields/param_field.h"
#include "ui/forms/fields/slurm_fields.h"
#include "ui/forms/run_form.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/new_run/preview.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QProcess>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QTemporaryFile>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class RunFormTest : public QObject {
    Q_OBJECT

    spec::Catalog m_catalog;

    static void choose(RunForm& form, int task) {
        for (auto* each : form.findChildren<SegmentedControl*>())
            if (each->accessibleName() == QLatin1String("Task")) each->setCurrentIndex(task);
    }
    static QString faults(RunForm& form) { return form.read().errors.join(QStringLiteral("; ")); }

    // Large enough to be read; drawn by the mouse, moved by keys, taken by its button.
    static void theBoxBecomesTheRangeOfASweep(RunForm& form, LrFinder& finder, double suggested) {
        form.resize(480, std::max(900, form.minimumSizeHint().height())); // as the scroll area gives it
        form.show();
        auto* curve = finder.curve();
        QVERIFY2(curve->isVisible() && curve->width() >= 280 && curve->height() >= 150,
                 qPrintable(QString("%1 × %2").arg(curve->width()).arg(curve->height())));
        QVERIFY(curve->from() < suggested && curve->to() >= suggested);
        QPushButton *back = nullptr, *sweep = nullptr;
        for (auto* each : finder.findChildren<QPushButton*>()) {
            if (each->text() == QLatin1String("Back to 0.1")) back = each;
            if (each->text().startsWith(QLatin1String("Sweep from"))) sweep = each;
        }
        QVERIFY(back && sweep);
        back->click();
        QCOMPARE(form.read().spec.optimizer.number("lr", 0), 0.1);
        form.lrField()->setLr(suggested);
        // The right edge to the left, then a new box, then by keys.
        const QRectF box = curve->box();
        const auto at = [&](double x) { return QPoint(static_cast<int>(x), static_cast<int>(box.center().y())); };
        const double wide = curve->to();
        QTest::mousePress(curve, Qt::LeftButton, {}, at(box.right()));
        QTest::mouseMove(curve, at(box.center().x()));
        QTest::mouseRelease(curve, Qt::LeftButton, {}, at(box.center().x()));
        QVERIFY(curve->to() < wide);
        QTest::mousePress(curve, Qt::LeftButton, {}, at(box.left() - 60));
        QTest::mouseMove(curve, at(box.left() - 20));
        QTest::mouseRelease(curve, Qt::LeftButton, {}, at(box.left() - 20));
        const double low = curve->from();
        QVERIFY(curve->to() < suggested);
        QTest::keyClick(curve, Qt::Key_Right);
        QVERIFY(curve->from() > low);
        QCOMPARE(sweep->text(), QStringLiteral("Sweep from %1 to %2").arg(curve->from()).arg(curve->to()));
        sweep->click();
        const auto state = form.read();
        QVERIFY2(state.sweep && state.sweep->space.size() == 1, qPrintable(state.errors.join(u';')));
        const spec::Axis& axis = state.sweep->space.front();
        QCOMPARE(axis.path, std::string(kLrPath));
        QCOMPARE(axis.from, curve->from());
        QCOMPARE(axis.to, curve->to());
        QVERIFY(axis.logScale && axis.count == 4);
        form.setSweeping(false);
        form.lrField()->setLr(suggested);
    }

private Q_SLOTS:
    void initTestCase() {
        const auto worker = CatalogLoader::workerProgram();
        if (!std::filesystem::exists(worker)) QSKIP("there is no trainyard-worker");
        QProcess describe;
        describe.start(QString::fromStdString(worker.string()), {QStringLiteral("describe")});
        QVERIFY(describe.waitForFinished(30000));
        const auto catalog = spec::catalogFromJson(describe.readAllStandardOutput().toStdString());
        QVERIFY2(catalog.ok(), catalog ? "" : catalog.error().text().c_str());
        m_catalog = *catalog;
    }

    // Whatever a run file may say, the form says again.
    void aRunFileComesThroughTheForm() {
        spec::RunSpec spec = run::firstRun(m_catalog, 2);
        spec.task = "regression";
        spec.dataset = {"waves", {{"samples", std::int64_t{700}}, {"noise", 0.25}}};
        spec.model = {"mlp", {{"hidden", std::vector<double>{16, 8}}, {"dropout", 0.25}}};
        spec.optimizer = {"adamw", {{"lr", 0.002}, {"weightDecay", 0.03}}};
        spec.schedule = {"cosine", {{"warmupEpochs", 0.75}}};
        spec.loss = {"l1", {}};
        spec.batch = {24, std::nullopt, 3, true};
        spec.gradient = {1.5, 0.25};
        spec.ema = 0.875;
        spec.precision = "auto";
        spec.tuning = {"contiguous", "stock"};
        spec.epochs.reset();
        spec.steps = 321;
        spec.seed = 77;
        spec.deterministic = true;
        spec.scaling = {.workers = 4,
                        .device = "cpu",
                        .threadsPerWorker = 3,
                        .backend = "gloo",
                        .averaging = "buckets",
                        .compression = "powersgd",
                        .compressionRank = 4,
                        .lrRule = "sqrt",
                        .syncBatchNorm = true,
                        .elastic = {2, 6}};
        spec.checkpoint.everyEpochs = 0;
        spec.checkpoint.everySteps = 50;
        spec.checkpoint.keep = 4;
        spec.checkpoint.budgetMb = 99;
        spec.checkpoint.scoreBy = "val/rmse";
        spec.checkpoint.mode = "min";
        spec.failure.maxRestarts = 7;
        spec.failure.heartbeatSeconds = 45;
        spec.failure.nonFinite = "rollback";
        spec.earlyStop = {"val/loss", "min", 9, 0.125};
        spec.tensorBoard = true;
        spec.storage = "/somewhere/else";
        spec::RunSpec full = spec;
        for (const auto& error : spec::validate(full, m_catalog)) QFAIL((error.path + ": " + error.message).c_str());
        RunForm form(m_catalog, {});
        form.setSpec(spec);
        QCOMPARE(faults(form), QString());
        spec::RunSpec read = form.read().spec;
        QVERIFY(spec::validate(read, m_catalog).empty());
        QCOMPARE(QString::fromStdString(spec::toJson(read)), QString::fromStdString(spec::toJson(full)));
    }

    void theTaskDecidesWhatIsOffered() {
        RunForm form(m_catalog, {});
        const spec::RunSpec first = run::firstRun(m_catalog, 2);
        form.setSpec(first);
        choose(form, 1);
        spec::RunSpec spec = form.read().spec;
        QCOMPARE(faults(form), QString());
        QCOMPARE(spec.task, std::string("regression"));
        QCOMPARE(spec.dataset.name, std::string("waves"));
        QCOMPARE(spec.model.name, std::string("mlp"));
        QCOMPARE(spec.loss.name, std::string("mse"));
        QCOMPARE(spec.checkpoint.scoreBy, std::string("val/loss"));
        QCOMPARE(spec.checkpoint.mode, std::string("min"));
        choose(form, 2);
        spec = form.read().spec;
        QCOMPARE(faults(form), QString());
        QCOMPARE(spec.dataset.name, std::string("sentences"));
        QCOMPARE(spec.loss.name, std::string("cross-entropy"));
        choose(form, 0);
        spec = form.read().spec;
        QCOMPARE(faults(form), QString());
        QCOMPARE(spec.dataset.name, first.dataset.name);
        QCOMPARE(spec.loss.name, first.loss.name);
        QCOMPARE(spec.checkpoint.scoreBy, first.checkpoint.scoreBy);
    }

    void aModeFollowsTheNameOfItsSeries() {
        RunForm form(m_catalog, {});
        form.setSpec(run::firstRun(m_catalog, 2));
        auto* advanced = form.findChild<AdvancedForm*>();
        const auto type = [&](const char* path, const char* name) {
            auto* edit = advanced->field(QLatin1String(path))->findChild<QLineEdit*>();
            edit->selectAll();
            *name ? QTest::keyClicks(edit, QLatin1String(name)) : QTest::keyClick(edit, Qt::Key_Delete);
        };
        type("earlyStop.metric", "val/accuracy");
        type("checkpoint.scoreBy", "val/loss");
        QCOMPARE(faults(form), QString());
        QCOMPARE(form.read().spec.earlyStop.mode, std::string("max"));
        QCOMPARE(form.read().spec.checkpoint.mode, std::string("min"));
        auto* mode = advanced->field(QStringLiteral("earlyStop.mode"))->findChild<QComboBox*>();
        QTest::keyClick(mode, Qt::Key_Up); // chosen afterwards, it stays
        QCOMPARE(form.read().spec.earlyStop.mode, std::string("min"));
        type("earlyStop.metric", "val/f1");
        QCOMPARE(form.read().spec.earlyStop.mode, std::string("max"));
        type("earlyStop.metric", "");
        QCOMPARE(form.read().spec.earlyStop.mode, std::string("min"));
    }

    void numbersAreTypedWithACommaToo_data() {
        QTest::addColumn<QLocale>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("one"); // as a run file has it, or the error
        QTest::addColumn<QString>("list");
        const QLocale english(QLocale::English, QLocale::UnitedStates), german(QLocale::German, QLocale::Germany);
        QTest::newRow("a point") << english << "0.05" << "0.05" << "0.05";
        QTest::newRow("a comma") << english << "0,05" << "0.05" << "0 05";
        QTest::newRow("a comma in German") << german << "0,05" << "0.05" << "0,05";
        QTest::newRow("a point in German") << german << "0.05" << "0.05" << "0.05";
        QTest::newRow("thousands?") << english << "1,234" << "“1,234” can mean 1.234 or 1234; type one of them"
                                    << "1 234";
        QTest::newRow("no thousands in German") << german << "1,234" << "1.234" << "1,234";
        QTest::newRow("a list") << english << "0.1, 0.2 0.3,0.4" << "“0.1, 0.2 0.3,0.4” is not a number"
                                << "0.1 0.2 0.3 0.4";
        QTest::newRow("a German list") << german << "0,1, 0,2; 0,3 0.4,0.5" << "“0,1, 0,2; 0,3 0.4,0.5” is not a number"
                                       << "0,1 0,2 0,3 0.4 0.5";
        QTest::newRow("semicolons say what commas are") << english << "0,1; 0,2" << "“0,1; 0,2” is not a number"
                                                        << "0,1 0,2";
    }

    // Also of whole numbers, which a comma separates in every language.
    void numbersAreTypedWithACommaToo() {
        QFETCH(QLocale, locale);
        QFETCH(QString, typed);
        QLocale::setDefault(locale);
        const auto back = qScopeGuard([] { QLocale::setDefault(QLocale::c()); });
        const auto one = readNumber(typed);
        QTEST(one ? QString::fromStdString(spec::toText(*one)) : QString::fromStdString(one.error().message), "one");
        QTEST(splitNumbers(typed, false).join(QLatin1Char(' ')), "list");
        QCOMPARE(splitNumbers(QStringLiteral("64,32, 16"), true), (QStringList{"64", "32", "16"}));
        for (const double value : {0.05, 1e-5, 1234.5}) QCOMPARE(*readNumber(numberText(value)), value);
    }

    void thePreviewTellsWhatIsLearned_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("learned");
        QTest::addColumn<bool>("named");
        QTest::newRow("classes") << "classification"
                                 << "spirals"
                                 << "" << false;
        QTest::newRow("numbers") << "regression"
                                 << "waves"
                                 << "targets" << true;
        QTest::newRow("text") << "language"
                              << "sentences"
                              << "tokens" << false;
    }
    void thePreviewTellsWhatIsLearned() {
        QFETCH(QString, task);
        QFETCH(QString, dataset);
        QFETCH(QString, learned);
        QFETCH(bool, named);
        spec::RunSpec spec = run::firstRun(m_catalog, 1);
        spec.task = task.toStdString();
        spec.dataset = {dataset.toStdString(), {}};
        spec::fitToTask(spec, m_catalog);
        QTemporaryFile file;
        QVERIFY(file.open() && file.write(QByteArray::fromStdString(spec::toJson(spec))) > 0 && file.flush());
        QProcess preview;
        preview.start(QString::fromStdString(CatalogLoader::workerProgram().string()),
                      {QStringLiteral("preview"), file.fileName()});
        QVERIFY(preview.waitForFinished(30000));
        const auto parsed = parsePreview(preview.readAllStandardOutput());
        QVERIFY2(parsed, preview.readAllStandardError().constData());
        QCOMPARE(parsed->classes.isEmpty(), !learned.isEmpty());
        QVERIFY2(parsed->learned.contains(learned) && parsed->learned.isEmpty() == learned.isEmpty(),
                 qPrintable(parsed->learned));
        QCOMPARE(!parsed->learnedLines.isEmpty(), named);
    }

    // Whole numbers of a table stand in its preview as they stand in the file.
    void cellsOfATableKeepTheirLook() {
        const auto parsed = parsePreview(R"({"table": {"columns": ["year", "share"],
                                                       "rows": [{"values": [1985, 2.5], "target": "7"}]}})");
        QVERIFY(parsed);
        QCOMPARE(parsed->lines.value(1), QStringLiteral("1985\t2.5000\t7"));
    }

    // The real trainyardctl trains a copy; what it finds is in the form.
    // Feature: a learning rate is found in the form: a curve with a box that becomes the range of a sweep.
    void aLearningRateIsFound() {
        spec::RunSpec spec = run::firstRun(m_catalog, 1);
        spec.dataset = {"spirals", {{"samples", std::int64_t{2000}}}};
        spec.model = {"mlp", {{"hidden", std::vector<double>{32}}}};
        spec.batch = {64, std::nullopt, 1};
        RunForm form(m_catalog, {});
        form.setSpec(spec);
        auto* finder = form.findChild<LrFinder*>();
        auto* press = finder->findChild<QPushButton*>();
        press->click();
        QVERIFY(finder->busy() && !press->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!finder->busy(), 50000);
        const double lr = form.read().spec.optimizer.number("lr", 0);
        const QString said = finder->findChild<Label*>()->text();
        theBoxBecomesTheRangeOfASweep(form, *finder, lr);
        QVERIFY2(said.startsWith(QString::number(lr)), qPrintable(said));
        QVERIFY2(lr > 1e-6 && lr <= 1 && lr != 0.1, qPrintable(said));
        form.lrField()->setLr(-1); // nothing is trained with what is wrong
        press->click();
        QVERIFY(!finder->busy());
        QCOMPARE(finder->findChild<Label*>()->text(), QStringLiteral("Fix the highlighted fields first."));
    }

    // What has to be given is no "automatic".
    void aFileThatIsNeededIsAskedFor_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("words");
        QTest::newRow("table") << "csv" << "File" << "choose a file";
        QTest::newRow("text") << "text" << "File" << "choose a file";
        QTest::newRow("images") << "images" << "Folder" << "choose a folder";
        QTest::newRow("one that is downloaded") << "fashion-mnist" << "Folder" << "automatic";
        QTest::newRow("the target of a table") << "csv" << "Target" << "automatic";
    }
    void aFileThatIsNeededIsAskedFor() {
        QFETCH(QString, dataset);
        QFETCH(QString, field);
        RunForm form(m_catalog, {});
        spec::RunSpec spec = run::firstRun(m_catalog, 1);
        spec.dataset = {dataset.toStdString(), {}};
        if (dataset == QLatin1String("text")) spec.task = "language";
        form.setSpec(spec);
        QStringList said;
        for (auto* each : form.findChildren<QLineEdit*>())
            if (each->accessibleName() == field && each->isVisibleTo(&form)) said << each->placeholderText();
        QTEST(said.value(0), "words");
    }

    // A list without numbers is an empty field that says what is used, and comes back as it was.
    // Feature: an empty list in the form says what is used; what Slurm is asked for fits the form, and the preview of a
    // job tells nothing of this computer. Also in slurm_window_test.
    void anEmptyListSaysWhatIsUsed() {
        RunForm form(m_catalog, {});
        spec::RunSpec spec = run::firstRun(m_catalog, 1);
        form.setSpec(spec);
        const auto weights = [&form] {
            for (auto* each : form.findChildren<QLineEdit*>())
                if (each->accessibleName() == QLatin1String("Class weights") && each->isVisibleTo(&form)) return each;
            qFatal("there is no field of the class weights");
        };
        QCOMPARE(weights()->text(), QString());
        QCOMPARE(weights()->placeholderText(), QStringLiteral("all classes weigh the same"));
        QCOMPARE(faults(form), QString());
        QCOMPARE(spec::toText(form.read().spec.loss.params["classWeights"]), std::string("[]"));
        spec.loss.params["classWeights"] = std::vector<double>{1, 2};
        form.setSpec(spec);
        QCOMPARE(weights()->text(), QStringLiteral("[1,2]"));
        QTest::keyClick(weights(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(weights(), Qt::Key_Delete);
        QCOMPARE(faults(form), QString());
        QCOMPARE(spec::toText(form.read().spec.loss.params["classWeights"]), std::string("[]"));
    }

    void whatSlurmIsAskedForFitsTheForm() {
        RunForm form(m_catalog, {});
        form.setSpec(run::firstRun(m_catalog, 1));
        form.offerSlurm({{.name = "low", .isDefault = true, .nodes = 2, .time = "infinite"}});
        auto* fields = form.slurmFields();
        fields->show();
        form.resize(480, form.sizeHint().height());
        form.show();
        const auto right = [&](const QWidget* each, const QRect& inside) {
            return each->mapTo(&form, inside.topRight()).x();
        };
        const auto* partition = fields->findChild<QComboBox*>();
        const Label* note = nullptr;
        for (const auto* each : fields->findChildren<Label*>())
            if (each->wordWrap() && each->text().startsWith(QLatin1String("Training runs inside"))) note = each;
        QVERIFY(note);
        QVERIFY2(right(note, note->contentsRect()) <= right(partition, partition->rect()),
                 qPrintable(QString::number(right(note, note->contentsRect()))));
    }

    // "Train" beside each dataset and model of the Data page.
    void everythingThatIsOfferedFitsItsTask() {
        RunForm form(m_catalog, {});
        const auto fits = [&](const spec::Entry& entry, bool dataset) {
            spec::RunSpec spec = run::firstRun(m_catalog, 2);
            (dataset ? spec.dataset : spec.model) = {entry.name, {}};
            if (!entry.serves(spec.task)) spec.task = entry.tasks.front();
            spec::fitToTask(spec, m_catalog);
            QCOMPARE(dataset ? spec.dataset.name : spec.model.name, entry.name);
            form.setSpec(spec);
            for (const QString& error : form.read().errors)
                QVERIFY2(!error.contains(QLatin1String("task")), qPrintable(error));
        };
        for (const auto& entry : m_catalog.datasets)
            if (entry.available) fits(entry, true);
        for (const auto& entry : m_catalog.models) fits(entry, false);
    }

    // Feature: the hosts of a run are a checklist with the ranks of each, this computer among them, and spares.
    void hostsAreAChecklist() {
        const QStringList labs{QStringLiteral("lab-1"), QStringLiteral("lab-2"), QStringLiteral("lab-3")};
        RunForm form(m_catalog, labs);
        spec::RunSpec spec = run::firstRun(m_catalog, 2);
        form.setSpec(spec);
        form.show();
        auto* hosts = qobject_cast<QComboBox*>(form.whereField());
        hosts->setCurrentIndex(hosts->count() - 1);
        Q_EMIT hosts->activated(hosts->currentIndex());
        const auto use = [&form](const char* host, bool on) {
            for (auto* each : form.findChildren<QCheckBox*>())
                if (each->text() == QLatin1String(host) && each->isVisible()) return each->setChecked(on);
            QFAIL(host);
        };
        const auto said = [](const std::vector<std::string>& names) {
            QStringList words;
            for (const auto& name : names) words << QString::fromStdString(name);
            return words.join(QLatin1Char(' '));
        };
        use("lab-1", true);
        QCOMPARE(said(form.read().spec.hosts), QStringLiteral("local local lab-1"));
        QCOMPARE(form.read().spec.scaling.workers, 3);
        test::named<QSpinBox>(form, QStringLiteral("Ranks of lab-1"))->setValue(4);
        QCOMPARE(said(form.read().spec.hosts), QStringLiteral("local lab-1 lab-1"));
        QCOMPARE(form.read().spec.scaling.workers, 6);
        use("lab-3", true);
        test::named<QComboBox>(form, QStringLiteral("Use of lab-3"))->setCurrentIndex(1);
        spec = form.read().spec;
        QCOMPARE(said(spec.hosts), QStringLiteral("local lab-1 lab-1"));
        QCOMPARE(said(spec.spareHosts), QStringLiteral("lab-3"));
        RunForm again(m_catalog, labs);
        again.setSpec(spec);
        QCOMPARE(spec::toJson(again.read().spec), spec::toJson(spec));
        test::type(again, QStringLiteral("Workers"), QStringLiteral("4")); // dealt evenly to the same hosts
        QCOMPARE(said(again.read().spec.hosts), QStringLiteral("local lab-1"));
        use("lab-1", false);
        use("lab-3", false);
        QVERIFY(form.read().spec.hosts.empty() && form.read().spec.spareHosts.empty());
    }

    // Hosts that the checklist cannot show are kept as they stand.
    void hostsOfAFileAreKept_data() {
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<int>("workers");
        const auto row = [](const char* name, const QStringList& hosts, int workers) {
            QTest::newRow(name) << hosts << workers;
        };
        row("this computer", {}, 2);
        row("more hosts than ranks", {"a", "b", "c"}, 2);
        row("a rest", {"lab-1", "x"}, 3);
        row("another order", {"lab-1", "x", "lab-1"}, 3);
        row("nodes of a job", {"slurm:n1", "slurm:n2"}, 2);
        row("one with more", {"lab-1", "lab-1", "me@x:22"}, 6);
    }
    void hostsOfAFileAreKept() {
        QFETCH(QStringList, hosts);
        QFETCH(int, workers);
        RunForm form(m_catalog, {QStringLiteral("lab-1"), QStringLiteral("lab-2")});
        spec::RunSpec spec = run::firstRun(m_catalog, 2);
        for (const QString& host : hosts) spec.hosts.push_back(host.toStdString());
        spec.scaling.workers = workers;
        form.setSpec(spec);
        QCOMPARE(form.read().spec.hosts, spec.hosts);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    RunFormTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "run_form_test.moc"
