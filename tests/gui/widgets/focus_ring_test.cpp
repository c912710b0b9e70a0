// SPDX-License-Identifier: GPL-3.0-or-later
// The ring around the control that the keyboard is on: there for keys, not for clicks.
#include "ui/theme/theme_controller.h"
#include "ui/widgets/focus_ring.h"

#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>

using namespace trainyard::ui;

class FocusRingTest : public QObject {
    Q_OBJECT

    QWidget m_window;
    QPushButton* m_first = nullptr;
    QToolButton* m_second = nullptr;

    FocusRing* ring() const { return m_window.findChild<FocusRing*>(); }

private Q_SLOTS:
    void initTestCase() {
        ThemeController::instance().install(*qApp);
        FocusRing::install();
        auto* layout = new QVBoxLayout(&m_window);
        layout->addWidget(m_first = new QPushButton(QStringLiteral("first")));
        layout->addWidget(m_second = new QToolButton);
        m_second->setFocusPolicy(Qt::StrongFocus);
        m_window.show();
        m_window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_window));
        m_first->setFocus();
    }

    void itFollowsTheKeyboard() {
        QTest::keyClick(&m_window, Qt::Key_Tab);
        QVERIFY(m_second->hasFocus());
        QVERIFY(ring() && ring()->isVisible());
        QVERIFY(ring()->geometry().contains(m_second->geometry()));
        QTest::keyClick(&m_window, Qt::Key_Backtab);
        QVERIFY(m_first->hasFocus());
        QVERIFY(ring()->geometry().contains(m_first->geometry()));
    }

    // Also not after the keyboard was used once.
    void aClickedButtonHasNone() {
        QTest::keyClick(&m_window, Qt::Key_Tab);
        QTest::keyClick(&m_window, Qt::Key_Backtab);
        QVERIFY(m_first->hasFocus() && ring());
        // As the window system tells it: the window first, then the button.
        QTest::mouseClick(m_window.windowHandle(), Qt::LeftButton, {}, m_second->geometry().center());
        QVERIFY(m_second->hasFocus());
        QVERIFY(!ring());
        QTest::keyClick(&m_window, Qt::Key_Backtab);
        QVERIFY(ring());
    }
};

QTEST_MAIN(FocusRingTest)
#include "focus_ring_test.moc"
