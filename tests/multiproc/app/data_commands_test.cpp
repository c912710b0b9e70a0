// SPDX-License-Identifier: GPL-3.0-or-later
// What trainyardctl tells of folders of images and of files of weights, asked of the real worker.
#include "engine/base/files/atomic_file.h"
#include "engine/store/files/safetensors.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/stat.h>

using namespace trainyard;

namespace {

struct Answer {
    int code = -1;
    QString out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

Answer asked(const QStringList& words) {
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_BIN") + "/trainyardctl", words);
    if (!process.waitForFinished(60'000)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

// The process that has a lock on a file; 0: none.
pid_t holderOf(const QString& lock) {
    struct stat info{};
    QFile all("/proc/locks");
    if (::stat(qPrintable(lock), &info) != 0 || !all.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : all.readAll().split('\n')) { // 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF
        const auto words = line.simplified().split(' ');
        if (words.value(5).endsWith(':' + QByteArray::number(static_cast<qulonglong>(info.st_ino))))
            return words[4].toInt();
    }
    return 0;
}

// A bitmap of one colour, 8 x 8.
QByteArray bitmap(char blue) {
    constexpr int kSide = 8, kBytes = kSide * kSide * 3;
    QByteArray header =
        QByteArray::fromHex("424df600000000000000360000002800000008000000080000000100180000000000c0000000"
                            "00000000000000000000000000000000");
    return header + QByteArray(kBytes, blue);
}

} // namespace

class DataCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_pictures = 0;
        for (const char* name : {"cat/1.bmp", "cat/2.bmp", "dog/1.bmp"})
            put(name, bitmap(static_cast<char>(m_pictures++)));
    }

    void aFolderIsToldAtAGlance() {
        put("labels.csv", "file,label\ncat/1.bmp,wild;small\ncat/2.bmp,small\ndog/1.bmp,wild\n");
        const auto told = asked({"data", "inspect", path(), "--json"});
        QCOMPARE(told.code, 0);
        QCOMPARE(told.json()["pictures"].toInt(), 3);
        QCOMPARE(told.json()["classes"].toArray().size(), 2);
        const auto labels = asked({"data", "inspect", path(), "--labels", "labels.csv", "--task", "multi-label"});
        QVERIFY2(labels.code == 0 && labels.out.contains("small") && labels.out.contains("2"), qPrintable(labels.err));
        const auto wrong = asked({"data", "inspect", path(), "--labels", "lables.csv"});
        QVERIFY2(wrong.code == 2 && wrong.err.contains("lables.csv"), qPrintable(wrong.err));
    }

    void whatIsBadIsSetAside() {
        put("dog/2.jpg", "<html>not found</html>");
        put("dog/3.bmp", bitmap(0)); // the same as the first cat
        const auto found = asked({"data", "check", path(), "--json"}).json();
        QCOMPARE(found["bad"].toArray().size() + found["unread"].toArray().size(), 1);
        QCOMPARE(found["twice"].toArray().size(), 1);
        QVERIFY(QFile::exists(path("dog/2.jpg"))); // nothing was asked for
        QCOMPARE(asked({"data", "check", path(), "--fix"}).code, 0);
        QVERIFY(!QFile::exists(path("dog/2.jpg")));
        QVERIFY(QFile::exists(path() + "-set-aside/dog/2.jpg"));
        QDir(path() + "-set-aside").removeRecursively();
    }

    void aKilledWriterOfAPackIsNamed() {
        const QString pack = path() + "-pack";
        QVERIFY(QFile::resize(path("cat/1.bmp"), qint64(400) << 20)); // writing it takes a while
        QProcess packing;
        packing.start(qEnvironmentVariable("TRAINYARD_BIN") + "/trainyardctl", {"data", "pack", path(), "--out", pack});
        pid_t writer = 0;
        while (writer == 0 && packing.state() != QProcess::NotRunning) {
            packing.waitForFinished(2);
            writer = holderOf(pack + ".part/writing.lock");
        }
        QVERIFY(writer > 0 && ::kill(writer, SIGKILL) == 0);
        QVERIFY(packing.waitForFinished(60'000));
        const QByteArray said = packing.readAllStandardError();
        QVERIFY2(packing.exitCode() == 3 && said.contains("was killed by SIGKILL") && said.contains("-pack.part") &&
                     said.contains("give the same command again"),
                 said.constData());
        QVERIFY(QFile::resize(path("cat/1.bmp"), bitmap(0).size()));
        QCOMPARE(asked({"data", "pack", path(), "--out", pack}).code, 0);
        QVERIFY(QDir(pack).removeRecursively());
    }

    void weightsSayWhatTheyFit() {
        const std::vector<float> values(4);
        const auto file = path("w.safetensors").toStdString();
        QVERIFY(
            store::writeSafetensors(file, {{"somewhere.else", "F32", {4}, std::as_bytes(std::span(values))}}, {}).ok());
        const auto strange = asked({"weights", QString::fromStdString(file)});
        QVERIFY2(strange.code == 0 && strange.out.contains("none of the catalog's"), qPrintable(strange.err));
        const auto named = asked({"weights", QString::fromStdString(file), "--model", "resnet18"});
        QVERIFY2(named.code == 0 && named.out.contains("they do not fit"), qPrintable(named.out + named.err));
        put("w.pth", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
        const auto pointer = asked({"weights", path("w.pth")});
        QVERIFY2(pointer.code == 2 && pointer.err.contains("git lfs pull"), qPrintable(pointer.err));
    }

private:
    QString path(const QString& name = {}) const {
        return name.isEmpty() ? m_folder->path() : m_folder->filePath(name);
    }
    void put(const QString& name, const QByteArray& content) const {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    int m_pictures = 0;
};

QTEST_GUILESS_MAIN(DataCommandsTest)
#include "data_commands_test.moc"
