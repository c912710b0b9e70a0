// SPDX-License-Identifier: GPL-3.0-or-later
// A picker: what it lists for what is typed, and the keyboard alone.
#include "tests/gui/picking.h"
#include "ui/theme/theme_controller.h"

#include <QListWidget>
#include <QSignalSpy>

using namespace trainyard::ui;

namespace {

QList<Choice> someChoices() {
    return {{"status", "By status", "", ""},
            {"lr", "Learning rate", "optimizer.lr", "Optimizer"},
            {"momentum", "Momentum", "optimizer.momentum", "Optimizer"},
            {"dropout", "Dropout", "model.params.dropout", "Model"}};
}

} // namespace

class ChoicePickerTest : public QObject {
    Q_OBJECT

    QWidget m_window;
    ChoicePicker* opened(ChoicePicker::Choose choose) {
        auto* picker = new ChoicePicker("Choose", someChoices(), choose, &m_window);
        picker->openAt({50, 50});
        return picker;
    }

private Q_SLOTS:
    void initTestCase() {
        m_window.resize(600, 400);
        m_window.show();
    }

    void rowsFollowWhatIsTyped_data() {
        QTest::addColumn<QStringList>("recent");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("rows");
        QTest::newRow("all") << QStringList() << "" << "status #Optimizer lr momentum #Model dropout";
        QTest::newRow("the recent first") << QStringList{"dropout", "gone", "lr"} << ""
                                          << "#Recent dropout lr status #Optimizer lr momentum #Model dropout";
        QTest::newRow("a search drops the recent") << QStringList{"dropout"} << "mom" << "#Optimizer momentum";
        QTest::newRow("by the key of a setting") << QStringList() << "optimizer.lr" << "#Optimizer lr";
        QTest::newRow("several words, in any order") << QStringList() << "rate learn" << "#Optimizer lr";
        QTest::newRow("a heading") << QStringList() << "model" << "#Model dropout";
        QTest::newRow("nothing") << QStringList() << "zzz" << "";
    }
    void rowsFollowWhatIsTyped() {
        QFETCH(QStringList, recent);
        QFETCH(QString, typed);
        QFETCH(QString, rows);
        const QList<Choice> choices = someChoices();
        QStringList list;
        for (const PickerRow& row : pickerRows(choices, recent, typed))
            list << (row.choice < 0 ? QLatin1Char('#') + row.heading : choices[row.choice].key);
        QCOMPARE(list.join(QLatin1Char(' ')), rows);
    }

    // Feature: one searchable picker for columns, groups and series, with the recent choices first. Also in
    // runs_table_test, curves_view_test.
    void enterTakesOneAndCloses() {
        QSignalSpy chosen(opened(ChoicePicker::Choose::One), &ChoicePicker::chosen);
        QVERIFY(trainyard::test::pickFromOpen("momentum"));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("momentum"));
    }

    void spaceChecksSeveral() {
        ChoicePicker* picker = opened(ChoicePicker::Choose::Several);
        QSignalSpy chosen(picker, &ChoicePicker::chosen);
        auto* search = picker->findChild<QLineEdit*>();
        QTest::keyClick(search, Qt::Key_Space); // the first
        QTest::keyClick(search, Qt::Key_Down);  // over the heading
        QTest::keyClick(search, Qt::Key_Space);
        QTest::keyClick(search, Qt::Key_Space); // and away again
        QVERIFY(picker->isVisible());
        QCOMPARE(chosen.size(), 3);
        QCOMPARE(chosen[0], (QVariantList{QStringLiteral("status"), true}));
        QCOMPARE(chosen[1], (QVariantList{QStringLiteral("lr"), true}));
        QCOMPARE(chosen[2], (QVariantList{QStringLiteral("lr"), false}));
        QTest::keyClicks(search, "learning rate"); // a blank between words
        QCOMPARE(search->text(), QStringLiteral("learning rate"));
        QCOMPARE(picker->findChild<QListWidget*>()->count(), 2);
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!picker->isVisible());
    }

    void aClickChecks() {
        ChoicePicker* picker = opened(ChoicePicker::Choose::Several);
        QSignalSpy chosen(picker, &ChoicePicker::chosen);
        auto* list = picker->findChild<QListWidget*>();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
        QCOMPARE(chosen.size(), 0); // a heading
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(2)).center());
        QCOMPARE(chosen.size(), 1);
        QVERIFY(picker->isVisible());
        picker->close();
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ChoicePickerTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "choice_picker_test.moc"
