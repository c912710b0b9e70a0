// SPDX-License-Identifier: GPL-3.0-or-later
// Every page at every width, in both languages and at both scales: nothing is cut off or lies over its neighbour.
#include "tests/gui/geometry.h"
#include "tests/gui/sample_service.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/text/language.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/page_table.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QAccessible>
#include <QApplication>
#include <QMap>
#include <QProcess>
#include <QScrollArea>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <functional>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr const char* kLongName = "a-run-with-a-name-that-is-much-longer-than-any-column-of-the-table";

} // namespace

// The innermost widget that takes most of the width.
const QWidget& widestIn(const QWidget& outer) {
    const QWidget* widest = nullptr;
    for (const QObject* each : outer.children())
        if (const auto* child = qobject_cast<const QWidget*>(each); child && child->isVisible())
            if (!widest || child->minimumSizeHint().width() > widest->minimumSizeHint().width()) widest = child;
    return widest && widest->minimumSizeHint().width() > 0 ? widestIn(*widest) : outer;
}

class LayoutWalkTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<testing::StandingService> m_service;

    struct View {
        QString name;
        std::function<void(MainWindow&)> show;
    };

    static View page(const QString& name, int tab = -1, const QString& run = {}) {
        return {QStringLiteral("%1 %2 %3").arg(name).arg(tab).arg(run), [=](MainWindow& window) {
                    window.setPage(name);
                    if (tab >= 0) Q_EMIT window.bench().tabRequested(tab);
                    for (const RunItemPtr& each : window.bench().feed.runs())
                        if (each->name == run) window.bench().selection.show(each->id);
                }};
    }

    // The pages, the views of the page of runs, and the sheet over them. The sheet is closed by the next view.
    static QList<View> views() {
        QList<View> all;
        for (const Page& each : pages()) all << page(QString::fromLatin1(each.id));
        for (const char* run : {kLongName, "rusty-badger"})
            for (int tab = 0; tab < 6; ++tab) all << page(PageId::runs, tab, QString::fromLatin1(run));
        for (const bool sweep : {false, true})
            all << View{sweep ? QStringLiteral("sweep sheet") : QStringLiteral("run sheet"),
                        [sweep](MainWindow& window) {
                            if (auto* open = window.findChild<NewRunSheet*>()) open->close();
                            Q_EMIT window.bench().newRunRequested({}, sweep);
                        }};
        all << View{QStringLiteral("serve sheet"), [](MainWindow& window) {
                        if (auto* open = window.findChild<NewRunSheet*>()) open->close();
                        Q_EMIT window.bench().serveRequested({}, {}, -1, {});
                    }};
        return all;
    }

    static QStringList faultsOf(const MainWindow& window) {
        QStringList found;
        for (const QWidget* each : window.findChildren<QWidget*>()) {
            if (!each->isVisible()) continue;
            found << testing::collisionsIn(*each);
            const auto* area = qobject_cast<const QScrollArea*>(each);
            if (area && area->widget() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
                area->widget()->width() > area->viewport()->width())
                found << testing::inWords(*each) + QStringLiteral(" hides what is at its right: ") +
                             testing::inWords(widestIn(*area->widget()));
            for (const QString& why : {testing::clippedIn(*each), testing::cutLineIn(*each)})
                if (!why.isEmpty()) found << why;
        }
        return found;
    }

    static void settle() {
        for (int i = 0; i < 3; ++i) {
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        }
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        const auto opened = store::Store::open(m_workspace);
        QVERIFY(opened.ok());
        testing::SampleRun run{QString::fromLatin1(kLongName)};
        run.tags = QStringLiteral("baseline second-try to-be-shown-on-friday");
        run.minutesAgo = 0;
        testing::addRun(**opened, m_workspace, run);
        const auto spec = testing::busySpec(serve::serviceNameOf(kLongName));
        m_service = std::make_unique<testing::StandingService>(m_workspace, spec, testing::busyStatus(spec));
    }

    void everythingHasItsPlace_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("German") << QStringLiteral("de");
    }

    void everythingHasItsPlace() {
        QFETCH(QString, language);
        const Translations words(languageFor(language, {}));
        MainWindow window(m_workspace);
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(!window.bench().feed.runs().empty());
        window.bench().services.refresh();
        QTRY_VERIFY(!window.bench().services.services().empty());
        QMap<QString, QStringList> faults; // with the widths of the window
        int layouts = 0;
        const bool fine = qApp->devicePixelRatio() > 1; // there the places are the same but for roundings
        for (const View& view : views()) {
            view.show(window);
            for (int width = 900; width <= 2600; width += fine ? 500 : 100, ++layouts) {
                window.resize(width, 800);
                settle();
                if (!faultsOf(window).isEmpty()) QTest::qWait(100); // what is still being laid out
                for (const QString& fault : faultsOf(window))
                    faults[view.name + QStringLiteral(": ") + fault] << QString::number(width);
            }
        }
        qInfo("%d layouts", layouts);
        for (const auto& [fault, widths] : faults.asKeyValueRange())
            qWarning("%s (at %s px)", qPrintable(fault), qPrintable(widths.join(QLatin1Char(' '))));
        QCOMPARE(faults.size(), 0);
    }

    // Feature: a screen reader tells the name and the kind of everything that the keyboard reaches, on every page.
    void everyStopHasANameAndARole() {
        MainWindow window(m_workspace);
        window.resize(1440, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(!window.bench().feed.runs().empty());
        QStringList nameless;
        int stops = 0;
        for (const View& view : views()) {
            view.show(window);
            settle();
            for (QWidget* each : window.findChildren<QWidget*>()) {
                const bool stop = each->isVisible() && each->isEnabled() && !each->focusProxy() &&
                                  (each->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
                auto* told = stop ? QAccessible::queryAccessibleInterface(each) : nullptr;
                if (!stop) continue;
                ++stops;
                const auto role = told ? told->role() : QAccessible::NoRole;
                const bool isPlain = role == QAccessible::NoRole || role == QAccessible::Client;
                if (isPlain || told->text(QAccessible::Name).isEmpty())
                    nameless << QStringLiteral("%1: %2, role %3").arg(view.name, testing::inWords(*each)).arg(role);
            }
        }
        qInfo("%d stops", stops);
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
        QVERIFY(stops > 200);
    }

    void everythingHasItsPlaceAtScaleTwo() {
        if (qApp->devicePixelRatio() > 1) return; // this is what the process below is started for
        QProcess twice;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
        twice.setProcessEnvironment(environment);
        twice.setProcessChannelMode(QProcess::MergedChannels);
        twice.setProgram(QCoreApplication::arguments().constFirst());
        twice.setArguments({QStringLiteral("everythingHasItsPlace")});
        twice.start();
        QVERIFY(twice.waitForFinished(120000));
        QVERIFY2(twice.exitCode() == 0, twice.readAll().constData());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-layout-walk-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-layout-walk-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    LayoutWalkTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "layout_walk_test.moc"
