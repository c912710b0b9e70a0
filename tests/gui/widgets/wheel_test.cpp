// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel over fields of a page: it scrolls the page, and changes a field only when that has the focus.
#include "ui/models/new_run/catalog_loader.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/wheel_guard.h"

#include <QApplication>
#include <QComboBox>
#include <QDial>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QWindow>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

// One notch down over the middle of a widget, as the window system gives it to the window.
void notchOver(QWidget* widget, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* top = widget->window();
    const QPointF at = widget->mapTo(top, widget->rect().center());
    QWheelEvent event(at, top->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(top->windowHandle(), &event);
}

QWidget* made(const QString& kind) {
    if (kind.endsWith(QLatin1String("combo box"))) {
        auto* box = new QComboBox;
        box->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        box->setEditable(kind.startsWith(QLatin1String("editable")));
        return box;
    }
    if (kind == QLatin1String("spin box")) return new QSpinBox;
    if (kind == QLatin1String("double spin box")) return new QDoubleSpinBox;
    if (kind == QLatin1String("slider")) return new QSlider(Qt::Horizontal);
    if (kind == QLatin1String("dial")) return new QDial;
    auto* tabs = new QTabBar;
    for (const char* each : {"a", "b", "c"}) tabs->addTab(QLatin1String(each));
    return tabs;
}

// Puts the field in its middle, so that it can go both ways.
void center(QWidget* field) {
    if (auto* box = qobject_cast<QComboBox*>(field)) box->setCurrentIndex(1);
    if (auto* tabs = qobject_cast<QTabBar*>(field)) tabs->setCurrentIndex(1);
    if (auto* spin = qobject_cast<QSpinBox*>(field)) spin->setValue(50);
    if (auto* spin = qobject_cast<QDoubleSpinBox*>(field)) spin->setValue(50);
    if (auto* slider = qobject_cast<QAbstractSlider*>(field)) slider->setValue(50);
}

double valueOf(QWidget* field) {
    if (auto* box = qobject_cast<QComboBox*>(field)) return box->currentIndex();
    if (auto* tabs = qobject_cast<QTabBar*>(field)) return tabs->currentIndex();
    if (auto* spin = qobject_cast<QSpinBox*>(field)) return spin->value();
    if (auto* spin = qobject_cast<QDoubleSpinBox*>(field)) return spin->value();
    return qobject_cast<QAbstractSlider*>(field)->value();
}

} // namespace

class WheelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withShiftItScrollsSideways() {
        WheelGuard::install();
        QScrollArea area;
        auto* wide = new QWidget;
        wide->resize(2000, 2000);
        area.setWidget(wide);
        area.resize(300, 300);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        notchOver(area.viewport(), Qt::ShiftModifier);
        QVERIFY(area.horizontalScrollBar()->value() > 0);
        QCOMPARE(area.verticalScrollBar()->value(), 0);
    }

    // Feature: the wheel scrolls a page and changes a field only with the focus.
    void aFieldTakesTheWheelOnlyWithTheFocus_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind :
             {"combo box", "editable combo box", "spin box", "double spin box", "slider", "dial", "tab bar"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void aFieldTakesTheWheelOnlyWithTheFocus() {
        QFETCH(QString, kind);
        WheelGuard::install();
        QScrollArea area;
        auto* content = new QWidget;
        auto* layout = new QVBoxLayout(content);
        QWidget* field = made(kind);
        auto* other = new QLineEdit;
        layout->addWidget(other);
        layout->addWidget(field);
        layout->addSpacing(2000);
        area.setWidget(content);
        area.resize(300, 300);
        area.show();
        area.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        other->setFocus();
        center(field);
        const double before = valueOf(field);
        notchOver(field);
        QCOMPARE(valueOf(field), before);
        QVERIFY(area.verticalScrollBar()->value() > 0);
        QCOMPARE(QApplication::focusWidget(), other);
        area.verticalScrollBar()->setValue(0);
        field->setFocusPolicy(Qt::StrongFocus);
        field->setFocus();
        notchOver(field);
        QVERIFY(valueOf(field) != before);
        QCOMPARE(area.verticalScrollBar()->value(), 0);
    }

    void theWheelScrollsTheNewRunSheet() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        const QTemporaryDir folder;
        store::Workspace workspace;
        workspace.root = (folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        MainWindow window(workspace);
        window.resize(1280, 720);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* sheet = window.openNewRun({}, false);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->form()->isVisible(), 20000);
        QTRY_COMPARE(QApplication::focusWidget(), sheet->form()->first());
        QScrollArea* area = nullptr;
        for (auto* each : sheet->findChildren<QScrollArea*>())
            if (each->isAncestorOf(sheet->form())) area = each;
        QTRY_VERIFY(area && area->verticalScrollBar()->maximum() > 0); // once it is laid out
        const auto read = [&] { return QString::fromStdString(spec::toJson(sheet->form()->read().spec)); };
        const QString before = read();
        int fields = 0;
        for (auto* box : sheet->form()->findChildren<QComboBox*>()) {
            if (!box->isVisible() || box == QApplication::focusWidget()) continue;
            area->verticalScrollBar()->setValue(0);
            area->ensureWidgetVisible(box, 0, 40);
            const int at = area->verticalScrollBar()->value();
            notchOver(box);
            QCOMPARE(read(), before);
            if (at < area->verticalScrollBar()->maximum()) QVERIFY(area->verticalScrollBar()->value() > at);
            ++fields;
        }
        QVERIFY(fields > 4);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-wheel-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-wheel-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    WheelTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "wheel_test.moc"
