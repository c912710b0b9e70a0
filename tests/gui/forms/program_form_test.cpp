// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a program, with real scripts: its arguments as fields, as a command line and in the run file.
#include "tests/gui/forms/form_fields.h"
#include "ui/forms/program/argument_field.h"
#include "ui/forms/program/argument_list.h"
#include "ui/forms/program/command_edit.h"
#include "ui/forms/program/program_form.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QVBoxLayout>

using namespace trainyard;
using namespace trainyard::ui;
using trainyard::test::named;

namespace {

const QString kFolder = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/");

QString argumentsText(const spec::Program& program) {
    QStringList all;
    for (const auto& [name, value] : program.arguments)
        all << QString::fromStdString(name) + '=' + QString::fromStdString(spec::argumentText(value));
    for (const auto& word : program.words) all << QString::fromStdString(word);
    return all.join(' ');
}

} // namespace

class ProgramFormTest : public QObject {
    Q_OBJECT

    // The form and its pane side by side, as the sheet has them.
    struct Shown {
        QWidget window;
        ProgramForm* form = new ProgramForm({QStringLiteral("h1")});
        ArgumentPane* pane = form->arguments();

        explicit Shown(const QString& script = {}) {
            auto* line = new QHBoxLayout(&window);
            line->addWidget(form);
            line->addWidget(pane, 1);
            form->setSpec(spec::programRun({}));
            window.resize(1200, 700);
            window.show();
            window.activateWindow();
            if (script.isEmpty()) return;
            QSignalSpy ready(pane, &ArgumentPane::ready);
            form->useScript(kFolder + script);
            if (ready.isEmpty()) ready.wait();
        }
        QString command() const { return form->command()->edit()->toPlainText(); }
        void typeCommand(const QString& text) const { form->command()->edit()->setPlainText(text); }
        spec::Program program() const { return *form->read().spec.program; }
        QString errors() const { return form->read().errors.join('|'); }
        QString errorOf(const std::string& name) const {
            auto* field = pane->list()->field(name);
            return field && field->hasError() ? QStringLiteral("marked") : QString();
        }
    };

private Q_SLOTS:
    // Feature: a script's arguments are fields: what is typed stands in the run file, with its type, and what is not
    // touched does not.
    void typedValuesHaveTheirTypes_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("command");
        const auto row = [](const char* field, const char* typed, const char* arguments, const char* command) {
            QTest::newRow(field) << field << typed << arguments << command;
        };
        row("lr", "0.5", "lr=0.5", "--lr 0.5");
        row("epochs", "7", "epochs=7", "--epochs 7");
        row("betas", "0.8 0.99", "betas=[0.8,0.99]", "--betas 0.8 0.99");
        row("layers", "head 'last block'", "layers=[\"head\",\"last block\"]", "--layers head 'last block'");
        row("data", "a folder", "data=a folder", "'a folder'");
    }
    void typedValuesHaveTheirTypes() {
        QFETCH(QString, field);
        QFETCH(QString, typed);
        QFETCH(QString, arguments);
        QFETCH(QString, command);
        Shown shown("scripts/small_digits.py");
        QCOMPARE(argumentsText(shown.program()), QString());
        test::type(*shown.pane, field, typed);
        QCOMPARE(argumentsText(shown.program()), arguments);
        QCOMPARE(shown.errors(), QString());
        QCOMPARE(shown.command(), command);
        // The run file holds the same, and the form shows it again.
        const auto again = spec::parseRunSpec(spec::toJson(shown.form->read().spec));
        QVERIFY(again.ok());
        Shown other("scripts/small_digits.py");
        other.form->change(*again);
        QCOMPARE(argumentsText(other.program()), arguments);
        QCOMPARE(other.command(), command);
    }

    void defaultsArePlaceholders() {
        Shown shown("scripts/small_digits.py");
        QCOMPARE(named<QLineEdit>(*shown.pane, "lr")->placeholderText(), QString("0.1"));
        QCOMPARE(named<QLineEdit>(*shown.pane, "lr")->text(), QString());
        QCOMPARE(named<QLineEdit>(*shown.pane, "betas")->placeholderText(), QString("0.9 0.999"));
        auto* optimizer = named<QComboBox>(*shown.pane, "optimizer");
        QVERIFY(optimizer);
        QCOMPARE(optimizer->currentText(), QString("sgd"));
        QCOMPARE(optimizer->count(), 3);
        QVERIFY(named<Switch>(*shown.pane, "shuffle")->isChecked());
        QVERIFY(!named<Switch>(*shown.pane, "amp")->isChecked());
        QVERIFY(named<QLineEdit>(*shown.pane, "lr")->toolTip().contains("learning rate"));
    }

    void choicesAndSwitchesAreGivenWhenChanged() {
        Shown shown("scripts/small_digits.py");
        auto* optimizer = named<QComboBox>(*shown.pane, "optimizer");
        optimizer->setCurrentIndex(2);
        Q_EMIT optimizer->activated(2);
        named<Switch>(*shown.pane, "shuffle")->click();
        named<Switch>(*shown.pane, "amp")->click();
        QCOMPARE(argumentsText(shown.program()), QString("amp=true optimizer=adam shuffle=false"));
        QCOMPARE(shown.command(), QString("--optimizer adam --amp --no-shuffle"));
        named<Switch>(*shown.pane, "shuffle")->click();
        QCOMPARE(argumentsText(shown.program()), QString("amp=true optimizer=adam"));
    }

    // Feature: the command line beside the fields is edited both ways; words of no argument stay.
    void commandLineIsEditedBothWays() {
        Shown shown("scripts/small_digits.py");
        shown.typeCommand("folder --lr 0.5 --amp --wandb team/x");
        QCOMPARE(named<QLineEdit>(*shown.pane, "lr")->text(), QString("0.5"));
        QCOMPARE(named<QLineEdit>(*shown.pane, "data")->text(), QString("folder"));
        QVERIFY(named<Switch>(*shown.pane, "amp")->isChecked());
        QCOMPARE(named<QLineEdit>(*shown.pane, "More arguments")->text(), QString("--wandb team/x"));
        QCOMPARE(argumentsText(shown.program()), QString("folder --lr 0.5 --amp --wandb team/x")); // a list
        QCOMPARE(shown.command(), QString("folder --lr 0.5 --amp --wandb team/x"));                // as it was typed
        test::type(*shown.pane, "epochs", "9");
        QCOMPARE(shown.command(), QString("folder --lr 0.5 --epochs 9 --amp --wandb team/x"));
        shown.typeCommand("python3 -u " + kFolder + "scripts/small_digits.py --lr 2"); // a whole command is pasted
        QCOMPARE(argumentsText(shown.program()), QString("lr=2"));
        shown.typeCommand("--lr '2");
        QVERIFY(test::errorsAtFields(shown.window).contains("is never closed"));
        QVERIFY(shown.errors().startsWith("Command line: ")); // what runs would not be what stands there
    }

    void aStrayWordIsKeptAsAList() {
        Shown shown("scripts/small_digits.py");
        shown.typeCommand("folder stray --lr 0.5");
        QCOMPARE(argumentsText(shown.program()), QString("folder --lr 0.5 stray"));
        QVERIFY(shown.program().arguments.empty());
    }

    void wrongValuesAreMarked_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("error");
        QTest::newRow("no number") << "--lr fast" << "lr" << "lr: “fast” is not a number";
        QTest::newRow("no whole number") << "--epochs 1.5" << "epochs" << "epochs: “1.5” is not a whole number";
        QTest::newRow("no choice") << "--optimizer lion" << "optimizer" << "optimizer: “lion” is none of its choices";
    }
    void wrongValuesAreMarked() {
        QFETCH(QString, line);
        QFETCH(QString, name);
        QFETCH(QString, error);
        Shown shown("scripts/small_digits.py");
        shown.typeCommand(line);
        QCOMPARE(shown.errors(), error);
        QCOMPARE(shown.errorOf(name.toStdString()), QString("marked"));
        QCOMPARE(shown.command(), line);
        shown.typeCommand({});
        QCOMPARE(shown.errors(), QString());
        QCOMPARE(shown.errorOf(name.toStdString()), QString());
    }

    void requiredOnesComeFirst() {
        Shown shown("arguments/imagenet.py");
        QCOMPARE(QString::fromStdString(shown.pane->shapes().front().argument.name), QString("world_size"));
        QCOMPARE(shown.errors(), QString("world-size: must be given"));
        test::type(*shown.pane, "world-size", "2");
        QCOMPARE(shown.errors(), QString());
    }

    void subcommandsHaveTheirOwn() {
        Shown shown("arguments/commands.py");
        QVERIFY(!named<QLineEdit>(*shown.pane, "checkpoint"));
        QCOMPARE(shown.command(), QString("train"));
        auto* command = named<QComboBox>(*shown.pane, "Command of the script");
        command->setCurrentIndex(1);
        Q_EMIT command->activated(1);
        QCOMPARE(shown.errors(), QString("checkpoint: must be given"));
        test::type(*shown.pane, "checkpoint", "m.pt");
        QCOMPARE(shown.command(), QString("evaluate m.pt"));
        QCOMPARE(argumentsText(shown.program()), QString("evaluate m.pt"));
    }

    // Feature: the switch beside an argument makes it an axis of a sweep, with the types of the script.
    void axisSwitchMakesAnAxis_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("space");
        QTest::newRow("number") << "lr" << "0.1, 0.2" << "program.arguments.lr" << "0.1 0.2";
        QTest::newRow("whole number") << "batch-size" << "32, 64" << "program.arguments.batch_size" << "32 64";
        QTest::newRow("text") << "data" << "a, b" << "program.arguments.data" << "a b";
    }
    void axisSwitchMakesAnAxis() {
        QFETCH(QString, field);
        QFETCH(QString, values);
        QFETCH(QString, path);
        QFETCH(QString, space);
        Shown shown("scripts/small_digits.py");
        auto spec = shown.form->read().spec;
        spec.checkpoint.scoreBy = "train/loss";
        spec.checkpoint.mode = "min";
        shown.form->change(spec);
        QVERIFY(test::vary(*shown.pane, field));
        test::vary(*shown.pane, field)->click();
        QVERIFY(!named<QLineEdit>(*shown.pane, field)->isEnabled());
        if (auto* kind = named<SegmentedControl>(*shown.pane, field + ": list or range")) kind->setCurrentIndex(0);
        auto* list = named<QLineEdit>(*shown.pane, field + ": values, separated by commas");
        QVERIFY(list);
        list->selectAll();
        QTest::keyClicks(list, values);
        const auto state = shown.form->read();
        QVERIFY2(state.sweep, qPrintable(state.errors.join('|')));
        QCOMPARE(state.trials, 2);
        QCOMPARE(QString::fromStdString(state.sweep->space.front().path), path);
        QCOMPARE(state.titles.value(path), field);
        QStringList is;
        for (const auto& value : state.sweep->space.front().values) is << QString::fromStdString(spec::toText(value));
        QCOMPARE(is.join(' '), space);
        QVERIFY(argumentsText(*state.shown.program).contains(is.front()));
        const auto back = spec::parseSweepSpec(spec::toJson(*state.sweep));
        QVERIFY(back.ok());
        Shown other("scripts/small_digits.py");
        other.form->setSpec(*spec::parseRunSpec(back->runJson));
        other.form->setSweep(*back);
        QCOMPARE(other.form->read().sweep->space, back->space);
    }

    void choicesAndSwitchesVary() {
        Shown shown("scripts/small_digits.py");
        for (const char* field : {"optimizer", "amp"}) test::vary(*shown.pane, field)->click();
        auto spec = shown.form->read();
        QVERIFY(spec.sweeping);
        QVERIFY2(spec.errors.join('|').contains("Sweep"), qPrintable(spec.errors.join('|'))); // it has no score yet
        QCOMPARE(shown.form->read().unplaced, QStringList());
        test::type(*shown.form, "Score by", "train/loss");
        spec = shown.form->read();
        QVERIFY2(spec.sweep, qPrintable(spec.errors.join('|')));
        QCOMPARE(spec.trials, 6);
    }

    // Feature: a script with 164 arguments shows its form at once, and is searched.
    void manyArgumentsAreFound() {
        QElapsedTimer clock;
        Shown shown;
        QSignalSpy ready(shown.pane, &ArgumentPane::ready), rows(shown.pane, &ArgumentPane::rowsMade);
        clock.start();
        shown.form->useScript(kFolder + "scripts/image_classifier.py");
        const auto called = clock.elapsed();
        QTRY_VERIFY(!ready.isEmpty() && !rows.isEmpty());
        const auto seen = clock.elapsed();
        qInfo("call %lld ms, first rows %lld ms", called, seen);
        QVERIFY(called < 100);
        QVERIFY(seen < 2000); // far from the 100 ms that an idle computer needs
        QTRY_COMPARE(shown.pane->list()->findChildren<ArgumentField*>().size(), 164);
        QTest::keyClicks(shown.pane->search(), "warmup lr");
        QCOMPARE(shown.pane->list()->found(), 1);
        QVERIFY(named<QLineEdit>(*shown.pane, "warmup-lr"));
        const auto visible = [&shown] {
            int count = 0;
            for (auto* field : shown.pane->list()->findChildren<ArgumentField*>()) count += field->isVisible() ? 1 : 0;
            return count;
        };
        QCOMPARE(visible(), 1);
        shown.pane->search()->clear();
        QCOMPARE(visible(), 164);
    }

    // Only those that are searched have a row, where there are thousands.
    void thousandsOfArgumentsHaveRowsOnDemand() {
        QTemporaryDir folder;
        QFile file(folder.filePath("train.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import argparse\np = argparse.ArgumentParser()\n");
        for (int i = 0; i < 5000; ++i)
            file.write(QStringLiteral("p.add_argument('--option-%1', type=int, default=%1)\n").arg(i).toUtf8());
        file.close();
        Shown shown;
        QSignalSpy ready(shown.pane, &ArgumentPane::ready);
        shown.form->useScript(file.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty(), 20000);
        const auto made = [&shown] { return shown.pane->list()->findChildren<ArgumentField*>().size(); };
        QTRY_COMPARE_WITH_TIMEOUT(made(), qsizetype(ArgumentList::kMostRows), 20000);
        QVERIFY(!named<QLineEdit>(*shown.pane, "option-4321"));
        shown.pane->search()->setText("option-4321");
        QTRY_VERIFY(named<QLineEdit>(*shown.pane, "option-4321"));
        shown.typeCommand("--option-4999 3");
        QCOMPARE(argumentsText(shown.program()), QString("option_4999=3"));
    }

    void whatIsNotCertainIsSaid() {
        Shown shown("arguments/computed.py");
        bool any = false;
        for (const auto& shape : shown.pane->shapes()) {
            if (shape.doubt.isEmpty()) continue;
            any = true;
            auto* field = shown.pane->list()->field(shape.argument.name);
            QVERIFY(field->editor()->toolTip().contains(shape.doubt));
        }
        QVERIFY(any || !shown.pane->script().unread.empty());
    }

    // A script that is no Python is run all the same: its words are typed.
    void anythingCanBeTyped() {
        QTemporaryDir folder;
        QFile file(folder.filePath("train.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("def f(:\n  'open\n");
        file.close();
        Shown shown;
        QSignalSpy ready(shown.pane, &ArgumentPane::ready);
        shown.form->useScript(file.fileName());
        QTRY_VERIFY(!ready.isEmpty());
        QCOMPARE(shown.errors(), QString());
        test::type(*shown.pane, "More arguments", "--lr 0.5 --fast");
        QCOMPARE(argumentsText(shown.program()), QString("fast=true lr=0.5"));
        QCOMPARE(shown.command(), QString("--lr 0.5 --fast"));
    }

    // Feature: a program that is no script of Python is run as it is, with the words that are typed.
    void aProgramOfItsOwnNeedsNoPython() {
        QTemporaryDir folder;
        QFile file(folder.filePath("pi.sh"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\necho loss 1\n");
        file.close();
        QVERIFY(file.setPermissions(file.permissions() | QFile::ExeOwner));
        Shown shown;
        shown.form->useScript(file.fileName());
        shown.typeCommand("--steps 3");
        const auto program = shown.program();
        QVERIFY(program.script.empty() && program.arguments.empty());
        QCOMPARE(program.command, (std::vector<std::string>{file.fileName().toStdString(), "--steps", "3"}));
        QCOMPARE(shown.errors(), QString());
        shown.form->useScript(kFolder + "scripts/image_classifier.py"); // and back
        QTRY_VERIFY(shown.program().command.empty());
        QVERIFY(shown.program().script.ends_with("image_classifier.py"));
    }

    void missingScriptsAreSaid() {
        Shown shown;
        QCOMPARE(shown.errors(), QString("Script: choose a script"));
        test::type(*shown.form, "Script", "/nowhere/train.py");
        QCOMPARE(shown.errors(), QString("Script: there is no such file"));
        QVERIFY(shown.form->firstFault());
        test::type(*shown.form, "Script", "/tmp");
        QCOMPARE(shown.errors(), QString("Script: is a folder; choose the script in it"));
        test::type(*shown.form, "Script", "-m http.server");
        QCOMPARE(shown.errors(), QString());
        QCOMPARE(shown.program().module, std::string("http.server"));
    }

    void onlyWhatMeansSomethingToAProgramIsShown() {
        Shown shown("scripts/small_digits.py");
        shown.form->setAllFields(true);
        for (const char* title : {"Script", "Interpreter", "Folder", "Hosts", "Workers", "Device", "Seed", "Restarts",
                                  "Score by", "Stop grace"})
            QVERIFY2(named<QWidget>(shown.window, title), title);
        for (const char* title : {"Dataset", "Architecture", "Batch", "Optimizer", "Learning rate", "Precision", "Loss",
                                  "Schedule", "Length", "Averaging", "Compression", "Keep newest"})
            QVERIFY2(!named<QWidget>(shown.window, title), title);
    }

    void anEditedScriptIsReadAgain() {
        QTemporaryDir folder;
        const QString path = folder.filePath("train.py");
        const auto write = [&path](const QByteArray& arguments) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("import argparse\np = argparse.ArgumentParser()\n" + arguments);
        };
        write("p.add_argument('--lr', type=float, default=1)\n");
        Shown shown;
        QSignalSpy ready(shown.pane, &ArgumentPane::ready);
        shown.form->useScript(path);
        QTRY_COMPARE(ready.size(), 1);
        test::type(*shown.pane, "lr", "3");
        write("p.add_argument('--lr', type=float, default=1)\np.add_argument('--wd', type=float)\n");
        QTRY_VERIFY(named<QLineEdit>(*shown.pane, "wd"));
        QTRY_COMPARE(argumentsText(shown.program()), QString("lr=3"));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ProgramFormTest test;
    return test::runInWindow(test, argc, argv, QStringLiteral("trainyard-program-form-test"));
}
#include "program_form_test.moc"
