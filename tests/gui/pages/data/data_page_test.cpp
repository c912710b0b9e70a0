// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of data and models says of a dataset that is not there, and of data of one's own; with a real worker.
#include "tests/gui/forms/form_fields.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/label.h"
#include "ui/widgets/marks/status_chip.h"

#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::ui;

class DataPageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    // What stands in the row of a dataset, whose button has its title in its name.
    QStringList wordsOf(const QString& title) const {
        QStringList words;
        for (const auto* each : m_window->findChildren<QPushButton*>()) {
            if (each->accessibleName() != QStringLiteral("Train on %1").arg(title)) continue;
            for (const auto* label : each->parentWidget()->findChildren<QLabel*>()) words << label->text();
            for (const auto* chip : each->parentWidget()->findChildren<StatusChip*>()) words << chip->text();
            words << each->text();
        }
        return words;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        qputenv("XDG_DATA_HOME", (m_folder.path() + QStringLiteral("/data")).toUtf8()); // nothing was downloaded
        qputenv("XDG_CACHE_HOME", (m_folder.path() + QStringLiteral("/cache")).toUtf8());
        m_window =
            std::make_unique<MainWindow>(store::Workspace{(m_folder.path() + QStringLiteral("/ws")).toStdString()});
        std::filesystem::create_directories(m_window->bench().feed.workspace().root);
        m_window->setPage(QStringLiteral("data"));
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().catalog.catalog(), 20000);
    }
    void cleanupTestCase() { m_window.reset(); }

    // Neither a file's error nor a command of the terminal.
    void whatIsNotInstalledSaysWhatItIs() {
        QTRY_VERIFY(!wordsOf(QStringLiteral("CIFAR-10")).isEmpty());
        const QString words = wordsOf(QStringLiteral("CIFAR-10")).join('|');
        QVERIFY2(words.contains(QLatin1String("Not installed")), qPrintable(words));
        static const QRegularExpression technical(
            QStringLiteral("trainyardctl|does not exist|\\.bin|\\.gz|/home|/tmp"));
        QVERIFY2(!technical.match(words).hasMatch(), qPrintable(words));
        const auto isOffered = [this] {
            return std::ranges::any_of(m_window->findChildren<QPushButton*>(), [](const auto* each) {
                return each->isVisible() && each->text().startsWith(QLatin1String("Download"));
            });
        };
        QTRY_VERIFY(isOffered()); // a moment after its words
    }

    // A folder is not ready before one is chosen.
    void dataOfOnesOwnIsChosen_data() {
        QTest::addColumn<QString>("title");
        for (const auto& entry : m_window->bench().catalog.catalog()->datasets)
            for (const char* own : {"images", "csv", "text"})
                if (entry.name == own) QTest::newRow(own) << QString::fromStdString(entry.title);
    }
    void dataOfOnesOwnIsChosen() {
        QFETCH(QString, title);
        const QStringList words = wordsOf(title);
        QVERIFY2(words.contains(QStringLiteral("Your own files")), qPrintable(words.join('|')));
        QVERIFY2(words.contains(QStringLiteral("Choose…")), qPrintable(words.join('|')));
        QVERIFY2(!words.contains(QStringLiteral("Ready")), qPrintable(words.join('|')));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    DataPageTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-data-page-test"));
}
#include "data_page_test.moc"
