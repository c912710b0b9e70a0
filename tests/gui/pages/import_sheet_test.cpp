// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of other programs in the window: dropped on the table, looked through in the sheet, imported, shown; and what is
// not offered for them.
#include "tests/gui/drag.h"
#include "ui/actions/action.h"
#include "ui/models/text/language.h"
#include "ui/pages/runs/inspector/run_controls.h"
#include "ui/pages/runs/inspector/run_header.h"
#include "ui/pages/runs/table/import_sheet.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/shell/file_drop.h"
#include "ui/shell/main_window.h"
#include "ui/shell/rail.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/marks/color_chip.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;
using trainyard::testing::Drag;

class ImportSheetTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;
    const Translations m_english{languages().front()};

    void write(const QString& name, const QByteArray& text) {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QStringList paths(const QStringList& names) const {
        QStringList all;
        for (const QString& name : names) all << m_folder->filePath(name);
        return all;
    }
    // The sheet that comes of a drop on the table of runs.
    ImportSheet* drop(const QStringList& names) {
        auto* panel = m_window->findChild<RunsPanel*>();
        if (panel) Drag(paths(names)).dropOn(*panel);
        return m_window->findChild<ImportSheet*>();
    }
    static QPushButton* primary(ImportSheet& sheet) {
        return sheet.findChild<QPushButton*>(QStringLiteral("import-runs"));
    }
    static QString state(ImportSheet& sheet, int row) {
        return sheet.findChild<QTableView*>()->model()->index(row, 3).data().toString();
    }
    // What can be read in it; the sheet fades in.
    static QString shown(ImportSheet& sheet) {
        QStringList texts;
        for (auto* each : sheet.findChildren<QLabel*>())
            if (each->isVisible()) texts << each->text();
        return texts.join(QLatin1Char('\n'));
    }

private Q_SLOTS:
    void initTestCase() { ThemeController::instance().install(*qApp); }
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = m_folder->filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        QVERIFY(store::Store::open(m_workspace).ok());
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1280, 720);
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().feed.loaded());
    }
    void cleanup() { m_window.reset(); }

    // Feature: import in the window: dropped files and folders, what was recognised and its mapping, progress, errors
    // in place; what imported runs do not offer.
    void whatIsDroppedIsShownImportedAndSelected() {
        write(QStringLiteral("a.csv"), "training_iteration,time_total_s,loss,acc\n1,2,3,4\n2,3,2,5\nx,1,1,1\n");
        write(QStringLiteral("b.jsonl"), "{\"step\": 1, \"loss\": 2}\n");
        ImportSheet* sheet = drop({QStringLiteral("a.csv"), QStringLiteral("b.jsonl")});
        QVERIFY(sheet);
        auto* table = sheet->findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QTRY_COMPARE(primary(*sheet)->text(), QStringLiteral("Import 2 runs"));
        QTRY_VERIFY(primary(*sheet)->hasFocus()); // what comes next takes Enter
        QStyleOptionViewItem cell;
        cell.rect = table->visualRect(table->model()->index(0, 0));
        cell.features = QStyleOptionViewItem::HasCheckIndicator;
        const QRect box = table->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &cell, table);
        QCOMPARE(box.left(), Theme::current().px(12)); // below the first letter of the heading
        const int csv = table->model()->index(0, 1).data().toString() == QStringLiteral("CSV") ? 0 : 1;
        QCOMPARE(table->model()->index(1 - csv, 1).data().toString(), QStringLiteral("JSON lines"));
        QCOMPARE(state(*sheet, csv), QStringLiteral("new"));
        table->selectRow(csv);
        QTRY_VERIFY2(
            shown(*sheet).contains(QStringLiteral("step ← training_iteration, time ← time_total_s; series: loss, acc")),
            qPrintable(shown(*sheet)));
        QTest::mouseClick(primary(*sheet), Qt::LeftButton);
        QTRY_COMPARE(primary(*sheet)->text(), QStringLiteral("Show them"));
        QCOMPARE(state(*sheet, csv), QStringLiteral("added: 2 series, 4 points"));
        table->selectRow(csv);
        QTRY_VERIFY2(shown(*sheet).contains(QStringLiteral("a row has no whole number as its step")),
                     qPrintable(shown(*sheet))); // the bad one, named
        QTest::mouseClick(primary(*sheet), Qt::LeftButton);
        QTRY_COMPARE(m_window->bench().feed.runs().size(), 2u);
        QCOMPARE(m_window->bench().selection.selected().size(), 2);
        QTRY_VERIFY(!m_window->findChild<ImportSheet*>());
        // Again: it is known, and nothing changes.
        sheet = drop({QStringLiteral("a.csv")});
        QTRY_COMPARE(state(*sheet, 0), QStringLiteral("imported before"));
        QTest::mouseClick(primary(*sheet), Qt::LeftButton);
        QTRY_COMPARE(state(*sheet, 0), QStringLiteral("unchanged"));
    }

    void aRunThatIsNotChosenIsNotImported() {
        write(QStringLiteral("a.csv"), "step,loss\n1,2\n");
        write(QStringLiteral("b.csv"), "step,loss\n1,2\n");
        ImportSheet* sheet = drop({QStringLiteral("a.csv"), QStringLiteral("b.csv")});
        auto* table = sheet->findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QTRY_VERIFY(primary(*sheet)->isEnabled());
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Space);
        QTRY_COMPARE(primary(*sheet)->text(), QStringLiteral("Import 1 run"));
        QSignalSpy done(sheet, &ImportSheet::imported);
        QTest::mouseClick(primary(*sheet), Qt::LeftButton);
        QTRY_COMPARE(done.count(), 1);
        QTRY_COMPARE(m_window->bench().feed.runs().size(), 1u);
    }

    void whatCannotBeImportedIsExplainedInPlace() {
        write(QStringLiteral("notes.log"), "nothing of the kind");
        write(QStringLiteral("long.csv"), "step,loss\n1,2\n" + QByteArray(3 << 20, '3'));
        ImportSheet* sheet = drop({QStringLiteral("notes.log"), QStringLiteral("long.csv")});
        QTRY_VERIFY2(shown(*sheet).contains(QStringLiteral("cannot be imported")), qPrintable(shown(*sheet)));
        QTRY_VERIFY(primary(*sheet)->isEnabled());
        QTest::mouseClick(primary(*sheet), Qt::LeftButton);
        QTRY_COMPARE(state(*sheet, 0), QStringLiteral("not imported"));
        QTRY_VERIFY2(shown(*sheet).contains(QStringLiteral("a line has more than")), qPrintable(shown(*sheet)));
        QVERIFY(m_window->bench().feed.runs().empty());
    }

    void thePlaceOfADropDecidesForATable() {
        write(QStringLiteral("log.csv"), "step,loss\n1,2\n");
        Drag drag(paths({QStringLiteral("log.csv")}));
        auto* panel = m_window->findChild<RunsPanel*>();
        QVERIFY(drag.enter(*panel));
        auto* hint = m_window->findChild<DropHint*>();
        QVERIFY(hint && hint->isVisible());
        QCOMPARE(hint->what(), QStringLiteral("Drop to import the runs in log.csv"));
        drag.moveTo(*m_window->findChild<Rail*>());
        QCOMPARE(hint->what(), QStringLiteral("Drop to train on the table log.csv"));
        drag.leave(*panel);
        QVERIFY(!hint->isVisible());
    }

    void logsAreImportedWhereverTheyAreDropped() {
        QDir(m_folder->path()).mkpath(QStringLiteral("logs/version_0"));
        write(QStringLiteral("logs/version_0/metrics.csv"), "epoch,loss\n1,2\n");
        m_window->setPage(PageId::home);
        Drag(paths({QStringLiteral("logs")})).dropOn(*m_window->centralWidget());
        ImportSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<ImportSheet*>()) && sheet->isVisible());
        QTRY_COMPARE(sheet->findChild<QTableView*>()->model()->rowCount(), 1);
    }

    void foldersOfOneNameAreToldApart() {
        for (const char* experiment : {"mlp", "cnn"}) {
            const QString folder = QLatin1String(experiment) + QStringLiteral("/lightning_logs/version_0");
            QDir(m_folder->path()).mkpath(folder);
            write(folder + QStringLiteral("/metrics.csv"), "epoch,step,train_loss\n0,1,2\n");
        }
        ImportSheet* sheet =
            drop({QStringLiteral("mlp/lightning_logs/version_0"), QStringLiteral("cnn/lightning_logs/version_0")});
        QVERIFY(sheet);
        const auto* model = sheet->findChild<QTableView*>()->model();
        QTRY_COMPARE(model->rowCount(), 2);
        QStringList names{model->index(0, 0).data().toString(), model->index(1, 0).data().toString()};
        names.sort(); // each path is looked through on a thread of its own
        QCOMPARE(names, QStringList({QStringLiteral("cnn"), QStringLiteral("mlp")}));
    }

    void theActionOpensTheSheet() {
        QTest::keyClick(m_window.get(), Qt::Key_I, Qt::ControlModifier);
        ImportSheet* sheet = nullptr;
        QTRY_VERIFY((sheet = m_window->findChild<ImportSheet*>()));
        QTRY_VERIFY2(shown(*sheet).contains(QStringLiteral("Choose files or a folder")), qPrintable(shown(*sheet)));
        QVERIFY(!primary(*sheet)->isEnabled());
        auto* zone = sheet->findChild<DropZone*>();
        QVERIFY(zone && zone->isVisible() && zone->width() > sheet->panel()->width() / 2);
        write(QStringLiteral("a.csv"), "step,loss\n1,2\n");
        const QImage before = zone->grab().toImage();
        Drag drag(paths({QStringLiteral("a.csv")}));
        QVERIFY(drag.enter(*sheet));
        QVERIFY(zone->grab().toImage() != before); // it invites
        drag.leave(*sheet);
        QCOMPARE(zone->grab().toImage(), before);
    }

    void importedRunsOfferNothingThatNeedsTheirTraining() {
        write(QStringLiteral("a.csv"), "step,loss\n1,2\n");
        QVERIFY(run::importRuns(m_workspace, m_folder->filePath(QStringLiteral("a.csv")).toStdString()).ok());
        QTRY_COMPARE(m_window->bench().feed.runs().size(), 1u);
        const RunItemPtr imported = m_window->bench().feed.runs().front();
        QVERIFY(imported->importedFrom.endsWith(QStringLiteral("/a.csv")));
        const ActionTarget target{m_window->bench(), imported, m_window.get()};
        for (const char* id : {"fork", "run-again", "resume", "continue", "start-again", "copy-command", "copy-cpp"})
            QVERIFY2(!isOffered(action(id), target), id);
        for (const char* id : {"archive", "tags", "report", "export-csv"}) QVERIFY2(isOffered(action(id), target), id);
        m_window->bench().selection.show(imported->id);
        auto* header = m_window->findChild<RunHeader*>();
        QTRY_VERIFY(header && header->isVisible());
        QTRY_VERIFY([&] {
            for (auto* each : header->findChildren<QLabel*>())
                if (each->text().startsWith(QStringLiteral("Imported from"))) return true;
            return false;
        }());
        for (auto* each : header->findChildren<QAbstractButton*>()) // but that of its colour
            QVERIFY2(qobject_cast<ColorChip*>(each) || !each->isVisible(), qPrintable(each->text()));
        QVERIFY(!header->findChild<RunControls*>()->isVisible()); // which would leave a gap
    }
};

QTEST_MAIN(ImportSheetTest)
#include "import_sheet_test.moc"
