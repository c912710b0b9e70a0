// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps that are composed in the New run sheet: any field becomes an axis, and the preview says what comes of it.
#include "engine/run/start/first_run.h"
#include "engine/sweep/search/searchers.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/sweep/earlier_sweeps.h"
#include "ui/forms/sweep/first_configurations.h"
#include "ui/new_run/configuration_table.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/new_run/sweep_cards.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>

using namespace trainyard;
using namespace trainyard::ui;
using namespace trainyard::test;

class SweepComposeTest : public QObject {
    Q_OBJECT

    spec::Catalog m_catalog;

    // Opens a run file in the sheet of a real window.
    static NewRunSheet* sheetOf(MainWindow& window, const QTemporaryDir& folder, const char* json) {
        const QString path = folder.filePath(QStringLiteral("run.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(json) < 0) return nullptr;
        file.close();
        window.show();
        window.openFile(path);
        return window.findChild<NewRunSheet*>();
    }

    // How far what is drawn in it stands out from its ground.
    static int inkIn(QWidget* widget) {
        const QImage image = widget->grab().toImage();
        int most = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                most = std::max(most, std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(0, 0))));
        return most;
    }

private Q_SLOTS:
    void initTestCase() {
        const auto catalog = workersCatalog();
        if (!catalog) QSKIP("there is no trainyard-worker");
        m_catalog = *catalog;
    }

    void whatIsTypedIsJudgedAtItsField_data() {
        QTest::addColumn<QString>("edit"); // the part that is marked
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("from, on a log scale")
            << "Learning rate: from" << "0" << "From must be greater than 0 on a log scale";
        QTest::newRow("to, below from") << "Learning rate: to" << "0.001" << "End is below start";
        QTest::newRow("to, the same") << "Learning rate: to" << "0.01" << "Both ends are the same";
        QTest::newRow("from, no number") << "Learning rate: from" << "x" << "From: “x” is not a number";
        QTest::newRow("too many values") << "Learning rate: how many values" << "200000"
                                         << "200000 values are not between 1 and 100000";
        QTest::newRow("a step too large") << "Learning rate: step" << "5" << "Step is larger than the range";
        QTest::newRow("a step of nothing") << "Learning rate: step" << "0" << "Step must be greater than 0";
        QTest::newRow("to, beyond the field's limit") << "Dropout: to" << "2" << "To must be at most 0.95";
        QTest::newRow("a list, beyond the field's limit")
            << "Batch per worker: values, separated by commas" << "16, 0" << "0 must be at least 1";
        QTest::newRow("a list of words") << "Batch per worker: values, separated by commas" << "16, many"
                                         << "“many” is not a whole number";
        QTest::newRow("no list") << "Batch per worker: values, separated by commas" << "" << "The list is empty";
        QTest::newRow("configurations") << "Configurations" << "100001" << "must be";
        QTest::newRow("seeds") << "Seeds each" << "0" << "must be";
        QTest::newRow("a share") << "May fail" << "1.5" << "must be";
        QTest::newRow("a second series") << "Second series" << "val/los"
                                         << "is not the name of a series; did you mean \"val/loss\"?";
        QTest::newRow("the same series twice") << "Second series" << "val/accuracy" << "is the first series again";
        QTest::newRow("a grace beyond the run") << "Grace" << "9" << "is as long as the run";
        QTest::newRow("a factor of one") << "Factor" << "1" << "must be greater than 1";
    }
    void whatIsTypedIsJudgedAtItsField() {
        QFETCH(QString, edit);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        RunForm form(m_catalog, {});
        opened(form, sweepOf(R"({"optimizer.lr": {"from": 0.01, "to": 0.1, "scale": "log", "count": 3},
                                 "model.params.dropout": {"from": 0, "to": 0.5, "count": 2},
                                 "batch.perRank": [16, 32]})",
                             R"(, "scheduler": "asha")"));
        QCOMPARE(form.read().errors.join(QStringLiteral("; ")), QString());
        auto* line = named<QLineEdit>(form, edit);
        QVERIFY2(line, qPrintable(edit));
        line->selectAll();
        typed.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, typed);
        const auto state = form.read();
        QVERIFY(!state.sweep);
        QVERIFY2(errorsAtFields(form).contains(said), qPrintable(errorsAtFields(form)));
        QVERIFY2(state.errors.join(QStringLiteral("; ")).contains(said), qPrintable(state.errors.join(u';')));
        QStringList marked;
        for (auto* each : form.findChildren<QLineEdit*>())
            if (each->property("kind").toByteArray() == "error") marked << each->accessibleName();
        QCOMPARE(marked, QStringList{edit});
    }

    // What varying begins with, for each kind of field.
    void varyingBeginsAroundTheValue_data() {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("space");
        QTest::newRow("learning rate") << "Learning rate" << R"({"optimizer.lr": {"from": 0.03, "to": 0.3,
            "scale": "log", "count": 4}})";
        QTest::newRow("whole number") << "Batch" << R"({"batch.perRank": {"from": 64, "to": 256, "scale": "log",
            "count": 3}})";
        QTest::newRow("seed") << "Seed" << R"({"seed": [42, 43, 44]})";
        QTest::newRow("up to a limit") << "Momentum"
                                       << R"({"optimizer.momentum": {"from": 0.45, "to": 0.9999, "count": 3}})";
        QTest::newRow("zero") << "Dropout" << R"({"model.params.dropout": {"from": 0, "to": 0.5, "count": 3}})";
        QTest::newRow("words") << "Activation" << R"({"model.params.activation": []})";
        QTest::newRow("a switch") << "Nesterov" << R"({"optimizer.nesterov": [false, true]})";
    }
    void varyingBeginsAroundTheValue() {
        QFETCH(QString, title);
        QFETCH(QString, space);
        spec::RunSpec run = run::firstRun(m_catalog, 1);
        run.model = {"mlp", {{"dropout", 0.0}}};
        run.optimizer = {"sgd", {{"lr", 0.1}, {"momentum", 0.9}}};
        run.batch = {128, std::nullopt, 1};
        RunForm form(m_catalog, {});
        form.setSpec(run);
        QAbstractButton* toggle = vary(form, title);
        if (title == QLatin1String("Learning rate")) toggle = form.lrField()->toggle(); // always visible
        QVERIFY2(toggle, qPrintable(title));
        toggle->click();
        const auto state = form.read();
        if (title == QLatin1String("Activation")) { // all words that there are
            QVERIFY(state.sweep);
            const auto* words = spec::Catalog::find(m_catalog.models, "mlp")->find("activation");
            QCOMPARE(state.sweep->space.front().values.size(), words->options.size());
            return;
        }
        const auto wanted = spec::parseSweepSpec(sweepOf(space.toStdString()));
        QVERIFY2(wanted.ok(), wanted ? "" : wanted.error().text().c_str());
        QList<AxisEditors::Wrong> wrong;
        const auto axes = form.findChild<AxisEditors*>()->space(wrong);
        QCOMPARE(axes.size(), std::size_t{1});
        QVERIFY2(axes.front() == wanted->space.front(), qPrintable(valuesText(axes.front())));
        toggle->click();
        QVERIFY(!form.read().sweeping);
    }

    void aGridWantsACountOfEveryRange() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(R"({"model.params.dropout": {"from": 0, "to": 0.5}})",
                             R"(, "searcher": "random", "trials": 6)"));
        QCOMPARE(form.read().trials, 6);
        auto* searcher = named<QComboBox>(form, QStringLiteral("Searcher"));
        searcher->setCurrentIndex(searcher->findData(QStringLiteral("grid")));
        Q_EMIT searcher->activated(searcher->currentIndex());
        const QString errors = form.read().errors.join(QStringLiteral("; "));
        QVERIFY2(errors.contains(QStringLiteral("Sweep: Dropout count must be 1 to 100000")), qPrintable(errors));
        QVERIFY2(errorsAtFields(form).contains(QStringLiteral("count must be 1 to 100000")),
                 qPrintable(errorsAtFields(form)));
    }

    void automaticSaysWhatItTakes() {
        RunForm form(m_catalog, {});
        form.setSpec(run::firstRun(m_catalog, 1));
        form.setSweeping(true);
        QVERIFY(form.read().sweep);
        QVERIFY2(words(form).contains(QStringLiteral("Chooses Grid: every axis lists its values")),
                 qPrintable(words(form)));
        auto* count = named<QLineEdit>(form, QStringLiteral("Learning rate: how many values"));
        count->clear();
        Q_EMIT count->textEdited({});
        QVERIFY(!form.read().sweep); // draws need a number
        auto* trials = named<QLineEdit>(form, QStringLiteral("Configurations"));
        QTest::keyClicks(trials, QStringLiteral("30"));
        const auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QCOMPARE(state.trials, 30);
        const auto chosen = sweep::chooseSearcher(*state.sweep);
        QVERIFY2(words(form).contains(QString::fromStdString(chosen.reason.text())), qPrintable(words(form)));
    }

    // What the pane says is what the engine would do.
    void thePreviewSaysWhatTheEngineDoes_data() {
        QTest::addColumn<std::string>("text");
        QTest::newRow("grid") << documented();
        QTest::newRow("drawn") << sweepOf(R"({"optimizer.lr": {"from": 0.001, "to": 1, "scale": "log"}})",
                                          R"(, "searcher": "random", "trials": 9, "seeds": {"count": 3})");
        QTest::newRow("learns, stops early") << documented(1);
    }
    void thePreviewSaysWhatTheEngineDoes() {
        QFETCH(std::string, text);
        RunForm form(m_catalog, {});
        opened(form, text);
        const auto state = form.read();
        QVERIFY(state.sweep);
        const auto foreseen = sweep::foresee(*state.sweep, 48);
        QVERIFY(foreseen.ok());
        SweepCards cards;
        QStringList titles;
        for (const auto& axis : state.sweep->space) titles << state.titles.value(QString::fromStdString(axis.path));
        cards.show(*state.sweep, *foreseen, titles, {}, state.shown);
        const auto* table = cards.configurations()->findChild<ConfigurationTable*>();
        const auto configurations = *spec::foreseenConfigurations(*state.sweep);
        const bool certain = foreseen->known == foreseen->configurations;
        QCOMPARE(certain, state.sweep->searcher.name != "tpe");
        QCOMPARE(table->rows(), certain ? foreseen->configurations : 10);
        for (int i = 0; certain && i < table->rows(); ++i)
            QCOMPARE(table->text(i, 0).toDouble(),
                     QString::number(spec::Choice{{}, configurations[static_cast<std::size_t>(i)]}.number(kLrPath, 0),
                                     'g', 4)
                         .toDouble());
        const auto pairs = cards.search()->findChild<PairList*>()->pairs();
        QVERIFY2(pairs[0].value.startsWith(QString::number(state.trials)), qPrintable(pairs[0].value));
        QCOMPARE(state.trials, *spec::countTrials(*state.sweep));
        const auto run = *spec::parseRunSpec(state.sweep->runJson);
        const double most = static_cast<double>(*run.epochs) * state.trials;
        if (foreseen->rungs.empty()) QCOMPARE(pairs[3].value, QString::number(most));
        else
            QVERIFY2(pairs[3].value.startsWith(QStringLiteral("at most %1, typically ").arg(most)),
                     qPrintable(pairs[3].value));
        if (!foreseen->rungs.empty()) QCOMPARE(pairs[2].value, QStringLiteral("ASHA, rungs at epoch 1, 3"));
    }

    // A newcomer sees at rest what can be varied; in a sweep, and where the focus is, it stands out.
    void everyToggleIsSeen() {
        RunForm form(m_catalog, {});
        form.setSpec(run::firstRun(m_catalog, 1));
        form.read();
        auto* dropout = vary(form, QStringLiteral("Dropout"));
        auto* batch = vary(form, QStringLiteral("Batch"));
        QVERIFY(dropout && batch);
        auto* seed = vary(form, QStringLiteral("Seed"));
        QVERIFY(seed);
        const int atRest = inkIn(dropout);
        QVERIFY2(atRest > 30, qPrintable(QString::number(atRest)));
        QCOMPARE(inkIn(batch), atRest);
        QCOMPARE(inkIn(seed), atRest);
        batch->click();
        QVERIFY2(inkIn(dropout) > atRest + 20, qPrintable(QString::number(inkIn(dropout))));
        batch->click(); // a single run again
        QCOMPARE(inkIn(dropout), atRest);
    }

    // Feature: what a sweep begins with and leaves behind is set in the window's form: first configurations, earlier
    // sweeps, seeds of the best, checkpoints that are kept, workers that are reused. Also in spec_sections_test,
    // sweep_form_test.
    void firstConfigurationsAreGiven() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(R"({"optimizer.lr": {"from": 0.01, "to": 1}, "model.params.dropout": [0, 0.2]})",
                             R"(, "searcher": "random", "trials": 5)"));
        form.read();
        auto* first = form.findChild<FirstConfigurations*>();
        press<QPushButton>(*first, QStringLiteral("Add a configuration"));
        type(*first, QStringLiteral("Learning rate"), QStringLiteral("7")); // outside
        press<QPushButton>(*first, QStringLiteral("Add"));
        QVERIFY(first->configurations().empty());
        type(*first, QStringLiteral("Learning rate"), QStringLiteral("0.5"));
        press<QPushButton>(*first, QStringLiteral("Add"));
        auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QCOMPARE(state.sweep->first.size(), std::size_t{1});
        QCOMPARE(spec::toText(state.sweep->first[0].at("optimizer.lr")), std::string("0.5"));
        QVERIFY2(words(form).contains(QStringLiteral("Learning rate 0.5, Dropout 0")), qPrintable(words(form)));
        press<QToolButton>(*first, QStringLiteral("Change first configuration 1"));
        type(*first, QStringLiteral("Learning rate"), QStringLiteral("0.75"));
        press<QPushButton>(*first, QStringLiteral("Change"));
        QCOMPARE(spec::toText(form.read().sweep->first[0].at("optimizer.lr")), std::string("0.75"));
        type(form, QStringLiteral("Learning rate: to"), QStringLiteral("0.6")); // now it lies outside
        state = form.read();
        QVERIFY(!state.sweep);
        const QString said = QStringLiteral("First configuration 1, Learning rate is not a value of its axis");
        QVERIFY2(errorsAtFields(form).contains(said), qPrintable(errorsAtFields(form)));
        QVERIFY2(state.errors.join(u';').contains(said), qPrintable(state.errors.join(u';')));
        press<QToolButton>(*first, QStringLiteral("Remove first configuration 1"));
        state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QVERIFY(state.sweep->first.empty());
    }

    // A field that no longer varies has no place in them.
    void firstConfigurationsFollowTheSpace() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(kTwoFields, R"(, "searcher": "random", "trials": 3,
            "first": [{"model.params.dropout": 0.2, "batch.perRank": 32}])"));
        QCOMPARE(form.read().sweep->first[0].size(), std::size_t{2});
        vary(form, QStringLiteral("Batch"))->click();
        const auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QCOMPARE(state.sweep->first[0].size(), std::size_t{1});
    }

    void earlierSweepsAreChosen() {
        RunForm form(m_catalog, {});
        form.setEarlierSweeps({QStringLiteral("coarse"), QStringLiteral("fine")});
        opened(form, sweepOf(kTwoFields, R"(, "searcher": "random", "trials": 3)"));
        form.read();
        auto* earlier = form.findChild<EarlierSweeps*>();
        press<QPushButton>(*earlier, QStringLiteral("Add an earlier sweep"));
        QCOMPARE(form.read().sweep->warmStart, (std::vector<spec::WarmStart>{{.sweep = "coarse"}}));
        named<QComboBox>(*earlier, QStringLiteral("Earlier sweep 1"))->setCurrentText(QStringLiteral("fine"));
        earlier->findChild<QSpinBox*>()->setValue(5);
        auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QCOMPARE(state.sweep->warmStart, (std::vector<spec::WarmStart>{{.sweep = "fine", .best = 5}}));
        press<QToolButton>(*earlier, QStringLiteral("Remove earlier sweep 1"));
        QVERIFY(form.read().sweep->warmStart.empty());
        form.setEarlierSweeps({});
        QVERIFY(!earlier->findChild<QPushButton*>()->isEnabled());
    }

    // A file may be opened before the sweeps of its workspace are known.
    void earlierSweepsAreOfferedOnceTheyAreKnown() {
        const QTemporaryDir folder;
        store::Workspace workspace;
        workspace.root = folder.filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        MainWindow window(workspace);
        auto* sheet = sheetOf(window, folder, R"({"name": "s", "run": {"model": "mlp", "dataset": "spirals",
            "epochs": 1}, "space": {"optimizer.lr": [0.1, 0.2]}})");
        QVERIFY(sheet);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->startButton()->isEnabled(), 20000);
        auto* add = sheet->form()->findChild<EarlierSweeps*>()->findChild<QPushButton*>();
        QVERIFY(!add->isEnabled());
        store::SweepRow row;
        row.id = "20260101-000000-5eee91";
        row.name = "coarse";
        row.specJson = R"({"run": {}, "space": {"optimizer.lr": [1, 2]}})";
        QVERIFY((*store::Store::open(workspace))->createSweep(row).ok());
        QTRY_VERIFY_WITH_TIMEOUT(add->isEnabled(), 10000);
    }

    void whatTrialsLeaveBehindIsSet() {
        RunForm form(m_catalog, {});
        opened(form, sweepOf(kTwoFields, R"(, "searcher": "random", "trials": 3, "seeds": {"count": 2})"));
        QVERIFY(!form.read().sweep->rules.keep && form.read().sweep->reuse);
        for (auto* each : form.findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Budget, failures, checkpoints")) each->setChecked(true);
        type(form, QStringLiteral("Keep best"), QStringLiteral("4"));
        type(form, QStringLiteral("Or after"), QStringLiteral("30"));
        type(form, QStringLiteral("Repeat the best"), QStringLiteral("2"));
        named<Switch>(form, QStringLiteral("Reuse workers"))->setChecked(false);
        auto sweep = form.read().sweep;
        QVERIFY(sweep);
        QVERIFY(sweep->rules.keep == (spec::KeepRule{.best = 4, .minSeconds = 30}));
        QVERIFY(!sweep->reuse);
        QCOMPARE(sweep->bestSeeded, 2);
        type(form, QStringLiteral("Keep best"), {});
        type(form, QStringLiteral("Repeat the best"), {});
        sweep = form.read().sweep;
        QVERIFY(!sweep->rules.keep);
        QCOMPARE(sweep->bestSeeded, 0);
    }

    // Every title stands in full; what has no room is scrolled to.
    void manyAxesAreScrolledTo() {
        const auto shown = [](int axes) {
            SweepCards cards;
            spec::SweepSpec sweep;
            sweep::Foreseen foreseen;
            foreseen.configurations = foreseen.trials = foreseen.known = 1;
            foreseen.first.emplace_back();
            QStringList titles;
            for (int i = 0; i < axes; ++i) {
                sweep.space.push_back({.path = "model.params.p" + std::to_string(i)});
                foreseen.first[0][sweep.space.back().path] = 0.0123456;
                titles << QStringLiteral("Learning rate");
            }
            cards.show(sweep, foreseen, titles, {}, {});
            Card& card = *cards.configurations();
            card.resize(300, 260);
            card.show();
            QTest::qWait(20);
            const auto* area = card.findChild<QScrollArea*>();
            const int wanted =
                axes * QFontMetrics(Theme::current().small).horizontalAdvance(QStringLiteral("Learning"));
            const bool full = area->widget()->width() >= wanted;
            const int scrolled = area->horizontalScrollBar()->maximum();
            delete cards.search();
            delete cards.configurations();
            return full ? scrolled : -1;
        };
        QCOMPARE(shown(2), 0);
        QVERIFY(shown(7) > 100);
    }

    // Two fields by hand, one by the keyboard and one by the mouse, and exactly these trials are trained.
    // Feature: any number, choice and switch of the window's form is varied by its toggle, by keyboard or mouse; values
    // around its own are offered, and what is wrong is said at its field. Also in spec_sections_test.
    void fieldsAreVariedByKeyboardAndMouse() {
        const QTemporaryDir folder;
        store::Workspace workspace;
        workspace.root = folder.filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        MainWindow window(workspace);
        auto* sheet = sheetOf(window, folder, R"({"name": "by-hand", "model": "mlp", "epochs": 1,
            "dataset": {"name": "spirals", "params": {"samples": 600}}, "batch": {"perRank": 64},
            "optimizer": {"name": "sgd", "lr": 0.05}, "scaling": {"workers": 1}})");
        QVERIFY(sheet);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->startButton()->isEnabled(), 20000);
        QTRY_VERIFY(sheet->form()->isVisible()); // the sheet has faded in
        auto* dropout = vary(*sheet, QStringLiteral("Dropout"));
        QVERIFY(dropout);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* plain = named<QLineEdit>(*sheet, QStringLiteral("Dropout"));
        QVERIFY(plain && dropout->focusPolicy() == Qt::NoFocus); // one stop for field and toggle
        plain->setFocus(Qt::TabFocusReason);
        QTest::keyClick(plain, Qt::Key_V, Qt::AltModifier);
        QVERIFY(dropout->isChecked() && !plain->isEnabled());
        QVERIFY(dropout->hasFocus() && dropout->focusPolicy() == Qt::TabFocus); // instead of the field
        QTest::keyClick(dropout, Qt::Key_Space);
        QVERIFY(!dropout->isChecked() && plain->hasFocus());
        QTest::keyClick(plain, Qt::Key_V, Qt::AltModifier);
        auto* kind = named<SegmentedControl>(*sheet, QStringLiteral("Dropout: list or range"));
        QVERIFY(kind);
        QTRY_VERIFY(kind->isVisible()); // laid out
        kind->setFocus(Qt::TabFocusReason);
        QTest::keyClick(kind, Qt::Key_Left);
        QTest::keyClick(kind, Qt::Key_Tab);
        auto* list = named<QLineEdit>(*sheet, QStringLiteral("Dropout: values, separated by commas"));
        QVERIFY(list && list->isVisible());
        list->selectAll();
        QTest::keyClicks(list, QStringLiteral("0.1, 0.2"));
        auto* batch = vary(*sheet, QStringLiteral("Batch"));
        QTest::mouseClick(batch, Qt::LeftButton);
        auto* count = named<QLineEdit>(*sheet, QStringLiteral("Batch per worker: how many values"));
        QVERIFY(count);
        QTRY_VERIFY(count->isVisible());
        QTest::mouseDClick(count, Qt::LeftButton);
        QTest::keyClicks(count, QStringLiteral("2"));
        QTRY_COMPARE(sheet->startButton()->text(), QStringLiteral("Start 4 trials"));
        QTRY_VERIFY_WITH_TIMEOUT(sheet->startButton()->isEnabled(), 20000);
        QTest::mouseClick(sheet->startButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window.bench().feed.countOf(wire::RunStatus::Finished) == 4, 60000);
        QStringList trained;
        for (const auto& run : window.bench().feed.runs())
            trained << run->settings.value(QStringLiteral("model.params.dropout")) + QLatin1Char(' ') +
                           run->settings.value(QStringLiteral("batch.perRank"));
        trained.sort();
        QCOMPARE(trained, (QStringList{QStringLiteral("0.1 128"), QStringLiteral("0.1 32"), QStringLiteral("0.2 128"),
                                       QStringLiteral("0.2 32")}));
    }

    // From the top of the form to its end, down and to the right.
    void tabFollowsTheEye() {
        const QTemporaryDir folder;
        store::Workspace workspace;
        workspace.root = folder.filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        MainWindow window(workspace);
        auto* sheet = sheetOf(window, folder, R"({"name": "tabs", "model": "mlp", "dataset": "spirals", "epochs": 1})");
        QVERIFY(sheet);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->startButton()->isEnabled(), 20000);
        QTRY_VERIFY(sheet->form()->isVisible()); // the sheet has faded in
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        sheet->form()->lrField()->setSweeping(true);
        QTRY_COMPARE(sheet->startButton()->text(), QStringLiteral("Start 4 trials"));
        QTRY_VERIFY(named<QLineEdit>(*sheet, QStringLiteral("Configurations"))->isVisible());
        RunForm& form = *sheet->form();
        QTRY_VERIFY(form.height() >= form.minimumSizeHint().height()); // laid out
        form.first()->setFocus();
        QPoint before(-1, -1);
        int stops = 0;
        for (; stops < 200; ++stops) {
            QWidget* now = QApplication::focusWidget();
            if (!form.isAncestorOf(now)) break;
            if (auto* toggle = qobject_cast<VaryToggle*>(now))
                QVERIFY2(toggle->isChecked(), qPrintable(toggle->accessibleName()));
            const QPoint at = now->mapTo(&form, QPoint(0, now->height() / 2));
            const bool below = at.y() > before.y() + 12,
                       right = std::abs(at.y() - before.y()) <= 12 && at.x() > before.x();
            const auto where = QStringLiteral("%1 at %2, %3 after %4, %5");
            QVERIFY2(
                below || right,
                qPrintable(where.arg(now->accessibleName()).arg(at.x()).arg(at.y()).arg(before.x()).arg(before.y())));
            before = at;
            QTest::keyClick(now, Qt::Key_Tab);
        }
        QVERIFY2(stops > 20 && stops < 60, qPrintable(QString::number(stops)));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    SweepComposeTest test;
    return runInWindow(test, argc, argv, QStringLiteral("trainyard-compose-test"));
}
#include "sweep_compose_test.moc"
