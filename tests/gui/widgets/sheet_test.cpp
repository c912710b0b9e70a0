// SPDX-License-Identifier: GPL-3.0-or-later
// What every sheet does with Enter and with the focus.
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QApplication>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTest>

using namespace trainyard::ui;

class SheetTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QWidget> m_window;
    QLineEdit *m_behind = nullptr, *m_other = nullptr;
    QStackedWidget* m_pages = nullptr;

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        m_window->resize(800, 600);
        m_pages = new QStackedWidget;
        column(m_window.get())->addWidget(m_pages);
        m_behind = new QLineEdit;
        m_other = new QLineEdit;
        m_pages->addWidget(m_behind);
        m_pages->addWidget(m_other);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_behind->setFocus();
    }
    void cleanup() { m_window.reset(); }

    // Feature: Enter presses the focused button of a sheet, or its primary one; after a sheet the focus is where it
    // was, or in the page that is shown now.
    void enterPressesTheFocusedOrThePrimaryButton() {
        auto* sheet = new Sheet(m_window.get(), QSize(400, 300));
        auto* line = new QLineEdit;
        auto *cancel = button(QStringLiteral("Cancel")), *go = button(QStringLiteral("Go"), {}, "primary");
        for (QWidget* each : std::initializer_list<QWidget*>{line, cancel, go}) sheet->body()->addWidget(each);
        int cancelled = 0, gone = 0;
        connect(cancel, &QPushButton::clicked, this, [&] { ++cancelled; });
        connect(go, &QPushButton::clicked, this, [&] { ++gone; });
        sheet->open();
        QTRY_VERIFY(line->isVisible());
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(gone, 1);
        cancel->setFocus();
        QTest::keyClick(cancel, Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(cancelled, 1);
        QCOMPARE(gone, 1);
        line->setFocus();
        QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(gone, 1);
        go->setEnabled(false);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(gone, 1);
    }

    void enterAnswersAQuestionOnce() {
        auto* sheet = new AskSheet(m_window.get(), QStringLiteral("Continue"), QStringLiteral("More epochs:"),
                                   QStringLiteral("Continue"));
        QList<int> answers;
        sheet->askForNumber(5, 1, 100, [&](int epochs) { answers << epochs; });
        sheet->open();
        QCOMPARE(sheet->accessibleName(), QStringLiteral("Continue")); // a screen reader knows what took the focus
        QWidget* number = sheet->number();
        QTest::keyClicks(number, QStringLiteral("12"));
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(answers, QList<int>{12});
        QVERIFY(!sheet->isVisible());
    }

    void theFocusReturns() {
        auto* sheet = new Sheet(m_window.get(), QSize(400, 300));
        auto* line = new QLineEdit;
        sheet->body()->addWidget(line);
        sheet->open();
        QTRY_COMPARE(QApplication::focusWidget(), line);
        QVERIFY(Sheet::isOpenOver(m_window.get()));
        sheet->close();
        QVERIFY(!Sheet::isOpenOver(m_window.get()));
        QCOMPARE(QApplication::focusWidget(), m_behind);
    }

    // A sheet that starts a run shows the page of runs before it closes.
    void theFocusGoesToThePageThatIsShownNow() {
        auto* sheet = new Sheet(m_window.get(), QSize(400, 300));
        auto* line = new QLineEdit;
        sheet->body()->addWidget(line);
        sheet->open();
        QTRY_COMPARE(QApplication::focusWidget(), line);
        m_pages->setCurrentWidget(m_other);
        m_window->setFocusProxy(m_other);
        line->setFocus(); // as the fade does at its end
        sheet->close();
        QCOMPARE(QApplication::focusWidget(), m_other);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    SheetTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sheet_test.moc"
