// SPDX-License-Identifier: GPL-3.0-or-later
// The files a desktop reads, judged by the desktop's own tools.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QVersionNumber>

class DesktopFilesTest : public QObject {
    Q_OBJECT

    static inline const QString kFolder = QString(TRAINYARD_SOURCE_DIR) + "/resources/desktop/";

    static void passes(const QString& program, const QStringList& arguments) {
        if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP(qPrintable(program + " is not installed"));
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        QVERIFY(process.waitForFinished(30000));
        const QByteArray said = process.readAll();
        QVERIFY2(process.exitCode() == 0, said.constData());
    }

    static QVersionNumber appStreamVersion() {
        QProcess process;
        process.start("appstreamcli", {"--version"});
        process.waitForFinished(30000);
        return QVersionNumber::fromString(QString::fromUtf8(process.readAll()).section(": ", 1).trimmed());
    }

private Q_SLOTS:
    void desktopEntryIsValid() { passes("desktop-file-validate", {kFolder + "org.trainyard.Trainyard.desktop"}); }
    void metadataIsValid() {
        QStringList arguments{"validate", "--no-net"};
        // From 1.0 on a missing homepage is a warning, which fails; before, it was not looked at. Trainyard has none.
        if (appStreamVersion() >= QVersionNumber(1, 0)) arguments << "--override" << "url-homepage-missing=info";
        passes("appstreamcli", arguments << kFolder + "org.trainyard.Trainyard.metainfo.xml");
    }

    // A run file's name gives the type that the desktop entry opens.
    void mimeTypeIsKnownByItsName() {
        if (QStandardPaths::findExecutable("update-mime-database").isEmpty())
            QSKIP("update-mime-database is not installed");
        const QTemporaryDir data;
        QVERIFY(QDir().mkpath(data.filePath("mime/packages")));
        QVERIFY(
            QFile::copy(kFolder + "org.trainyard.Trainyard.mime.xml", data.filePath("mime/packages/trainyard.xml")));
        passes("update-mime-database", {data.filePath("mime")});
        QFile globs(data.filePath("mime/globs2"));
        QVERIFY(globs.open(QIODevice::ReadOnly));
        QVERIFY(globs.readAll().contains("application/vnd.trainyard.run+json:*.trainyard.json"));
        QFile entry(kFolder + "org.trainyard.Trainyard.desktop");
        QVERIFY(entry.open(QIODevice::ReadOnly));
        QVERIFY(entry.readAll().contains("MimeType=application/vnd.trainyard.run+json;"));
    }
};

QTEST_GUILESS_MAIN(DesktopFilesTest)
#include "desktop_files_test.moc"
