// SPDX-License-Identifier: GPL-3.0-or-later
// The window in German on a sample workspace: no English is left on a page, and what is longer still fits.
#include "tests/gui/geometry.h"
#include "tests/gui/sample_service.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/language.h"
#include "ui/pages/page_table.h"
#include "ui/pages/runs/inspector/run_header.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

// Is asked last, so for texts without a translation alone.
class Untranslated : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QString from = QString::fromUtf8(context);
        const bool ours = !from.startsWith(QLatin1Char('Q')); // Qt's own have such contexts
        // What a plug-in or another version of the worker says has none.
        if (ours && from != QLatin1String("Engine")) m_texts << from + QLatin1String(": ") + QString::fromUtf8(source);
        return {};
    }
    bool isEmpty() const override { return false; }
    QStringList texts() const { return QStringList(m_texts.begin(), m_texts.end()); }

private:
    mutable QSet<QString> m_texts;
};

namespace {

// Words that English sentences have and German ones do not.
bool looksEnglish(const QString& text) {
    static const QRegularExpression words(QStringLiteral(
        "(?<![-\\w])(the|of|and|with|not|are|is|from|yet|this|that|each|runs|steps|epochs|trials|layers|learning "
        "rate)(?![-\\w])"));
    static const QRegularExpression code(QStringLiteral("[/<>=:~]|“|„"));
    const bool error = text.startsWith(QLatin1String("The loss is not finite")); // of a run: the engine's, in English
    return words.match(text).hasMatch() && !code.match(text).hasMatch() && !error;
}

QStringList textsOf(const QWidget& widget) {
    QStringList all{widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.statusTip()};
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) all << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) all << button->text();
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget)) all << edit->placeholderText();
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
        for (int i = 0; i < combo->count(); ++i)
            all << combo->itemText(i) << combo->itemData(i, Qt::ToolTipRole).toString();
    if (const auto* control = qobject_cast<const SegmentedControl*>(&widget)) all << control->items();
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < bar->count(); ++i) all << bar->tabText(i) << bar->tabToolTip(i);
    if (const auto* head = qobject_cast<const QHeaderView*>(&widget); head && head->model())
        for (int i = 0; i < head->count(); ++i)
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                all << head->model()->headerData(i, head->orientation(), role).toString();
    return all;
}

} // namespace

class GermanWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Untranslated m_untranslated;
    std::unique_ptr<Translations> m_german;
    std::unique_ptr<testing::StandingService> m_service;
    std::unique_ptr<MainWindow> m_window;

    void showView(const QString& page, int tab) {
        m_window->setPage(page);
        if (tab >= 0) Q_EMIT m_window->bench().tabRequested(tab);
        QCoreApplication::sendPostedEvents();
        QTest::qWait(1); // posted layouts
    }

    QList<QWidget*> visible() const {
        QList<QWidget*> all;
        for (QWidget* each : m_window->findChildren<QWidget*>())
            if (each->isVisible()) all << each;
        return all;
    }

private Q_SLOTS:
    void initTestCase() {
        store::Workspace workspace;
        workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(workspace.root);
        testing::fillSampleWorkspace(workspace);
        const auto spec = testing::busySpec("fashion");
        m_service = std::make_unique<testing::StandingService>(workspace, spec, testing::busyStatus(spec));
        QCoreApplication::installTranslator(&m_untranslated);
        m_german = std::make_unique<Translations>(languageFor(QStringLiteral("de"), {}));
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(!m_window->bench().feed.runs().empty());
        m_window->bench().services.refresh();
        QTRY_VERIFY(!m_window->bench().services.services().empty());
    }

    void cleanupTestCase() {
        m_window.reset();
        m_german.reset();
    }

    void pageIsGermanAndFits_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<int>("tab");
        for (const Page& page : pages()) QTest::newRow(page.id) << QString::fromLatin1(page.id) << -1;
        const char* const tabs[] = {"curves", "model", "logs", "compare", "samples", "timeline"};
        for (int tab = 0; tab < int(std::size(tabs)); ++tab)
            QTest::newRow(tabs[tab]) << QString::fromLatin1(PageId::runs) << tab;
    }

    void pageIsGermanAndFits() {
        QFETCH(QString, page);
        QFETCH(int, tab);
        showView(page, tab);
        QStringList english, clipped;
        for (const QWidget* each : visible()) {
            for (const QString& text : textsOf(*each))
                if (looksEnglish(text) && !english.contains(text)) english << text;
            if (const QString why = testing::clippedIn(*each); !why.isEmpty() && !clipped.contains(why)) clipped << why;
        }
        QVERIFY2(english.isEmpty(), qPrintable(QStringLiteral("English: ") + english.join(QLatin1Char('\n'))));
        QVERIFY2(clipped.isEmpty(), qPrintable(QStringLiteral("clipped: ") + clipped.join(QLatin1Char('\n'))));
    }

    // Else it is cut off at its right edge.
    void theInspectorFitsForEveryRun() {
        m_window->resize(1280, 720);
        showView(QString::fromLatin1(PageId::runs), 0);
        auto* header = m_window->findChild<RunHeader*>();
        QVERIFY(header);
        QWidget* content = header->parentWidget(); // in a scroll area of its width
        QStringList wide;
        for (const RunItemPtr& run : m_window->bench().feed.runs()) {
            m_window->bench().selection.setCurrent(run->id);
            showView(m_window->page(), -1);
            QWidget* widest = content;
            for (QWidget* each : content->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (each->isVisible() && each->minimumSizeHint().width() >= content->minimumSizeHint().width())
                    widest = each;
            const int needed = content->minimumSizeHint().width(), has = content->parentWidget()->width();
            if (needed > has)
                wide << QStringLiteral("%1: %2 needs %3 px and has %4")
                            .arg(run->name, QLatin1String(widest->metaObject()->className()))
                            .arg(needed)
                            .arg(has);
        }
        m_window->resize(1366, 768);
        QVERIFY2(wide.isEmpty(), qPrintable(wide.join(QLatin1Char('\n'))));
    }

    void newRunSheetIsGermanAndFits_data() {
        QTest::addColumn<bool>("sweep");
        QTest::newRow("run") << false;
        QTest::newRow("sweep") << true;
    }

    void newRunSheetIsGermanAndFits() {
        QFETCH(bool, sweep);
        Settings::allRunFields.set(true);
        Q_EMIT m_window->bench().newRunRequested({}, sweep);
        const auto advancedButton = [this]() -> QAbstractButton* {
            for (auto* each : m_window->findChildren<QAbstractButton*>())
                if (each->isVisible() && each->text().startsWith(QLatin1String("Erweitert"))) return each;
            return nullptr;
        };
        QTRY_VERIFY(advancedButton());
        auto* advanced = advancedButton();
        if (!advanced->isChecked()) advanced->click();
        showView(m_window->page(), -1);
        QStringList english, clipped;
        for (const QWidget* each : visible()) {
            for (const QString& text : textsOf(*each))
                if (looksEnglish(text) && !english.contains(text)) english << text;
            if (const QString why = testing::clippedIn(*each); !why.isEmpty() && !clipped.contains(why)) clipped << why;
        }
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get(), Qt::Key_Escape);
        QVERIFY2(english.isEmpty(), qPrintable(QStringLiteral("English: ") + english.join(QLatin1Char('\n'))));
        QVERIFY2(clipped.isEmpty(), qPrintable(QStringLiteral("clipped: ") + clipped.join(QLatin1Char('\n'))));
    }

    void everyActionIsGerman() {
        for (const Action& each : actions()) {
            QVERIFY2(!looksEnglish(actionText(each)), qPrintable(actionText(each)));
            QVERIFY2(!looksEnglish(actionTip(each)), qPrintable(actionTip(each)));
        }
    }

    void commandsAreFoundByTheirEnglishWordsToo() {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        CommandPalette* palette = nullptr;
        QTRY_VERIFY((palette = m_window->findChild<CommandPalette*>()));
        for (const char* word : {"about", "über"}) {
            palette->findChild<QLineEdit*>()->setText(QString::fromUtf8(word));
            QCOMPARE(palette->findChild<QListWidget*>()->item(0)->text(), actionName(action("about")));
        }
        palette->close();
    }

    void mnemonicsOfAMenuDiffer() {
        for (const auto* menu : m_window->findChildren<QMenu*>()) {
            QSet<QChar> taken;
            for (const QAction* each : menu->actions()) {
                const qsizetype at =
                    QString(each->text()).replace(QLatin1String("&&"), QLatin1String("  ")).indexOf('&');
                if (at < 0) continue;
                const QChar letter = each->text().at(at + 1).toLower();
                QVERIFY2(!taken.contains(letter), qPrintable(each->text()));
                taken << letter;
            }
        }
    }

    // Runs last: all that the tests above have shown.
    void everythingShownHadATranslation() {
        const QStringList texts = m_untranslated.texts();
        QVERIFY2(texts.isEmpty(), qPrintable(texts.join(QLatin1Char('\n'))));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-german-window-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-german-window-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    GermanWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "german_window_test.moc"
