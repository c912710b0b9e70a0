// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page's download against a server of this computer, by the real trainyardctl.
#include "tests/unit/fetch/http_server.h"
#include "ui/pages/data/dataset_download.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

class DatasetDownloadTest : public QObject {
    Q_OBJECT

    tests::HttpServer m_server;
    QTemporaryDir m_home;

    QStringList mirror(const char* folder) const { return {QString::fromStdString(m_server.address(folder))}; }
    static void press(DatasetDownload& download) {
        QTest::mouseClick(download.findChild<QPushButton*>(), Qt::LeftButton);
    }
    static QString labelOf(DatasetDownload& download) { return download.findChild<QPushButton*>()->text(); }

private Q_SLOTS:
    void initTestCase() {
        if (!QFile::exists(qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyardctl")))
            QSKIP("there is no trainyardctl");
        qputenv("XDG_DATA_HOME", m_home.path().toLocal8Bit());
    }

    // In a sentence; which server answered what is in the tooltip.
    void aServerWithoutTheFileIsNamed() {
        Label said(QString(), TextRole::Small);
        DatasetDownload download(QStringLiteral("mnist"), &said, mirror("nothing"));
        const QSignalSpy finished(&download, &DatasetDownload::finished);
        press(download);
        QCOMPARE(labelOf(download), QStringLiteral("Cancel"));
        QTRY_COMPARE_WITH_TIMEOUT(labelOf(download), QStringLiteral("Download"), 30000);
        QVERIFY2(said.text().startsWith(QLatin1String("No server delivered it.")), qPrintable(said.text()));
        QVERIFY2(!said.text().contains(QRegularExpression(QStringLiteral("http|--|ubyte"))), qPrintable(said.text()));
        const QString tip = said.toolTip();
        QVERIFY2(tip.startsWith(QLatin1String("train-images-idx3-ubyte.gz: no mirror served")), qPrintable(tip));
        QVERIFY2(tip.contains(QLatin1String("404")), qPrintable(tip));
        QCOMPARE(finished.count(), 0);
    }

    // It says how far it is, and what has arrived is there for the next time.
    void itIsSeenAndCancelled() {
        m_server.put("half/train-images-idx3-ubyte.gz",
                     {.content = QByteArray(9'912'422, 'x'), .cutAfter = 4'000'000, .silent = true});
        Label said(QString(), TextRole::Small);
        DatasetDownload download(QStringLiteral("mnist"), &said, mirror("half"));
        press(download);
        QTRY_VERIFY2_WITH_TIMEOUT(
            said.text().contains(QRegularExpression(QStringLiteral("train-images.*: \\d+% of 9.9 MB"))),
            qPrintable(said.text()), 30000);
        press(download);
        QTRY_COMPARE_WITH_TIMEOUT(labelOf(download), QStringLiteral("Download"), 10000);
        QVERIFY2(said.text().startsWith(QLatin1String("Cancelled.")), qPrintable(said.text()));
        QDirIterator parts(m_home.path(), {QStringLiteral("train-images*.part")}, QDir::Files,
                           QDirIterator::Subdirectories);
        QVERIFY(parts.hasNext());
        parts.next();
        QVERIFY2(parts.fileInfo().size() > 0, qPrintable(parts.filePath()));
    }

    void withoutTheProgramTheReasonIsSaid() {
        const QTemporaryDir empty;
        const QByteArray before = qgetenv("TRAINYARD_BIN");
        qputenv("TRAINYARD_BIN", empty.path().toLocal8Bit());
        Label said(QString(), TextRole::Small);
        DatasetDownload download(QStringLiteral("mnist"), &said, mirror("nothing"));
        press(download);
        QTRY_COMPARE(labelOf(download), QStringLiteral("Download"));
        qputenv("TRAINYARD_BIN", before);
        QVERIFY2(!said.text().isEmpty() && said.text() != QLatin1String("Asking the server…"), qPrintable(said.text()));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    DatasetDownloadTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "dataset_download_test.moc"
