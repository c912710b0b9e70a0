// SPDX-License-Identifier: GPL-3.0-or-later
// What a folder of this computer holds, and when its files are hashed again; archives of it, as tar reads them.
#include "engine/base/files/tar_archive.h"
#include "engine/base/math/sha256.h"
#include "remote/files/folder_digests.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using remote::DigestCache;

namespace {

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write a file");
}

// Written so long ago that it may be taken for unchanged.
void makeOld(const QString& path) {
    std::filesystem::last_write_time(path.toStdString(),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

} // namespace

class FolderDigestsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void digestIsThatOfSha256sum();
    void whatHasNotChangedIsNotHashedAgain();
    void aChangedFileIsHashedAgain();
    void othersNotesAreNotTrusted();
    void badNotesAreNotTrusted_data();
    void badNotesAreNotTrusted();
    void anArchiveHoldsEveryName();
    void anArchiveOfAFileThatShrinksFails();

private:
    QString root() const { return m_folder->filePath(QStringLiteral("set")); }
    QString notes() const { return m_folder->filePath(QStringLiteral("cache/trainyard/digests")); }
    QString notesFile() const { return notes() + "/" + QDir(notes()).entryList(QDir::Files).value(0); }
    // Of its only file.
    static std::string digestIn(const QString& folder) {
        DigestCache cache; // as another process
        const auto content = cache.ofFolder(folder.toStdString());
        return content && content->files.size() == 1 ? content->files[0].digest : std::string();
    }
    // The file's digest in the notes becomes another one, which only who trusts the notes can tell.
    void falsify() const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

const std::string kFalse(64, 'f');

void FolderDigestsTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toLocal8Bit());
}

void FolderDigestsTest::falsify() const {
    QFile file(notesFile());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    const auto at = text.indexOf('\n') + 1;
    QVERIFY(at > 0 && text.size() > at + 64);
    text.replace(at, 64, QByteArray::fromStdString(kFalse));
    QVERIFY(file.seek(0) && file.write(text) == text.size());
}

void FolderDigestsTest::digestIsThatOfSha256sum() {
    for (const char* name : {"b", "a/z", "a.b", "A", "-x", "it's \"$(here)\"", "two\nlines", "\xc3\xa9"})
        write(root() + "/" + QString::fromUtf8(name), name);
    QFile::link(root() + "/b", root() + "/link");
    DigestCache cache;
    const auto content = cache.ofFolder(root().toStdString());
    QVERIFY2(content.ok(), content.ok() ? "" : content.error().text().c_str());
    QCOMPARE(content->files.size(), std::size_t{9});
    QProcess there;
    there.setWorkingDirectory(root());
    there.start("sh", {"-c", "find . -xtype f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum -z -- | sha256sum"});
    QVERIFY(there.waitForFinished());
    QCOMPARE(QByteArray::fromStdString(content->digest()), there.readAllStandardOutput().left(64));
}

void FolderDigestsTest::whatHasNotChangedIsNotHashedAgain() {
    write(root() + "/image", "one");
    makeOld(root() + "/image");
    const auto right = digestIn(root());
    QCOMPARE(right, sha256HexOf((root() + "/image").toStdString()).value());
    QCOMPARE(QFile(notes()).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions{});
    falsify();
    QCOMPARE(digestIn(root()), kFalse);
}

void FolderDigestsTest::aChangedFileIsHashedAgain() {
    write(root() + "/image", "one");
    makeOld(root() + "/image");
    (void)digestIn(root());
    falsify();
    write(root() + "/image", "two");
    makeOld(root() + "/image"); // of the same size and time
    QCOMPARE(digestIn(root()), sha256HexOf((root() + "/image").toStdString()).value());
    // One that was written just now may change unseen.
    write(root() + "/image", "six");
    (void)digestIn(root());
    QVERIFY(QFileInfo(notesFile()).size() < 64);
}

// Bad inputs: notes about folders that another user wrote. No error: the files are hashed again.
void FolderDigestsTest::othersNotesAreNotTrusted() {
    write(root() + "/image", "one");
    makeOld(root() + "/image");
    const auto right = digestIn(root());
    falsify();
    QVERIFY(QFile::setPermissions(notes(), QFile::permissions(notes()) | QFile::WriteGroup));
    QCOMPARE(digestIn(root()), right);
}

void FolderDigestsTest::badNotesAreNotTrusted_data() {
    QTest::addColumn<QByteArray>("text");
    const QByteArray title = "trainyard digests 1\n", digest(64, 'f');
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("another title") << QByteArray("trainyard digests 2\n");
    QTest::newRow("cut in the digest") << title + digest.left(20);
    QTest::newRow("cut in the look") << title + digest + " 3 17";
    QTest::newRow("without an end") << title + digest + " 3 17 17 17 image";
    QTest::newRow("no number") << title + digest + " 3 x 17 17 image" + '\0';
    QTest::newRow("too large a number") << title + digest + " 3 99999999999999999999 17 17 image" + '\0';
}

// Bad inputs: notes about folders for hosts. No error: the files are hashed again.
void FolderDigestsTest::badNotesAreNotTrusted() {
    QFETCH(QByteArray, text);
    write(root() + "/image", "one");
    makeOld(root() + "/image");
    const auto right = digestIn(root());
    write(notesFile(), text);
    QCOMPARE(digestIn(root()), right);
    falsify(); // they were written anew
    QCOMPARE(digestIn(root()), kFalse);
}

void FolderDigestsTest::anArchiveHoldsEveryName() {
    QStringList names{"plain",
                      "-x",
                      "it's \"$(here)\" \\ !",
                      "two\nlines",
                      "a/b c/d",
                      "empty",
                      QString("deep/%1/%2").arg(QString(120, 'n'), QString(200, 'm'))};
    std::vector<TarMember> members;
    for (const auto& name : names) {
        write(root() + "/" + name, name == "empty" ? QByteArray() : name.toUtf8().repeated(300));
        members.push_back({"./" + name.toStdString(), (root() + "/" + name).toStdString()});
    }
    for (const std::size_t room : {std::size_t{7}, std::size_t{1} << 20}) {
        TarStream stream(members);
        QByteArray archive;
        std::vector<char> buffer(room);
        for (;;) {
            const auto count = stream.read(buffer);
            QVERIFY(count.ok());
            if (*count == 0) break;
            archive.append(buffer.data(), static_cast<qsizetype>(*count));
        }
        const QString there = m_folder->filePath(QStringLiteral("there-%1").arg(room));
        QDir().mkpath(there);
        QProcess tar;
        tar.setWorkingDirectory(there);
        tar.start("tar", {"-xf", "-"});
        QVERIFY(tar.waitForStarted());
        tar.write(archive);
        tar.closeWriteChannel();
        QVERIFY(tar.waitForFinished());
        QCOMPARE(tar.readAllStandardError(), QByteArray());
        DigestCache cache;
        QCOMPARE(cache.ofFolder(there.toStdString())->digest(), cache.ofFolder(root().toStdString())->digest());
    }
}

void FolderDigestsTest::anArchiveOfAFileThatShrinksFails() {
    const QString file = root() + "/file";
    write(file, QByteArray(100'000, 'x'));
    TarStream stream({{"./file", file.toStdString()}});
    std::vector<char> buffer(600);
    QVERIFY(stream.read(buffer).ok());
    write(file, "short");
    buffer.resize(1 << 20);
    const auto rest = stream.read(buffer);
    QVERIFY(!rest.ok());
    QVERIFY2(rest.error().message.find("ended before its size") != std::string::npos, rest.error().text().c_str());
}

QTEST_GUILESS_MAIN(FolderDigestsTest)
#include "folder_digests_test.moc"
